"""Whole rounds: the deal, the play, and the count at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from finito.bots.dealing import deal, place_cards
from finito.bots.mischief import FAULTS, Mischief
from finito.bots.record import BotRound, HiddenDeal
from finito.bots.recorder import Recorder
from finito.bots.simulation import Bot, Simulation, Watcher
from finito.bots.table import Home, Table
from finito.bots.temper import temper
from finito.errors import BadInput
from referee.actions import Count, RoundHeader
from referee.errors import RefereeError
from referee.rules.parameters import PileGame, game_parameters

FOOD_BACKS: Final = ("pizza", "gelato", "spaghetti", "cappuccino", "insalata", "tiramisu")
EDITIONS: Final = ("amigo-1995", "forum-1996", "escale")
VARIANTS: Final = ("normalo", "zero", "chaos")
_ATTEMPTS: Final = 40
_HORIZONS: Final = (
    60.0,
    40.0,
    25.0,
    10.0,
)  # faults fall due within so many seconds; less and less on retries


@dataclass(frozen=True, slots=True)
class _Order:
    """What a round is asked to be."""

    seed: int
    header: RoundHeader
    game: PileGame
    faults: tuple[str, ...]
    max_seconds: float
    pace: float


def play_round(
    seed: int,
    players: int | Sequence[str] = 2,
    game: str = "espresso",
    variant: Sequence[str] = ("normalo",),
    edition: str = "amigo-1995",
    faults: Sequence[str] = (),
    max_seconds: float = 600,
    pace: float = 1.0,
    watcher: Watcher | None = None,
) -> BotRound:
    """Plays a round. Same arguments, same round. `faults` names each fault as often as it shall happen.

    `watcher` is told every action of every attempt as it happens, with the true table after it.
    """
    order = _checked(seed, players, game, tuple(variant), edition, tuple(faults), max_seconds, pace)
    best: BotRound | None = None
    for attempt in range(_ATTEMPTS):
        played = _attempt(order, attempt, watcher)
        if best is None or len(played.missing) < len(best.missing):
            best = played
        if not any(_thinkable(name, order.header) for name in best.missing):
            break
    assert best is not None
    return best


def _thinkable(fault: str, header: RoundHeader) -> bool:
    """Whether the variant knows this fault at all; if not, no other attempt would help."""
    if fault.startswith("joker"):
        return "zero" in header.variant
    return fault != "not-yours" or "chaos" not in header.variant


def _attempt(order: _Order, attempt: int, watcher: Watcher | None) -> BotRound:
    rng = Random(f"{order.seed}/{attempt}")
    header, variant = order.header, order.header.variant
    hidden = tuple(deal(rng, order.game, name, len(header.players)) for name in header.players)
    table = Table(
        game=order.game,
        zero="zero" in variant,
        chaos="chaos" in variant,
        eights_go_on=header.edition == "forum-1996",
        homes={each.player: _home(each) for each in hidden},
    )
    recorder = Recorder()
    face_down = header.edition == "escale"
    start = place_cards(rng, recorder.motions, hidden, face_down=face_down, pace=order.pace)
    horizon = _HORIZONS[min(attempt // 3, len(_HORIZONS) - 1)] / order.pace
    pending = [(start + rng.uniform(0.0, horizon), name) for name in order.faults]
    pending = [(0.0 if name in ("before-start", "after-finito") else when, name) for when, name in pending]
    bots = [Bot(home, temper(rng, order.pace)) for home in table.homes.values()]
    mischief = Mischief(pending)
    deadline = start + order.max_seconds
    Simulation(table, bots, rng, mischief, recorder, order.pace, face_down, deadline, watcher).run(start)
    return BotRound(
        seed=order.seed,
        header=header,
        hidden=hidden,
        actions=tuple(recorder.actions),
        count=_count(table),
        faults=tuple(sorted(mischief.done, key=lambda fault: fault[1])),
        missing=tuple(name for _, name in mischief.pending),
        motions=tuple(sorted(recorder.motions, key=lambda motion: motion.leaves)),
        finito=table.finito,
    )


def _home(dealt: HiddenDeal) -> Home:
    seen = {dealt.espresso[0], *dealt.helps}
    helps = [[card] for card in dealt.helps]
    return Home(dealt.player, dealt.side, [*dealt.espresso[::-1]], helps, [*dealt.hand[::-1]], seen=seen)


def _count(table: Table) -> Count:
    left: tuple[tuple[str, int], ...] = ()
    if table.game.points_per_race_card_left:
        left = tuple((name, len(home.espresso)) for name, home in table.homes.items())
    return Count(tuple((name, table.centre_count(name)) for name in table.homes), left)


def _checked(
    seed: int,
    players: int | Sequence[str],
    game: str,
    variant: tuple[str, ...],
    edition: str,
    faults: tuple[str, ...],
    max_seconds: float,
    pace: float,
) -> _Order:
    try:
        parameters = game_parameters(game)
    except RefereeError as error:
        raise BadInput(str(error)) from error
    names = _names(players) if isinstance(players, int) else tuple(players)
    if not parameters.min_players <= len(names) <= parameters.max_players:
        raise BadInput(
            f"{game} is for {parameters.min_players} to {parameters.max_players} players, not {len(names)}"
        )
    if len(set(names)) < len(names):
        raise BadInput(f"every player needs a name of their own: {', '.join(names)}")
    for given, known, word in ((variant, VARIANTS, "variant"), ((edition,), EDITIONS, "edition")):
        if unknown := [name for name in given if name not in known]:
            raise BadInput(f"the {word} {unknown[0]!r} is not known; known are {', '.join(known)}")
    if unknown := [name for name in faults if name not in FAULTS]:
        raise BadInput(f"the fault {unknown[0]!r} is not known; known are {', '.join(FAULTS)}")
    if "zero" in variant and parameters.first_number != 0:
        raise BadInput(f"{game} has no 0 that could be a joker; leave out the variant zero")
    if pace <= 0 or max_seconds <= 0:
        raise BadInput(f"pace and seconds must be above 0, not {pace} and {max_seconds}")
    header = RoundHeader(game, variant, edition, names)
    return _Order(seed, header, parameters, faults, max_seconds, pace)


def _names(players: int) -> tuple[str, ...]:
    return (*FOOD_BACKS[:players], *(f"back{number}" for number in range(len(FOOD_BACKS) + 1, players + 1)))
