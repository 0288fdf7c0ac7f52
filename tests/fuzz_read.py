"""Damaged pictures through `finito read`: `python -m tests.fuzz_read --count 10000 [--seed 1]`.

Every file gives an answer or a sentence; anything else is a fault and is kept for a look.
"""

from __future__ import annotations

import argparse
import io
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from PIL import Image

from finito.cli.read import answer_for
from finito.errors import BadInput
from finito.seeing import Eyes, look_at, open_eyes, plainly
from tests.vision.rendered_photos import open_cards

_GROWTH_MB = 600  # what decoding and both nets may take on top of a warm start
_MOST_BYTES = 1 << 22


def seeds() -> list[bytes]:
    """Small pictures in every format that is read."""
    shown = Image.fromarray(open_cards(["R5", "Y0", "B8", "G6"]).picture[:, :, ::-1]).resize((320, 180))
    deep = Image.fromarray(np.asarray(shown.convert("L")).astype(np.uint16) * 257)
    tags = Image.Exif()
    tags[0x0112] = 6
    made = []
    for picture, kind, options in (
        (shown, "JPEG", {"exif": tags}),
        (shown, "JPEG", {"progressive": True}),
        (shown.convert("CMYK"), "JPEG", {}),
        (shown, "PNG", {}),
        (shown.convert("RGBA"), "PNG", {}),
        (deep, "PNG", {}),
        (shown, "WEBP", {}),
        (shown, "BMP", {}),
        (shown, "TIFF", {"compression": "tiff_lzw"}),
        (shown.convert("P"), "GIF", {}),
        (shown, "PPM", {}),
    ):
        into = io.BytesIO()
        picture.save(into, kind, **options)
        made.append(into.getvalue())
    return made


def mutated(rng: np.random.Generator, content: bytes) -> bytes:
    """A few bytes changed, cut off, doubled, moved or blown up."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        size = len(data)
        if size < 4:
            break
        at, length = int(rng.integers(size)), int(rng.integers(1, max(2, size // 8)))
        kind = int(rng.integers(6))
        if kind == 0:  # early bytes hold sizes and kinds
            data[int(rng.integers(min(size, 64)))] = int(rng.integers(256))
        elif kind == 1:
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            data[at:at] = data[at : at + length]
        elif kind == 4:
            data[at : at + length] = rng.integers(0, 256, length, np.uint8).tobytes()
        else:
            data[at : at + 4] = b"\xff\xff\xff\x7f"
    return bytes(data[:_MOST_BYTES])


def outcome(eyes: Eyes, path: Path) -> str:
    """`answer` or `sentence`; whatever else is raised is for the caller."""
    try:
        picture = look_at(path)
        with plainly():
            cards = eyes.table.read(picture)
    except BadInput as problem:
        sentence = str(problem)
        assert sentence.strip(), "an empty sentence"
        assert "\n" not in sentence, sentence
        return "sentence"
    answer_for(str(path), (picture.shape[1], picture.shape[0]), None, cards)
    return "answer"


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_read", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-faults"), help="folder for what went wrong")
    given = parser.parse_args()
    eyes, originals = open_eyes(), seeds()
    seen: Counter[str] = Counter()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.jpg"
        for content in originals:
            path.write_bytes(content)
            assert outcome(eyes, path) == "answer"
        warm = memory_mb()
        for number in range(given.count):
            rng = np.random.default_rng([given.seed, number])
            content = mutated(rng, originals[int(rng.integers(len(originals)))])
            path.write_bytes(content)
            try:
                seen[outcome(eyes, path)] += 1
            except Exception as fault:
                seen[f"fault: {type(fault).__name__}"] += 1
                given.keep.mkdir(exist_ok=True)
                (given.keep / f"{given.seed}-{number}.bin").write_bytes(content)
    grown = memory_mb() - warm
    spent = time.monotonic() - started
    sys.stdout.write(
        f"{given.count} files in {spent:.0f} s: {dict(seen)}; memory grew by {grown:.0f} MB over {warm:.0f}\n"
    )
    if any(kind.startswith("fault") for kind in seen) or grown > _GROWTH_MB:
        sys.exit(1)


if __name__ == "__main__":
    main()
