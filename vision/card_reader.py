"""Reads cards that were found: side, number, colour and design, or `?` where a person would guess too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, Look
from referee.cards import UNKNOWN, Colour, Face, face, parse_face
from vision.onnx_model import OnnxModel, load
from vision.reading.answers import NUMBERS, SIDES
from vision.reading.back_groups import groups
from vision.reading.corner_figures import corner_evidence, corner_shares
from vision.reading.corner_windows import corner_windows
from vision.reading.crops import Picture, Quad, cut_out, lies_either_way, light_of, upright_quad
from vision.reading.deck_match import back_shares, colour_index, face_shares, number_index, with_sides_of
from vision.reading.looking import Looks, Net, look, other_views, pooled
from vision.reading.measured import Measured

_GUESSES = 5
_PLAIN = 0.98  # a number as sure as that needs no corner to confirm it
_SMALLEST = 16.0  # square pixels: less is no card
_COLOURS, _COUNT = len(Colour), len(NUMBERS) - 1


@dataclass(frozen=True)
class CardReading:
    """What a card was read as; guesses are the likeliest first, with honest probabilities."""

    side: str  # face, back or none
    face: Face = UNKNOWN
    face_guesses: tuple[tuple[Face, float], ...] = ()
    back: str | None = None
    back_guesses: tuple[tuple[str, float], ...] = ()
    confidence: float = 0.0
    sure_of_side: bool = False
    upright: bool | None = None  # whether the quad starts at the card's own top left
    group: int | None = None  # backs of one design in one picture share a number
    no_card: float = 0.0  # the chance that the crop shows none


class CardReader:
    """The reading net with what was measured about it."""

    def __init__(
        self, model: Net | None = None, corner: OnnxModel | None = None, twin: OnnxModel | None = None
    ) -> None:
        """The nets that ship, or others; then, without one for corners, whole cards alone are read, and
        without one for twins enrolled designs are compared by their cells alone.
        """
        ships = model is None
        self._net: Net = load("reader") if model is None else model
        self._corner = load("corner") if ships and corner is None else corner
        self.twin = load("twin") if ships and twin is None else twin
        self.measured = Measured.of(self._net.about)

    @property
    def model_hash(self) -> str:
        return str(self._net.about["sha256"])

    def read(
        self, picture: Picture, quads: Sequence[Quad], deck: EnrolledDeck | None = None
    ) -> list[CardReading]:
        """One reading per quad, in their order."""
        corners = [upright_quad(quad) for quad in quads]
        whole = [i for i, quad in enumerate(corners) if cv2.contourArea(quad) >= _SMALLEST]
        readings = [CardReading("none", no_card=1.0)] * len(quads)
        if whole:
            light = light_of(picture)
            looks = self._look_at(picture, [corners[i] for i in whole], light, deck)
            for i, reading in zip(whole, self.judge(looks, deck), strict=True):
                readings[i] = reading
        return readings

    def crops(self, picture: Picture, quads: Sequence[Quad]) -> NDArray[np.uint8]:
        """The cards cut out, as enrolment wants them."""
        return np.stack([cut_out(picture, upright_quad(quad)) for quad in quads])

    def look(self, crops: NDArray[np.uint8], light: NDArray[np.float32]) -> Look:
        """What enrolment needs to know of crops."""
        seen = self.first_look(crops, light)
        parts = (seen.embedding, seen.number, seen.colour)
        return Look(*(part.astype(np.float32) for part in parts))

    def looks(self, crops: NDArray[np.uint8], light: NDArray[np.float32]) -> Looks:
        """The net's answers; crops it is unsure of are looked at again, upside down and closer."""
        first = self.first_look(crops, light)
        doubtful = np.flatnonzero(self._doubtful(first))
        if not len(doubtful):
            return first
        again = self.looks_again(crops[doubtful], light[doubtful], first[doubtful])
        return first.replaced(doubtful, again)

    def first_look(self, crops: NDArray[np.uint8], light: NDArray[np.float32]) -> Looks:
        return look(self._net, self.measured, crops, light)

    def looks_again(self, crops: NDArray[np.uint8], light: NDArray[np.float32], first: Looks) -> Looks:
        """Three more looks at every crop, pooled with the first."""
        views = other_views(crops)
        turned, near, both = (look(self._net, self.measured, view, light) for view in views)
        return pooled((first, turned.turned(), near, both.turned()), self.measured.sharper)

    def with_corners(
        self,
        looks: Looks,
        windows: Callable[[NDArray[np.intp]], NDArray[np.uint8]],
        deck: EnrolledDeck | None = None,
    ) -> Looks:
        """The same looks; where the number is in doubt, the corners are read, cut out by `windows`.

        What is a face is known better with the deck: the net may take an odd face for a back.
        """
        if self._corner is None or self.measured.corner is None:
            return looks
        sided = looks if deck is None else with_sides_of(looks, deck, self.measured.weight)
        doubtful = np.flatnonzero(number_is_open(sided))
        if not len(doubtful):
            return looks
        said = corner_evidence(corner_shares(self._corner, windows(doubtful)), self.measured.corner)
        return looks.replaced(doubtful, replace(looks[doubtful], corners=said))

    def judge(self, looks: Looks, deck: EnrolledDeck | None) -> list[CardReading]:
        """Readings of the cards of one picture; everything below the measured confidence is `?`."""
        if deck is not None:
            looks = with_sides_of(looks, deck, self.measured.weight)
        by_face = looks.numbers[:, :, None] * looks.colour[:, None, :]
        limits = (self.measured.number, self.measured.colour)
        if deck is not None and deck.faces:
            faces = np.flatnonzero(looks.side.argmax(axis=1) == SIDES.index("face"))
            by_face[faces] = _on_grid(face_shares(looks[faces], deck, self.measured, self.twin), deck)
            limits = (self.measured.enrolled_number, self.measured.enrolled_colour)
        readings = [self._face_or_none(looks, i, by_face[i], limits) for i in range(len(by_face))]
        backs = np.array([i for i, reading in enumerate(readings) if reading.side == "back"], np.intp)
        if len(backs):
            for i, reading in zip(backs, self._backs(looks[backs], deck), strict=True):
                known = readings[i]
                readings[i] = replace(
                    reading, sure_of_side=known.sure_of_side, upright=known.upright, no_card=known.no_card
                )
        return readings

    def _look_at(
        self, picture: Picture, corners: list[Quad], light: NDArray[np.float32], deck: EnrolledDeck | None
    ) -> Looks:
        crops = np.stack([cut_out(picture, quad) for quad in corners])
        looks = self.looks(crops, np.tile(light, (len(crops), 1)))
        looks = self.with_corners(
            looks, lambda rows: corner_windows(picture, [corners[i] for i in rows]), deck
        )
        unclear = np.array([i for i, quad in enumerate(corners) if lies_either_way(quad)], np.intp)
        if not len(unclear):
            return looks
        across = np.stack([cut_out(picture, np.roll(corners[i], -1, axis=0)) for i in unclear])
        other = self.looks(across, np.tile(light, (len(across), 1)))
        better = np.flatnonzero(other.no_card < looks[unclear].no_card)
        return looks.replaced(unclear[better], other[better])

    def _doubtful(self, looks: Looks) -> NDArray[np.bool_]:
        sure = (
            (looks.number.max(axis=1) > 0.5 + self.measured.number / 2)
            & (looks.colour.max(axis=1) > 0.5 + self.measured.colour / 2)
            & (looks.side.max(axis=1) > 0.9)
        )
        return np.asarray(~sure & (looks.side.argmax(axis=1) == SIDES.index("face")))

    def _face_or_none(
        self, looks: Looks, i: int, shares: NDArray[np.float64], limits: tuple[float, float]
    ) -> CardReading:
        """Shares are numbers × colours, the last of each being anything else."""
        side = SIDES[int(looks.side[i].argmax())]
        sure = float(looks.side[i].max())
        up = float(looks.upright[i])
        upright = True if up >= self.measured.upright else False if up <= 1 - self.measured.upright else None
        clear, none = sure >= self.measured.side, float(looks.no_card[i])
        if side != "face":
            return CardReading(side, confidence=sure, sure_of_side=clear, upright=upright, no_card=none)
        number, colour = shares.sum(axis=1), shares.sum(axis=0)
        best_number, best_colour = int(number.argmax()), int(colour.argmax())
        known_number = best_number < _COUNT and number[best_number] >= limits[0]
        known_colour = best_colour < _COLOURS and colour[best_colour] >= limits[1]
        read = face(Colour(best_colour) if known_colour else None, best_number if known_number else None)
        chance = (
            shares[best_number, best_colour]
            if known_number and known_colour
            else number[best_number]
            if known_number
            else colour[best_colour]
            if known_colour
            else shares.max()
        )
        return CardReading(
            "face",
            read,
            _guesses(shares),
            confidence=float(chance) * sure,
            sure_of_side=clear,
            upright=upright,
            no_card=none,
        )

    def _backs(self, looks: Looks, deck: EnrolledDeck | None) -> list[CardReading]:
        sure = looks.side.max(axis=1)
        if deck is None or not deck.backs:
            numbers = groups(looks.embedding, self.measured.same_back)
            return [
                CardReading("back", confidence=float(part), group=number)
                for part, number in zip(sure, numbers, strict=True)
            ]
        shares = back_shares(looks, deck, self.measured, self.twin)
        readings = []
        for share, part in zip(shares, sure, strict=True):
            order = np.argsort(-share)[:_GUESSES]
            guesses = tuple((deck.backs[j].name, float(share[j])) for j in order)
            known = guesses[0][1] >= self.measured.enrolled_back
            name = guesses[0][0] if known else None
            chance = guesses[0][1] * float(part)
            readings.append(CardReading("back", back=name, back_guesses=guesses, confidence=chance))
        return readings


def number_is_open(looks: Looks) -> NDArray[np.bool_]:
    """Which cards are faces whose corners are worth a look."""
    faces = looks.side.argmax(axis=1) == SIDES.index("face")
    return np.asarray(faces & (looks.number.max(axis=1) < _PLAIN))


def _guesses(shares: NDArray[np.float64]) -> tuple[tuple[Face, float], ...]:
    order = np.argsort(-shares, axis=None)[:_GUESSES]
    made: dict[Face, float] = {}
    for flat in order:
        number, colour = divmod(int(flat), shares.shape[1])
        guess = face(Colour(colour) if colour < _COLOURS else None, number if number < _COUNT else None)
        made[guess] = made.get(guess, 0.0) + float(shares[number, colour])
    return tuple(made.items())


def _on_grid(shares: NDArray[np.float64], deck: EnrolledDeck) -> NDArray[np.float64]:
    """Shares of the deck's faces on the grid of numbers and colours."""
    grid = np.zeros((len(shares), _COUNT + 1, _COLOURS + 1))
    for j, design in enumerate(deck.faces):
        known = parse_face(design.name)
        grid[:, number_index(known), colour_index(known)] += shares[:, j]
    return grid
