"""What is to be told again, as plain data that travels between processes and machines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """What is taken from the record; all that follows from it is done anew."""

    ACTIONS = "actions"
    OBSERVATIONS = "observations"
    VIDEO = "video"


@dataclass(frozen=True, slots=True)
class Wish:
    """`told` asks for the actions themselves, not for the differences only."""

    path: str
    stage: Stage | None = None
    language: str | None = None
    told: bool = False
    deck: str | None = None
    players: tuple[tuple[str, str | None], ...] = ()
    variant: tuple[str, ...] = ()
