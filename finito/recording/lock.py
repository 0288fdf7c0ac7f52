"""One writer for a session at a time; the system lets go of the lock when the writer dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from finito.errors import BadInput

LOCK: Final = ".lock"


class SessionLock:
    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        if not _lock(self._file):
            os.close(self._file)
            raise BadInput(f"{folder} is being recorded by another program; stop that one first")

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def is_being_recorded(folder: Path) -> bool:
    if not (folder / LOCK).is_file():
        return False
    try:
        SessionLock(folder).release()
    except BadInput:
        return True
    except OSError:  # a copy that may only be read is recorded by nobody
        return False
    return False


def _lock(file: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
