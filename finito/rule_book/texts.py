"""The texts of the rules as the file of a language holds them: templates that wait for a game's numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_BEFORE_A_MARK: Final = re.compile(r" (?=[:;!?»])|(?<=«) ")


@dataclass(frozen=True)
class Texts:
    titles: Mapping[str, str]
    paragraphs: Mapping[str, str]
    terms: Mapping[str, str]


@cache
def texts_of(language: str) -> Texts:
    source = files("finito.rule_book").joinpath(f"{language}.toml").read_text("utf-8")
    tables = tomllib.loads(source)
    return Texts(
        tables["titles"], {key: _flowing(text) for key, text in tables["text"].items()}, tables["terms"]
    )


def _flowing(text: str) -> str:
    """The file's line breaks are for whoever edits it; French marks stay with the word they belong to."""
    return _BEFORE_A_MARK.sub("\N{NO-BREAK SPACE}", " ".join(text.split()))
