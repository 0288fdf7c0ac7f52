"""The backs of a deck as points of colour, to be laid upon a sheet and compared with what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDesign
from vision.counting.flat_sheet import WIDTH, FlatSheet, at, placed, placed_each
from vision.counting.relief import A_LITTLE_OFF, Relief, alike, alike_each, either, together
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, MARGIN_X, MARGIN_Y

Array: TypeAlias = NDArray[Any]

_SPACING, _RIM = 3.0, 3.0
_SOFT: Final = 0.6
# Off by so many grey levels, by this part of its own, and by a shift of so many pixels: that says nothing.
_GREY, _PART, _SHIFT = 9.0, 0.12, 0.9
_WORST: Final = -1.5
# What lines say less of a strip that seems bare table; of what shows more they say all.
_BARE_STRIP, _MOSTLY = 1.0, 0.5
_SHIFTS: Final = (0.9, 2.5)  # lines are known sharp and as from afar
_AROUND: Final = 8  # pixels beyond a card that its lines are told from
_SPARSE: Final = 5  # of so many points one is looked at where many places are tried
_EVERY, _ROUGHLY_EVERY = 2, 4  # of so many points one is looked at where a card is moved about
# Glare adds grey to a card, or added it to its enrolled picture: how unlikely, and how much at most.
_HAZE, _HAZE_RANGE, _HAZE_COSTS = (0.01, 0.03, 0.03), (-300.0, 80.0), 0.0003
_WHITE: Final = 250.0
# By which parts a card may be larger than it was cut, and how much better it then has to fit.
_GROWN, _WORTH_TRIMMING, _LEAST_TRIMMED = (-0.04, 0.0, 0.04, 0.08), 0.1, 0.4
_LEAST_LIGHT, _MOST_LIGHT = 0.25, 4.0


@dataclass(frozen=True, eq=False)
class Fit:
    """How well each way of laying each back fits: 1 at best, 0 says nothing.

    `fits` by its colours or by its lines, whichever says more for a card; `likeness` by both.
    """

    fits: Array
    points: int
    likeness: Array

    @property
    def way(self) -> int:
        return int(self.fits.argmax())

    @property
    def best(self) -> float:
        return float(self.fits.max())


class KnownBacks:
    """Way 2k is back k as enrolled, way 2k + 1 the same turned around."""

    def __init__(self, backs: Sequence[EnrolledDesign], height: float) -> None:
        self.names = [back.name for back in backs]
        across = np.linspace(-WIDTH / 2 + _RIM, WIDTH / 2 - _RIM, round((WIDTH - 2 * _RIM) / _SPACING))
        down = np.linspace(-height / 2 + _RIM, height / 2 - _RIM, round((height - 2 * _RIM) / _SPACING))
        self.points = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        self._inner = np.array([(CROP_WIDTH - 2 * MARGIN_X) / WIDTH, (CROP_HEIGHT - 2 * MARGIN_Y) / height])
        shown = [way for back in backs for way in (back.thumbnail, back.thumbnail[::-1, ::-1])]
        self._ways = [
            cv2.GaussianBlur(np.ascontiguousarray(way), (0, 0), _SOFT).astype(np.float32) for way in shown
        ]
        laid = [self._laid(way, (0.0, 0.0)) for way in range(len(shown))]
        self._colours = np.stack([colours for colours, _ in laid])
        self._steepness = np.stack([steep for _, steep in laid])
        self._height = height
        self._relief = {
            shift: np.stack([self._lines(way, (0.0, 0.0), shift) for way in range(len(shown))])
            for shift in _SHIFTS
        }
        where_on = self.points / (WIDTH / 2, height / 2)
        self._spots = np.c_[np.ones(len(self.points)), where_on].astype(np.float32)
        self.cast = np.ones(3)
        self.other_casts: tuple[Array, ...] = ()  # colours of the light that are hardly less likely

    def _laid(self, way: int, grown: tuple[float, float]) -> tuple[Array, Array]:
        """Colours and steepness of a way if the card is larger by these parts than it was cut."""
        middle = np.array([CROP_WIDTH - 1, CROP_HEIGHT - 1]) / 2
        where = (self.points * self._inner * (1 + np.array(grown)) + middle)[None]
        crop = self._ways[way]
        return at(crop, where)[0], at(_steepness(crop, self._inner), where)[0]

    def _lines(self, way: int, grown: tuple[float, float], shift: float) -> NDArray[np.float32]:
        """A way's lines at the points."""
        across, down = (int(length / 2) + _AROUND for length in (WIDTH, self._height))
        grid = np.stack(np.meshgrid(np.arange(-across, across + 1), np.arange(-down, down + 1)), axis=-1)
        middle = np.array([CROP_WIDTH - 1, CROP_HEIGHT - 1]) / 2
        where = (grid * self._inner * (1 + np.array(grown)) + middle).astype(np.float32)
        laid = cv2.remap(
            self._ways[way], where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(
            at(Relief(laid).of(shift), (self.points + np.array([across, down]))[None])[0], np.float32
        )

    def _known_lines(self, shift: float) -> Array:
        return self._relief[min(_SHIFTS, key=lambda own: abs(own - shift))]

    def trim(self, sheet: FlatSheet, poses: Sequence[Array]) -> None:
        """Cuts backs anew that were enrolled by outlines a little off, by the whole cards at some poses.

        A pale rim on a pale table is easily cut off.
        """
        some = np.arange(len(self.points))[::3]
        seen = at(sheet.picture, placed(np.stack(poses), self.points[some]))
        for back in range(0, len(self._ways), 2):
            own = [(self._colours[way], self._steepness[way]) for way in (back, back + 1)]
            best = max(self._best(laid, some, seen) for laid in own) + _WORTH_TRIMMING
            best = max(best, _LEAST_TRIMMED)
            for grown in product(_GROWN, _GROWN):
                tried = [self._laid(way, grown) for way in (back, back + 1)]
                fits = max(self._best(laid, some, seen) for laid in tried)
                if fits > best:
                    best, own = fits, tried
                    for way, shift in product((back, back + 1), _SHIFTS):
                        self._relief[shift][way] = self._lines(way, grown, shift)
            for way, (colours, steep) in zip((back, back + 1), own, strict=True):
                self._colours[way], self._steepness[way] = colours, steep

    def _best(self, laid: tuple[Array, Array], some: Array, seen: Array) -> float:
        colours, steep = (each[None, some] for each in laid)
        fits = self._likeness(colours, steep, self._spots[some][None], seen[None])
        return float(fits.mean(axis=2).max())

    def _likeness(
        self, colours: Array, steep: Array, spots: Array, seen: Array, shift: float = _SHIFT
    ) -> Array:
        """How well points of C backs (C×M×3, C×M) fit what is seen there at G poses each (C×G×M×3): C×G×M."""
        known = colours * self.cast.astype(np.float32)
        level, haze = _lit(known, seen, spots)
        off = _off(known, level, haze, seen)
        print_, lines = _PART * _mean(colours), shift * steep
        allowed = _GREY + level[..., None] * (print_ + lines)[:, None]
        return np.asarray(np.clip(1 - off / allowed, _WORST, 1))

    def fit(self, sheet: FlatSheet, pose: Array, shown: Array, shift: float = _SHIFT) -> Fit:
        """The backs beside what lies at a pose, where `shown` says which points are not covered.

        A pose that is off by up to `shift` pixels still fits.
        """
        where = placed(pose, self.points)
        points = np.flatnonzero(shown)
        where = where[:, points]
        seen = at(sheet.picture, where)
        bare = float(at(sheet.bare, where).mean()) if len(points) else 1.0
        known, steep = self._colours.take(points, axis=1), self._steepness.take(points, axis=1)
        cast = self.cast.astype(np.float32)
        lit = known * cast
        brightness, glare = _lit(lit, seen[None], self._spots[points][None])
        off, haze = _off(lit, brightness, glare, seen[None])[:, 0], glare[:, 0]
        level = brightness * float(cast.mean())
        allowed = _GREY + level * (_PART * _mean(known) + shift * steep)
        fits = np.clip(1 - off / allowed, _WORST, 1).mean(axis=1) - _HAZE_COSTS * np.abs(haze).mean(axis=1)
        lines = alike(self._known_lines(shift).take(points, axis=1), at(sheet.relief.of(shift), where))[0]
        # Bare table may have a plain back's colours or a strip's lines; it hardly has a whole back's lines.
        if shown.mean() > _MOSTLY:
            most = either(fits + _WORST * bare * (1 - np.maximum(lines, 0.0)), lines)
        else:
            most = either(fits + _WORST * bare, lines - _BARE_STRIP * bare)
        return Fit(most, len(points), together(fits, lines))

    def lit(self, sheet: FlatSheet, pose: Array, shown: Array) -> tuple[Array, Array, Array]:
        """What each way (W) looks like at the points of a pose that show (W×M×3), in the light it fits best.

        And by how much what lies there is off that, and may be by chance (W×M each).
        """
        points = np.flatnonzero(shown)
        seen = at(sheet.picture, placed(pose, self.points[points]))
        cast = self.cast.astype(np.float32)
        known = self._colours[:, points] * cast
        level, haze = _lit(known, seen[None], self._spots[points][None])
        off = _off(known, level, haze, seen[None])[:, 0]
        lit = np.minimum(known * level[..., None] + haze[:, 0, :, None], _WHITE)
        steep = _SHIFT * self._steepness[:, points]
        return lit, off, _GREY + level * (_PART * _mean(known) + steep)

    def likeliest(self, sheet: FlatSheet, pose: Array, shown: Array, shift: float) -> int:
        """The way that fits best, told by some of the points."""
        some = np.zeros(len(shown), bool)
        some[np.flatnonzero(shown)[::_ROUGHLY_EVERY]] = True
        return self.fit(sheet, pose, some, shift).way

    def roughly(
        self, sheet: FlatSheet, poses: Array, above: Array | None, shift: float
    ) -> tuple[Array, Array]:
        """How well the best way fits beside a card above, if any, at many poses (N), and at how many points.

        As `fit`, by squares instead of amounts, which is a few sums for thousands of poses.
        """
        some = np.arange(0, len(self.points), _SPARSE)
        where = placed(poses, self.points[some])
        shown = np.ones(where.shape[:2], np.float32)
        if above is not None:
            shown = (~sheet.under(above, where)).astype(np.float32)
        seen = np.minimum(at(sheet.picture, where), _WHITE)
        channels = [np.ascontiguousarray(seen[..., k]) for k in range(3)]
        known = (self._colours[:, some] * self.cast).astype(np.float32)
        worth = 1 / (_GREY + _PART * known.mean(axis=2) + shift * self._steepness[:, some]) ** 2
        worth = worth.astype(np.float32).T
        ones, light = 3 * shown @ worth, known.sum(axis=2).T * worth
        once, whole = shown @ light, sum(shown * each for each in channels) @ worth
        squares = shown @ ((known**2).sum(axis=2).T * worth)
        bright = sum(shown * each * each for each in channels) @ worth
        both = sum((shown * each) @ (known[..., k].T * worth) for k, each in enumerate(channels))
        held = np.maximum(ones * (1 + _HAZE[0]), 1e-6)
        level = (both - once * whole / held) / np.maximum(squares - once * once / held, 1e-3)
        level = np.clip(level, _LEAST_LIGHT, _MOST_LIGHT)
        haze = np.clip((whole - level * once) / held, *_HAZE_RANGE)
        met = level * both + haze * whole - level * haze * once
        left = bright + level**2 * squares + haze**2 * ones - 2 * met
        count = shown.sum(axis=1)
        off = np.sqrt(np.maximum(left, 0) / np.maximum(3 * count, 1)[:, None])
        bare = (at(sheet.bare, where) * shown).sum(axis=1) / np.maximum(count, 1)
        fits = np.clip(1 - off, _WORST, 1).max(axis=1) + _WORST * bare
        lines = alike(self._known_lines(shift)[:, some], at(sheet.relief.of(shift), where), shown).max(axis=1)
        lines = lines if above is None else lines - _BARE_STRIP * bare
        return either(fits, lines), count * _SPARSE

    def casts(self, sheet: FlatSheet, pose: Array, shown: Array, most: int) -> list[Array]:
        """Colours of the light in which a card there would be of the backs it is likest to."""
        seen = at(sheet.picture, placed(pose, self.points))[0][shown]
        known, steep = self._colours[:, shown], self._steepness[:, shown]
        lights = (known * seen).sum(axis=1) / np.maximum((known * known).sum(axis=1), 1.0)
        off = np.abs(seen - known * lights[:, None]).mean(axis=2) / (_GREY + steep)
        guesses = []
        for way in np.argsort(off.mean(axis=1))[:most]:
            spots = self._spots[shown][None]
            each = [
                _lit(known[way][None, :, k : k + 1], seen[None, None, :, k : k + 1], spots) for k in range(3)
            ]
            hazy = np.array([float(gain[0, 0]) for gain, _ in each])
            lit = (np.clip(light, _LEAST_LIGHT, _MOST_LIGHT) for light in (lights[way], hazy))
            guesses += [light / light.mean() for light in lit]
        return guesses

    def sums(
        self, sheet: FlatSheet, poses: Array, ways: Sequence[int], shown: Array, shift: float = _SHIFT
    ) -> Array:
        """How well a way for each of C cards fits at G poses of it (C×G×3), in points: C×G.

        `shown` (C×M) says which points are not covered; only some of those are looked at.
        """
        every = _ROUGHLY_EVERY if shift > A_LITTLE_OFF else _EVERY
        picked = [np.flatnonzero(own)[::every] for own in shown]
        counts = np.array([len(own) for own in picked])
        there = np.arange(counts.max()) < counts[:, None]
        some = np.zeros(there.shape, int)
        some[there] = np.concatenate(picked)
        each, padded = np.asarray(ways)[:, None], there[..., None].astype(np.float32)
        where = placed_each(poses, self.points[some])
        flat = where.reshape(-1, there.shape[1], 2)
        seen = at(sheet.picture, flat).reshape(*where.shape[:3], 3) * padded[:, None]
        colours, spots = self._colours[each, some] * padded, self._spots[some] * padded
        fits = self._likeness(colours, self._steepness[each, some], spots, seen, shift)
        fits = (fits @ padded)[..., 0] / counts[:, None]
        lines = at(sheet.relief.of(shift), flat).reshape(seen.shape) * padded[:, None]
        known = self._known_lines(shift)[each, some] * padded
        return np.asarray(either(fits, alike_each(known, lines)) * counts[:, None] * every)


def _lit(known: Array, seen: Array, spots: Array) -> tuple[Array, Array]:
    """The brightness (C×G), and the grey of a glare that grows one way (C×G×M), for known to look like seen.

    Known colours of C cards (C×M×channels) at G poses each (C×G×M×channels); `spots` (C×M×3) a one and where
    on the card each point is, zeros for points that are none.
    """
    channels = known.shape[2]
    sums = channels * _mean(known)[:, None] @ spots
    whole = channels * _mean(seen) @ spots
    held = np.diag(_HAZE) * spots[..., 0].sum(axis=1)[:, None, None]
    glare = np.linalg.inv(channels * (spots.transpose(0, 2, 1) @ spots + held)).astype(np.float32)
    own, there = known.reshape(len(known), -1), seen.reshape(*seen.shape[:2], -1)
    squares = np.maximum(np.einsum("ij,ij->i", own, own), 1.0)[:, None]
    both = (there @ own[..., None])[..., 0]
    # Glare takes its share of both sides; a back that is all but plain says little of the light, and no light
    # is that odd.
    share = sums @ glare
    left = np.maximum(squares - (share * sums).sum(axis=2), 1.0)
    level = np.clip((both - (share * whole).sum(axis=2)) / left, _LEAST_LIGHT, _MOST_LIGHT)
    haze = (whole - level[..., None] * sums) @ glare @ spots.transpose(0, 2, 1)
    return level, np.clip(haze, *_HAZE_RANGE)


def _off(known: Array, level: Array, haze: Array, seen: Array) -> Array:
    """By how much known colours in a light are off what is seen, by point: C×G×M."""
    lit = known[:, None] * level[..., None, None]
    lit += haze[..., None]
    np.minimum(lit, _WHITE, out=lit)
    lit -= np.minimum(seen, _WHITE)
    return _mean(np.abs(lit, out=lit))


def _mean(colours: Array) -> Array:
    """Over the last axis, which is short: a product is much quicker there than numpy's own mean."""
    channels = colours.shape[-1]
    return np.asarray(colours @ np.full(channels, 1 / channels, colours.dtype))


def _steepness(crop: Array, inner: Array) -> NDArray[np.float32]:
    """By how many grey levels a crop changes within a pixel of the sheet."""
    across, down = (cv2.Sobel(crop, cv2.CV_32F, *axis) / 8 for axis in ((1, 0), (0, 1)))
    return np.asarray(
        np.abs(across).mean(axis=2) * inner[0] + np.abs(down).mean(axis=2) * inner[1], np.float32
    )
