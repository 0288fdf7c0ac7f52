"""Which card of an enrolled deck a look shows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, EnrolledDesign
from vision.reading.looking import Looks
from vision.reading.softmax import softmax

_FLOOR = 1e-4  # a head that is sure of something else must not outvote everything


def face_shares(looks: Looks, deck: EnrolledDeck, weight: Mapping[str, float]) -> NDArray[np.float64]:
    """n × faces of the deck: likeness to its prototypes, with the number and colour heads as prior."""
    return softmax(face_scores(looks, deck.faces) @ [weight["embedding"], weight["number"], weight["colour"]])


def face_scores(looks: Looks, faces: tuple[EnrolledDesign, ...]) -> NDArray[np.float64]:
    """n × faces × 3: likeness, agreement in number, agreement in colour.

    A face is compared with how the net reads *its* enrolled crop: where it takes this deck's 1 for a 7,
    it does so always.
    """
    number = looks.number @ np.stack([face.number for face in faces]).astype(np.float64).T
    colour = looks.colour @ np.stack([face.colour for face in faces]).astype(np.float64).T
    agreement = (np.log(number + _FLOOR), np.log(colour + _FLOOR))
    return np.stack([likeness(looks, faces), *agreement], axis=2)


def back_shares(looks: Looks, deck: EnrolledDeck, weight: Mapping[str, float]) -> NDArray[np.float64]:
    return softmax(likeness(looks, deck.backs) * weight["back"])


def likeness(looks: Looks, designs: tuple[EnrolledDesign, ...]) -> NDArray[np.float64]:
    """n × designs: the cosine to the nearest prototype of each."""
    prototypes = np.stack([design.prototypes for design in designs]).astype(np.float64)
    return np.asarray(np.einsum("ne,dke->ndk", looks.embedding, prototypes, optimize=True).max(axis=2))
