"""The cards of a filmed table, counted at its known plane: drawn once, at the end of a round."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from calibration.markers import find_markers
from calibration.table_plane import plane_from_markers
from calibration.zones import PlaceZone, SeatZone, TableZones
from finito.ending.table_count import TableCounter
from finito.ending.table_view import TableView
from finito.seeing import house_as_drawn
from finito.virtual_table.choreography import Session, Wish, plan_session
from finito.virtual_table.choreography.filming import draw
from finito.virtual_table.choreography.homes import ROW
from tests.vision.shipped import nets_or_skip
from vision.back_counter import PhotoCount
from vision.card_finder import CardFinder
from vision.card_reader import CardReader
from vision.counting.tally import CLEAR
from vision.frame import Picture
from vision.onnx_model import load

SIZE, FPS = (1280, 720), 15


@cache
def at_rest() -> tuple[Session, Picture, TableView]:
    session = plan_session(Wish(2, 20.0, 42, size=SIZE, fps=FPS, roughness=0.5))
    number = math.ceil((session.show.ending.counted + 0.6) * FPS)
    (frame,) = draw(session.shot, [number])
    plane = plane_from_markers(find_markers(frame.picture), SIZE)
    # The plane begins amid the markers, the room amid the table: a shift and hardly a turn apart.
    papers = session.show.room.markers
    seen = {number: np.mean(corners, axis=0) for number, corners in plane.markers.items()}
    shift = np.mean([seen[paper.seed] - (paper.x, paper.y) for paper in papers if paper.seed in seen], axis=0)
    seats = []
    for home in session.show.homes.values():
        spots = {name: np.array(home.place(name)) + shift for name in ROW}
        places = [PlaceZone(name, float(at[0]), float(at[1]), home.angle) for name, at in spots.items()]
        seats.append(SeatZone(home.seat, home.angle, tuple(places)))
    zones = TableZones(tuple(seats), ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0)))
    return session, frame.picture, TableView(plane, zones)


@cache
def count() -> PhotoCount:
    _, picture, view = at_rest()
    net = load("finder")
    deck = house_as_drawn(CardReader())
    return TableCounter(net, CardFinder(net), deck).count(picture, view)


@pytest.mark.slow
def test_ladders_before_their_players_are_counted_card_by_card() -> None:
    nets_or_skip()
    session, _, _ = at_rest()
    found = [card.back for card in count().cards if card.chance >= CLEAR]
    true = {back: cards for back, cards in session.cast.played.count.by_back if cards}
    assert {back: found.count(back) for back in true} == true
    assert len(found) == sum(true.values())


@pytest.mark.slow
def test_no_marker_is_taken_for_a_card() -> None:
    nets_or_skip()
    _, _, view = at_rest()
    middles = [np.mean(card.corners, axis=0) for card in count().cards]
    for paper in view.papers:
        assert all(math.dist(paper.mean(axis=0), middle) > 60 for middle in middles)
