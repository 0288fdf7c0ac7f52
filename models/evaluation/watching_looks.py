"""Looks held against the truth of a round, without any inference: what is the eyes' fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from finito.bots import BotRound
from referee.actions import Action, Play, Refill, Turn
from referee.places import ESPRESSO, WASTE
from vision.observations import Look, Observation, Spot, centre_spot

_EARLY, _LATE = -0.35, 2.5  # seconds between a deed and the look that shows it
_USUALLY: Final = 0.12


@dataclass
class LookScore:
    """How much of a round the looks show."""

    plays: int = 0
    plays_seen: int = 0
    turns: int = 0
    turns_seen: int = 0
    refills: int = 0
    refills_seen: int = 0
    right: int = 0
    wrong: int = 0
    reach_right: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    seen_plays: set[int] = field(default_factory=set)  # indices of actions whose look is right
    wrong_looks: set[tuple[Spot, float]] = field(default_factory=set)


_KINDS: Final = {Play: "plays", Turn: "turns", Refill: "refills"}


def final_looks(seen: Iterable[Observation]) -> list[Look]:
    """Every look with its last and best reading."""
    looks: list[Look] = []
    last: dict[Spot, int] = {}
    for each in seen:
        if not isinstance(each, Look):
            continue
        if each.again and each.spot in last:
            looks[last[each.spot]] = each
        else:
            last[each.spot] = len(looks)
            looks.append(each)
    return looks


def renamed_stacks(played: BotRound, seen: Iterable[Observation]) -> dict[int, int]:
    """For stacks of the tracker the true pile: that whose cards came when and by whom they were seen to.

    Two players may lay the same card at once: as far as piles go, each stack gets one of its own.
    """
    laid = _laid(played)
    scores: dict[int, Counter[int]] = {}
    for look in final_looks(seen):
        if look.spot.is_centre and look.faces:
            of_stack = scores.setdefault(look.spot.stack, Counter())
            likely: dict[int, float] = {}
            for deed in laid:
                if deed.face == look.faces[0][0] and abs(deed.t - look.t) < _LATE:
                    worth = _worth(deed, look)
                    likely[deed.pile] = max(worth, likely.get(deed.pile, 0.0))
            of_stack.update({pile: round(1000 * worth) for pile, worth in likely.items()})
    stacks, piles = sorted(scores), sorted({deed.pile for deed in laid})
    if not stacks or not piles:
        return {}
    table = np.array([[scores[stack][pile] for pile in piles] for stack in stacks])
    rows, columns = linear_sum_assignment(-table)
    chosen = {stacks[int(row)]: int(column) for row, column in zip(rows, columns, strict=True)}
    true = {}
    for i, stack in enumerate(stacks):
        column = chosen.get(stack, -1)
        if column < 0 or not table[i, column]:  # a pile that was given a second number
            column = int(table[i].argmax())
        if table[i, column]:
            true[stack] = piles[column]
    return true


def _worth(deed: _Laid, look: Look) -> float:
    """How well a look fits a card that was laid; time and the arm that was there tell equal cards apart."""
    by_whom = dict(look.reach).get(deed.player, 0.0)
    return 1.0 + by_whom - abs(look.t - deed.t - _USUALLY) / _LATE


def scored_looks(played: BotRound, seen: Sequence[Observation], true: dict[int, int]) -> LookScore:
    looks = final_looks(seen)
    result = LookScore()
    piles = _piles(played)
    used: set[int] = set()
    over = max((action.t.end for action in played.actions if action.t), default=0.0) + 1.0
    for index, action in enumerate(played.actions):
        kind = _KINDS.get(type(action))
        if kind is None or action.t is None:
            continue
        spot, face = _shown(action, piles.get(index, 0))
        near = [
            i
            for i, look in enumerate(looks)
            if _true_spot(look.spot, true) == spot and _EARLY < look.t - action.t.end < _LATE
        ]
        right = [i for i in near if looks[i].faces[:1] and looks[i].faces[0][0] == face]
        setattr(result, kind, getattr(result, kind) + 1)
        if right:
            used.update(right)
            setattr(result, f"{kind}_seen", getattr(result, f"{kind}_seen") + 1)
            result.seen_plays.add(index)
            reach = looks[right[0]].reach
            result.reach_right += kind == "plays" and bool(reach) and reach[0][0] == action.player
        elif kind == "plays":
            result.causes[f"eyes: play {'misread' if near else 'not looked at'}"] += 1
    _judge_looks(played, looks, true, over, result)
    return result


def _judge_looks(
    played: BotRound, looks: Sequence[Look], true: dict[int, int], over: float, result: LookScore
) -> None:
    """Whether a face that is told was ever on top of that spot at about that time."""
    tops = _tops(played)
    for look in looks:
        if look.t > over or look.shows != "face" or not look.faces:
            continue
        spot, face = _true_spot(look.spot, true), look.faces[0][0]
        fits = any(
            where == spot and card == face and begins - 0.4 <= look.t <= ends + 0.4
            for where, card, begins, ends in tops
        )
        if fits:
            result.right += 1
        else:
            result.wrong += 1
            result.wrong_looks.add((look.spot, look.t))
            known = spot.is_centre and look.spot.stack not in true
            result.causes["eyes: a stack that is none" if known else "eyes: look shows another card"] += 1


def _tops(played: BotRound) -> list[tuple[Spot, str, float, float]]:
    """Cards on top of spots with the time from which to which, roughly: until they are covered or gone."""
    events: list[tuple[float, Spot, str]] = []
    for dealt in played.deals:
        events.append((0.0, Spot(dealt.player, ESPRESSO), str(dealt.top)))
        helps = enumerate(dealt.helps, start=1)
        events += [(0.0, Spot(dealt.player, f"help{i}"), str(face)) for i, face in helps if face is not None]
    piles = _piles(played)
    for index, action in enumerate(played.actions):
        if action.t is None:
            continue
        t = action.t.end
        if isinstance(action, Play | Turn | Refill):
            spot, face = _shown(action, piles.get(index, 0))
            events.append((t, spot, face))
        if isinstance(action, Play):
            events.append((t, Spot(action.owner or action.player, action.source), str(action.reveals)))
        if isinstance(action, Refill):
            events.append((t, Spot(action.player, action.source), str(action.reveals)))
    tops = []
    for i, (begins, spot, face) in enumerate(events):
        ends = next((t for t, where, _ in events[i + 1 :] if where == spot), float("inf"))
        # A card may be seen under one that a hand has lifted already.
        tops.append((spot, face, begins - 1.0, ends))
    return tops


def _piles(played: BotRound) -> dict[int, int]:
    """The number of the pile of every play."""
    count, piles = 0, dict[int, int]()
    for index, action in enumerate(played.actions):
        if isinstance(action, Play):
            if action.pile is None or action.opens:
                count += 1
                piles[index] = action.pile or count
            else:
                piles[index] = action.pile
    return piles


@dataclass(frozen=True)
class _Laid:
    t: float
    pile: int
    face: str
    player: str


def _laid(played: BotRound) -> list[_Laid]:
    piles = _piles(played)
    return [
        _Laid(action.t.end, piles[index], str(action.face), action.player)
        for index, action in enumerate(played.actions)
        if isinstance(action, Play) and action.t is not None
    ]


def _shown(action: Action, pile: int) -> tuple[Spot, str]:
    """Where an action lays a card, and which."""
    if isinstance(action, Play):
        return centre_spot(pile), str(action.face)
    if isinstance(action, Turn):
        return Spot(action.player, WASTE), str(action.top)
    assert isinstance(action, Refill)
    return Spot(action.player, action.slot), str(action.face)


def _true_spot(spot: Spot, true: dict[int, int]) -> Spot:
    return centre_spot(true.get(spot.stack, -spot.stack)) if spot.is_centre else spot
