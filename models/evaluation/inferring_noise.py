"""How badly eyes may see: one set of numbers, to be fitted to what the eyes make of films."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from referee.cards import Colour, Face, face
from vision.observations import Chances

# Figures and colours that are taken for each other more often than others.
_LIKE: Final = {
    0: (8, 6),
    1: (7, 4),
    2: (7, 3),
    3: (8, 5),
    4: (1, 6),
    5: (6, 3),
    6: (8, 5, 0),
    7: (1, 2),
    8: (6, 3, 0),
}


@dataclass(frozen=True)
class NoiseModel:
    """Chances per look and times in seconds unless it says otherwise."""

    fps: float = 15.0
    settle: tuple[float, float] = (0.1, 0.2)  # a card must lie still so long before it is told
    latency: tuple[float, float] = (0.04, 0.1)
    # Readings: so many are clear, fair and poor; how often each is right is what it says of itself.
    fair: float = 0.22
    poor: float = 0.018
    right_clear: float = 0.9985
    right_fair: float = 0.985
    right_poor: float = 0.65
    read_again: float = 0.55  # a fair or poor reading is followed by a better one
    unread: float = 0.004
    missed: float = 0.006  # a look that is only made by the slow sweep
    sweep: tuple[float, float] = (0.7, 4.4)  # six parts of the table take their turns, one every 0.7 s
    looked_twice: float = 0.02  # a look at what has not changed
    arm_missed: float = 0.006
    arm_invented: float = 0.015
    arm_faint: float = 0.08  # an arm that passes by gets a small share
    hand_told: float = 0.935
    hand_wrong: float = 0.002
    hand_wrong_in_crowd: float = 0.03  # where other arms had much of the time
    # What hides what.
    leaves_pile: tuple[float, float] = (
        0.3,
        0.6,
    )  # the part of the way home on which the hand is off the pile
    arm_over_own: float = 0.25
    arm_over_pile: float = 0.1
    hand_over_neighbour: float = 0.15
    covered_told: tuple[float, float] = (0.1, 0.2)  # a cover is told after so long, and again every so often
    rests_per_minute: float = 0.6
    sleeves_per_minute: float = 0.15
    onlookers_per_minute: float = 0.15
    pushes_per_minute: float = 1.0
    push_loses_track: float = 0.1
    straightens_per_minute: float = 0.5


def taken_for(card: Face, rng: Random) -> Face:
    """What a card is misread as: mostly a like figure, at times a like colour."""
    assert card.number is not None
    assert card.colour is not None
    if rng.random() < 0.65:
        return face(card.colour, rng.choice(_LIKE[card.number]))
    other = rng.choice([colour for colour in Colour if colour != card.colour])
    return face(other, card.number)


def reading(card: Face, noise: NoiseModel, rng: Random, better: bool = False) -> tuple[Chances, bool]:
    """What is read, calibrated: a reading that says 0.94 is right in 94 of 100; and whether it was clear."""
    dice = rng.random()
    if not better and dice < noise.unread:
        return (), False
    right = noise.right_clear
    if not better and dice < noise.unread + noise.poor:
        right = noise.right_poor
    elif not better and dice < noise.unread + noise.poor + noise.fair:
        right = noise.right_fair
    mistaken = taken_for(card, rng)
    first, second = (card, mistaken) if rng.random() < right else (mistaken, card)
    rest = 1.0 - right
    return ((str(first), right), (str(second), rest * 0.8)), right == noise.right_clear
