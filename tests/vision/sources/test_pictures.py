"""Every kind of picture file becomes upright 8-bit BGR, or one sentence."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.errors import BadPicture
from vision.sources import MOST_PIXELS, read_picture

RED, BLUE = (220, 20, 30), (20, 30, 220)


def half_red_half_blue(width: int = 64, height: int = 32) -> Image.Image:
    """Red left, blue right, in RGB."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2], pixels[:, width // 2 :] = RED, BLUE
    return Image.fromarray(pixels)


def refused(path: Path) -> str:
    with pytest.raises(BadPicture) as caught:
        read_picture(path)
    sentence = str(caught.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_respected(tmp_path: Path, orientation: int) -> None:
    upright = half_red_half_blue()
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # PIL's transpositions that undo each turn
    stored = upright if orientation == 1 else upright.transpose(Image.Transpose(undo[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "turned.png", exif=exif)
    picture = read_picture(tmp_path / "turned.png")
    assert np.array_equal(picture[:, :, ::-1], np.asarray(upright))


def test_colours_are_blue_green_red(tmp_path: Path) -> None:
    half_red_half_blue().save(tmp_path / "a.png")
    picture = read_picture(tmp_path / "a.png")
    assert tuple(picture[5, 5]) == RED[::-1]
    assert picture.dtype == np.uint8
    assert picture.flags["C_CONTIGUOUS"]


@pytest.mark.parametrize("value", [0, 300, 32768, 65535])
def test_sixteen_bit_grey_keeps_its_scale(tmp_path: Path, value: int) -> None:
    deep = np.full((20, 30), value, np.uint16)
    deep[0, 0] = 65535  # a bright pixel elsewhere must not change the others
    Image.fromarray(deep).save(tmp_path / "deep.png")
    picture = read_picture(tmp_path / "deep.png")
    assert picture.shape == (20, 30, 3)
    assert abs(int(picture[10, 10, 1]) - value // 257) <= 1


def test_sixteen_bit_colour_becomes_eight_bits(tmp_path: Path) -> None:
    import cv2

    deep = np.zeros((16, 16, 3), np.uint16)
    deep[:] = (1000, 30000, 65000)
    cv2.imwrite(str(tmp_path / "deep.png"), deep)
    picture = read_picture(tmp_path / "deep.png")
    assert np.abs(picture[8, 8].astype(int) - np.array([1000, 30000, 65000]) // 257).max() <= 1


@pytest.mark.parametrize("mode", ["L", "1", "P", "CMYK", "LA", "RGBA", "YCbCr"])
def test_grey_palette_cmyk_and_alpha_become_bgr(tmp_path: Path, mode: str) -> None:
    suffix = {"CMYK": "jpg", "YCbCr": "jpg"}.get(mode, "png")
    half_red_half_blue().convert(mode).save(tmp_path / f"a.{suffix}")
    picture = read_picture(tmp_path / f"a.{suffix}")
    assert picture.shape == (32, 64, 3)
    assert picture.dtype == np.uint8
    if mode in ("P", "CMYK", "RGBA", "YCbCr"):
        b, _, r = (int(v) for v in picture[16, 10])
        assert r > b + 100


def test_transparency_shows_white_paper_behind(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (16, 16), (0, 0, 0, 0))
    clear.save(tmp_path / "clear.png")
    assert read_picture(tmp_path / "clear.png").min() == 255


def test_a_zero_byte_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jpg").touch()
    assert "empty" in refused(tmp_path / "none.jpg")


def test_a_truncated_jpeg_is_refused_not_half_shown(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    data = io.BytesIO()
    Image.fromarray(noise).save(data, "JPEG")
    (tmp_path / "half.jpg").write_bytes(data.getvalue()[: len(data.getvalue()) // 2])
    assert "damaged" in refused(tmp_path / "half.jpg")


def test_a_pdf_named_jpg_is_called_a_pdf(tmp_path: Path) -> None:
    (tmp_path / "scan.jpg").write_bytes(b"%PDF-1.7\n1 0 obj\n")
    assert "PDF" in refused(tmp_path / "scan.jpg")


def test_an_iphone_picture_is_named_with_what_helps(tmp_path: Path) -> None:
    (tmp_path / "IMG_1.jpg").write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")
    assert "JPEG" in refused(tmp_path / "IMG_1.jpg")


@pytest.mark.parametrize("name", ["missing.jpg", "."])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    refused(tmp_path / name)


def huge_png(path: Path, width: int, height: int) -> None:
    """A valid PNG of one colour whose header is all that can be read cheaply."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99))
    )


@pytest.mark.parametrize("size", [(20_000, 20_000), (9_400, 9_400), (MOST_PIXELS // 8 + 1, 8)])
def test_a_picture_over_the_limit_is_refused_before_decoding(tmp_path: Path, size: tuple[int, int]) -> None:
    huge_png(tmp_path / "huge.png", *size)
    tracemalloc.start()
    try:
        assert f"{MOST_PIXELS // 1_000_000} million" in refused(tmp_path / "huge.png")
        assert tracemalloc.get_traced_memory()[1] < 40_000_000  # decoded, the smallest would take 80 million
    finally:
        tracemalloc.stop()


def test_mutated_files_give_a_picture_or_a_sentence(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    originals = []
    for kind in ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF"):
        data = io.BytesIO()
        half_red_half_blue().save(
            data, kind, exif=b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00"
        )
        originals.append(data.getvalue())
    answers = {"picture": 0, "sentence": 0}
    for i in range(300):
        changed = bytearray(originals[i % len(originals)])
        for _ in range(int(rng.integers(1, 12))):
            changed[int(rng.integers(len(changed)))] = int(rng.integers(256))
        if i % 5 == 0:
            changed = changed[: int(rng.integers(1, len(changed)))]
        path = tmp_path / "mutated.jpg"
        path.write_bytes(bytes(changed))
        try:
            assert read_picture(path).shape[2] == 3
            answers["picture"] += 1
        except BadPicture:
            answers["sentence"] += 1
    assert min(answers.values()) > 20
