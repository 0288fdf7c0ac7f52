"""How well a filmed table is refereed: `python -m models.evaluation.watching --rounds 30 --seed 1`.

Rounds of bots with decks nobody was trained on are filmed on virtual tables and go through the whole of it:
set-up, eyes, tracker, inference, referee. One row per round goes to a CSV file; rounds that are there already
are not watched again, and films are kept and used again.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from finito.live_setup import Guest, LiveTable, RoundSetUp
from finito.virtual_table.choreography import Session, Wish, plan_session, write_session
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_report import table as inferring_table
from models.evaluation.inferring_round import (
    RoundScore,
    count_accusations,
    count_faults,
    matched_plays,
    plays_said,
    time_finito,
)
from models.evaluation.inferring_table import true_table
from models.evaluation.reading_sets import enrolled_from_photos
from models.evaluation.watching_looks import LookScore, renamed_stacks, scored_looks
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


@dataclass(frozen=True)
class Film:
    """How rounds are filmed."""

    seconds: float
    size: tuple[int, int]
    fps: int
    cache: Path
    finder: Path | None = None


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
    """Every second round has faults."""
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
    name = f"{seed}-{players}-{film.seconds:g}-{film.size[0]}x{film.size[1]}-{film.fps}"
    folder = film.cache / name
    if not (folder / _DONE).exists():
        if folder.exists():
            for file in folder.iterdir():
                file.unlink()
        write_session(session, folder, video=True, stills=0)
        (folder / _DONE).touch()
    return session, folder


def watch(session: Session, folder: Path, film: Film) -> Watched:
    """Set-up and eyes over the film, until its last action is over."""
    reader = CardReader()
    net = load("finder", folder=film.finder)
    deck = enrolled_from_photos(session.deck.name, reader.look, reader.model_hash)
    guests = [Guest(home.player, home.seat) for home in session.show.homes.values()]
    watched = Watched()

    def ready(set_up: Any) -> None:
        watched.ready = set_up.t

    second = SecondLook(load("second_look"))
    set_up = RoundSetUp(TableReader(CardFinder(net, second=second), reader), guests, deck)
    live = LiveTable(set_up, NetEye(KnownSizeFinder(net, second=second), reader, deck), ready)
    # A second after the last action everybody clears the table, which a referee need not see.
    over = max(action.t.end for action in session.cast.played.actions if action.t) + (
        2.0 if session.cast.played.finito else 0.9
    )
    took = 0.0
    with open_source(str(folder / "video.mp4")) as source:
        for event in source:
            if isinstance(event, Frame) and event.t > over:
                break
            began, seeing = time.process_time(), live.pipeline is not None
            watched.observations += live.see(event)
            if seeing:
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
    return watched


def score(session: Session, seen: list[Observation]) -> tuple[RoundScore, LookScore]:
    """The whole against the truth, and the looks alone."""
    played, wished = session.cast.played, session.wish
    truth = true_table(played, NoiseModel(), Random(0))
    truth.renamed = renamed_stacks(played, seen)
    began = time.process_time()
    said = plays_said(played, seen)
    result = RoundScore(
        wished.seed,
        wished.players,
        "+".join(wished.variant),
        observations=len(seen),
        seconds=time.process_time() - began,
    )
    matches = matched_plays(played, truth, said, result)
    count_faults(played, matches, result)
    count_accusations(played, said, matches, result)
    time_finito(played, said, result)
    return result, scored_looks(played, seen, truth.renamed)


def rounds(count: int, first: int, players: list[int], film: Film, out: Path) -> Iterator[dict[str, Any]]:
    """A row for every round; those on file are taken from there."""
    known = _on_file(out)
    for i in range(count):
        seed, seats = first + i, players[i % len(players)]
        if (seed, seats) in known:
            yield known[seed, seats]
            continue
        session, folder = filmed(seed, seats, film)
        watched = watch(session, folder, film)
        result, looked = score(session, watched.observations)
        row = _row(result, looked, watched)
        _keep(out, row)
        sys.stderr.write(
            f"{i + 1}/{count}: seed {seed}, {seats} players, plays {result.found} of {result.plays}, "
            f"said {result.said}, {watched.ms_frame:.0f} ms a frame {watched.why}\n"
        )
        yield row


def again(folder: Path, session: Session) -> tuple[RoundScore, LookScore]:
    """A round whose observations are kept, inferred and scored anew."""
    lines = (folder / "observations.jsonl").read_text(encoding="utf-8").splitlines()
    return score(session, [observation_from(line) for line in lines if line])


def _row(result: RoundScore, looked: LookScore, watched: Watched) -> dict[str, Any]:
    row = {name: value for name, value in asdict(result).items() if name != "notes"}
    row["delays"] = " ".join(f"{delay:.2f}" for delay in result.delays)
    row["causes"] = json.dumps(result.causes + looked.causes, sort_keys=True)
    row["rules"] = json.dumps(result.rules, sort_keys=True)
    row["seconds"] = round(result.seconds, 3)
    row |= {f"looks_{name}": value for name, value in asdict(looked).items() if name != "causes"}
    row |= {"ready": round(watched.ready, 2), "frames": watched.frames, "ms_frame": watched.ms_frame}
    return row | {f"ms_{stage}": watched.ms.get(stage, 0.0) for stage in STAGES}


def _on_file(path: Path) -> dict[tuple[int, int], dict[str, Any]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(int(row["seed"]), int(row["players"])): row for row in csv.DictReader(file)}


def _keep(path: Path, row: dict[str, Any]) -> None:
    new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow(row)


def table(rows: list[dict[str, Any]]) -> str:
    """The figures of the whole, then those of the eyes alone."""
    total = Counter[str]()
    for row in rows:
        for name in ("plays", "plays_seen", "turns", "turns_seen", "refills", "refills_seen"):
            total[name] += int(row[f"looks_{name}"])
        total["right"] += int(row["looks_right"])
        total["wrong"] += int(row["looks_wrong"])
    lines = [inferring_table(rows), "", "eyes and tracker alone:"]
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
    parser.add_argument("--seed", type=int, default=1, help="seeds begin at a thousand times this")
    parser.add_argument("--players", default="2,3,4,5,6")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--fps", type=int, default=15)
    parser.add_argument("--cache", type=Path, default=Path("build/watching"))
    parser.add_argument("--finder", type=Path, help="folder of another finder than the one that ships")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    width, height = (int(part) for part in asked.size.split("x"))
    film = Film(asked.seconds, (width, height), asked.fps, asked.cache, asked.finder)
    players = [int(part) for part in asked.players.split(",")]
    rows = list(rounds(asked.rounds, 1000 * asked.seed, players, film, asked.out))
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
