"""Counting by back: what shows of a card tells whose it is, and what is not sure is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, Look
from finito.seeing import house_as_drawn
from finito.virtual_table.camera import Camera
from finito.virtual_table.decks import house_deck
from finito.virtual_table.layouts import stacked
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Rendered, Scene
from referee.cards import UNKNOWN, parse_face
from tests.vision.truth_net import truth_net
from vision.back_counter import BackCounter
from vision.card_reader import CardReader, CardReading
from vision.counting.back_match import BackMatcher
from vision.counting.dealt_counter import DealtCard, DealtCounter
from vision.counting.same_part import cards_in_both
from vision.counting.tally import CountedCard, Doubt, Tally, tally
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH

BACKS = ("pizza", "gelato", "tiramisu")
CORNERS = ((0.0, 0.0), (10.0, 0.0), (10.0, 15.0), (0.0, 15.0))


class PixelReader:
    """Stands in for the reading net: a card looks like its pixels, and every card lies face down."""

    model_hash = "pixels"

    def __init__(self, open_cards: int = 0) -> None:
        self._open = open_cards

    def look(self, crops: NDArray[np.uint8], *_: Any) -> Look:
        small = np.stack([cv2.resize(crop, (12, 18), interpolation=cv2.INTER_AREA) for crop in crops])
        flat = small.reshape(len(small), -1).astype(np.float32) - 114
        flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
        nothing = np.zeros((len(small), 12), np.float32)
        return Look(flat, nothing, nothing[:, :5])

    def read(self, _picture: Any, quads: Sequence[Any]) -> list[CardReading]:
        return [
            CardReading("face", parse_face("R5"), confidence=0.99)
            if i < self._open
            else CardReading("back", UNKNOWN, confidence=0.99)
            for i in range(len(quads))
        ]


def reader(open_cards: int = 0) -> CardReader:
    return cast(CardReader, PixelReader(open_cards))


@cache
def house() -> EnrolledDeck:
    return house_as_drawn(reader())


def table(cards: list[Card], across: float = 620.0, **camera: Any) -> Rendered:
    """Cards on a plain table, seen from above so that so many millimetres fit across."""
    lying = stacked(cards, house_deck().card_mm)
    seen = Camera(size=(960, 540), distance=across / 2 / np.tan(np.radians(25)), field_of_view=50.0, **camera)
    return render(Scene(camera=seen, cards=lying), house_deck(), clean=True)


def lying(back: str, x: float, y: float, angle: float = 0.0) -> Card:
    return Card(f"{back} {x:.0f} {y:.0f}", "back", "R0", back, x, y, angle)


def ladder(backs: Sequence[str], strip: float, y: float = 0.0) -> list[Card]:
    middle = (len(backs) - 1) / 2
    return [lying(back, (i - middle) * strip, y + (i % 3 - 1) * 1.5) for i, back in enumerate(backs)]


def fan(backs: Sequence[str], step: float, y: float = 100.0) -> list[Card]:
    middle = (len(backs) - 1) / 2
    turns = [(i - middle) * step for i in range(len(backs))]
    return [
        lying(back, 180 * np.sin(np.radians(turn)), y - 180 * np.cos(np.radians(turn)), turn)
        for back, turn in zip(backs, turns, strict=True)
    ]


def counted(rendered: Rendered, expected: int | None = None, blind: tuple[int, ...] = ()) -> Tally:
    counter = BackCounter(truth_net(rendered, blind), reader(), house())
    count = counter.count("a.jpg", rendered.picture)
    return tally(count.cards, count.doubts, [back.name for back in house().backs], 36, expected)


MIXED = ["pizza", "gelato", "pizza", "tiramisu", "gelato", "gelato", "pizza", "tiramisu", "pizza"]
LAYOUTS = {
    "spread": [lying(back, (i % 5 - 2) * 75, (i // 5 - 0.5) * 110, 7 * i) for i, back in enumerate(MIXED)],
    "touching": [lying(back, (i % 5 - 2) * 59, (i // 5 - 0.5) * 91) for i, back in enumerate(MIXED)],
    "laddered": ladder(MIXED, 14),
    "overlapping": ladder(MIXED, 35),
    "fanned": fan(MIXED, 6),
}


@pytest.mark.parametrize("cards", LAYOUTS.values(), ids=LAYOUTS)
def test_every_card_is_counted_for_its_owner(cards: list[Card]) -> None:
    result = counted(table(cards))
    assert dict(result.counts) == {"pizza": 4, "gelato": 3, "tiramisu": 2}
    assert not result.unsure


def test_a_card_nobody_sees_is_missed_only_as_long_as_nobody_says_how_many_there_are() -> None:
    rendered = table(LAYOUTS["spread"])
    result = counted(rendered, expected=9, blind=(3,))
    assert result.total == 8
    assert [doubt.what for doubt in result.unsure] == ["total"]
    assert "8 cards are seen and 9 expected: 1 missing" in result.unsure[0].why


def test_a_card_whose_outline_was_not_found_is_asked_about() -> None:
    rendered = table(LAYOUTS["spread"])

    class TornNet:
        """Votes of one card disagree so much that they make no card."""

        def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]:
            (good,) = truth_net(rendered)(*inputs)
            (without,) = truth_net(rendered, blind=(2,))(*inputs)
            torn = good[0, 0] != without[0, 0]
            noise = np.random.default_rng(1).normal(0, 3, (16, int(torn.sum())))
            good[0, 4:20, torn] += noise.T
            return [good]

    count = BackCounter(cast(Any, TornNet()), reader(), house()).count("a.jpg", rendered.picture)
    assert len(count.cards) == 8
    asked = [doubt for doubt in count.doubts if doubt.between == ("a card", "no card")]
    assert asked
    middle = np.array(asked[0].corners).mean(axis=0)
    outline = rendered.cards[1].corners.astype(np.float32)
    assert cv2.pointPolygonTest(outline, (float(middle[0]), float(middle[1])), False) > 0


def test_a_card_that_lies_face_up_is_not_counted_but_asked_about() -> None:
    rendered = table(LAYOUTS["spread"])
    counter = BackCounter(truth_net(rendered), reader(open_cards=1), house())
    count = counter.count("a.jpg", rendered.picture)
    assert len(count.cards) == 8
    assert "face up" in count.doubts[0].why


def test_a_card_that_leaves_the_photo_is_asked_about() -> None:
    rendered = table([*LAYOUTS["laddered"], lying("pizza", 310, 0)])
    doubts = counted(rendered).unsure
    assert any("cut off" in doubt.why for doubt in doubts)


def test_an_empty_table_has_no_cards() -> None:
    rendered = table([])
    assert not BackCounter(truth_net(rendered), reader(), house()).count("a.jpg", rendered.picture).cards


def test_a_strip_tells_whose_card_it_is_and_not_what_covers_the_rest() -> None:
    deck = {design.name: design.thumbnail for design in house().backs}
    mask = np.zeros((CROP_HEIGHT, CROP_WIDTH), bool)
    mask[6:-6, 5:18] = True
    crop = deck["gelato"].copy()
    crop[:, 18:] = deck["pizza"][:, 18:]
    light = np.ones(7, np.float32)
    matcher = BackMatcher(house(), reader())
    for gains in ((1.0, 1.0, 1.0), (0.5, 0.55, 0.6)):
        lit = (crop * np.array(gains)).astype(np.uint8)
        shares = matcher.match(lit[None], mask[None], light).shares
        assert matcher.names[int(shares[0].argmax())] == "gelato"


def test_a_card_of_which_nothing_shows_may_be_anybodys() -> None:
    matcher = BackMatcher(house(), reader())
    nothing = np.zeros((1, CROP_HEIGHT, CROP_WIDTH), bool)
    shares = matcher.match(house().backs[0].thumbnail[None], nothing, np.ones(7, np.float32)).shares
    assert shares[0] == pytest.approx([1 / len(house().backs)] * len(house().backs))


def card(back: str, chance: float = 0.99, share: float = 0.99, other: str = "gelato") -> CountedCard:
    return CountedCard("a.jpg", CORNERS, chance, ((back, share), (other, 1 - share)))


def test_a_card_between_two_backs_is_counted_for_neither_and_names_both() -> None:
    result = tally([card("pizza"), card("pizza", share=0.55)], [], BACKS, 36)
    assert dict(result.counts) == {"pizza": 1}
    assert result.unsure[0].between == ("pizza", "gelato")
    assert result.unsure[0].corners == CORNERS


def test_what_may_be_a_card_or_not_is_asked() -> None:
    result = tally([card("pizza"), card("pizza", chance=0.3)], [], BACKS, 36)
    assert result.total == 1
    assert result.unsure[0].between == ("pizza", "no card")


def test_the_expected_number_settles_what_may_be_a_card() -> None:
    cards = [card("pizza"), card("pizza", chance=0.3)]
    assert tally(cards, [], BACKS, 36, expected=1) == Tally((("pizza", 1),), ())
    assert tally(cards, [], BACKS, 36, expected=2) == Tally((("pizza", 2),), ())


MORE = Doubt("card", "there may be one more card here", ("a card", "no card"), "a.jpg", CORNERS)
HARD_TO_SEE = Doubt("card", "its edges are hard to see", ("pizza", "no card"), "a.jpg", CORNERS)


def test_the_right_number_by_a_card_too_many_and_one_missed_is_asked_about() -> None:
    cards = [card("pizza"), card("gelato")]
    assert tally(cards, [MORE, HARD_TO_SEE], BACKS, 36, expected=2).unsure == (MORE, HARD_TO_SEE)
    weak = [*cards, card("tiramisu", chance=0.3)]
    assert HARD_TO_SEE in tally(weak, [HARD_TO_SEE], BACKS, 36, expected=2).unsure
    assert HARD_TO_SEE in tally(weak, [HARD_TO_SEE], BACKS, 36, expected=3).unsure


def test_the_right_number_settles_what_is_only_perhaps_one_more_card() -> None:
    assert not tally([card("pizza")], [MORE], BACKS, 36, expected=1).unsure


def test_the_right_number_says_nothing_of_whose_a_card_is_that_is_hard_to_see() -> None:
    assert tally([card("pizza")], [HARD_TO_SEE], BACKS, 36, expected=1).unsure == (HARD_TO_SEE,)


def test_the_right_number_does_not_turn_a_card_over() -> None:
    face_up = Doubt("card", "this card lies face up", ("face up",), "a.jpg", CORNERS)
    assert tally([card("pizza")], [face_up], BACKS, 36, expected=1).unsure == (face_up,)


def test_fewer_cards_than_expected_are_never_made_up() -> None:
    result = tally([card("pizza")], [], BACKS, 36, expected=3)
    assert result.total == 1
    assert "2 missing" in result.unsure[0].why


def test_more_cards_than_expected_are_said() -> None:
    result = tally([card("pizza")] * 3, [], BACKS, 36, expected=2)
    assert "1 too many" in result.unsure[0].why


def test_more_cards_of_a_back_than_a_deck_has_are_impossible() -> None:
    result = tally([card("pizza")] * 37, [], BACKS, 36)
    assert result.unsure[0].back == "pizza"
    assert "only 36" in result.unsure[0].why


def test_counts_come_in_the_order_of_the_deck() -> None:
    result = tally([card("tiramisu"), card("pizza")], [], BACKS, 36)
    assert [back for back, _ in result.counts] == ["pizza", "tiramisu"]


def shared(one: Rendered, other: Rendered) -> list[Doubt]:
    photos = [
        (r.picture, BackCounter(truth_net(r), reader(), house()).count(name, r.picture))
        for name, r in (("a.jpg", one), ("b.jpg", other))
    ]
    return cards_in_both(photos)


def test_the_same_cards_in_two_photos_are_noticed_from_another_angle() -> None:
    first = table(LAYOUTS["spread"])
    again = table(LAYOUTS["spread"], across=700, tilt=14.0, heading=9.0)
    doubts = shared(first, again)
    assert doubts[0].between == ("a.jpg", "b.jpg")
    assert doubts[0].why.startswith(("7", "8", "9"))


def test_other_cards_of_the_same_backs_are_no_repetition() -> None:
    other = [lying(back, (i % 4 - 1.5) * 95, (i // 4 - 1) * 115, 31 * i) for i, back in enumerate(MIXED)]
    moved = replace(table(other), deck="")
    assert not shared(table(LAYOUTS["laddered"]), moved)


def dealt(back: str, x: float = 100.0, other: str = "gelato", share: float = 0.95) -> DealtCard:
    return DealtCard(x, 100.0, 50.0, {back: share, other: 1 - share})


def feed(counter: DealtCounter, *frames: list[DealtCard]) -> list[str | None]:
    return [event.back for t, frame in enumerate(frames) for event in counter.feed(t / 10, frame)]


def test_a_dealt_card_counts_once_when_it_has_come_to_rest() -> None:
    counter = DealtCounter()
    assert feed(counter, *[[dealt("pizza")]] * 10) == ["pizza"]
    assert counter.counts == {"pizza": 1}


def test_a_card_that_only_moves_by_does_not_count() -> None:
    assert feed(DealtCounter(), *[[dealt("pizza", x=20.0 * i)] for i in range(12)]) == []


def test_cards_dealt_onto_each_other_count_each() -> None:
    rest, hand = [dealt("pizza")], [dealt("pizza", x=110.0)]
    counter = DealtCounter()
    gone: list[DealtCard] = []
    assert feed(counter, *[rest] * 5, gone, gone, *[rest] * 5, *[gone] * 5, *[hand] * 4) == ["pizza"] * 3


def test_a_hand_that_covers_a_frame_of_nothing_else_changes_no_other_back() -> None:
    counter = DealtCounter()
    pizza, gelato = dealt("pizza"), dealt("gelato", other="pizza")
    assert feed(counter, *[[pizza]] * 5, *[[gelato]] * 5) == ["pizza", "gelato"]
    assert counter.total == 2


def test_a_dealt_card_nobody_can_tell_is_counted_as_unsure() -> None:
    counter = DealtCounter()
    events = [e for t in range(4) for e in counter.feed(float(t), [dealt("pizza", share=0.5)])]
    assert [event.back for event in events] == [None]
    assert set(events[0].between) == {"pizza", "gelato"}
    assert counter.unsure == 1


def test_looks_at_a_dealt_card_add_up() -> None:
    assert feed(DealtCounter(), *[[dealt("pizza", share=0.8)]] * 4) == ["pizza"]
