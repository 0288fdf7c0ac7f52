"""How good the eyes are, stage by stage: `python models/evaluate.py`.

Sets:
  games     stills of simulated games between the deal and the last card: decks, tables, lamps and cameras no
            training saw, found and read end to end with the finder's own outlines; nobody's deck enrolled,
            then each deck enrolled from two rendered photos
  renders   the same on stills of the kind that nets learn from, which are wider than life: crossing rows,
            heaps, lamps that burn cards out, figures that are hidden, backs that hardly differ
  photos    strangers' photos, where they are beside the project
  counting  rendered photos of 20 to 60 backs, spread or fanned
  baseline  (--baseline) the photos once more, beside contours with a text reader, and SIFT with an album

One CSV per set and per picture or card, the summary (named after the sets, if not all were asked for), the
worst stills and a reliability plot go to --results. The worst real photos go to --sheets only: they are
other people's and stay out of the project.

What counts. Finding: a card is asked for if at least 35% of it is visible, the frame cuts off at most half of
it and its long side is 30 pixels or more; it is found if an outline overlaps it by half (intersection over
union), one outline per card. An outline on a card that is not asked for is neither right nor false. Reading:
`right` is all of the answer, `wrong` is anything stated that is false, `abstained` is the rest. It is given
for the cards that were found, beside the same reader on labelled outlines.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import platformdirs

from finito.errors import BadInput
from finito.virtual_table.scene import Rendered
from models.evaluation import counting
from models.evaluation.baseline import TextReader
from models.evaluation.baseline_set import BaselineRow, baseline_lines, baseline_rows, baseline_table
from models.evaluation.contact_sheet import ContactSheet
from models.evaluation.eyes import Eyes
from models.evaluation.floors import Line, counting_lines, photo_lines, rendered_lines, table
from models.evaluation.game_stills import game_stills
from models.evaluation.photo_set import judged_photos
from models.evaluation.picture_rows import PictureRow, written
from models.evaluation.reading import Row, reliability
from models.evaluation.reliability import write_plot
from models.evaluation.rendered_set import BACKS, ENROLLED, GAMES, RENDERS, judged_stills, rendered_stills
from models.evaluation.stages import finding_table, reading_table, seeing_table
from vision.errors import VisionError

ROOT: Final = Path(__file__).resolve().parents[1]
PHOTOS: Final = ROOT.parent / "shared" / "photos"
SETS: Final = ("games", "renders", "photos", "counting")
SEED: Final = 5150
_EVERY: Final = 10.0  # seconds between words of progress
T = TypeVar("T")


@dataclass
class Report:
    """What is said at the end."""

    lines: list[Line] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    sure: dict[str, Sequence[Row]] = field(default_factory=dict)  # for the reliability of each set

    def text(self) -> str:
        tables = [
            f"{name}, reliability:\n{reliability([row for row in rows if row.outcome != 'missed'])}"
            for name, rows in self.sure.items()
        ]
        return "\n\n".join([*self.parts, *tables, table(self.lines)]) + "\n"


def evaluate_games(eyes: Eyes, given: argparse.Namespace, report: Report) -> None:
    evaluate_stills(eyes, given, report, GAMES, game_stills(given.stills, given.seed))


def evaluate_renders(eyes: Eyes, given: argparse.Namespace, report: Report) -> None:
    evaluate_stills(eyes, given, report, RENDERS, rendered_stills(given.stills, given.seed))


def evaluate_stills(
    eyes: Eyes, given: argparse.Namespace, report: Report, name: str, stills: Iterable[tuple[str, Rendered]]
) -> None:
    pictures: list[PictureRow] = []
    cards: list[Row] = []
    sheet = ContactSheet()
    missing: dict[str, int] = {}
    for judged, enrolment in told(name, judged_stills(eyes, name, stills), given.stills):
        pictures += judged.pictures
        cards += judged.cards
        missing[enrolment.deck.name] = enrolment.missed
        row = judged.pictures[-1]
        wrong = sum(card.outcome == "wrong" and card.quads == "found" for card in judged.cards)
        caption = f"{row.picture}: {row.cards} cards, {row.met} met, {row.false} false, {wrong} wrong"
        badness = row.cards - row.met + row.false + wrong
        sheet.offer(badness, judged.rendered.picture, judged.asked, judged.seen, judged.bad, caption)
    for file, label in ((name, name), (f"{name}_enrolled", name + ENROLLED)):
        own = [row for row in cards if row.set in (label, label + BACKS)]
        write_set(given.results, file, [row for row in pictures if row.set == label], own)
        report.sure[label] = [row for row in own if row.quads == "found" and row.set == label]
    sheet.write(given.results / f"worst_{name}.jpg")
    whole = sum(missed == 0 for missed in missing.values())
    enrolled = (name + ENROLLED, name + ENROLLED + BACKS)
    report.parts += [
        finding_table(pictures),
        reading_table(cards),
        "the same cards, those whose figure is in sight:\n"
        + reading_table([row for row in cards if row.in_sight]),
        "enrolled, by how well a card can be seen:\n"
        + seeing_table([row for row in cards if row.set in enrolled]),
        f"decks enrolled from two photos: {len(missing)}, every card of both found: {whole}",
    ]
    report.lines += rendered_lines(name, pictures, cards)


def evaluate_photos(eyes: Eyes, given: argparse.Namespace, report: Report) -> None:
    if not (given.photos / "labels.jsonl").exists():
        say(f"photos skipped: there is no {given.photos.name}/labels.jsonl beside the project")
        return
    pictures: list[PictureRow] = []
    cards: list[Row] = []
    sheet = ContactSheet(24)
    for judged in told("photos", judged_photos(eyes, given.photos)):
        pictures += judged.pictures
        cards += judged.cards
        wrong = sum(card.outcome == "wrong" and card.quads == "found" for card in judged.cards)
        for row in judged.pictures:
            caption = f"{row.picture}: {row.cards} cards, {row.met} met, {row.false} false, {wrong} wrong"
            badness = row.cards - row.met + row.false + wrong
            sheet.offer(badness, judged.photo.picture, judged.asked, judged.seen, judged.bad, caption)
    write_set(given.results, "photos", pictures, cards)
    if sheet.write(given.sheets / "worst_photos.jpg"):
        say(f"the worst photos are in {given.sheets / 'worst_photos.jpg'}")
    report.sure["photos"] = [row for row in cards if row.quads == "found"]
    by_folder = sorted(pictures, key=lambda row: row.set), sorted(cards, key=lambda row: row.set)
    report.parts += [finding_table(by_folder[0]), reading_table(by_folder[1])]
    report.lines += photo_lines(pictures, cards)


def evaluate_counting(eyes: Eyes, given: argparse.Namespace, report: Report) -> None:
    made = told("counting", counting.rows(given.counts, given.seed, eyes), given.counts)
    rows = written(given.results / "counting.csv", counting.Row, made)
    report.parts.append(counting.summary(rows))
    report.lines += counting_lines(rows)


def compare_baseline(eyes: Eyes, reader: TextReader, given: argparse.Namespace, report: Report) -> None:
    if not (given.photos / "labels.jsonl").exists():
        say(f"baseline skipped: there is no {given.photos.name}/labels.jsonl beside the project")
        return
    made = told("baseline", baseline_rows(eyes, reader, given.photos, given.most))
    rows = written(given.results / "baseline.csv", BaselineRow, made)
    report.parts.append(baseline_table(rows))
    report.lines += baseline_lines(rows)


def write_set(results: Path, name: str, pictures: Sequence[PictureRow], cards: Sequence[Row]) -> None:
    written(results / f"{name}_pictures.csv", PictureRow, pictures)
    written(results / f"{name}_cards.csv", Row, cards)


def told(name: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
    """The items, with a word now and then on how far it is."""
    started = spoken = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        now = time.monotonic()
        if now - spoken > _EVERY or number == total:
            say(f"{name}: {number}{f' of {total}' if total else ''}, {now - started:.0f} s")
            spoken = now


def say(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python models/evaluate.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sets", default=",".join(SETS), help="which of the sets, with commas between")
    parser.add_argument("--stills", type=int, default=300, help="rendered stills")
    parser.add_argument("--counts", type=int, default=120, help="rendered photos of backs to count")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed, other decks and tables")
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="folder of real photos and labels.jsonl")
    parser.add_argument("--results", type=Path, default=ROOT / "models" / "results")
    parser.add_argument("--sheets", type=Path, default=platformdirs.user_cache_path("finito") / "evaluation")
    parser.add_argument("--baseline", action="store_true", help="compare with what an afternoon gives")
    parser.add_argument("--most", type=int, default=1000, help="photos of a folder for --baseline")
    parser.add_argument("--finder", type=Path, help="folder of another finder and its manifest.toml")
    parser.add_argument("--second-look", type=Path, help="folder of another second look, likewise")
    parser.add_argument("--reader", type=Path, help="folder of another reader and its manifest.toml")
    given = parser.parse_args(words)
    given.sets = [name for name in given.sets.split(",") if name]
    if not set(given.sets) <= set(SETS):
        parser.error(f"--sets takes {', '.join(SETS)}")
    if given.stills < 1 or given.counts < 1:
        parser.error("--stills and --counts take 1 or more")
    if given.sheets.resolve().is_relative_to(ROOT):
        raise BadInput(
            f"--sheets {given.sheets} is inside the project, and real photos stay out of it: "
            "give a folder elsewhere."
        )
    return given


def evaluate(given: argparse.Namespace) -> Report:
    text_reader = TextReader() if given.baseline else None  # if it is missing, that is said at once
    folders = {"finder": given.finder, "second_look": given.second_look, "reader": given.reader}
    eyes = Eyes.opened(folders)
    report = Report()
    measures = (evaluate_games, evaluate_renders, evaluate_photos, evaluate_counting)
    for name, measure in zip(SETS, measures, strict=True):
        if name in given.sets:
            measure(eyes, given, report)
    if text_reader:
        compare_baseline(eyes, text_reader, given, report)
    if report.sure:
        write_plot(report.sure, given.results / "reliability.png")
    given.results.mkdir(parents=True, exist_ok=True)
    sizes = f"--stills {given.stills} --counts {given.counts} --seed {given.seed}"
    asked = f"--sets {','.join(given.sets)} {sizes}"
    text = f"python models/evaluate.py {asked}\n\n{report.text()}"
    whole = set(given.sets) == set(SETS)
    name = "summary.txt" if whole else f"summary_{'_'.join(given.sets)}.txt"
    (given.results / name).write_text(text, encoding="utf-8")
    return report


def main(words: Sequence[str] | None = None) -> int:
    try:
        sys.stdout.write(evaluate(arguments(words)).text())
    except (BadInput, VisionError) as problem:
        say(str(problem))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
