"""A deck that is hard to read accuses nobody: cards are misread alike wherever they lie."""

from __future__ import annotations

import pytest

from tests.live.watched_table import Watched


@pytest.fixture
def table() -> Watched:
    told = Watched()
    told.pile(1, "Y0", "", at=(0.0, 0.0))
    told.begin()
    return told


def lays_from_waste(table: Watched, on_pile: tuple[tuple[str, float], ...]) -> None:
    table.shows("gelato", "waste", "Y7", faces=(("Y7", 0.9946), ("Y2", 0.0022)))
    table.wait(3)
    table.play("gelato", "waste", 1, "Y7", "R4", at=(3.0, 4.0), angle=7.0, faces=on_pile)
    table.wait(5)


def test_a_card_that_may_be_the_one_that_fits_is_no_wrong_number_however_it_was_read_at_home(
    table: Watched,
) -> None:
    lays_from_waste(table, (("Y7", 0.9), ("Y1", 0.054)))
    assert not table.accusations()


def test_a_card_that_is_read_for_sure_is_a_wrong_number(table: Watched) -> None:
    lays_from_waste(table, (("Y7", 0.998), ("Y2", 0.001)))
    assert table.accusations() == ["wrong-number"]


def test_a_top_that_reads_otherwise_while_nobody_was_there_was_not_laid_upon(table: Watched) -> None:
    table.shows("gelato", "waste", "Y7")
    table.wait(3)
    table.shows("gelato", "waste", "R4")
    table.wait(0.5)
    table.pile(1, "Y7", "", at=(3.0, 4.0), angle=7.0, since=table.at, t=table.at)
    table.wait(5)
    assert not table.accusations()
