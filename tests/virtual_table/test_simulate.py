"""`finito simulate`: a session that can be judged, decoded and made again."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner, Result

from finito.bots import FAULTS
from finito.cli import simulate
from finito.errors import BadInput
from finito.judging import WrittenRounds
from finito.virtual_table.choreography import Wish, plan_session
from finito.virtual_table.choreography.session import table_json, truth_lines
from referee.notation import parse_line

Json = dict[str, Any]


def run(*words: str) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    simulate.register(app)
    return CliRunner().invoke(app, ["simulate", *words])


def refused(*words: str) -> str:
    """The sentence with which bad input is turned down."""
    result = run(*words)
    assert isinstance(result.exception, BadInput), (result.exception, result.output)
    assert result.stdout == ""
    return str(result.exception)


def judged(lines: list[str]) -> list[Json]:
    rounds = WrittenRounds()
    answers = [answer for n, line in enumerate(lines, 1) for answer in rounds.feed(n, parse_line(line))]
    return [*answers, *rounds.close()]


def called(answers: list[Json]) -> list[str]:
    return sorted(answer["rule"] for answer in answers if answer.get("verdict") == "illegal")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_asked_faults_are_called_and_nothing_else(seed: int, tmp_path: Path) -> None:
    out = tmp_path / "session"
    words = f"--players 4 --seconds 60 --seed {seed} --faults wrong-colour,after-finito --no-video --json"
    result = run(*words.split(), "--out", str(out))
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["files"] == ["truth.jsonl", "table.json"]
    answers = judged((out / "truth.jsonl").read_text(encoding="utf-8").splitlines())
    assert called(answers) == ["after-finito", "wrong-colour"]
    assert not [answer for answer in answers if answer.get("verdict") == "unsure"]
    (sheet,) = (answer for answer in answers if answer.get("type") == "result")
    assert sheet["finito"] == report["finito"]
    assert sheet["unsure"] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_can_be_ordered_for_any_number_of_players(fault: str) -> None:
    variant = ("zero",) if fault.startswith("joker") else ("normalo",)
    for players in (2 + FAULTS.index(fault) % 3, 5 + FAULTS.index(fault) % 2):
        session = plan_session(Wish(players, 60, 20 + players, (fault,), variant))
        assert called(judged(truth_lines(session))) == [fault]
        start = table_json(session)["moments"]["shout"]
        (_, index) = session.cast.played.faults[0]
        assert json.loads(truth_lines(session)[1 + players + index])["t"] < start + 66


def test_times_rise_and_the_truth_holds_nothing_but_the_round() -> None:
    session = plan_session(Wish(5, 40, 8, ("too-late",)))
    lines = [json.loads(line) for line in truth_lines(session)]
    assert [line["type"] for line in lines[:6]] == ["round"] + ["deal"] * 5
    assert lines[-1]["type"] == "count"
    times = [line["t"] for line in lines[6:-1]]
    assert times == sorted(set(times))
    assert times[-1] < session.show.ending.counted
    for line in lines:
        parse_line(json.dumps(line))


def test_a_round_that_is_not_over_is_cut_and_counted() -> None:
    session = plan_session(Wish(4, 5, 1))
    lines = [json.loads(line) for line in truth_lines(session)]
    start = next(line["t"] for line in lines if line["type"] == "start")
    assert max(line["t"] for line in lines if "t" in line) < start + 5 + 3
    assert not [line for line in lines if line["type"] == "finito"]
    assert called(judged(truth_lines(session))) == []


def test_same_arguments_give_the_same_bytes_and_another_seed_another_game(tmp_path: Path) -> None:
    written = []
    for name, seed in (("a", 4), ("b", 4), ("c", 5)):
        run(
            "--players",
            "3",
            "--seconds",
            "20",
            "--seed",
            str(seed),
            "--no-video",
            "--out",
            str(tmp_path / name),
        )
        written.append([(tmp_path / name / file).read_bytes() for file in ("truth.jsonl", "table.json")])
    assert written[0] == written[1]
    assert written[0][0] != written[2][0]


def test_an_invented_deck_names_the_players_by_its_backs() -> None:
    session = plan_session(Wish(3, 5, 2, deck="random:1"))
    table = table_json(session)
    assert [player["back"] for player in table["players"]] == ["back1", "back2", "back3"]
    assert table["deck"]["name"].startswith("test-")
    assert set(range(9)) <= set(session.deck.numbers)


@cache
def _mini() -> str:
    return "--players 2 --seconds 2 --seed 3 --size 320x180 --fps 8 --stills 3 --roughness 0"


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny session through the real encoder."""
    out = tmp_path_factory.mktemp("simulated") / "session"
    result = run(*_mini().split(), "--out", str(out))
    assert result.exit_code == 0, (result.output, result.exception)
    return out


def _decoded(path: Path) -> tuple[list[float], list[Any]]:
    with av.open(str(path)) as container:
        assert container.streams.video[0].codec_context.name == "h264"
        frames = list(container.decode(video=0))
    return [float(frame.time) for frame in frames], [frame.to_ndarray(format="bgr24") for frame in frames]


def test_the_video_has_every_frame_at_its_time(mini: Path) -> None:
    table = json.loads((mini / "table.json").read_text(encoding="utf-8"))
    times, pictures = _decoded(mini / "video.mp4")
    assert len(times) == table["frames"] == int(table["seconds"] * 8)
    assert times == pytest.approx([n / 8 for n in range(len(times))])
    assert pictures[0].shape == (180, 320, 3)
    truths = [json.loads(line) for line in (mini / "frames.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [truth["frame"] for truth in truths] == list(range(len(times)))
    assert [truth["t"] for truth in truths] == pytest.approx(times, abs=0.001)


def test_the_video_shows_the_colours_that_were_drawn(mini: Path) -> None:
    _, pictures = _decoded(mini / "video.mp4")
    stills = sorted((mini / "stills").glob("*.png"))
    assert len(stills) == 3
    for still in stills:
        drawn = cv2.imread(str(still))
        assert drawn is not None
        filmed = pictures[int(still.stem.removeprefix("frame"))]
        apart = filmed.astype(float) - drawn.astype(float)
        assert np.abs(apart).mean() < 4
        assert np.abs(apart.mean(axis=(0, 1))).max() < 2  # no channel is off as a whole


def test_every_card_is_in_every_frame_once(mini: Path) -> None:
    for text in (mini / "frames.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(text)
        names = [card["id"] for card in truth["cards"]] + [name for name, _ in truth["hidden"]]
        assert len(names) == len(set(names)) == 72
        assert sum(name.startswith("pizza-") for name in names) == 36


def test_cards_that_were_played_are_seen_on_their_pile(mini: Path) -> None:
    """Independently of the renderer: the saved zone through the saved camera holds the card's corners."""
    table = json.loads((mini / "table.json").read_text(encoding="utf-8"))
    lines = [json.loads(line) for line in (mini / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    frames = [json.loads(line) for line in (mini / "frames.jsonl").read_text(encoding="utf-8").splitlines()]
    camera = table["camera"]
    piles = 0
    for play in (line for line in lines if line["type"] == "play"):
        piles += play["to"] == "new"
        pile = f"pile {piles if play['to'] == 'new' else play['to']}"
        zone = np.array([[x, y, 0.0] for x, y in table["zones"][pile]])
        seen, _ = cv2.projectPoints(
            zone,
            cv2.Rodrigues(np.array(camera["rotation"]))[0],
            np.array(camera["translation"]),
            np.array(camera["matrix"]),
            np.array(camera["distortion"]),
        )
        frame = next(truth for truth in frames if truth["t"] >= play["t"] + 0.8)
        (card,) = (
            c
            for c in frame["cards"]
            if (c["back"], c["face"], c["place"]) == (play["player"], play["face"], pile)
        )
        for corner in card["corners"]:
            distance = cv2.pointPolygonTest(seen.astype(np.float32), tuple(corner), True)
            assert distance > -9, (play, corner)
    assert piles >= 1


def test_stills_alone_come_with_their_truth(tmp_path: Path) -> None:
    out = tmp_path / "stills only"
    result = run(*_mini().split(), "--no-video", "--out", str(out))
    assert result.exit_code == 0, result.output
    frames = [json.loads(line)["frame"] for line in (out / "frames.jsonl").read_text().splitlines()]
    assert [int(path.stem.removeprefix("frame")) for path in sorted((out / "stills").iterdir())] == frames
    assert not (out / "video.mp4").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--faults cheating", "'cheating' is not known"),
        ("--players 1", "2 to 6 players, not 1"),
        ("--players 7", "2 to 6 players, not 7"),
        ("--faults joker-on-eight", "joker-on-eight finds no moment"),
        ("--players 2 --seconds 3 --faults after-finito", "after-finito finds no moment"),
        ("--size big", "'big' is no size"),
        ("--size 321x180", "even numbers"),
        ("--fps 0", "--fps"),
        ("--seconds 0", "--seconds"),
        ("--seed -1", "--seed"),
        ("--deck tarot", "'tarot' is not known"),
        ("--edition pirate", "'pirate' is not known"),
        ("--variant slow", "'slow' is not known"),
    ],
)
def test_bad_input_is_turned_down_in_one_sentence(words: str, sentence: str, tmp_path: Path) -> None:
    out = tmp_path / "never"
    said = refused(*words.split(), "--no-video", "--out", str(out))
    assert sentence in said
    assert "\n" not in said
    assert not out.exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    assert "not an empty folder" in refused("--no-video", "--seconds", "5", "--out", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = refused("--no-video", "--seconds", "5", "--out", str(tmp_path / "file" / "session"))
    assert "cannot be written" in said
    assert str(tmp_path / "file" / "session") in said
