"""Where the cards of a call lay: from the looks of the session and its table profile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from calibration.errors import CalibrationError
from calibration.profiles import read_profile
from calibration.table_plane import TablePlane
from finito.evidence.calls import Call
from finito.recording.about import TABLE_FILE
from finito.recording.session import Session
from vision.observations import Look, Observation, Spot, centre_spot
from vision.overlay import Mark

_NEAR: Final = 1.0  # seconds between a call and the looks that show it


def outlines(session: Session, call: Call) -> list[Mark]:
    """The cards that the call speaks of, outlined; none where the table was never measured."""
    plane = plane_of(session)
    if plane is None:
        return []
    return [mark_of(look, plane, call) for look in looks_at(session.observations(), call)]


def plane_of(session: Session) -> TablePlane | None:
    path = session.folder / TABLE_FILE
    if not path.is_file():
        return None
    try:
        return read_profile(path).plane
    except CalibrationError:
        return None


def looks_at(observations: Iterable[Observation], call: Call) -> list[Look]:
    """The last look at each spot of the action, around the moment of the call."""
    spots = spots_of(call)
    found: dict[Spot, Look] = {}
    for observation in observations:
        if observation.t > call.t + _NEAR:
            break
        if not isinstance(observation, Look) or observation.t < call.t - _NEAR:
            continue
        wanted = observation.spot.is_centre if spots is None else observation.spot in spots
        if wanted and observation.shows != "nothing":
            found[observation.spot] = observation
    return list(found.values())


def spots_of(call: Call) -> set[Spot] | None:
    """The places that an action names; None for any stack in the centre."""
    entry = call.entry
    pile, player = entry.get("to", entry.get("pile")), entry.get("player")
    if isinstance(pile, int):
        return {centre_spot(pile)}
    if entry.get("type") == "play":
        return None
    places = {"turn": "waste", "recycle": "waste", "finito": "espresso", "refill": entry.get("slot")}
    place = places.get(str(entry.get("type")))
    return {Spot(str(player), str(place))} if player and place else set()


def mark_of(look: Look, plane: TablePlane, call: Call) -> Mark:
    word = look.faces[0][0] if look.faces else look.backs[0][0] if look.backs else "?"
    corners = plane.card_outline(*look.at, look.angle - 90).astype(np.float32)  # of its long side
    return Mark(corners, word, "unsure" if call.outcome == "unsure" else "sure")
