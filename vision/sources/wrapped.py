"""A source around another one: whoever changes times, pace or numbers of frames says only that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from vision.sources.events import Event, Source


class WrappedSource:
    """The source within, as it is."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def live(self) -> bool:
        return self._source.live

    @property
    def dropped(self) -> int:
        return self._source.dropped

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._source)

    def close(self) -> None:
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
