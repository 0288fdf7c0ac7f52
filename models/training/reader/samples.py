"""Crops for the reader to learn from: cards laid on something, half hidden, lit and photographed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.reader import card_bank, still_bank
from models.training.reader.light import Crop, Rng, lit, photographed
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, LIGHT, MARGIN_X, MARGIN_Y, SIDES

_FINER = 1.25
_SIZE = (round(CROP_WIDTH * _FINER), round(CROP_HEIGHT * _FINER))
_WHOLE = (CROP_WIDTH, CROP_HEIGHT)
_MILD = 0.35  # the share of drawn cards that are whole and sharp, as most cards in photos are
_NO_CARD = np.array([-1, -1, SIDES.index("none"), -1, -1, -1], np.int32)
_CARD = np.array(
    [
        (MARGIN_X, MARGIN_Y),
        (CROP_WIDTH - MARGIN_X, MARGIN_Y),
        (CROP_WIDTH - MARGIN_X, CROP_HEIGHT - MARGIN_Y),
        (MARGIN_X, CROP_HEIGHT - MARGIN_Y),
    ],
    np.float32,
)


@dataclass(frozen=True)
class Sample:
    crop: NDArray[np.uint8]
    light: NDArray[np.float32]
    label: NDArray[np.int32]  # FIELDS of the card bank; upright is 1 or 0 here


class Sampler:
    """Makes samples from the banks; everything follows from the generator handed in."""

    def __init__(self, cards: card_bank.CardBank, stills: still_bank.StillBank) -> None:
        self.cards, self.stills = cards, stills
        self._nothing = np.flatnonzero(stills.labels[:, 2] == SIDES.index("none"))
        self._mask_size = (card_bank.WIDTH, card_bank.HEIGHT)

    def drawn(self, index: int, rng: Rng) -> Sample:
        """A card of the card bank."""
        quad = _CARD * np.float32(_FINER) + _shift(rng, 0.022) * np.float32(_FINER)
        crop = self._ground(rng)
        self._lay(crop, index, quad, rng)
        mild = rng.random() < _MILD
        for _ in range(0 if mild else _hidden_by(rng)):
            self._hide(crop, rng)
        return self._taken(crop, self.cards.labels[index], rng, mild)

    def enrolled(self, index: int, rng: Rng) -> Sample:
        """A card of the card bank as a person photographs it to enrol its deck: whole and sharp."""
        crop = self._ground(rng)
        self._lay(crop, index, _CARD * np.float32(_FINER) + _shift(rng, 0.015) * np.float32(_FINER), rng)
        return self._taken(crop, self.cards.labels[index], rng, mild=True)

    def cut(self, index: int, rng: Rng, lightly: bool = True) -> Sample:
        """A crop of the still bank, cut anew; its own light is changed a little or much."""
        return _turned(*self.cut_upright(index, rng, lightly), self.stills.labels[index], rng)

    def cut_upright(
        self, index: int, rng: Rng, lightly: bool = True
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """The same, the card standing as in the bank, with its light."""
        jitter = _shift(rng, 0.018)
        crop = _recut(self.stills.pictures[index], jitter, _WHOLE, 1.0)
        light = self.stills.light[index].copy()
        if rng.random() < 0.6:
            gains = np.float32(np.exp(rng.normal(0, 0.1, 3)) * np.exp(rng.normal(0, 0.15)))
            crop = np.minimum(crop * gains, 255)
            light[:6] = np.minimum(light[:6] * np.tile(gains, 2), 1)
        elif not lightly:
            crop, light = lit(crop, rng)
        if rng.random() < 0.25:
            light = np.zeros(LIGHT, np.float32)
        return photographed(crop, rng, _WHOLE) if rng.random() < 0.3 else crop.astype(np.uint8), light

    def nothing(self, rng: Rng) -> Sample:
        """Something that is no card, or a card cut out across."""
        if len(self.stills.false) and rng.random() < 0.5:
            return self._false_find(rng)
        if rng.random() < 0.35:
            crop = self._ground(rng)
            if rng.random() < 0.6:
                _sheet(crop, rng)
        elif rng.random() < 0.4:
            crop = self._askew(rng)
        else:
            picture = self.stills.pictures[int(rng.choice(self._nothing))]
            crop = _recut(picture, _shift(rng, 0.05), _SIZE, _FINER)
        return self._taken(crop, _NO_CARD, rng)

    def _false_find(self, rng: Rng) -> Sample:
        """What a finder took for a card, in its own light or nearly."""
        index = int(rng.integers(len(self.stills.false)))
        crop = _recut(self.stills.false[index], _shift(rng, 0.012), _WHOLE, 1.0)
        gains = np.float32(np.exp(rng.normal(0, 0.1, 3)) * np.exp(rng.normal(0, 0.15)))
        kept = np.minimum(crop * gains, 255).astype(np.uint8)
        return _turned(kept, self.stills.false_light[index], _NO_CARD, rng)

    def _taken(self, crop: Crop, label: NDArray[np.int32], rng: Rng, mild: bool = False) -> Sample:
        lit_crop, light = lit(crop, rng)
        if not mild and rng.random() < 0.08:
            _cut_by_frame(lit_crop, rng)
        return _turned(photographed(lit_crop, rng, _WHOLE, mild), light, label, rng)

    def _ground(self, rng: Rng) -> Crop:
        """What the card lies on: a piece of a table, one tone, or other cards."""
        kind = rng.random()
        if kind < 0.55 and len(self._nothing):
            picture = self.stills.pictures[int(rng.choice(self._nothing))]
            return _recut(picture, _shift(rng, 0.08), _SIZE, _FINER)
        if kind < 0.8:
            tone = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0, 255))
            return np.full((_SIZE[1], _SIZE[0], 3), tone, np.float32)
        crop = np.full((_SIZE[1], _SIZE[0], 3), rng.uniform(0, 255), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            self._lay(crop, int(rng.integers(len(self.cards.labels))), _beside(rng), rng)
        return crop

    def _lay(self, crop: Crop, index: int, quad: NDArray[np.float32], rng: Rng) -> None:
        picture = self.cards.pictures[index]
        width, height = self._mask_size
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        matrix = cv2.getPerspectiveTransform(corners, quad)
        card = cv2.warpPerspective(
            picture, matrix, _SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = _outline(round(float(self.cards.rounding[index]) * width), self._mask_size)
        cover = cv2.warpPerspective(mask, matrix, _SIZE, flags=cv2.INTER_LINEAR)
        share = np.asarray(cover, np.float32)[:, :, None] * np.float32(1 / 255)
        if rng.random() < 0.5:  # its shadow
            offset = rng.normal(0, 2.5, 2)
            move = np.array([[1, 0, offset[0]], [0, 1, offset[1]]], np.float32)
            shadow = cv2.GaussianBlur(cv2.warpAffine(cover, move, _SIZE), (0, 0), float(rng.uniform(1, 3)))
            crop *= 1 - np.asarray(shadow, np.float32)[:, :, None] * np.float32(rng.uniform(0.1, 0.7) / 255)
        crop += (card - crop) * share

    def _hide(self, crop: Crop, rng: Rng) -> None:
        """Another card or a finger over a part of the crop."""
        if rng.random() < 0.6:
            self._lay(crop, int(rng.integers(len(self.cards.labels))), _beside(rng), rng)
        else:
            _finger(crop, rng)

    def _askew(self, rng: Rng) -> Crop:
        """A card cut out a quarter turned, or two halves of neighbours."""
        crop = self._ground(rng)
        middle = np.array(_SIZE, np.float32) / 2
        if rng.random() < 0.5:
            quarter = np.array([[0, -1], [1, 0]], np.float32)
            quad = (_CARD * _FINER - middle) @ quarter.T * (1.5, 0.67) + middle
            self._lay(
                crop,
                int(rng.integers(len(self.cards.labels))),
                np.asarray(quad + _shift(rng, 0.03), np.float32),
                rng,
            )
            return crop
        for sign in (-1, 1):
            step = np.array([sign * rng.uniform(0.44, 0.6) * _SIZE[0], 0.0])
            beside = np.asarray(_CARD * _FINER + step, np.float32)
            self._lay(crop, int(rng.integers(len(self.cards.labels))), beside, rng)
        return crop


def _shift(rng: Rng, part: float) -> NDArray[np.float32]:
    """Corners that are a little off, as a finder leaves them."""
    spread = part * float(rng.choice((0.4, 1.0, 1.6)))
    own = rng.normal(0, spread, (4, 2)) + rng.normal(0, spread * 0.6, 2)
    return np.asarray(own * (CROP_WIDTH, CROP_HEIGHT), np.float32)


def _recut(
    picture: NDArray[np.uint8], shift: NDArray[np.float32], size: tuple[int, int], finer: float
) -> Crop:
    source = still_bank.corners_in_crop() + shift * np.float32(still_bank.FINER)
    matrix = cv2.getPerspectiveTransform(source, _CARD * np.float32(finer))
    return np.asarray(cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR), np.float32)


def _turned(
    crop: NDArray[np.uint8], light: NDArray[np.float32], label: NDArray[np.int32], rng: Rng
) -> Sample:
    label = label.copy()
    if rng.random() < 0.5:
        crop = crop[::-1, ::-1]
        label[5] = 0 if label[5] == 1 else -1
    return Sample(np.ascontiguousarray(crop), light, label)


def _hidden_by(rng: Rng) -> int:
    return int(rng.choice((0, 1, 2), p=(0.66, 0.26, 0.08)))


def _beside(rng: Rng) -> NDArray[np.float32]:
    """A card that covers a part of the crop from one side."""
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.12)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array(_SIZE) / 2
    away = rng.uniform(0, 2 * np.pi)
    reach = rng.uniform(0.45, 0.95)
    offset = np.array([np.cos(away) * _SIZE[0], np.sin(away) * _SIZE[1]]) * reach
    return np.asarray((_CARD * _FINER - middle) @ turn.T + middle + offset, np.float32)


@lru_cache(maxsize=64)
def _outline(radius: int, size: tuple[int, int]) -> NDArray[np.uint8]:
    width, height = size
    r = max(1, radius)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (r, 0), (width - r, height), 255, cv2.FILLED)
    cv2.rectangle(mask, (0, r), (width, height - r), 255, cv2.FILLED)
    for x in (r, width - r):
        for y in (r, height - r):
            cv2.circle(mask, (x, y), r, 255, cv2.FILLED, cv2.LINE_AA)
    return mask


def _finger(crop: Crop, rng: Rng) -> None:
    """A finger, thumb or whole fist that comes in from an edge."""
    width, height = _SIZE
    skin = np.float32(np.array((0.55, 0.7, 1.0)) * rng.uniform(60, 245) * rng.normal(1, 0.05, 3))
    edge = rng.uniform(0, 2 * np.pi)
    middle = np.array((width, height)) / 2
    start = middle + np.array((np.cos(edge), np.sin(edge))) * np.array((width, height)) * 0.75
    tip = start + (middle + rng.normal(0, 0.25, 2) * (width, height) - start) * rng.uniform(0.35, 1.0)
    thick = round(rng.uniform(0.14, 0.45) * width)
    mask = np.zeros((height, width), np.uint8)
    begin, end = ((round(float(x)), round(float(y))) for x, y in (start, tip))
    cv2.line(mask, begin, end, 255, thick, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.2)
    share = np.asarray(soft, np.float32)[:, :, None] / 255
    round_off = cv2.GaussianBlur(mask, (0, 0), thick / 5)
    shade = np.asarray(round_off, np.float32)[:, :, None] / 255
    crop += (skin * (0.45 + 0.6 * shade) - crop) * share


def _sheet(crop: Crop, rng: Rng) -> None:
    """Paper with writing or a dark phone, as large as a card."""
    left, top = (np.array((MARGIN_X, MARGIN_Y)) * _FINER + rng.normal(0, 4, 2)).astype(int)
    right, bottom = _SIZE[0] - left, _SIZE[1] - top
    phone = rng.random() < 0.4
    tone = rng.uniform(5, 60) if phone else rng.uniform(180, 255)
    crop[max(0, top) : bottom, max(0, left) : right] = tone * rng.normal(1, 0.03, 3)
    if rng.random() < 0.6:
        ink = rng.uniform(0, 120) if not phone else rng.uniform(60, 220)
        step = int(rng.integers(6, 16))
        for y in range(max(0, top) + step, bottom - 4, step):
            end = int(rng.uniform(0.5, 0.95) * _SIZE[0])
            crop[y : y + max(1, step // 4), left + 6 : end] = ink
            if rng.random() < 0.5:
                gaps = rng.integers(left + 6, end + 1, 6)
                crop[y : y + max(1, step // 4), gaps] = tone


def _cut_by_frame(crop: Crop, rng: Rng) -> None:
    """The picture ends: nothing beyond."""
    part = rng.uniform(0.05, 0.45)
    side = int(rng.integers(4))
    height, width = crop.shape[:2]
    if side == 0:
        crop[: round(height * part)] = 0
    elif side == 1:
        crop[round(height * (1 - part)) :] = 0
    elif side == 2:
        crop[:, : round(width * part)] = 0
    else:
        crop[:, round(width * (1 - part)) :] = 0
