"""A watched round from deal to score; a table that is being cleared is no Finito and no play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finito.ending.clearing import Clearing
from finito.ending.refereed_round import RefereedRound
from finito.live import LiveEvent, LiveReferee
from referee.actions import Amend, Finito, Interval, Play, RoundHeader, Undo
from vision.observations import Counted, Covered, Look, Observation, Spot, Tick, centre_spot

PLAYERS = ("pizza", "gelato")
DEALT = {
    ("pizza", "espresso"): "R3",
    ("pizza", "help1"): "B0",
    ("pizza", "help2"): "G7",
    ("pizza", "help3"): "Y0",
    ("gelato", "espresso"): "Y4",
    ("gelato", "help1"): "R8",
    ("gelato", "help2"): "B2",
    ("gelato", "help3"): "G1",
}


class Told:
    """A table whose looks are told one by one."""

    def __init__(self) -> None:
        header = RoundHeader("espresso", ("normalo",), "amigo-1995", PLAYERS)
        self.round = RefereedRound(LiveReferee(header))
        self.now = 0.1
        self.said: list[LiveEvent] = []
        for (player, place), face in DEALT.items():
            self.shows(Spot(player, place), face)
        for player in PLAYERS:
            self.shows(Spot(player, "waste"), None)
        self.passes(3.0)

    def feed(self, observation: Observation) -> None:
        self.said += self.round.feed(observation)

    def shows(self, spot: Spot, face: str | None, player: str | None = None) -> None:
        reach = ((player, 0.95),) if player else ()
        since = max(0.1, self.now - 0.4)
        if face is None:
            self.feed(Look(spot, since, self.now, "nothing", reach=reach))
        elif face == "back":
            self.feed(Look(spot, since, self.now, "back", backs=(("pizza", 0.99),), reach=reach))
        else:
            self.feed(Look(spot, since, self.now, "face", ((face, 0.995),), reach=reach))

    def passes(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.now = round(self.now + 0.1, 3)
            self.feed(Tick(self.now, round(self.now * 15)))

    def lays(self, player: str, place: str, pile: int, reveals: str | None = None) -> None:
        face = DEALT[player, place]
        self.shows(Spot(player, place), None, player)
        self.shows(centre_spot(pile), face, player)
        self.passes(0.6)
        if reveals is not None:
            self.shows(Spot(player, place), reveals, player)
        self.passes(1.5)

    def clears(self, player: str) -> None:
        for place in ("help3", "help2", "help1", "espresso"):
            self.shows(Spot(player, place), None, player)
            self.passes(0.5)

    def is_over(self) -> bool:
        return self.round.over

    def called(self) -> list[str]:
        calls = [event for event in self.said if isinstance(event.action, Finito)]
        withdrawn = {event.line for event in calls if event.said == "withdrawn"}
        return [str(event.action.player) for event in calls if event.line not in withdrawn]


@pytest.fixture
def table() -> Told:
    return Told()


def test_the_round_and_its_deals_are_told_first_and_once(table: Told) -> None:
    header, *deals = table.round.opening()
    assert (header["type"], header["players"]) == ("round", list(PLAYERS))
    assert [(deal["player"], deal["top"]) for deal in deals] == [("pizza", "R3"), ("gelato", "Y4")]
    assert deals[1]["helps"] == ["R8", "B2", "G1"]
    assert table.round.opening() == []


def test_clearing_the_table_after_a_round_without_finito_calls_nobody(table: Told) -> None:
    table.lays("pizza", "help1", 1, "R5")
    table.clears("gelato")
    table.clears("pizza")
    table.passes(8.0)
    assert table.called() == []
    assert table.is_over()


def test_one_player_who_takes_all_up_ends_no_round_for_the_other(table: Told) -> None:
    table.clears("gelato")
    assert not table.is_over()


def test_decks_laid_down_beside_the_piles_are_no_piles_turned_over(table: Told) -> None:
    table.shows(centre_spot(1), "back")
    table.shows(centre_spot(2), "back")
    assert not table.is_over()


def test_what_looked_like_clearing_and_was_none_is_told_after_all(table: Told) -> None:
    table.shows(centre_spot(1), "Y0")
    table.clears("gelato")
    table.shows(centre_spot(1), "back")
    assert table.is_over()
    table.lays("pizza", "help1", 2, "R5")
    before = len(table.said)
    for place in ("help1", "help2", "help3", "espresso"):
        table.shows(Spot("gelato", place), DEALT["gelato", place])
    table.passes(2.0)
    assert not table.is_over()
    assert len(table.said) > before


def test_the_count_is_told_when_the_turned_cards_agree_with_the_log(table: Told) -> None:
    table.lays("pizza", "help1", 1, "R5")
    table.lays("pizza", "help3", 2, "R6")
    table.clears("gelato")
    table.clears("pizza")
    assert table.round.ended() is None
    table.feed(Counted(table.now, 1, ((0.95, (("pizza", 0.99),)), (0.93, (("pizza", 0.98),)))))
    count, result = table.round.closing()
    assert count == {"type": "count", "by_back": {"pizza": 2, "gelato": 0}}
    assert result["points"] == {"pizza": 2, "gelato": 0}
    assert result["finito"] is None
    assert "question" not in result


def test_a_card_that_is_missing_at_the_count_is_asked_for(table: Told) -> None:
    table.lays("pizza", "help1", 1, "R5")
    table.lays("pizza", "help3", 2, "R6")
    table.clears("gelato")
    table.clears("pizza")
    for _ in range(3):
        table.feed(Counted(table.now, 1, ((0.95, (("pizza", 0.99),)),)))
    assert table.round.ended() is None
    assert table.round.question is not None
    assert table.round.ended(force=True) is not None
    _, result = table.round.closing()
    assert "pizza" in result["question"]
    assert result["unsure"] == [{"back": "pizza", "counted": 1, "recorded": 2}]


def test_a_count_in_the_middle_of_play_ends_nothing(table: Told) -> None:
    table.feed(Counted(table.now, 1, ((0.95, (("pizza", 0.99),)),)))
    table.lays("pizza", "help1", 1, "R5")
    assert not table.is_over()
    assert table.round.ended() is None


def test_the_empty_places_of_whoever_called_finito_are_no_cleared_table() -> None:
    clearing = Clearing(PLAYERS)
    for place in ("espresso", "help1", "help2", "help3"):
        clearing.feed(Look(Spot("pizza", place), 1.0, 1.2, "nothing"))
    assert not clearing.over("pizza")
    assert clearing.over("gelato")


def test_a_pile_of_which_all_was_taken_back_holds_no_card_and_needs_no_question(table: Told) -> None:
    table.lays("pizza", "help1", 1, "R5")
    table.lays("gelato", "help3", 2)  # a 1 begins no pile
    table.shows(centre_spot(2), None, "gelato")
    table.shows(Spot("gelato", "help3"), "G1", "gelato")
    table.passes(2.0)
    table.clears("gelato")
    table.clears("pizza")
    ended = table.round.ended(force=True)
    assert ended is not None
    assert (ended.by_back, ended.question) == ({"pizza": 1, "gelato": 0}, None)


def test_a_card_that_left_its_slot_and_was_seen_nowhere_is_asked_about(table: Told) -> None:
    table.lays("pizza", "help1", 1, "R5")
    table.shows(Spot("gelato", "help2"), None, "gelato")
    table.passes(10.0)
    table.clears("gelato")
    table.clears("pizza")
    ended = table.round.ended(force=True)
    assert ended is not None
    assert ended.question == "the blue 2 of gelato left its place and was seen nowhere since; was it laid?"


def test_cards_laid_out_for_the_count_where_the_stack_was_take_no_finito_back(table: Told) -> None:
    table.lays("pizza", "help1", 1)
    state = table.round.log.state
    state.sides[0].__dict__.update(espresso=1, espresso_least=1)
    table.shows(Spot("pizza", "espresso"), None, "pizza")
    table.shows(Spot("pizza", "help1"), "R3", "pizza")
    table.passes(3.0)
    assert table.called() == ["pizza"]
    table.passes(4.0)
    table.shows(Spot("pizza", "espresso"), "back", "pizza")
    table.passes(3.0)
    table.shows(Spot("pizza", "espresso"), "G7", "pizza")
    table.passes(3.0)
    assert table.called() == ["pizza"]


def last_cards(table: Told, *, apart: float) -> None:
    """Both lay the last card of their stacks, one so long after the other."""
    for n, name in enumerate(PLAYERS):
        state = table.round.log.state
        state.sides[n].__dict__.update(espresso=1, espresso_least=1)
        table.shows(Spot(name, "espresso"), None, name)
        table.shows(centre_spot(8 + n), "R0" if n else "G0", name)
        table.passes(apart)
    table.passes(3.0)


@pytest.mark.parametrize(("apart", "asked"), [(0.2, True), (1.5, False)])
def test_who_called_first_is_asked_where_two_were_done_at_once(
    table: Told, apart: float, asked: bool
) -> None:
    table.lays("pizza", "help1", 1, "R5")
    last_cards(table, apart=apart)
    assert table.called()
    question = table.round.ended(force=True)
    assert question is not None
    assert ("done at once" in (question.question or "")) is asked


def test_a_call_that_was_told_needs_no_question_who_was_first(table: Told) -> None:
    table.lays("pizza", "help1", 1, "R5")
    last_cards(table, apart=0.2)
    for entry in table.round.log.entries:
        if isinstance(entry.what, Finito):
            entry.what = Finito(entry.what.player, Interval(table.now, table.now))
    ended = table.round.ended(force=True)
    assert ended is not None
    assert "done at once" not in (ended.question or "")


@pytest.mark.parametrize("arm", [True, False], ids=["an arm over the pile", "none"])
def test_a_card_gone_from_the_waste_with_its_players_arm_over_the_pile_it_fits_is_asked_about(
    table: Told, arm: bool
) -> None:
    """The eyes have missed it, and it looks as if it were buried by a turn."""
    table.lays("pizza", "help1", 1, "R5")
    table.shows(Spot("gelato", "waste"), "B1", "gelato")
    table.passes(2.0)
    table.shows(Spot("gelato", "waste"), "G4", "gelato")
    if arm:
        table.feed(Covered(centre_spot(1), table.now + 0.1, table.now + 0.3, (("gelato", 0.98),)))
    table.passes(6.0)
    ended = table.round.ended(force=True)
    assert ended is not None
    asked = "the blue 1 of gelato left its place and was seen nowhere since; was it laid?"
    assert ended.question == (asked if arm else None)


@pytest.mark.parametrize("amended", [True, False])
def test_a_persons_word_on_a_play_goes_before_what_the_eyes_make_likely(table: Told, amended: bool) -> None:
    table.lays("pizza", "help1", 1, "R5")
    table.lays("pizza", "help3", 2, "G2")
    play = next(e for e in table.said if isinstance(e.action, Play) and str(e.action.face) == "Y0")
    assert isinstance(play.action, Play)
    other = replace(play.action, player="gelato", owner=None)
    table.round.correct(Amend(play.line, other) if amended else Undo(play.line))
    table.clears("gelato")
    table.clears("pizza")
    ended = table.round.ended(force=True)
    assert ended is not None
    if amended:
        assert ended.by_back == {"pizza": 1, "gelato": 1}
    else:
        assert ended.question is not None  # a card was seen to lie there all the same
