"""Cards that nothing covers, or hardly: edges on all four sides and a known back between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counting.flat_sheet import LEFT, RIGHT, WIDTH, FlatSheet, at, placed
from vision.counting.known_backs import Fit, KnownBacks

Array: TypeAlias = NDArray[Any]

EDGE_WORTH: Final = 4.0  # of a long side, for each unit of its mean border
POINT_WORTH: Final = 0.1  # of a point of a back that fits
_SIDE_RANGE: Final = (-3.0, 0.8)
_AN_EDGE: Final = -1.2
_FEWEST_EDGES: Final = 3
_FEWEST_EXACT: Final = 2  # cards laid exactly upon their backs that tell the light better than all edges
_LEAST_FIT: Final = (0.7, 0.6, 0.5, 0.3, 0.15)  # by the number of sides that are edges
_FIT_WORTH, _ALIKE = 6.0, 0.08
_MOST_ASKED, _MOST_GUESSES, _MOST_WHOLE = 12, 2, 30
_ODD_LIGHT: Final = 0.3  # what a strong colour of the light costs, by the squares of its logarithms
_AS_LIKELY, _MOST_LIGHTS = 0.012, 3  # lights in which the cards fit hardly worse are likely, too
_MOST_CAST: Final = 0.35  # a stronger colour of the light (as a logarithm) is another back
_COVERED: Final = 0.25  # of a card's area may lie below another whole one
_MOST_BARE: Final = 0.15
_SAME_START: Final = (6.0, 0.1)
# Peaks of the search over all places and angles: at this scale, above this mean, so many at most.
_COARSE, _LEAST_PEAK, _MOST_PEAKS, _ANGLES = 0.5, 0.6, 45, 60
# Between strips edges are all around, too: of more peaks those likest a back; so far apart at that scale.
_MORE_PEAKS, _MOST_BACKS, _NO_NEARER = 300, 25, np.ones((13, 13), np.uint8)
_STEP: Final = np.array([5.0, 5.0, 0.052])
_INNER_OFFSETS, _INNER_TILTS = np.linspace(-0.3, 0.3, 13), np.radians((-8.0, -4.0, 0.0, 4.0, 8.0))
_CROSSED: Final = 0.3
_LEAST_SHOWN: Final = 0.6  # of a card that is whole but for its rims
_SAME: Final = 0.6  # of a card's area: what shares more is the same card
# By how much an outline may be off, in pixels and radians; then steps, and how far off a back may be to fit.
_FAR, _FAR_TURNED, _ROUGHLY = np.arange(-12.0, 12.1, 3.0), np.radians(np.arange(-6.0, 6.1, 2.0)), 2.5
_NEARBY: Final = np.stack(np.meshgrid(_FAR, _FAR, _FAR_TURNED, indexing="ij"), axis=-1).reshape(-1, 3)
_SETTLING: Final = ((2.5, _ROUGHLY), (1.0, 0.9))
# Along one of the axes, or along all three; between those lies little.
_STEPS: Final = np.array([step for step in product((-1.0, 0.0, 1.0), repeat=3) if step.count(0.0) != 1])


@dataclass(eq=False)
class LaidCard:
    """A card on the sheet: where, what shows of it fits which back, and how clear its weakest edge is."""

    pose: Array
    fit: Fit
    edge: float
    worth: float
    beneath: LaidCard | None = None  # the card that covers it
    gain: float = 0.0  # what a row explains the better for it
    given: int | None = None  # which of the outlines that were given as whole cards it is
    certain: bool = False  # nothing covers it: all of its back is where it should be, and its edges are
    needed: float | None = (
        None  # how much worse the next one of the row would lie right beneath the one above
    )
    between: Array | None = None  # by light and way: what speaks for each where the backs differ


def starts_of(sheet: FlatSheet, backs: KnownBacks, outlines: Sequence[Array]) -> list[Array]:
    """Rough places where a whole card may lie: the finder's outlines, and where edges are all around."""
    return [
        start
        for start in _apart([*(sheet.pose_of(quad) for quad in outlines), *_likely(sheet, backs)])
        if float(at(sheet.bare, placed(start, backs.points)).mean()) <= _MOST_BARE
    ]


def whole_cards(
    sheet: FlatSheet,
    backs: KnownBacks,
    starts: Sequence[Array],
    sure: Sequence[Array] = (),
    spread: bool = False,
    exact: Sequence[Array] = (),
) -> list[LaidCard]:
    """The whole cards, the clearest first. Tells the backs the light's cast.

    `starts` are rough places; `sure` outlines are whole cards where no other was found; where the cards are
    `spread`, they go before all others. `exact` ones lie just where their backs are: they come first.
    """
    edged = [_onto_edges(sheet, start) for start in starts]
    laid = [sheet.pose_of(quad) for quad in exact]
    known = laid if len(laid) >= _FEWEST_EXACT else [*laid, *edged]
    if known:
        learn_cast(backs, [(sheet, pose) for pose in _clearest(sheet, known, _MOST_ASKED)])
        backs.trim(sheet, _clearest(sheet, known, _MOST_WHOLE))
    kept = [card for pose in laid if (card := certain(sheet, backs, pose)) is not None]
    open_ = [
        start for start in (*starts, *edged) if all(shared(sheet, start, card.pose) <= _SAME for card in kept)
    ]
    cards = judged(sheet, backs, open_)
    given = [_given(sheet, backs, quad, number) for number, quad in enumerate(sure)]
    for card in (*given, *cards) if spread else (*cards, *given):
        if all(shared(sheet, card.pose, other.pose) <= _COVERED for other in kept):
            kept.append(card)
    return kept


def _given(sheet: FlatSheet, backs: KnownBacks, quad: Array, number: int) -> LaidCard:
    """A sure outline as a card, moved to where it fits best."""
    pose, _ = _about(sheet, backs, sheet.pose_of(quad))
    pose, fit = _settled(sheet, backs, pose)
    return LaidCard(pose, fit, float(sheet.along_sides(pose).min()), 0.0, given=number)


def certain(sheet: FlatSheet, backs: KnownBacks, pose: Array) -> LaidCard | None:
    """A card laid exactly upon its back, if its edges say so too: a pattern may go on in the next card."""
    fit = backs.fit(sheet, pose, np.ones(len(backs.points), bool))
    sides = np.sort(sheet.along_sides(pose)[0])
    weakest = float(sides[len(sides) - _FEWEST_EDGES])
    if weakest < _AN_EDGE or fit.best < _LEAST_FIT[_FEWEST_EDGES]:
        return None
    if _crossed(sheet, pose) > max(_CROSSED, weakest):
        return None
    return LaidCard(pose, fit, weakest, 0.0, certain=True)


def judged(
    sheet: FlatSheet, backs: KnownBacks, starts: Sequence[Array], known: Sequence[Array] = ()
) -> list[LaidCard]:
    """The cards at some places or nearby, the clearest first; `known` ones may cover their rims."""
    about = sorted((_about(sheet, backs, start) for start in starts), key=lambda place: -place[1])
    cards: list[LaidCard] = []
    for pose, _ in about:
        if all(shared(sheet, pose, card.pose) <= _SAME for card in cards):
            card = _judged(sheet, backs, pose, known)
            cards += [] if card is None else [card]
    return sorted(cards, key=lambda card: -card.worth)


def _about(sheet: FlatSheet, backs: KnownBacks, start: Array) -> tuple[Array, float]:
    """The place near a rough one where edges and some back fit best, roughly, and what that is worth."""
    tried = start + _NEARBY
    worth = worth_roughly(sheet, backs, tried)
    best = int(worth.argmax())
    return tried[best], float(worth[best])


def worth_roughly(sheet: FlatSheet, backs: KnownBacks, poses: Array) -> Array:
    """What speaks for whole cards at many poses (N), for backs and edges a few pixels off."""
    edges = np.clip(sheet.along_sides(poses), *_SIDE_RANGE).sum(axis=1)
    fits, points = backs.roughly(sheet, poses, None, _ROUGHLY)
    return np.asarray(EDGE_WORTH * edges + POINT_WORTH * points * fits)


def _settled(
    sheet: FlatSheet, backs: KnownBacks, pose: Array, known: Sequence[Array] = ()
) -> tuple[Array, Fit]:
    """Where a card's edges and its back fit best, first roughly and then closely."""
    shown = np.ones(len(backs.points), bool)
    for other in known:
        shown &= ~sheet.under(other, placed(pose, backs.points)[0])
    for step, shift in _SETTLING:
        way = backs.fit(sheet, pose, shown, shift).way

        def worth(tried: Array, way: int = way, shift: float = shift) -> Array:
            clear: Array = np.clip(sheet.along_sides(tried[0]), *_SIDE_RANGE).sum(axis=1)
            return EDGE_WORTH * clear + POINT_WORTH * backs.sums(sheet, tried, [way], shown[None], shift)

        pose = climbed(pose[None], worth, step)[0]
    return pose, backs.fit(sheet, pose, shown)


def _judged(sheet: FlatSheet, backs: KnownBacks, start: Array, known: Sequence[Array]) -> LaidCard | None:
    """A rough place, moved to where its edges and its back fit best, if that is a card."""
    pose, fit = _settled(sheet, backs, start, known)
    if fit.points < _LEAST_SHOWN * len(backs.points):
        return None
    sides = sheet.along_sides(pose)[0]
    count = int((sides > _AN_EDGE).sum())
    weakest = float(np.sort(sides)[len(sides) - _FEWEST_EDGES])
    if fit.best < _LEAST_FIT[count] or _crossed(sheet, pose) > max(_CROSSED, weakest):
        return None
    total = np.clip(sides, *_SIDE_RANGE).sum() + _FIT_WORTH * fit.best
    return LaidCard(pose, fit, weakest, float(total))


def climbed(poses: Array, worth: Callable[[Array], Array], step: float, rounds: int = 3) -> Array:
    """The poses near each of C (C×3) worth most: steps in pixels, and about as far at the rim by turning.

    `worth` is told for C×G×3 poses at once.
    """
    reach = np.array([step, step, step * 0.014])
    for _ in range(rounds):
        tried = poses[:, None] + _STEPS * reach
        poses = tried[np.arange(len(poses)), worth(tried).argmax(axis=1)]
        reach = reach / 2
    return poses


def _onto_edges(sheet: FlatSheet, pose: Array) -> Array:
    reach = _STEP
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    for _ in range(3):
        tried = pose + grid * reach
        edges = np.clip(sheet.along_sides(tried), *_SIDE_RANGE).sum(axis=1)
        pose, reach = tried[int(edges.argmax())], reach / 2
    return np.asarray(pose)


def learn_cast(backs: KnownBacks, clear: Sequence[tuple[FlatSheet, Array]]) -> None:
    """The colour of the light: in which the places with the clearest edges look most like known backs."""
    some = np.zeros(len(backs.points), bool)
    some[::3] = True
    casts = [np.ones(3)]
    for sheet, pose in clear:
        guesses = backs.casts(sheet, pose, some, _MOST_GUESSES)
        casts += [cast for cast in guesses if np.abs(np.log(cast)).max() < _MOST_CAST]

    def explained(cast: Array) -> float:
        backs.cast = cast
        odd = _ODD_LIGHT * float((np.log(cast) ** 2).sum())
        return float(np.mean([max(0.0, backs.fit(*each, some).best) for each in clear])) - odd

    worth = [explained(cast) for cast in casts]
    best = casts[int(np.argmax(worth))]
    near = [cast for cast in casts if not _differ(cast, best)]
    chosen = max((best, np.median(near, axis=0)), key=explained)
    others: list[Array] = []
    for number in np.argsort(worth)[::-1].tolist():
        if worth[number] < max(worth) - _AS_LIKELY or len(others) >= _MOST_LIGHTS:
            break
        if all(_differ(casts[number], cast) for cast in (chosen, *others)):
            others.append(casts[number])
    backs.cast, backs.other_casts = chosen, tuple(others)


def _differ(one: Array, other: Array) -> bool:
    return bool(np.abs(np.log(one / other)).max() >= _ALIKE)


def _clearest(sheet: FlatSheet, poses: Sequence[Array], most: int) -> list[Array]:
    edges = np.clip(sheet.along_sides(np.stack(poses)), *_SIDE_RANGE).sum(axis=1)
    return [poses[k] for k in np.argsort(-edges)[:most]]


def _likely(sheet: FlatSheet, backs: KnownBacks) -> list[Array]:
    """Places with the clearest edges, and of others those that look most like a back."""
    peaks = _peaks(sheet)
    first, others = peaks[:_MOST_PEAKS], peaks[_MOST_PEAKS:]
    if not others:
        return first
    fits, _ = backs.roughly(sheet, np.stack(others), None, _ROUGHLY)
    return [*first, *(others[k] for k in np.argsort(-fits)[:_MOST_BACKS])]


def _peaks(sheet: FlatSheet) -> list[Array]:
    """Places and angles at which a card would have edges all around, the clearest first."""
    border = np.clip(sheet.border, -2.5, 1.2) + 1
    small = cv2.resize(border, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_AREA)
    points = np.concatenate(sheet.sides) * _COARSE
    half = int(np.hypot(WIDTH, sheet.height) * _COARSE / 2) + 3
    angles = np.arange(_ANGLES) * np.pi / _ANGLES
    maps = np.empty((len(angles), *small.shape), np.float32)
    for number, angle in enumerate(angles):
        outline = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
        x, y = np.rint(placed(np.array([half, half, angle]), points)[0]).astype(int).T
        outline[y, x] = 1
        maps[number] = cv2.filter2D(
            small, cv2.CV_32F, outline / outline.sum(), borderType=cv2.BORDER_CONSTANT
        )
    best = maps.max(axis=0)
    tops = np.argwhere((best >= cv2.dilate(best, _NO_NEARER)) & (best > _LEAST_PEAK))
    order = np.argsort(-best[tops[:, 0], tops[:, 1]])[:_MORE_PEAKS]
    return [
        np.array([(x + 0.5) / _COARSE - 0.5, (y + 0.5) / _COARSE - 0.5, angles[maps[:, y, x].argmax()]])
        for y, x in tops[order].tolist()
    ]


def _crossed(sheet: FlatSheet, pose: Array) -> float:
    """The clearest edge that runs right through a card: whoever has one is several."""
    lines = []
    for side in (RIGHT, LEFT + 1):
        along = sheet.sides[side]
        across = np.array([WIDTH, sheet.height])[side % 2]
        for offset in _INNER_OFFSETS:
            middle = along * (1, 0) if side % 2 else along * (0, 1)
            shift = np.array([(1.0, 0.0), (0.0, 1.0)][side % 2]) * offset * across
            lines += [placed(np.array([*shift, tilt]), middle)[0] for tilt in _INNER_TILTS]
    return max(float(sheet.borders(pose, line).mean()) for line in lines)


def _apart(poses: Sequence[Array]) -> list[Array]:
    """Without those that are all but the same as an earlier one."""
    kept: list[Array] = []
    for pose in poses:
        if not any(same_pose(pose, other, *_SAME_START) for other in kept):
            kept.append(pose)
    return kept


def same_pose(one: Array, other: Array, apart: float, turned: float) -> bool:
    """Whether two cards lie at one place, upright or turned around."""
    return bool(same_poses(one, other[None], apart, turned)[0])


def same_poses(one: Array, others: Array, apart: float, turned: float) -> NDArray[np.bool_]:
    """Which of some cards (N×3) lie where one lies, upright or turned around."""
    off = np.abs((one[2] - others[:, 2] + np.pi / 2) % np.pi - np.pi / 2)
    away = np.hypot(others[:, 0] - one[0], others[:, 1] - one[1])
    return np.asarray((away < apart) & (off < turned))


def shared(sheet: FlatSheet, one: Array, other: Array) -> float:
    """The part of a card's area that another one shares."""
    shared = cv2.intersectConvexConvex(sheet.corners(one), sheet.corners(other))[0]
    return float(shared) / (WIDTH * sheet.height)
