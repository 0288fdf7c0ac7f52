"""Pieces of filmed rounds, small and few: drawn once, with the truth about each frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from finito.live_setup import Guest, LiveTable, RoundSetUp, TableSetUp
from finito.virtual_table.choreography import Session, Wish, plan_session
from finito.virtual_table.choreography.filming import draw
from referee.actions import Start
from tests.vision.pipeline.perfect_eye import PerfectEye
from vision.frame import Frame
from vision.observations import Look, Observation

SIZE, FPS = (480, 270), 15


@dataclass(frozen=True, eq=False)
class Piece:
    """Frames of a session from one second to another."""

    session: Session
    frames: tuple[Frame, ...]
    lines: tuple[str, ...]

    def eye(self) -> PerfectEye:
        return PerfectEye(self.lines)

    @property
    def guests(self) -> list[Guest]:
        return [Guest(home.player, home.seat) for home in self.session.show.homes.values()]


@cache
def planned(players: int = 2, seed: int = 104, seconds: float = 16.0) -> Session:
    wish = Wish(players, seconds, seed, deck=f"random:{seed}", size=SIZE, fps=FPS, roughness=0.5)
    return plan_session(wish)


def shout(session: Session) -> float:
    return next(
        action.t.start for action in session.cast.played.actions if isinstance(action, Start) and action.t
    )


@cache
def piece(begins: float, ends: float, players: int = 2, seed: int = 104) -> Piece:
    """The seconds count from the shout."""
    session = planned(players, seed)
    first = round((shout(session) + begins) * FPS)
    last = round((shout(session) + ends) * FPS)
    drawn = list(draw(session.shot, range(first, last)))
    frames = tuple(Frame(each.picture, each.number / FPS, each.number) for each in drawn)
    return Piece(session, frames, tuple(each.line for each in drawn))


def watched(
    film: Piece, eye: PerfectEye, ready: list[TableSetUp]
) -> Iterator[tuple[Frame, list[Observation]]]:
    """What a table tells of each frame."""
    live = LiveTable(RoundSetUp(eye.table(), film.guests), eye, ready.append)
    for frame in film.frames:
        eye.now = frame.number
        yield frame, live.see(frame)


def looks(told: list[Observation]) -> list[Look]:
    return [each for each in told if isinstance(each, Look)]
