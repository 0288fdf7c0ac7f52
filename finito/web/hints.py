"""What the referee waits for, as a word that pages have a sentence for in every language."""

from __future__ import annotations

from typing import Final

_KNOWN: Final = (
    ("whose back", "backs"),
    ("lies on the table twice", "markers"),
    ("camera is looked for", "camera"),
)


def hint_for(why: str) -> str:
    """Of a table that is not set up yet; most of the time it is not dealt yet."""
    return next((hint for words, hint in _KNOWN if words in why), "deal")
