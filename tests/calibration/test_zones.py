"""Seats, places and centre proposed from dealt tables, and put right by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.dealt_table import DealtCard, dealt_card, propose_zones
from calibration.errors import CalibrationError
from calibration.lens import nominal_lens
from calibration.table_plane import TablePlane
from calibration.zones import TableZones, inside
from finito.virtual_table.table_game import seat_angles
from referee.places import Seat
from vision.pipelining.geometry import Geometry

GAP = 72.0


def row(
    angle: float, wide: float, tall: float, cards: int = 4, shift: float = 0.0, slop: int = 0
) -> list[DealtCard]:
    """A player's cards from left to right, where the virtual table would lay them."""
    rng = np.random.default_rng(slop)
    turn = math.radians(angle)
    x, y = -math.sin(turn) * wide, math.cos(turn) * tall
    right = np.array([math.cos(turn), math.sin(turn)])
    laid = []
    for i in range(cards):
        spot = np.array([x, y]) + right * (shift + (i - 2) * GAP) + (rng.normal(0, 5, 2) if slop else 0)
        lean = rng.normal(0, 5) if slop else 0.0
        laid.append(DealtCard(float(spot[0]), float(spot[1]), (angle + 90 + lean) % 180))
    return laid


def dealt(players: int, cards: int = 4, seed: int = 1) -> list[DealtCard]:
    wide, tall = (420.0, 290.0) if players < 5 else (520.0, 340.0)
    table = [
        card
        for i, angle in enumerate(seat_angles(players))
        for card in row(angle, wide, tall, cards, slop=10 * seed + i)
    ]
    order = np.random.default_rng(seed).permutation(len(table))
    return [table[int(i)] for i in order]


NAMES = {
    2: ["south", "north"],
    3: ["south", "north-west", "north-east"],
    4: ["south", "west", "north", "east"],
    5: ["south", "west", "north-west", "north-east", "east"],
    6: ["south", "south-west", "north-west", "north", "north-east", "south-east"],
}


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("cards", [4, 5])
def test_seats_are_named_by_where_people_sit(players: int, cards: int) -> None:
    for seed in (1, 2, 3):
        zones = propose_zones(dealt(players, cards, seed))
        assert [seat.seat for seat in zones.seats] == NAMES[players]


@pytest.mark.parametrize("players", range(2, 7))
def test_places_run_from_left_to_right_as_their_owner_sees_them(players: int) -> None:
    zones = propose_zones(dealt(players), players)
    for seat, angle in zip(zones.seats, seat_angles(players), strict=True):
        wide, tall = (420.0, 290.0) if players < 5 else (520.0, 340.0)
        for zone, card in zip(seat.places, row(angle, wide, tall, 5), strict=True):
            assert math.hypot(zone.x - card.x, zone.y - card.y) < 35, (seat.seat, zone.place)
            assert abs((zone.angle - angle + 180) % 360 - 180) < 8
    assert [zone.place for zone in zones.seats[0].places] == ["espresso", "help1", "help2", "help3", "waste"]


def test_a_card_is_found_in_the_place_it_lies_in() -> None:
    zones = propose_zones(dealt(4))
    for angle, seat in zip(seat_angles(4), NAMES[4], strict=True):
        for name, card in zip(("espresso", "help1", "help2", "help3"), row(angle, 420, 290), strict=False):
            assert zones.at(card.x + 5, card.y - 5) == (seat, name)
    assert zones.at(0, 0) == (None, "centre")
    assert zones.at(900, 900) is None


def test_piles_beside_the_rows_of_two_players_lie_in_the_centre() -> None:
    zones = propose_zones(dealt(2))
    half = max(zone.x for seat in zones.seats for zone in seat.places) + 59 / 2
    for x in (half + 120, -half - 120):
        assert zones.at(x, 0) == (None, "centre")
    behind = max(zone.y for seat in zones.seats for zone in seat.places) + 91
    assert zones.at(0, behind) is None
    assert zones.at(half + 120, behind) is None


def at_a_round_table() -> list[DealtCard]:
    """Three players; the rows of two of them lie oblique."""
    rows = ((0.0, 205.0, 0.0), (-335.0, -115.0, 128.0), (335.0, -115.0, 232.0))
    return [
        DealtCard(card.x + x, card.y + y, card.angle) for x, y, angle in rows for card in row(angle, 0.0, 0.0)
    ]


def test_piles_beside_the_end_of_a_row_lie_in_the_centre_though_they_lie_behind_its_line() -> None:
    zones = propose_zones(at_a_round_table())
    half = max(abs(zone.x) for zone in zones.seat("south").places) + 59 / 2
    for x in (half + 80, -half - 80):
        assert zones.at(x, 205 - 30) == (None, "centre")
        assert zones.at(x, 205) == (None, "centre")
    west = zones.seat("north-west").places[-1]  # its end beside the southern row
    along = np.array([math.cos(math.radians(128)), math.sin(math.radians(128))])
    assert zones.at(*(np.array([west.x, west.y]) + 100 * along)) == (None, "centre")


@pytest.mark.parametrize("players", range(2, 7))
def test_hands_and_decks_behind_a_row_are_no_piles(players: int) -> None:
    tables = [dealt(players)] if players != 3 else [dealt(players), at_a_round_table()]
    for table in tables:
        zones = propose_zones(table)
        for seat in zones.seats:
            turn = math.radians(seat.angle)
            out, right = (
                np.array([-math.sin(turn), math.cos(turn)]),
                np.array([math.cos(turn), math.sin(turn)]),
            )
            row_at = np.mean([(zone.x, zone.y) for zone in seat.places], axis=0)
            for along in (-230, -150, -75, 0, 75, 150, 230):
                for behind in (85, 118, 160, 220):
                    at = zones.at(*(row_at + along * right + behind * out))
                    assert at is None or at[0] is not None, (seat.seat, along, behind)


def test_the_watched_part_of_the_picture_goes_around_the_rows() -> None:
    """Cells of the change picture are those of the zones, though the centre is no convex polygon."""
    zones = propose_zones(at_a_round_table())
    straight = nominal_lens((1600, 1200))
    plane = TablePlane((1600, 1200), ((1, 0, -800), (0, 1, -600), (0, 0, 1)), straight, 0.0, "cards")
    cells = Geometry(plane, zones, 4.0, (1600, 1200)).interest((300, 400))
    seen = {
        (x, y): cells[round((y + 600) / 4), round((x + 800) / 4)] > 0
        for x in range(-600, 600, 50)
        for y in range(-400, 400, 50)
    }
    assert seen[250, 200]
    assert not seen[0, 350]
    assert all(seen[x, y] for x, y in seen if zones.at(x, y) == (None, "centre"))


def test_two_on_each_long_side_are_told_apart() -> None:
    table = [card for x in (-220, 220) for card in row(0, 0, 250, shift=x, slop=3)]
    table += [card for x in (-220, 220) for card in row(180, 0, 250, shift=x, slop=4)]
    seats = [seat.seat for seat in propose_zones(table).seats]
    assert seats == ["south-west", "north-west", "north-east", "south-east"]


def test_a_stack_set_apart_on_the_right_is_the_espresso_stack() -> None:
    south = row(0, 0, 250)
    south[3] = DealtCard(south[3].x + 40, south[3].y, 90)
    seat = propose_zones([*south, *row(180, 0, 250)]).seat("south")
    assert seat.place("espresso").x == pytest.approx(south[3].x, abs=0.1)
    assert seat.place("help1").x == pytest.approx(south[0].x, abs=0.1)
    assert seat.place("waste").x < south[0].x


def test_a_stack_behind_the_helps_is_the_espresso_stack() -> None:
    south = row(0, 0, 250)
    south[0] = DealtCard(south[2].x, 250 + 105, 90)
    helps = [card.x for card in south[1:]]
    seat = propose_zones([*south, *row(180, 0, 250)]).seat("south")
    assert seat.place("espresso").y == pytest.approx(355, abs=0.1)
    assert [seat.place(f"help{n}").x for n in (1, 2, 3)] == pytest.approx(helps, abs=0.1)


def test_what_lies_in_the_bay_of_a_centre_is_outside_it() -> None:
    bay = ((0, 0), (90, 0), (90, 90), (60, 90), (60, 30), (30, 30), (30, 90), (0, 90))
    for outline in (bay, bay[::-1]):
        assert all(inside(outline, point) for point in ((15, 80), (75, 80), (45, 15)))
        assert not any(inside(outline, point) for point in ((45, 80), (45, 40), (45, 120), (-5, 15)))
    assert not inside(bay[:2], (45, 0))


def adjustable() -> TableZones:
    return propose_zones(dealt(2))


def test_zones_are_put_right_by_hand() -> None:
    zones = adjustable()
    old = zones.seat("south").place("waste")
    moved = zones.moved("south", "waste", 12, -4)
    assert moved.seat("south").place("waste").x == old.x + 12
    assert moved.seat("north") == zones.seat("north")
    mirrored = zones.mirrored("north").seat("north")
    assert mirrored.place("espresso").x == zones.seat("north").place("waste").x
    renamed = zones.renamed("south", Seat.SOUTH_EAST)
    assert renamed.seat("south-east").places == zones.seat("south").places
    with pytest.raises(CalibrationError, match="both sit north"):
        zones.renamed("south", Seat.NORTH)
    with pytest.raises(CalibrationError, match="the seats are south, north"):
        zones.moved("west", "waste", 1, 1)
    with pytest.raises(CalibrationError, match="no place called help9"):
        zones.moved("south", "help9", 1, 1)


def test_a_table_that_is_not_dealt_is_refused_with_what_was_seen() -> None:
    with pytest.raises(CalibrationError, match="rows of none"):
        propose_zones([])
    with pytest.raises(CalibrationError, match="rows of 4, 3 cards"):
        propose_zones([*row(0, 0, 250), *row(180, 0, 250, 3)])
    with pytest.raises(CalibrationError, match="3 players"):
        propose_zones(dealt(2), players=3)


@pytest.mark.parametrize("first", range(4))
def test_a_card_is_known_from_any_first_corner(first: int) -> None:
    corners = np.array([[-29.5, -45.5], [29.5, -45.5], [29.5, 45.5], [-29.5, 45.5]])
    card = dealt_card(np.roll(corners, first, axis=0) + np.array([100, 50]))
    assert (card.x, card.y, card.angle) == pytest.approx((100, 50, 90))
