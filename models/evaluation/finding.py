"""How well cards are found: python -m models.evaluation.finding [--stills N] [--photos DIR] [--peer ONNX]."""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from models.evaluation.finding_photos import SEVERAL, photo_rows
from models.evaluation.finding_renders import render_rows
from vision.card_finder import CardFinder
from vision.onnx_model import OnnxModel, load

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "models" / "results"
PHOTOS = ROOT.parent / "shared" / "photos"
_TIMED = 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stills", type=int, default=300)
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--models", type=Path, help="a folder of models other than those that ship")
    parser.add_argument("--peer", type=Path, help="another detector's ONNX file, to be timed beside ours")
    given = parser.parse_args()
    finder = CardFinder(load("finder", folder=given.models))
    if given.stills:
        rows = _written(given.results / "finding_renders.csv", render_rows(finder, given.stills))
        _say_renders(rows)
    if (given.photos / "labels.jsonl").exists():
        _say_photos(_written(given.results / "finding_photos.csv", photo_rows(finder, given.photos)))
    else:
        _say("Real photos: skipped, there are none beside the project.")
    _say_speed(finder, given.peer)


def _say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def _written(path: Path, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = list(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(kept[0]))
        writer.writeheader()
        writer.writerows(kept)
    return kept


def _figures(rows: list[dict[str, Any]]) -> str:
    cards, met, false = (sum(int(row[key]) for row in rows) for key in ("cards", "met", "false"))
    errors = [row["corner_error"] for row in rows if row["corner_error"] != ""]
    corners = f", corners off by {100 * float(np.mean(errors)):.1f}% of the width" if errors else ""
    return (
        f"{len(rows)} pictures, {cards} cards, recall {100 * met / max(1, cards):.2f}%, "
        f"false {false / len(rows):.3f} per picture{corners}"
    )


def _say_renders(rows: list[dict[str, Any]]) -> None:
    _say(f"Own renders, unseen decks, visible >= 35%: {_figures(rows)}")


def _say_photos(rows: list[dict[str, Any]]) -> None:
    several = [row for row in rows if row["folder"] in SEVERAL]
    single = [row for row in rows if row["folder"] not in SEVERAL and row["cards"] == 1]
    _say(f"Photos of several cards: {_figures(several)}")
    _say(f"Photos of one card: {_figures(single)}")
    for folder in sorted({row["folder"] for row in rows}):
        own = [row for row in rows if row["folder"] == folder]
        _say(f"  {folder} ({own[0]['judged_by']}): {_figures(own)}")


def _say_speed(finder: CardFinder, peer: Path | None) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (1080, 1920, 3), dtype=np.uint8)
    theirs = OnnxModel(peer.read_bytes()) if peer else None
    blank = np.zeros((1, 3, 640, 640), np.float32)
    ours_ms, their_ms = [], []
    for _ in range(_TIMED):
        started = time.perf_counter()
        finder.find(picture)
        ours_ms.append(1000 * (time.perf_counter() - started))
        if theirs:
            started = time.perf_counter()
            theirs(blank)
            their_ms.append(1000 * (time.perf_counter() - started))
    ours = float(np.median(ours_ms))
    beside = (
        f", {ours / float(np.median(their_ms)):.2f} of the peer's {np.median(their_ms):.1f} ms"
        if peer
        else ""
    )
    # Noise shows no cards: gathering votes and moving corners come on top, by the number of cards.
    _say(f"Finding in a 1080p picture without cards, one thread: {ours:.1f} ms{beside}")


if __name__ == "__main__":
    main()
