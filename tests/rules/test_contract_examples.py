"""The examples of contracts.md, `finito judge`, judged as they stand there."""

from __future__ import annotations

import json

from tests.rules.golden import answers_to, judged
from tests.rules.telling import deal, header, play, refill, start

# The round of the contracts, line for line.
ROUND = """\
{"type": "round", "game": "espresso", "variant": ["normalo"], "edition": "amigo-1995", "options": {}, \
"players": ["pizza", "gelato"]}
{"type": "deal", "player": "pizza", "espresso": 9, "top": "R3", "helps": ["B1", "G7", "Y0"]}
{"t": 0.0, "type": "start"}
{"t": 1.2, "type": "play", "player": "pizza", "face": "Y0", "from": "help3", "to": "new"}
{"t": 1.6, "type": "refill", "player": "pizza", "slot": "help3", "face": "R3", "reveals": "G2"}
{"t": 2.0, "type": "turn", "player": "pizza", "count": 3, "top": "B4"}
{"t": 2.9, "type": "play", "player": "gelato", "face": "Y1", "from": "waste", "to": 1, "reveals": "R5"}
{"t": 3.0, "type": "play", "player": "gelato", "owner": "pizza", "face": "B4", "from": "waste", "to": 2}
{"t": 4.0, "type": "take_back", "player": "gelato", "face": "Y1", "pile": 1}
{"t": 5.0, "type": "recycle", "player": "pizza", "shuffled": false}
{"t": 9.0, "type": "finito", "player": "pizza"}
{"type": "count", "by_back": {"pizza": 12, "gelato": 9}}
""".splitlines()


def test_the_round_of_the_contracts_is_answered_line_by_line_and_in_order() -> None:
    answers = [answer for _, answer in answers_to(ROUND)]
    assert [answer.get("line") for answer in answers] == [3, 4, 5, 6, 7, 8, 9, 10, 11, None]
    assert all(set(answer) >= {"line", "verdict", "rule", "why"} for answer in answers[:-1])


def test_each_line_of_the_contracts_round_hears_what_the_rules_say() -> None:
    told = {answer["line"]: (answer["verdict"], answer["rule"]) for _, answer in answers_to(ROUND[:-1])}
    assert told == {
        3: ("legal", None),
        4: ("legal", None),
        5: ("legal", None),
        6: ("legal", None),
        7: ("legal", None),
        8: ("illegal", "not-yours"),
        9: ("legal", None),
        10: ("legal", None),
        11: ("illegal", "false-finito"),
    }


def test_the_first_answer_reads_as_in_the_contracts() -> None:
    answer = next(answer for _, answer in answers_to(ROUND) if answer.get("line") == 4)
    assert answer == {"line": 4, "verdict": "legal", "rule": None, "why": "yellow 0 opens pile 1"}


def test_the_wrong_colour_answer_reads_as_in_the_contracts() -> None:
    lines = [header(), deal("pizza", "B4", "Y0", "R0", "R1"), deal("gelato", "R2", "R3", "G1", "G4"), start()]
    lines += [play("pizza", "Y0", "help1"), refill("pizza", "help1", "B4"), play("pizza", "R0", "help2")]
    lines += [refill("pizza", "help2", "??"), play("pizza", "R1", "help3", 2), refill("pizza", "help3", "??")]
    lines += [play("gelato", "R2", "espresso", 2), play("gelato", "R3", "help1", 2)]
    last = judged(*lines, play("pizza", "B4", "help1", 2))[-1]
    assert (last["verdict"], last["rule"]) == ("illegal", "wrong-colour")
    assert last["why"] == "pile 2 is red: red 4 is next, not blue 4"


def test_the_result_has_the_form_of_the_contracts() -> None:
    result = [answer for _, answer in answers_to(ROUND)][-1]
    assert result["type"] == "result"
    assert result["points"] == {"pizza": 12, "gelato": 9}
    assert result["finito"] is None, "the call was false: eight cards were left"
    assert result["totals"] == {"pizza": 12, "gelato": 9}
    assert result["winner"] is None


def test_the_result_after_a_valid_call_names_the_caller() -> None:
    lines = [
        header(),
        deal("pizza", "G0", "R0", "Y3", "B4", espresso=1),
        start(),
        play("pizza", "G0", "espresso"),
    ]
    lines += [{"type": "finito", "player": "pizza"}, {"type": "count", "by_back": {"pizza": 12, "gelato": 9}}]
    result = judged(*lines)[-1]
    assert result["points"] == {"pizza": 17, "gelato": 9}, "the figures of finito score"
    assert result["finito"] == "pizza"


def test_unknown_keys_of_a_line_are_left_alone() -> None:
    lines = [json.loads(line) for line in ROUND[:4]]
    assert (
        judged(*[line | {"confidence": 0.97, "seen": [181, 186]} for line in lines])[-1]["verdict"] == "legal"
    )
