"""Properties of judged rounds, over rounds that bots play."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finito.bots import FAULTS, BotRound, play_round
from referee.actions import Amend, Interval, Play, Undo
from referee.cards import Colour, face
from referee.rules.laying import _plain, _weighed
from referee.verdicts import Outcome
from tests.properties.rounds import judged, judged_actions, opened, with_unread_faces

GAMES = [
    ("espresso", ("normalo",), "amigo-1995"),
    ("espresso", ("zero",), "amigo-1995"),
    ("espresso", ("chaos",), "amigo-1995"),
    ("espresso", ("zero", "chaos"), "amigo-1995"),
    ("espresso", ("normalo",), "forum-1996"),
    ("espresso", ("normalo",), "escale"),
    ("ligretto", ("normalo",), "amigo-1995"),
    ("dutch-blitz", ("normalo",), "amigo-1995"),
]
seeds = st.integers(min_value=0, max_value=2**31)
# The same examples every time: a submission is not refused for what it did not change.
few = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def honest(seed: int) -> BotRound:
    game, variant, edition = GAMES[seed % len(GAMES)]
    most = 12 if game != "espresso" else 6
    return play_round(seed, 2 + seed % (most - 1), game, variant, edition)


@pytest.mark.parametrize("block", range(4))  # a thousand rounds in all, spread over the processes
@settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(seed=seeds)
def test_honest_rounds_give_no_illegal_and_keep_the_invariants(block: int, seed: int) -> None:
    record = honest(seed + block)
    verdicts = judged(record)
    wrong = [(n, record.actions[n], v) for n, v in enumerate(verdicts) if not v.legal]
    assert not [each for each in wrong if each[2].illegal], (seed + block, wrong[:3])
    if "chaos" not in record.header.variant:
        assert not wrong, (seed + block, wrong[:3])


@pytest.mark.parametrize("fault", FAULTS)
def test_each_injected_fault_is_called_by_its_own_name_and_nothing_else_is(fault: str) -> None:
    variant = ("zero",) if fault.startswith("joker") else ("normalo",)
    called = 0
    for seed in range(12):
        edition = (
            ("amigo-1995", "forum-1996", "escale")[seed % 3] if variant == ("normalo",) else "amigo-1995"
        )
        record = play_round(seed, 2 + seed % 5, "espresso", variant, edition, faults=(fault,))
        verdicts = judged(record)
        expected = {index: name for name, index in record.faults}
        illegal = {n: str(v.rule) for n, v in enumerate(verdicts) if v.illegal}
        assert illegal == expected, (seed, fault)
        called += len(expected)
    assert called >= 9


@few
@given(seeds)
def test_unread_faces_never_turn_an_honest_round_illegal(seed: int) -> None:
    record, random = honest(seed), Random(seed)
    share = random.choice([0.03, 0.2, 0.7, 1.0])
    actions = tuple(with_unread_faces(action, random, share) for action in record.actions)
    for n, verdict in enumerate(judged_actions(opened(record), actions)):
        assert not verdict.illegal, (seed, share, actions[n], verdict)


@few
@given(seeds)
def test_a_round_of_which_no_deal_was_seen_gives_no_illegal(seed: int) -> None:
    record = honest(seed)
    referee = opened(replace(record, hidden=()))
    for n, verdict in enumerate(judged_actions(referee, record.actions)):
        assert not verdict.illegal, (seed, record.actions[n], verdict)


@few
@given(seeds, st.floats(0.01, 0.8))
def test_blurred_times_never_turn_an_honest_round_illegal(seed: int, blur: float) -> None:
    """Every true order is among the orders that the intervals allow."""
    record, random = honest(seed), Random(seed)
    referee = opened(record)
    answers = []
    start = 0.0
    for line, action in enumerate(record.actions):
        assert action.t is not None
        start = max(start, action.t.start - random.random() * blur)
        timed = replace(action, t=Interval(start, max(action.t.end, start)))
        answers += referee.act(line, timed)
    answers += referee.close()
    assert sorted(answer.line for answer in answers) == list(range(len(record.actions)))
    for answer in answers:
        assert not answer.verdict.illegal, (seed, blur, answer)


@few
@given(seeds, st.data())
def test_one_misread_card_does_not_spoil_the_plays_after_it(seed: int, data: st.DataObject) -> None:
    record = honest(seed)
    plays = [n for n, action in enumerate(record.actions) if isinstance(action, Play)]
    at = data.draw(st.sampled_from(plays))
    numbers = (0, 8) if record.header.game == "espresso" else (1, 10)
    number = data.draw(st.integers(*numbers))
    misread = face(data.draw(st.sampled_from(list(Colour))), number)
    actions = list(record.actions)
    original = actions[at]
    assert isinstance(original, Play)
    actions[at] = replace(original, face=misread)
    verdicts = judged_actions(opened(record), tuple(actions))
    accused = [n for n, verdict in enumerate(verdicts) if verdict.illegal]
    assert len(accused) <= 5, (seed, at, misread, [(n, actions[n], verdicts[n]) for n in accused])


@few
@given(seeds, st.data())
def test_undo_then_redo_gives_the_same_state_and_verdicts(seed: int, data: st.DataObject) -> None:
    record = honest(seed)
    referee = opened(record)
    judged_actions(referee, record.actions, check=False)
    before = referee.state
    line = data.draw(st.integers(1, len(record.actions)))
    last = len(record.actions) + 1
    _, undone = referee.correct(last, Undo(line))
    _, redone = referee.correct(last + 1, Undo(last))
    assert referee.state == before
    assert {answer.line for answer in redone.changed} == {answer.line for answer in undone.changed} | {line}


@few
@given(seeds, st.data())
def test_amending_a_line_to_what_it_was_changes_nothing(seed: int, data: st.DataObject) -> None:
    record = honest(seed)
    referee = opened(record)
    judged_actions(referee, record.actions, check=False)
    before = referee.state
    line = data.draw(st.integers(1, len(record.actions)))
    _, amended = referee.correct(len(record.actions) + 1, Amend(line, record.actions[line - 1]))
    assert referee.state == before
    assert not amended.changed


@few
@given(seeds, st.data())
def test_any_prefix_of_a_round_replays_to_the_same_state(seed: int, data: st.DataObject) -> None:
    record = honest(seed)
    states = []
    referee = opened(record)
    for line, action in enumerate(record.actions, start=1):
        referee.act(line, action)
        states.append(referee.state)
    cut = data.draw(st.integers(1, len(record.actions)))
    again = opened(record)
    judged_actions(again, record.actions[:cut], check=False)
    assert again.state == states[cut - 1]


@few
@given(seeds, st.sampled_from(FAULTS))
def test_the_short_cut_for_plain_plays_agrees_with_all_the_rules(seed: int, fault: str) -> None:
    variant = ("zero",) if fault.startswith("joker") else ("normalo",)
    record = play_round(seed, 3, "espresso", variant, faults=(fault,))
    referee = opened(record)
    plain = 0
    for line, action in enumerate(record.actions, start=1):
        if isinstance(action, Play):
            laying = referee.rules._laying(referee.state, action)
            if _plain(laying):
                plain += 1
                assert _weighed(laying).outcome is Outcome.LEGAL
        referee.act(line, action)
    assert plain or "zero" in variant
