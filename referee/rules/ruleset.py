"""What the judge asks of any game. A game that is no pile game at all implements this and nothing else."""

from __future__ import annotations

from typing import Protocol, TypeVar

from referee.verdicts import Verdict

StateT = TypeVar("StateT")
ActionT_contra = TypeVar("ActionT_contra", contravariant=True)


class RuleSet(Protocol[StateT, ActionT_contra]):
    """Pure rules over some state and some actions."""

    def judge(self, state: StateT, action: ActionT_contra) -> Verdict:
        """The verdict for an action in a state that stands for every world still possible."""
        ...

    def apply(self, state: StateT, action: ActionT_contra, verdict: Verdict) -> StateT:
        """The state after an action that was given that verdict."""
        ...

    def possible(self, state: StateT, action: ActionT_contra) -> bool:
        """Whether the action can physically happen now, lawful or not; used to rule out orders of events."""
        ...

    def join(self, one: StateT, other: StateT) -> StateT:
        """A state that stands for both: the same actions happened in different orders."""
        ...
