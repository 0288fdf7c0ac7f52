"""The demonstration: bots play a round with some faults, and the referee calls it as it happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from finito.bots import BotRound, play_round
from finito.errors import BadInput
from referee.actions import Action
from referee.judge import Answer
from referee.round import RoundReferee
from referee.scoring import ScoreSheet

FAULTS = ("wrong-colour", "too-late", "help-not-refilled")
ZERO_FAULTS = ("wrong-number", "joker-on-joker")


@dataclass(frozen=True, slots=True)
class Told:
    """One action of the round with its verdict, at its moment."""

    t: float
    answer: Answer[Action]


def demo_round(seed: int, players: int, variant: tuple[str, ...]) -> BotRound:
    """A round that ends in Finito, with a few faults in it; the first such seed from the given one on."""
    if not 2 <= players <= 6:
        raise BadInput(f"--players is {players}; Espresso is for 2 to 6 players")
    faults = ZERO_FAULTS if "zero" in variant else FAULTS
    for attempt in range(seed, seed + 50):
        record = play_round(attempt, players, variant=variant, faults=faults)
        if record.finito is not None and not record.missing:
            return record
    raise BadInput(f"no round from seed {seed} on ends in Finito; try another --seed")


def refereed(record: BotRound) -> tuple[RoundReferee, Iterator[Told]]:
    """The referee of the round and its verdicts, one after the other."""
    referee = RoundReferee(record.header)
    for deal in record.deals:
        referee.deal(deal)
    return referee, _told(record, referee)


def _told(record: BotRound, referee: RoundReferee) -> Iterator[Told]:
    for line, action in enumerate(record.actions, start=len(record.deals) + 2):
        for answer in referee.act(line, action):
            yield Told(action.t.start if action.t is not None else 0.0, answer)


def score(record: BotRound, referee: RoundReferee) -> ScoreSheet:
    return referee.count(record.count)
