"""Notices that two photos show the same cards: what lies in one is found again, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.back_counter import PhotoCount
from vision.counting.tally import CountedCard, Doubt
from vision.finding.selection import overlap
from vision.frame import Picture

Array: TypeAlias = NDArray[Any]

_LONG_SIDE: Final = 800
_FEATURES: Final = 1500
_DISTINCT: Final = 0.8  # best match against second best
_FEWEST_MATCHES: Final = 15
_SAME_PLACE: Final = 0.6
_FEWEST_CARDS: Final = 3


def cards_in_both(photos: Sequence[tuple[Picture, PhotoCount]]) -> list[Doubt]:
    """A doubt for every pair of photos that seem to share cards."""
    doubts = []
    for (picture, count), (other, other_count) in combinations(photos, 2):
        shared = shared_cards(picture, count.cards, other, other_count.cards)
        if not shared:
            continue
        names = tuple(cards[0].photo for cards in (count.cards, other_count.cards))
        one = shared == 1
        why = (
            f"{shared} card{' seems' if one else 's seem'} to be in both {names[0]} and {names[1]}; "
            "photograph parts that do not overlap, or leave one photo out"
        )
        doubts.append(Doubt("photos", why, names))
    return doubts


def shared_cards(
    picture: Picture, cards: Sequence[CountedCard], other: Picture, others: Sequence[CountedCard]
) -> int:
    """How many cards of one photo lie in the other as well, seen from wherever."""
    if not cards or not others:
        return 0
    motion = _motion(picture, other)
    if motion is None:
        return 0
    quads = [(np.array(card.corners, np.float32), card.shares[0][0]) for card in others]
    met = 0
    for card in cards:
        moved = cv2.perspectiveTransform(np.array(card.corners, np.float32)[None], motion)[0]
        if not np.isfinite(moved).all() or not cv2.isContourConvex(moved.astype(np.float32)):
            continue
        # The table may be the same while the cards on it were exchanged.
        met += any(back == card.shares[0][0] and overlap(moved, quad) >= _SAME_PLACE for quad, back in quads)
    # Backs of one design look alike: one card may be taken for another, an arrangement hardly.
    return met if met >= min(_FEWEST_CARDS, len(cards), len(others)) else 0


def _motion(picture: Picture, other: Picture) -> Array | None:
    """The homography from one picture to the other, if they show the same table."""
    orb = cv2.ORB.create(_FEATURES)
    seen = []
    for image in (picture, other):
        scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
        grey = cv2.cvtColor(cv2.resize(image, None, fx=scale, fy=scale), cv2.COLOR_BGR2GRAY)
        points, marks = orb.detectAndCompute(grey, None)
        if marks is None or len(points) < _FEWEST_MATCHES:
            return None
        seen.append((np.array([point.pt for point in points]) / scale, marks))
    (here, marks), (there, other_marks) = seen
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, other_marks, k=2)
    good = [p[0] for p in pairs if len(p) == 2 and p[0].distance < _DISTINCT * p[1].distance]
    if len(good) < _FEWEST_MATCHES:
        return None
    source = here[[match.queryIdx for match in good]]
    target = there[[match.trainIdx for match in good]]
    motion, agree = cv2.findHomography(source, target, cv2.RANSAC, 0.006 * max(other.shape[:2]))
    if motion is None or int(agree.sum()) < _FEWEST_MATCHES:
        return None
    return np.asarray(motion)
