"""Runs the reading net over crops, and pools several looks at the same crop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.answers import SIDES
from vision.reading.corner_figures import with_corners
from vision.reading.measured import Measured
from vision.reading.softmax import softmax

_BATCH = 64
_CLOSER = 1.04


class Net(Protocol):
    """The reading net: crops and light to the logits of side, upright, number, colour, and the embedding."""

    @property
    def about(self) -> Mapping[str, Any]: ...

    def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]: ...


@dataclass(frozen=True, eq=False)
class Looks:
    """Probabilities of n crops for every side, upright, number and colour, their embeddings, and they."""

    side: NDArray[np.float64]
    upright: NDArray[np.float64]  # that the crop stands upright
    number: NDArray[np.float64]
    colour: NDArray[np.float64]
    embedding: NDArray[np.float64]
    crops: NDArray[np.uint8]
    corners: NDArray[np.float64]  # what the figures in the corners add for each number; 0: not read

    def __getitem__(self, chosen: NDArray[np.intp]) -> Looks:
        return Looks(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def replaced(self, chosen: NDArray[np.intp], others: Looks) -> Looks:
        parts = []
        for field in fields(self):
            part = getattr(self, field.name).copy()
            part[chosen] = getattr(others, field.name)
            parts.append(part)
        return Looks(*parts)

    def turned(self) -> Looks:
        """What they say of the crops, when they were taken of the crops upside down."""
        return replace(self, upright=1 - self.upright)

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The chance of every number by the whole card and its corners."""
        read = self.corners.any(axis=1)
        numbers = self.number.copy()
        numbers[read] = with_corners(self.number[read], self.corners[read])
        return numbers

    @property
    def no_card(self) -> NDArray[np.float64]:
        return np.asarray(self.side[:, SIDES.index("none")])


def pooled(looks: Sequence[Looks], sharper: Mapping[str, float]) -> Looks:
    """Several looks at the crops of the first as one: agreement makes it surer, as much as was measured."""
    embedding = np.sum([one.embedding for one in looks], axis=0)
    length = np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-9)
    return Looks(
        _mean([one.side for one in looks], 1.0),
        np.mean([one.upright for one in looks], axis=0),
        _mean([one.number for one in looks], sharper["number"]),
        _mean([one.colour for one in looks], sharper["colour"]),
        np.asarray(embedding / length),
        looks[0].crops,
        looks[0].corners,
    )


def _mean(shares: Sequence[NDArray[np.float64]], sharper: float) -> NDArray[np.float64]:
    return softmax(np.mean([np.log(share + 1e-12) for share in shares], axis=0) * sharper)


def other_views(crops: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """The crops upside down, cut a little closer, and both."""
    height, width = crops.shape[1:3]
    move = np.array([[_CLOSER, 0, width / 2 * (1 - _CLOSER)], [0, _CLOSER, height / 2 * (1 - _CLOSER)]])
    closer = [cv2.warpAffine(c, move, (width, height), borderMode=cv2.BORDER_REPLICATE) for c in crops]
    near = np.asarray(np.stack(closer), np.uint8)
    return crops[:, ::-1, ::-1], near, near[:, ::-1, ::-1]


def look(net: Net, measured: Measured, crops: NDArray[np.uint8], light: NDArray[np.float32]) -> Looks:
    """What the net says of crops (n × height × width × 3)."""
    parts = []
    for start in range(0, len(crops), _BATCH):
        batch = crops[start : start + _BATCH].transpose(0, 3, 1, 2).astype(np.float32)
        parts.append(net(np.ascontiguousarray(batch), light[start : start + _BATCH].astype(np.float32)))
    side, upright, number, colour, embedding = (np.concatenate(part) for part in zip(*parts, strict=True))
    heat = measured.temperature
    return Looks(
        softmax(side, heat["side"]),
        softmax(upright, heat["upright"])[:, 1],
        softmax(number, heat["number"]),
        softmax(colour, heat["colour"]),
        embedding.astype(np.float64),
        crops,
        np.zeros(number.shape),
    )
