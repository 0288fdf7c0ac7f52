"""Set-up of a round with no clicks: seats, places and players from what lies on the table."""

from __future__ import annotations

import json

import numpy as np
import pytest

from finito.errors import BadInput
from finito.live_setup import Guest, RoundSetUp, TableSetUp, parse_guests
from referee.places import Seat
from tests.vision.pipeline.filmed import Piece, piece
from vision.frame import Frame


def set_up(film: Piece, guests: list[Guest] | None = None) -> tuple[TableSetUp | None, RoundSetUp]:
    eye = film.eye()
    looking = RoundSetUp(eye.table(), guests or film.guests)
    for frame in film.frames:
        eye.now = frame.number
        if (ready := looking.look(frame)) is not None:
            return ready, looking
    return None, looking


@pytest.mark.parametrize(("players", "seed"), [(2, 104), (4, 105)])
def test_seats_and_places_of_a_dealt_table_are_found(players: int, seed: int) -> None:
    film = piece(-1.0, -0.3, players, seed)
    ready, _ = set_up(film)
    assert ready is not None
    assert not ready.late
    homes = film.session.show.homes
    assert ready.setting.players == {home.seat.value: home.player for home in homes.values()}
    seats = {home.player: home.seat for home in homes.values()}
    checked = 0
    for card in json.loads(film.lines[-1])["cards"]:
        player, place = card["place"].split()
        if card["side"] == "face" and card["visible"] > 0.9:
            x, y = ready.setting.plane.mm(np.array(card["corners"])).mean(axis=0)
            assert ready.setting.zones.at(x, y) == (seats[player], place)
            checked += 1
    assert checked >= 4 * players


def test_nine_cards_cannot_be_counted_from_above_and_that_is_said() -> None:
    ready, _ = set_up(piece(-1.0, -0.3))
    assert ready is not None
    assert any("nine" in remark for remark in ready.remarks)


def test_whose_back_is_where_is_seen_from_the_hand_decks() -> None:
    film = piece(-1.0, -0.3)
    ready, _ = set_up(film, [Guest(guest.name) for guest in reversed(film.guests)])
    assert ready is not None
    homes = film.session.show.homes.values()
    assert ready.setting.players == {home.seat.value: home.player for home in homes}


def test_a_table_with_too_few_rows_is_not_ready_and_says_why() -> None:
    film = piece(-1.0, -0.3)
    ready, looking = set_up(film, [*film.guests, Guest("tiramisu", Seat.EAST)])
    assert ready is None
    assert "3 players" in looking.why


def test_a_round_may_be_joined_late() -> None:
    film = piece(8.0, 9.6)
    ready, looking = set_up(film)
    assert ready is not None, looking.why
    assert ready.late
    assert any("joined late" in remark for remark in ready.remarks)


def test_one_look_is_not_enough_while_hands_are_dealing() -> None:
    film = piece(-1.0, -0.3)
    eye = film.eye()
    looking = RoundSetUp(eye.table(), film.guests)
    frame = film.frames[0]
    eye.now = frame.number
    assert looking.look(frame) is None
    assert looking.look(Frame(frame.picture, frame.t + 0.5, frame.number)) is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("pizza", "two to six"),
        ("pizza:south,pizza:north", "twice"),
        ("pizza:south,gelato:south", "twice"),
        ("pizza:up,gelato", "no seat"),
        (":south,gelato", "two to six"),
    ],
)
def test_players_that_make_no_sense_are_refused_with_a_reason(words: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        parse_guests(words)


def test_players_are_read_with_and_without_seats() -> None:
    assert parse_guests("pizza:south, gelato") == (Guest("pizza", Seat.SOUTH), Guest("gelato"))
