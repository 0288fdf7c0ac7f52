"""All text of the pages stands in one table, in all four languages."""

from __future__ import annotations

import re
from pathlib import Path

import finito.web

PAGE = Path(finito.web.__file__).parent / "page"
SCRIPTS = {path.name: path.read_text("utf-8") for path in PAGE.glob("*.js")}
ENTRY = re.compile(r'^  (\w+): \[("(?:[^"\\]|\\.)*"(?:, )?){4}\],$', re.MULTILINE)
KEYS = {match.group(1) for match in ENTRY.finditer(SCRIPTS["words.js"])}
DYNAMIC = (
    "page_",
    "verdict_",
    "ruled_",
    "colour_",
    "join_",
    "fault_",
    "enrol_",
    "plane_",
    "seat_",
    "ask_",
    "camera_count",
    "hint_",
)


def test_every_text_has_four_languages() -> None:
    table = SCRIPTS["words.js"].partition("export const WORDS = {\n")[2].partition("\n};")[0]
    lines = table.splitlines()
    assert len(lines) == len(KEYS) > 100
    assert not [line for line in lines if '""' in line]


def test_every_text_that_is_asked_for_exists() -> None:
    asked = {key for text in SCRIPTS.values() for key in re.findall(r'\bt\("(\w+)"\)', text)}
    assert asked - KEYS == set()
    for prefix in DYNAMIC:
        assert any(key.startswith(prefix) for key in KEYS)


def test_no_text_is_kept_that_nobody_asks_for() -> None:
    everything = "".join(text for name, text in SCRIPTS.items() if name != "words.js")
    unused = {key for key in KEYS if f'"{key}"' not in everything and not key.startswith(DYNAMIC)}
    assert unused == set()


def test_nothing_is_fetched_from_another_place_or_built_from_markup() -> None:
    for name, text in SCRIPTS.items():
        assert "innerHTML" not in text, name
        assert "eval(" not in text, name
        assert "//" not in re.sub(
            r"(?m)^\s*//.*$|;? // .*$|:// ?\$\{|\}://|http://www\.w3\.org/2000/svg", "", text
        ), name


def test_the_first_load_is_light() -> None:
    """Everything together is far below the 300 kB that one page may take."""
    assert sum(path.stat().st_size for path in PAGE.iterdir()) < 150_000
