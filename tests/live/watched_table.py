"""A told table with its referee at hand."""

from __future__ import annotations

from typing import Any

from finito.live import LiveEvent, LiveReferee
from referee.actions import Play
from tests.vision.inference.told_table import HEADER, ToldTable
from vision.observations import Chances


class Watched(ToldTable):
    """A told table whose answers are verdicts."""

    def __init__(self, **more: Any) -> None:
        self.referee = LiveReferee(HEADER, **more)
        super().__init__(self.referee.feed)

    def events(self, kind: type) -> list[LiveEvent]:
        return [event for event in self.said if isinstance(event.action, kind)]

    def told_of(self, face: str) -> list[tuple[LiveEvent, Play]]:
        """All that was said of plays of that face."""
        return [
            (event, event.action)
            for event in self.said
            if isinstance(event.action, Play) and str(event.action.face) == face
        ]

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


def begun(**dealt: str) -> Watched:
    """A round that was begun; cards other than the usual ones by their place, such as pizza_help2="Y1"."""
    table = Watched()
    for place, face in dealt.items():
        player, name = place.split("_")
        table.dealt[player, name] = face
    table.begin()
    return table


def last_play(table: Watched) -> tuple[str, str | None]:
    return list(table.verdicts().values())[-1]


def plain(face: str, other: str) -> Chances:
    """A reading that leaves hardly any doubt."""
    return ((face, 0.9985), (other, 0.0012))
