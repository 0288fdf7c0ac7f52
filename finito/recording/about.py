"""session.json: what a session was made with, written once before anything else."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pydantic import ConfigDict, TypeAdapter, ValidationError

from finito import __version__
from finito.errors import BadInput
from referee.rules.espresso import DEFAULT_EDITION

ABOUT: Final = "session.json"
DECK_FOLDER, TABLE_FILE = "deck", "table.toml"
FORMAT: Final = 1
_LARGEST: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Kept:
    """Something the session was made with: its name, its place in the folder, and the hash of its content."""

    name: str
    sha256: str
    file: str | None = None


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    player: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class SessionAbout:
    """Everything that is known when a session begins."""

    players: tuple[SeatedPlayer, ...] = ()
    game: str = "espresso"
    variant: tuple[str, ...] = ("normalo",)
    edition: str = DEFAULT_EDITION
    language: str = "en"
    source: str = ""
    deck: Kept | None = None
    table: Kept | None = None
    models: tuple[Kept, ...] = ()
    version: str = __version__
    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    format: int = FORMAT

    __pydantic_config__ = ConfigDict(extra="ignore")

    @property
    def began(self) -> datetime:
        """When, on the clock of the wall."""
        return datetime.fromisoformat(self.started)


_ADAPTER: Final = TypeAdapter(SessionAbout)


def write_about(folder: Path, about: SessionAbout) -> None:
    """The whole file or nothing, and on the disk before this returns."""
    with tempfile.NamedTemporaryFile("wb", dir=folder, prefix=f".{ABOUT}.", delete=False) as file:
        file.write(_ADAPTER.dump_json(about, indent=1) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.chmod(file.name, 0o644)
    os.replace(file.name, folder / ABOUT)


def read_about(folder: Path) -> SessionAbout:
    """What the folder says of itself; BadInput where it is no session."""
    path = folder / ABOUT
    if not path.is_file():
        raise BadInput(f"{folder} is no session: it holds no {ABOUT}; name a folder that finito watch made")
    try:
        data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}); check its rights") from None
    try:
        about = _ADAPTER.validate_json(data)
        about.began  # noqa: B018 (a date that is none is told here)
    except (ValidationError, ValueError) as problem:
        what = problem.errors()[0]["msg"] if isinstance(problem, ValidationError) else str(problem)
        raise BadInput(f"{path} is damaged ({what}); copy the session again") from None
    if about.format > FORMAT:
        raise BadInput(f"{path} was written by a newer Finito ({about.version}); update Finito")
    return about


def models_in_use() -> tuple[Kept, ...]:
    """The nets of this installation as its manifest names them."""
    manifest = tomllib.loads(files("models").joinpath("manifest.toml").read_text(encoding="utf-8"))
    return tuple(
        Kept(name, str(entry["sha256"]), str(entry["file"]))
        for name, entry in manifest.items()
        if isinstance(entry, dict) and "sha256" in entry and "file" in entry
    )


def keep_deck(deck: Path, folder: Path, name: str | None = None) -> Kept:
    """Copies an enrolled deck into the session, so that the session can be moved."""
    shutil.copytree(deck, folder / DECK_FOLDER, symlinks=False, dirs_exist_ok=True)
    return Kept(name or deck.name, hash_of(folder / DECK_FOLDER), DECK_FOLDER)


def keep_table(profile: Path, folder: Path) -> Kept:
    """Copies a table profile into the session."""
    shutil.copyfile(profile, folder / TABLE_FILE)
    return Kept(profile.stem, hash_of(folder / TABLE_FILE), TABLE_FILE)


def hash_of(path: Path) -> str:
    """The SHA-256 of a file, or of a folder's files with their names."""
    digest = hashlib.sha256()
    if path.is_file():
        digest.update(path.read_bytes())
        return digest.hexdigest()
    for file in sorted(path.rglob("*")):
        if file.is_file():
            digest.update(json.dumps(file.relative_to(path).as_posix()).encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def about_json(about: SessionAbout) -> dict[str, Any]:
    document: dict[str, Any] = _ADAPTER.dump_python(about, mode="json")
    return document
