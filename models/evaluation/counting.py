"""How well backs are counted: `python -m models.evaluation.counting [--photos N]`.

Rendered photos of 20 to 60 backs, half of them spread and half fanned or laddered, of decks no training saw,
enrolled from two rendered photos each. One row per photo goes to models/results/counting.csv.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from calibration.deck_enrolment import risky_pairs
from finito.virtual_table.decks import random_deck
from models.evaluation.counting_scenes import CountingPhoto, counting_photo
from models.evaluation.eyes import Eyes
from models.evaluation.finding_truth import met
from vision.back_counter import BackCounter, PhotoCount
from vision.card_finder import FoundCard
from vision.counting.tally import tally

RESULTS = Path(__file__).parents[1] / "results"
SEED = 7070
_PER_BACK = 36
_RISKY = 0.05  # pairs of backs of which enrolment says that they may be mistaken as often as that


@dataclass(frozen=True)
class Row:
    """One photo: what lies there, what was counted, and whether the answer asked for help."""

    photo: int
    layout: str  # spread or fanned
    deck: str
    risky: bool  # enrolment warned of backs that look alike
    cards: int
    found: int
    false: int
    counted: int
    exact: bool
    flagged: bool
    flagged_expected: bool  # with the number of cards given by --expect
    exact_expected: bool
    seconds: float


def rows(photos: int, seed: int, eyes: Eyes, only_fanned: bool = False) -> Iterator[Row]:
    for number in range(int(only_fanned), photos, 1 + int(only_fanned)):
        deck = random_deck(seed + number // 2, "test")
        enrolled = eyes.enrol(deck.name).deck
        alike = risky_pairs(enrolled.backs, eyes.reader.measured.weight["back"], _RISKY)
        fanned = number % 2 == 1
        photo = counting_photo(deck, seed + number, fanned)
        started = time.perf_counter()
        count = BackCounter(eyes.net, eyes.reader, enrolled, eyes.finder).count(
            "photo", photo.rendered.picture
        )
        spent = time.perf_counter() - started
        row = _judged(photo, count, [back.name for back in enrolled.backs])
        yield Row(number, "fanned" if fanned else "spread", deck.name, bool(alike), *row, round(spent, 2))


def _judged(
    photo: CountingPhoto, count: PhotoCount, backs: list[str]
) -> tuple[int, int, int, int, bool, bool, bool, bool]:
    truths = [card.corners.astype(np.float32) for card in photo.rendered.cards]
    found = [FoundCard(np.array(card.corners, np.float32), card.chance, 1.0) for card in count.cards]
    result = met(truths, found)
    alone = tally(count.cards, count.doubts, backs, _PER_BACK)
    told = tally(count.cards, count.doubts, backs, _PER_BACK, len(truths))
    return (
        len(truths),
        len(result.pairs),
        result.false,
        alone.total,
        dict(alone.counts) == photo.counts,
        bool(alone.unsure),
        bool(told.unsure),
        dict(told.counts) == photo.counts,
    )


def summary(kept: list[Row]) -> str:
    lines = [f"{'set':30} {'photos':>6} {'exact':>7} {'flagged if not':>14} {'--expect':>9} {'flagged':>8}"]
    for layout in ("spread", "fanned"):
        for name, own in (
            (layout, [row for row in kept if row.layout == layout]),
            (f"{layout}, backs told apart", [r for r in kept if r.layout == layout and not r.risky]),
        ):
            if own:
                lines.append(f"{name:30} {len(own):6} {_figures(own)}")
    cards, met_cards, false = (sum(getattr(row, key) for row in kept) for key in ("cards", "found", "false"))
    lines.append(
        f"{cards} cards, {met_cards / max(1, cards):.1%} found, {false / len(kept):.2f} false a photo"
    )
    return "\n".join(lines)


def _figures(own: list[Row]) -> str:
    wrong = [row for row in own if not row.exact]
    wrong_told = [row for row in own if not row.exact_expected]
    return (
        f"{np.mean([row.exact for row in own]):7.1%} {_share([row.flagged for row in wrong]):>14} "
        f"{np.mean([row.exact_expected for row in own]):9.1%} "
        f"{_share([row.flagged_expected for row in wrong_told]):>8}"
    )


def _share(flags: list[bool]) -> str:
    return f"{sum(flags)} of {len(flags)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.evaluation.counting", description=__doc__)
    parser.add_argument("--photos", type=int, default=120)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fanned", action="store_true", help="leave the spread ones of them out")
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    kept = list(rows(given.photos, given.seed, Eyes.opened({}), given.fanned))
    given.results.mkdir(parents=True, exist_ok=True)
    with (given.results / "counting.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(asdict(kept[0])))
        table.writeheader()
        table.writerows(asdict(row) for row in kept)
    sys.stdout.write(summary(kept) + "\n")


if __name__ == "__main__":
    main()
