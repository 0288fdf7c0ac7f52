"""How well the reader reads: `python -m models.evaluation.reading`.

Own renders of decks it never saw, without and with enrolment from two rendered photos, and real photos with
labelled corners where they are at hand. One row per card goes to models/results/.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from calibration.deck_enrolment import EnrolledDeck
from models.evaluation.eyes import READING
from models.evaluation.reading_photos import PHOTOS, photographed_cards
from models.evaluation.reading_sets import ShownCard, enrolled_from_photos, looks_at, rendered_cards
from referee.cards import UNKNOWN, parse_face
from vision.card_reader import CardReader, CardReading
from vision.onnx_model import load

RESULTS = Path(__file__).parents[1] / "results"
_BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)


Seen = tuple[float, int, bool]  # the part that is visible, the height in pixels, whether a figure may be seen


@dataclass(frozen=True)
class Row:
    """One card: what it is, what was read, what the reader thought likeliest and how sure it was."""

    set: str
    picture: str
    truth: str
    read: str
    likeliest: str
    chance: float
    visible: float
    height: int
    in_sight: bool
    outcome: str  # right, abstained or wrong; missed where no card was found to be read
    quads: str = "labelled"  # or found: where the corners come from

    @property
    def hit(self) -> bool:
        return self.likeliest == self.truth


def outcome(truth: str, read: str) -> str:
    """Right: all of it. Abstained: nothing stated is false. Wrong: something is."""
    if read == truth:
        return "right"
    if read in ("back", "none"):
        return "wrong" if read == "back" else "abstained"
    return "abstained" if parse_face(read).could_be(parse_face(truth)) else "wrong"


def face_row(name: str, picture: str, truth: str, reading: CardReading, seen: Seen) -> Row:
    read = str(reading.face) if reading.side == "face" else reading.side if reading.sure_of_side else "??"
    guess, chance = reading.face_guesses[0] if reading.face_guesses else (read, reading.confidence)
    return Row(name, picture, truth, read, str(guess), round(chance, 4), *seen, outcome(truth, read))


def back_row(name: str, picture: str, truth: str, reading: CardReading, seen: Seen) -> Row:
    guess, chance = reading.back_guesses[0] if reading.back_guesses else (reading.side, reading.confidence)
    taken_for_face = reading.side == "face" and (reading.sure_of_side or reading.face is not UNKNOWN)
    read = reading.back or ("face" if taken_for_face else "?")
    verdict = "right" if read == truth else "abstained" if read == "?" else "wrong"
    return Row(name, picture, truth, read, guess, round(chance, 4), *seen, verdict)


def seen_of(card: ShownCard) -> Seen:
    return round(card.visible, 2), round(card.height), card.in_sight


def side_row(card: ShownCard, reading: CardReading) -> Row:
    verdict = "right" if reading.side == card.side else "wrong"
    if not reading.sure_of_side or reading.side == "none":
        verdict = "abstained"
    chance = round(reading.confidence, 4)
    seen = seen_of(card)
    return Row("renders, side", card.picture, card.side, reading.side, reading.side, chance, *seen, verdict)


def rendered_rows(reader: CardReader, cards: Sequence[ShownCard]) -> list[Row]:
    """Faces of four colours without a deck; then all faces and backs with theirs enrolled."""
    rows = []
    looks = looks_at(reader, cards)
    alone = reader.judge(looks, None)
    for card, reading in zip(cards, alone, strict=True):
        rows.append(side_row(card, reading))
        if card.is_number:
            rows.append(face_row("renders", card.picture, card.name, reading, seen_of(card)))
    decks: dict[str, EnrolledDeck] = {}
    for picture in dict.fromkeys(card.picture for card in cards):
        members = np.array([i for i, card in enumerate(cards) if card.picture == picture], np.intp)
        name = cards[members[0]].deck
        if name not in decks:
            decks[name] = enrolled_from_photos(name, reader.look, reader.model_hash)
        for i, reading in zip(members, reader.judge(looks[members], decks[name]), strict=True):
            card = cards[i]
            if card.side == "back":
                rows.append(
                    back_row("renders, backs enrolled", card.picture, card.name, reading, seen_of(card))
                )
            elif card.is_number:
                rows.append(face_row("renders, enrolled", card.picture, card.name, reading, seen_of(card)))
    return rows


def photo_rows(reader: CardReader, photos: Path = PHOTOS) -> list[Row]:
    rows = []
    for card in photographed_cards(photos):
        reading = reader.read(card.picture, [card.quad])[0]
        name = card.folder + ("" if card.is_number else ", no number")
        sides = np.linalg.norm(card.quad - np.roll(card.quad, -1, axis=0), axis=1)
        rows.append(face_row(name, card.photo, card.face, reading, (1.0, round(float(max(sides))), True)))
    return rows


def summary(rows: Iterable[Row]) -> str:
    lines = [f"{'set':34} {'cards':>6} {'right':>7} {'wrong':>7} {'abstained':>9}"]
    by_set: dict[str, list[str]] = {}
    for row in rows:
        by_set.setdefault(row.set, []).append(row.outcome)
    for name, found in by_set.items():
        shares = [found.count(kind) / len(found) for kind in ("right", "wrong", "abstained")]
        lines.append(f"{name:34} {len(found):6} {shares[0]:7.1%} {shares[1]:7.2%} {shares[2]:9.1%}")
    return "\n".join(lines)


def reliability(rows: Sequence[Row]) -> str:
    """How often the likeliest answer was right, by how likely it was said to be."""
    lines = [f"{'said':>12} {'cards':>6} {'mean said':>9} {'was right':>9}"]
    for low, high in pairwise(_BINS):
        inside = [row for row in rows if low <= row.chance < high]
        if inside:
            said, hit = np.mean([r.chance for r in inside]), np.mean([r.hit for r in inside])
            lines.append(f"{low:5.2f}–{min(high, 1):5.2f} {len(inside):7} {said:9.1%} {hit:9.1%}")
    return "\n".join(lines)


def write(rows: Sequence[Row], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(asdict(rows[0])))
        table.writeheader()
        table.writerows(asdict(row) for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.evaluation.reading", description=__doc__)
    parser.add_argument("--stills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=901)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--models", type=Path, help="folder of another manifest.toml and reader.onnx")
    given = parser.parse_args()
    reader = CardReader(*(load(name, folder=given.models) for name in READING))
    rows = rendered_rows(reader, list(rendered_cards("test", given.seed, given.stills)))
    write(rows, given.results / "reading_renders.csv")
    tell(summary(rows))
    tell("\nmiddle or a corner with a figure not covered:\n" + summary(row for row in rows if row.in_sight))
    whole = [row for row in rows if row.visible >= 0.9 and row.height >= 60]
    tell("\nat least 90% visible and 60 pixels high:\n" + summary(whole))
    for name in dict.fromkeys(row.set for row in rows):
        tell(f"\n{name}, reliability:\n" + reliability([row for row in rows if row.set == name]))
    if not (PHOTOS / "labels.jsonl").exists():
        tell(f"\nreal photos skipped: there is no {PHOTOS.name}/labels.jsonl beside the project")
        return
    real = photo_rows(reader)
    write(real, given.results / "reading_photos.csv")
    tell("\n" + summary(real))
    numbers = [row for row in real if "no number" not in row.set]
    tell(summary([Row(**{**asdict(row), "set": "all real number cards"}) for row in numbers]))
    tell("\nreal number cards, reliability:\n" + reliability(numbers))


def tell(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
