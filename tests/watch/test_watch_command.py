"""`finito watch` as a user meets it: the keys, the lines, and what it says when it cannot watch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from finito.cli.watch import run
from finito.cli.watch_game import Game
from finito.cli.watch_view import Screen
from finito.ending.refereed_round import RefereedRound
from finito.live import LiveReferee
from finito.live_setup import LiveTable, RoundSetUp
from referee.actions import Play, RoundHeader
from referee.language import LANGUAGES
from tests.command import finito
from tests.vision.pipeline.filmed import Piece, piece
from tests.vision.pipeline.perfect_eye import PerfectEye
from tests.vision.shipped import nets_or_skip
from vision.frame import Frame
from vision.observations import Look, Spot, Tick
from vision.pipelining.watching import Told

PLAYERS = ("pizza", "gelato")
DEALT = {
    ("pizza", "espresso"): "R3",
    ("pizza", "help1"): "B1",
    ("pizza", "help2"): "G7",
    ("pizza", "help3"): "Y0",
    ("gelato", "espresso"): "Y4",
    ("gelato", "help1"): "R8",
    ("gelato", "help2"): "B2",
    ("gelato", "help3"): "G1",
}


@pytest.fixture
def game() -> Game:
    """A dealt table that has been looked at for three seconds."""
    referee = LiveReferee(RoundHeader("espresso", ("normalo",), "amigo-1995", PLAYERS))
    for (player, place), face in DEALT.items():
        referee.feed(Look(Spot(player, place), 0.1, 0.1, "face", ((face, 0.995),)))
    for player in PLAYERS:
        referee.feed(Look(Spot(player, "waste"), 0.1, 0.1, "nothing"))
    for i in range(1, 31):
        referee.feed(Tick(i / 10, i))
    return Game(RefereedRound(referee), Screen(True), "en")


def told(game: Game, keys: str, t: float, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    events = game.press(keys, t)
    game.tell(events, Told(t, round(t * 10), (), 15.0, 0.01, 0, 0.0), None)
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_key_s_is_the_shout(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    *opening, line = told(game, "s", 3.0, capsys)
    assert [each["type"] for each in opening] == ["round", "deal", "deal"]
    assert (line["type"], line["t"], line["verdict"]) == ("start", 3.0, "legal")


def test_a_player_who_calls_finito_with_cards_left_is_told_so(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    told(game, "s", 3.0, capsys)
    lines = told(game, "f2", 4.0, capsys)
    call = next(line for line in lines if line["type"] == "finito")
    assert (call["player"], call["rule"]) == ("gelato", "false-finito")


def test_the_key_u_takes_the_last_word_back(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    told(game, "sf1", 3.0, capsys)
    lines = told(game, "u", 4.0, capsys)
    assert any(line.get("said") == "withdrawn" and line["type"] == "finito" for line in lines)


def test_the_key_o_overrules_the_last_call(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    told(game, "sf1", 3.0, capsys)
    assert game.referee.faults() == {"pizza": 1}
    lines = told(game, "o", 4.0, capsys)
    assert any(line.get("said") == "withdrawn" and line["type"] == "finito" for line in lines)
    assert not game.referee.faults()


def test_the_key_c_ends_the_count_as_it_is_and_leaves_the_question(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    told(game, "s", 3.0, capsys)
    count, result = told(game, "cc", 4.0, capsys)[-2:]
    assert (count["type"], count["by_back"]) == ("count", {"pizza": 0, "gelato": 0})
    assert result["type"] == "result"
    assert "not counted" in str(result["question"])
    assert told(game, "c", 5.0, capsys) == []


def test_the_key_c_pressed_by_mistake_does_not_end_a_running_round(
    game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    told(game, "s", 3.0, capsys)
    game.press("c", 4.0)
    assert "c once more" in capsys.readouterr().err
    game.press("uc", 5.0)  # the other key went on with the round; c asks anew
    assert "c once more" in capsys.readouterr().err
    assert not game.ended
    assert game.referee.counted is None


def test_the_key_q_ends_the_watching(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    told(game, "q", 3.0, capsys)
    assert game.over


def test_dropped_frames_are_said(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    game.tell([], Told(3.0, 60, (), 15.0, 0.2, 7, 0.0), None)
    assert "7 frames were dropped" in capsys.readouterr().err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lamp_that_glares_on_an_espresso_place_is_said_once(
    game: Game, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game.lang = lang
    for dazzled in ((), ("gelato",), ("gelato",), (), ("gelato",)):
        game.warn(dazzled)
    (sentence,) = capsys.readouterr().err.splitlines()
    assert all(word in sentence for word in ("gelato", "Espresso", "Finito", " f"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_lamp_that_burns_out_cards_of_the_centre_is_said_once(
    game: Game, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game.lang = lang
    for centre in (False, True, True, False, True):
        game.warn((), centre)
    (sentence,) = capsys.readouterr().err.splitlines()
    assert any(word in sentence for word in ("centre", "Mitte", "midden"))


def test_after_finito_no_lamp_is_complained_about(
    game: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RefereedRound, "finito", "pizza")
    game.warn(("gelato",), True)
    assert capsys.readouterr().err == ""


class _Film:
    """A piece of a film as a source; the eye is told which frame it sees."""

    name, live, dropped = "a film", False, 0

    def __init__(self, film: Piece, eye: PerfectEye) -> None:
        self._frames = iter(film.frames)
        self._eye = eye

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        frame = next(self._frames)
        self._eye.now = frame.number
        return frame

    def close(self) -> None:
        pass


def test_a_filmed_table_is_refereed_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    film = piece(-1.0, 4.2)
    eye = film.eye()
    names = tuple(guest.name for guest in film.guests)
    watching = Game(
        RefereedRound(LiveReferee(RoundHeader("espresso", ("normalo",), "amigo-1995", names))),
        Screen(True),
        "en",
    )
    live = LiveTable(RoundSetUp(eye.table(), film.guests), eye, watching.ready)
    run(watching, live, _Film(film, eye), lambda: "", None)
    captured = capsys.readouterr()
    lines = [json.loads(line) for line in captured.out.splitlines()]
    assert "nine" in captured.err
    done = film.frames[-1].t - 1.2
    played = [
        (deed.player, str(deed.face))
        for deed in film.session.cast.played.actions
        if isinstance(deed, Play) and deed.t is not None and deed.t.end < done
    ]
    said = [(line["player"], line["face"]) for line in lines if line["type"] == "play"]
    assert played
    assert said[: len(played)] == played
    assert [line["type"] for line in lines[:3]] == ["round", "deal", "deal"]
    assert all(line["verdict"] == "legal" for line in lines[3:])
    assert all(len(line["seen"]) == 2 for line in lines if line["type"] == "play")


def test_players_are_checked_before_anything_is_opened() -> None:
    done = finito("watch", "0", "--deck", "house", "--players", "pizza")
    assert done.returncode == 1
    assert "two to six players" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_video_that_is_not_there_is_named(tmp_path: Path) -> None:
    nets_or_skip()
    missing = str(tmp_path / "game.mp4")
    done = finito("watch", missing, "--deck", "house", "--players", "pizza:south,gelato:north", data=tmp_path)
    assert done.returncode == 1
    assert missing in done.stderr
