"""What was measured on validation renders when the net was made: kept with it in the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vision.reading.cell_evidence import CellWeights


@dataclass(frozen=True)
class Measured:
    """Temperatures that make probabilities honest, and the probabilities below which the answer is `?`."""

    temperature: Mapping[str, float]  # of side, upright, number, colour
    sharper: Mapping[str, float]  # how much surer four looks are than one
    side: float
    number: float
    colour: float
    upright: float
    # With an enrolled deck: weights of embedding, number head and colour head, and thresholds of their own.
    weight: Mapping[str, float]
    enrolled_number: float
    enrolled_colour: float
    enrolled_back: float
    cells: Mapping[str, CellWeights]  # of faces and of backs; without it only the heads are heard
    corner: (
        tuple[float, float] | None
    )  # how much the figures in the corners say; without it they are not read
    same_back: float  # likeness from which two backs are one design
    card_or_not: tuple[float, float, float, float]  # weights of the card clues of `vision.table_reader`

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> Measured:
        unsure, enrolled = about["answers_from"], about["enrolled"]
        return cls(
            temperature=about["temperature"],
            sharper=about["sharper"],
            side=unsure["side"],
            number=unsure["number"],
            colour=unsure["colour"],
            upright=unsure["upright"],
            weight=enrolled["weight"],
            enrolled_number=enrolled["number"],
            enrolled_colour=enrolled["colour"],
            enrolled_back=enrolled["back"],
            cells={side: CellWeights.of(part) for side, part in enrolled.get("cells", {}).items()},
            corner=tuple(about["corner"]) if "corner" in about else None,
            same_back=about["same_back"],
            card_or_not=tuple(about["card_or_not"]),
        )
