"""A deck that is hard to read accuses nobody: cards are misread alike wherever they lie."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live.watched_table import Watched, begun, plain
from vision.observations import Chances


@pytest.fixture
def table() -> Watched:
    told = Watched()
    told.pile(1, "Y0", "", at=(0.0, 0.0))
    told.begin()
    return told


def lays_from_waste(table: Watched, first: Chances, again: Chances = ()) -> None:
    """A card that was read as a Y7 at home; on the pile it is read once, or again."""
    table.shows("gelato", "waste", "Y7", faces=(("Y7", 0.9999),))
    table.wait(3)
    table.shows("gelato", "waste", "R4")
    table.wait(0.5)
    seen: dict[str, Any] = {"at": (3.0, 4.0), "angle": 7.0, "since": table.at - 0.4, "t": table.at - 0.1}
    table.pile(1, "Y7", "gelato", faces=first, **seen)
    if again:
        table.pile(1, "Y7", "gelato", faces=again, again=True, **seen)
    table.wait(5)


def test_a_card_that_may_be_the_one_that_fits_is_no_wrong_number_however_often_it_is_read(
    table: Watched,
) -> None:
    lays_from_waste(table, (("Y7", 0.8955), ("Y1", 0.0536)), (("Y7", 0.9995), ("Y1", 0.0003)))
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


def test_a_card_read_now_as_this_and_now_as_that_is_no_second_copy() -> None:
    """In another light the blue 1 is read as the yellow 1, which gelato has laid before."""
    table = begun()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(2)
    table.play("gelato", "espresso", 1, "Y1", reveals="B0")
    table.wait(2)
    table.play("gelato", "espresso", 2, "B0", reveals="B1")
    table.wait(2)
    faintly = (("B1", 0.84), ("G1", 0.11), ("Y1", 0.047))
    table.play("gelato", "espresso", 2, "B1", reveals="G4", faces=faintly, at=(90.0, 90.0))
    for faces in (plain("Y1", "B1"), faintly) * 4:
        table.wait(3)
        table.pile(2, "B1", "", faces=faces, since=table.at - 0.1, at=(90.0, 91.0))
    table.wait(3)
    again: dict[str, Any] = {"since": table.at, "t": table.at, "at": (90.0, 91.0)}
    table.pile(2, "Y1", "", faces=plain("Y1", "B1"), **again)
    table.wait(1)
    table.pile(2, "Y1", "", faces=plain("Y1", "G1"), again=True, **again)
    table.wait(6)
    assert table.accusations() == []
    assert len(table.told_of("B1")) == len(table.told_of("Y1")) == 1
