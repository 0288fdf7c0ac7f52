"""Games on the virtual table: hands bring cards where the round says, and nothing appears or flies."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import cache

import cv2
import numpy as np
import pytest

from finito.virtual_table.choreography import Session, Wish, plan_session
from finito.virtual_table.choreography.ending import COUNT
from finito.virtual_table.choreography.frame_truth import camera_json, frame_line
from finito.virtual_table.choreography.homes import GAP, ROW, home_zones, homes
from finito.virtual_table.choreography.show import Moment
from finito.virtual_table.film import Film
from finito.virtual_table.scene import Card
from referee.actions import Interval, Play, Start
from referee.places import ESPRESSO, HAND, Seat

SMALL = (480, 270)
# Faster than any hand in play (mm per second); a card that leaves one place for another would be far above.
FASTEST = 6500.0


@cache
def session(players: int, seed: int, faults: tuple[str, ...] = (), variant: str = "normalo") -> Session:
    return plan_session(Wish(players, 25, seed, faults, (variant,), size=SMALL, roughness=0.0))


def cards_of(moment: Moment) -> list[Card]:
    return [*moment.scene.cards, *(card for hand in moment.scene.hands for card in hand.held)]


def when(t: Interval | None) -> float:
    assert t is not None
    return t.start


def overlap(one: tuple[tuple[float, float], ...], other: tuple[tuple[float, float], ...]) -> float:
    area, _ = cv2.intersectConvexConvex(np.array(one, np.float32), np.array(other, np.float32))
    return float(area)


def test_seats_go_clockwise_from_south_and_no_places_overlap() -> None:
    for count in range(2, 7):
        around = homes([(f"p{i}", "left" if i == 1 else "right") for i in range(count)], (66.0, 94.0))
        seats = [home.seat for home in around.values()]
        assert seats[0] is Seat.SOUTH
        order = list(Seat)
        assert seats == sorted(seats, key=order.index)
        for (one, a), (other, b) in itertools.combinations(home_zones(around).items(), 2):
            assert overlap(a, b) == 0, (count, one, other)


def test_helps_lie_to_the_right_of_the_espresso_stack_as_the_player_sees_them() -> None:
    around = homes([("a", "right"), ("b", "right"), ("c", "right"), ("d", "right")], (59.0, 91.0))
    south, west, north = around["a"], around["b"], around["c"]
    assert [south.place(name)[0] for name in ROW] == sorted(south.place(name)[0] for name in ROW)
    assert south.place("help1")[0] - south.place(ESPRESSO)[0] == pytest.approx(59.0 + GAP)
    assert west.place("help1")[1] > west.place(ESPRESSO)[1]  # west looks east: right is south
    assert north.place("help1")[0] < north.place(ESPRESSO)[0]


@pytest.mark.parametrize(
    ("players", "faults", "variant"),
    [
        (2, ("two-hands", "impossible-card"), "normalo"),
        (4, ("wrong-colour", "too-late", "before-start"), "normalo"),
        (6, ("joker-on-joker",), "zero"),
        (3, (), "chaos"),
    ],
)
def test_every_back_has_36_cards_at_every_moment(players: int, faults: tuple[str, ...], variant: str) -> None:
    show = session(players, 3, faults, variant).show
    for t in np.arange(0, show.seconds, 0.17):
        moment = show.moment(float(t), 0)
        names = [card.name for card in cards_of(moment)] + list(moment.hidden)
        assert len(names) == len(set(names)) == 36 * players
        assert set(Counter(show.backs[name] for name in names).values()) == {36}
        assert set(moment.places) == set(names)


@pytest.mark.parametrize(("players", "faults"), [(2, ("not-open",)), (5, ("wrong-number", "not-yours"))])
def test_the_time_of_a_play_is_when_its_card_lies_on_the_pile(players: int, faults: tuple[str, ...]) -> None:
    staged = session(players, 5, faults)
    show, piles = staged.show, 0
    for play in (action for action in staged.cast.played.actions if isinstance(action, Play)):
        piles += play.pile is None
        pile = f"pile {play.pile or piles}"
        before, after = (show.epoch(when(play.t) + d) for d in (-0.02, 0.0))
        landed = [card for card in after.resting if after.places[card.name] == pile][-1]
        assert (landed.back, landed.face, landed.side) == (play.owner or play.player, str(play.face), "face")
        assert before.places[landed.name] == f"carried by {play.player}"
        zone = np.array(show.zones[pile], np.float32)
        assert cv2.pointPolygonTest(zone, (landed.x, landed.y), False) > 0
        assert landed.z == max(card.z for card in after.resting if after.places[card.name] == pile)
    assert piles >= 2


def test_nothing_flies_cards_and_hands_move_no_faster_than_people_do() -> None:
    show = session(4, 7, ("wrong-colour", "two-hands")).show
    step = 1 / 120
    last: dict[str, tuple[float, float]] = {}
    for t in np.arange(0.0, show.seconds, step):
        moment = show.moment(float(t), 0)
        now = {card.name: (card.x, card.y) for card in cards_of(moment)}
        now |= {f"{a.player} {a.side} {a.hand.pose}": (a.hand.x, a.hand.y) for a in moment.actors}
        for name in now.keys() & last.keys():
            speed = math.dist(now[name], last[name]) / step
            assert speed < FASTEST, (t, name, last[name], now[name])
        last = now


def test_cards_never_turn_in_the_air_without_a_hand() -> None:
    show = session(4, 7).show
    before: dict[str, str] = {}
    for t in np.arange(0.0, show.seconds, 0.05):
        moment = show.moment(float(t), 0)
        for card in moment.scene.cards:
            was = before.get(card.name, card.side)
            assert card.side == was
        before = {card.name: card.side for card in moment.scene.cards}


def test_the_dealt_table_is_open_to_the_camera_before_the_shout() -> None:
    for players in (2, 4, 6):
        staged = session(players, 2)
        shout = when(next(a.t for a in staged.cast.played.actions if isinstance(a, Start)))
        moment = staged.show.moment(shout - 0.3, 0)
        film = Film(staged.deck).frame(moment.scene, clean=True)
        seen = {t.card.name: t for t in film.cards}
        for dealt in staged.cast.played.deals:
            tops = [
                card
                for card in moment.scene.cards
                if moment.places[card.name].startswith(f"{dealt.player} ") and card.back == dealt.player
            ]
            assert len(tops) == 9 + 3
            open_cards = {card.face: seen[card.name].visible for card in tops}
            for face in (dealt.top, *dealt.helps):
                assert open_cards[str(face)] > 0.9, (players, dealt.player, face)


def test_hands_reach_in_from_their_owners_side() -> None:
    show = session(5, 4).show
    for t in np.arange(0.0, show.seconds, 0.31):
        for actor in show.moment(float(t), 0).actors:
            home = show.homes[actor.player]
            inward = (actor.hand.angle - home.angle + 180) % 360 - 180
            assert abs(inward) < 75, (t, actor.player)


def test_a_card_of_a_second_deck_shows_the_face_that_is_played() -> None:
    staged = session(4, 6, ("impossible-card",))
    (_, index) = next(f for f in staged.cast.played.faults if f[0] == "impossible-card")
    play = staged.cast.played.actions[index]
    assert isinstance(play, Play)
    epoch = staged.show.epoch(when(play.t))
    twins = [c for c in epoch.resting if (c.back, c.face) == (play.player, str(play.face))]
    assert len(twins) == 2
    assert all(epoch.places[card.name].startswith("pile ") for card in twins)


def test_a_hand_that_comes_too_late_puts_its_card_back() -> None:
    staged = session(6, 2)
    turned = [m for m in staged.show.moves if m.turns_back is not None and m.deed == "play"]
    assert turned
    for move in turned:
        assert move.grips is not None
        assert move.releases is not None
        (card,) = move.cards
        places = [staged.show.epoch(t).places[card.card] for t in (move.grips - 0.001, move.releases)]
        assert places[0] == places[1]
        assert math.hypot(card.start.x - card.end.x, card.start.y - card.end.y) < 25


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5)])
def test_at_the_end_the_backs_lie_spread_by_player_and_can_be_counted(players: int, seed: int) -> None:
    staged = session(players, seed)
    show = staged.show
    moment = show.moment(show.seconds - 0.1, 0)
    rendered = Film(staged.deck).frame(moment.scene, clean=True)
    wanted = {back: n for back, n in staged.cast.played.count.by_back if n}
    shown = [t for t in rendered.cards if t.cut_off < 0.5]
    assert Counter(t.back for t in shown) == Counter(wanted)
    for truth in shown:
        assert truth.side == "back"
        assert moment.places[truth.card.name] == f"{truth.back} {COUNT}"
        # 12 mm of 59 show, or the whole of the last card
        assert truth.visible > 0.15, (players, truth.card.name)
    assert all(moment.places[name].endswith(HAND) for name in moment.hidden)


def test_the_truth_of_a_frame_names_every_card_and_agrees_with_the_saved_camera() -> None:
    staged = session(3, 1)
    show = staged.show
    moment = show.moment(20.0, 400)
    rendered = Film(staged.deck).frame(moment.scene)
    line = frame_line(400, moment, rendered, show.room.scene.camera)
    assert len(line["cards"]) + len(line["hidden"]) == 36 * 3
    assert "camera" not in line
    camera = camera_json(show.room.scene.camera)
    width, height = staged.deck.card_mm
    for card in (card for card in moment.scene.cards if not card.lift):
        got = next((c for c in line["cards"] if c["id"] == card.name), None)
        if got is None:
            continue
        cos, sin = math.cos(math.radians(card.angle)), math.sin(math.radians(card.angle))
        own = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2)]
        z = -(card.z + card.thickness)
        corners = np.array([[card.x + u * cos - v * sin, card.y + u * sin + v * cos, z] for u, v in own])
        pixels, _ = cv2.projectPoints(
            corners,
            cv2.Rodrigues(np.array(camera["rotation"]))[0],
            np.array(camera["translation"]),
            np.array(camera["matrix"]),
            np.array(camera["distortion"]),
        )
        assert np.abs(pixels[:, 0] - np.array(got["corners"])[:3]).max() < 0.1
    assert {hand["player"] for hand in line["hands"]} <= set(show.homes)
    assert 0 < line["covered"] < 0.5


def test_a_bumped_camera_is_told_with_the_frames_it_filmed() -> None:
    rough = next(
        staged
        for seed in range(1, 30)
        if (staged := plan_session(Wish(2, 25, seed, size=SMALL, roughness=2.0))).show.room.conditions.bumps
    )
    show, usual = rough.show, rough.show.room.scene.camera
    bump = min(event.at for event in show.room.conditions.bumps)
    before, after = (show.moment(bump + d, 0) for d in (-0.01, 1.5))
    film = Film(rough.deck)
    assert "camera" not in frame_line(0, before, film.frame(before.scene), usual)
    told = frame_line(0, after, film.frame(after.scene), usual)["camera"]
    assert told != camera_json(usual)
    assert not session(2, 1).show.room.conditions.bumps


def test_a_line_of_truth_says_what_was_rendered_of_every_card() -> None:
    """Side and visible part in the file are those of the picture."""
    played = session(3, 5)
    moment = played.show.moment(20.0, 400)
    rendered = Film(played.deck).frame(moment.scene)
    usual = played.show.room.scene.camera
    told = {each["id"]: each for each in frame_line(400, moment, rendered, usual)["cards"]}
    shown = {card.card.name: card for card in rendered.cards if card.visible > 0 and card.cut_off < 1}
    assert len(told) > 15
    assert {each["side"] for each in told.values()} == {"face", "back"}
    for name, line in told.items():
        truth = shown[name]
        assert line["side"] == truth.side
        assert line["visible"] == pytest.approx(truth.visible, abs=0.001)
        assert np.allclose(line["corners"], truth.corners, atol=0.06)
