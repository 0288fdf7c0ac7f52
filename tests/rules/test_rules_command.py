"""`finito rules`: whoever has only its print can play the game, in each variant, edition and language."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from itertools import product
from string import Formatter
from typing import Any, Final

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

import finito.cli
from finito.cli import rules as command
from finito.errors import BadInput
from finito.rule_book.book import RuleBook, rule_book
from finito.rule_book.chapters import chapters
from finito.rule_book.texts import texts_of
from referee.actions import RoundHeader
from referee.language import LANGUAGES
from referee.rules.espresso import EDITIONS, rules_for
from referee.rules.parameters import ESPRESSO, PILE_GAMES
from referee.rules.pile_game import PileRules
from referee.verdicts import Rule

VARIANTS: Final = (("normalo",), ("zero",), ("chaos",), ("zero", "chaos"))
PLAYERS: Final = ("pizza", "gelato")
ROUNDS: Final = tuple(
    (game, variant, edition)
    for game, variant, edition in product(PILE_GAMES, VARIANTS, EDITIONS)
    if game == "espresso" or ("zero" not in variant and edition == "amigo-1995")
)


def app() -> typer.Typer:
    made = typer.Typer(pretty_exceptions_enable=False)
    made.callback()(lambda: None)  # without it a lone command would swallow its own name
    command.register(made)
    return made


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app(), ["rules", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def printed(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return answer


def played(game: str, variant: tuple[str, ...], edition: str) -> PileRules:
    return rules_for(RoundHeader(game=game, variant=variant, edition=edition, players=PLAYERS))


def text_of(book: RuleBook) -> str:
    return "\n".join(text for section in book.sections for text in (section.title, *section.paragraphs))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "variant", "edition"), ROUNDS)
def test_every_game_variant_and_edition_is_whole_in_every_language(
    game: str, variant: tuple[str, ...], edition: str, language: str
) -> None:
    rules = played(game, variant, edition)
    book, english = rule_book(rules, edition, language), rule_book(rules, edition, "en")
    assert not re.search(r"[{}]|  |None", text_of(book))
    assert [len(each.paragraphs) for each in book.sections] == [
        len(each.paragraphs) for each in english.sections
    ]
    assert [name for name, _ in book.called] == [name for name, _ in english.called]
    numbers = re.compile(r"\d+")
    for ours, theirs in zip(book.sections, english.sections, strict=True):
        said = [sorted(set(numbers.findall(text))) for text in ours.paragraphs]
        assert said == [sorted(set(numbers.findall(text))) for text in theirs.paragraphs], ours.title


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there_with_the_same_numbers_and_none_is_left_over(language: str) -> None:
    texts, english = texts_of(language), texts_of("en")
    assert set(texts.titles) == set(english.titles)
    assert set(texts.terms) == set(english.terms)
    assert set(texts.paragraphs) == set(english.paragraphs)
    for key, text in texts.paragraphs.items():
        assert _fields(text) == _fields(english.paragraphs[key]), key
    used = [chapter for round_ in ROUNDS for chapter in chapters(played(*round_), round_[2])]
    assert set(texts.paragraphs) == {key for _, keys in used for key in keys}
    assert set(texts.titles) == {title for title, _ in used} | {"called"}


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_come_from_the_parameters_of_the_game(language: str) -> None:
    odd = replace(
        ESPRESSO,
        race_stack=41,
        side_cards=((6, 42),),
        stock_turn=43,
        caller_bonus=44,
        target=45,
        last_number=13,
    )
    book = rule_book(PileRules(odd, PLAYERS), "amigo-1995", language)
    assert {"41", "42", "43", "44", "45", "13"} <= set(re.findall(r"\d+", text_of(book)))
    assert not {"100", "36", "9"} & set(re.findall(r"\d+", text_of(book)))
    assert any("43" in sentence for _, sentence in book.called)


def test_each_rule_name_is_printed_where_it_can_be_called() -> None:
    every = {rule.value for rule in Rule}
    called = {
        (game, variant): {each["rule"] for each in printed("--game", game, *_options(variant))["rules"]}
        for game, variant, _ in ROUNDS
    }
    jokers = {"joker-on-eight", "joker-on-joker", "joker-not-followed"}
    assert set().union(*called.values()) == every
    assert called["espresso", ("normalo",)] == every - jokers - {"home-order"}
    assert called["espresso", ("zero",)] == every - {"home-order"}
    assert called["espresso", ("zero", "chaos")] == every - {"home-order", "not-yours"}
    assert called["dutch-blitz", ("normalo",)] == every - jokers


def _options(variant: tuple[str, ...]) -> list[str]:
    return [word for name in variant for word in ("--variant", name)]


def test_zero_says_what_the_joker_may_do() -> None:
    zero = "\n".join(_paragraphs(printed("--variant", "zero"), "Variant: Zero"))
    assert "begin with a 0 or with a 1" in zero
    assert "may not lie on the 8, and not on another joker" in zero
    assert "cannot be used on a 7" in zero
    assert not _paragraphs(printed(), "Variant: Zero")


def test_chaos_lifts_the_taboo() -> None:
    assert "The cards of the others are taboo." in run()
    chaos = run("--variant", "chaos")
    assert "The cards of the others are taboo." not in chaos
    assert "may take one away if you lay it in the centre at once" in chaos


def _paragraphs(answer: dict[str, Any], title: str) -> list[str]:
    return [text for each in answer["sections"] if each["title"] == title for text in each["paragraphs"]]


def test_forum_restarts_on_the_last_number_and_turns_twos() -> None:
    forum, amigo = run("--edition", "forum-1996"), run()
    for fact in ("Only a 0 of the same colour", "turn 2 cards at a time", "If nobody can play any more"):
        assert fact in forum
        assert fact not in amigo
    both = run("--edition", "forum-1996", "--variant", "zero")
    assert "Only a 0 of the same colour" not in both
    assert "This edition has no Zero" in both


def test_escale_lays_the_stack_face_down() -> None:
    assert "numbers down, then turn up the top one" in run("--edition", "escale")
    assert "numbers down, then turn up the top one" not in run()


def test_ligretto_and_dutch_blitz_have_their_own_numbers() -> None:
    ligretto, blitz = run("--game", "ligretto"), run("--game", "dutch-blitz")
    assert "5 with 2 players, 4 with 3 players, 3 with 4 to 12 players" in ligretto
    assert "Each card left on your Ligretto stack costs you 2 points." in ligretto
    assert "on top." not in ligretto.split("Scoring")[1].split("The match")[0]
    assert "Whoever is first to reach 75 wins" in blitz
    assert "A red or blue card is a boy, a yellow or green one a girl." in blitz
    assert "boys and girls" not in ligretto


def test_variants_may_be_given_one_by_one_or_with_a_comma() -> None:
    assert run("--variant", "zero,chaos") == run("--variant", "zero", "--variant", "chaos")
    assert printed("--variant", "zero,chaos")["variant"] == ["zero", "chaos"]
    assert printed("--variant", "normalo")["variant"] == ["normalo"]


def test_json_is_one_object_and_nothing_else() -> None:
    out = run("--json", "--lang", "de", "--game", "ligretto")
    assert out.count("\n") == 1
    answer = json.loads(out)
    assert answer["game"] == "ligretto"
    assert answer["edition"] is None
    assert answer["language"] == "de"
    assert {"rule": "before-start", "sentence": "Vor dem Startruf spielt niemand."} in answer["rules"]


def test_in_a_pipe_the_text_is_plain_with_a_paragraph_to_a_line() -> None:
    out = run("--lang", "fr")
    assert "\x1b" not in out
    book = rule_book(played("espresso", (), "amigo-1995"), "amigo-1995", "fr")
    assert {text for section in book.sections for text in section.paragraphs} <= set(out.splitlines())


def test_on_a_terminal_the_text_is_styled_and_wrapped() -> None:
    console = Console(force_terminal=True, width=60, color_system="truecolor")
    with console.capture() as shown:
        command.print_book(rule_book(played("espresso", (), "amigo-1995"), "amigo-1995"), console)
    out = shown.get()
    assert "\x1b[1;36mAim" in out
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in out.splitlines()) <= 60


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "skat"], "the game 'skat' is not known; known are espresso, ligretto, dutch-blitz"),
        (["--variant", "turbo"], "the variant 'turbo' is not known; known are normalo, zero, chaos"),
        (["--variant", "normalo,zero"], '"normalo" is the game without variants'),
        (["--edition", "2020"], "the edition '2020' is not known; known are amigo-1995"),
        (["--lang", "it"], "the language 'it' is not known; known are en, de, fr, nl"),
        (["--game", "ligretto", "--variant", "zero"], "zero needs cards with a 0; ligretto has none"),
        (["--game", "ligretto", "--edition", "escale"], "leave --edition out for ligretto"),
    ],
)
def test_an_unknown_word_is_one_sentence_and_exit_1(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(finito.cli, "build_app", app)
    monkeypatch.setattr(sys, "argv", ["finito", "rules", *arguments])
    with pytest.raises(SystemExit) as stopped:
        finito.cli.main()
    shown = capsys.readouterr()
    assert stopped.value.code == 1
    assert shown.out == ""
    assert sentence in shown.err
    assert shown.err.count("\n") == 1


def test_wrong_usage_is_exit_2() -> None:
    assert CliRunner().invoke(app(), ["rules", "--colour", "red"]).exit_code == 2


def test_the_refusal_is_bad_input() -> None:
    with pytest.raises(BadInput):
        command.rules(game="skat")
