"""Letters for invented decks: whatever fonts are at hand, shared out between the splits by family."""

from __future__ import annotations

import hashlib
import os
import re
import sysconfig
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
import platformdirs
from PIL import Image, ImageDraw, ImageFont

from finito.virtual_table.decks.deck import Picture

GLYPH_PX = 128
TRAINING = "training"  # folder of fonts that no exam uses
_SUFFIXES = {".ttf", ".otf", ".woff", ".woff2", ".pfb"}
_PACKAGES = ("reportlab/fonts", "matplotlib/mpl-data/fonts/ttf", "font_*", "wordcloud", "captcha")


_WEIGHT = re.compile(
    r"(extra|semi|demi|ultra)?(thin|light|regular|medium|bold|black|condensed)|\d+pt", re.IGNORECASE
)
_ALIASES = {"Bitstream Vera Sans": "DejaVu Sans", "Times New Roman PS": "Times", "Arial MT": "Arial"}


def fonts_folder() -> Path:
    """Where fetched fonts lie; FINITO_FONTS points elsewhere, and then the machine's own fonts stay out."""
    return Path(os.environ.get("FINITO_FONTS") or platformdirs.user_cache_path("finito") / "fonts")


@cache
def families(split: str) -> dict[str, tuple[Path, ...]]:
    """Font files by family for one split; a family's name decides its split on every machine."""
    return {name: paths for name, paths in _all_families().items() if _split_of(name, paths) == split}


def _split_of(family: str, paths: tuple[Path, ...]) -> str:
    if all(path.parent.name == TRAINING for path in paths):
        return "train"
    share = hashlib.sha256(family.encode()).digest()[1]
    return "train" if share < 154 else ("validation" if share < 205 else "test")


@cache
def _all_families() -> dict[str, tuple[Path, ...]]:
    by_family: dict[str, list[Path]] = {}
    for path in sorted(set(_files()), key=lambda p: (p.name, str(p))):
        family = _family(path)
        if family and all(known.name != path.name for known in by_family.get(family, ())):
            by_family.setdefault(family, []).append(path)
    return {name: tuple(paths) for name, paths in sorted(by_family.items())}


def _files() -> Iterator[Path]:
    packages = Path(sysconfig.get_paths()["purelib"])
    roots = [root for pattern in _PACKAGES for root in packages.glob(pattern)]
    roots.append(fonts_folder())
    if not os.environ.get("FINITO_FONTS"):
        roots += [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"]
    for root in roots:
        for path in root.rglob("*") if root.is_dir() else ():
            if path.suffix.lower() in _SUFFIXES:
                yield path


def _family(path: Path) -> str | None:
    """The family's name, or nothing when the file does not hold readable digits."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            font = ImageFont.truetype(str(path), 40)
            name = _bare_name(font.getname()[0] or path.stem)
            return name if _reads_as_digits(font) else None
    except (OSError, ValueError):
        return None


def _bare_name(name: str) -> str:
    """Weights and widths of one design are one family, and so is a design under two names."""
    words = [word for word in re.split(r"[\s-]+", name) if not _WEIGHT.fullmatch(word)]
    return _ALIASES.get(" ".join(words), " ".join(words))


def _reads_as_digits(font: ImageFont.FreeTypeFont) -> bool:
    """Symbol fonts put ornaments on the digit keys: their pictures resemble no digit."""
    known = np.stack([_thumbnail(_built_in(), str(n)) for n in range(10)])
    seen = np.stack([_thumbnail(font, str(n)) for n in range(10)])
    likeness = np.corrcoef(seen, known)[:10, 10:]
    return bool((likeness.argmax(axis=1) == np.arange(10)).sum() >= 6)


@cache
def _built_in() -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(40)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _thumbnail(font: ImageFont.FreeTypeFont, text: str) -> Picture:
    glyph = _drawn(font, text)
    if glyph.size == 0:
        return np.arange(16 * 24, dtype=np.uint8)
    return np.asarray(cv2.resize(glyph, (16, 24), interpolation=cv2.INTER_AREA), np.uint8).ravel()


def _drawn(font: ImageFont.FreeTypeFont, text: str) -> Picture:
    """The text as a mask, cut to its ink."""
    left, top, right, bottom = (int(edge) for edge in font.getbbox(text))
    picture = Image.new("L", (max(1, right - left + 4), max(1, bottom - top + 4)))
    ImageDraw.Draw(picture).text((2 - left, 2 - top), text, fill=255, font=font)
    mask = np.asarray(picture)
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    if not rows.size:
        return np.empty((0, 0), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


@lru_cache(maxsize=256)
def _opened(path: Path | None, pixels: int) -> ImageFont.FreeTypeFont:
    if path is None:
        font = ImageFont.load_default(pixels)
        assert isinstance(font, ImageFont.FreeTypeFont)
        return font
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ImageFont.truetype(str(path), pixels)


@lru_cache(maxsize=4096)
def glyph(path: Path | None, text: str) -> Picture:
    """A word or number as a large mask, cut to its ink; no path means the font built into Pillow."""
    mask = _drawn(_opened(path, GLYPH_PX), text)
    return mask if mask.size else _drawn(_opened(None, GLYPH_PX), text)
