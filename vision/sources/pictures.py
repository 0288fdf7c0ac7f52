"""Reads a picture file as upright 8-bit BGR; the header is judged before a single pixel is decoded."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, UnidentifiedImageError
from PIL.Image import Image as Opened

from vision.errors import BadPicture
from vision.frame import Picture

MOST_PIXELS: Final = 80_000_000  # a third of a gigabyte once decoded, and more than today's phones take
LEAST_SIDE: Final = 8
PICTURE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif"})
# Only formats that Pillow decodes by itself: an EPS file would start another program.
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "PPM")
_ORIENTATION: Final = 0x0112
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_OTHER_KINDS: Final = (
    (b"%PDF", "a PDF document; export its page as JPEG or PNG"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"<", "a web page or drawing, not a photo; save the photo itself"),
    (b"%!PS", "a PostScript document; export it as JPEG or PNG"),
)


def read_picture(path: Path | str) -> Picture:
    """The picture as it is meant to be looked at; raises BadPicture with one sentence otherwise."""
    file = Path(path)
    head = _head(file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(file, formats=_FORMATS) as opened:
                check_size(str(file), *opened.size)
                return _bgr(_upright(opened), file)
        except BadPicture:
            raise
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            raise _too_large(str(file), "more pixels than can be decoded") from None
        except UnidentifiedImageError:
            raise BadPicture(f"{file} {_what_it_is(head)}") from None
        except MemoryError:
            raise BadPicture(f"{file} needs more memory than there is; scale it down") from None
        except Exception as error:  # Pillow's decoders raise almost anything on a damaged file
            reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
            raise BadPicture(f"{file} is damaged ({reason}); copy or take the photo again") from None


def check_size(name: str, width: int, height: int) -> None:
    """Refuses what is too large to decode or too small to show a card."""
    if width * height > MOST_PIXELS:
        raise _too_large(name, f"{width} x {height} pixels")
    if min(width, height) < LEAST_SIDE:
        raise BadPicture(f"{name} is only {width} x {height} pixels; a card needs at least {LEAST_SIDE}")


def _too_large(name: str, size: str) -> BadPicture:
    limit = MOST_PIXELS // 1_000_000
    return BadPicture(f"{name} is too large: {size}, the limit is {limit} million; scale it down")


def _head(file: Path) -> bytes:
    if file.is_dir():
        raise BadPicture(f"{file} is a folder; name the pictures in it")
    if not file.exists():
        raise BadPicture(f"{file} does not exist; check the name")
    if not file.is_file():
        raise BadPicture(f"{file} is no file; name a JPEG or PNG picture")
    try:
        with file.open("rb") as stream:
            head = stream.read(16)
    except OSError as error:
        raise BadPicture(f"{file} cannot be read ({error.strerror or error}); check its rights") from None
    if not head:
        raise BadPicture(f"{file} is empty (0 bytes); copy or take the photo again")
    return head


def _what_it_is(head: bytes) -> str:
    if head[4:8] == b"ftyp" and head[8:12] in (b"heic", b"heix", b"mif1", b"msf1", b"hevc"):
        return "is an HEIC picture, which cannot be read here; set the phone to JPEG or export it as JPEG"
    if head[4:8] == b"ftyp":
        return "is a video, not a picture; name it as a source to watch"
    for start, kind in _OTHER_KINDS:
        if head.lstrip().startswith(start):
            return f"is {kind}"
    return "is not a picture in a known format, or damaged; use JPEG, PNG, WebP, BMP or TIFF"


def _upright(opened: Opened) -> Opened:
    try:
        turn = _TURNS.get(int(opened.getexif().get(_ORIENTATION, 1)))
    except Exception:  # a damaged tag says nothing about the pixels
        turn = None
    opened.load()
    return opened if turn is None else opened.transpose(turn)


def _bgr(opened: Opened, file: Path) -> Picture:
    if opened.mode in ("I;16", "I;16B", "I;16L", "I;16N", "I", "F"):
        return _from_deep_grey(opened, file)
    if "transparency" in opened.info or opened.mode in ("RGBA", "LA", "PA", "La", "RGBa"):
        opened = opened.convert("RGBA")
        opened = Image.alpha_composite(Image.new("RGBA", opened.size, (255, 255, 255, 255)), opened)
    rgb = np.asarray(opened.convert("RGB"))
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _from_deep_grey(opened: Opened, file: Path) -> Picture:
    """Grey of more than 8 bits: full scale is 16 bits, whatever the darkest and brightest pixels are."""
    deep = np.asarray(opened)
    if deep.dtype.kind == "f" or deep.min() < 0 or deep.max() > 65535:
        raise BadPicture(f"{file} holds {opened.mode} values that are no 16-bit grey; export it as 8-bit PNG")
    grey = (deep.astype(np.uint32) // 257).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2))


def taken_at(path: Path) -> str | None:
    """The moment a photo was taken, from its EXIF data, as text that sorts by time."""
    try:
        with Image.open(path, formats=_FORMATS) as opened:
            tags = opened.getexif().get_ifd(0x8769)
    except Exception:  # a photo that cannot be opened is reported when it is read
        return None
    moment, part = tags.get(0x9003), str(tags.get(0x9291, "0")).strip() or "0"
    return f"{moment}.{part}" if isinstance(moment, str) and len(moment) == 19 else None
