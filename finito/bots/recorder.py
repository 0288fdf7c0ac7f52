"""Writes down what happens, in order: actions at exact and strictly rising times, and the ways of hands."""

from __future__ import annotations

from dataclasses import dataclass, field

from finito.bots.motions import Motion
from referee.actions import Action

_TICK = 0.001


@dataclass(slots=True)
class Recorder:
    """The log of a round while it is played."""

    actions: list[Action] = field(default_factory=list)
    motions: list[Motion] = field(default_factory=list)
    _last: float = 0.0

    def moment(self, t: float) -> float:
        """The time of the next action: in milliseconds, later than all before."""
        self._last = round(max(t, self._last + _TICK), 3)
        return self._last

    def write(self, action: Action) -> int:
        """Keeps the action and says its index."""
        self.actions.append(action)
        return len(self.actions) - 1
