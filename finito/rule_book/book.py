"""The rule book of one game, variant and edition, with the numbers of the game filled in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from finito.rule_book.chapters import chapters
from finito.rule_book.texts import Texts, texts_of
from referee.cards import Colour
from referee.language import words_of
from referee.language.rule_list import rules_called
from referee.language.speaking import PROPER_NAMES
from referee.rules.parameters import BOYS, PileGame
from referee.rules.pile_game import PileRules


@dataclass(frozen=True)
class Section:
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class RuleBook:
    title: str
    sections: tuple[Section, ...]
    called_title: str
    called: tuple[tuple[str, str], ...]  # the rules the referee may call: name, sentence


def rule_book(rules: PileRules, edition: str, language: str = "en") -> RuleBook:
    """The rules of a game in one language, and the names the referee calls them by."""
    texts = texts_of(language)
    values = _values(rules.game, texts, language)
    sections = tuple(
        Section(
            texts.titles[title].format(**values),
            tuple(texts.paragraphs[key].format(**values) for key in keys),
        )
        for title, keys in chapters(rules, edition)
    )
    called = tuple((rule.value, sentence) for rule, sentence in rules_called(rules, language))
    return RuleBook(_title(rules, edition), sections, texts.titles["called"], called)


def _title(rules: PileRules, edition: str) -> str:
    variants = [name for name, played in (("Zero", rules.zero), ("Chaos", rules.chaos)) if played]
    name = PROPER_NAMES[rules.game.name].game
    if rules.game.name != "espresso":
        return " ".join([name, " + ".join(variants)]).strip()
    return f"{name} {' + '.join(variants) or 'Normalo'} ({edition})"


def _values(game: PileGame, texts: Texts, language: str) -> Mapping[str, object]:
    names = PROPER_NAMES[game.name]
    colours = words_of(language).colours
    girls = [colour for colour in Colour if colour not in BOYS]
    return {
        "game": names.game,
        "race": names.race,
        "call": names.call,
        "first": game.first_number,
        "second": game.first_number + 1,
        "last": game.last_number,
        "penultimate": game.last_number - 1,
        "colours": len(Colour),
        "cards": game.cards_per_back,
        "stack": game.race_stack,
        "sides": _sides(game, texts),
        "turn": game.stock_turn,
        "low": game.min_players,
        "high": game.max_players,
        "per_card": _points(game.points_per_centre_card, texts),
        "bonus": _points(game.caller_bonus, texts),
        "minus": _points(-game.points_per_race_card_left, texts),
        "target": game.target,
        "boys": _either((colours[colour] for colour in sorted(BOYS)), texts),
        "girls": _either((colours[colour] for colour in girls), texts),
    }


def _points(points: int, texts: Texts) -> str:
    return texts.terms["point" if points == 1 else "points"].format(n=points)


def _either(words: Iterable[str], texts: Texts) -> str:
    return f" {texts.terms['or']} ".join(words)


def _sides(game: PileGame, texts: Texts) -> str:
    """How many help cards: a number, or by the number of players."""
    if len(game.side_cards) == 1:
        return str(game.side_cards[0][1])
    parts, low = [], game.min_players
    for high, cards in game.side_cards:
        term = texts.terms["sides" if low == high else "sides-range"]
        parts.append(term.format(cards=cards, low=low, high=high))
        low = high + 1
    return ", ".join(parts)
