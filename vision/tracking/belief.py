"""What a card is, from all looks at it while it lies still: log-probabilities add up."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Final

from vision.observations import Chances

# Looks at one card in one light err alike: what is misread once is misread again, and must not become sure.
_WORTH: Final = (1.0, 0.35, 0.2, 0.1, 0.05)
_LEAST: Final = 1e-4
_OTHERS: Final = 31  # faces that a look does not name share what it leaves
_TOLD: Final = 5


@dataclass(frozen=True)
class Belief:
    """Names with their log-likelihoods; `rest` is that of any one name never given."""

    looks: int = 0
    logs: dict[str, float] = field(default_factory=dict)
    rest: float = 0.0

    def with_look(self, chances: Chances) -> Belief:
        """One more look at the same card."""
        if not chances:
            return self
        worth = _WORTH[min(self.looks, len(_WORTH) - 1)]
        left = max(0.0, 1.0 - sum(chance for _, chance in chances))
        unnamed = worth * math.log(max(_LEAST, left / _OTHERS))
        given = dict(chances)
        logs = {}
        for name in {**self.logs, **given}:
            said = worth * math.log(max(_LEAST, given[name])) if name in given else unnamed
            logs[name] = self.logs.get(name, self.rest) + said
        return replace(self, looks=self.looks + 1, logs=logs, rest=self.rest + unnamed)

    @property
    def chances(self) -> Chances:
        """The likeliest names first; what is missing to 1 is something never named."""
        if not self.logs:
            return ()
        top = max(*self.logs.values(), self.rest)
        weights = {name: math.exp(log - top) for name, log in self.logs.items()}
        whole = sum(weights.values()) + math.exp(self.rest - top) * max(1, _OTHERS - len(weights))
        best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_TOLD]
        return tuple((name, round(weight / whole, 4)) for name, weight in best)

    @property
    def best(self) -> tuple[str, float]:
        return self.chances[0] if self.logs else ("", 0.0)

    def agrees(self, chances: Chances) -> float:
        """How likely a look says the same as this belief, against both being certain of one name."""
        own = dict(self.chances)
        return sum(chance * own.get(name, 0.0) for name, chance in chances)


def first(chances: Chances) -> Belief:
    return Belief().with_look(chances)
