"""Bots without faults: they keep the rules, the cards and the pace of people."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from itertools import pairwise

import pytest

from finito.bots import BotRound, play_round
from finito.bots.table import Table
from finito.errors import BadInput
from referee.actions import Action, Finito, Interval, Play, Start
from tests.bots.plain_rules import Telling

GAMES = [
    ("espresso", ("normalo",), "amigo-1995"),
    ("espresso", ("normalo",), "forum-1996"),
    ("espresso", ("normalo",), "escale"),
    ("espresso", ("zero",), "amigo-1995"),
    ("espresso", ("chaos",), "amigo-1995"),
    ("espresso", ("zero", "chaos"), "amigo-1995"),
    ("espresso", ("zero", "chaos"), "forum-1996"),
    ("ligretto", ("normalo",), "amigo-1995"),
    ("dutch-blitz", ("normalo",), "amigo-1995"),
]


def at(action: Action) -> float:
    assert action.t is not None
    return action.t.start


@pytest.mark.parametrize(("game", "variant", "edition"), GAMES)
def test_honest_bots_break_no_rule(game: str, variant: tuple[str, ...], edition: str) -> None:
    for seed in range(25):
        record = play_round(seed, 2 + seed % 5, game, variant, edition)
        telling = Telling(record)
        assert telling.all_broken() == {}, seed
        counted = dict.fromkeys(record.header.players, 0)
        for pile in telling.piles:
            for owner, _, _ in pile:
                counted[owner] += 1
        assert dict(record.count.by_back) == counted
        assert not any(player.waiting for player in telling.players.values())


@pytest.mark.parametrize(("game", "variant", "edition"), GAMES)
def test_no_card_is_lost_or_made(game: str, variant: tuple[str, ...], edition: str) -> None:
    cards = 36 if game == "espresso" else 40

    def all_there(action: Action, table: Table) -> None:
        for back in table.homes:
            assert table.cards_of(back) == cards, action

    for seed in range(4):
        faults = (
            "wrong-number",
            "not-open",
            "turn-count",
            "refill-source",
            "impossible-card",
            "after-finito",
        )
        play_round(seed, 2 + seed, game, variant, edition, faults[: seed * 2], watcher=all_there)


def test_same_arguments_give_the_same_round() -> None:
    for game, variant, edition in GAMES:
        again = [play_round(5, 4, game, variant, edition, faults=("too-late",)) for _ in range(2)]
        assert again[0] == again[1]
    assert play_round(5, 4) != play_round(6, 4)


def test_the_round_does_not_hang_on_the_hash_seed_of_the_process() -> None:
    script = (
        "import hashlib, sys; from finito.bots import play_round as p;"
        "r = p(3, 6, 'espresso', ('zero', 'chaos'), faults=('joker-on-joker', 'impossible-card'));"
        "sys.stdout.write(hashlib.sha256(repr((r.actions, r.motions)).encode()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout != b""


def test_actions_have_exact_and_rising_times_in_milliseconds() -> None:
    record = play_round(1, 6)
    times = [at(action) for action in record.actions]
    assert all(earlier < later for earlier, later in pairwise(times))
    assert all(
        action.t == Interval(t, t) and round(t, 3) == t
        for action, t in zip(record.actions, times, strict=True)
    )
    assert isinstance(record.actions[0], Start)


def test_people_could_play_that_fast() -> None:
    for seed in range(20):
        record = play_round(seed, 2 + seed % 5)
        by_player: dict[str, list[float]] = defaultdict(list)
        for action in record.actions:
            if not isinstance(action, Start):
                by_player[action.player].append(at(action))
        seconds = at(record.actions[-1]) - at(record.actions[0])
        plays = sum(isinstance(action, Play) for action in record.actions)
        assert 1 < plays / len(by_player) / seconds * 60 < 30
        for times in by_player.values():
            gaps = [later - earlier for earlier, later in pairwise(times)]
            assert min(gaps) >= 0.3
            assert max(gaps) < 10


def test_a_pace_of_two_is_about_twice_as_fast() -> None:
    slow, fast = (
        sum(at(play_round(seed, 4, pace=pace).actions[-1]) for seed in range(10)) for pace in (1.0, 2.0)
    )
    assert 1.6 < slow / fast < 2.4


def test_most_rounds_end_with_a_call_by_the_player_whose_stack_is_empty() -> None:
    records = [play_round(seed, 2 + seed % 5) for seed in range(60)]
    called = [record for record in records if record.finito is not None]
    assert len(called) >= 57
    for record in called:
        last = record.actions[-1]
        assert isinstance(last, Finito)
        assert last.player == record.finito
        assert 0.3 <= at(last) - max(at(a) for a in record.actions[:-1] if a.player == last.player) <= 0.9


def test_a_round_without_an_end_stops_at_its_time_and_nobody_calls() -> None:
    record = play_round(2, 2, max_seconds=8)
    assert record.finito is None
    assert at(record.actions[-1]) < at(record.actions[0]) + 12


def test_slower_hands_bring_their_cards_back_without_an_action() -> None:
    records = [play_round(seed, 6) for seed in range(5)]
    aborted = [motion for record in records for motion in record.motions if motion.aborted]
    assert any(motion.turns_back is not None and motion.cards for motion in aborted)
    assert any(motion.grips is None and not motion.cards for motion in aborted)
    assert all(motion.action is None for motion in aborted)


def check_motions(record: BotRound) -> None:
    """Every action has one motion with its moment, and no hand is at two places at once."""
    ends: dict[str, float] = defaultdict(float)
    told = set()
    for motion in record.motions:
        steps = [motion.leaves, motion.grips, motion.turns_back, motion.releases, motion.home]
        known = [step for step in steps if step is not None]
        assert known == sorted(known)
        assert motion.leaves >= ends[motion.player] - 0.002
        if motion.deed != "finito":
            ends[motion.player] = motion.home
        if motion.action is not None:
            told.add(motion.action)
            assert motion.releases == at(record.actions[motion.action])
    starts = {index for index, action in enumerate(record.actions) if isinstance(action, Start)}
    assert told | starts == set(range(len(record.actions)))


@pytest.mark.parametrize(("game", "variant", "edition"), GAMES)
def test_motions_tell_every_action_with_one_hand_at_a_time(
    game: str, variant: tuple[str, ...], edition: str
) -> None:
    for seed in range(5):
        check_motions(play_round(seed, 2 + seed, game, variant, edition))
        check_motions(play_round(seed, 2 + seed, game, variant, edition, faults=("too-late", "two-hands")))


def test_the_french_stack_lies_face_down_and_its_next_card_is_turned_up() -> None:
    record = play_round(4, 3, edition="escale")
    stacks = [motion for motion in record.motions if motion.deed == "deal" and len(motion.cards) == 9]
    assert stacks
    assert not any(card.up_after for motion in stacks for card in motion.cards)
    assert sum(motion.deed == "uncover" for motion in record.motions) > 3


def test_twelve_play_ligretto_with_backs_of_their_own() -> None:
    record = play_round(1, 12, "ligretto")
    assert record.header.players[5:7] == ("tiramisu", "back7")
    assert len(record.deals) == 12
    assert all(len(deal.helps) == 3 and deal.espresso == 10 for deal in record.deals)
    assert dict(record.count.race_left)[str(record.finito)] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 7},
        {"players": 1},
        {"players": ("pizza", "pizza")},
        {"game": "poker"},
        {"variant": ("latte",)},
        {"edition": "amigo-1895"},
        {"faults": ("sneeze",)},
        {"game": "ligretto", "variant": ("zero",)},
        {"pace": 0.0},
    ],
)
def test_a_round_that_cannot_be_is_refused_in_a_sentence(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"\w+ \w+"):
        play_round(1, **wrong)  # type: ignore[arg-type]
