"""Learns a deck from photos: every card by its place in the grid, none missing, none twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, EnrolledDesign, enrol
from finito.errors import BadInput
from finito.face_grid import named_faces
from finito.seeing import Eyes, look_at, plainly
from referee.rules.parameters import PileGame
from vision.enrolment_grid import grid_places
from vision.frame import Picture
from vision.reading.crops import light_of, upright_quad
from vision.table_reader import SeenCard

_SURE: Final = 0.9

Crop = tuple[NDArray[np.uint8], NDArray[np.float32]]


@dataclass(frozen=True)
class DeckPhotos:
    """What the user gives: photos of the faces, photos of the backs and the names of those."""

    faces: Sequence[Path]
    backs: Sequence[Path]
    names: Sequence[str]


def learn(name: str, game: PileGame, photos: DeckPhotos, eyes: Eyes) -> EnrolledDeck:
    """The deck of the photos. More photos of the same cards teach more lights."""
    faces = [_faces(path, game, eyes) for path in photos.faces]
    backs = _backs(photos, eyes)
    taught = [
        enrol(name, game.name, _nth(faces, i), _nth(backs, i), eyes.reader.look, eyes.reader.model_hash)
        for i in range(max(len(faces), len(backs)))
    ]
    return replace(
        taught[0],
        faces=_joined([deck.faces for deck in taught]),
        backs=_joined([deck.backs for deck in taught]),
    )


def _nth(photos: Sequence[dict[str, Crop]], i: int) -> dict[str, Crop]:
    return photos[i] if i < len(photos) else {}


def _joined(photos: Sequence[tuple[EnrolledDesign, ...]]) -> tuple[EnrolledDesign, ...]:
    """The same designs as seen in all photos."""
    seen = [designs for designs in photos if designs]
    return tuple(
        replace(
            same[0],
            prototypes=np.concatenate([design.prototypes for design in same]),
            number=np.mean([design.number for design in same], axis=0, dtype=np.float32),
            colour=np.mean([design.colour for design in same], axis=0, dtype=np.float32),
        )
        for same in zip(*seen, strict=True)
    )


def _faces(path: Path, game: PileGame, eyes: Eyes) -> dict[str, Crop]:
    picture = look_at(path)
    with plainly():
        cards = eyes.apart(picture)
    places = grid_places([card.corners for card in cards], (picture.shape[1], picture.shape[0]))
    named = named_faces(str(path), places, [card.reading for card in cards], game)
    return _crops(picture, {face: cards[card] for face, card in named.items()}, eyes)


def _backs(photos: DeckPhotos, eyes: Eyes) -> list[dict[str, Crop]]:
    """One dictionary per photo of all backs, or a single one if the photos share the names among them."""
    pictures = [look_at(path) for path in photos.backs]
    rows = [_row(path, picture, eyes) for path, picture in zip(photos.backs, pictures, strict=True)]
    if all(len(row) == len(photos.names) for row in rows):
        return [
            _crops(picture, dict(zip(photos.names, row, strict=True)), eyes)
            for picture, row in zip(pictures, rows, strict=True)
        ]
    if len(rows) > 1 and sum(map(len, rows)) == len(photos.names):
        names = iter(photos.names)
        all_backs: dict[str, Crop] = {}
        for picture, row in zip(pictures, rows, strict=True):
            all_backs |= _crops(picture, {name: card for card, name in zip(row, names, strict=False)}, eyes)
        return [all_backs]
    path, row = next((p, r) for p, r in zip(photos.backs, rows, strict=True) if len(r) != len(photos.names))
    raise BadInput(
        f"{path} shows {len(row)} card{'' if len(row) == 1 else 's'} and --names has {len(photos.names)} "
        f"({', '.join(photos.names)}); lay one back per name in a row, from left to right"
    )


def _row(path: Path, picture: Picture, eyes: Eyes) -> list[SeenCard]:
    """The backs from left to right."""
    with plainly():
        cards = eyes.apart(picture)
    places = grid_places([card.corners for card in cards], (picture.shape[1], picture.shape[0]))
    if len({place.row for place in places}) > 1:
        raise BadInput(f"{path}: the backs do not lie in one row; lay them side by side, as in --names")
    row = [cards[place.card] for place in sorted(places, key=lambda place: place.column)]
    for number, card in enumerate(row, start=1):
        if card.reading.side == "face" and card.reading.face.known and card.reading.confidence > _SURE:
            raise BadInput(f"{path}: card {number} from the left lies face up; turn it over")
    return row


def _crops(picture: Picture, cards: dict[str, SeenCard], eyes: Eyes) -> dict[str, Crop]:
    light = light_of(picture)
    crops = eyes.reader.crops(picture, [_standing(card) for card in cards.values()])
    return {name: (crop, light) for name, crop in zip(cards, crops, strict=True)}


def _standing(card: SeenCard) -> NDArray[np.float32]:
    """Its corners from its own top left, or from the picture's where the reader cannot tell."""
    quad = upright_quad(card.corners)
    if card.reading.upright is None and quad[:2, 1].sum() > quad[2:, 1].sum():
        return np.roll(quad, 2, axis=0)
    return quad
