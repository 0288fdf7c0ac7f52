"""Two players go for one pile with equal cards: who was slower is called, who turned back is not."""

from __future__ import annotations

import pytest

from referee.actions import Play
from tests.live.watched_table import Watched
from vision.observations import Covered, centre_spot


@pytest.fixture
def table() -> Watched:
    """A yellow 0 lies in the centre; both players have the yellow 1 open."""
    table = Watched()
    table.dealt["pizza", "help2"] = "Y1"
    table.pile(1, "Y0", "", at=(10.0, 0.0), since=0.0, t=0.1)
    table.begin()
    return table


def arm(table: Watched, player: str, seconds: float = 0.3) -> None:
    """The arm of a player over the pile; nothing new is seen there afterwards."""
    since, end = table.at, table.at + seconds
    while table.at < end - 1e-9:
        table.wait(0.1)
        table.tell(Covered(centre_spot(1), since, table.at, ((player, 0.95),)))


def gelato_first(table: Watched) -> None:
    """Gelato's card is seen on the pile while pizza's has just left for it."""
    table.shows("gelato", "espresso", "B5")
    table.wait(0.4)
    table.pile(1, "Y1", "gelato", at=(10.0, 0.0))
    table.shows("pizza", "help2", None)
    table.wait(0.05)


def test_a_card_laid_exactly_upon_its_like_is_a_question(table: Watched) -> None:
    gelato_first(table)
    arm(table, "pizza")
    table.wait(3)
    first, second = table.verdicts().values()
    assert first == ("legal", None)
    assert second == ("unsure", "too-late")


def test_the_slower_player_who_comes_back_for_the_card_was_too_late(table: Watched) -> None:
    gelato_first(table)
    arm(table, "pizza")
    table.wait(2)
    arm(table, "pizza")
    table.shows("pizza", "help2", "Y1")
    table.wait(6)
    assert ("illegal", "too-late") in table.verdicts().values()
    late = [event.action for event in table.events(Play) if event.verdict.illegal]
    assert {action.player for action in late} == {"pizza"}


def test_a_card_carried_to_the_pile_and_straight_home_was_never_laid(table: Watched) -> None:
    gelato_first(table)
    arm(table, "pizza")
    table.wait(0.4)
    table.shows("pizza", "help2", "Y1")
    table.wait(6)
    assert not table.accusations()
    assert [event.action.player for event in table.events(Play)] == ["gelato"]


def test_of_two_under_one_look_the_one_who_takes_a_card_home_was_the_slower(table: Watched) -> None:
    table.shows("gelato", "espresso", "B5")
    table.wait(0.5)
    table.shows("pizza", "help2", None)
    table.wait(0.3)
    both = (("gelato", 0.5), ("pizza", 0.48))
    table.pile(1, "Y1", "", since=table.at - 0.7, at=(12.0, 3.0), reach=both)
    table.wait(3)
    assert not table.accusations()
    table.pile(1, "Y1", "pizza", at=(22.0, 9.0))
    table.wait(0.3)
    table.shows("pizza", "help2", "Y1")
    table.wait(6)
    late = [event.action for event in table.events(Play) if event.verdict.illegal]
    assert {action.player for action in late} == {"pizza"}
    assert set(table.accusations()) == {"too-late"}


def test_a_card_seen_home_again_though_its_like_lies_on_the_pile_was_somebody_elses(table: Watched) -> None:
    """Gelato turned back over the pile; what lies there came from elsewhere, and nobody has two of a card."""
    table.shows("gelato", "espresso", "B5", since=table.at - 0.3)
    table.wait(0.4)
    table.pile(1, "Y1", "gelato", at=(30.0, 9.0))
    table.wait(0.3)
    table.shows("gelato", "espresso", "Y1")
    table.wait(3)
    table.shows("gelato", "espresso", "B5")
    table.wait(0.5)
    table.pile(2, "Y1", "gelato")
    table.wait(6)
    assert "impossible-card" not in table.accusations()
    first = table.events(Play)[0].line
    assert [event.said for event in table.events(Play) if event.line == first][-1] == "withdrawn"


def test_a_pile_pushed_by_one_who_has_just_buried_an_equal_card_got_no_second_one() -> None:
    table = Watched()
    table.pile(1, "Y1", "", at=(10.0, 0.0), since=0.0, t=0.1)
    table.begin()
    table.shows("pizza", "waste", "Y1")
    table.wait(4)
    table.shows("pizza", "waste", "B7")
    table.wait(0.4)
    table.pile(1, "Y1", "pizza", at=(40.0, 20.0))
    table.wait(6)
    assert not table.accusations()
