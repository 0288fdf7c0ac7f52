"""Every golden round is judged as it says, line by line, and together they cover the rules."""

from __future__ import annotations

from typing import Any

import pytest

from referee.verdicts import Rule
from tests.rules.golden import GoldenRound, answers_to, golden_rounds

ROUNDS = golden_rounds()


def _expected(round_: GoldenRound) -> dict[int, tuple[str, str | None]]:
    return {
        number: (line["verdict"], line["rule"])
        for number, line in enumerate(round_.objects, start=1)
        if "verdict" in line
    }


@pytest.mark.parametrize("round_", [pytest.param(each, id=each.name) for each in ROUNDS])
def test_golden_round_is_judged_as_it_says(round_: GoldenRound) -> None:
    lines = round_.objects
    given: dict[int, tuple[str, str | None]] = {}
    for number, answer in answers_to(round_.lines):
        if answer.get("type") == "result":
            result: dict[str, Any] = lines[number - 1]["result"]
            assert {name: answer[name] for name in result} == result
            continue
        line = answer["line"]
        assert line not in given, f"line {line} is answered twice"
        given[line] = (answer["verdict"], answer["rule"])
        assert answer["why"]
        if "changed" in lines[line - 1]:
            changed = [
                {name: each[name] for name in ("line", "verdict", "rule")} for each in answer["changed"]
            ]
            assert changed == lines[line - 1]["changed"]
    assert given == _expected(round_)


@pytest.mark.parametrize("round_", ROUNDS, ids=lambda round_: round_.name)
def test_golden_round_says_what_it_shows_and_where_the_rule_stands(round_: GoldenRound) -> None:
    header = round_.header
    assert header["type"] == "round"
    assert header["cites"]
    assert header["shows"].endswith(".")


def test_there_are_at_least_forty_golden_rounds() -> None:
    assert len(ROUNDS) >= 40


def _rules_called(round_: GoldenRound) -> set[str]:
    return {rule for verdict, rule in _expected(round_).values() if verdict == "illegal" and rule}


@pytest.mark.parametrize("rule", list(Rule), ids=str)
def test_rule_is_broken_in_a_golden_round(rule: Rule) -> None:
    named = [each for each in ROUNDS if each.name.startswith(f"{rule}-broken")]
    assert named, f"no file {rule}-broken*.jsonl"
    assert all(rule.value in _rules_called(each) for each in named)


@pytest.mark.parametrize("rule", list(Rule), ids=str)
def test_rule_is_nearly_broken_in_a_golden_round(rule: Rule) -> None:
    named = [each for each in ROUNDS if each.name.startswith(f"{rule}-nearly")]
    assert named, f"no file {rule}-nearly*.jsonl"
    assert all(rule.value not in _rules_called(each) for each in named)


@pytest.mark.parametrize("variant", [["normalo"], ["zero"], ["chaos"], ["zero", "chaos"]], ids="+".join)
def test_variant_has_golden_rounds(variant: list[str]) -> None:
    assert sum(each.header["variant"] == variant for each in ROUNDS) >= 2


@pytest.mark.parametrize("edition", ["amigo-1995", "forum-1996", "escale"])
def test_edition_has_golden_rounds(edition: str) -> None:
    assert sum(each.header["edition"] == edition for each in ROUNDS) >= 2


@pytest.mark.parametrize("game", ["espresso", "ligretto", "dutch-blitz"])
def test_game_has_golden_rounds(game: str) -> None:
    assert sum(each.header["game"] == game for each in ROUNDS) >= 3
