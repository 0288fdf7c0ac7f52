"""What the user sets once, by environment variables that begin with FINITO_."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from platformdirs import user_data_path
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from finito.errors import BadInput

DATABASE_FILE: Final = "finito.sqlite"


class Settings(BaseSettings):
    """FINITO_DATA is the folder for all that is kept, FINITO_DB the database for matches and rounds."""

    model_config = SettingsConfigDict(env_prefix="FINITO_", env_ignore_empty=True, frozen=True)

    data: Path = Field(default_factory=lambda: user_data_path("finito", appauthor=False))
    db: str | None = None

    @property
    def database(self) -> str:
        """The path of an SQLite file, or a postgresql:// address."""
        return self.db or str(self.data.expanduser() / DATABASE_FILE)


def load_settings() -> Settings:
    """The settings of this moment; importing this module reads nothing."""
    try:
        return Settings()
    except ValidationError as problem:
        first = problem.errors()[0]
        field = "FINITO_" + "_".join(str(part).upper() for part in first["loc"])
        raise BadInput(f"the setting {field} is wrong: {first['msg']}") from None
