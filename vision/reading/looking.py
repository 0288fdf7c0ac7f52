"""Runs the reading net over crops; a look may be taken twice, the second time upside down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.reading.answers import SIDES
from vision.reading.measured import Measured
from vision.reading.softmax import softmax

_BATCH = 64


class Net(Protocol):
    """The reading net: crops and light to the logits of side, upright, number, colour, and the embedding."""

    @property
    def about(self) -> Mapping[str, Any]: ...

    def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]: ...


@dataclass(frozen=True, eq=False)
class Looks:
    """Probabilities of n crops for every side, upright, number and colour, and their embeddings."""

    side: NDArray[np.float64]
    upright: NDArray[np.float64]  # that the crop stands upright
    number: NDArray[np.float64]
    colour: NDArray[np.float64]
    embedding: NDArray[np.float64]

    def __getitem__(self, chosen: NDArray[np.intp]) -> Looks:
        return Looks(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def replaced(self, chosen: NDArray[np.intp], others: Looks) -> Looks:
        parts = []
        for field in fields(self):
            part = getattr(self, field.name).copy()
            part[chosen] = getattr(others, field.name)
            parts.append(part)
        return Looks(*parts)

    def with_second(self, upside_down: Looks) -> Looks:
        """Both looks together: the second was taken with the crop turned by half a turn."""
        both = self.embedding + upside_down.embedding
        length = np.linalg.norm(both, axis=1, keepdims=True)
        return Looks(
            _pooled(self.side, upside_down.side),
            (self.upright + 1 - upside_down.upright) / 2,
            _pooled(self.number, upside_down.number),
            _pooled(self.colour, upside_down.colour),
            both / np.maximum(length, 1e-9),
        )

    @property
    def no_card(self) -> NDArray[np.float64]:
        return np.asarray(self.side[:, SIDES.index("none")])


def _pooled(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    return (one + other) / 2


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
    )
