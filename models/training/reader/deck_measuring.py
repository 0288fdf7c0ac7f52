"""Measures what an enrolled deck brings: weights of heads, cells and shared light, and when to answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax

from calibration.deck_enrolment import EnrolledDeck
from models.evaluation.reading_sets import ShownCard, enrolled_from_photos
from models.training.reader.cell_fitting import Example, fitted, pictured, with_light
from models.training.reader.limits import STRICTER, threshold
from vision.card_reader import CardReader
from vision.reading.answers import SIDES
from vision.reading.cell_evidence import CellWeights
from vision.reading.cell_shares import Twin, compared, likeliest
from vision.reading.deck_cells import designs_of
from vision.reading.deck_match import face_scores, likeness, side_likeness
from vision.reading.looking import Looks
from vision.reading.softmax import softmax

Floats = NDArray[np.float64]
_DECKS = 90  # enrolled to measure what enrolment brings


@dataclass(frozen=True, eq=False)
class Case:
    """A card of an enrolled deck."""

    card: ShownCard
    heads: Floats  # designs of its side × heads
    sides: Floats  # 2 × (face, back): the net's word and the likeness to the deck
    truth: int


def with_decks(reader: CardReader, looks: Looks, cards: Sequence[ShownCard]) -> dict[str, object]:
    """The table `enrolled` of the manifest."""
    decks = {
        name: enrolled_from_photos(name, reader.look, reader.model_hash)
        for name in list(dict.fromkeys(card.deck for card in cards))[:_DECKS]
    }
    known = {i: case for i, card in enumerate(cards) if (case := _case(card, looks, i, decks))}
    faces = {i: case for i, case in known.items() if case.card.side == "face"}
    backs = {i: case for i, case in known.items() if case.card.side == "back"}
    heads = _weights([case.heads for case in faces.values()], [case.truth for case in faces.values()])
    back = _weight([case.heads[:, 0] for case in backs.values()], [case.truth for case in backs.values()])
    sides = [SIDES.index(case.card.side) for case in known.values()]
    side = _weight([case.sides[1] for case in known.values()], sides, [c.sides[0] for c in known.values()])
    matching = Matching(looks, decks, reader.twin)
    face_weights, face_limit = matching.weighed(faces, heads, in_one_light=False)
    back_weights, back_limit = matching.weighed(backs, np.array([back]), in_one_light=True)
    names = ("embedding", "number", "colour")
    return {
        "weight": {**dict(zip(names, map(float, heads), strict=True)), "back": back, "side": side},
        "number": face_limit,
        "colour": face_limit,
        "back": back_limit,
        "cells": {"face": face_weights.table(), "back": back_weights.table()},
    }


def _case(card: ShownCard, looks: Looks, i: int, decks: dict[str, EnrolledDeck]) -> Case | None:
    deck = decks.get(card.deck)
    if deck is None:
        return None
    designs = [design.name for design in (deck.faces if card.side == "face" else deck.backs)]
    if card.name not in designs:
        return None
    one = looks[np.array([i], np.intp)]
    heads = face_scores(one, deck.faces)[0] if card.side == "face" else likeness(one, deck.backs)[0][:, None]
    sides = np.stack([np.log(one.side[0, :2] + 1e-4), side_likeness(one, deck)[0]])
    return Case(card, heads, sides, designs.index(card.name))


@dataclass(frozen=True, eq=False)
class Matching:
    """Cards beside the enrolled designs of their decks."""

    looks: Looks
    decks: dict[str, EnrolledDeck]
    twin: Twin | None

    def weighed(self, cases: dict[int, Case], heads: Floats, in_one_light: bool) -> tuple[CellWeights, float]:
        """Weights fitted on all decks; shared light and limit chosen with weights that never saw the deck."""
        halves = {name: number % 2 for number, name in enumerate(self.decks)}
        half = [halves[case.card.deck] for case in cases.values()]
        examples = [self._example(i, case, heads) for i, case in cases.items()]
        fits = [
            fitted([e for e, other in zip(examples, half, strict=True) if other != own]) for own in (0, 1)
        ]
        weights = [fits[own] for own in half]
        shared = with_light(weights, examples) if in_one_light else None
        shares = pictured([replace(one, shared=shared) for one in weights], examples)
        limit = threshold(shares, [example.truth for example in examples], STRICTER)
        return replace(fitted(examples), shared=shared), limit

    def _example(self, i: int, case: Case, heads: Floats) -> Example:
        known = designs_of(self.decks[case.card.deck], case.card.side)
        designs = likeliest(softmax(case.heads @ heads))
        seen = compared(self.looks.crops[i], known[designs], float(self.looks.upright[i]), self.twin)
        truth = int(np.flatnonzero(designs == case.truth)[0]) if case.truth in designs else -1
        return Example(case.card.picture, seen, case.heads[designs], truth)


def _weights(scores: Sequence[Floats], truths: Sequence[int]) -> Floats:
    """Weights of likeness and heads under which the right faces are likeliest."""

    def surprise(logs: Floats) -> float:
        weights = np.exp(logs)
        return float(-np.mean([log_softmax(s @ weights)[t] for s, t in zip(scores, truths, strict=True)]))

    start = np.log([15.0, 0.5, 0.5])
    return np.asarray(np.exp(minimize(surprise, start, method="Nelder-Mead", options={"maxiter": 120}).x))


def _weight(scores: Sequence[Floats], truths: Sequence[int], given: Sequence[Floats] | None = None) -> float:
    """The weight under which the right answers are likeliest, beside what is given."""
    beside = given or [np.zeros_like(score) for score in scores]

    def surprise(log_weight: float) -> float:
        weight = np.exp(log_weight)
        logs = [log_softmax(b + s * weight)[t] for b, s, t in zip(beside, scores, truths, strict=True)]
        return float(-np.mean(logs))

    return float(np.exp(minimize_scalar(surprise, bounds=(0.0, 5.0), method="bounded").x))
