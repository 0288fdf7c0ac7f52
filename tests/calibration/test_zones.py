"""Seats, places and centre proposed from dealt tables, and put right by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.dealt_table import DealtCard, dealt_card, propose_zones
from calibration.errors import CalibrationError
from calibration.zones import TableZones
from finito.virtual_table.table_game import seat_angles
from referee.places import Seat

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
