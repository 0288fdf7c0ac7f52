"""Measures on validation renders what makes the answers honest: temperatures, weights and thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax

from calibration.deck_enrolment import EnrolledDeck
from models.evaluation.reading_sets import ShownCard, enrolled_from_photos
from models.training.reader.card_bank import face_labels
from models.training.reader.verifying import card_or_not
from vision.card_reader import CardReader
from vision.onnx_model import OnnxModel
from vision.reading.answers import SIDES
from vision.reading.deck_match import face_scores, likeness, side_likeness
from vision.reading.looking import Looks
from vision.reading.softmax import softmax

WRONG = 0.005  # of all cards, the share of wrong answers that is allowed
_DECKS = 50  # enrolled to measure what enrolment brings
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
    "card_or_not": (0.0, 1.0, 1.0),
}
Floats = NDArray[np.float64]


def measure(content: bytes, sha256: str, cards: Sequence[ShownCard], seed: int) -> dict[str, object]:
    """The tables of the manifest that follow from validation cards."""
    about: dict[str, object] = {**UNMEASURED, "sha256": sha256}
    about["temperature"] = temperatures(OnnxModel(content, about), cards)
    about["sharper"] = _sharper(CardReader(OnnxModel(content, about)), cards)
    reader = CardReader(OnnxModel(content, about))
    looks = reader.looks(*stacked(cards))
    faces = np.array([i for i, card in enumerate(cards) if card.is_number], np.intp)
    labels = np.array([face_labels(cards[i].name) for i in faces])
    number, colour = looks.number[faces], looks.colour[faces]
    limits = thresholds(number[:, :-1], colour[:, :-1], labels[:, 1], labels[:, 0])
    sides = [SIDES.index(card.side) for card in cards]
    side = _threshold(list(np.log(looks.side + 1e-12)), sides)
    about["answers_from"] = {"side": side, "number": limits[0], "colour": limits[1], "upright": 0.9}
    about["enrolled"] = _enrolled(reader, looks, cards)
    about["same_back"] = _same_back(looks, cards)
    about["card_or_not"] = card_or_not(CardReader(OnnxModel(content, about)), seed)
    about.pop("sha256")
    return about


def stacked(cards: Sequence[ShownCard]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    return np.stack([card.crop for card in cards]), np.stack([card.light for card in cards])


def _sharper(reader: CardReader, cards: Sequence[ShownCard]) -> dict[str, float]:
    """How much surer the answers may be where four looks agree."""
    crops, light = stacked([card for card in cards if card.is_number])
    labels = np.array([face_labels(card.name) for card in cards if card.is_number])
    doubted = reader.looks_again(crops, light, reader.first_look(crops, light))
    return {
        "number": 1 / _temperature(np.log(doubted.number + 1e-12), labels[:, 1]),
        "colour": 1 / _temperature(np.log(doubted.colour + 1e-12), labels[:, 0]),
    }


def temperatures(model: OnnxModel, cards: Sequence[ShownCard]) -> dict[str, float]:
    """The temperature of each head at which its probabilities fit what happened best."""
    crops, light = stacked(cards)
    side, _, number, colour, _ = model(crops.transpose(0, 3, 1, 2).astype(np.float32), light)
    labels = np.array([face_labels(c.name) if c.side == "face" else (-1, -1) for c in cards])
    sides = np.array([SIDES.index(c.side) for c in cards])
    known = labels[:, 0] >= 0
    return {
        "side": _temperature(side, sides),
        "upright": 1.0,
        "number": _temperature(number[known], labels[known, 1]),
        "colour": _temperature(colour[known], labels[known, 0]),
    }


def _temperature(logits: NDArray[np.floating], truth: NDArray[np.int_]) -> float:
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


def _threshold(scores: list[Floats], truths: list[int]) -> float:
    """The lowest probability from which on at most WRONG of all answers are wrong."""
    shares = [softmax(s) for s in scores]
    chance = np.array([share.max() for share in shares])
    right = np.array([share.argmax() == truth for share, truth in zip(shares, truths, strict=True)])
    for limit in 1 - np.geomspace(0.5, 0.0005, 120):
        if ((chance >= limit) & ~right).mean() <= WRONG:
            return float(limit)
    return 0.9995


def _enrolled(reader: CardReader, looks: Looks, cards: Sequence[ShownCard]) -> dict[str, object]:
    decks: dict[str, EnrolledDeck] = {}
    for name in list(dict.fromkeys(card.deck for card in cards))[:_DECKS]:
        decks[name] = enrolled_from_photos(name, reader.look, reader.model_hash)
    found: dict[str, list[Floats]] = {"face": [], "back": [], "side": []}
    truths: dict[str, list[int]] = {"face": [], "back": [], "side": []}
    for i, card in enumerate(cards):
        if card.deck not in decks:
            continue
        deck, one = decks[card.deck], looks[np.array([i], np.intp)]
        names = [d.name for d in (deck.faces if card.side == "face" else deck.backs)]
        if card.name not in names:
            continue
        scores = face_scores(one, deck.faces) if card.side == "face" else likeness(one, deck.backs)
        found[card.side].append(scores[0])
        truths[card.side].append(names.index(card.name))
        found["side"].append(np.stack([np.log(one.side[0, :2] + 1e-4), side_likeness(one, deck)[0]]))
        truths["side"].append(SIDES.index(card.side))
    weights = _weights(found["face"], truths["face"])
    back = _weight(lambda weight: [s * weight for s in found["back"]], truths["back"])
    side = _weight(lambda weight: [s[0] + s[1] * weight for s in found["side"]], truths["side"])
    limit = _threshold([s @ weights for s in found["face"]], truths["face"])
    return {
        "weight": {
            **dict(zip(("embedding", "number", "colour"), map(float, weights), strict=True)),
            "back": back,
            "side": side,
        },
        "number": limit,
        "colour": limit,
        "back": _threshold([s * back for s in found["back"]], truths["back"]),
    }


def _weights(scores: list[Floats], truths: list[int]) -> Floats:
    """Weights of likeness and heads under which the right faces are likeliest."""

    def surprise(logs: Floats) -> float:
        weights = np.exp(logs)
        found = [log_softmax(s @ weights)[t] for s, t in zip(scores, truths, strict=True)]
        return float(-np.mean(found))

    start = np.log([15.0, 0.5, 0.5])
    return np.asarray(np.exp(minimize(surprise, start, method="Nelder-Mead", options={"maxiter": 120}).x))


def _weight(scores: Callable[[float], list[Floats]], truths: list[int]) -> float:
    """The weight under which the right answers are likeliest."""

    def surprise(log_weight: float) -> float:
        logs = [log_softmax(s)[t] for s, t in zip(scores(float(np.exp(log_weight))), truths, strict=True)]
        return float(-np.mean(logs))

    return float(np.exp(minimize_scalar(surprise, bounds=(0.0, 5.0), method="bounded").x))


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
