"""From a picture to cards in order: corners, places in a grid, pictures of what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from finito.cli.read import answer_for, card_to_json
from finito.errors import BadInput
from finito.face_grid import named_faces
from finito.virtual_table.camera import Camera
from finito.virtual_table.scene import Rendered
from referee.cards import UNKNOWN, parse_face
from referee.rules.parameters import ESPRESSO
from tests.vision.rendered_photos import faces_grid, open_cards
from tests.vision.truth_net import truth_net
from vision.card_finder import CardFinder, FoundCard
from vision.card_reader import CardReading
from vision.enrolment_grid import GridPlace, grid_places
from vision.overlay import Mark, annotated
from vision.overlay_room import Room
from vision.table_reader import SeenCard, TableReader

Quad = NDArray[np.float32]
SQUARE = np.array([(10, 10), (50, 10), (50, 70), (10, 70)], np.float32)
NOTHING = np.zeros((100, 100, 3), np.uint8)


class TruthReader:
    """Reads every card as the truth at its middle says, upright as the quad lies."""

    def __init__(self, rendered: Rendered) -> None:
        self._truths = rendered.cards

    def read(self, _picture: Any, quads: Sequence[Any], _deck: Any = None) -> list[CardReading]:
        return [self._one(np.asarray(quad)) for quad in quads]

    def _one(self, quad: NDArray[Any]) -> CardReading:
        middle = quad.mean(axis=0)
        truth = min(self._truths, key=lambda t: float(np.linalg.norm(t.corners.mean(axis=0) - middle)))
        upright = bool(
            np.linalg.norm(truth.corners[0] - quad[0]) < np.linalg.norm(truth.corners[2] - quad[0])
        )
        face = parse_face(truth.face)
        return CardReading("face", face, ((face, 0.99),), confidence=0.99, upright=upright)


class OneFound:
    def __init__(self, score: float) -> None:
        self._score = score

    def find(self, _picture: Any) -> list[FoundCard]:
        return [FoundCard(SQUARE, self._score, 1.0)]


class SaysAlways:
    def __init__(self, reading: CardReading) -> None:
        self._reading = reading

    def read(self, _picture: Any, quads: Sequence[Any], _deck: Any = None) -> list[CardReading]:
        return [self._reading] * len(quads)


FACES = ["R5", "Y0", "B8", "G6", "R1", "Y7", "B2"]


@pytest.fixture(scope="module")
def seen() -> tuple[Rendered, list[SeenCard]]:
    rendered = open_cards(FACES)
    eyes = TableReader(CardFinder(truth_net(rendered)), TruthReader(rendered))
    return rendered, eyes.read(rendered.picture)


def test_every_card_is_found_once_and_read(seen: tuple[Rendered, list[SeenCard]]) -> None:
    assert sorted(str(card.reading.face) for card in seen[1]) == sorted(FACES)


def test_corners_start_at_the_cards_own_top_left_and_run_clockwise(
    seen: tuple[Rendered, list[SeenCard]],
) -> None:
    for card in seen[1]:
        truth = next(t for t in seen[0].cards if t.face == str(card.reading.face))
        apart = np.linalg.norm(card.corners[:, None] - truth.corners[None], axis=2)
        assert apart.argmin(axis=1).tolist() == [0, 1, 2, 3]


def test_a_card_upside_down_starts_at_its_own_top_left() -> None:
    reading = CardReading("face", parse_face("R5"), confidence=0.99, upright=False)
    card = TableReader(OneFound(0.9), SaysAlways(reading)).read(NOTHING)[0]
    assert card.corners[0].tolist() == [50, 70]


def test_what_neither_finder_nor_reader_believes_in_is_no_card() -> None:
    none = CardReading("none", confidence=0.95, no_card=0.95)
    assert TableReader(OneFound(0.6), SaysAlways(none)).read(NOTHING) == []


def test_a_sure_find_that_cannot_be_read_is_a_card_of_unknown_face() -> None:
    doubtful = CardReading("none", confidence=0.5, no_card=0.5)
    card = TableReader(OneFound(0.99), SaysAlways(doubtful)).read(NOTHING)[0]
    answer = card_to_json(card)
    assert (answer["side"], answer["face"], answer["back"]) == ("face", "??", None)


class AllButTheLastAreBacks:
    """With a deck enrolled: the last one is taken for a face of it."""

    def read(self, _picture: Any, quads: Sequence[Any], _deck: Any = None) -> list[CardReading]:
        back = CardReading("back", back="pizza", confidence=0.99)
        return [back] * (len(quads) - 1) + [CardReading("face", parse_face("G8"), confidence=0.88)]


def test_backs_of_the_deck_are_not_left_out_where_the_whole_table_is_taken_for_a_face() -> None:
    places = [(100 * i, 120 * j) for i in range(3) for j in range(2)]
    backs = [FoundCard(SQUARE + np.array(place, np.float32), 0.9, 1.0) for place in places]
    table = FoundCard(SQUARE * 8, 0.6, 1.0)
    eyes = TableReader(OneFound(0.9), AllButTheLastAreBacks(), (-0.9, 1.0, 0.3, -4.1))
    assert len(eyes.read_found(NOTHING, [*backs, table])) == len(backs)


def test_the_answer_is_that_of_the_contract() -> None:
    guesses = ((parse_face("R5"), 0.98), (parse_face("R6"), 0.01))
    reading = CardReading("face", parse_face("R5"), guesses, confidence=0.98, upright=True)
    answer = answer_for("a.jpg", (100, 80), "house", [SeenCard(SQUARE, reading, 0.9, 1.0)])
    assert answer == {
        "image": "a.jpg",
        "size": [100, 80],
        "deck": "house",
        "cards": [
            {
                "side": "face",
                "face": "R5",
                "back": None,
                "corners": [[10, 10], [50, 10], [50, 70], [10, 70]],
                "confidence": 0.98,
                "guesses": [["R5", 0.98], ["R6", 0.01]],
            }
        ],
    }


def test_a_back_without_a_deck_has_a_group_and_with_one_a_name() -> None:
    grouped = CardReading("back", confidence=0.9, group=2)
    named = CardReading("back", back="pizza", back_guesses=(("pizza", 0.97),), confidence=0.97)
    first, second = (card_to_json(SeenCard(SQUARE, reading, 0.9, 1.0)) for reading in (grouped, named))
    assert (first["face"], first["back"], first["group"]) == (None, "?", 2)
    assert (second["back"], second["guesses"]) == ("pizza", [["pizza", 0.97]])
    assert "group" not in second


def test_an_annotated_picture_shows_outline_and_word_and_leaves_the_picture_alone() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    drawn = annotated(picture, [Mark(SQUARE * 2, "R5")])
    assert not picture.any()
    assert drawn[80, 20].any()  # on the outline
    assert not drawn[30:130, 30:90].any()  # what the card shows stays to be seen
    beside = drawn.copy()
    beside[:146, :106] = 0
    assert beside.any()  # the word


def test_where_cards_lie_all_around_a_word_hides_no_other_word() -> None:
    grid = [SQUARE + np.array([40 * x, 60 * y], np.float32) for x in range(4) for y in range(3)]
    room = Room((200, 200), grid)
    spots = [room.place(corners, (20, 12)) for corners in grid]
    assert len({(x // 20, y // 12) for x, y in spots}) == len(grid)
    assert all(0 <= x <= 180 and 0 <= y <= 188 for x, y in spots)


def test_a_word_outside_the_picture_is_no_trouble() -> None:
    annotated(np.zeros((50, 50, 3), np.uint8), [Mark(SQUARE + 400, "pizzeria é ?", "unsure")])


def quads_of(camera: Camera, skip: Sequence[tuple[int, int]] = (), skew: float = 0.0) -> dict[Any, Quad]:
    """Corners of the cards of a grid, as a finder leaves them, by place."""
    rng = np.random.default_rng(1)
    outline = np.array([[-29.5, -45.5], [29.5, -45.5], [29.5, 45.5], [-29.5, 45.5]])
    quads = {}
    for row in range(4):
        for column in range(9):
            x, y = (column - 4) * 66 + rng.normal(0, 2), (row - 1.5) * 100 + rng.normal(0, 2)
            turn = np.radians(rng.normal(0, 3))
            spun = outline @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            points = np.c_[spun + np.array([x, y + x * skew]), np.zeros(4)]
            corners = np.asarray(camera.project(points), np.float32) + rng.normal(0, 0.7, (4, 2))
            if (row, column) not in skip:
                quads[row, column] = np.roll(corners, int(rng.integers(4)), axis=0).astype(np.float32)
    return quads


VIEWS = {
    "from above": Camera(size=(960, 540), distance=800),
    "at an angle": Camera(size=(960, 540), distance=900, tilt=35),
    "skewed": Camera(size=(960, 540), distance=850, tilt=15, heading=14, roll=4),
    "through a wide lens": Camera(size=(960, 540), distance=800, k1=-0.08),
}


@pytest.mark.parametrize("camera", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("skip", [(), ((1, 5),), ((0, 0), (3, 8))])
def test_every_card_of_a_grid_gets_its_place(camera: Camera, skip: tuple[tuple[int, int], ...]) -> None:
    quads = quads_of(camera, skip, skew=0.03)
    places = grid_places(list(quads.values()), camera.size)
    found = {list(quads)[place.card]: (place.row, place.column) for place in places}
    assert found == {where: where for where in quads}


def places(skip: Sequence[tuple[int, int]] = ()) -> list[GridPlace]:
    cells = [(row, column) for row in range(4) for column in range(9) if (row, column) not in skip]
    return [GridPlace(i, row, column) for i, (row, column) in enumerate(cells)]


def unread(count: int) -> list[CardReading]:
    return [CardReading("face", UNKNOWN, confidence=0.3)] * count


def refusal(laid: list[GridPlace], readings: list[CardReading]) -> str:
    with pytest.raises(BadInput) as caught:
        named_faces("faces.jpg", laid, readings, ESPRESSO)
    assert str(caught.value).startswith("faces.jpg")
    return str(caught.value)


def test_a_whole_grid_is_named_by_place_even_if_nothing_is_read() -> None:
    named = named_faces("faces.jpg", places(), unread(36), ESPRESSO)
    assert len(named) == 36
    assert named["Y5"] == 9 + 5


def test_the_missing_card_is_named() -> None:
    assert "row 2: yellow 5 is missing" in refusal(places([(1, 5)]), unread(35))


def test_two_cards_in_one_place_are_named() -> None:
    laid = [*places(), GridPlace(36, 2, 3)]
    assert "row 3: two cards lie where green 3 should be" in refusal(laid, unread(37))


def test_a_row_that_is_too_long_is_named() -> None:
    laid = [*places(), GridPlace(36, 1, 9)]
    assert "row 2 reaches beyond 9 columns" in refusal(laid, unread(37))


def test_a_fifth_row_is_refused() -> None:
    assert "5 rows" in refusal([*places(), GridPlace(36, 4, 0)], unread(37))


def reads_as_laid(turned: bool = False) -> list[CardReading]:
    faces = [f"{colour}{number}" for colour in "RYGB" for number in range(9)]
    return [
        CardReading("face", parse_face(face), confidence=0.99) for face in (faces[::-1] if turned else faces)
    ]


def test_a_doubled_card_is_named_with_the_one_it_stands_for() -> None:
    readings = reads_as_laid()
    readings[9 + 6] = readings[9 + 5]
    said = refusal(places(), readings)
    assert "yellow 5 is there twice" in said
    assert "row 2: yellow 6 is missing" in said


def test_a_photo_that_stands_on_its_head_is_turned() -> None:
    named = named_faces("faces.jpg", places(), reads_as_laid(turned=True), ESPRESSO)
    assert named["R0"] == 35


def test_a_missing_first_column_is_told_from_a_missing_last_one() -> None:
    laid = [GridPlace(i, i // 8, i % 8) for i in range(32)]
    readings = [r for i, r in enumerate(reads_as_laid()) if i % 9]
    assert "row 1: red 0 is missing" in refusal(laid, readings)


def test_rows_in_another_order_are_refused() -> None:
    readings = reads_as_laid()
    readings = [*readings[27:], *readings[18:27], *readings[9:18], *readings[:9]]
    assert "a row per colour" in refusal(places(), readings)


def test_a_card_face_down_in_the_grid_is_named() -> None:
    readings = unread(36)
    readings[20] = CardReading("back", confidence=0.99)
    assert "green 2 lies face down" in refusal(places(), readings)


def test_a_rendered_grid_at_an_angle_is_named_from_what_a_finder_finds() -> None:
    rendered = faces_grid(tilt=28)
    cards = TableReader(CardFinder(truth_net(rendered)), TruthReader(rendered)).read(rendered.picture)
    laid = grid_places([card.corners for card in cards], (1280, 720))
    named = named_faces("faces.jpg", laid, [card.reading for card in cards], ESPRESSO)
    assert all(str(cards[card].reading.face) == face for face, card in named.items())
