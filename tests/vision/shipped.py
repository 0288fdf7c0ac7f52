"""Whether the nets that ship are at hand."""

from __future__ import annotations

import pytest

from vision.onnx_model import BadModel, load


def nets_or_skip() -> None:
    """Nets are made by training: a working copy may be without them."""
    for name in ("finder", "second_look", "reader", "corner"):
        try:
            load(name)
        except BadModel as problem:
            pytest.skip(str(problem))
