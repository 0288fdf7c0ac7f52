"""What the judge asks of any game. A game that is no pile game at all implements this and nothing else."""

from __future__ import annotations

from typing import Protocol, TypeVar

from referee.verdicts import Verdict

StateT = TypeVar("StateT")
ActionT_contra = TypeVar("ActionT_contra", contravariant=True)


class RuleSet(Protocol[StateT, ActionT_contra]):
    """Pure rules over some state and some actions. Inherit from it to get `step`."""

    def judge(self, state: StateT, action: ActionT_contra) -> Verdict:
        """The verdict for an action in a state that stands for every world still possible."""
        ...

    def apply(self, state: StateT, action: ActionT_contra, verdict: Verdict) -> StateT:
        """The state after an action that was given that verdict."""
        ...

    def step(self, state: StateT, action: ActionT_contra) -> tuple[Verdict, StateT]:
        """Both at once, for a game that can share work between them."""
        verdict = self.judge(state, action)
        return verdict, self.apply(state, action, verdict)

    def possible(self, state: StateT, action: ActionT_contra) -> bool:
        """Whether the action can physically happen now, lawful or not; used to rule out orders of events."""
        ...

    def join(self, one: StateT, other: StateT) -> StateT:
        """A state that stands for both: the same actions happened in different orders."""
        ...
