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
    """How much each clue of the cells and each head of the net says for a design, and the shared light."""

    clues: Floats
    heads: Floats
    shared: SharedLight

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> CellWeights:
        clues, heads = (np.asarray(about[part], np.float64) for part in ("clues", "heads"))
        return cls(clues, heads, SharedLight.of(about["shared"]))

    def table(self) -> dict[str, object]:
        """For the manifest."""
        return {"clues": self.clues.tolist(), "heads": self.heads.tolist(), "shared": asdict(self.shared)}

    def score(self, seen: Comparison, heads: Floats) -> Floats:
        """What speaks for each design; heads are designs × heads."""
        return np.asarray(seen.clues @ self.clues + heads @ self.heads)
