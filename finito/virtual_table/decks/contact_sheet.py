"""Twelve invented decks on one picture: `python -m finito.virtual_table.decks.contact_sheet FILE.png`."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from finito.virtual_table.decks.deck import Deck, Picture
from finito.virtual_table.decks.random_deck import random_deck

_CARD = (72, 108)
_TABLE = (70, 74, 80)


def contact_sheet(seeds: range) -> Picture:
    """Two decks a row; five faces and three backs of each."""
    strips = [_strip(random_deck(seed, "train")) for seed in seeds]
    rows = [np.hstack(strips[i : i + 2]) for i in range(0, len(strips), 2)]
    return np.ascontiguousarray(np.vstack(rows))


def _strip(deck: Deck) -> Picture:
    numbers = (deck.numbers[-1], 6, 4, 3, 8)
    colours = (*deck.colours[:4], deck.colours[-1])
    cards = [deck.face(f"{colour}{number}") for colour, number in zip(colours, numbers, strict=True)]
    cards += [deck.back(deck.backs[i % len(deck.backs)]) for i in range(3)]
    outline = deck.shape_mask()
    return np.ascontiguousarray(np.hstack([_small(card, outline) for card in cards]))


def _small(card: Picture, outline: Picture) -> Picture:
    cover = outline[:, :, None] / 255.0
    cut = (card * cover + np.array(_TABLE) * (1 - cover)).astype(np.uint8)
    scale = min((_CARD[0] - 6) / card.shape[1], (_CARD[1] - 6) / card.shape[0])
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tile = np.full((_CARD[1], _CARD[0], 3), _TABLE, np.uint8)
    top, left = (tile.shape[0] - small.shape[0]) // 2, (tile.shape[1] - small.shape[1]) // 2
    tile[top : top + small.shape[0], left : left + small.shape[1]] = small
    return tile


def main() -> None:
    """Few colours keep the file small enough for a repository."""
    sheet = contact_sheet(range(12))
    Image.fromarray(sheet[:, :, ::-1]).quantize(200).save(Path(sys.argv[1]), optimize=True)


if __name__ == "__main__":
    main()
