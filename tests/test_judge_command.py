"""`finito judge` as a user meets it: the real command, good records and bad ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HEADER = '{"type": "round", "players": ["pizza", "gelato"]}'
DEALS = """\
{"type": "deal", "player": "pizza", "espresso": 9, "top": "R3", "helps": ["B1", "G7", "Y0"]}
{"type": "deal", "player": "gelato", "espresso": 9, "top": "R4", "helps": ["B2", "G8", "Y1"]}"""
START = '{"t": 1.0, "type": "start"}'
PLAY = '{"t": 2.0, "type": "play", "player": "pizza", "face": "Y0", "from": "help3", "to": "new"}'
GOOD = [HEADER, *DEALS.splitlines(), START, PLAY]
COMMAND = [sys.executable, "-m", "finito", "judge"]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run_judge(*arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONUTF8": "1"}
        return subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            timeout=120,
            check=False,
        )

    return run_judge


def written(folder: Path, content: str | bytes) -> str:
    path = folder / "round.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path.name


def answers(output: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def assert_refused(done: subprocess.CompletedProcess[bytes], *says: str) -> str:
    """One sentence, exit 1, no traceback."""
    message = done.stderr.decode()
    assert done.returncode == 1, message
    assert "Traceback" not in message
    assert len(message.strip().splitlines()) == 1, message
    assert len(message) < 400
    for each in says:
        assert each in message, message
    return message


def test_a_record_is_answered_with_json_and_nothing_else(run: Run, tmp_path: Path) -> None:
    done = run(written(tmp_path, "\n".join(GOOD)), "--json")
    assert done.returncode == 0
    assert not done.stderr
    assert [answer["verdict"] for answer in answers(done.stdout)] == ["legal", "legal"]
    assert answers(done.stdout)[1] == {
        "line": 5,
        "verdict": "legal",
        "rule": None,
        "why": "yellow 0 opens pile 1",
    }


def test_without_json_a_person_can_read_it_and_no_colours_reach_a_pipe(run: Run, tmp_path: Path) -> None:
    wrong = PLAY.replace("2.0", "3.0").replace("Y0", "G7").replace("help3", "help2")
    done = run(written(tmp_path, "\n".join([*GOOD, wrong])))
    assert b"must-start-with-zero" in done.stdout
    assert b"\x1b[" not in done.stdout


BAD_LINES = {
    "malformed JSON": ('{"type": "play", ', "JSON"),
    "no object": ("[1, 2, 3]", "object"),
    "unknown type": ('{"type": "dance"}', "dance"),
    "unknown player": ('{"t": 3, "type": "turn", "player": "sushi", "count": 3}', "sushi"),
    "unknown owner": (PLAY.replace("2.0", "3.0").replace('"face"', '"owner": "sushi", "face"'), "sushi"),
    "face outside the game": (PLAY.replace("2.0", "3.0").replace("Y0", "Y9"), "Y9"),
    "no face at all": (PLAY.replace("2.0", "3.0").replace("Y0", "P4"), "P4"),
    "missing pile": (PLAY.replace("2.0", "3.0").replace('"new"', "7"), "pile 7"),
    "missing field": ('{"t": 3, "type": "turn", "player": "pizza"}', "count"),
    "slot outside the game": (PLAY.replace("2.0", "3.0").replace("help3", "help5"), "help5"),
    "time going backwards": ('{"t": 0.5, "type": "turn", "player": "pizza", "count": 3}', "backwards"),
    "time that is no number": ('{"t": "noon", "type": "start"}', "seconds"),
    "interval the wrong way round": ('{"t": [9, 3], "type": "start"}', "seconds"),
    "deal after the start": (DEALS.splitlines()[0], "deal"),
    "correction of a line that is no action": ('{"type": "undo", "line": 2}', "line 2"),
    "correction of a line to come": ('{"type": "undo", "line": 70}', "line 70"),
    "count of a stranger": ('{"type": "count", "by_back": {"sushi": 3}}', "sushi"),
    "count of more than a deck": ('{"type": "count", "by_back": {"pizza": 37}}', "36"),
    "building in Espresso": (
        '{"type": "build", "player": "pizza", "face": "R1", "from": "espresso", "to": "help1"}',
        "home",
    ),
}


@pytest.mark.parametrize(("line", "says"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_named_and_the_earlier_answers_stay(
    run: Run, tmp_path: Path, line: str, says: str
) -> None:
    done = run(written(tmp_path, "\n".join([*GOOD, line, START])), "--json")
    assert_refused(done, "round.jsonl", "line 6", says)
    assert [answer["line"] for answer in answers(done.stdout)] == [4, 5]


BAD_HEADERS = {
    "unknown game": ('{"type": "round", "game": "poker", "players": ["a", "b"]}', "poker"),
    "unknown variant": ('{"type": "round", "variant": ["turbo"], "players": ["a", "b"]}', "turbo"),
    "unknown edition": ('{"type": "round", "edition": "1895", "players": ["a", "b"]}', "1895"),
    "one player": ('{"type": "round", "players": ["a"]}', "players"),
    "seven players": ('{"type": "round", "players": ["a","b","c","d","e","f","g"]}', "players"),
    "a player without a name": ('{"type": "round", "players": ["", "b"]}', "players"),
    "the same player twice": ('{"type": "round", "players": ["a", "a"]}', "twice"),
    "zero in a game without a 0": (
        '{"type": "round", "game": "ligretto", "variant": ["zero"], "players": ["a", "b"]}',
        "zero",
    ),
    "normalo and chaos": (
        '{"type": "round", "variant": ["normalo", "chaos"], "players": ["a", "b"]}',
        "normalo",
    ),
    "unknown option": ('{"type": "round", "players": ["a", "b"], "options": {"speed": 2}}', "speed"),
    "no header": (START, "round line"),
}


@pytest.mark.parametrize(("line", "says"), BAD_HEADERS.values(), ids=BAD_HEADERS)
def test_a_bad_round_line_is_refused_with_what_would_help(
    run: Run, tmp_path: Path, line: str, says: str
) -> None:
    done = run(written(tmp_path, line), "--json")
    assert_refused(done, "round.jsonl", "line 1", says)
    assert not done.stdout


BAD_DEALS = {
    "deal without a player": (
        '{"type": "deal", "espresso": 9, "top": "R3", "helps": ["B1", "G7", "Y0"]}',
        "player",
    ),
    "deal of a stranger": (DEALS.splitlines()[0].replace("pizza", "sushi"), "sushi"),
    "too few help cards": (DEALS.splitlines()[0].replace('"B1", ', ""), "help cards"),
    "too many help cards": (DEALS.splitlines()[0].replace('"B1"', '"B1", "B2"'), "help cards"),
    "too high a stack": (DEALS.splitlines()[0].replace("9", "12"), "12"),
    "the same card twice": (DEALS.splitlines()[0].replace("B1", "G7"), "G7"),
    "a card of another game": (DEALS.splitlines()[0].replace("B1", "B10"), "B10"),
}


@pytest.mark.parametrize(("line", "says"), BAD_DEALS.values(), ids=BAD_DEALS)
def test_a_bad_deal_is_refused_with_its_line(run: Run, tmp_path: Path, line: str, says: str) -> None:
    done = run(written(tmp_path, f"{HEADER}\n{line}\n"), "--json")
    assert_refused(done, "round.jsonl", "line 2", says)


def test_a_player_dealt_in_twice_is_refused(run: Run, tmp_path: Path) -> None:
    deal = DEALS.splitlines()[0]
    done = run(written(tmp_path, f"{HEADER}\n{deal}\n{deal}\n"), "--json")
    assert_refused(done, "line 3", "pizza", "twice")


def test_a_deal_that_lacks_a_player_is_adopted_not_refused(run: Run, tmp_path: Path) -> None:
    done = run(written(tmp_path, "\n".join([HEADER, DEALS.splitlines()[0], START, PLAY])), "--json")
    assert done.returncode == 0
    assert len(answers(done.stdout)) == 2


@pytest.mark.parametrize(
    "content",
    [
        bytes(range(256)) * 64,
        "\n".join(GOOD).encode("utf-16"),
        "\n".join(GOOD).encode("utf-16-le"),
        HEADER.replace("pizza", "crème").encode("latin-1"),
        b"\x00" * 1000,
        b"\x1f\x8b\x08\x00" + os.urandom(500),
    ],
    ids=["all bytes", "utf-16", "utf-16 without mark", "latin-1", "zeros", "gzip"],
)
def test_what_is_no_utf8_text_is_refused(run: Run, tmp_path: Path, content: bytes) -> None:
    done = run(written(tmp_path, content), "--json")
    assert_refused(done, "round.jsonl", "line 1")
    assert not done.stdout


def test_a_utf8_mark_and_blank_lines_are_no_trouble(run: Run, tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf" + "\r\n\r\n".join(GOOD).encode()
    done = run(written(tmp_path, text), "--json")
    assert [answer["line"] for answer in answers(done.stdout)] == [7, 9]


def test_garbage_after_good_lines_keeps_the_earlier_answers(run: Run, tmp_path: Path) -> None:
    content = "\n".join(GOOD).encode() + b"\n\xff\xfe\x00garbage\n"
    done = run(written(tmp_path, content), "--json")
    assert_refused(done, "line 6", "UTF-8")
    assert [answer["line"] for answer in answers(done.stdout)] == [4, 5]


def test_answers_that_waited_for_an_overlap_are_given_before_garbage_is_refused(
    run: Run, tmp_path: Path
) -> None:
    waiting = PLAY.replace("2.0", "[2.0, 3.0]")
    done = run(written(tmp_path, "\n".join([*GOOD[:4], waiting]).encode() + b"\n\xff\xfe\n"), "--json")
    assert_refused(done, "line 6")
    assert [answer["line"] for answer in answers(done.stdout)] == [4, 5]


@pytest.mark.parametrize(
    "value", ['{"t": ' + "9" * 400 + ', "type": "start"}', '{"type": "undo", "line": ' + "9" * 5000 + "}"]
)
def test_a_number_beyond_all_bounds_is_refused(run: Run, tmp_path: Path, value: str) -> None:
    done = run(written(tmp_path, "\n".join([*GOOD, value])), "--json")
    assert_refused(done, "line 6")


def test_a_pile_number_beyond_all_bounds_is_refused_even_when_joining_late(run: Run, tmp_path: Path) -> None:
    header = HEADER[:-1] + ', "options": {"joined_late": true}}'
    line = PLAY.replace('"new"', "50000000")
    began = time.monotonic()
    done = run(written(tmp_path, "\n".join([header, START, line])), "--json")
    assert_refused(done, "line 3")
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("name", ["[/x]", "[bold]"], ids=["closing tag", "opening tag"])
def test_names_of_players_are_printed_as_they_are(run: Run, tmp_path: Path, name: str) -> None:
    header = json.dumps({"type": "round", "players": [name, "gelato"]})
    count = json.dumps({"type": "count", "by_back": {name: 3}})
    done = run(written(tmp_path, "\n".join([header, START, count])))
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0
    assert name.encode() in done.stdout


def test_an_empty_file_is_refused(run: Run, tmp_path: Path) -> None:
    assert_refused(run(written(tmp_path, ""), "--json"), "round.jsonl", "round line")


def test_a_missing_file_is_refused(run: Run) -> None:
    assert_refused(run("nowhere.jsonl", "--json"), "nowhere.jsonl")


def test_a_folder_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert_refused(run("folder", "--json"), "folder")


def test_wrong_usage_exits_with_two(run: Run) -> None:
    done = run("--nonsense")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_file_of_ten_thousand_lines_is_judged(run: Run, tmp_path: Path) -> None:
    turns = [f'{{"t": {n}, "type": "turn", "player": "pizza", "count": 3}}' for n in range(2, 10_000)]
    done = run(written(tmp_path, "\n".join([*GOOD[:4], *turns])), "--json")
    assert done.returncode == 0
    told = answers(done.stdout)
    assert len(told) == 9_999
    assert {answer["verdict"] for answer in told} == {"legal"}


def test_a_line_of_a_hundred_megabytes_is_refused_quickly_and_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "round.jsonl"
    with path.open("w") as record:
        record.write("\n".join(GOOD) + '\n{"type": "')
        for _ in range(100):
            record.write("x" * 1_000_000)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    # A child starts with the memory of whoever starts it: a small program in between keeps pytest's out.
    between = "import resource, subprocess, sys; r = subprocess.run(sys.argv[1:]); " + (
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(r.returncode)"
    )
    command = [sys.executable, "-c", between, *COMMAND, str(path), "--json"]
    process = subprocess.run(command, capture_output=True, env=environment, timeout=60)
    *output, peak = process.stdout.splitlines()
    assert process.returncode == 1
    assert b"line 6" in process.stderr
    assert b"Traceback" not in process.stderr
    assert [answer["line"] for answer in answers(b"\n".join(output))] == [4, 5]
    assert int(peak) < 95_000 * (1024 if sys.platform == "darwin" else 1), "kilobytes"


def test_standard_input_is_answered_line_by_line() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [*COMMAND, "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in GOOD[:3]:
            process.stdin.write(line.encode() + b"\n")
        for number, line in enumerate(GOOD[3:], start=4):
            process.stdin.write(line.encode() + b"\n")
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_a_bad_line_of_standard_input_is_named(run: Run) -> None:
    assert_refused(run("-", "--json", stdin="\n".join([*GOOD, "nope"]).encode()), "standard input", "line 6")


def test_a_reader_who_goes_away_sees_no_traceback(tmp_path: Path) -> None:
    turns = [f'{{"t": {n}, "type": "turn", "player": "pizza", "count": 3}}' for n in range(2, 5_000)]
    path = tmp_path / "round.jsonl"
    path.write_text("\n".join([*GOOD[:4], *turns]))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [*COMMAND, str(path), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["line"] == 4
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=30)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, str(tmp_path / written(tmp_path, "\n".join(GOOD))), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment,
            timeout=60,
            check=False,
        )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 1


def test_a_closed_standard_input_is_a_sentence(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    shell = f'exec "{sys.executable}" -m finito judge - --json <&-'
    done = subprocess.run(
        ["sh", "-c", shell], capture_output=True, env=environment, cwd=tmp_path, timeout=60, check=False
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 1


def test_a_name_that_the_terminal_cannot_show_does_not_stop_the_answers(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONIOENCODING": "ascii"}
    record = "\n".join([HEADER, START, '{"t": 2, "type": "turn", "player": "pizza", "count": 3}'])
    path = tmp_path / written(tmp_path, record.replace("pizza", "crème"))
    done = subprocess.run(
        [*COMMAND, str(path), "--json"], capture_output=True, env=environment, timeout=60, check=False
    )
    assert b"Traceback" not in done.stderr
    assert [answer["line"] for answer in answers(done.stdout)] == [2, 3]
