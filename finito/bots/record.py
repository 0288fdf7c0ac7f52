"""The written round: what the bots did, move by move and hand by hand."""

from __future__ import annotations

from dataclasses import dataclass

from finito.bots.motions import Motion
from referee.actions import Action, Count, Deal, Hand, RoundHeader
from referee.cards import Face


@dataclass(frozen=True, slots=True)
class HiddenDeal:
    """All cards of a player as dealt, top first, and the hand the player plays with."""

    player: str
    side: Hand
    espresso: tuple[Face, ...]
    helps: tuple[Face, ...]
    hand: tuple[Face, ...]

    @property
    def open(self) -> Deal:
        """What the others see of it."""
        return Deal(self.player, len(self.espresso), self.espresso[0], self.helps)


@dataclass(frozen=True, slots=True)
class BotRound:
    """One round as it was. `faults` names each injected fault and the index of the action that shows it."""

    seed: int
    header: RoundHeader
    hidden: tuple[HiddenDeal, ...]
    actions: tuple[Action, ...]
    count: Count
    faults: tuple[tuple[str, int], ...]
    missing: tuple[str, ...]  # faults that found no suitable moment
    motions: tuple[Motion, ...]
    finito: str | None  # who called it rightly

    @property
    def deals(self) -> tuple[Deal, ...]:
        return tuple(hidden.open for hidden in self.hidden)
