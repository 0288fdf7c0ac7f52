"""Which paragraphs the rules of a game, variant and edition are made of."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules.pile_game import PileRules

Chapter = tuple[str, tuple[str, ...]]  # the key of its title, the keys of its paragraphs


def chapters(rules: PileRules, edition: str) -> Iterator[Chapter]:
    """The chapters in the order in which one learns the game."""
    espresso = rules.game.name == "espresso"
    escale = espresso and edition == "escale"
    yield "aim", ("aim",)
    yield "setup", _setup(rules, escale)
    yield "centre", _centre(rules, espresso)
    yield "open", _open(rules, escale)
    yield "helps", ("refill",)
    if rules.game.home_building:
        yield "home", ("home", "home-colours")
    yield "hand", _hand(rules, espresso)
    yield "rush", ("together", "faster", "one-hand")
    yield "end", ("finito", "false-finito")
    yield "scoring", _scoring(rules)
    yield "match", ("next-round", "target", *(("round-alone",) if escale else ()))
    if rules.zero:
        yield "zero", ("zero-open", "zero-joker", "zero-follow", "zero-limits", "zero-example")
    if rules.chaos:
        yield "chaos", ("chaos-steal", "chaos-hand", "chaos-owner")
    if espresso:
        yield "edition", _edition(rules, edition)


def _setup(rules: PileRules, escale: bool) -> tuple[str, ...]:
    game = rules.game
    stack = "stack-face-down" if escale else "stack"
    sides = "sides" if len(game.side_cards) == 1 else "sides-by-players"
    names = () if game.name == "espresso" else (f"names-{game.name}",)
    return ("deck", stack, sides, "rest", "fair-start", *names)


def _centre(rules: PileRules, espresso: bool) -> tuple[str, ...]:
    start = "start-espresso" if espresso else "start"
    return start, "piles", "complete-restart" if rules.restart_on_last else "complete"


def _open(rules: PileRules, escale: bool) -> tuple[str, ...]:
    taboo = () if rules.chaos else ("taboo",)
    return ("open", *taboo, "race-first", *(("turn-up",) if escale else ()))


def _hand(rules: PileRules, espresso: bool) -> tuple[str, ...]:
    if rules.twos_after_fruitless:
        return "turn", "waste-top", "take-up-shuffled", "left-over", "twos", "impasse"
    return ("turn", "waste-top", "take-up", "left-over", *(("fruitless",) if espresso else ()))


def _scoring(rules: PileRules) -> tuple[str, ...]:
    bonus = ("bonus",) if rules.game.caller_bonus else ()
    minus = ("minus",) if rules.game.points_per_race_card_left else ()
    return ("points", *bonus, *minus)


def _edition(rules: PileRules, edition: str) -> tuple[str, ...]:
    jokers = ("forum-1996-zero",) if edition == "forum-1996" and rules.zero else ()
    restart = ("forum-1996-restart",) if rules.restart_on_last else ()
    hand = ("forum-1996-hand",) if rules.twos_after_fruitless else ()
    return (edition, *restart, *hand, *jokers)
