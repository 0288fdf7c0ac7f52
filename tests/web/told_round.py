"""A round under a camera without nets: what a noisy eye would tell of a round of bots, frame by frame."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

from calibration.table_plane import TablePlane
from calibration.zones import PlaceZone, SeatZone, TableZones
from finito.bots import play_round
from finito.live_setup import Guest, TableSetUp
from finito.web.life_speed import LifeSpeed
from finito.web.live_watch import Seeing
from finito.web.watch_order import WatchOrder
from models.evaluation.inferring_looks import observations
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_table import true_table
from referee.actions import RoundHeader
from referee.places import Seat
from tests.calibration.test_profiles import PLANE
from tests.recording.made import table
from vision.frame import Frame
from vision.observations import Look, Observation, Spot
from vision.pipeline import Setting
from vision.sources import Event, Source

STEP: Final = 0.25  # seconds of the film between two frames
PLACES: Final = ("espresso", "help1", "help2", "help3", "waste")


class ToldRound:
    """A round of two bots and what is seen of it; the film is `pace` times quicker than life."""

    def __init__(
        self,
        seed: int = 5,
        faults: tuple[str, ...] = ("wrong-colour",),
        pace: float = 20.0,
        pauses: float = math.inf,
    ) -> None:
        """At the second `pauses` of the film the table stands still until the watching is stopped."""
        self.played = play_round(seed, 2, faults=faults)
        self.header: RoundHeader = self.played.header
        rng, noise = Random(f"looks {seed}"), NoiseModel()
        truth = true_table(self.played, noise, rng)
        self.seen: list[Observation] = list(observations(truth, self.header.players, noise, rng))
        self.pace, self.pauses = pace, pauses

    @property
    def order(self) -> WatchOrder:
        seats = (Seat.SOUTH, Seat.NORTH)
        guests = tuple(Guest(name, seat) for name, seat in zip(self.header.players, seats, strict=True))
        names = dict(zip(self.header.players, ("Anna", "Ben"), strict=True))
        return WatchOrder(self.header, guests, "house", 100, names)

    def source(self, _name: str, begins: float = 0.0) -> Source:
        return _Paced(_Film(self.seen[-1].t + 1.0), self.pace, begins, self.pauses)

    def eyes(self, order: WatchOrder) -> Callable[[Callable[[TableSetUp], None]], Seeing]:
        def opened(on_ready: Callable[[TableSetUp], None]) -> Seeing:
            if order.setting is not None:
                return _Eyes(self, anew=True)
            on_ready(TableSetUp(self._setting, False, (), 0.0))
            return _Eyes(self, anew=False)

        return opened

    @property
    def _setting(self) -> Setting:
        plane: TablePlane = PLANE
        seats = tuple(
            SeatZone(seat, angle, tuple(PlaceZone(name, 70.0 * i, y, angle) for i, name in enumerate(PLACES)))
            for seat, angle, y in ((Seat.SOUTH, 0.0, 200.0), (Seat.NORTH, 180.0, -200.0))
        )
        zones = TableZones(seats, ((-150.0, -100.0), (150.0, -100.0), (150.0, 100.0), (-150.0, 100.0)))
        return Setting(plane, zones, dict(zip(("south", "north"), self.header.players, strict=True)))


class _Paced(LifeSpeed):
    """On a slow machine the film is slower: no frame is dropped, here or by the recording."""

    live = False

    def __init__(self, source: Source, pace: float, begins: float, pauses: float) -> None:
        super().__init__(source, pace, begins)
        self._pauses, self._due = pauses, 0.0

    def __next__(self) -> Event:
        while True:
            event = next(self._source)
            assert isinstance(event, Frame)
            if event.t > self._begins or not self._begins:
                break
        if event.t > self._pauses:
            self._stopped.wait()
        self._due = max(self._due + STEP / self._pace, time.monotonic())
        if self._stopped.wait(self._due - time.monotonic()):
            raise StopIteration
        return event


class _Film:
    """A table on which one card moves; the pictures matter to nobody but the recording."""

    name, live, dropped = "a film", False, 0

    def __init__(self, seconds: float) -> None:
        self._frames = (Frame(table(n), n * STEP, n) for n in range(int(seconds / STEP)))

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._frames)

    def close(self) -> None: ...

    def __enter__(self) -> _Film:
        return self

    def __exit__(self, *_: object) -> None: ...


class _Eyes:
    """Eyes that were opened `anew` in the middle see all that lies there once more."""

    why = ""
    dazzled: tuple[str, ...] = ()
    centre_burnt_out = False

    def __init__(self, told: ToldRound, anew: bool) -> None:
        self.pipeline: Any = True
        self._seen, self._fresh = told.seen, anew
        self._next = 0

    def see(self, event: Event) -> list[Observation]:
        if not isinstance(event, Frame):
            return []
        new: list[Observation] = []
        if self._fresh:
            self._fresh = False
            new += self._everything(event.t)
        while self._next < len(self._seen) and self._seen[self._next].t <= event.t:
            new.append(self._seen[self._next])
            self._next += 1
        return new

    def _everything(self, t: float) -> list[Observation]:
        lies: dict[Spot, Look] = {}
        while self._next < len(self._seen) and self._seen[self._next].t <= t - STEP / 2:
            each = self._seen[self._next]
            if isinstance(each, Look) and not each.again:
                lies[each.spot] = each
            self._next += 1
        looks = [look for look in lies.values() if look.shows != "nothing"]
        return [replace(look, since=t, t=t, reach=(), hand=None) for look in looks]
