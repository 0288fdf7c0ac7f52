"""What was acknowledged survives kill −9, and two programs may write at once."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread, get_ident

import pytest

from finito.store.bootstrap import open_store
from finito.store.sqlite import open_sqlite

ROOT = Path(__file__).parents[2]
KILLS = 50


def start_writer(database: str, stream: str, writer: str, *how_many: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.store.writer", database, stream, writer, *how_many]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kept_numbers(database: str, stream: str) -> list[int]:
    with closing(open_store(database)) as store:
        return [kept.sequence for kept in store.read(stream)]


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed_fifty_times(tmp_path: Path) -> None:
    moments = random.Random(1995)
    for kill in range(KILLS):
        database = str(tmp_path / f"{kill // 10}.sqlite")  # a new file now and then: killed while it is made
        acknowledged = [0]
        with start_writer(database, "round/1", str(kill)) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            if kill % 2:  # every other time it is surely in the middle of writing
                acknowledged.append(int(writer.stdout.readline()))
            time.sleep(moments.uniform(0.0, 0.15))
            writer.kill()
            acknowledged += [int(line) for line in writer.stdout if line.endswith("\n")]
        numbers = kept_numbers(database, "round/1")
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= acknowledged[-1]
        assert acknowledged == sorted(acknowledged)


def test_a_new_database_is_made_once_however_many_open_it_at_the_same_moment(tmp_path: Path) -> None:
    for attempt in range(10):
        barrier, path = Barrier(6), tmp_path / f"{attempt}.sqlite"
        opened: list[int] = []

        def make(barrier: Barrier = barrier, path: Path = path, opened: list[int] = opened) -> None:
            barrier.wait()
            with closing(open_sqlite(path)) as store:
                opened.append(store.append(f"match/{get_ident()}", [{}], expected=0))

        threads = [Thread(target=make) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert opened == [1] * 6


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_programs_write_at_once_to_a_new_database(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = str(tmp_path / "new.sqlite")
    if kind == "postgres":
        database = request.getfixturevalue("postgres_address")
    writers = [start_writer(database, "round/1", name, "100") for name in ("a", "b")]
    for writer in writers:
        with writer:
            assert writer.stdout is not None
            assert len(writer.stdout.readlines()) == 101
        assert writer.returncode == 0
    with closing(open_store(database)) as store:
        kept = list(store.read("round/1"))
    assert [event.sequence for event in kept] == list(range(1, 201))
    by_writer: dict[str, list[int]] = defaultdict(list)
    for event in kept:
        by_writer[event.event["writer"]].append(event.event["number"])
    assert by_writer == {"a": list(range(1, 101)), "b": list(range(1, 101))}
