"""The three ways in which a game can be told again; the one place that knows how each is started."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from calibration.profiles import TableProfile
from finito.errors import BadInput
from finito.judging import WrittenRounds
from finito.recording.about import SessionAbout
from finito.recording.session import WrittenAction
from finito.recording.telling import final_actions, in_order
from referee.actions import RoundHeader
from referee.errors import RefereeError
from referee.notation import entry_to_json, parse_entry
from vision.frame import Frame
from vision.observations import Observation

if TYPE_CHECKING:
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveEvent

Json = dict[str, Any]
ASIDE: Final = frozenset({"notice", "settled"})  # lines that tell nothing of the table


@dataclass(frozen=True)
class Setting:
    """What must be known of a game before it can be told: as the session says, or as the user does."""

    about: SessionAbout
    deck: str | None = None
    table: TableProfile | None = None
    shouted: float | None = None  # when the round was started, where somebody said so


def rejudge(actions: Sequence[WrittenAction], language: str = "en") -> Iterator[Json]:
    """The answers of the rules to recorded actions, as `finito judge` gives them."""
    rounds = WrittenRounds(language)
    for action in in_order(final_actions(actions)):
        if action.entry.get("type") in ASIDE:
            continue
        try:
            yield from rounds.feed(action.line, parse_entry(action.entry))
        except RefereeError as error:
            raise BadInput(f"line {action.line}: {error}") from None
    yield from rounds.close()


def with_header(actions: Sequence[WrittenAction], about: SessionAbout) -> list[WrittenAction]:
    """The actions of a session whose round was never announced get the round that the session tells of."""
    if not actions or actions[0].entry.get("type") == "round" or not about.players:
        return list(actions)
    return [WrittenAction(0, entry_to_json(header_of(about))), *actions]


def header_of(about: SessionAbout) -> RoundHeader:
    return RoundHeader(about.game, about.variant, about.edition, tuple(each.player for each in about.players))


def referee_for(setting: Setting) -> RefereedRound:
    """A live referee who has heard nothing yet."""
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveReferee

    if not setting.about.players:
        raise BadInput("it does not say who plays; name them with --players pizza:south,gelato:north")
    return RefereedRound(LiveReferee(header_of(setting.about)))


def heard(
    referee: RefereedRound, setting: Setting, observations: Iterable[Observation]
) -> Iterator[LiveEvent]:
    """What the referee says to observations, and to the shout that was recorded with them."""
    shouted = setting.shouted
    for observation in observations:
        if shouted is not None and observation.t >= shouted:
            yield from referee.start(shouted)
            shouted = None
        yield from referee.feed(observation)


def reinfer(setting: Setting, observations: Iterable[Observation]) -> Iterator[Json]:
    """The actions, with verdicts, that follow from observations; later words on a line come later."""
    about, referee = setting.about, referee_for(setting)
    for event in heard(referee, setting, observations):
        yield from referee.opening()
        yield event.json(about.language, about.game)
    yield from referee.opening()
    if referee.ended(force=referee.over or referee.finito is not None) is not None:
        yield from referee.closing(about.language)


def resee(setting: Setting, frames: Iterable[Frame]) -> Iterator[Json]:
    """The actions, with verdicts, that follow from recorded pictures."""
    from finito.replaying.seeing import observed  # the nets are for those who see anew

    return reinfer(setting, observed(setting, frames))
