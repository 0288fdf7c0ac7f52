"""A table told look by look: what eyes would say of a few cards in front of two players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.actions import Hand, RoundHeader
from vision.observations import Chances, Covered, Gap, Look, Observation, Spot, Tick, centre_spot

HEADER = RoundHeader("espresso", ("normalo",), "amigo-1995", ("pizza", "gelato"))
DEALT = {
    ("pizza", "espresso"): "R3",
    ("pizza", "help1"): "Y0",
    ("pizza", "help2"): "B1",
    ("pizza", "help3"): "G7",
    ("gelato", "espresso"): "Y1",
    ("gelato", "help1"): "B2",
    ("gelato", "help2"): "Y2",
    ("gelato", "help3"): "R8",
}


def read(face: str, sure: float = 0.998) -> Chances:
    return ((face, sure),)


@dataclass
class ToldTable:
    """Feeds observations and keeps all that is answered; `at` is the time by now."""

    feed: Callable[[Observation], list[Any]]
    at: float = 0.0
    said: list[Any] = field(default_factory=list)
    dealt: dict[tuple[str, str], str] = field(default_factory=lambda: dict(DEALT))

    def begin(self) -> ToldTable:
        for (player, place), face in self.dealt.items():
            self.tell(Look(Spot(player, place), 0.0, 0.1, "face", read(face)))
        for player in {player for player, _ in self.dealt}:
            self.tell(Look(Spot(player, "waste"), 0.0, 0.1, "nothing"))
        return self.wait(2.0)

    def tell(self, observation: Observation) -> None:
        self.said += self.feed(observation)

    def wait(self, seconds: float) -> ToldTable:
        """Time passes, a tick every fifteenth of a second."""
        end = self.at + seconds
        while self.at < end - 1e-9:
            self.at = min(end, self.at + 1 / 15)
            self.tell(Tick(self.at, round(self.at * 15)))
        return self

    def cover(self, player: str | None, place: str, seconds: float, stack: int = 0) -> None:
        """Something lies over a spot; told again and again while it lasts."""
        since, spot = self.at, Spot(player, place, stack)
        end = self.at + seconds
        while self.at < end - 1e-9:
            self.tell(Covered(spot, since, self.at, ()))
            self.wait(0.1)

    def shows(
        self,
        player: str,
        place: str,
        face: str | None,
        by: str | None = None,
        hand: Hand | None = None,
        **more: Any,
    ) -> None:
        """A place is seen to show something new, changed by the arm of `by`."""
        reach = more.pop("reach", () if by == "" else ((by or player, 0.95),))
        self.tell(self._look(Spot(player, place), face, reach, hand, **more))

    def pile(self, stack: int, face: str | None, by: str, hand: Hand | None = None, **more: Any) -> None:
        reach = more.pop("reach", ((by, 0.95),) if by else ())
        more.setdefault("at", (10.0 * stack + self.at % 7, self.at % 5 * 9))
        self.tell(self._look(centre_spot(stack), face, reach, hand, **more))

    def _look(self, spot: Spot, face: str | None, reach: Chances, hand: Hand | None, **more: Any) -> Look:
        since = more.pop("since", self.at - 0.4)
        faces = more.pop("faces", () if face is None else read(face))
        t = more.pop("t", self.at - 0.1)
        return Look(spot, since, t, "nothing" if face is None else "face", faces, (), reach, hand, **more)

    def play(
        self, player: str, place: str, stack: int, face: str, reveals: str | None = None, **more: Any
    ) -> None:
        """A whole play: the card leaves its place, and lies on the pile half a second later."""
        by = more.pop("by", player)
        self.shows(player, place, reveals, by=by, hand=more.get("hand"))
        self.wait(0.5)
        self.pile(stack, face, by, **more)
        self.wait(0.6)

    def refill(self, player: str, slot: str, face: str, reveals: str | None) -> None:
        self.shows(player, "espresso", reveals)
        self.wait(0.3)
        self.shows(player, slot, face)
        self.wait(0.8)

    def gap(self, seconds: float) -> None:
        since = self.at
        self.at += seconds
        self.tell(Gap(since, self.at, "camera moved"))
