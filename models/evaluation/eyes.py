"""Finder and reader as they work together, with a watch beside them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.deck_enrolment import EnrolledDeck, enrol
from finito.virtual_table.scene import Rendered
from models.evaluation.finding_truth import met
from models.evaluation.reading_sets import Crops, deck_called, enrolment_photos
from vision.card_finder import CardFinder, FoundCard
from vision.card_reader import CardReader
from vision.finding.second_look import SecondLook
from vision.frame import Picture
from vision.laid_apart import congruent
from vision.onnx_model import OnnxModel, load
from vision.reading.crops import cut_out, light_of, upright_quad
from vision.table_reader import LEAST_WORTH_READING, SeenCard, TableReader

READING = ("reader", "corner", "twin")


@dataclass(frozen=True)
class Enrolment:
    """A deck learnt from two photos, and how many of their cards the finder missed."""

    deck: EnrolledDeck
    missed: int


@dataclass(frozen=True)
class Eyes:
    """Both nets, and how long they took."""

    net: OnnxModel
    finder: CardFinder
    reader: CardReader

    @classmethod
    def opened(cls, folders: Mapping[str, Path | None]) -> Eyes:
        """The nets that ship, but for those that another folder is given for."""
        net = load("finder", folder=folders.get("finder"))
        second = SecondLook(load("second_look", folder=folders.get("second_look")))
        finder = CardFinder(net, least_score=LEAST_WORTH_READING, one_size=False, second=second)
        reader = CardReader(*(load(name, folder=folders.get("reader")) for name in READING))
        return cls(net, finder, reader)

    def find(self, picture: Picture) -> tuple[list[FoundCard], float]:
        started = time.perf_counter()
        found = self.finder.find(picture)
        return found, time.perf_counter() - started

    def read(
        self, picture: Picture, found: list[FoundCard], deck: EnrolledDeck | None = None
    ) -> tuple[list[SeenCard], float]:
        """What is reported of the found cards: those that the reader takes for cards, read."""
        started = time.perf_counter()
        seen = TableReader(self.finder, self.reader, self.reader.measured.card_or_not).read_found(
            picture, found, deck
        )
        return seen, time.perf_counter() - started

    def enrol(self, name: str) -> Enrolment:
        """The deck as a user would have it: cut from two rendered photos by the finder's own outlines.

        A card the finder misses is cut by its true corners: a user would take the photo again.
        """
        cut = [self._cut(photo) for photo in enrolment_photos(name)]
        (faces, _), (backs, _) = cut
        wide, tall = deck_called(name).card_mm
        look, model = self.reader.look, self.reader.model_hash
        deck = enrol(name, "espresso", faces, backs, look, model, wide / tall)
        return Enrolment(deck, sum(missed for _, missed in cut))

    def _cut(self, photo: Rendered) -> tuple[Crops, int]:
        quads = [np.asarray(card.corners, np.float32) for card in photo.cards]
        found = self.finder.find(photo.picture)
        apart = congruent(photo.picture, self.net, found)
        found = [FoundCard(quad, 1.0, 1.0) for quad in apart] or found
        pairs = met(quads, found).pairs
        for truth, index, _ in pairs:
            outline = upright_quad(found[index].corners)
            turned = np.roll(outline, 2, axis=0)  # enrolment photos show cards upright
            quads[truth] = min(outline, turned, key=lambda quad: float(np.abs(quad - quads[truth]).sum()))
        light = light_of(photo.picture)
        cards = zip(photo.cards, quads, strict=True)
        crops = {card.card.name: (cut_out(photo.picture, quad), light) for card, quad in cards}
        return crops, len(quads) - len(pairs)
