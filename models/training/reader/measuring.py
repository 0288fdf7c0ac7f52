"""Measures on validation renders what makes the answers honest: temperatures, weights and thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax

from models.evaluation.reading_sets import ShownCard, looks_at, stacked
from models.training.reader.card_bank import face_labels
from models.training.reader.deck_measuring import with_decks
from models.training.reader.limits import WRONG, threshold
from models.training.reader.verifying import card_or_not
from vision.card_reader import CardReader, number_is_open
from vision.onnx_model import OnnxModel, load
from vision.reading.answers import SIDES
from vision.reading.corner_figures import corner_evidence, corner_shares, with_corners
from vision.reading.looking import Looks

UNMEASURED: Mapping[str, object] = {
    "temperature": {"side": 1.0, "upright": 1.0, "number": 1.0, "colour": 1.0},
    "sharper": {"number": 1.0, "colour": 1.0},
    "answers_from": {"side": 0.9, "number": 0.9, "colour": 0.9, "upright": 0.9},
    "enrolled": {
        "weight": {"embedding": 20.0, "number": 0.5, "colour": 0.5, "back": 30.0, "side": 10.0},
        "number": 0.9,
        "colour": 0.9,
        "back": 0.9,
    },
    "same_back": 0.7,
    "card_or_not": (0.0, 1.0, 1.0, 0.0),
}
Floats = NDArray[np.float64]


def measure(content: bytes, sha256: str, cards: Sequence[ShownCard], seed: int) -> dict[str, object]:
    """The tables of the manifest that follow from validation cards."""
    about: dict[str, object] = {**UNMEASURED, "sha256": sha256}
    about["temperature"] = temperatures(OnnxModel(content, about), cards)
    about["sharper"] = _sharper(CardReader(OnnxModel(content, about)), cards)
    corner = load("corner")
    about["corner"] = trust_in_corners(CardReader(OnnxModel(content, about)), corner, cards)
    reader = CardReader(OnnxModel(content, about), corner, load("twin"))
    looks = looks_at(reader, cards)
    faces = np.array([i for i, card in enumerate(cards) if card.is_number], np.intp)
    labels = np.array([face_labels(cards[i].name) for i in faces])
    number, colour = looks.numbers[faces], looks.colour[faces]
    limits = thresholds(number[:, :-1], colour[:, :-1], labels[:, 1], labels[:, 0])
    sides = [SIDES.index(card.side) for card in cards]
    side = threshold(list(looks.side), sides)
    about["answers_from"] = {"side": side, "number": limits[0], "colour": limits[1], "upright": 0.9}
    about["enrolled"] = with_decks(reader, looks, cards)
    about["same_back"] = _same_back(looks, cards)
    about["card_or_not"] = card_or_not(CardReader(OnnxModel(content, about), corner), seed)
    about.pop("sha256")
    return about


def trust_in_corners(reader: CardReader, corner: OnnxModel, cards: Sequence[ShownCard]) -> list[float]:
    """How much the figures in corners say beside the reader; fitted to the faces whose corners are read."""
    numbered = [card for card in cards if card.is_number]
    looks = reader.looks(*stacked(numbered))
    asked = np.flatnonzero(number_is_open(looks))
    number = looks.number[asked]
    shares = corner_shares(corner, np.stack([numbered[i].corners for i in asked]))
    truth = np.array([face_labels(numbered[i].name)[1] for i in asked])

    def surprise(logs: Floats) -> float:
        trust = (float(np.exp(logs[0])), float(np.exp(logs[1])))
        said = with_corners(number, corner_evidence(shares, trust))
        return float(-np.log(said[np.arange(len(truth)), truth] + 1e-9).mean())

    start = np.log([0.1, 0.7])
    return [float(value) for value in np.exp(minimize(surprise, start, method="Nelder-Mead").x)]


def _sharper(reader: CardReader, cards: Sequence[ShownCard]) -> dict[str, float]:
    """How much surer the answers may be where four looks agree."""
    crops, light = stacked([card for card in cards if card.is_number])
    labels = np.array([face_labels(card.name) for card in cards if card.is_number])
    doubted = reader.looks_again(crops, light, reader.first_look(crops, light))
    return {
        "number": 1 / temperature_of(np.log(doubted.number + 1e-12), labels[:, 1]),
        "colour": 1 / temperature_of(np.log(doubted.colour + 1e-12), labels[:, 0]),
    }


def temperatures(model: OnnxModel, cards: Sequence[ShownCard]) -> dict[str, float]:
    """The temperature of each head at which its probabilities fit what happened best."""
    crops, light = stacked(cards)
    side, _, number, colour, _ = model(crops.transpose(0, 3, 1, 2).astype(np.float32), light)
    labels = np.array([face_labels(c.name) if c.side == "face" else (-1, -1) for c in cards])
    sides = np.array([SIDES.index(c.side) for c in cards])
    known = labels[:, 0] >= 0
    return {
        "side": temperature_of(side, sides),
        "upright": 1.0,
        "number": temperature_of(number[known], labels[known, 1]),
        "colour": temperature_of(colour[known], labels[known, 0]),
    }


def temperature_of(logits: NDArray[np.floating], truth: NDArray[np.int_]) -> float:
    def surprise(log_heat: float) -> float:
        logs = log_softmax(logits.astype(np.float64) / np.exp(log_heat), axis=1)
        return float(-logs[np.arange(len(truth)), truth].mean())

    return float(np.exp(minimize_scalar(surprise, bounds=(-1.5, 1.5), method="bounded").x))


def thresholds(
    number: Floats, colour: Floats, numbers: NDArray[np.int_], colours: NDArray[np.int_]
) -> tuple[float, float]:
    """Number and colour probabilities from which on to answer: as many as possible, at most WRONG wrong."""
    best, chosen = -1.0, (0.999, 0.999)
    number_right, colour_right = number.argmax(axis=1) == numbers, colour.argmax(axis=1) == colours
    steps = 1 - np.geomspace(0.5, 0.0005, 60)
    for from_number in steps:
        says_number = number.max(axis=1) >= from_number
        for from_colour in steps:
            says_colour = colour.max(axis=1) >= from_colour
            wrong = ((says_number & ~number_right) | (says_colour & ~colour_right)).mean()
            right = (says_number & says_colour & number_right & colour_right).mean()
            if wrong <= WRONG and right > best:
                best, chosen = float(right), (float(from_number), float(from_colour))
    return chosen


def _same_back(looks: Looks, cards: Sequence[ShownCard]) -> float:
    """The likeness that parts pairs of one design from pairs of two, within pictures, best."""
    same: list[float] = []
    apart: list[float] = []
    pictures: dict[str, list[int]] = {}
    for i, card in enumerate(cards):
        if card.side == "back":
            pictures.setdefault(card.picture, []).append(i)
    for members in pictures.values():
        for i in members:
            for j in members:
                if i < j:
                    pair = float(looks.embedding[i] @ looks.embedding[j])
                    (same if cards[i].name == cards[j].name else apart).append(pair)
    if not same or not apart:
        return 0.7
    limits = np.linspace(0.2, 0.98, 79)
    faults = [np.mean(np.array(same) < limit) + np.mean(np.array(apart) >= limit) for limit in limits]
    return float(limits[int(np.argmin(faults))])
