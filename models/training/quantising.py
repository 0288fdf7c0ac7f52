"""A net in whole numbers: nearly three times as fast on processors with VNNI, a quarter of the size."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import (  # type: ignore[import-untyped]
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process  # type: ignore[import-untyped]

Inputs = dict[str, NDArray[Any]]


class _Typical(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, rows: Iterable[Inputs]) -> None:
        self._rows = iter(rows)

    def get_next(self) -> Inputs | None:
        return next(self._rows, None)


def quantised(
    plain: Path,
    out: Path,
    typical: Iterable[Inputs],
    kept: Sequence[str],
    kinds: Sequence[str] = ("Conv", "Add"),
) -> None:
    """Writes the int8 form of a net, with ranges as they occur in typical inputs.

    Layers whose names hold one of `kept` keep their digits: first ones, which see plain pixels, and last
    ones, whose answers are offsets or are compared with thresholds.
    """
    logging.getLogger().setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as room:
        prepared = Path(room) / "prepared.onnx"
        quant_pre_process(str(plain), str(prepared), skip_symbolic_shape=True)
        names = [node.name for node in onnx.load(str(prepared)).graph.node]
        quantize_static(
            str(prepared),
            str(out),
            _Typical(typical),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            # Seven bits for weights: without VNNI, sums of two products must fit into sixteen.
            reduce_range=True,
            op_types_to_quantize=list(kinds),
            nodes_to_exclude=[name for name in names if any(part in name for part in kept)],
        )
