"""What counts as found, false, right and wrong, and when a floor is met."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from finito.virtual_table.stills import still
from models.evaluation.counting import Row as CountingRow
from models.evaluation.finding_photos import matched
from models.evaluation.finding_truth import judged
from models.evaluation.floors import Bound, Line, at_least, at_most, counting_lines, rendered_lines, table
from models.evaluation.photo_set import agreeing
from models.evaluation.picture_rows import PictureRow
from models.evaluation.reading import Row
from models.evaluation.rendered_set import ENROLLED, GAMES, is_asked, judged_still
from tests.evaluation.known_finder import eyes_that_know
from vision.card_finder import FoundCard


def card_at(x: float, y: float = 0.0, size: float = 60.0) -> NDArray[np.float32]:
    return np.array([[x, y], [x + size, y], [x + size, y + 1.5 * size], [x, y + 1.5 * size]], np.float32)


def found_at(*places: float) -> list[FoundCard]:
    return [FoundCard(card_at(x), 1.0, 1.0) for x in places]


def test_a_find_on_a_card_that_is_hardly_seen_is_neither_right_nor_false() -> None:
    result = judged([card_at(0)], [card_at(200)], found_at(2, 203, 400))
    assert result.pairs == ((0, 0),)
    assert result.false == (2,)


def test_two_finds_on_one_card_are_one_right_and_one_false() -> None:
    assert len(judged([card_at(0)], [], found_at(0, 5)).false) == 1


def test_cards_hidden_cut_off_or_tiny_are_not_asked_for() -> None:
    shown = replace(still(3, "test", (640, 360), 0, "one").cards[0], visible=1.0, cut_off=0.0)
    shown = replace(shown, corners=card_at(0))
    assert is_asked(shown)
    assert not is_asked(replace(shown, visible=0.34))
    assert not is_asked(replace(shown, cut_off=0.51))
    assert not is_asked(replace(shown, corners=card_at(0, size=19)))


def test_a_missed_card_is_a_row_and_a_false_card_is_counted() -> None:
    rendered = still(8, "test", (960, 540), 1, "grid")
    asked = [card for card in rendered.cards if is_asked(card)]
    eyes = eyes_that_know([rendered], blind=(asked[0].number,), false=1)
    result = judged_still(eyes, (GAMES, "still"), rendered, eyes.enrol(rendered.deck).deck)
    for row in result.pictures:
        assert (row.cards, row.finder_met, row.finder_false) == (len(asked), len(asked) - 1, 1)
    missed = [row for row in result.cards if row.outcome == "missed"]
    assert missed
    assert all(row.quads == "found" for row in missed)


def test_a_photo_with_a_list_only_is_read_in_the_order_that_fits_best() -> None:
    assert dict(agreeing(["R5", "B2", "G?"], ["G?", "B2", "R?"])) == {0: 2, 1: 1, 2: 0}
    assert agreeing(["R5"], []) == []


def test_an_index_must_lie_in_a_found_card_of_its_own() -> None:
    cards = [{"corner_box": [4, 4, 8, 8]}, {"corner_box": [8, 8, 8, 8]}]
    assert matched(cards, found_at(0)).met == 1
    assert matched(cards, found_at(300, 400)).met == 0


def test_of_several_finds_in_a_photo_of_one_card_the_largest_is_read() -> None:
    found = [*found_at(0), FoundCard(card_at(100, size=200), 1.0, 1.0)]
    match = matched([{"colour": "red", "number": 5}], found)
    assert match.pairs == ((0, 1),)
    assert match.false == 1


@pytest.mark.parametrize(
    ("bound", "figure", "verdict"),
    [
        (at_least(0.98), 0.98, "met"),
        (at_least(0.98), 0.9799, "MISSED"),
        (at_most(0.05, part=False), 0.05, "met"),
        (at_most(0.05, part=False), 0.051, "MISSED"),
    ],
)
def test_a_floor_is_met_at_its_value(bound: Bound, figure: float, verdict: str) -> None:
    assert Line("set", "figure", figure, 10, bound).verdict == verdict


def test_nothing_measured_is_not_called_met() -> None:
    lines = rendered_lines(GAMES, [], [])
    assert {line.verdict for line in lines} == {"not measured"}
    assert table(lines).count("not measured") == len(lines)


def test_floors_of_stills_are_judged_on_what_is_reported_with_the_deck_enrolled() -> None:
    good = PictureRow(GAMES + ENROLLED, "a", "outline", 50, 50, 40, 10, 50, 49, 0, 0, None, 1.0, 1.0)
    cards = [Row(GAMES + ENROLLED, "a", "R5", "R5", "R5", 0.99, 1.0, 90, True, "right", "found")] * 199
    wrong = replace(cards[0], outcome="wrong")
    missed = replace(cards[0], outcome="missed")
    lines = {line.what: line for line in rendered_lines(GAMES, [good], [*cards, wrong, missed]) if line.of}
    assert lines["cards found"].verdict == "met"
    assert lines["read wrong, all"].figure == 1 / 200
    assert lines["read wrong, all"].verdict == "met"
    lines = {line.what: line for line in rendered_lines(GAMES, [good], [*cards, wrong, wrong]) if line.of}
    assert lines["read wrong, all"].verdict == "MISSED"


def test_a_wrong_count_must_ask_for_help_in_four_of_five_cases() -> None:
    exact = CountingRow(0, "spread", "d", False, 20, 20, 0, 20, True, False, False, True, 1.0)
    silent = replace(exact, exact=False)
    flagged = replace(silent, flagged=True)
    spread = [line for line in counting_lines([exact] * 95 + [flagged] * 4 + [silent]) if line.of]
    assert [line.verdict for line in spread] == ["met", "met"]
    assert counting_lines([exact, silent])[1].verdict == "MISSED"
