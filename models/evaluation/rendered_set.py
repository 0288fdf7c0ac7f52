"""Rendered stills of decks and tables no training saw, found and read end to end, and by their true corners.

Two sets: stills of games, and stills of the kind that nets learn from (`renders`).

A card is asked for where at least SEEN_ENOUGH of what the frame holds of it is visible, the frame cuts off
MOST_CUT_OFF of it at most, and its long side is at least SMALLEST pixels. Whatever is found on a card that is
not asked for is neither right nor false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from finito.virtual_table.scene import CardTruth, Rendered
from finito.virtual_table.stills import still
from models.evaluation.eyes import Enrolment, Eyes
from models.evaluation.finding_truth import SEEN_ENOUGH, Judged, corner_error, judged
from models.evaluation.picture_rows import PictureRow, Stage, picture_row
from models.evaluation.reading import Row, Seen, back_row, face_row
from models.evaluation.reading_sets import in_sight
from referee.cards import UNKNOWN
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.table_reader import SeenCard

GAMES: Final = "games"
RENDERS: Final = "renders"
ENROLLED: Final = ", enrolled"
BACKS: Final = ", backs"
MOST_CUT_OFF: Final = 0.5
SMALLEST: Final = 30.0
_SIZES: Final = ((1920, 1080), (1280, 720), (960, 540), (1024, 768), (768, 1024))
_FRESH: Final = 12  # after so many stills all decks are new: a few odd decks must not decide a figure


@dataclass(frozen=True, eq=False)
class JudgedStill:
    """A still with its rows; for a picture of it, what was asked, what was seen, and what of both is bad."""

    rendered: Rendered
    asked: list[NDArray[np.float32]]
    seen: list[NDArray[np.float32]]
    bad: list[NDArray[np.float32]]
    pictures: list[PictureRow]
    cards: list[Row]


def rendered_stills(stills: int, seed: int) -> Iterator[tuple[str, Rendered]]:
    """The same seed, the same stills."""
    for index in range(stills):
        size = _SIZES[index % len(_SIZES)]
        yield f"test-{seed}-{index}", still(seed * 1000 + index // _FRESH, "test", size, index % _FRESH)


def judged_stills(
    eyes: Eyes, name: str, stills: Iterable[tuple[str, Rendered]]
) -> Iterator[tuple[JudgedStill, Enrolment]]:
    """Every still of a set, read without a deck and with its deck enrolled."""
    decks: dict[str, Enrolment] = {}
    for picture, rendered in stills:
        if rendered.deck not in decks:
            decks = dict([*decks.items()][-_FRESH:])
            decks[rendered.deck] = eyes.enrol(rendered.deck)
        enrolment = decks[rendered.deck]
        yield judged_still(eyes, (name, picture), rendered, enrolment.deck), enrolment


def judged_still(eyes: Eyes, place: tuple[str, str], rendered: Rendered, deck: EnrolledDeck) -> JudgedStill:
    """`place` is the name of the set and of the picture."""
    asked = [card for card in rendered.cards if is_asked(card)]
    excused = [_quad(card) for card in rendered.cards if card.visible > 0 and not is_asked(card)]
    quads = [_quad(card) for card in asked]
    sights = [_sight(card, rendered) for card in asked]
    found, finding = eyes.find(rendered.picture)
    alone = judged(quads, excused, found)
    pictures, cards = [], list[Row]()
    seen, both = list[SeenCard](), alone
    name, picture = place
    for label, with_deck in ((name, None), (name + ENROLLED, deck)):
        seen, reading = eyes.read(rendered.picture, found, with_deck)
        both = judged(quads, excused, seen)
        stages = (_stage(found, alone), _stage(seen, both))
        errors = [corner_error(quads[t], seen[f].corners) for t, f in both.pairs]
        named = sum(_is_named(seen[f].reading) for f in both.false)
        spot = (label, picture, "outline")
        pictures.append(picture_row(spot, len(asked), stages, named, errors, (finding, reading)))
        read_as = {t: seen[f].reading for t, f in both.pairs}
        labelled = eyes.reader.read(rendered.picture, [_either_way(card) for card in asked], with_deck)
        for i, card in enumerate(asked):
            cards += _rows(
                label, picture, card, sights[i], {"labelled": labelled[i], "found": read_as.get(i)}
            )
    outlines = [card.corners for card in seen]
    return JudgedStill(rendered, quads, outlines, _bad(quads, outlines, both), pictures, cards)


def _bad(
    asked: list[NDArray[np.float32]], seen: list[NDArray[np.float32]], result: Judged
) -> list[NDArray[np.float32]]:
    """What was missed, and what is no card."""
    hit = {t for t, _ in result.pairs}
    return [quad for i, quad in enumerate(asked) if i not in hit] + [seen[f] for f in result.false]


def is_asked(card: CardTruth) -> bool:
    return card.visible >= SEEN_ENOUGH and card.cut_off <= MOST_CUT_OFF and max(_sides(card)) >= SMALLEST


def _quad(card: CardTruth) -> NDArray[np.float32]:
    return np.asarray(card.corners, np.float32)


def _either_way(card: CardTruth) -> NDArray[np.float32]:
    """The true corners as a finder gives them: not always from the card's own top."""
    return np.roll(_quad(card), 2 * (card.number % 2), axis=0)


def _sides(card: CardTruth) -> NDArray[np.float32]:
    quad = _quad(card)
    return np.asarray(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1), np.float32)


def _sight(card: CardTruth, rendered: Rendered) -> Seen:
    tall = float(_sides(card)[[1, 3]].mean())
    return round(card.visible, 2), round(tall), in_sight(rendered.ids == card.number, _quad(card))


def _stage(found: Sequence[FoundCard | SeenCard], result: Judged) -> Stage:
    return Stage(len(found), len(result.pairs), len(result.false))


def _is_named(reading: CardReading) -> bool:
    return reading.back is not None or (reading.side == "face" and reading.face is not UNKNOWN)


def _rows(
    label: str, picture: str, card: CardTruth, sight: Seen, readings: dict[str, CardReading | None]
) -> Iterator[Row]:
    """A row per kind of corners; none for faces that have no colour of ours."""
    if card.side == "face" and card.face[0] not in "RYGB":
        return
    name = label if card.side == "face" else label + BACKS
    enrolled = label.endswith(ENROLLED)
    truth = card.face if card.side == "face" else card.back if enrolled else "back"
    for quads, reading in readings.items():
        if reading is None:
            row = Row(name, picture, truth, "", "", 0.0, *sight, "missed")
        elif card.side == "face":
            row = face_row(name, picture, truth, reading, sight)
        elif enrolled:
            row = back_row(name, picture, truth, reading, sight)
        else:
            row = _unnamed_back_row(name, picture, reading, sight)
        yield replace(row, quads=quads)


def _unnamed_back_row(name: str, picture: str, reading: CardReading, sight: Seen) -> Row:
    """Without a deck a back has no name; it is wrong to take it for a face."""
    read = str(reading.face) if reading.side == "face" else reading.side
    stated = reading.side == "face" and (reading.sure_of_side or reading.face is not UNKNOWN)
    verdict = "wrong" if stated else "right" if reading.side == "back" else "abstained"
    return Row(name, picture, "back", read, reading.side, round(reading.confidence, 4), *sight, verdict)
