"""Many sessions over a real Dask cluster on this machine: a scheduler and a worker, each a process."""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from finito.errors import BadInput
from finito.replaying.many import replay_all
from finito.replaying.wish import Wish
from tests.command import ROOT, finito
from tests.free_port import free_port
from tests.recording.made import golden_session

HAS_DASK = importlib.util.find_spec("distributed") is not None
needs_dask = pytest.mark.skipif(not HAS_DASK, reason="the package distributed is not installed")


def wait_for(port: int, patience: float = 90.0) -> None:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(f"nobody listens on port {port}")


@pytest.fixture
def cluster() -> Iterator[str]:
    """The address of a scheduler that has a worker."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    python = [sys.executable, "-m"]
    scheduler = [*python, "distributed.cli.dask_scheduler", "--no-dashboard", "--host", "127.0.0.1"]
    worker = [*python, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    with subprocess.Popen([*scheduler, "--port", str(port)], **quiet) as first:  # type: ignore[call-overload]
        try:
            wait_for(port)
            with subprocess.Popen([*worker, "--no-dashboard"], **quiet) as second:  # type: ignore[call-overload]
                try:
                    yield address
                finally:
                    second.terminate()
        finally:
            first.terminate()


@needs_dask
@pytest.mark.slow
def test_a_cluster_replays_all_sessions_in_their_order(cluster: str, tmp_path: Path) -> None:
    for number in range(3):
        golden_session(tmp_path / "sessions" / f"s{number}")
    path = tmp_path / "sessions" / "s1" / "actions.jsonl"
    path.write_text(path.read_text().replace('"illegal", "rule": "wrong-colour"', '"legal", "rule": null', 1))
    done = finito("replay", "--all", "--scheduler", cluster, "--json", data=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    differ = [(line["session"], len(line["differences"])) for line in lines]
    assert differ == [("s0", 0), ("s1", 1), ("s2", 0)]


@needs_dask
@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    golden_session(tmp_path / "sessions" / "s")
    done = finito("replay", "s", "--scheduler", f"tcp://127.0.0.1:{free_port()}", data=tmp_path)
    assert done.returncode == 1
    assert "there is no Dask scheduler at tcp://127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_the_package_the_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"pip install 'finito\[cluster\]'"):
        list(replay_all([Wish(str(tmp_path))], scheduler="tcp://127.0.0.1:1"))
