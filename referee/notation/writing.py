"""Entries written as JSON objects, in the field order of the contracts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.actions import (
    Amend,
    Build,
    Count,
    Deal,
    Finito,
    Interval,
    Play,
    Recycle,
    Refill,
    Remark,
    RoundHeader,
    Start,
    TakeBack,
    Turn,
    Undo,
)
from referee.cards import UNKNOWN, Face
from referee.notation.reading import Entry
from referee.places import ESPRESSO

Json = dict[str, Any]


def entry_to_json(entry: Entry) -> Json:
    """The object that reads back as the same entry."""
    return WRITERS[type(entry)](entry)


def _timed(t: Interval | None, rest: Json) -> Json:
    if t is None:
        return rest
    return {"t": t.start if t.exact else [t.start, t.end], **rest}


def _seen(name: str, face: Face) -> Json:
    return {} if face is UNKNOWN else {name: str(face)}


def _header(entry: RoundHeader) -> Json:
    options = {name: dict(value) if name == "totals" else value for name, value in entry.options}
    return {
        "type": "round",
        "game": entry.game,
        "variant": list(entry.variant),
        "edition": entry.edition,
        "options": options,
        "players": list(entry.players),
    }


def _deal(entry: Deal) -> Json:
    helps = [None if card is None else str(card) for card in entry.helps]
    espresso = {} if entry.espresso is None else {"espresso": entry.espresso}
    return {"type": "deal", "player": entry.player, **espresso, "top": str(entry.top), "helps": helps}


def _play(entry: Play) -> Json:
    owner = {} if entry.owner is None else {"owner": entry.owner}
    line: Json = {"type": "play", "player": entry.player, **owner, "face": str(entry.face)}
    line |= {"from": entry.source, "to": "new" if entry.pile is None or entry.opens else entry.pile}
    line |= _seen("reveals", entry.reveals)
    if entry.hand is not None:
        line["hand"] = entry.hand
    return _timed(entry.t, line)


def _refill(entry: Refill) -> Json:
    line: Json = {"type": "refill", "player": entry.player, "slot": entry.slot, "face": str(entry.face)}
    if entry.source != ESPRESSO:
        line["from"] = entry.source
    return _timed(entry.t, line | _seen("reveals", entry.reveals))


def _turn(entry: Turn) -> Json:
    line = {"type": "turn", "player": entry.player, "count": entry.count}
    return _timed(entry.t, line | _seen("top", entry.top))


def _take_back(entry: TakeBack) -> Json:
    line = {"type": "take_back", "player": entry.player, "face": str(entry.face), "pile": entry.pile}
    return _timed(entry.t, line)


def _recycle(entry: Recycle) -> Json:
    shuffled = {} if entry.shuffled is None else {"shuffled": entry.shuffled}
    return _timed(entry.t, {"type": "recycle", "player": entry.player, **shuffled})


def _build(entry: Build) -> Json:
    line = {"type": "build", "player": entry.player, "face": str(entry.face)}
    line |= {"from": entry.source, "to": entry.slot}
    return _timed(entry.t, line | _seen("reveals", entry.reveals))


def _start(entry: Start) -> Json:
    player = {} if entry.player is None else {"player": entry.player}
    return _timed(entry.t, {"type": "start", **player})


def _count(entry: Count) -> Json:
    left = {"race_left": dict(entry.race_left)} if entry.race_left else {}
    return {"type": "count", "by_back": dict(entry.by_back), **left}


WRITERS: Final[Mapping[type[Any], Callable[[Any], Json]]] = {
    RoundHeader: _header,
    Deal: _deal,
    Start: _start,
    Play: _play,
    Refill: _refill,
    Turn: _turn,
    TakeBack: _take_back,
    Recycle: _recycle,
    Build: _build,
    Finito: lambda entry: _timed(entry.t, {"type": "finito", "player": entry.player}),
    Count: _count,
    Remark: lambda _: {"type": "result"},
    Undo: lambda entry: {"type": "undo", "line": entry.line},
    Amend: lambda entry: {"type": "amend", "line": entry.line, "action": entry_to_json(entry.action)},
}
