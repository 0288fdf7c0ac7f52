"""How well a watched table is counted at the end: `python -m models.evaluation.ending --rounds 30 --seed 1`.

Rounds as `watching` plans them, of which only the dealt table and the cards that are laid out at the end are
drawn: seconds for what takes minutes to film. Each is counted as in live use and held against the true log,
logs that lost or misgave a play or two, the tops of the piles without a log, and nothing at all. One row per
round goes to a CSV file; rounds that are there already are not counted again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from finito.ending.count_watch import CountWatch
from finito.ending.reconciling import Record, reconcile
from finito.table_eyes import TableEyes
from models.evaluation.ending_round import TableAtRest, table_at_rest
from models.evaluation.round_rows import keep, on_file
from models.evaluation.watching import SEEDS, Film
from referee.places import ESPRESSO, HELPS
from vision.card_finder import CardFinder
from vision.card_reader import CardReader
from vision.counting.tally import SURE_BACK, SURE_CARD
from vision.finding.second_look import SecondLook
from vision.frame import Frame
from vision.observations import Counted, Look, Spot, observation_line
from vision.onnx_model import load
from vision.pipelining.eye import NetEye
from vision.pipelining.known_size import KnownSizeFinder
from vision.table_reader import TableReader

RESULTS: Final = Path(__file__).parents[1] / "results" / "ending.csv"
LOGS: Final = ("true", "lossy", "tops", "none")
_LOSSY: Final = 8  # logs with other losses for each round
_BELOW, _TOP = (
    0.6,
    0.85,
)  # of the plays that a log lost, those below a top that was seen, and tops; else misgiven
_RIGHT_OWNER: Final = 0.6  # of a card that nobody saw laid
_AT_REST: Final = 0.55
_EVERY: Final = 0.61
_CARDS_PER_BACK: Final = 36


def records(true: dict[str, int], log: str, seed: int) -> list[Record]:
    """What the log says of a round, in several ways where it lost something."""
    if log == "true":
        return [Record(true, sum(true.values()))]
    if log != "lossy":
        tops = sum(true.values()) if log == "tops" else None
        return [Record(dict.fromkeys(true, 0), tops, joined_late=True)]
    rng = Random(f"lossy {seed}")
    return [_lossy(true, rng) for _ in range(_LOSSY)]


def _lossy(true: dict[str, int], rng: Random) -> Record:
    """A log that lost or misgave one play or two; a card below a top that was seen is known to lie there."""
    told, tops = dict(true), sum(true.values())
    questions: tuple[str, ...] = ()
    for _ in range(rng.choice((1, 1, 2))):
        back = rng.choice([name for name, cards in told.items() for _ in range(cards)])
        other = rng.choice([name for name in told if name != back])
        case = rng.random()
        if case < _BELOW:
            questions = (*questions, "whose was it?")
            other = back if rng.random() < _RIGHT_OWNER else other
        told[back] -= 1
        if _BELOW <= case < _TOP:
            tops -= 1
        else:
            told[other] += 1
    return Record(told, tops, questions=questions)


def counts(table: TableAtRest, eyes: TableEyes, looks: int) -> list[Counted]:
    """What live use would tell of the table at rest."""
    assert table.view is not None
    watch = eyes.counting(list(table.true))
    assert isinstance(watch, CountWatch)
    cleared = [
        Look(Spot(player, place), 0.0, 0.0, "nothing")
        for player in table.true
        for place in (ESPRESSO, *HELPS[:3])
    ]
    plane, zones = table.view.plane, table.view.zones
    told = watch.see(Frame(table.pictures[0], 0.0, 0), cleared, plane, zones)
    for number, picture in enumerate(table.pictures[:looks]):
        t = _AT_REST + number * _EVERY
        told += watch.see(Frame(picture, t, number + 1), (), plane, zones)
    return [each for each in told if isinstance(each, Counted)]


def row_of(i: int, table: TableAtRest, looks: list[Counted], took: float) -> dict[str, Any]:
    true, wished = table.true, table.session.wish
    found = [_by_back(look, true) for look in looks]
    last = found[-1] if found else dict.fromkeys(true, 0)
    row = {
        "round": i,
        "seed": wished.seed,
        "players": wished.players,
        "deck": table.session.deck.name,
        "set_up": int(table.view is not None),
        "true": json.dumps(true),
        "counted": json.dumps(found),
        "unsure": json.dumps([_unsure(look) for look in looks]),
        "cards": sum(true.values()),
        "seen": sum(last.values()),
        "backs": len(true),
        "exact_backs": sum(last[back] == cards for back, cards in true.items()),
        "exact_counts": sum(each == true for each in found),
        "counts": len(looks),
        "seconds": round(took / max(1, len(looks)), 2),
    }
    for log in LOGS:
        said = Counter(
            _outcome(reconcile(record, looks, _CARDS_PER_BACK), true)
            for record in records(true, log, wished.seed)
        )
        row[f"{log}_log"] = json.dumps(dict(said))
    return row


def _outcome(found: Any, true: dict[str, int]) -> str:
    if found.question is not None:
        return "asked"
    return "exact" if dict(found.by_back) == true else "wrong"


def _by_back(look: Counted, true: dict[str, int]) -> dict[str, int]:
    likeliest = Counter(shares[0][0] for chance, shares in look.cards if chance >= SURE_CARD)
    return {back: likeliest[back] for back in true}


def _unsure(look: Counted) -> list[int]:
    """Cards that may be none, cards of no clear back, and other doubts."""
    weak = sum(chance < SURE_CARD for chance, _ in look.cards)
    whose = sum(chance >= SURE_CARD and shares[0][1] < SURE_BACK for chance, shares in look.cards)
    return [weak, whose, len(look.doubts)]


def rounds(
    wanted: list[int], first: int, players: list[int], film: Film, looks: int, out: Path
) -> Iterator[dict[str, Any]]:
    """A row for every round; those on file are taken from there."""
    known = on_file(out)
    reader, net = CardReader(), load("finder")
    second = SecondLook(load("second_look"))
    looking = TableReader(CardFinder(net, second=second), reader)
    for i in wanted:
        seats = players[i % len(players)]
        start = first + SEEDS * i
        row = known.get(i)
        if row and start <= int(row["seed"]) < start + SEEDS and int(row["players"]) == seats:
            yield row
            continue
        table = table_at_rest(i, first, seats, film, looking, reader)
        eye = NetEye(KnownSizeFinder(net, second=second), reader, table.deck)
        eyes = TableEyes(eye, looking, table.deck, net)
        began = time.process_time()
        seen = [] if table.view is None else counts(table, eyes, looks)
        row = row_of(i, table, seen, time.process_time() - began)
        lines = "\n".join(observation_line(each) for each in seen)
        (film.cache / f"counted-{row['seed']}.jsonl").write_text(lines + "\n", encoding="utf-8")
        keep(out, row)
        yield row


def table_of(rows: list[dict[str, Any]]) -> str:
    """The figures."""

    def total(name: str) -> int:
        return sum(int(row[name]) for row in rows)

    counts = max(1, total("counts"))
    lines = [
        f"rounds {len(rows)}, never set up {len(rows) - total('set_up')}",
        f"cards counted: {total('seen')} of {total('cards')}",
        f"backs with the right number: {total('exact_backs')} of {total('backs')}",
        f"counts that are right for every back: {total('exact_counts')} of {counts}",
    ]
    for log in LOGS:
        said = Counter[str]()
        for row in rows:
            if int(row["set_up"]):  # a table that was never set up has no log either
                said.update(json.loads(row[f"{log}_log"]))
        whole = max(1, sum(said.values()))
        shares = ", ".join(f"{what} {said[what] / whole:.1%}" for what in ("exact", "asked", "wrong"))
        lines.append(f"round score with the log {log}: {shares} of {whole}")
    took = sum(float(row["seconds"]) for row in rows) / max(1, len(rows))
    return "\n".join([*lines, f"seconds of a count: {took:.1f}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", help="these rounds alone, such as 4 or 4,9")
    parser.add_argument("--seed", type=int, default=1, help="seeds begin at ten thousand times this")
    parser.add_argument("--looks", type=int, default=2, help="counts of each table at rest, up to three")
    parser.add_argument("--players", default="2,3,4,5,6")
    parser.add_argument("--cache", type=Path, default=Path("build/ending"))
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    film = Film(75.0, (1280, 720), 15, asked.cache)
    players = [int(part) for part in asked.players.split(",")]
    wanted = [int(part) for part in asked.only.split(",")] if asked.only else list(range(asked.rounds))
    rows = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("rounds", total=len(wanted))
        for row in rounds(wanted, 10_000 * asked.seed, players, film, asked.looks, asked.out):
            rows.append(row)
            progress.console.print(told(row), highlight=False)
            progress.update(task, advance=1)
    sys.stdout.write(table_of(rows) + "\n")


def told(row: dict[str, Any]) -> str:
    """A round in a line."""
    return (
        f"round {row['round']}: seed {row['seed']}, {row['players']} players, "
        f"{row['seen']} of {row['cards']} cards, right backs {row['exact_backs']} of {row['backs']}, right "
        f"counts {row['exact_counts']} of {row['counts']}, true log {row['true_log']}, "
        f"lossy {row['lossy_log']}, "
        f"tops {row['tops_log']}, {float(row['seconds']):.1f} s a count"
    )


if __name__ == "__main__":
    main()
