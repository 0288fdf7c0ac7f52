"""What settles a question: cards seen to stay, arms busy elsewhere, places that cannot have changed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from finito.live.entries import Entry
from finito.live.hands import PlayingHands
from referee.actions import Finito, Play, Refill, Turn
from tests.live.watched_table import begun, last_play, plain
from vision.inference.arriving import _laid_not_pushed
from vision.inference.inferred import Inferred
from vision.inference.table import Change, Layer
from vision.observations import Chances, Covered, Look, Spot, centre_spot


def test_a_slot_seen_to_keep_its_card_is_not_empty_for_the_rest_of_the_round() -> None:
    """Pizza drew a yellow 0 from the hand while an arm lay over gelato's, in a help slot."""
    table = begun(gelato_help2="Y0", pizza_help1="G5")
    table.tell(Covered(Spot("gelato", "help2"), table.at - 0.4, table.at, (("gelato", 0.98),)))
    arms: Chances = (("gelato", 0.5), ("pizza", 0.48))
    table.pile(1, "Y0", "", reach=arms, faces=plain("Y0", "Y8"))
    table.wait(7)
    assert last_play(table)[0] == "unsure"
    table.shows("gelato", "waste", "B6", faces=plain("B6", "B8"))
    table.wait(3)
    turn = table.events(Turn)[-1].verdict
    assert (turn.outcome.value, turn.rule) == ("legal", None)


@pytest.mark.parametrize(
    ("elsewhere", "verdict"), [(True, ("illegal", "not-open")), (False, ("unsure", "not-open"))]
)
def test_an_arm_that_laid_another_card_just_then_laid_none_from_the_hand(
    elsewhere: bool, verdict: tuple[str, str]
) -> None:
    table = begun(gelato_help2="R0", gelato_espresso="B5")
    for player in ("pizza", "gelato"):
        table.shows(player, "waste", "R5", faces=plain("R5", "R6"))
    table.wait(4)
    if elsewhere:
        table.shows("gelato", "help2", None, since=table.at - 0.6, t=table.at - 0.3)
        table.pile(1, "R0", "gelato", since=table.at - 0.4, t=table.at - 0.1, faces=plain("R0", "R8"))
    arms: Chances = (("gelato", 0.5), ("pizza", 0.48))
    table.pile(2, "G0", "", reach=arms, since=table.at - 0.45, t=table.at, faces=plain("G0", "G8"))
    table.wait(8)
    drawn, play = table.told_of("G0")[-1]
    assert (drawn.verdict.outcome.value, drawn.verdict.rule) == verdict
    assert not elsewhere or play.player == "pizza"


@pytest.mark.parametrize(("thief", "outcome"), [(0.93, "illegal"), (0.5, "unsure")])
def test_whose_arm_alone_took_the_card_laid_it_though_another_passed_the_pile(
    thief: float, outcome: str
) -> None:
    table = begun()
    table.shows("gelato", "waste", "R0", faces=plain("R0", "R8"))
    table.wait(3)
    taking: Chances = (("pizza", thief), ("gelato", 0.97 - thief))
    table.shows("gelato", "waste", None, reach=taking, since=table.at - 0.4)
    table.wait(0.4)
    laying: Chances = (("pizza", 0.57), ("insalata", 0.4))
    table.pile(1, "R0", "", reach=laying, since=table.at - 0.4, faces=plain("R0", "R8"))
    table.wait(8)
    said = [event.verdict.outcome.value for event in table.events(Play) if event.action.player == "pizza"]
    assert ("illegal" in said) == (outcome == "illegal")


@pytest.mark.parametrize(("moved", "outcome"), [(False, "illegal"), (True, "unsure")])
def test_a_slot_under_a_hand_stays_empty_while_the_stack_keeps_its_cards(moved: bool, outcome: str) -> None:
    table = begun()
    table.shows("pizza", "waste", "G0", faces=plain("G0", "G6"))
    table.wait(3)
    table.play("pizza", "help1", 1, "Y0", faces=plain("Y0", "Y8"))
    table.wait(0.5)
    table.cover("pizza", "help1", 1.0)
    if moved:
        table.shows("pizza", "espresso", "R3", faces=plain("R3", "R8"), since=table.at - 0.3)
    table.shows("pizza", "waste", None, since=table.at - 0.7)
    table.pile(2, "G0", "pizza", since=table.at - 0.3, faces=plain("G0", "G6"))
    table.wait(1.0)
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(8)
    assert last_play(table) == (outcome, "help-not-refilled")


def test_a_refill_from_the_hand_is_called_whichever_card_it_was() -> None:
    table = begun()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(2)
    table.shows("pizza", "help1", "G7", faces=(("G7", 0.985), ("G1", 0.012)), since=table.at - 0.3)
    table.wait(12)
    filled = table.events(Refill)[-1].verdict
    assert (filled.outcome.value, filled.rule) == ("illegal", "refill-source")


def test_the_last_card_of_a_stack_is_not_laid_after_its_own_finito() -> None:
    """The stack was seen empty half a second before its card lay on the pile."""
    table = begun()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(2)
    table.referee.log.state.sides[1].__dict__.update(espresso=1, espresso_least=1)
    table.shows("gelato", "espresso", None, since=table.at - 0.6, t=table.at - 0.3)
    table.wait(0.4)
    table.pile(1, "Y1", "gelato", since=table.at - 0.2, t=table.at, faces=plain("Y1", "Y7"))
    table.wait(4)
    assert table.events(Finito)
    assert ("unsure", "after-finito") not in table.verdicts().values()


def told_hands() -> PlayingHands:
    """Hands at a table where they can be told."""
    hands = PlayingHands()
    for number in range(8):
        hands.taken(_play(number, "right"))
    return hands


def _play(number: int, hand: str | None) -> Entry:
    since, t, reach = number + 1.0, number + 1.3, (("pizza", 0.95),)
    look = Look(centre_spot(1), since, t, "face", reach=reach, hand=hand)  # type: ignore[arg-type]
    home = replace(look, spot=Spot("pizza", "waste"))
    table = begun()
    face = table.referee.inference.setting.faces.all[number]
    play = Play("pizza", face, "waste", 1, hand=hand)  # type: ignore[arg-type]
    said = Inferred(number, play, 1.0, t, (0, 1), (home, look), hand_looks=2)
    return Entry(number, play, t, said)


def test_a_hand_that_a_later_word_tells_is_no_question_any_more() -> None:
    hands, entry = told_hands(), _play(20, None)
    hands.taken(entry)
    assert entry.handless
    entry.inferred = _play(20, "right").inferred
    hands.amended(entry)
    assert not entry.handless


def test_a_play_told_anew_shows_its_hand_once() -> None:
    hands, later = PlayingHands(), _play(2, "right")
    for _ in range(3):
        hands.taken(_play(1, "left"))
    hands.taken(later)
    assert isinstance(later.what, Play)
    assert later.what.hand is None


@pytest.mark.parametrize("off", [0.0, 30.0, 965.0, 1200.0, 1e5])
def test_however_far_a_pile_moved_it_is_weighed(off: float) -> None:
    look = Look(centre_spot(1), 1.0, 1.3, "face")
    layer = Layer((), (), (), 1.0, look)
    rather = _laid_not_pushed(layer, Change(1, replace(look, at=(off, 0.0)), None, 1.4))
    assert math.isfinite(rather)
    assert (rather > 1.0) == (off < 10.0)
