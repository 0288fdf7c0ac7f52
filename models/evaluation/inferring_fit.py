"""The noise of looks, fitted to watched films: `python -m models.evaluation.inferring_fit`.

Takes the rounds that `models.evaluation.watching` has filmed and watched, holds every look against the card
that was truly laid there, and tells each figure of the noise model beside what the films show. With
`--perfect-eyes` the films were watched with eyes that read the truth: they tell of arms, hands and late
looks, and nothing of readings.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from finito.bots import BotRound
from finito.bots.motions import PILE
from finito.virtual_table.choreography import plan_session
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.watching import Film, wish
from models.evaluation.watching_looks import renamed_stacks
from referee.actions import Hand
from vision.observations import Look, Observation, Spot, centre_spot, observation_from

RESULTS: Final = Path(__file__).parents[1] / "results" / "inferring_noise.csv"
_CLEAR, _FAIR = 0.99, 0.8  # a reading that says at least this of itself
_EARLY, _LATE = 0.35, 4.0  # seconds around a card's release in which its look is sought
_AT_ONCE: Final = 1.0  # a card covered sooner need not be seen at all
_SWEPT: Final = 1.2  # a look later than this was made by the slow sweep only
_LOOK: Final = '"type":"look"'
_COLUMNS: Final = ("figure", "model", "films", "cases", "command")
_NAMED: Final = 0.1  # an arm told with a smaller share is not told
_BESIDES: Final = 0.3  # somebody else's arm with more was there, or is invented
_FAINT: Final = 0.01
_ALONE: Final = 0.8  # the share of an arm beside which others hardly count
_OF_READINGS: Final = frozenset(
    {"unread", "fair", "poor", "right_clear", "right_fair", "right_poor", "read_again"}
)


@dataclass(frozen=True, slots=True)
class Laying:
    """A card laid face up: where, when, by whom; and when the next one came to the same spot."""

    spot: Spot
    face: str
    t: float
    player: str
    hand: Hand
    until: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """One figure: as the model has it, as the films show it, and in how many cases."""

    name: str
    model: float
    films: float
    cases: int


def layings(played: BotRound) -> list[Laying]:
    """Every card that a deed of the round laid face up, in the order of time."""
    laid = []
    for motion in played.motions:
        if motion.action is None or motion.releases is None or motion.aborted or not motion.cards:
            continue
        card, target = motion.cards[-1], motion.target
        spot = centre_spot(target.pile or 0) if target.place == PILE else Spot(target.player, target.place)
        if card.up_after and motion.deed not in ("deal", "uncover"):
            laid.append((motion.releases, spot, str(card.face), motion.player, motion.hand))
    laid.sort(key=lambda each: each[0])
    return [
        Laying(spot, face, t, player, hand, next((x[0] for x in laid[n + 1 :] if x[1] == spot), float("inf")))
        for n, (t, spot, face, player, hand) in enumerate(laid)
    ]


def counted(
    played: BotRound, seen: Iterable[Observation], stacks: dict[int, int] | None = None
) -> Counter[str]:
    """What became of every card that was laid: looked at or not, read right or wrong, by whose arm."""
    told = list(seen)
    true = renamed_stacks(played, told) if stacks is None else stacks
    looks: dict[Spot, list[Look]] = {}
    for each in told:
        if isinstance(each, Look):
            looks.setdefault(_true_spot(each.spot, true), []).append(each)
    count: Counter[str] = Counter()
    for laid in layings(played):
        count.update(_became(laid, looks.get(laid.spot, []), len(played.header.players)))
    return count


def _true_spot(spot: Spot, true: dict[int, int]) -> Spot:
    return centre_spot(true.get(spot.stack, spot.stack)) if spot.is_centre else spot


def _became(laid: Laying, looks: list[Look], players: int) -> Iterator[str]:
    if laid.until - laid.t < _AT_ONCE:
        return
    last = min(laid.until, laid.t + _LATE)
    near = [look for look in looks if laid.t - _EARLY < look.t < last and look.shows == "face"]
    first = next((look for look in near if not look.again), None)
    yield "laid"
    if first is None:
        yield "never seen"
        return
    yield "looks"
    if first.t - laid.t > _SWEPT:
        yield "late"
    if not first.faces:
        yield "unread"
    else:
        face, chance = first.faces[0]
        how = "clear" if chance >= _CLEAR else "fair" if chance >= _FAIR else "poor"
        yield how
        if face == laid.face:
            yield f"{how} right"
        if how != "clear":
            yield "not clear"
            if any(look.again and look.t == first.t for look in near):
                yield "read again"
    yield from _arms(laid, first, players)


def _arms(laid: Laying, look: Look, players: int) -> Iterator[str]:
    """Whose arms a look tells, and which hand."""
    if dict(look.reach).get(laid.player, 0.0) > _NAMED:
        yield "arm told"
    others = [share for name, share in look.reach if name != laid.player]
    yield from ("others" for _ in range(players - 1))
    yield from ("arm besides" for share in others if share > _BESIDES)
    yield from ("arm faint" for share in others if _FAINT < share <= _BESIDES)
    if look.hand is None:
        return
    yield "hand told"
    alone = bool(look.reach) and look.reach[0][0] == laid.player and look.reach[0][1] > _ALONE
    kind = "hand" if alone else "crowd"
    yield f"{kind} named"
    if look.hand != laid.hand:
        yield f"{kind} wrong"


def fitted(count: Counter[str], model: NoiseModel | None = None) -> list[Fitted]:
    """The model's figures beside those that were counted."""
    noise = model or NoiseModel()
    looks, laid = count["looks"], count["laid"]
    pairs = (
        ("unread", noise.unread, count["unread"], looks),
        ("fair", noise.fair, count["fair"], looks),
        ("poor", noise.poor, count["poor"], looks),
        ("right_clear", noise.right_clear, count["clear right"], count["clear"]),
        ("right_fair", noise.right_fair, count["fair right"], count["fair"]),
        ("right_poor", noise.right_poor, count["poor right"], count["poor"]),
        ("read_again", noise.read_again, count["read again"], count["not clear"]),
        ("missed", noise.missed, count["late"] + count["never seen"], laid),
        ("arm_missed", noise.arm_missed, looks - count["arm told"], looks),
        ("arm_invented", noise.arm_invented, count["arm besides"], looks),  # others' own deeds are among them
        ("arm_faint", noise.arm_faint, count["arm faint"], count["others"]),
        ("hand_told", noise.hand_told, count["hand told"], looks),
        ("hand_wrong", noise.hand_wrong, count["hand wrong"], count["hand named"]),
        ("hand_wrong_in_crowd", noise.hand_wrong_in_crowd, count["crowd wrong"], count["crowd named"]),
    )
    return [Fitted(name, told, some / max(1, whole), whole) for name, told, some, whole in pairs]


def written(rows: list[Fitted], path: Path, command: str) -> None:
    """The table, with the command that found each figure; figures of other commands stay as they are."""
    table: dict[str, tuple[object, ...]] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            table = {line[0]: tuple(line) for line in csv.reader(file) if line[0] != _COLUMNS[0]}
    table |= {row.name: (row.name, row.model, round(row.films, 4), row.cases, command) for row in rows}
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([_COLUMNS, *table.values()])


def _watched(cache: Path) -> Iterator[Counter[str]]:
    """The counts of every round in the cache of `watching` whose observations are kept."""
    for folder in sorted(cache.glob("*-*-*-*x*-*")):
        kept = folder / "observations.jsonl"
        if not kept.exists():
            continue
        seed, players, seconds, size, fps = folder.name.split("-")
        width, height = (int(part) for part in size.split("x"))
        film = Film(float(seconds), (width, height), int(fps), cache)
        session = plan_session(wish(int(seed), int(players), film))
        looks = [line for line in kept.read_text(encoding="utf-8").splitlines() if _LOOK in line]
        yield counted(session.cast.played, [observation_from(line) for line in looks])
        sys.stderr.write(f"{folder.name} read\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--cache", type=Path, default=Path("build/watching"), help="films of the watching bench"
    )
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--perfect-eyes", action="store_true", help="the films tell nothing of readings")
    asked = parser.parse_args()
    counts = list(_watched(asked.cache))
    count = sum(counts, Counter[str]())
    if not count:
        raise SystemExit(f"{asked.cache}: no watched film; run python -m models.evaluation.watching first")
    rows = [row for row in fitted(count) if not asked.perfect_eyes or row.name not in _OF_READINGS]
    command = "python -m models.evaluation.inferring_fit" + " --perfect-eyes" * asked.perfect_eyes
    written(rows, asked.out, f"{command} (rounds watched: {len(counts)})")
    for row in rows:
        sys.stdout.write(f"{row.name:14s} model {row.model:7.4f}  films {row.films:7.4f}  of {row.cases}\n")


if __name__ == "__main__":
    main()
