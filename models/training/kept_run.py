"""A training run on disk: stopped at any moment, it goes on where it was kept last."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch


def resume(path: Path, parts: Mapping[str, Any]) -> tuple[int, float]:
    """Fills the parts (nets, optimisers) with what was kept; the steps and seconds they have learnt for."""
    if not path.exists():
        return 0, 0.0
    state = torch.load(path, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(state[name])
    return int(state["step"]), float(state["seconds"])


def keep(path: Path, parts: Mapping[str, Any], step: int, seconds: float) -> None:
    """Written beside and then moved: a kill leaves the last one whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    state = {name: part.state_dict() for name, part in parts.items()}
    torch.save({**state, "step": step, "seconds": seconds}, beside)
    beside.rename(path)
