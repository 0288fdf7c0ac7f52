"""Which card of an enrolled deck a look shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, EnrolledDesign
from vision.reading.answers import SIDES
from vision.reading.cell_shares import Twin, shares
from vision.reading.deck_cells import designs_of
from vision.reading.looking import Looks
from vision.reading.measured import Measured
from vision.reading.softmax import softmax

_NONE = SIDES.index("none")
_FLOOR = 1e-4  # a head that is sure of something else must not outvote everything


def face_shares(
    looks: Looks, deck: EnrolledDeck, measured: Measured, twin: Twin | None = None
) -> NDArray[np.float64]:
    """n × faces of the deck, for cards of one picture."""
    heads = face_scores(looks, deck.faces)
    first = softmax(heads @ [measured.weight[name] for name in ("embedding", "number", "colour")])
    weights = measured.cells.get("face")
    return shares(looks, heads, first, designs_of(deck, "face"), weights, twin) if weights else first


def face_scores(looks: Looks, faces: tuple[EnrolledDesign, ...]) -> NDArray[np.float64]:
    """n × faces × 3: likeness, agreement in number, agreement in colour.

    A face is compared with how the net reads *its* enrolled crop: where it takes this deck's 1 for a 7,
    it does so always.
    """
    number = looks.number @ np.stack([face.number for face in faces]).astype(np.float64).T
    colour = looks.colour @ np.stack([face.colour for face in faces]).astype(np.float64).T
    agreement = (np.log(number + _FLOOR), np.log(colour + _FLOOR))
    return np.stack([likeness(looks, faces), *agreement], axis=2)


def back_shares(
    looks: Looks, deck: EnrolledDeck, measured: Measured, twin: Twin | None = None
) -> NDArray[np.float64]:
    """n × backs of the deck, for cards of one picture."""
    heads = likeness(looks, deck.backs)
    first = softmax(heads * measured.weight["back"])
    weights = measured.cells.get("back")
    if weights is None:
        return first
    return shares(looks, heads[:, :, None], first, designs_of(deck, "back"), weights, twin)


def with_sides_of(looks: Looks, deck: EnrolledDeck, weight: Mapping[str, float]) -> Looks:
    """The same looks; face or back is decided by what of the deck they are like, too."""
    if not deck.faces or not deck.backs:
        return looks
    side = looks.side.copy()
    logs = np.log(side[:, :_NONE] + _FLOOR) + weight["side"] * side_likeness(looks, deck)
    side[:, :_NONE] = softmax(logs) * side[:, :_NONE].sum(axis=1, keepdims=True)
    return replace(looks, side=side)


def side_likeness(looks: Looks, deck: EnrolledDeck) -> NDArray[np.float64]:
    """n × 2: the likeness to the nearest face and to the nearest back."""
    return np.stack([likeness(looks, side).max(axis=1) for side in (deck.faces, deck.backs)], axis=1)


def likeness(looks: Looks, designs: tuple[EnrolledDesign, ...]) -> NDArray[np.float64]:
    """n × designs: the cosine to the nearest prototype of each."""
    prototypes = np.stack([design.prototypes for design in designs]).astype(np.float64)
    return np.asarray(np.einsum("ne,dke->ndk", looks.embedding, prototypes, optimize=True).max(axis=2))
