"""Sessions for tests: a golden round with its verdicts, and pictures of a table on which one card moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from finito.judging import WrittenRounds
from finito.recording.about import SeatedPlayer, SessionAbout
from finito.recording.limits import Limits
from finito.recording.writer import SessionWriter
from referee.notation import parse_line
from tests.rules.golden import ROUNDS
from vision.frame import Frame, Picture
from vision.observations import Look, Tick, centre_spot

ABOUT = SessionAbout(
    players=(SeatedPlayer("pizza", "south"), SeatedPlayer("gelato", "north")), source="camera 0"
)
UNLIMITED = Limits(video=0, keep_free=0)


def table(number: int, size: tuple[int, int] = (320, 180)) -> Picture:
    """A table with a white card that moves a little from frame to frame: its place tells the number."""
    picture = np.full((size[1], size[0], 3), (60, 90, 70), np.uint8)
    x = 10 + number * 2 % (size[0] - 60)
    cv2.rectangle(picture, (x, 60), (x + 40, 120), (255, 255, 255), cv2.FILLED)
    return picture


def shown_number(picture: Picture) -> int:
    """The number of a `table` picture, up to what a lap of the card is."""
    white = (picture[90] > 200).all(axis=1)
    return (int(np.argmax(white)) - 10) // 2


def film(writer: SessionWriter, seconds: float, rate: int = 20, start: float = 0.0) -> int:
    """Hands over frames as fast as the encoder takes them, until the video stops; gives how many."""
    count = round(seconds * rate)
    for number in range(count):
        frame = Frame(table(number), start + number / rate, number)
        if not writer.frame(frame, wait=True):
            return number
    return count


def golden_lines(name: str) -> list[dict[str, Any]]:
    """A golden round as `finito watch` writes it: actions with their verdicts, the result after the count."""
    lines: list[dict[str, Any]] = []
    rounds = WrittenRounds()
    for number, text in enumerate((ROUNDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines(), 1):
        lines.append(json.loads(text))
        for answer in rounds.feed(number, parse_line(text)):
            if answer.get("type") == "result":
                lines.append(answer)
            elif "why" not in lines[answer["line"] - 1]:
                lines[answer["line"] - 1]["why"] = answer["why"]
    return lines


def golden_session(
    folder: Path, name: str = "wrong-colour-broken", *, seconds: float = 0.0, about: SessionAbout = ABOUT
) -> list[dict[str, Any]]:
    """Records a golden round; gives its lines."""
    lines = golden_lines(name)
    with SessionWriter.create(folder, about, limits=UNLIMITED, video=seconds > 0) as writer:
        if seconds:
            film(writer, seconds)
            writer.observe(Tick(0.0, 0))
            writer.observe(Look(centre_spot(1), 0.5, 1.0, "face", (("R3", 0.99),), frames=(10, 20)))
        for line in lines:
            assert writer.act(line).kept
    return lines
