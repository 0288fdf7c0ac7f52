"""The nets that ship: named in models/manifest.toml, checked by their hash, run by onnxruntime.

The only module that knows onnxruntime.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray

from vision.errors import VisionError

_HELP = "install the package again, or train the model as its model card says"


class BadModel(VisionError):
    """A model file that is missing, damaged, or not the one this version was made with."""


class OnnxModel:
    """A net, ready to run.

    One thread that does not spin is the fastest on a machine that does other work as well.
    """

    def __init__(self, content: bytes, about: Mapping[str, Any] | None = None, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Pictures come in many sizes: memory kept for each of them would only grow. It costs no time.
        options.enable_mem_pattern = False
        options.enable_cpu_mem_arena = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        self.about: Mapping[str, Any] = about or {}
        self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        self._inputs = [node.name for node in self._session.get_inputs()]

    def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]:
        """The net's outputs for its inputs, both in the order of the file."""
        return list(self._session.run(None, dict(zip(self._inputs, inputs, strict=True))))


def load(name: str, threads: int = 1, folder: Path | None = None) -> OnnxModel:
    """A model of the manifest, by name."""
    room: Traversable = folder if folder is not None else files("models")
    about = _entry(room, name)
    file, wanted = str(about["file"]), str(about["sha256"])
    try:
        content = room.joinpath(file).read_bytes()
    except OSError as error:
        raise BadModel(f"models/{file} cannot be read ({error.strerror}): {_HELP}.") from error
    found = hashlib.sha256(content).hexdigest()
    if found != wanted:
        raise BadModel(
            f"models/{file} is not the model this version was made with (sha256 {found[:12]}…, "
            f"the manifest says {wanted[:12]}…): {_HELP}."
        )
    return OnnxModel(content, about, threads)


def _entry(room: Traversable, name: str) -> Mapping[str, Any]:
    try:
        manifest = tomllib.loads(room.joinpath("manifest.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadModel(f"models/manifest.toml cannot be read ({error}): {_HELP}.") from error
    about = manifest.get(name)
    if not isinstance(about, dict) or "file" not in about or "sha256" not in about:
        raise BadModel(f"models/manifest.toml says nothing of a model called {name}: {_HELP}.")
    return about
