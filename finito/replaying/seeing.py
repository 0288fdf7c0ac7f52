"""Recorded pictures seen anew: with the table as it was measured then, or set up by the eyes themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from calibration.deck_enrolment import EnrolledDeck
from finito.errors import BadInput
from finito.live_setup import LiveTable, RoundSetUp, TableSetUp, parse_guests
from finito.replaying.stages import Setting
from finito.seeing import open_deck, open_eyes, plainly
from vision.frame import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.pipeline import Setting as TableSetting
from vision.pipelining.eye import Eye, NetEye
from vision.pipelining.known_size import KnownSizeFinder
from vision.sources import Event, Gap
from vision.table_reader import TableReader

MISSING: Final = 1.0  # seconds without a picture from which on something is missing
See = Callable[[Event | None], list[Observation]]  # None: the film is over


@dataclass(frozen=True)
class Nets:
    """What sees: parts of a frame, a whole picture for the set-up, and the deck that is read."""

    eye: Eye
    table: TableReader
    deck: EnrolledDeck | None


def observed(setting: Setting, frames: Iterable[Frame]) -> Iterator[Observation]:
    """What the eyes tell of recorded pictures; where pictures are missing, they say so."""
    see: See | None = None
    last: Frame | None = None
    for frame in frames:
        if see is None:
            see = _eyes_for(setting, frame)
        elif last is not None and frame.t - last.t > MISSING:
            yield from see(Gap(last.t, frame.t, "nothing was recorded"))
        yield from see(frame)
        last = frame
    if see is None:
        raise BadInput("there is no picture in it that can be decoded")
    yield from see(None)


def _eyes_for(setting: Setting, first: Frame) -> See:
    nets = open_nets(setting.deck)
    measured = _measured(setting)
    if measured is not None:
        return _watching(Pipeline(measured, nets.eye, first))
    words = (each.player + (f":{each.seat}" if each.seat else "") for each in setting.about.players)
    set_up = RoundSetUp(nets.table, parse_guests(",".join(words)), nets.deck, setting.table)
    return _setting_up(LiveTable(set_up, nets.eye, _nobody))


def open_nets(deck: str | None) -> Nets:
    """The nets of this version with a deck of the session or of the library."""
    with plainly():
        eyes = open_eyes()
        enrolled = open_deck(deck, eyes.reader)
        return Nets(NetEye(KnownSizeFinder(), eyes.reader, enrolled), eyes.table, enrolled)


def _measured(setting: Setting) -> TableSetting | None:
    """The table as the session's own profile has it, if it names every seat."""
    table, players = setting.table, setting.about.players
    if table is None or table.plane is None or table.zones is None:
        return None
    seats = {str(each.seat): each.player for each in players if each.seat}
    if {zone.seat for zone in table.zones.seats} != set(seats):
        return None
    return TableSetting(table.plane, table.zones, seats)


def _setting_up(live: LiveTable) -> See:
    def see(event: Event | None) -> list[Observation]:
        if event is not None:
            return live.see(event)
        if live.pipeline is None:  # a failure must not look like a game in which nothing happened
            raise BadInput(f"the table was never ready: {live.why}")
        return []

    return see


def _watching(pipeline: Pipeline) -> See:
    def see(event: Event | None) -> list[Observation]:
        if event is None:
            return []
        if isinstance(event, Gap):
            return pipeline.gap(event.start, event.start if event.end is None else event.end, event.why)
        return pipeline.see(event)

    return see


def _nobody(_set_up: TableSetUp) -> None:
    """Nobody waits for the table to be ready."""
