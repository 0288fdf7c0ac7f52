"""Spots of the picture that stay where they are unless the camera moves, and how they moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens

Array: TypeAlias = NDArray[Any]

WIDTH: Final = 640  # pictures are looked at in this width
LEAST: Final = 12  # anchors that must agree on a motion
LEAST_RESTING: Final = 6  # anchors that look the same in the same place: no chance
_MOST: Final = 150
_LEAST_SHARE: Final = 0.35
_AGREE: Final = 2.0  # pixels of a 1920 wide picture between an anchor and the common motion
_SPREAD: Final = 0.12  # of the picture; anchors that cover less cannot tell perspective
_CHANGED: Final = 14  # grey levels
_WEAKEST: Final = 0.002  # OpenCV's corner measure; twice what the noise of a plain table gives
_WINDOW: Final = (17, 17)


@dataclass(frozen=True, eq=False)
class Anchors:
    """A reduced picture and the spots to look for in others (N x 2)."""

    small: Array
    spots: Array
    scale: float  # pixels of the full picture per reduced pixel


@dataclass(frozen=True, eq=False)
class Motion:
    """Homography of straightened full-size pixels, then to now; the median way of the anchors that agree."""

    homography: Array
    shift: float
    agreeing: int


def reduced(picture: Array) -> Array:
    """Small, grey, and without the light: slow shades and the exposure are taken out."""
    height, width = picture.shape[:2]
    size = (WIDTH, round(height * WIDTH / width))
    grey = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    tiny = cv2.resize(grey, (WIDTH // 16, max(1, size[1] // 16)), interpolation=cv2.INTER_AREA)
    shade = cv2.resize(tiny, size, interpolation=cv2.INTER_LINEAR)
    contrast = 64.0 / (float(cv2.meanStdDev(tiny)[0][0, 0]) + 8.0)
    return cv2.addWeighted(grey, contrast, shade, -contrast, 128.0)


def anchors(small: Array, full_width: int, before: Array | None = None) -> Anchors:
    """The best spots, spread over the picture; only where nothing changed since `before`."""
    mask = None
    if before is not None:
        # Coarse, so that a hand shows and the edges of a picture shifted by half a pixel do not.
        cells = (WIDTH // 8, small.shape[0] // 8)
        coarse = [cv2.resize(each, cells, interpolation=cv2.INTER_AREA) for each in (small, before)]
        still = cv2.erode((cv2.absdiff(*coarse) < _CHANGED).astype(np.uint8), np.ones((3, 3), np.uint8))
        mask = cv2.resize(still, small.shape[::-1], interpolation=cv2.INTER_NEAREST)
    found = cv2.goodFeaturesToTrack(small, _MOST, 0.02, WIDTH / 40, mask=mask, blockSize=5)
    spots = np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)
    x, y = spots.astype(int).T
    strong = cv2.cornerMinEigenVal(small, 5)[y, x] > _WEAKEST
    return Anchors(small, spots[strong], full_width / WIDTH)


def followed(then: Anchors, small: Array, guess: Array | None = None) -> tuple[Array, Array]:
    """Full-size pixels (N x 2) of the anchors then and now, of those that were found again."""
    none = np.zeros((0, 2))
    if len(then.spots) < LEAST_RESTING:
        return none, none
    start = then.spots.copy() if guess is None else cv2.perspectiveTransform(then.spots[None], guess)[0]
    flags = 0 if guess is None else cv2.OPTFLOW_USE_INITIAL_FLOW
    now, found, _ = cv2.calcOpticalFlowPyrLK(
        then.small, small, then.spots, start, winSize=_WINDOW, maxLevel=4, flags=flags
    )
    inside = (now >= 0).all(axis=1) & (now < (small.shape[1], small.shape[0])).all(axis=1)
    ok = (np.ravel(found) > 0) & inside & _alike(then, small, now)
    half = (then.scale - 1) / 2  # the first reduced pixel covers several full ones
    return then.spots[ok] * then.scale + half, now[ok] * then.scale + half


def _alike(then: Anchors, small: Array, now: Array) -> Array:
    """Whether the spot still looks the same: a hand over it does not."""
    side = np.arange(-4, 5, dtype=np.float32)
    dx, dy = np.meshgrid(side, side)
    patches = []
    for picture, spots in ((then.small, then.spots), (small, now)):
        x, y = (spots[:, axis, None].astype(np.float32) + d.ravel() for axis, d in ((0, dx), (1, dy)))
        patch = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        patch -= patch.mean(axis=1, keepdims=True)
        patches.append(patch / (np.linalg.norm(patch, axis=1, keepdims=True) + 20.0))
    return np.asarray((patches[0] * patches[1]).sum(axis=1) > 0.6)


def common_motion(then: Array, now: Array, lens: Lens, least_shift: float) -> Motion | None:
    """The one motion that most anchors share; None if there is none. None moved is a motion too."""
    if len(then) < LEAST_RESTING:
        return None
    scale = lens.size[0] / 1920
    ways = np.linalg.norm(now - then, axis=1)
    resting = ways < least_shift
    if resting.sum() >= max(LEAST_RESTING, _LEAST_SHARE * len(then)):
        # A creeping tripod: too little for a homography, but it must add up.
        creep = np.eye(3)
        creep[:2, 2] = np.median((now - then)[resting], axis=0)
        return Motion(creep, float(np.median(ways[resting])), int(resting.sum()))
    a, b = lens.straight(then), lens.straight(now)
    if _covered(then) / (lens.size[0] * lens.size[1]) > _SPREAD:
        homography, agree = cv2.findHomography(a, b, cv2.RANSAC, _AGREE * scale, maxIters=500)
    else:
        affine, agree = cv2.estimateAffinePartial2D(a, b, ransacReprojThreshold=_AGREE * scale)
        homography = None if affine is None else np.vstack([affine, [0.0, 0.0, 1.0]])
    if homography is None or int(agree.sum()) < max(LEAST, _LEAST_SHARE * len(then)):
        return None
    inside = np.ravel(agree) > 0
    return Motion(np.asarray(homography), float(np.median(ways[inside])), int(inside.sum()))


def matched(then: Anchors, small: Array) -> Array | None:
    """A rough homography of reduced pixels by what spots look like, however far they went; slow."""
    sift = cv2.SIFT.create(nfeatures=600)
    here, looks = sift.detectAndCompute(then.small, None)
    there, other = sift.detectAndCompute(small, None)
    if looks is None or other is None or min(len(looks), len(other)) < LEAST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(looks, other, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.75 * pair[1].distance]
    if len(good) < LEAST:
        return None
    a = np.array([here[match.queryIdx].pt for match in good], np.float32)
    b = np.array([there[match.trainIdx].pt for match in good], np.float32)
    homography, agree = cv2.findHomography(a, b, cv2.RANSAC, 2.0)
    if homography is None or int(agree.sum()) < max(LEAST, _LEAST_SHARE * len(good)):
        return None
    return np.asarray(homography, np.float32)


def _covered(points: Array) -> float:
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))
