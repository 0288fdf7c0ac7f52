"""Words that several commands take."""

from __future__ import annotations

from collections.abc import Iterable


def parse_variant(words: Iterable[str]) -> tuple[str, ...]:
    """Variants joined by plus or comma, or given one by one."""
    parts = (part.strip() for word in words for part in word.replace("+", ",").split(","))
    return tuple(part for part in parts if part) or ("normalo",)
