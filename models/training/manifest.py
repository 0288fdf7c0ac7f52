"""Tables of models/manifest.toml: one per model, with subtables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_table(manifest: Path, name: str, table: Mapping[str, Any]) -> None:
    """Puts a model's table into the manifest and leaves the others as they are."""
    text = manifest.read_text(encoding="utf-8") if manifest.exists() else ""
    kept = re.sub(rf"(?ms)^\[{name}(?:\.[^\]]*)?\]\n.*?(?=^\[(?!{name})|\Z)", "", text).rstrip()
    manifest.write_text((kept + "\n\n" if kept else "") + _toml(name, table), encoding="utf-8")


def _toml(name: str, table: Mapping[str, Any]) -> str:
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"[{name}]", *(f"{key} = {_value(value)}" for key, value in plain.items())]
    text = "\n".join(lines) + "\n"
    for key, value in table.items():
        if isinstance(value, Mapping):
            text += "\n" + _toml(f"{name}.{key}", value)
    return text


def _value(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    return repr(round(value, 4)) if isinstance(value, float) else str(value)
