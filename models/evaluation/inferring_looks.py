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
        if eyes.shown is not None and _same(eyes.shown, shown):
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


def _same(one: Shown, other: Shown) -> bool:
    return one == other


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
    look = Look(
        spot=eyes.spot,
        since=since,
        t=t,
        shows="nothing" if shown.face is None else "face",
        reach=_reach(over, players, eyes.spot, noise, rng),
        hand=_hand(over, noise, rng),
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


def _reach(
    over: list[Cover], players: tuple[str, ...], spot: Spot, noise: NoiseModel, rng: Random
) -> Chances:
    """Whose arms are said to have been there."""
    there = {cover.player for cover in over if cover.player is not None}
    told = [
        (name, round(rng.uniform(0.9, 0.99), 2)) for name in sorted(there) if rng.random() > noise.arm_missed
    ]
    invented = noise.arm_invented if spot.is_centre else noise.arm_invented / 4
    others = [name for name in players if name not in there and rng.random() < invented]
    return (*told, *((name, round(rng.uniform(0.4, 0.9), 2)) for name in others))


def _hand(over: list[Cover], noise: NoiseModel, rng: Random) -> Hand | None:
    """Which hand it was, where only one arm was there."""
    hands = {(cover.player, cover.hand) for cover in over if cover.hand is not None}
    if len(hands) != 1 or rng.random() > noise.hand_told:
        return None
    hand = hands.pop()[1]
    if rng.random() < noise.hand_wrong:
        return "left" if hand == "right" else "right"
    return hand


def _covers(spot: Spot, line: SpotTime, table: TrueTable, noise: NoiseModel) -> Iterator[Told]:
    """A cover is told again and again while it lasts."""
    t, since = -math.inf, 0.0
    for cover in sorted(line.covers, key=lambda cover: cover.start):
        if cover.end <= table.begins or cover.start > table.ends:
            continue
        if cover.start > t:
            since = cover.start
        when = max(cover.start, t) + noise.covered_told / 2
        while when < cover.end:
            reach = () if cover.player is None else ((cover.player, 0.95),)
            yield when + 0.04, 0, Covered(spot, since, when, reach)
            when += noise.covered_told
        t = max(t, cover.end)
