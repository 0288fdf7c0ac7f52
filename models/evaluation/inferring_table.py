"""The true table over time: what each spot shows and what hides it, from a round that bots played."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from finito.bots import BotRound, Motion
from finito.bots.motions import PILE
from models.evaluation.inferring_noise import NoiseModel
from referee.actions import Hand, Start
from referee.cards import Face
from referee.places import ESPRESSO, HAND, HELPS, WASTE
from vision.observations import Spot, centre_spot


@dataclass(frozen=True, slots=True)
class Shown:
    """What lies on top of a spot; every laying of a card is another one. No face: nothing lies there."""

    face: Face | None
    laying: int = 0
    at: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    stack: int | None = None  # the tracker's number, once it has lost the old one


@dataclass(frozen=True, slots=True)
class Cover:
    """Something over a spot: the arm of a player, or of nobody at the table."""

    start: float
    end: float
    player: str | None
    hand: Hand | None = None


@dataclass(slots=True)
class SpotTime:
    """One spot from the first frame to the last."""

    shown: list[tuple[float, Shown]] = field(default_factory=list)
    covers: list[Cover] = field(default_factory=list)


_GLIMPSE: Final = 0.15  # seconds; less is no look

Table: TypeAlias = dict[Spot, SpotTime]


@dataclass(slots=True)
class TrueTable:
    """The timelines of all spots, and when the hand was off each card that was laid."""

    begins: float
    ends: float
    spots: Table
    hand_off: dict[int, float]  # by action
    renamed: dict[int, int]  # numbers the tracker gave to piles it had lost, and the piles they are


class _Stage:
    """Follows every card."""

    def __init__(self, played: BotRound, noise: NoiseModel, rng: Random) -> None:
        self.rng, self.noise = rng, noise
        self.stacks: dict[Spot, list[Shown]] = {}
        self.spots: Table = {}
        self.layings = 0
        self.poses: dict[int, tuple[float, float, float]] = {}
        for dealt in played.hidden:
            name = dealt.player
            self.stacks[Spot(name, ESPRESSO)] = [self._card(face) for face in reversed(dealt.espresso)]
            for slot, face in zip(HELPS, dealt.helps, strict=False):
                self.stacks[Spot(name, slot)] = [self._card(face)]
            self.stacks[Spot(name, WASTE)] = []
        for spot in self.stacks:
            self.spots[spot] = SpotTime()
            self.note(spot, 0.0)

    def _card(self, face: Face, pile: int | None = None) -> Shown:
        self.layings += 1
        if pile is None:
            return Shown(face, self.layings)
        x, y, angle = self.poses.setdefault(
            pile, (self.rng.uniform(-300, 300), self.rng.uniform(-150, 150), self.rng.uniform(0, 360))
        )
        at = (x + self.rng.gauss(0, 3.6), y + self.rng.gauss(0, 3.6))
        return Shown(face, self.layings, at, angle + self.rng.gauss(0, 8.0))

    def note(self, spot: Spot, t: float) -> None:
        stack = self.stacks[spot]
        line = self.spots.setdefault(spot, SpotTime())
        line.shown.append((t, stack[-1] if stack else Shown(None)))

    def take(self, spot: Spot, faces: list[Face], t: float) -> None:
        stack = self.stacks.get(spot)
        if stack is None:
            return
        for face in faces:
            at = next((n for n in range(len(stack) - 1, -1, -1) if stack[n].face is face), None)
            if at is None:  # a card of a second deck has lain there since it came to light
                if not stack:
                    continue
                at = len(stack) - 1
                line = self.spots[spot].shown
                line[-1] = (line[-1][0], Shown(face, stack[at].laying))
            del stack[at]
        self.note(spot, t)

    def lay(self, spot: Spot, faces: list[Face], t: float, pile: int | None) -> None:
        if spot.place == HAND:
            return
        stack = self.stacks.setdefault(spot, [])
        if pile is not None and spot not in self.spots:
            self.spots[spot] = SpotTime([(0.0, Shown(None))])
        stack.extend(self._card(face, pile) for face in faces)
        self.note(spot, t)


def true_table(played: BotRound, noise: NoiseModel, rng: Random) -> TrueTable:
    """Every change of every spot, and every arm over it."""
    stage = _Stage(played, noise, rng)
    moves = [motion for motion in played.motions if motion.deed not in ("deal", "uncover")]
    shout = next(action.t.start for action in played.actions if isinstance(action, Start) and action.t)
    begins = min([shout, *(motion.leaves for motion in moves)]) - 2.5
    steps: list[tuple[float, int, Motion]] = []
    for motion in moves:
        if motion.grips is not None and motion.releases is not None:
            steps += [(motion.grips, 1, motion), (motion.releases, 0, motion)]
    for t, grips, motion in sorted(steps, key=lambda step: step[:2]):
        faces = [card.face for card in motion.cards]
        source, target = _spot(motion.source), _spot(motion.target)
        if grips:
            stage.take(source, faces, t)
        elif motion.turns_back is not None:
            stage.lay(source, faces, t, motion.source.pile)
        else:
            stage.lay(target, faces, t, motion.target.pile)
    ends = max([motion.home for motion in moves], default=begins) + 4.0
    table = TrueTable(begins, ends, stage.spots, {}, {})
    for motion in moves:
        _cover(table, motion, noise, rng)
    _nuisances(table, played, noise, rng)
    for motion in moves:
        if motion.action is not None and motion.releases is not None:
            table.hand_off[motion.action] = _clear_after(table, _spot(motion.target), motion.releases)
    return table


def _clear_after(table: TrueTable, spot: Spot, t: float) -> float:
    """The first moment from then on from which no hand or arm hides the spot for long enough to look."""
    for cover in (
        sorted(table.spots[spot].covers, key=lambda cover: cover.start) if spot in table.spots else ()
    ):
        if cover.start <= t + _GLIMPSE and cover.end > t:
            t = cover.end
    return t


def _spot(spot: object) -> Spot:
    place, player, pile = spot.place, spot.player, spot.pile  # type: ignore[attr-defined]
    return centre_spot(pile or 0) if place == PILE else Spot(player, place)


def _over(table: TrueTable, spot: Spot, cover: Cover) -> None:
    if spot in table.spots and cover.end > cover.start:
        table.spots[spot].covers.append(cover)


def _cover(table: TrueTable, motion: Motion, noise: NoiseModel, rng: Random) -> None:
    """The hand over source and target, and the arm over what lies on its way."""
    who, hand = motion.player, motion.hand
    source, target = _spot(motion.source), _spot(motion.target)
    if motion.grips is None or motion.releases is None:
        middle = (motion.leaves + motion.home) / 2
        _over(table, source, Cover(middle - 0.1, middle + 0.1, who, hand))
        return
    off = motion.releases + rng.uniform(*noise.leaves_pile) * (motion.home - motion.releases)
    _over(table, source, Cover(motion.grips - 0.14, motion.grips + rng.uniform(0.08, 0.2), who, hand))
    if motion.turns_back is not None:
        _over(table, target, Cover(motion.turns_back - 0.15, motion.turns_back + 0.15, who, hand))
        _over(table, source, Cover(motion.releases - 0.12, off, who, hand))
    else:
        _over(table, target, Cover(motion.releases - 0.16, off, who, hand))
    if not (source.is_centre or target.is_centre):
        for spot in _own(table, who):
            if spot not in (source, target) and rng.random() < noise.hand_over_neighbour:
                _over(table, spot, Cover(motion.grips, off, who, hand))
        return
    for spot in _own(table, who):
        if rng.random() < noise.arm_over_own:
            _over(table, spot, Cover(motion.grips + 0.05, motion.home - 0.05, who, hand))
    for spot in table.spots:
        if spot.is_centre and spot not in (source, target) and rng.random() < noise.arm_over_pile:
            _over(table, spot, Cover(motion.releases - 0.25, off + 0.1, who, hand))


def _own(table: TrueTable, player: str) -> list[Spot]:
    return [spot for spot in table.spots if spot.player == player]


def _moments(rng: Random, table: TrueTable, per_minute: float) -> list[float]:
    """Moments at random, so many per minute."""
    t, found = table.begins + 2.0, []
    while per_minute > 0.0:
        t += rng.expovariate(per_minute / 60.0)
        if t > table.ends - 4.0:
            break
        found.append(t)
    return found


def _nuisances(table: TrueTable, played: BotRound, noise: NoiseModel, rng: Random) -> None:
    """All that happens at a table and means nothing."""
    names = played.header.players
    for name in names:
        for t in _moments(rng, table, noise.rests_per_minute):
            for spot in rng.sample(_own(table, name), 2):
                _over(table, spot, Cover(t, t + rng.uniform(1.0, 4.0), name))
    centre = [spot for spot in table.spots if spot.is_centre]
    for t in _moments(rng, table, noise.sleeves_per_minute):
        name = rng.choice(names)
        for spot in rng.sample(centre, math.ceil(len(centre) / 2)):
            _over(table, spot, Cover(t, t + rng.uniform(3.0, 6.0), name))
    for t in _moments(rng, table, noise.onlookers_per_minute):
        for spot in rng.sample(list(table.spots), min(3, len(table.spots))):
            _over(table, spot, Cover(t, t + rng.uniform(0.5, 2.0), None))
    for t in _moments(rng, table, noise.pushes_per_minute):
        if centre:
            _push(table, rng.choice(centre), t, rng.choice(names), noise, rng)
    for name in names:
        for t in _moments(rng, table, noise.straightens_per_minute):
            _straighten(table, rng.choice(_own(table, name)), t, name, rng)


def _push(table: TrueTable, spot: Spot, t: float, name: str, noise: NoiseModel, rng: Random) -> None:
    """A pile pushed aside; at times the tracker takes it for a new one. A complete pile may be taken away."""
    line = table.spots[spot]
    at = next((n for n in range(len(line.shown) - 1, -1, -1) if line.shown[n][0] <= t), None)
    if at is None or line.shown[at][1].face is None:
        return
    last = at == len(line.shown) - 1
    busy = any(cover.start < t + 0.6 and cover.end > t - 0.6 for cover in line.covers)
    if busy or (not last and line.shown[at + 1][0] < t + 1.5):
        return
    line.covers.append(Cover(t - 0.2, t + 0.4, name))
    shown = line.shown[at][1]
    number = shown.face.number if shown.face is not None else 0
    if number == 8 and last:
        line.shown.append((t, Shown(None)))
        return
    dx, dy, turn = rng.gauss(0, 25), rng.gauss(0, 25), rng.gauss(0, 10)
    stack = 900 + rng.randrange(10**6) if rng.random() < noise.push_loses_track else None
    if stack is not None:
        table.renamed[stack] = spot.stack
    moved = [(t, _moved(shown, dx, dy, turn, stack))]
    later = [(when, _moved(each, dx, dy, turn, stack)) for when, each in line.shown[at + 1 :]]
    line.shown[at + 1 :] = moved + later


def _moved(shown: Shown, dx: float, dy: float, turn: float, stack: int | None) -> Shown:
    if shown.face is None:
        return shown
    at = (shown.at[0] + dx, shown.at[1] + dy)
    return Shown(shown.face, shown.laying, at, shown.angle + turn, shown.stack if stack is None else stack)


def _straighten(table: TrueTable, spot: Spot, t: float, name: str, rng: Random) -> None:
    """A stack or card lifted for a moment and put down again."""
    line = table.spots[spot]
    at = next((n for n in range(len(line.shown) - 1, -1, -1) if line.shown[n][0] <= t), None)
    if at is None or line.shown[at][1].face is None:
        return
    down = t + rng.uniform(0.3, 1.2)
    if at < len(line.shown) - 1 and line.shown[at + 1][0] < down + 0.8:
        return
    if any(cover.start < down + 0.3 and cover.end > t - 0.3 for cover in line.covers):
        return
    shown = line.shown[at][1]
    line.shown[at + 1 : at + 1] = [(t, Shown(None)), (down, shown)]
    line.covers += [Cover(t - 0.2, t + 0.15, name), Cover(down - 0.15, down + 0.2, name)]
