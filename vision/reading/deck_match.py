"""Which card of an enrolled deck a look shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, EnrolledDesign
from referee.cards import Face, parse_face
from vision.reading.answers import COLOURS, NUMBERS, SIDES
from vision.reading.cell_shares import Twin, shares
from vision.reading.deck_cells import designs_of
from vision.reading.ground_hue import doubted_by_hue
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
    weights, known = measured.cells.get("face"), designs_of(deck, "face")
    said = shares(looks, heads, first, known, weights, twin) if weights else first
    return doubted_by_hue(said, looks.crops, [parse_face(face.name) for face in deck.faces], known.hues)


def face_scores(looks: Looks, faces: tuple[EnrolledDesign, ...]) -> NDArray[np.float64]:
    """n × faces × 3: likeness, agreement in number, agreement in colour.

    A face is compared with how the net reads *its* enrolled crop: where it takes this deck's 1 for a 7,
    it does so always. Where it was unsure of that crop, and for the figures in the corners, which were not
    read then, the face's own number and colour count.
    """
    known = [parse_face(face.name) for face in faces]
    numbers, colours = [number_index(face) for face in known], [colour_index(face) for face in known]
    number = looks.number @ _expected([face.number for face in faces], numbers).T
    colour = looks.colour @ _expected([face.colour for face in faces], colours).T
    agreement = (np.log(number + _FLOOR) + looks.corners[:, numbers], np.log(colour + _FLOOR))
    return np.stack([likeness(looks, faces), *agreement], axis=2)


def _expected(enrolled: Sequence[NDArray[np.float32]], own: Sequence[int]) -> NDArray[np.float64]:
    """Faces × answers: what the net will say of each, by what it said of its crop and what the face is."""
    said = np.stack(enrolled).astype(np.float64)
    sure = said.max(axis=1, keepdims=True)
    expected = np.asarray(sure * said)
    expected[np.arange(len(own)), own] += 1 - sure[:, 0]
    return np.asarray(expected)


def number_index(face: Face) -> int:
    """Where the net's answers have the number of a face."""
    last = len(NUMBERS) - 1
    return face.number if face.number is not None and face.number < last else last


def colour_index(face: Face) -> int:
    """Where the net's answers have the colour of a face."""
    return len(COLOURS) - 1 if face.colour is None else int(face.colour)


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
