"""What a source gives: frames, and the gaps between them: a failure never looks like an empty table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

from vision.frame import Frame


@dataclass(frozen=True)
class Gap:
    """Nothing was seen from `start` on; `end` is None while that lasts. Seconds on the source's clock."""

    start: float
    end: float | None
    why: str
    attempts: int = 0

    @property
    def over(self) -> bool:
        return self.end is not None

    def joined(self, later: Gap) -> Gap:
        """One gap for two that follow each other with no frame in between."""
        return Gap(self.start, later.end, later.why, max(self.attempts, later.attempts))


Event: TypeAlias = Frame | Gap


class Source(Protocol):
    """A camera, video, folder or stream: iterate over it, and close it (or use `with`)."""

    @property
    def name(self) -> str:
        """How to call it in a message."""

    @property
    def live(self) -> bool:
        """True where time passes whether or not anybody looks: a slow consumer misses frames."""

    @property
    def dropped(self) -> int:
        """Frames taken and thrown away because the consumer was slow."""

    def __iter__(self) -> Iterator[Event]: ...

    def __next__(self) -> Event: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
