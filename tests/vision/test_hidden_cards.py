"""Cards that are hard to see: in glare, on a table of their own colour, among outlines that are wrong."""

from __future__ import annotations

from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.test_back_counter import house, lying, reader, table
from tests.vision.test_laid_count import EdgeNet
from vision.back_counter import BackCounter
from vision.card_finder import CardFinder, FoundCard
from vision.counting.relief import Relief, alike, either, together
from vision.counting.table_plane import agreed
from vision.counting.tally import tally
from vision.finding.maps import BORDER
from vision.onnx_model import OnnxModel

UNSEEN = 3  # the number of a card that neither net nor finder makes out


class BlindNet(EdgeNet):
    """Sees no edges at all, and bare table where one card lies."""

    def _maps(self, cells: NDArray[np.int16], scale: float) -> NDArray[np.float32]:
        maps = super()._maps(np.where(cells == UNSEEN, 0, cells).astype(np.int16), scale)
        maps[BORDER] = -1.0
        return maps


def test_a_card_that_no_outline_hints_at_is_found_by_its_back() -> None:
    backs = ("pizza", "gelato", "tiramisu", "gelato", "pizza", "pizza")
    cards = [lying(back, 70.0 * (k % 3) - 70, 100.0 * (k // 3) - 50) for k, back in enumerate(backs)]
    rendered = table(cards)

    class Finder:
        def find(self, _picture: Any) -> list[FoundCard]:
            seen = [card.corners.astype(np.float32) for card in rendered.cards if card.number != UNSEEN]
            return [FoundCard(quad, 0.99, 1.0) for quad in seen]

    net, finder = cast(OnnxModel, BlindNet(rendered)), cast(CardFinder, Finder())
    count = BackCounter(net, reader(), house(), finder).count("a.jpg", rendered.picture)
    result = tally(count.cards, count.doubts, [back.name for back in house().backs], 36)
    assert dict(result.counts) == {"pizza": 3, "gelato": 2, "tiramisu": 1}


def pattern(seed: int) -> NDArray[np.float32]:
    noise = np.random.default_rng(seed).uniform(0, 255, (120, 80, 3)).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(noise, (0, 0), 3.0) * 3 - 255, np.float32)


def lines(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    return Relief(picture).of(0.9).reshape(1, -1, 3)


def test_a_smudge_of_glare_leaves_the_lines_of_a_back() -> None:
    own, other = pattern(1), pattern(2)
    glare = np.exp(-((np.arange(80) - 20.0) ** 2) / 800)[None, :, None]
    smudged = (own * (1 - 0.7 * glare) + 255 * 0.7 * glare).astype(np.float32)
    right, wrong = alike(np.concatenate([lines(own), lines(other)]), lines(smudged))[0]
    assert right > 0.7
    assert wrong < 0.1


def test_where_glare_spoils_the_colours_the_lines_still_speak_for_a_card() -> None:
    assert either(np.array(-1.0), np.array(0.8)) > 0.5
    assert either(np.array(-0.4), np.array(-0.3)) < 0


def test_lines_that_fit_no_back_do_not_outvote_the_colours() -> None:
    by_colours = together(np.array([0.7, 0.5]), np.array([-0.3, -0.1]))
    assert by_colours[0] - by_colours[1] > 0.15
    in_glare = together(np.array([0.0, 0.1]), np.array([0.8, 0.5]))
    assert in_glare[0] - in_glare[1] > 0.25


def test_outlines_of_a_pattern_yield_to_sure_ones_of_cards() -> None:
    aspect, size = 0.65, (1920, 1080)
    rng = np.random.default_rng(5)
    half = np.array([(-aspect, -1), (aspect, -1), (aspect, 1), (-aspect, 1)]) * 60
    sure = [half + rng.uniform((200, 200), (1700, 900)) for _ in range(12)]
    odd = [half * rng.uniform(0.4, 0.9, (1, 2)) + rng.uniform((200, 200), (1700, 900)) for _ in range(12)]
    quads, _ = agreed(odd, np.full(12, 0.5), sure, aspect, size)
    assert len(quads) == 24
    quads, _ = agreed(sure, np.full(12, 0.5), sure[:3], aspect, size)
    assert len(quads) == 12
