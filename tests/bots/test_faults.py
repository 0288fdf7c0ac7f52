"""Faults on order: each is there, breaks its own rule only, and the rest of the round stays honest."""

from __future__ import annotations

import pytest

from finito.bots import FAULTS, BotRound, play_round
from referee.actions import Finito, Play, Refill, Start, TakeBack, Turn
from tests.bots.plain_rules import Telling

TAKEN_BACK = {
    "wrong-number",
    "wrong-colour",
    "pile-complete",
    "too-late",
    "must-start-with-zero",
    "joker-on-eight",
    "joker-on-joker",
    "after-finito",
}


def variants_of(fault: str) -> list[tuple[str, ...]]:
    if fault.startswith("joker"):
        return [("zero",), ("zero", "chaos")]
    return (
        [("normalo",), ("zero",)] if fault == "not-yours" else [("normalo",), ("chaos",), ("zero", "chaos")]
    )


def assert_only_ordered_faults(record: BotRound) -> None:
    ordered = {index: {name} for name, index in record.faults}
    assert Telling(record).all_broken() == ordered, (record.seed, record.header)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_breaks_its_own_rule_and_no_other(fault: str) -> None:
    for variant in variants_of(fault):
        for seed in range(10):
            record = play_round(seed, 2 + seed % 5, variant=variant, faults=(fault,))
            assert record.missing == ()
            assert [name for name, _ in record.faults] == [fault]
            assert_only_ordered_faults(record)


@pytest.mark.parametrize("edition", ["forum-1996", "escale"])
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if not fault.startswith("joker")])
def test_each_fault_is_as_pure_in_the_other_editions(edition: str, fault: str) -> None:
    for seed in range(4):
        record = play_round(seed, 2 + seed, edition=edition, faults=(fault,))
        assert record.missing == ()
        assert_only_ordered_faults(record)


@pytest.mark.parametrize("game", ["ligretto", "dutch-blitz"])
def test_faults_are_pure_in_the_cousins_too(game: str) -> None:
    plain = [fault for fault in FAULTS if not fault.startswith("joker")]
    for seed, fault in enumerate(plain):
        record = play_round(seed, 2 + seed % 7, game, faults=(fault,))
        assert record.missing == ()
        assert_only_ordered_faults(record)


@pytest.mark.parametrize("fault", sorted(TAKEN_BACK))
def test_a_card_that_does_not_fit_is_taken_back_within_seconds(fault: str) -> None:
    variant = ("zero",) if fault.startswith("joker") else ("normalo",)
    for seed in range(5):
        record = play_round(seed, 4, variant=variant, faults=(fault,))
        ((_, index),) = record.faults
        wrong = record.actions[index]
        assert isinstance(wrong, Play)
        back = next(action for action in record.actions[index:] if isinstance(action, TakeBack))
        assert (back.player, back.face) == (wrong.player, wrong.face)
        assert wrong.t is not None
        assert back.t is not None
        assert 1.0 <= back.t.start - wrong.t.start < 5.0


def test_the_slower_of_two_equal_cards_comes_right_after_the_other() -> None:
    for seed in range(10):
        record = play_round(seed, 2 + seed % 5, faults=("too-late",))
        ((_, index),) = record.faults
        late = record.actions[index]
        assert isinstance(late, Play)
        equal = [
            action
            for action in record.actions[:index]
            if isinstance(action, Play) and action.face == late.face and action.player != late.player
        ]
        assert late.t is not None
        assert equal[-1].t is not None
        assert late.t.start - equal[-1].t.start < 2.5


def test_a_false_call_does_not_end_the_round() -> None:
    record = play_round(3, 3, faults=("false-finito",))
    ((_, index),) = record.faults
    assert isinstance(record.actions[index], Finito)
    assert any(isinstance(action, Play) for action in record.actions[index:])
    assert isinstance(record.actions[-1], Finito)


def test_nothing_but_the_early_play_comes_before_the_shout() -> None:
    record = play_round(3, 3, faults=("before-start",))
    assert record.faults == (("before-start", 0),)
    assert isinstance(record.actions[1], Start)


def test_faults_come_in_all_their_kinds() -> None:
    sources, counts, hands, hidden = set(), set(), set(), set()
    for seed in range(30):
        names = ("refill-source", "turn-count", "two-hands", "not-open")
        record = play_round(seed, 3, faults=names)
        for _, index in record.faults:
            match record.actions[index]:
                case Refill(source=source):
                    sources.add(source)
                case Turn(count=count):
                    counts.add(count)
                case Play(hand="both"):
                    hands.add("both")
                case Play(source=source):
                    hidden.add(source)
    assert sources == {"waste", "hand"}
    assert counts == {2, 4}
    assert hands == {"both"}
    assert {"waste", "hand"} <= hidden


def test_a_fault_can_be_ordered_several_times_among_others() -> None:
    for seed in range(5):
        names = ("wrong-colour", "turn-count", "wrong-colour", "not-yours", "after-finito")
        record = play_round(seed, 4, faults=names)
        assert sorted(name for name, _ in record.faults) == sorted(names)
        assert_only_ordered_faults(record)


def test_a_fault_without_its_moment_is_named_as_missing() -> None:
    assert play_round(1, 2, faults=("joker-on-eight",)).missing == ("joker-on-eight",)
    assert play_round(1, 2, variant=("chaos",), faults=("not-yours",)).missing == ("not-yours",)
    assert play_round(1, 2, faults=("after-finito",), max_seconds=5).missing == ("after-finito",)
