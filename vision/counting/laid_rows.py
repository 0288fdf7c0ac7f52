"""Fans and ladders from the top down: which cards lie beneath one that is known, a strip of each showing.

Every place where a card may lie beneath is a node, and what shows of a card beside the one above says how
likely the step between them is: an edge along its far side, and a back that fits its strip. The best path of
steps is the row; a card left out costs the edge that nobody explains, a card too many has no edge of its own.
A small pattern fits only within a pixel, so all places are tried roughly first, then the best closely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.counting.flat_sheet import WAYS, WIDTH, FlatSheet, at, directions, placed, seen_from
from vision.counting.known_backs import Fit, KnownBacks
from vision.counting.whole_cards import EDGE_WORTH, POINT_WORTH, LaidCard, climbed, same_pose, same_poses

Array: TypeAlias = NDArray[Any]
Beneath: TypeAlias = Callable[[FlatSheet, KnownBacks, LaidCard, int], list[LaidCard]]

_NO_EDGE: Final = -1.0  # mean border at which a side speaks neither for nor against a card
EDGE_RANGE: Final = (-3.5, 1.0)
# Pixels of the sheet by which the next card shows: about 9 mm at least; beyond the last it would be whole.
_NARROWEST, _WIDEST, _WIDEST_PART = 10.0, 64.0, 0.8
_TURNS: Final = np.radians(np.arange(-14.0, 14.1, 2.0))
_ASIDE: Final = np.arange(-9.0, 9.1, 3.0)
_MOST_TRIED, _MOST_STEPS = 450, 7
_SPARSE: Final = 2  # of so many points of a side one is looked at where many places are tried
ROUGHLY: Final = 2.5  # pixels that a proposed place may be off
_SETTLING: Final = ((2.0, ROUGHLY), (1.0, 0.9))  # steps, and how far off a back may be to fit
_LEAST_STEP: Final = -15.0
_MOST_TURN, _MOST_ASIDE = np.radians(15.0), 15.0
_USUAL_TURN, _USUAL_ASIDE = np.radians(6.0), 6.0
_SAME_PLACE, _SAME_CARD = (3.5, 0.06), (5.0, 0.08)
_HOPELESS: Final = 25.0
_ABREAST, _MOST_ABREAST = 4.0, 3  # about as far from the first card, and how many such nodes go on
# So much wider than usual, a step may be several; shorter rows do not tell what is usual.
_UNEVEN, _SHORT_ROW = 1.5, 3
# What a card has to add to its row, and more where it shows less than twelve millimetres.
_LEAST_GAIN, _NARROW_GAIN, _TOO_NARROW = 1.5, 4.0, 14.5
# By so much a card may be worth less before it is moved to where it fits: beneath an edge, and where none is.
_UNSETTLED: Final = (20.0, 40.0)
FEWEST_POINTS: Final = 40
_NOTHING_SAID: Final = 0.25  # a fit that speaks neither for nor against a card
_LEAST_SHOWN: Final = 0.11  # of a card, beside all others
_MOST_HIDDEN: Final = 0.3  # of one that is on top
_SIDE_BY_SIDE: Final = 0.7  # of all that looks like cards is whole ones


@dataclass(eq=False)
class _Node:
    pose: Array
    gone: float  # from the first card
    worth: float = -np.inf
    above: int = -1
    fit: Fit | None = None
    edge: float = 0.0
    needed: float | None = None


def row_beneath(sheet: FlatSheet, backs: KnownBacks, top: LaidCard, way: int) -> list[LaidCard]:
    """The cards beneath one, in order, that each show beyond a side of the one above them."""
    return Row(sheet, backs, top, way).cards()


class Row:
    """The search for all cards beneath one at once."""

    def __init__(self, sheet: FlatSheet, backs: KnownBacks, top: LaidCard, way: int) -> None:
        self._sheet, self._backs, self._way, self._top = sheet, backs, way, top
        self._nodes = [_Node(top.pose, 0.0, 0.0, -1, top.fit)]

    def _search(self) -> None:
        waiting = [0]
        while waiting:
            waiting.sort(key=lambda number: -self._nodes[number].gone)
            here = waiting.pop()
            if self._is_hopeless(here):
                continue
            waiting += self._grow(here)
            for there in range(1, len(self._nodes)):
                if self._nodes[there].gone > self._nodes[here].gone + 4:
                    self._step(here, there)

    def _is_hopeless(self, number: int) -> bool:
        """Whether others explain more of no longer a way, or as much where it lies."""
        node = self._nodes[number]
        nearer = [other.worth for other in self._nodes if other.gone <= node.gone + _ABREAST]
        if node.worth < max(nearer) - _HOPELESS:
            return True
        abreast = [
            other
            for other in self._nodes
            if abs(other.gone - node.gone) <= _ABREAST and other.worth > node.worth
        ]
        return len(abreast) >= _MOST_ABREAST

    def cards(self) -> list[LaidCard]:
        self._search()
        self._thin()
        self._fill()
        cards, above = [], self._top
        for node in (self._nodes[number] for number in self._path()):
            assert node.fit is not None
            gain = node.worth - self._nodes[node.above].worth
            above = LaidCard(node.pose, node.fit, node.edge, node.worth, above, gain, needed=node.needed)
            cards.append(above)
        return cards

    def _path(self) -> list[int]:
        """The nodes of the best row, from the top down."""
        number = max(range(len(self._nodes)), key=lambda node: self._nodes[node].worth)
        path: list[int] = []
        while number:
            path.insert(0, number)
            number = self._nodes[number].above
        return path

    def _thin(self) -> None:
        """Leaves out cards that explain hardly more than the row without them.

        A card beneath may have been found by way of one that is none; only now both ways can be compared.
        """
        path = self._path()
        for above, number, below in zip([0, *path], path, path[1:], strict=False):
            first, between, card = (self._nodes[k] for k in (above, number, below))
            if between.above != above or card.above != number:  # the one above was left out just now
                continue
            narrow = min(self._ahead(first, between), self._ahead(between, card)) < _TOO_NARROW
            least = _LEAST_GAIN + (_NARROW_GAIN if narrow else 0.0)
            tried = self._tried(above, card.pose)
            off = _UNSETTLED[int(between.edge < _NO_EDGE)]
            if card.worth - least >= tried.worth > card.worth - least - off:
                # It was moved to what it showed below the other.
                (pose,) = self._settled([card.pose], first.pose)
                tried = self._tried(above, pose)
            between.needed = card.worth - tried.worth
            if between.needed < least:
                self._go_on(path[path.index(below) :], tried)

    def _tried(self, above: int, pose: Array) -> _Node:
        """A card right beneath another."""
        self._nodes.append(_Node(pose, self._gone(pose)))
        self._step(above, len(self._nodes) - 1)
        return self._nodes.pop()

    def _ahead(self, above: _Node, card: _Node) -> float:
        return self._apart(above.pose, card.pose)[0]

    def _go_on(self, path: Sequence[int], better: _Node) -> None:
        """The first card of a part of the row is beneath another than before."""
        card = self._nodes[path[0]]
        gained = better.worth - card.worth
        card.pose, card.above, card.fit, card.edge = better.pose, better.above, better.fit, better.edge
        for number in path:
            self._nodes[number].worth += gained

    def _fill(self) -> None:
        """Cards between two that are farther apart than others of the row, where more speaks for them.

        Of two with the same back, the one above is easily passed over.
        """
        path = self._path()
        steps = [
            self._apart(self._nodes[self._nodes[number].above].pose, self._nodes[number].pose)[0]
            for number in path
        ]
        usual = float(np.median(steps)) if len(steps) >= _SHORT_ROW else np.inf
        for place, number in enumerate(path):
            if steps[place] < _UNEVEN * usual:
                continue
            more = max(1, round(steps[place] / usual) - 1)
            card = self._nodes[number]
            tried = self._between(card, more)
            if tried.worth > card.worth:
                self._go_on(path[place:], tried)

    def _between(self, card: _Node, more: int) -> _Node:
        """The same card below so many more."""
        first, above = self._nodes[card.above].pose, card.above
        for part in range(1, more + 1):
            pose = first + (card.pose - first) * part / (more + 1)
            (pose,) = self._settled([pose], self._nodes[above].pose)
            self._nodes.append(_Node(pose, self._gone(pose)))
            self._step(above, len(self._nodes) - 1)
            above = len(self._nodes) - 1
        return self._tried(above, card.pose)

    def _grow(self, here: int) -> list[int]:
        """New nodes for the cards that may lie beneath one."""
        above, new = self._nodes[here], []
        again = []
        if above.above >= 0:  # rows are about even
            own = self._nodes[above.above].pose
            ahead, aside = self._apart(own, above.pose)
            step = (np.array([part]) for part in (ahead, aside, above.pose[2] - own[2]))
            again = list(self._beside(above.pose, *step))
        tried = [
            pose
            for pose in (*again, *self._proposed(above.pose))
            if self._gone(pose) > above.gone + 4 and not self._known(pose)
        ]
        for pose in self._settled(tried, above.pose):
            if not self._known(pose):
                self._nodes.append(_Node(pose, self._gone(pose)))
                new.append(len(self._nodes) - 1)
        return new

    def _gone(self, pose: Array) -> float:
        return float(np.hypot(*(pose[:2] - self._top.pose[:2])))

    def _known(self, pose: Array) -> bool:
        return bool(same_poses(pose, np.stack([node.pose for node in self._nodes]), *_SAME_PLACE).any())

    def _proposed(self, above: Array) -> list[Array]:
        """Where a card would have edges, and a back that fits."""
        length = (WIDTH, self._sheet.height)[self._way % 2]
        ahead = np.arange(_NARROWEST, min(_WIDEST_PART * length, _WIDEST), 2.0)
        grids = np.meshgrid(ahead, _TURNS, _ASIDE, indexing="ij")
        far, turn, aside = (grid.ravel() for grid in grids)
        poses = self._beside(above, far, aside, turn)
        edges = self._edges(poses, above, _SPARSE)[0] - 0.1 * np.abs(aside) - 0.1 * np.abs(np.degrees(turn))
        likely = np.argsort(-edges)[:_MOST_TRIED]
        fits, points = self._backs.roughly(self._sheet, poses[likely], above, ROUGHLY)
        worth = edges[likely] + _fits_worth(fits, points)
        chosen: list[int] = []
        for number in np.argsort(-worth).tolist():
            one = likely[number]
            if len(chosen) >= _MOST_STEPS or worth[number] < _LEAST_STEP:
                break
            if all(abs(far[one] - far[k]) > 4 or abs(turn[one] - turn[k]) > 0.08 for k in chosen):
                chosen.append(int(one))
        return [poses[number] for number in chosen]

    def _beside(self, above: Array, far: Array, aside: Array, turn: Array) -> Array:
        ahead = complex(*WAYS[self._way])
        moved = (far + 1j * aside) * ahead * np.exp(1j * above[2])
        return np.stack([above[0] + moved.real, above[1] + moved.imag, above[2] + turn], axis=1)

    def _edges(self, poses: Array, above: Array, every: int = 1) -> tuple[Array, Array]:
        """What the edges beside the card above are worth, and the mean border of the far side alone."""
        poses = np.atleast_2d(poses)
        far = self._sheet.borders(poses, self._sheet.sides[self._way][::every]).mean(axis=1)
        worth = EDGE_WORTH * (np.clip(far, *EDGE_RANGE) - _NO_EDGE)
        for beside in ((self._way + 1) % 4, (self._way + 3) % 4):
            where = placed(poses, self._sheet.sides[beside][::every])
            open_ = ~self._sheet.under(above, where, 2.0)
            border = np.where(open_, at(self._sheet.border, where, -4.0), 0.0)
            count = open_.sum(axis=1)
            mean = np.clip(border.sum(axis=1) / np.maximum(count, 1), *EDGE_RANGE)
            worth = worth + EDGE_WORTH * 3.0 * every * count / self._sheet.height * (mean - _NO_EDGE)
        return worth, far

    def _settled(self, poses: Sequence[Array], above: Array) -> list[Array]:
        """Moved to where their edges are and their strips fit best, first roughly and then closely."""
        settled = list(poses)
        for step, shift in _SETTLING:
            shown = [self._shown(pose, above) for pose in settled]
            enough = [number for number, own in enumerate(shown) if own.sum() >= FEWEST_POINTS]
            if not enough:
                break
            seen = np.stack([shown[number] for number in enough])
            ways = [self._backs.likeliest(self._sheet, settled[k], shown[k], shift) for k in enough]

            def worth(
                tried: Array, ways: list[int] = ways, seen: Array = seen, shift: float = shift
            ) -> Array:
                edges = self._edges(tried.reshape(-1, 3), above)[0].reshape(tried.shape[:2])
                return edges + POINT_WORTH * self._backs.sums(self._sheet, tried, ways, seen, shift)

            moved = climbed(np.stack([settled[number] for number in enough]), worth, step)
            for number, pose in zip(enough, moved, strict=True):
                settled[number] = pose
        return settled

    def _shown(self, pose: Array, above: Array) -> NDArray[np.bool_]:
        return ~self._sheet.under(above, placed(pose, self._backs.points)[0])

    def _step(self, here: int, there: int) -> None:
        """Whether the way to a card is best by this one above it."""
        above, card = self._nodes[here], self._nodes[there]
        gain = self._gain(card.pose, above.pose)
        if gain is not None and above.worth + gain[0] > card.worth:
            card.worth, card.above, card.fit, card.edge = above.worth + gain[0], here, *gain[1:]

    def _gain(self, pose: Array, above: Array) -> tuple[float, Fit, float] | None:
        """What a card explains beneath another, its fit and its far edge; None where it cannot lie so."""
        off = (pose[2] - above[2] + np.pi) % (2 * np.pi) - np.pi
        ahead, aside = self._apart(above, pose)
        length = (WIDTH, self._sheet.height)[self._way % 2]
        if abs(off) > _MOST_TURN or abs(aside) > _MOST_ASIDE:
            return None
        if not _NARROWEST - 0.5 < ahead < _WIDEST_PART * length + 2:
            return None
        shown = self._shown(pose, above)
        if shown.sum() < FEWEST_POINTS:
            return None
        edges, far = self._edges(pose, above)
        fit = self._backs.fit(self._sheet, pose, shown)
        odd = 0.5 * ((off / _USUAL_TURN) ** 2 + (aside / _USUAL_ASIDE) ** 2)
        return float(edges[0]) + fit_worth(fit) - odd, fit, float(far[0])

    def _apart(self, above: Array, pose: Array) -> tuple[float, float]:
        own = complex(*seen_from(above, pose[:2])) / complex(*WAYS[self._way])
        return own.real, own.imag


def fit_worth(fit: Fit) -> float:
    """What a back that fits a strip adds to a row."""
    return float(_fits_worth(np.array(fit.best), np.array(fit.points)))


def _fits_worth(fits: Array, points: Array) -> Array:
    return np.asarray(POINT_WORTH * points * (fits - _NOTHING_SAID) * np.where(fits < 0, 2, 1))


def rows_of(
    sheet: FlatSheet,
    backs: KnownBacks,
    tops: Sequence[LaidCard],
    laid: Sequence[LaidCard] = (),
    beneath: Beneath = row_beneath,
) -> list[LaidCard]:
    """All cards: those `laid` before, those on top, and rows beneath them; what explains most goes first.

    A card of a row may seem whole, and the row to begin there: together with the true top it explains more.
    """
    heaps = []
    # Where cards lie side by side, those beside one are no row beneath it.
    side_by_side = sheet.explained([sheet.corners(top.pose) for top in tops]) >= _SIDE_BY_SIDE
    others = [card.pose for card in laid]
    others += [top.pose for top in tops if side_by_side or top.certain]
    known: list[LaidCard] = [*laid]
    for top in sorted(tops, key=lambda card: -_top_worth(sheet, card)):
        if any(same_pose(top.pose, card.pose, *_SAME_CARD) for card in known):
            continue
        rows = [(way, beneath(sheet, backs, top, way)) for way in directions(sheet, top.pose, others)]
        known += [card for _, row in rows for card in row]
        worth = sum(row[-1].worth for _, row in rows if row) + _top_worth(sheet, top)
        heaps.append((worth, top, rows))
    cards: list[LaidCard] = [*laid, *(top for top in tops if top.certain)]
    for _, top, rows in sorted(heaps, key=lambda heap: -heap[0]):
        if not top.certain:
            if _hidden(sheet, backs, top, cards) > _MOST_HIDDEN:
                continue
            cards.append(top)
        for way, row in rows:
            _lay(sheet, backs, cards, row, way, beneath)
    return cards


def _lay(
    sheet: FlatSheet,
    backs: KnownBacks,
    cards: list[LaidCard],
    row: Sequence[LaidCard],
    way: int,
    beneath: Beneath,
) -> None:
    """Puts a row beneath other cards and goes on at its end: a long search may have lost what is there."""
    while row:
        end = None
        for card in row:
            if _hidden(sheet, backs, card, cards) > 1 - _LEAST_SHOWN:
                break
            cards.append(card)
            end = card
        known = [card.pose for card in cards if card is not end]
        goes_on = end is not None and way in directions(sheet, end.pose, known)
        row = beneath(sheet, backs, end, way) if end is not None and goes_on else []


def _top_worth(sheet: FlatSheet, top: LaidCard) -> float:
    """What a whole card explains, as the worth of those beneath it is told."""
    sides = np.clip(sheet.along_sides(top.pose)[0], *EDGE_RANGE) - _NO_EDGE
    return EDGE_WORTH * float(sides.sum()) + fit_worth(top.fit)


def _hidden(sheet: FlatSheet, backs: KnownBacks, card: LaidCard, others: Sequence[LaidCard]) -> float:
    """The part of a card below others."""
    where = placed(card.pose, backs.points)[0]
    hidden = np.zeros(len(where), bool)
    for other in others:
        hidden |= sheet.under(other.pose, where)
    return float(hidden.mean())
