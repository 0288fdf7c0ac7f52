"""The written form: what is read is written back the same, and what is wrong is said in one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.actions import Interval, Play, Turn
from referee.cards import UNKNOWN, Colour, face, parse_face
from referee.errors import NotationError
from referee.notation import entry_to_json, parse_entry, parse_line

PLAY = {"t": 1.2, "type": "play", "player": "pizza", "face": "Y0", "from": "help3", "to": "new"}
LINES: list[dict[str, Any]] = [
    {
        "type": "round",
        "game": "espresso",
        "variant": ["zero", "chaos"],
        "edition": "escale",
        "options": {"target": 50, "totals": {"pizza": 12}},
        "players": ["pizza", "gelato"],
    },
    {"type": "deal", "player": "pizza", "espresso": 9, "top": "R3", "helps": ["B1", None, "Y?"]},
    {"t": 0.0, "type": "start"},
    PLAY,
    {
        "t": [2.0, 2.5],
        "type": "play",
        "player": "gelato",
        "owner": "pizza",
        "face": "?4",
        "from": "waste",
        "to": 2,
        "reveals": "R?",
        "hand": "left",
    },
    {"t": 1.6, "type": "refill", "player": "pizza", "slot": "help3", "face": "R3", "reveals": "G2"},
    {"type": "refill", "player": "pizza", "slot": "help3", "face": "R3", "from": "waste"},
    {"t": 2.0, "type": "turn", "player": "pizza", "count": 3, "top": "B4"},
    {"t": 4.0, "type": "take_back", "player": "gelato", "face": "Y1", "pile": 1},
    {"t": 5.0, "type": "recycle", "player": "pizza", "shuffled": False},
    {"type": "build", "player": "anna", "face": "R6", "from": "espresso", "to": "help1", "reveals": "G5"},
    {"t": 9.0, "type": "finito", "player": "pizza"},
    {"type": "count", "by_back": {"pizza": 12, "gelato": 9}, "race_left": {"gelato": 3}},
    {"type": "undo", "line": 4},
    {"type": "amend", "line": 4, "action": PLAY},
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["type"])
def test_a_line_is_written_back_as_it_was_read(line: dict[str, Any]) -> None:
    assert entry_to_json(parse_line(json.dumps(line))) == line


faces = st.builds(face, st.none() | st.sampled_from(Colour), st.none() | st.integers(0, 10))
moments = st.none() | st.floats(0, 1e6).map(lambda t: Interval(t, t))


@given(faces)
def test_a_face_is_written_back_as_it_was_read_unknown_parts_too(card: Any) -> None:
    assert parse_face(str(card)) is card


@given(faces, st.sampled_from(["espresso", "help1", "waste"]), st.none() | st.integers(1, 99), moments, faces)
def test_any_play_survives_writing_and_reading(
    card: Any, source: str, pile: int | None, t: Any, shown: Any
) -> None:
    entry = Play("pizza", card, source, pile, t, None, shown)
    assert parse_line(json.dumps(entry_to_json(entry))) == entry


def test_what_was_not_seen_may_be_left_out_or_be_two_question_marks() -> None:
    bare = parse_entry({"type": "turn", "player": "pizza", "count": 3})
    assert bare == parse_entry({"type": "turn", "player": "pizza", "count": 3, "top": "??"})
    assert isinstance(bare, Turn)
    assert bare.top is UNKNOWN


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nope", "no JSON"),
        ("[1, 2]", "no JSON object"),
        ("3", "no JSON object"),
        ('{"type": "dance"}', "known are"),
        ('{"player": "pizza"}', "type"),
        ('{"type": ["play"]}', "not known"),
        ('{"type": "play", "face": "R1", "from": "help1", "to": 1}', "player"),
        ('{"type": "play", "player": "pizza", "face": "X1", "from": "help1", "to": 1}', "X1"),
        ('{"type": "play", "player": "pizza", "face": "R99", "from": "help1", "to": 1}', "R99"),
        ('{"type": "play", "player": "pizza", "face": 5, "from": "help1", "to": 1}', "face"),
        ('{"type": "play", "player": "pizza", "face": "R1", "from": "pocket", "to": 1}', "pocket"),
        ('{"type": "play", "player": "pizza", "face": "R1", "from": "help1", "to": 0}', "pile number"),
        ('{"type": "play", "player": "pizza", "face": "R1", "from": "help1", "to": true}', "pile number"),
        (
            '{"type": "play", "player": "pizza", "face": "R1", "from": "help1", "to": 1, "hand": "third"}',
            "hand",
        ),
        ('{"type": "turn", "player": "pizza", "count": 0}', "count"),
        ('{"type": "turn", "player": "pizza", "count": "3"}', "count"),
        ('{"type": "start", "t": "noon"}', "seconds"),
        ('{"type": "start", "t": [2, 1]}', "seconds"),
        ('{"type": "start", "t": NaN}', "seconds"),
        ('{"type": "deal", "player": "pizza", "espresso": 9, "top": "R1"}', "helps"),
        ('{"type": "deal", "player": "pizza", "espresso": 9, "top": "R1", "helps": [3]}', "helps"),
        ('{"type": "round"}', "players"),
        ('{"type": "round", "players": ["a", "b"], "options": {"speed": 3}}', "speed"),
        ('{"type": "count", "by_back": {"pizza": -1}}', "by_back"),
        ('{"type": "amend", "line": 3, "action": {"type": "count", "by_back": {}}}', "action"),
        ('{"type": "undo"}', "line"),
        ("[" * 30_000, "no JSON"),
    ],
)
def test_a_bad_line_is_refused_with_a_sentence_that_names_it(line: str, says: str) -> None:
    with pytest.raises(NotationError, match=says) as refused:
        parse_line(line)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert len(sentence) < 250


@pytest.mark.parametrize(
    "line",
    ['{"type": "start", "t": ' + "9" * 400 + "}", '{"type": "undo", "line": ' + "9" * 5000 + "}"],
    ids=["time", "line"],
)
def test_a_number_beyond_all_bounds_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        parse_line(line)


@given(st.text(max_size=60))
def test_whatever_text_stands_there_only_a_notation_error_comes_of_it(text: str) -> None:
    try:
        parse_line(text)
    except NotationError:
        return


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KINDS = sorted({line["type"] for line in LINES})
FIELDS = sorted({name for line in LINES for name in line} - {"type"})


@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=6))
def test_whatever_the_fields_hold_only_a_notation_error_comes_of_it(
    kind: str, values: dict[str, Any]
) -> None:
    try:
        parse_entry({"type": kind, **values})
    except NotationError:
        return
