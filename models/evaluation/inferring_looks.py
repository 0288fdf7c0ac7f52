"""The true table as eyes would tell it: looks, covers and ticks, with all that eyes get wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from models.evaluation.inferring_noise import NoiseModel, reading
from models.evaluation.inferring_table import Cover, Shown, SpotTime, TrueTable
from referee.actions import Hand
from vision.observations import Chances, Covered, Look, Observation, Spot, Tick, centre_spot

Told = tuple[float, int, Observation]
_MOVED = (7.0, 8.0)  # millimetres and degrees: what lies nearer to what was there is no change to the tracker
_ALONE = 0.8  # the share of an arm beside which others hardly count
_MOST_REACH = 0.98  # what the shares of all arms add up to


@dataclass(slots=True)
class _Eyes:
    """What the eyes last saw of one spot."""

    spot: Spot
    shown: Shown | None = None
    clear: float = 0.0


def observations(
    table: TrueTable, players: tuple[str, ...], noise: NoiseModel, rng: Random
) -> list[Observation]:
    """Everything in the order in which it is told."""
    told: list[Told] = []
    for spot, line in table.spots.items():
        told += _spot(spot, line, table, players, noise, rng)
    step = 1.0 / noise.fps
    frames = math.ceil((table.ends - table.begins) / step)
    told += [(table.begins + n * step, 1, Tick(table.begins + n * step, n)) for n in range(frames + 1)]
    told.sort(key=lambda each: each[:2])
    return [observation for _, _, observation in told]


def _open_pieces(line: SpotTime, begins: float, ends: float) -> Iterator[tuple[float, float, Shown]]:
    """The times at which a spot lies open, with what it shows."""
    edges = sorted((cover.start, cover.end) for cover in line.covers)
    free, t = [], begins
    for start, end in edges:
        if start > t:
            free.append((t, start))
        t = max(t, end)
    free.append((t, ends))
    changes = sorted(line.shown, key=lambda change: change[0])
    for a, b in free:
        for n, (when, shown) in enumerate(changes):
            until = changes[n + 1][0] if n + 1 < len(changes) else ends
            start, end = max(a, when), min(b, until)
            if end > start and end > begins:
                yield max(start, begins), end, shown


def _spot(
    spot: Spot,
    line: SpotTime,
    table: TrueTable,
    players: tuple[str, ...],
    noise: NoiseModel,
    rng: Random,
) -> Iterator[Told]:
    eyes = _Eyes(spot, None, table.begins)
    for start, end, shown in _open_pieces(line, table.begins, table.ends):
        settle = rng.uniform(*noise.settle)
        if eyes.shown is not None and _same(eyes.shown, shown, spot):
            if end - start > 0.5 and rng.random() < noise.looked_twice and shown.face is not None:
                yield from _look(eyes, shown, start + settle, end, table, line, players, noise, rng)
            eyes.clear = end
            continue
        if end - start < settle:
            continue
        if rng.random() < noise.missed:
            start += rng.uniform(*noise.sweep)
            if end - start < settle:
                continue
        if shown.face is None and eyes.shown is None and spot.is_centre:
            eyes.clear = end
            continue
        if shown.stack is not None and (eyes.shown is None or eyes.shown.stack != shown.stack):
            yield from _look(eyes, Shown(None), start, end, table, line, players, noise, rng)
            eyes.spot = centre_spot(shown.stack)
        yield from _look(eyes, shown, start, end, table, line, players, noise, rng)
        eyes.shown, eyes.clear = shown, end
    yield from _covers(spot, line, table, noise)


def _same(one: Shown, other: Shown, spot: Spot) -> bool:
    """Whether the eyes take it for what was there: an equal card that lies the same way is not told anew."""
    if one == other or one.face is not other.face or one.face is None or one.stack != other.stack:
        return one == other
    if not spot.is_centre:
        return True
    turned = abs((one.angle - other.angle + 90) % 180 - 90)
    return math.dist(one.at, other.at) < _MOVED[0] and turned < _MOVED[1]


def _frame(table: TrueTable, noise: NoiseModel, t: float) -> int:
    return max(0, math.ceil((t - table.begins) * noise.fps))


def _look(
    eyes: _Eyes,
    shown: Shown,
    start: float,
    end: float,
    table: TrueTable,
    line: SpotTime,
    players: tuple[str, ...],
    noise: NoiseModel,
    rng: Random,
) -> Iterator[Told]:
    frame = _frame(table, noise, start)
    t = table.begins + frame / noise.fps
    told = t + rng.uniform(*noise.settle) + rng.uniform(*noise.latency)
    since = min(eyes.clear, t)
    over = [cover for cover in line.covers if cover.start < t and cover.end > since]
    arms = _arms(over, since, t, players, eyes.spot, noise, rng)
    look = Look(
        spot=eyes.spot,
        since=since,
        t=t,
        shows="nothing" if shown.face is None else "face",
        reach=_reach(arms),
        hand=_hand(over, arms, noise, rng),
        at=(shown.at[0] + rng.gauss(0, 0.6), shown.at[1] + rng.gauss(0, 0.6)),
        angle=shown.angle + rng.gauss(0, 1.0),
        frames=(max(0, _frame(table, noise, since) - 1), frame),
    )
    if shown.face is None:
        yield told, 0, look
        return
    faces, clear = reading(shown.face, noise, rng)
    yield told, 0, replace(look, faces=faces)
    later = told + rng.uniform(0.4, 1.5)
    if not clear and later < end and rng.random() < noise.read_again:
        better, _ = reading(shown.face, noise, rng, better=True)
        yield later, 0, replace(look, faces=better, again=True)


def _arms(
    over: list[Cover],
    since: float,
    t: float,
    players: tuple[str, ...],
    spot: Spot,
    noise: NoiseModel,
    rng: Random,
) -> dict[str, float]:
    """Whose arms are said to have been there, and for how long."""
    there: dict[str, float] = {}
    for cover in over:
        if cover.player is not None:
            seconds = min(cover.end, t) - max(cover.start, since)
            there[cover.player] = there.get(cover.player, 0.0) + seconds * rng.uniform(0.7, 1.3)
    told = {name: seconds for name, seconds in there.items() if rng.random() > noise.arm_missed}
    whole = max(0.05, sum(there.values()))
    invented = noise.arm_invented if spot.is_centre else noise.arm_invented / 4
    for name in players:
        if name in there:
            continue
        if rng.random() < invented:
            told[name] = whole * rng.uniform(0.5, 1.5)
        elif told and rng.random() < noise.arm_faint:
            told[name] = whole * rng.uniform(0.0, 0.15)
    return told


def _reach(told: dict[str, float]) -> Chances:
    """The arms as the tracker tells them: each with its share, the likeliest first."""
    whole = sum(told.values())
    ranked = sorted(told.items(), key=lambda item: -item[1])
    return tuple((name, round(_MOST_REACH * seconds / whole, 3)) for name, seconds in ranked)


def _hand(over: list[Cover], told: dict[str, float], noise: NoiseModel, rng: Random) -> Hand | None:
    """Which hand of the likeliest arm it was, if it was one only."""
    first = max(told, key=lambda name: told[name], default=None)
    hands = {cover.hand for cover in over if cover.hand is not None and cover.player == first}
    if len(hands) != 1 or "both" in hands or rng.random() > noise.hand_told:
        return None  # of two arms at once no shoulder is told
    hand = hands.pop()
    alone = told[first or ""] > _ALONE * sum(told.values())
    if rng.random() < (noise.hand_wrong if alone else noise.hand_wrong_in_crowd):
        return "left" if hand == "right" else "right"
    return hand


def _covers(spot: Spot, line: SpotTime, table: TrueTable, noise: NoiseModel) -> Iterator[Told]:
    """A cover that lasts is told again and again; one that is over soon is not told at all."""
    first, every = noise.covered_told
    for since, end, covers in _covered_times(line):
        if end <= table.begins or since > table.ends:
            continue
        when = since + first
        while when < end:
            over: dict[str, float] = {}
            for cover in covers:
                if cover.player is not None and cover.start < when:
                    over[cover.player] = over.get(cover.player, 0.0) + min(cover.end, when) - cover.start
            yield when + 0.04, 0, Covered(spot, since, when, _reach(over))
            when += every


def _covered_times(line: SpotTime) -> list[tuple[float, float, list[Cover]]]:
    """When the spot is hidden without a break, and by what."""
    spans: list[tuple[float, float, list[Cover]]] = []
    for cover in sorted(line.covers, key=lambda cover: cover.start):
        if spans and cover.start <= spans[-1][1]:
            since, end, covers = spans[-1]
            spans[-1] = (since, max(end, cover.end), [*covers, cover])
        else:
            spans.append((cover.start, cover.end, [cover]))
    return spans
