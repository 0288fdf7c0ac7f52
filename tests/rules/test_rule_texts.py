"""Every example of the printed rules, judged as it says. Each docstring cites file and clause."""

from __future__ import annotations

import pytest

from tests.rules.golden import Json, judged
from tests.rules.telling import LEGAL, deal, grown, header, illegal, play, refill, start, turn, verdicts

RED = [f"R{n}" for n in range(9)]


def upon(
    variant: tuple[str, ...], edition: str, below: list[str], *laid: str
) -> list[tuple[str, str | None]]:
    """What pizza hears for cards laid one after the other upon a pile that gelato has grown."""
    helps = [*laid[:3], *["??"] * (3 - len(laid[:3]))]
    pile = grown(1, *below) if below else []
    cards = [
        play("pizza", card, f"help{n}", 1 if below or n > 1 else "new") for n, card in enumerate(laid, 1)
    ]
    told = verdicts(header(*variant, edition=edition), deal("pizza", "??", *helps), start(), *pile, *cards)
    assert told[: len(pile)] == [LEGAL] * len(pile)
    return told[len(pile) :]


@pytest.mark.parametrize(
    ("below", "card"),
    [
        (["R0"], "R1"),
        (["B0", "B1", "B2", "B3", "B4"], "B5"),
        (["Y0", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"], "Y8"),
    ],
)
def test_red_one_on_red_zero_blue_five_on_blue_four_yellow_eight_on_yellow_seven(
    below: list[str], card: str
) -> None:
    """espresso-de.txt and espresso-en.txt, Regeln im Chaos / Rules in the chaos."""
    assert upon((), "amigo-1995", below, card) == [LEGAL]


def test_a_zero_may_always_open_a_new_pile() -> None:
    """espresso-de.txt and espresso-en.txt, Regeln im Chaos / Rules in the chaos."""
    assert upon((), "amigo-1995", [], "R0") == [LEGAL]


@pytest.mark.parametrize("edition", ["amigo-1995", "forum-1996", "escale"])
def test_a_pile_climbs_from_zero_to_eight_in_one_colour(edition: str) -> None:
    """espresso-de.txt, Spielverlauf; espresso-nl.txt, Spelverloop; espresso-fr.txt, Déroulement du jeu."""
    assert upon((), edition, RED[:8], "R8") == [LEGAL]
    assert upon((), edition, RED[:3], "B3") == [illegal("wrong-colour")]
    assert upon((), edition, RED[:3], "R4") == [illegal("wrong-number")]
    assert upon((), edition, [], "R1") == [illegal("must-start-with-zero")]


def test_nothing_goes_on_an_eight() -> None:
    """espresso-fr.txt, Déroulement du jeu: the pile is complete with its 8."""
    assert upon((), "escale", RED, "R0") == [illegal("pile-complete")]


def test_a_zero_of_the_same_colour_goes_on_an_eight() -> None:
    """espresso-nl.txt, Spelverloop: a 0 opens a pile or goes on an 8 of its own colour."""
    assert upon((), "forum-1996", RED, "R0") == [LEGAL]
    assert upon((), "forum-1996", RED, "Y0") == [illegal("pile-complete")]


@pytest.mark.parametrize(
    ("below", "joker", "follower"),
    [
        ([], "G0", "B1"),  # the German example
        ([], "B0", "G1"),  # the English one
        (["R1", "R2", "R3", "R4", "R5"], "Y0", "R7"),
        (["B1", "B2", "B3", "B4", "B5", "B6"], "G0", "Y8"),  # German and French
    ],
)
@pytest.mark.parametrize("edition", ["amigo-1995", "escale"])
def test_zero_variant_joker_and_its_follower(
    below: list[str], joker: str, follower: str, edition: str
) -> None:
    """espresso-de.txt, Espresso Zero, Beispiele; espresso-en.txt, Espresso Zero, examples; espresso-fr.txt,
    Variantes, Exemple."""
    assert upon(("zero",), edition, below, joker, follower) == [LEGAL, LEGAL]


def test_zero_variant_colour_goes_on_as_the_follower_says() -> None:
    """espresso-fr.txt, Variantes, Exemple: the second card sets the new colour of the pile."""
    told = upon(("zero",), "escale", ["B1", "B2", "B3"], "G0", "Y5", "B6")
    assert told[:2] == [LEGAL, LEGAL]
    assert told[2] == illegal("wrong-colour")


def test_zero_variant_piles_begin_with_a_zero_or_a_one() -> None:
    """espresso-de.txt, Espresso Zero."""
    assert upon(("zero",), "amigo-1995", [], "R1") == [LEGAL]
    assert upon(("zero",), "amigo-1995", [], "R2") == [illegal("must-start-with-zero")]


def test_zero_variant_no_joker_on_an_eight_nor_on_a_joker() -> None:
    """espresso-de.txt, Espresso Zero: any card but the 8; never a 0 directly on a 0."""
    assert upon(("zero",), "amigo-1995", RED[1:], "Y0") == [illegal("joker-on-eight")]
    assert upon(("zero",), "amigo-1995", ["R1"], "Y0", "B0")[1] == illegal("joker-on-joker")


def test_zero_variant_more_than_two_jokers_in_one_pile() -> None:
    """espresso-de.txt, Espresso Zero: more than two 0 cards in one pile are possible."""
    lines = [
        header("zero"),
        start(),
        *grown(1, "R0", "G1", "Y0", "B3", "B0", "R5"),
    ]
    assert verdicts(*lines) == [LEGAL] * 6


def test_chaos_open_cards_may_be_stolen_and_without_chaos_they_are_taboo() -> None:
    """espresso-de.txt and espresso-en.txt, Espresso Chaos; espresso-fr.txt, Variantes."""
    stolen = play("pizza", "R1", "help1", 1, owner="gelato")
    table = [deal("pizza", "R2", "R0", "G4", "B4"), deal("gelato", "R5", "R1", "G7", "Y3"), start()]
    lines = [*table, play("pizza", "R0", "help1"), refill("pizza", "help1", "R2", "Y8"), stolen]
    own = play("pizza", "R2", "help1", 1)
    assert verdicts(header("chaos"), *lines, own)[2:] == [LEGAL, LEGAL]
    assert verdicts(header(), *lines)[2] == illegal("not-yours")


@pytest.mark.parametrize("edition", ["amigo-1995", "forum-1996", "escale"])
def test_a_played_help_card_is_replaced_by_the_top_of_the_stack(edition: str) -> None:
    """espresso-de.txt, Hilfskarten; espresso-nl.txt, Spelverloop; espresso-fr.txt, Déroulement du jeu."""
    table = [
        header(edition=edition),
        deal("pizza", "R2", "R0", "Y0", "B4"),
        start(),
        play("pizza", "R0", "help1"),
    ]
    assert verdicts(*table, refill("pizza", "help1", "R2", "Y8"))[1] == LEGAL
    assert verdicts(*table, play("pizza", "Y0", "help2"))[1] == illegal("help-not-refilled")
    assert verdicts(*table, refill("pizza", "help1", "B4", **{"from": "waste"}))[1] == illegal(
        "refill-source"
    )


def passes(turns: int, count: int = 3) -> list[Json]:
    return [turn("pizza", count) for _ in range(turns)]


def test_three_cards_are_turned_and_the_waste_is_taken_up_at_the_end() -> None:
    """espresso-de.txt, Die Karten in der Hand; espresso-fr.txt, Déroulement du jeu."""
    table = [header(), deal("pizza", "R2", "R0", "Y0", "B4"), start()]
    recycle = {"type": "recycle", "player": "pizza", "shuffled": False}
    assert verdicts(*table, *passes(8), recycle, *passes(8)) == [LEGAL] * 17
    assert verdicts(*table, turn("pizza", 2)) == [illegal("turn-count")]


def test_one_or_two_left_in_hand_the_waste_goes_below_them() -> None:
    """espresso-de.txt and espresso-en.txt, Die Karten in der Hand / Cards in the hand."""
    table = [header(), deal("pizza", "R2", "R4", "Y5", "B4"), start()]
    recycle = {"type": "recycle", "player": "pizza", "shuffled": False}
    played = [turn("pizza", 3, "R0"), play("pizza", "R0", "waste"), *passes(7)]
    assert verdicts(*table, *played, recycle, *passes(7), recycle, turn("pizza", 3)) == [LEGAL] * 19


def test_two_instead_of_three_after_a_pass_without_a_play_until_one_succeeds() -> None:
    """espresso-nl.txt, Spelverloop."""
    table = [header(edition="forum-1996"), deal("pizza", "R2", "R4", "Y5", "B4"), start(), *passes(8)]
    recycle = {"type": "recycle", "player": "pizza", "shuffled": True}
    twos = [recycle, turn("pizza", 2), turn("pizza", 2, "G0"), play("pizza", "G0", "waste")]
    assert verdicts(*table, *twos)[8:] == [LEGAL] * 4
    assert verdicts(*table, *twos, turn("pizza", 2))[-1] == illegal("turn-count")
    assert verdicts(*table, *twos, turn("pizza", 3))[-1] == LEGAL


def test_the_slower_of_two_equal_cards_goes_back() -> None:
    """espresso-de.txt and espresso-en.txt, Regeln im Chaos / Rules in the chaos."""
    lines = [header(), start(), *grown(1, "G0", "G1"), play("pizza", "G1", "help1", 1)]
    lines.append({"type": "take_back", "player": "pizza", "face": "G1", "pile": 1})
    assert verdicts(*lines)[2:] == [illegal("too-late"), LEGAL]


def test_one_hand_plays_the_other_holds_the_deck() -> None:
    """espresso-de.txt, Regeln im Chaos; espresso-nl.txt, Spelverloop; espresso-fr.txt, Déroulement du jeu."""
    lines = [header(), start(), *grown(1, "G0")]
    right = play("pizza", "G1", "waste", 1, hand="right")
    told = verdicts(*lines, right, play("pizza", "G2", "waste", 1, hand="left"))
    assert told[1:] == [LEGAL, illegal("two-hands")]


@pytest.mark.parametrize("edition", ["amigo-1995", "forum-1996", "escale"])
def test_the_last_stack_card_in_the_centre_or_as_a_help_card_is_finito(edition: str) -> None:
    """espresso-de.txt and -en.txt, Finito; espresso-nl.txt, Einde van het spel; espresso-fr.txt, Fin de la
    partie."""
    table = [header(edition=edition), deal("pizza", "G0", "R0", "Y3", "B4", espresso=1), start()]
    finito = {"type": "finito", "player": "pizza"}
    centre = verdicts(*table, play("pizza", "G0", "espresso"), finito)
    helped = verdicts(*table, play("pizza", "R0", "help1"), refill("pizza", "help1", "G0"), finito)
    assert centre[-1] == helped[-1] == LEGAL
    assert verdicts(*table, finito) == [illegal("false-finito")]
    late = verdicts(*table, play("pizza", "G0", "espresso"), finito, play("gelato", "B0", "waste"))
    assert late[-1] == illegal("after-finito")


def test_nine_cards_with_the_pizza_back_are_nine_points_and_the_call_five_more() -> None:
    """espresso-de.txt, Die Punkteabrechnung; espresso-en.txt, Points; espresso-nl.txt, Puntentelling."""
    table = [header(), deal("pizza", "G0", "R0", "Y3", "B4", espresso=1), start()]
    call = [play("pizza", "G0", "espresso"), {"type": "finito", "player": "pizza"}]
    count = {"type": "count", "by_back": {"pizza": 9, "gelato": 12}}
    assert judged(*table, *call, count)[-1]["points"] == {"pizza": 14, "gelato": 12}
    assert judged(*table, count)[-1]["points"] == {"pizza": 9, "gelato": 12}


def test_the_first_with_a_hundred_points_wins() -> None:
    """espresso-de.txt, Spielenden; espresso-en.txt, Winning the game; espresso-nl.txt, Doel van het spel."""
    count = {"type": "count", "by_back": {"pizza": 9, "gelato": 12}}
    options = {"totals": {"pizza": 91, "gelato": 80}}
    assert judged(header(options=options), start(), count)[-1]["winner"] == "pizza"
    options = {"totals": {"pizza": 90, "gelato": 80}}
    assert judged(header(options=options), start(), count)[-1]["winner"] is None
