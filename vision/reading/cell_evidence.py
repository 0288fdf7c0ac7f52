"""What the cells of a card say for each design, weighed as was measured on validation renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.reading.cell_match import Comparison
from vision.reading.shared_light import SharedLight

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CellWeights:
    """How much each clue of the cells and each head of the net says for a design.

    Faces are told apart without what the other cards of the picture say on the light; backs are not.
    """

    clues: Floats
    heads: Floats
    shared: SharedLight | None = None

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> CellWeights:
        clues, heads = (np.asarray(about[part], np.float64) for part in ("clues", "heads"))
        return cls(clues, heads, SharedLight.of(about["shared"]) if "shared" in about else None)

    def table(self) -> dict[str, object]:
        """For the manifest."""
        own: dict[str, object] = {"clues": self.clues.tolist(), "heads": self.heads.tolist()}
        return own | {"shared": asdict(self.shared)} if self.shared else own

    def score(self, seen: Comparison, heads: Floats) -> Floats:
        """What speaks for each design; heads are designs × heads. Without a twin net its clue is missing."""
        return np.asarray(seen.clues @ self.clues[: seen.clues.shape[1]] + heads @ self.heads)
