"""Live log, tops of the piles and counted backs: what agrees is believed, what does not is asked."""

from __future__ import annotations

import pytest

from finito.ending.lying import cards_by_tops
from finito.ending.reconciling import Record, reconcile
from vision.observations import Counted

SURE = 0.97


def counted(t: float = 1.0, doubts: tuple[str, ...] = (), **by_back: int) -> Counted:
    cards = tuple((SURE, ((back, 0.99),)) for back, cards in by_back.items() for _ in range(cards))
    return Counted(t, round(t * 10), cards, doubts)


def test_a_count_that_agrees_with_the_log_is_settled_by_one_look() -> None:
    found = reconcile(Record({"pizza": 3, "gelato": 2}, 5), [counted(pizza=3, gelato=2)], 36)
    assert (found.by_back, found.question, found.settled) == ({"pizza": 3, "gelato": 2}, None, True)


def test_where_the_log_gave_a_card_to_the_wrong_player_count_and_tops_outvote_it_twice() -> None:
    record = Record({"pizza": 4, "gelato": 1}, 5)
    once = reconcile(record, [counted(pizza=3, gelato=2)], 36)
    assert not once.settled
    twice = reconcile(record, [counted(pizza=3, gelato=2), counted(2.0, pizza=3, gelato=2)], 36)
    assert (twice.by_back, twice.question, twice.settled) == ({"pizza": 3, "gelato": 2}, None, True)


def test_a_count_with_as_many_cards_as_the_log_but_of_quite_other_backs_outvotes_nobody() -> None:
    record = Record({"pizza": 17, "gelato": 9, "pasta": 7}, 33)
    found = reconcile(record, [counted(t, pizza=11, gelato=11, pasta=11) for t in (1.0, 2.0, 3.0)], 36)
    assert found.question is not None
    assert "11 cards of pizza are counted and 17 were seen played" in found.question


def test_cards_that_are_missing_become_one_question_about_their_back() -> None:
    found = reconcile(Record({"pizza": 3, "gelato": 4}, 7), [counted(pizza=3, gelato=2)], 36)
    assert found.question is not None
    assert "gelato" in found.question
    assert "pizza" not in found.question
    assert "2 cards" in found.question
    assert "4 were seen played" in found.question


def test_cards_too_many_are_asked_about() -> None:
    found = reconcile(Record({"pizza": 3, "gelato": 4}, 7), [counted(pizza=5, gelato=4)], 36)
    assert (
        found.question
        == "5 cards of pizza are counted and 3 were seen played; count the cards of pizza once more"
    )


def test_a_log_without_doubts_upon_which_the_piles_agree_is_the_count() -> None:
    found = reconcile(Record({"pizza": 3, "gelato": 4}, 7), [], 36)
    assert found.by_back == {"pizza": 3, "gelato": 4}
    assert (found.question, found.settled, found.by_log) == (None, False, True)


def test_a_round_of_which_nothing_was_seen_is_asked_about() -> None:
    assert reconcile(Record({"pizza": 0, "gelato": 0}, 0), [], 36).question is not None


def test_a_pile_begun_anew_twice_holds_all_its_runs() -> None:
    assert cards_by_tops([*range(9), *range(9), 0, 1]) == 20


def test_without_a_count_a_log_that_does_not_agree_with_the_piles_is_asked_about() -> None:
    found = reconcile(Record({"pizza": 3, "gelato": 4}, 8), [], 36)
    assert found.by_back == {"pizza": 3, "gelato": 4}
    assert found.question is not None


def test_backs_that_one_look_finds_and_the_next_does_not_speak_against_nobody() -> None:
    looks = [
        counted(1.0, DOUBT, pizza=9),
        counted(2.0, DOUBT, pizza=1, gelato=2),
        counted(3.0, DOUBT, pizza=9),
    ]
    found = reconcile(Record({"pizza": 4, "gelato": 6}, 10), looks, 36)
    assert (found.by_back, found.question, found.by_log) == ({"pizza": 4, "gelato": 6}, None, True)


WHOSE = "was the green 4 on pile 3 a card of pizza or of gelato?"


def test_where_the_cards_cannot_be_counted_the_one_play_in_doubt_is_asked_about() -> None:
    record = Record({"pizza": 4, "gelato": 2}, 6, questions=(WHOSE,))
    looks = [counted(t, DOUBT, pizza=3, gelato=2) for t in (1.0, 2.0, 3.0)]
    assert reconcile(record, looks, 36).question == WHOSE
    assert reconcile(record, [], 36).question == WHOSE


def test_a_count_of_all_cards_settles_whose_card_a_play_in_doubt_was() -> None:
    record = Record({"pizza": 4, "gelato": 2}, 6, questions=(WHOSE,))
    looks = [counted(t, pizza=3, gelato=3) for t in (1.0, 2.0)]
    found = reconcile(record, looks, 36)
    assert (found.by_back, found.question, found.settled) == ({"pizza": 3, "gelato": 3}, None, True)


DOUBT = ("there may be one more card here",)


def test_cards_too_close_to_be_counted_are_those_on_which_log_and_piles_agree() -> None:
    looks = [counted(t, DOUBT, pizza=3, gelato=2) for t in (1.0, 2.0, 3.0)]
    found = reconcile(Record({"pizza": 4, "gelato": 2}, 6), looks, 36)
    assert (found.by_back, found.settled, found.by_log) == ({"pizza": 4, "gelato": 2}, True, True)


@pytest.mark.parametrize(
    ("record", "doubts"),
    [
        (Record({"pizza": 4, "gelato": 2}, 7), DOUBT),
        (Record({"pizza": 4, "gelato": 2}, None), DOUBT),
        (Record({"pizza": 4, "gelato": 2}, 6, questions=(WHOSE,)), DOUBT),
        (Record({"pizza": 4, "gelato": 2}, 6, joined_late=True), DOUBT),
        (Record({"pizza": 2, "gelato": 4}, 6), DOUBT),
        (Record({"pizza": 4, "gelato": 2}, 6), ()),
    ],
    ids=[
        "tops differ",
        "a top was not read",
        "a play was in doubt",
        "joined late",
        "more than played",
        "sure",
    ],
)
def test_otherwise_a_count_that_does_not_come_out_right_is_asked_about(
    record: Record, doubts: tuple[str, ...]
) -> None:
    looks = [counted(t, doubts, pizza=3, gelato=2) for t in (1.0, 2.0, 3.0)]
    assert reconcile(record, looks, 36).question is not None


def test_one_bad_look_among_good_ones_does_no_harm() -> None:
    looks = [counted(1.0, pizza=1), counted(2.0, pizza=3, gelato=2), counted(3.0, gelato=2)]
    assert reconcile(Record({"pizza": 3, "gelato": 2}, 5), looks, 36).settled


def test_a_round_joined_late_is_counted_by_the_tops_of_its_piles() -> None:
    record = Record({"pizza": 1, "gelato": 0}, 8, joined_late=True)
    looks = [counted(1.0, pizza=5, gelato=3), counted(2.0, pizza=5, gelato=3)]
    assert reconcile(record, looks, 36).settled


@pytest.mark.parametrize(
    ("numbers", "cards"),
    [
        ((0,), 1),
        ((0, 1, 2), 3),
        ((5,), 6),
        ((0, 1, 3), 4),
        ((3, 0), 5),
        ((3, 0, 5), 6),
        ((0, None), None),
        ((0, None, 2), 3),
        ((), None),
    ],
    ids=["one", "three", "found late", "one missed", "joker", "upon a joker", "unread", "read later", "none"],
)
def test_a_pile_holds_one_card_more_than_its_top_says(
    numbers: tuple[int | None, ...], cards: int | None
) -> None:
    assert cards_by_tops(numbers) == cards


def looked(t: float = 1.0, **chances: list[float]) -> Counted:
    """A look at cards of these chances, by their backs."""
    cards = tuple((chance, ((back, 0.99),)) for back, each in chances.items() for chance in each)
    return Counted(t, round(t * 10), cards)


FAINT, WEAK = 0.6, 0.4


def test_where_log_and_count_differ_the_count_must_be_clear_and_elsewhere_the_log_confirms_it() -> None:
    record = Record({"pizza": 4, "gelato": 1, "pasta": 2}, 7)
    clear = [looked(t, pizza=[SURE] * 3, gelato=[SURE] * 2, pasta=[SURE, FAINT]) for t in (1.0, 2.0)]
    found = reconcile(record, clear, 36)
    assert (found.by_back, found.question) == ({"pizza": 3, "gelato": 2, "pasta": 2}, None)
    faint = [looked(t, pizza=[SURE] * 3, gelato=[SURE, FAINT], pasta=[SURE] * 2) for t in (1.0, 2.0)]
    assert reconcile(record, faint, 36).question is not None


def test_who_joined_late_needs_every_card_to_be_clear() -> None:
    record = Record({"pizza": 0, "gelato": 0}, 5, joined_late=True)
    looks = [looked(t, pizza=[SURE] * 3, gelato=[SURE, FAINT]) for t in (1.0, 2.0)]
    assert reconcile(record, looks, 36).question is not None


def test_a_card_that_log_and_tops_lost_together_is_not_lost_for_one_look_that_lost_it_too() -> None:
    record = Record({"pizza": 3, "gelato": 2}, 5)
    looks = [looked(1.0, pizza=[SURE] * 3, gelato=[SURE] * 3)]
    looks += [looked(2.0, pizza=[SURE] * 3, gelato=[SURE, SURE, WEAK])]
    assert reconcile(record, looks, 36).question is not None


def test_as_many_cards_of_other_backs_speak_against_a_log_though_one_is_faint() -> None:
    looks = [looked(t, pizza=[SURE] * 3, gelato=[SURE, SURE, FAINT]) for t in (1.0, 2.0, 3.0)]
    assert reconcile(Record({"pizza": 4, "gelato": 2}, 6), looks, 36).question is not None


def test_what_may_be_one_more_card_of_a_back_in_every_look_speaks_against_a_log() -> None:
    looks = [looked(t, pizza=[SURE] * 2, gelato=[SURE, SURE, WEAK]) for t in (1.0, 2.0, 3.0)]
    assert reconcile(Record({"pizza": 4, "gelato": 2}, 6), looks, 36).question is not None


def test_as_many_cards_though_of_other_backs_each_time_speak_against_a_log() -> None:
    looks = [looked(1.0, pizza=[SURE] * 5, gelato=[FAINT]), looked(2.0, pizza=[SURE] * 3, gelato=[FAINT] * 3)]
    assert reconcile(Record({"pizza": 4, "gelato": 2}, 6), looks, 36).question is not None
