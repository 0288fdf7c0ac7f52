"""Every reason and every rule can be said in English, German, French and Dutch, and sounds like it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Final

import pytest

import finito.judging
import finito.live.evidence
import referee
from referee.cards import Colour
from referee.cards import parse_face as card
from referee.errors import NotationError
from referee.language import LANGUAGES, rule_sentence, sentence
from referee.places import HELPS, PLACES
from referee.state import top
from referee.verdicts import Reason, Rule

SOURCES: Final = (
    *Path(referee.__file__).parent.rglob("*.py"),
    Path(finito.judging.__file__),
    Path(finito.live.evidence.__file__),
)
SPOKEN_AS: Final = {"of": "", "from": "place"}  # forms of one thing, which languages may choose between
RED_3, BLUE_8 = top(3, Colour.RED), top(8, Colour.BLUE)
SAMPLES: Final[dict[str, tuple[object, ...]]] = {
    "started": (),
    "running": (),
    "opens": (card("Y0"), 1),
    "joker": (card("Y0"), 1, 6),
    "fits": (card("B5"), 2),
    "refilled": ("pizza", card("R3"), "help3"),
    "turned": ("pizza", 3, card("B4")),
    "recycled": ("Anna", 1),
    "taken-back": ("gelato", card("Y1"), 1),
    "built": (card("Y4"), "help1", "pizza"),
    "finito": ("Anna",),
    "finito-late": ("Anna", "gelato"),
    "undone": (4,),
    "amended": (4,),
    "before-start": ("pizza", card("G0")),
    "after-finito": ("Anna", "pizza", card("R?")),
    "not-yours": (card("B4"), "Anna", "gelato"),
    "two-hands": ("pizza", "right", "left"),
    "both-hands": ("pizza",),
    "impossible-card": ("Anna", card("R4")),
    "must-start-with-zero": (card("G3"), 0),
    "must-start-zero-or-one": (card("?3"), 0),
    "wrong-number": (2, card("B5"), top(2, Colour.BLUE)),
    "wrong-colour": (2, card("B4"), RED_3),
    "pile-complete": (2, card("??"), BLUE_8),
    "too-late": (2, card("R3"), RED_3),
    "joker-on-eight": (2, card("R0"), BLUE_8),
    "joker-on-joker": (2, card("R0"), top(4, None, True)),
    "joker-never-followed": (card("Y0"), 3, 8),
    "joker-not-followed": ("Anna", 2),
    "joker-interrupted": ("pizza", 2),
    "from-hand": (card("G2"), "Anna"),
    "nothing-there": (card("G2"), "Anna", "waste"),
    "not-open": (card("G2"), "pizza", "espresso", card("R5")),
    "help-not-refilled": ("pizza", "help2"),
    "refill-source": ("Anna", "help2", "hand"),
    "refill-from-empty": ("pizza", "help2"),
    "refill-not-top": ("pizza", "help2", card("B3"), card("Y7")),
    "turn-count": ("pizza", 1, 3, 24),
    "false-finito": ("pizza", 1),
    "home-order": (card("R4"), "help1", card("B5")),
    "home-empty": ("pizza", "help1"),
    "maybe-after-finito": ("Anna", "pizza", card("R4")),
    "maybe-fits": (card("R?"), 2),
    "unsettled-pile": (card("R5"), 2),
    "maybe-not-refilled": ("pizza", "help1"),
    "maybe-elsewhere": (card("Y0"),),
    "maybe-both-hands": ("Anna",),
    "maybe-turn-count": ("pizza", 2, 3),
    "maybe-finito": ("Anna",),
    "maybe-home": (card("??"), "help1"),
    "slot-not-empty": ("pizza", "help1", card("Y2")),
    "nothing-to-take": ("pizza", card("Y2"), 3),
    "other-took-back": ("pizza", card("Y2"), 3, "Anna"),
    "order-unknown": (Reason("wrong-colour", (2, card("B4"), RED_3)),),
    "too-many-orders": (9,),
}
ENGLISH_LEFT: Final = {
    "de": r"\b(the|of|pile|stack|waste|hand|help|slot|left|right|both|red|yellow|green|blue|cards?|an?|is)\b",
    "fr": r"\b(the|of|stack|waste|hand|help|slot|left|right|both|red|yellow|green|blue|cards?|an|is)\b",
    "nl": r"\b(the|pile|stack|waste|help|slot|left|right|both|red|yellow|green|blue|cards?|an?)\b",
}


def placeholders(template: str) -> set[tuple[str, str]]:
    fields = Formatter().parse(template)
    return {(name, SPOKEN_AS.get(spec or "", spec or "")) for _, name, spec, _ in fields if name is not None}


def reasons_given() -> Iterator[tuple[str, int | None]]:
    """Each key that the rules or the judging pass on, and with how many values where it is spelled out."""
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            position = {"legal": 0, "Reason": 0, "illegal": 1, "unsure": 1, "make": 1}.get(call.func.id)
            if position is None or len(call.args) <= position:
                continue
            key = call.args[position]
            spelled_out = call.func.id != "Reason" and isinstance(key, ast.Constant | ast.IfExp)
            values = len(call.args) - position - 1 if spelled_out else None
            yield from ((text, values) for text in _texts(key, tree))


def _texts(key: ast.expr, tree: ast.Module) -> set[str]:
    """The texts an expression may be: literals, the names of rules, or what a variable was set to."""
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return {key.value}
    if isinstance(key, ast.IfExp):
        return _texts(key.body, tree) | _texts(key.orelse, tree)
    if isinstance(key, ast.Name):
        assigned = [each for each in ast.walk(tree) if isinstance(each, ast.Assign)]
        named = [each.value for each in assigned if ast.unparse(each.targets[0]) == key.id]
        return set().union(*(_texts(value, tree) for value in named))
    if isinstance(key, ast.Attribute) and ast.unparse(key) == "rule.value":
        return breaches_of_a_pile()
    return set()


def breaches_of_a_pile() -> set[str]:
    tree = ast.parse((Path(referee.__file__).parent / "rules" / "pile_fit.py").read_text("utf-8"))
    named = [each for each in ast.walk(tree) if isinstance(each, ast.Attribute)]
    return {Rule[each.attr].value for each in named if ast.unparse(each.value) == "Rule"}


def test_the_four_languages_are_there() -> None:
    assert list(LANGUAGES) == ["en", "de", "fr", "nl"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_values(language: str) -> None:
    english, words = LANGUAGES["en"].sentences, LANGUAGES[language].sentences
    assert list(words) == list(english)
    for key, template in words.items():
        assert placeholders(template) == placeholders(english[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_sentence(language: str) -> None:
    assert set(LANGUAGES[language].rules) == set(Rule)
    for rule in Rule:
        said = rule_sentence(rule, language)
        assert said.endswith(".")
        assert not re.search(r"[{}]", said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_and_their_twists_speak_of_the_same_numbers_in_every_language(language: str) -> None:
    english, words = LANGUAGES["en"], LANGUAGES[language]
    for kind in ("zero", "restart_on_last", "twos_after_fruitless"):
        ours, theirs = getattr(words.twists, kind), getattr(english.twists, kind)
        assert set(ours) == set(theirs)
        assert all(_numbers(ours[rule]) == _numbers(theirs[rule]) for rule in ours)
    assert all(_numbers(words.rules[rule]) == _numbers(english.rules[rule]) for rule in Rule)


def _numbers(template: str) -> set[str]:
    return {name for name, _ in placeholders(template)} - {"race", "call"}


def test_every_reason_the_rules_give_can_be_said_and_nothing_else_is_kept() -> None:
    given = {key for key, _ in reasons_given()}
    assert given == set(LANGUAGES["en"].sentences)


def test_a_sentence_asks_for_no_more_values_than_the_rules_pass() -> None:
    for key, values in reasons_given():
        asked = [int(name) for name, _ in placeholders(LANGUAGES["en"].sentences[key]) if name.isdigit()]
        assert values is None or values > max(asked, default=-1), key


def test_the_samples_cover_every_sentence() -> None:
    assert set(SAMPLES) == set(LANGUAGES["en"].sentences)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", SAMPLES)
def test_a_sentence_is_whole_and_in_its_own_language(key: str, language: str) -> None:
    for values in _with_other_places(SAMPLES[key]):
        said = sentence(Reason(key, values), language)
        assert not re.search(r"[{}]|  |None|Colour|Face\(|Top\(|\?", said), said
        assert said == said.strip()
        if language in ENGLISH_LEFT:
            assert not re.search(ENGLISH_LEFT[language], said), said


def _with_other_places(values: tuple[object, ...]) -> Iterator[tuple[object, ...]]:
    for index, value in enumerate(values):
        if value in PLACES:
            instead = HELPS if value in HELPS else PLACES
            yield from ((*values[:index], place, *values[index + 1 :]) for place in instead)
    yield values


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["left", "waste", "espresso", "help1", "hand", "{0}", "{race}", "both"])
def test_a_player_may_be_called_like_a_place_or_a_hand(name: str, language: str) -> None:
    for key in ("both-hands", "before-start", "finito", "turned", "joker-interrupted"):
        values = tuple(name if value in ("pizza", "Anna") else value for value in SAMPLES[key])
        usual = tuple("pizza" if value in ("pizza", "Anna") else value for value in SAMPLES[key])
        expected = sentence(Reason(key, usual), language).replace("pizza", name)
        said = sentence(Reason(key, values), language)
        if language == "fr":  # the apostrophe before a vowel
            said, expected = said.replace("d’", "de "), expected.replace("d’", "de ")
        assert said == expected


@pytest.mark.parametrize(
    ("language", "opens", "wrong"),
    [
        ("en", "yellow 0 opens pile 1", "pile 2 is red: red 4 is next, not blue 4"),
        (
            "de",
            "die gelbe 0 eröffnet Stapel 1",
            "Stapel 2 ist rot: jetzt kommt die rote 4, nicht die blaue 4",
        ),
        ("fr", "le 0 jaune ouvre la pile 1", "la pile 2 est rouge : on attend le 4 rouge, pas le 4 bleu"),
        ("nl", "de gele 0 opent stapel 1", "stapel 2 is rood: nu komt de rode 4, niet de blauwe 4"),
    ],
)
def test_the_examples_of_the_contracts(language: str, opens: str, wrong: str) -> None:
    assert sentence(Reason("opens", SAMPLES["opens"]), language) == opens
    assert sentence(Reason("wrong-colour", SAMPLES["wrong-colour"]), language) == wrong


def test_french_piles_are_feminine_numbers_masculine() -> None:
    green = Reason("wrong-colour", (1, card("B4"), top(3, Colour.GREEN)))
    assert sentence(green, "fr") == "la pile 1 est verte : on attend le 4 vert, pas le 4 bleu"
    assert "une carte bleue" in sentence(Reason("maybe-fits", (card("B?"), 1)), "fr")


def test_french_elides_before_a_vowel() -> None:
    assert "pile Espresso d’Anna" in sentence(Reason("finito", ("Anna",)), "fr")
    assert "pile Espresso d’Éloïse" in sentence(Reason("finito", ("Éloïse",)), "fr")
    assert "pile Espresso de pizza" in sentence(Reason("finito", ("pizza",)), "fr")


def test_one_card_is_not_said_in_the_plural() -> None:
    one, three = Reason("turned", ("pizza", 1)), Reason("turned", ("pizza", 3))
    for language, (single, several) in {
        "en": ("1 card ", "3 cards "),
        "de": ("1 Karte ", "3 Karten "),
        "fr": ("1 carte ", "3 cartes "),
        "nl": ("1 kaart ", "3 kaarten "),
    }.items():
        assert single in sentence(one, language)
        assert several in sentence(three, language)


def test_english_says_an_eight() -> None:
    assert "an 8 of unread colour" in sentence(Reason("maybe-fits", (card("?8"), 1)))


def test_upon_a_joker_any_colour_is_next() -> None:
    reason = Reason("wrong-number", (1, card("B7"), top(3, None, True)))
    assert sentence(reason, "de") == "auf Stapel 1 kommt jetzt eine 4 in beliebiger Farbe, nicht die blaue 7"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("below", [None, BLUE_8])
def test_where_no_one_card_is_next_none_is_named(below: object, language: str) -> None:
    said = sentence(Reason("wrong-number", (1, card("R?"), below)), language)
    assert LANGUAGES[language].other_card in said
    assert "9" not in said


def test_each_game_calls_its_stack_by_its_own_name() -> None:
    reason = Reason("false-finito", ("pizza", 2))
    assert (
        sentence(reason, "en", "ligretto") == "pizza calls Ligretto with 2 cards left on the Ligretto stack"
    )
    assert (
        sentence(reason, "de", "dutch-blitz") == "pizza ruft Blitz und hat noch 2 Karten auf dem Blitz-Stapel"
    )
    assert rule_sentence(Rule.PILE_COMPLETE, "en", "ligretto") == (
        "A pile that has reached the 10 takes no more cards."
    )


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NotationError, match="'it' is not known; known are en, de, fr, nl"):
        sentence(Reason("started"), "it")
