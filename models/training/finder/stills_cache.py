"""Stills drawn once and kept on disk, since drawing one costs as much as learning from several."""

import argparse
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.played_stills import STILLS_OF_A_GAME, played_still
from finito.virtual_table.scene import CLUTTER_ABOVE, HAND, Rendered
from finito.virtual_table.stills import still

SIZES = ((640, 360), (640, 360), (640, 480), (480, 640), (360, 640), (560, 560))
_PLAYED_SIZES = ((960, 540), (854, 480), (640, 360), (720, 540))
# One run of stills in so many is of a game: decks in hands, arms at work, rows of homes around a centre.
_PLAYED_EVERY = 8
_ID_SHIFT = 8


@dataclass(frozen=True)
class Sample:
    """A picture (BGR), each pixel's card number (0: none, -1: hidden by a hand or thing) and the cards."""

    picture: NDArray[np.uint8]
    ids: NDArray[np.int16]
    numbers: NDArray[np.int32]
    corners: NDArray[np.float32]
    visible: NDArray[np.float32]


def sample_of(rendered: Rendered) -> Sample:
    """What the finder learns from a still."""
    ids = rendered.ids.astype(np.int16)
    hidden = (ids == HAND) | (ids == CLUTTER_ABOVE)
    ids[ids < 0] = 0
    ids[hidden] = -1
    cards = [card for card in rendered.cards if card.visible > 0]
    return Sample(
        picture=np.ascontiguousarray(rendered.picture, dtype=np.uint8),
        ids=ids,
        numbers=np.array([card.number for card in cards], np.int32),
        corners=np.array([card.corners for card in cards], np.float32).reshape(-1, 4, 2),
        visible=np.array([card.visible for card in cards], np.float32),
    )


def packed(sample: Sample) -> bytes:
    """A sample as bytes, small enough that thousands stay in memory."""
    _, picture = cv2.imencode(".jpg", sample.picture, [cv2.IMWRITE_JPEG_QUALITY, 97])
    _, ids = cv2.imencode(".png", (sample.ids + _ID_SHIFT).astype(np.uint16))
    return pickle.dumps(
        (picture.tobytes(), ids.tobytes(), sample.numbers, sample.corners, sample.visible), protocol=5
    )


def unpacked(stored: bytes) -> Sample:
    picture, ids, numbers, corners, visible = pickle.loads(stored)
    return Sample(
        np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR), np.uint8),
        np.asarray(cv2.imdecode(np.frombuffer(ids, np.uint8), cv2.IMREAD_UNCHANGED), np.int16) - _ID_SHIFT,
        numbers,
        corners,
        visible,
    )


def cards_in(stored: bytes) -> int:
    """How many cards a packed sample shows."""
    return len(pickle.loads(stored)[2])


def fill(
    folder: Path,
    seed: int,
    split: str,
    first: int,
    count: int,
    sizes: Sequence[tuple[int, int]] = SIZES,
) -> Iterator[Path]:
    """Draw the stills of these numbers that the folder does not hold yet."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for index in range(first, first + count):
        path = folder / f"{split}-{seed}-{index:06d}.still"
        if not path.exists():
            part = path.with_suffix(".part")
            part.write_bytes(packed(sample_of(_drawn(seed, split, sizes, index))))
            part.rename(path)
        yield path


def _drawn(seed: int, split: str, sizes: Sequence[tuple[int, int]], index: int) -> Rendered:
    if index // STILLS_OF_A_GAME % _PLAYED_EVERY == 0:
        return played_still(seed, split, _PLAYED_SIZES, index)
    size = sizes[int(np.random.default_rng([seed, index]).integers(len(sizes)))]
    return still(seed, split, size, index)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--split", default="train")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    given = parser.parse_args()
    for _ in fill(given.folder, given.seed, given.split, given.first, given.count):
        pass


if __name__ == "__main__":
    main()
