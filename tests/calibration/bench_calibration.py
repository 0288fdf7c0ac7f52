"""Figures of calibration on rendered tables: `python -m tests.calibration.bench_calibration`.

Plane errors in millimetres all over the table against the true camera, and what the drift watch costs per
1080p frame beside decoding that frame from JPEG, interleaved in the same run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import cv2
import numpy as np

from calibration.drift import DriftWatch
from calibration.lens import Lens
from calibration.markers import find_markers
from calibration.table_plane import TablePlane, plane_from_cards, plane_from_markers
from tests.calibration.photos import lens_of, photo, plane_errors, table_scene, without_cards

TABLES = 24
FRAMES = 300


def say(words: str) -> None:
    sys.stdout.write(words + "\n")


def by_markers(seed: int, lens: Lens | None) -> TablePlane:
    scene = table_scene(seed)
    return plane_from_markers(find_markers(without_cards(scene)), scene.camera.size, lens)


def by_cards(seed: int, lens: Lens | None) -> TablePlane:
    """From 18 true quads with a pixel of noise, some of them on piles of up to 7 mm."""
    scene = table_scene(seed, cards=18, markers=False)
    quads = np.array([card.corners for card in photo(scene).cards if card.cut_off == 0])
    quads = quads + np.random.default_rng(seed).normal(0, 1.0, quads.shape)
    return plane_from_cards(quads, scene.camera.size, lens)


def planes(name: str, found: Callable[[int, Lens | None], TablePlane]) -> None:
    for lens_known in (True, False):
        errors, expected = [], []
        for seed in range(TABLES):
            camera = table_scene(seed).camera
            plane = found(seed, lens_of(camera) if lens_known else None)
            errors.append(plane_errors(plane, camera))
            expected.append(plane.error_mm)
        means = [each.mean() for each in errors]
        say(
            f"{name}, lens {'known' if lens_known else 'unknown'}: mean {np.median(means):.2f} mm (95% of "
            f"tables below {np.quantile(means, 0.95):.2f}), worst point "
            f"{max(each.max() for each in errors):.2f} mm, said {np.median(expected):.2f}"
        )


def drift() -> None:
    scene = table_scene(0, cards=12)
    picture = photo(scene).picture
    watch = DriftWatch(picture, by_markers(0, lens_of(scene.camera)))
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    looking, decoding = [], []
    for number in range(FRAMES):
        start = time.perf_counter()
        cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
        middle = time.perf_counter()
        watch.look(picture, (number + 1) / 30)
        looking.append(time.perf_counter() - middle)
        decoding.append(middle - start)
    looks = [each for each in looking if each > 1e-4]
    say(
        f"drift watch at 1080p, 30 frames a second: {np.mean(looking) * 1e3:.2f} ms a frame (a look takes "
        f"{np.median(looks) * 1e3:.2f} ms, one frame in {len(looking) / len(looks):.0f}); "
        f"JPEG decode {np.mean(decoding) * 1e3:.2f} ms; ratio {sum(looking) / sum(decoding):.3f}"
    )


if __name__ == "__main__":
    cv2.setNumThreads(1)
    planes("markers", by_markers)
    planes("cards", by_cards)
    drift()
