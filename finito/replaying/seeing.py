"""Recorded pictures seen anew: with the table as it was measured then, or set up by the eyes themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from finito.errors import BadInput
from finito.live_setup import LiveTable, TableSetUp, parse_guests
from finito.replaying.ahead import ahead
from finito.replaying.stages import Setting
from finito.table_eyes import open_table_eyes
from vision.frame import Frame
from vision.observations import Observation
from vision.pipeline import Setting as TableSetting
from vision.sources import Event, Gap

MISSING: Final = 1.0  # seconds without a picture from which on something is missing
See = Callable[[Event | None], list[Observation]]  # None: the film is over


def observed(setting: Setting, frames: Iterable[Frame]) -> Iterator[Observation]:
    """What the eyes tell of recorded pictures; where pictures are missing, they say so."""
    see: See | None = None
    last: Frame | None = None
    for frame in ahead(frames):
        if see is None:
            see = _eyes_for(setting)
        elif last is not None and frame.t - last.t > MISSING:
            yield from see(Gap(last.t, frame.t, "nothing was recorded"))
        yield from see(frame)
        last = frame
    if see is None:
        raise BadInput("there is no picture in it that can be decoded")
    yield from see(None)


def _eyes_for(setting: Setting) -> See:
    eyes = open_table_eyes(setting.deck)
    words = (each.player + (f":{each.seat}" if each.seat else "") for each in setting.about.players)
    live = eyes.watch(parse_guests(",".join(words)), _nobody, setting.table, measured(setting))
    return _setting_up(live)


def measured(setting: Setting) -> TableSetting | None:
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


def _nobody(_set_up: TableSetUp) -> None:
    """Nobody waits for the table to be ready."""
