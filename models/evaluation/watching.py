"""How well a filmed table is refereed: `python -m models.evaluation.watching --rounds 30 --seed 1`.

Rounds of bots with decks nobody was trained on are filmed on virtual tables and go through the whole of it:
set-up, eyes, tracker, inference, referee, count. Of the seeds of a round the first is taken whose game ends
in Finito within `--seconds`. One row per round goes to a CSV file; rounds that are there already are not
watched again, and films are kept and used again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from finito.bots import BotRound
from finito.ending.refereed_round import RefereedRound
from finito.live import LiveReferee
from finito.live_setup import Guest
from finito.table_eyes import TableEyes
from finito.virtual_table.choreography import Session, Wish, plan_session, write_session
from finito.virtual_table.choreography.casting import cast_round, deck_named
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_report import table as inferring_table
from models.evaluation.inferring_round import (
    RoundScore,
    Said,
    count_accusations,
    count_faults,
    matched_plays,
    time_finito,
)
from models.evaluation.inferring_table import true_table
from models.evaluation.reading_sets import enrolled_from_photos
from models.evaluation.round_rows import keep, on_file
from models.evaluation.watching_blame import LoggedEye, Seen, blame, blame_table
from models.evaluation.watching_looks import LookScore, renamed_stacks, scored_looks
from referee.actions import Finito, Start
from vision.card_finder import CardFinder
from vision.card_reader import CardReader
from vision.finding.second_look import SecondLook
from vision.frame import Frame
from vision.observations import Observation, observation_from, observation_line
from vision.onnx_model import load
from vision.pipelining.eye import NetEye
from vision.pipelining.known_size import KnownSizeFinder
from vision.sources import open_source
from vision.table_reader import TableReader

RESULTS: Final = Path(__file__).parents[1] / "results" / "watching.csv"
STAGES: Final = ("change", "drift", "find", "read", "track")
_FAULTS: Final = (
    "wrong-number",
    "wrong-colour",
    "must-start-with-zero",
    "not-yours",
    "help-not-refilled",
    "not-open",
    "too-late",
    "after-finito",
    "before-start",
)
_DONE: Final = "filmed"
SEEDS: Final = 40  # for each round


@dataclass(frozen=True)
class Film:
    """How rounds are filmed."""

    seconds: float
    size: tuple[int, int]
    fps: int
    cache: Path
    finder: Path | None = None

    def name(self, seed: int, players: int) -> str:
        """The folder of a round."""
        return f"{seed}-{players}-{self.seconds:g}-{self.size[0]}x{self.size[1]}-{self.fps}"


@dataclass
class Watched:
    """What the eyes told of a film, and what that took."""

    observations: list[Observation] = field(default_factory=list)
    ready: float = -1.0  # seconds of the film at which the table was set up
    why: str = ""
    frames: int = 0
    ms_frame: float = 0.0
    ms: dict[str, float] = field(default_factory=dict)


def wish(seed: int, players: int, film: Film) -> Wish:
    """Rounds of odd seeds have faults."""
    rng = Random(f"watching {seed}")
    faults = tuple(rng.sample(_FAULTS, 2)) if seed % 2 else ()
    return Wish(
        players,
        film.seconds,
        seed,
        faults,
        deck=f"random:{seed}",
        size=film.size,
        fps=film.fps,
        roughness=round(rng.uniform(0.3, 1.0), 2),
    )


def filmed(seed: int, players: int, film: Film) -> tuple[Session, Path]:
    """The session and its folder; filmed if it is not there yet."""
    session = plan_session(wish(seed, players, film))
    folder = film.cache / film.name(seed, players)
    if not (folder / _DONE).exists():
        if folder.exists():
            for file in folder.iterdir():
                file.unlink()
        write_session(session, folder, video=True, stills=0)
        (folder / _DONE).touch()
    return session, folder


def watch(session: Session, folder: Path, film: Film) -> tuple[Watched, LoggedEye]:
    """Set-up, eyes and count over the whole film."""
    reader = CardReader()
    net = load("finder", folder=film.finder)
    deck = enrolled_from_photos(session.deck.name, reader.look, reader.model_hash)
    guests = [Guest(home.player, home.seat) for home in session.show.homes.values()]
    watched = Watched()

    def ready(set_up: Any) -> None:
        watched.ready = set_up.t

    second = SecondLook(load("second_look"))
    eye = LoggedEye(NetEye(KnownSizeFinder(net, second=second), reader, deck))
    eyes = TableEyes(eye, TableReader(CardFinder(net, second=second), reader), deck, net)
    live = eyes.watch(guests, ready)
    over = last_deed(session)
    took = 0.0
    with open_source(str(folder / "video.mp4")) as source:
        for event in source:
            began, seeing = time.process_time(), live.pipeline is not None
            watched.observations += live.see(event)
            if seeing and isinstance(event, Frame) and event.t <= over:  # counting is another matter
                took += time.process_time() - began
                watched.frames += 1
    watched.why = "" if live.pipeline else live.why
    if live.pipeline is not None:
        frames = max(1, watched.frames)
        watched.ms_frame = round(1000 * took / frames, 2)
        seconds = live.pipeline.costs.seconds
        watched.ms = {stage: round(1000 * seconds[stage] / frames, 2) for stage in STAGES}
    lines = "\n".join(observation_line(each) for each in watched.observations)
    (folder / "observations.jsonl").write_text(lines + "\n", encoding="utf-8")
    return watched, eye


def last_deed(session: Session) -> float:
    return max(action.t.end for action in session.cast.played.actions if action.t)


@dataclass(frozen=True)
class Outcome:
    """A watched round against the truth."""

    whole: RoundScore
    looks: LookScore
    causes: Counter[str]
    count: str  # exact, asked, wrong or none


def score(session: Session, seen: list[Observation], eye: LoggedEye | None, frames: Path) -> Outcome:
    """The whole against the truth, the looks alone, and which stage is to blame."""
    played, wished = session.cast.played, session.wish
    truth = true_table(played, NoiseModel(), Random(0))
    truth.renamed = renamed_stacks(played, seen)
    began = time.process_time()
    said, referee = heard(played, seen)
    took = time.process_time() - began
    result = RoundScore(
        wished.seed, wished.players, "+".join(wished.variant), observations=len(seen), seconds=took
    )
    matches = matched_plays(played, truth, said, result)
    count_faults(played, matches, result)
    count_accusations(played, said, matches, result)
    time_finito(played, said, result)
    looks = scored_looks(played, [each for each in seen if each.t <= last_deed(session) + 1], truth.renamed)
    causes = result.causes + looks.causes
    if eye is not None:
        causes += blame(played, said, matches, looks, Seen(frames, eye))
    return Outcome(result, looks, causes, _count(played, referee))


def heard(played: BotRound, seen: list[Observation]) -> tuple[list[Said], RefereedRound]:
    """All that the referee said to a film; a key is pressed for the shout and for calls that were wrong."""
    referee = RefereedRound(LiveReferee(played.header, shout=True))
    wrong = {index for name, index in played.faults if name == "false-finito"}
    keys = [
        (action.t.start, action)
        for index, action in enumerate(played.actions)
        if action.t and (isinstance(action, Start) or (isinstance(action, Finito) and index in wrong))
    ]
    lines: dict[int, Said] = {}
    for each in seen:
        events = []
        while keys and keys[0][0] <= each.t:
            t, key = keys.pop(0)
            events += referee.call_finito(key.player, t) if isinstance(key, Finito) else referee.start(t)
        for event in [*events, *referee.feed(each)]:
            said = lines.setdefault(event.line, Said(event, event))
            said.last = event
            if event.verdict.illegal and event.said != "withdrawn":
                said.accused = str(event.verdict.rule)
            said.doubted = said.doubted or event.verdict.unsure
    return list(lines.values()), referee


def _count(played: BotRound, referee: RefereedRound) -> str:
    ended = referee.ended(force=True)
    if ended is None:
        return "none"
    if ended.question is not None:
        return "asked"
    true = dict.fromkeys(played.header.players, 0) | dict(played.count.by_back)
    return "exact" if ended.by_back == true and referee.finito == played.finito else "wrong"


def rounds(
    wanted: Iterable[int], first: int, players: list[int], film: Film, out: Path
) -> Iterator[dict[str, Any]]:
    """A row for every round that is wanted; those on file are taken from there."""
    known = on_file(out)
    for i in wanted:
        seats = players[i % len(players)]
        start = first + SEEDS * i
        row = known.get(i)
        if row and start <= int(row["seed"]) < start + SEEDS and int(row["players"]) == seats:
            yield row
            continue
        seed = seed_of(i, first, seats, film)
        session, folder = filmed(seed, seats, film)
        watched, eye = watch(session, folder, film)
        outcome = score(session, watched.observations, eye, folder / "frames.jsonl")
        (folder / "notes.txt").write_text("\n".join(outcome.whole.notes) + "\n", encoding="utf-8")
        row = {"round": i, **row_of(outcome, watched)}
        keep(out, row)
        yield row


def seed_of(i: int, first: int, players: int, film: Film) -> int:
    """The first seed of a round whose game ends in Finito in time; an odd one for every second round."""
    start = first + SEEDS * i + i % 2
    for seed in range(start, start + SEEDS - 1, 2):
        asked = wish(seed, players, film)
        deck = deck_named(asked.deck, players)
        cast = cast_round(
            seed, deck.backs[:players], asked.seconds, asked.faults, asked.variant, asked.edition
        )
        if cast.played.finito is not None and not cast.played.missing:
            return seed
    return start


def again(folder: Path, session: Session) -> Outcome:
    """A round whose observations are kept, inferred and scored anew."""
    lines = (folder / "observations.jsonl").read_text(encoding="utf-8").splitlines()
    return score(session, [observation_from(line) for line in lines if line], None, folder / "frames.jsonl")


def row_of(outcome: Outcome, watched: Watched) -> dict[str, Any]:
    result, looked = outcome.whole, outcome.looks
    row = {name: value for name, value in asdict(result).items() if name != "notes"}
    row["delays"] = " ".join(f"{delay:.2f}" for delay in result.delays)
    row["causes"] = json.dumps(outcome.causes, sort_keys=True)
    row["rules"] = json.dumps(result.rules, sort_keys=True)
    row["seconds"] = round(result.seconds, 3)
    row["count"] = outcome.count
    counted = ("plays", "turns", "refills")
    names = (*counted, *(f"{kind}_seen" for kind in counted), "right", "wrong", "reach_right")
    row |= {f"looks_{name}": getattr(looked, name) for name in names}
    row |= {"ready": round(watched.ready, 2), "frames": watched.frames, "ms_frame": watched.ms_frame}
    return row | {f"ms_{stage}": watched.ms.get(stage, 0.0) for stage in STAGES}


def table(rows: list[dict[str, Any]]) -> str:
    """The figures of the whole, then those of the eyes alone."""
    total = Counter[str]()
    for row in rows:
        for name in ("plays", "plays_seen", "turns", "turns_seen", "refills", "refills_seen"):
            total[name] += int(row[f"looks_{name}"])
        total["right"] += int(row["looks_right"])
        total["wrong"] += int(row["looks_wrong"])
    counts, causes = Counter(str(row["count"]) for row in rows), Counter[str]()
    for row in rows:
        causes.update(json.loads(row["causes"]))
    exact = f"{counts['exact']} of {len(rows)}"
    lines = [
        inferring_table(rows),
        "",
        f"round score after the count: exact {exact}, asked {counts['asked']}, wrong {counts['wrong']}",
        "",
        "which stage is to blame:",
        blame_table(causes),
        "",
        "eyes and tracker alone:",
    ]
    lines += [
        f"{what} looked at and read right: {total[what + '_seen']} of {total[what]}"
        for what in ("plays", "turns", "refills")
    ]
    lines.append(
        f"looks that show what truly lay there: {total['right']} of {total['right'] + total['wrong']}"
    )
    for stage in ("frame", *STAGES):
        mean = sum(float(row[f"ms_{stage}"]) for row in rows) / max(1, len(rows))
        lines.append(f"ms of {stage}: {mean:.1f}")
    never = [row["seed"] for row in rows if float(row["ready"]) < 0]
    lines.append(f"rounds never set up: {len(never)} {never or ''}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--only", help="watch these rounds alone, such as 4 or 4,9")
    parser.add_argument("--seed", type=int, default=1, help="seeds begin at ten thousand times this")
    parser.add_argument("--players", default="2,3,4,5,6")
    parser.add_argument("--seconds", type=float, default=75.0)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--fps", type=int, default=15)
    parser.add_argument("--cache", type=Path, default=Path("build/watching"))
    parser.add_argument("--finder", type=Path, help="folder of another finder than the one that ships")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    width, height = (int(part) for part in asked.size.split("x"))
    film = Film(asked.seconds, (width, height), asked.fps, asked.cache, asked.finder)
    players = [int(part) for part in asked.players.split(",")]
    wanted = [int(part) for part in asked.only.split(",")] if asked.only else list(range(asked.rounds))
    rows = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("rounds", total=len(wanted))
        for row in rounds(wanted, 10_000 * asked.seed, players, film, asked.out):
            rows.append(row)
            progress.console.print(told(row), highlight=False)
            progress.update(task, advance=1)
    sys.stdout.write(table(rows) + "\n")


def told(row: dict[str, Any]) -> str:
    """A round in a line."""
    return (
        f"round {row['round']}: seed {row['seed']}, {row['players']} players, plays {row['found']} of "
        f"{row['plays']} (said {row['said']}), false accusations {row['false_accusations']}, faults "
        f"{row['named']} of {row['faults']}, Finito {row['finito_in_time']} of {row['finito']}, count "
        f"{row['count']}, {float(row['ms_frame']):.0f} ms a frame"
    )


if __name__ == "__main__":
    main()
