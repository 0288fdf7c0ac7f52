"""What a perfect eye would tell of a simulated round, frame by frame, without drawing a single picture."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.zones import PlaceZone, SeatZone, TableZones
from finito.virtual_table.choreography import Session
from finito.virtual_table.choreography.homes import ROW
from finito.virtual_table.choreography.show import Actor, Moment
from finito.virtual_table.scene import Card
from vision.observations import Chances, Spot
from vision.tracker import Tracker
from vision.tracking.sighting import Bare, Hidden, LaidCard, Sighting

_ARM = 38.0  # half the width of an arm, millimetres
_HAND = 60.0  # how far a hand reaches beyond the point its fingers hold
_LENGTH = 600.0
_FULL = 0.15
_SURE = 0.97

Array = NDArray[Any]


def zones_of(session: Session) -> TableZones:
    """The places as they truly are."""
    seats = []
    for home in session.show.homes.values():
        places = tuple(PlaceZone(name, *home.place(name), home.angle) for name in ROW)
        seats.append(SeatZone(home.seat, home.angle, places))
    return TableZones(tuple(seats), session.show.zones["centre"], session.deck.card_mm)


def players_of(session: Session) -> dict[str, str]:
    return {home.seat.value: home.player for home in session.show.homes.values()}


def sightings(session: Session, tracker: Tracker, fps: float, until: float) -> Iterator[Sighting]:
    """Ask for the next only after the last was fed: what is bare depends on what the tracker knows."""
    size = session.deck.card_mm
    past: deque[list[tuple[str, Array]]] = deque(maxlen=int(fps))
    for number in range(int(until * fps)):
        moment = session.show.moment(number / fps, number)
        arms = [(actor.player, _arm(actor)) for actor in moment.actors]
        past.append(arms)
        tops = _tops(moment)
        cards = []
        for card in tops:
            corners = _rectangle(card.x, card.y, card.angle, size)
            if not _over(corners, arms):
                faces, turn = ((card.face, _SURE),), (card.angle + 90) % 180
                reach = _reach(corners, past)
                cards.append(
                    LaidCard(
                        card.x, card.y, turn, "face", faces, (), moment.t, number, since=moment.t, reach=reach
                    )
                )
        hidden, bare = dict[Spot, Hidden](), list[Bare]()
        for outline in tracker.outlines:
            corners = _rectangle(outline.x, outline.y, outline.angle - 90, size)
            if reaching := _over(corners, arms):
                hidden[outline.spot] = Hidden(tuple((name, 1 / len(reaching)) for name in reaching))
            elif not any(math.dist((card.x, card.y), (outline.x, outline.y)) < 25 for card in tops):
                bare.append(Bare(outline.spot, moment.t, number))
        yield Sighting(moment.t, number, tuple(cards), tuple(bare), hidden)


def _tops(moment: Moment) -> list[Card]:
    """The uppermost open card of every place."""
    tops: dict[str, Card] = {}
    for card in moment.scene.cards:
        if card.side == "face":
            tops[moment.places[card.name]] = card
    return list(tops.values())


def _arm(actor: Actor) -> Array:
    """A hand with its arm as a box, from beyond the fingers to beyond the edge."""
    hand = actor.hand
    turn = math.radians(hand.angle)
    ahead, aside = np.array([math.sin(turn), -math.cos(turn)]), np.array([math.cos(turn), math.sin(turn)])
    tip = np.array([hand.x, hand.y]) + _HAND * ahead
    end = np.array([hand.x, hand.y]) - _LENGTH * ahead
    return np.array(
        [tip - _ARM * aside, tip + _ARM * aside, end + _ARM * aside, end - _ARM * aside], np.float32
    )


def _rectangle(x: float, y: float, angle: float, size: tuple[float, float]) -> Array:
    return np.asarray(cv2.boxPoints(((x, y), size, angle)), np.float32)


def _over(corners: Array, arms: list[tuple[str, Array]]) -> list[str]:
    area = float(cv2.contourArea(corners))
    return [player for player, arm in arms if cv2.intersectConvexConvex(corners, arm)[0] > _FULL * area]


def _reach(corners: Array, past: deque[list[tuple[str, Array]]]) -> Chances:
    """Whose arms were over a place when it was last covered."""
    for arms in reversed(past):
        if reaching := _over(corners, arms):
            return tuple((name, 1 / len(reaching)) for name in reaching)
    return ()
