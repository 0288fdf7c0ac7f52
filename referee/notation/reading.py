"""Lines of a written round made into frozen entries."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.actions import (
    Action,
    Amend,
    Build,
    Correction,
    Count,
    Deal,
    Finito,
    Hand,
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
from referee.cards import Face, parse_face
from referee.errors import NotationError
from referee.notation import fields
from referee.notation.fields import Line
from referee.places import ESPRESSO, HELPS
from referee.rules.espresso import DEFAULT_EDITION

Entry = RoundHeader | Deal | Action | Correction | Count | Remark
HANDS: Final[Mapping[str, Hand]] = {"left": "left", "right": "right", "both": "both"}


def parse_line(line: str) -> Entry:
    """Reads one JSON line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        where = f" at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise NotationError(f"this is no JSON object{where}; write one object per line") from None
    return parse_entry(value)


def parse_entry(value: object) -> Entry:
    if not isinstance(value, dict):
        raise NotationError(f"{fields.shown(value)} is no JSON object; write one object per line")
    kind = value.get("type")
    reader = READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        known = ", ".join(READERS)
        raise NotationError(f'the "type" {fields.shown(kind)} is not known; known are {known}')
    return reader(value)


def _header(line: Line) -> RoundHeader:
    variant = line.get("variant", ["normalo"])
    if isinstance(variant, str):
        variant = [variant]
    players = line.get("players")
    for name, value in (("variant", variant), ("players", players)):
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise NotationError(f'"{name}" of the round line must be a list of names')
    assert isinstance(players, list)
    return RoundHeader(
        game=fields.optional_text(line, "game") or ESPRESSO,
        variant=tuple(variant),
        edition=fields.optional_text(line, "edition") or DEFAULT_EDITION,
        players=tuple(players),
        options=_options({} if line.get("options") is None else line["options"]),
    )


def _options(value: object) -> tuple[tuple[str, Any], ...]:
    if not isinstance(value, dict):
        raise NotationError('"options" of the round line must be an object')
    for name, option in value.items():
        if name == "joined_late" and isinstance(option, bool):
            continue
        if name == "target":
            fields.whole(value, "target", least=1)
        elif name == "totals":
            fields.totals(value, "totals")
        else:
            raise NotationError(
                f'the option "{name}": {fields.shown(option)} is not known; known are '
                '"joined_late": true, "target": 100 and "totals": {"pizza": 40}'
            )
    totals = value.get("totals", {})
    return tuple((n, tuple(totals.items()) if n == "totals" else o) for n, o in value.items())


def _deal(line: Line) -> Deal:
    helps = line.get("helps")
    if not isinstance(helps, list):
        raise NotationError('a deal line needs "helps": the faces of the help cards, such as ["R1", "??"]')
    return Deal(
        player=fields.text(line, "player"),
        espresso=None if line.get("espresso") is None else fields.whole(line, "espresso"),
        top=fields.optional_face(line, "top"),
        helps=tuple(_help(each) for each in helps),
    )


def _help(value: object) -> Face | None:
    """A face, or None for a slot that is empty when the record begins."""
    if value is None:
        return None
    if isinstance(value, str):
        return parse_face(value)
    raise NotationError(f'"helps" of a deal line holds {fields.shown(value)}; write faces, or null for none')


def _play(line: Line) -> Play:
    owner = fields.optional_text(line, "owner")
    player = fields.text(line, "player")
    hand = fields.optional_text(line, "hand")
    if hand is not None and hand not in HANDS:
        raise NotationError(f'"hand" is {fields.shown(hand)}; it must be left, right or both')
    return Play(
        player,
        fields.face(line, "face"),
        fields.place(line, "from"),
        fields.pile(line, "to"),
        fields.moment(line),
        None if owner == player else owner,
        fields.optional_face(line, "reveals"),
        None if hand is None else HANDS[hand],
    )


def _refill(line: Line) -> Refill:
    return Refill(
        player=fields.text(line, "player"),
        slot=fields.place(line, "slot", HELPS),
        face=fields.optional_face(line, "face"),
        t=fields.moment(line),
        reveals=fields.optional_face(line, "reveals"),
        source=ESPRESSO if line.get("from") is None else fields.place(line, "from"),
    )


def _turn(line: Line) -> Turn:
    count = fields.whole(line, "count", least=1)
    return Turn(fields.text(line, "player"), count, fields.moment(line), fields.optional_face(line, "top"))


def _take_back(line: Line) -> TakeBack:
    pile = fields.whole(line, "pile", least=1)
    return TakeBack(fields.text(line, "player"), fields.face(line, "face"), pile, fields.moment(line))


def _recycle(line: Line) -> Recycle:
    shuffled = line.get("shuffled")
    if shuffled is not None and not isinstance(shuffled, bool):
        raise NotationError(f'"shuffled" is {fields.shown(shuffled)}; it must be true or false')
    return Recycle(fields.text(line, "player"), fields.moment(line), shuffled)


def _build(line: Line) -> Build:
    return Build(
        player=fields.text(line, "player"),
        face=fields.face(line, "face"),
        source=fields.place(line, "from"),
        slot=fields.place(line, "to", HELPS),
        t=fields.moment(line),
        reveals=fields.optional_face(line, "reveals"),
    )


def _amend(line: Line) -> Amend:
    action = parse_entry(line.get("action"))
    if not isinstance(action, Action):
        raise NotationError('"action" of an amend line must be an action, such as a play')
    return Amend(fields.whole(line, "line", least=1), action)


READERS: Final[Mapping[str, Callable[[Line], Entry]]] = {
    "round": _header,
    "deal": _deal,
    "start": lambda line: Start(fields.moment(line), fields.optional_text(line, "player")),
    "play": _play,
    "refill": _refill,
    "turn": _turn,
    "take_back": _take_back,
    "recycle": _recycle,
    "build": _build,
    "finito": lambda line: Finito(fields.text(line, "player"), fields.moment(line)),
    "count": lambda line: Count(
        fields.counts(line, "by_back"),
        fields.counts(line, "race_left") if line.get("race_left") is not None else (),
    ),
    "result": lambda _: Remark(),
    "undo": lambda line: Undo(fields.whole(line, "line", least=1)),
    "amend": _amend,
}
