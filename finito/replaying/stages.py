"""The three ways in which a game can be told again; the one place that knows how each is started."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from calibration.profiles import TableProfile
from finito.errors import BadInput
from finito.judging import WrittenRounds
from finito.recording.about import SessionAbout
from finito.recording.session import WrittenAction
from finito.replaying.wish import Stage
from referee.errors import RefereeError
from referee.notation import parse_entry
from vision.frame import Frame
from vision.observations import Observation

Json = dict[str, Any]
ASIDE: Final = frozenset({"notice", "settled"})  # lines that tell nothing of the table


@dataclass(frozen=True)
class Setting:
    """What must be known of a game before it can be told: as the session says, or as the user does."""

    about: SessionAbout
    deck: str | None = None
    table: TableProfile | None = None


def rejudge(actions: Iterable[WrittenAction], language: str = "en") -> Iterator[Json]:
    """The answers of the rules to recorded actions, as `finito judge` gives them."""
    rounds = WrittenRounds(language)
    for action in actions:
        if action.entry.get("type") in ASIDE:
            continue
        try:
            yield from rounds.feed(action.line, parse_entry(action.entry))
        except RefereeError as error:
            raise BadInput(f"line {action.line}: {error}") from None
    yield from rounds.close()


def reinfer(setting: Setting, observations: Iterable[Observation]) -> Iterator[Json]:
    """The actions, with verdicts, that follow from recorded observations."""
    referee = _part("finito.live", "LiveReferee", Stage.OBSERVATIONS)(setting.about)
    for observation in observations:
        yield from referee.feed(observation)
    yield from referee.close()


def resee(setting: Setting, frames: Iterable[Frame]) -> Iterator[Json]:
    """The actions, with verdicts, that follow from recorded pictures."""
    _part("finito.live", "LiveReferee", Stage.VIDEO)
    return reinfer(setting, observed(setting, frames))


def observed(setting: Setting, frames: Iterable[Frame]) -> Iterator[Observation]:
    """What the eyes tell of recorded pictures."""
    pipeline = None
    for frame in frames:
        if pipeline is None:
            pipeline = _pipeline(setting, frame)
        yield from pipeline.see(frame)


def _pipeline(setting: Setting, first: Frame) -> Any:
    """Eyes for the table of the setting, which must have been measured."""
    pipeline = _part("vision.pipeline", "Pipeline", Stage.VIDEO)
    table = setting.table
    if table is None or table.plane is None or table.zones is None:
        raise BadInput("the table was not measured; put its profile beside the video as table.toml")
    players = {each.player: each.seat for each in setting.about.players}
    where = _part("vision.pipeline", "Setting", Stage.VIDEO)(table.plane, table.zones, players)
    return pipeline(where, _eye(setting.deck), first)


def _eye(deck: str | None) -> Any:
    from finito.seeing import open_deck, open_eyes  # the nets are for those who see anew

    reader = open_eyes().reader
    finder = _part("vision.pipelining.known_size", "KnownSizeFinder", Stage.VIDEO)()
    return _part("vision.pipelining.eye", "NetEye", Stage.VIDEO)(finder, reader, open_deck(deck, reader))


def _part(module: str, name: str, stage: Stage) -> Any:
    """A part of the program that may not be there yet."""
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError):
        raise BadInput(
            f"this version of Finito cannot replay from {stage.value} yet ({module} is missing); "
            "replay it with --from actions"
        ) from None
