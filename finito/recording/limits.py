"""How much a recording may take, from FINITO_SESSION_GIGABYTES and FINITO_KEEP_FREE_GIGABYTES."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from finito.errors import BadInput

GIGABYTE: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes: of one session's video, and those that must stay free on its disk. 0 is no limit."""

    video: int = 20 * GIGABYTE
    keep_free: int = GIGABYTE

    def reason_to_stop(self, written: int, folder: Path) -> str | None:
        """Why no more video may be written, or None."""
        if self.video and written >= self.video:
            return f"the video has reached its limit of {spoken_size(self.video)}"
        free = free_bytes(folder)
        if self.keep_free and free < self.keep_free:
            return (
                f"only {spoken_size(free)} are free on the disk; {spoken_size(self.keep_free)} must stay so"
            )
        return None


class _Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="FINITO_", env_ignore_empty=True, frozen=True)

    session_gigabytes: float = Field(default=20.0, ge=0, le=1e6)
    keep_free_gigabytes: float = Field(default=1.0, ge=0, le=1e6)


def limits_of_user() -> Limits:
    try:
        settings = _Settings()
    except ValidationError as problem:
        first = problem.errors()[0]
        name = "FINITO_" + str(first["loc"][0]).upper()
        raise BadInput(f"the setting {name} is wrong: {first['msg']}") from None
    return Limits(int(settings.session_gigabytes * GIGABYTE), int(settings.keep_free_gigabytes * GIGABYTE))


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def spoken_size(size: float) -> str:
    """A size for people: 3.4 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
