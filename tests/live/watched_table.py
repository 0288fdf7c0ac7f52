"""A told table with its referee at hand."""

from __future__ import annotations

from typing import Any

from finito.live import LiveEvent, LiveReferee
from referee.actions import Play
from tests.vision.inference.told_table import HEADER, ToldTable


class Watched(ToldTable):
    """A told table whose answers are verdicts."""

    def __init__(self, **more: Any) -> None:
        self.referee = LiveReferee(HEADER, **more)
        super().__init__(self.referee.feed)

    def events(self, kind: type) -> list[LiveEvent]:
        return [event for event in self.said if isinstance(event.action, kind)]

    def verdicts(self) -> dict[int, tuple[str, str | None]]:
        """The verdict on every play as it stands."""
        return {
            event.line: (event.verdict.outcome.value, event.verdict.rule and event.verdict.rule.value)
            for event in self.said
            if event.said != "withdrawn" and isinstance(event.action, Play)
        }

    def accusations(self) -> list[str]:
        """Every rule of which anybody was ever accused, be it taken back or not."""
        return [str(event.verdict.rule) for event in self.said if event.verdict.illegal]
