"""All sessions of the user: folders under FINITO_DATA/sessions, or wherever FINITO_SESSIONS says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic_settings import BaseSettings, SettingsConfigDict

from finito.errors import BadInput
from finito.recording.about import ABOUT
from finito.recording.lock import is_being_recorded
from finito.recording.session import Session
from finito.settings import load_settings

_NAME: Final = re.compile(r"\w[\w.-]{0,99}")
_MOST_NAMED: Final = 5  # in the sentence about an unknown session


class _Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="FINITO_", env_ignore_empty=True, frozen=True)

    sessions: Path | None = None


@dataclass(frozen=True)
class SessionLibrary:
    """Sessions by name; nothing outside the folder can be reached through it."""

    folder: Path

    @classmethod
    def of_user(cls, folder: Path | None = None) -> SessionLibrary:
        """The folder given, or that of the settings."""
        chosen = folder or _Settings().sessions or load_settings().data / "sessions"
        return cls(chosen.expanduser())

    @property
    def names(self) -> list[str]:
        """The newest last, as they are named by the time at which they began."""
        if not self.folder.is_dir():
            return []
        inside = (path for path in self.folder.iterdir() if not path.is_symlink())
        return sorted(path.name for path in inside if (path / ABOUT).is_file())

    def new_folder(self, now: datetime | None = None) -> Path:
        """A folder for a session that begins now; `SessionWriter.create` makes it."""
        stem = (now or datetime.now()).strftime("%Y-%m-%d-%H%M%S")
        names = (stem if again == 1 else f"{stem}-{again}" for again in range(1, 1000))
        return next(self.folder / name for name in names if not (self.folder / name).exists())

    def path(self, name: str) -> Path:
        """The folder of a session by its name; anything that leads elsewhere is refused."""
        if not _NAME.fullmatch(name):
            raise BadInput(f"{name[:60]!r} is no name of a session: {self._known()}")
        path = self.folder / name
        if path.is_symlink() or not (path / ABOUT).is_file():
            raise BadInput(f"there is no session {name!r} in {self.folder}: {self._known()}")
        return path

    def open(self, name: str) -> Session:
        return Session(self.path(name))

    def find(self, word: str) -> Path:
        """A session by its name here, or by the path of its folder: for reading only."""
        if _NAME.fullmatch(word) and word in self.names:
            return self.folder / word
        path = Path(word).expanduser()
        if (path / ABOUT).is_file():
            return path
        if path.is_dir():
            raise BadInput(f"{word} is no session: it holds no {ABOUT}; name a session, or its video file")
        raise BadInput(f"there is no session {word[:200]!r} in {self.folder}: {self._known()}")

    def delete(self, name: str) -> int:
        """Removes a session and all in it; gives the bytes that are free again."""
        path = self.path(name)
        if is_being_recorded(path):
            raise BadInput(f"the session {name} is being recorded; stop that first")
        size = size_of(path)
        try:
            shutil.rmtree(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(f"{path} cannot be removed wholly ({reason}); check its rights") from None
        return size

    def _known(self) -> str:
        names = self.names
        if not names:
            return "none is recorded yet"
        return f"the latest are {', '.join(reversed(names[-_MOST_NAMED:]))}"


def files_of(folder: Path) -> Iterator[Path]:
    """The files of a session that belong to it: no links, nothing hidden."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not path.is_symlink() and not hidden:
            yield path


def size_of(folder: Path) -> int:
    """Bytes on the disk, hidden files and all."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
