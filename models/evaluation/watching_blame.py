"""Which stage lost a play: finder, reader, tracker, inference, rules; each is asked whether it had it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from finito.bots import BotRound
from models.evaluation.inferring_round import Said
from models.evaluation.watching_looks import LookScore
from referee.actions import Play
from vision.card_reader import CardReading
from vision.finding.selection import overlap
from vision.frame import Frame
from vision.pipelining.eye import Eye
from vision.pipelining.known_size import Box, Part
from vision.reading.crops import Quad

STAGES: Final = ("finder", "reader", "tracker", "inference", "rules")
_BEFORE, _AFTER = 0.2, 2.5  # seconds around a play in which its card had to be seen
_SAME_CARD: Final = 0.5
_OPEN: Final = 0.5  # of a card must show for it to be the eyes' fault that it was missed


@dataclass
class LoggedEye:
    """An eye that remembers what it found and read, by frame."""

    eye: Eye
    found: dict[int, list[Quad]] = field(default_factory=dict)
    read_: dict[int, list[tuple[Quad, str]]] = field(default_factory=dict)

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = self.eye.look(frame, box, width)
        quads = [np.asarray(card.corners, np.float32) for card in part.cards]
        self.found.setdefault(frame.number, []).extend(quads)
        return part

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        readings = self.eye.read(frame, quads)
        told = self.read_.setdefault(frame.number, [])
        told += [(quad, str(reading.face)) for quad, reading in zip(quads, readings, strict=True)]
        return readings


@dataclass(frozen=True)
class Seen:
    """What is known of a film: its true frames, and what the eye made of them."""

    frames: Path
    eye: LoggedEye

    def stage_of(self, card: str, t: float) -> str:
        """The first stage that did not have this card (its name) after it was laid at `t`."""
        found = read = shown = False
        for number, corners, face in self._where(card, t):
            shown = True
            quads = [*self.eye.found.get(number, ()), *(quad for quad, _ in self.eye.read_.get(number, ()))]
            found = found or any(overlap(quad, corners) > _SAME_CARD for quad in quads)
            told = self.eye.read_.get(number, ())
            read = read or any(face == said and overlap(quad, corners) > _SAME_CARD for quad, said in told)
        if not shown:
            return "inference"  # nobody could see it: what lay there before and after has to tell
        return "finder" if not found else "reader" if not read else "tracker"

    def _where(self, card: str, t: float) -> Iterable[tuple[int, Quad, str]]:
        for line in self.frames.open(encoding="utf-8"):
            begins = line.find('"t": ')
            at = float(line[begins + 5 : line.find(",", begins)])
            if at < t - _BEFORE:
                continue
            if at > t + _AFTER:
                return
            frame: dict[str, Any] = json.loads(line)
            for each in frame["cards"]:
                centre = str(each["place"]).startswith("pile")
                if each["id"] == card and each["side"] == "face" and each["visible"] >= _OPEN and centre:
                    yield frame["frame"], np.array(each["corners"], np.float32), each["face"]


def blame(
    played: BotRound, said: Sequence[Said], matches: dict[int, Said], looked: LookScore, seen: Seen
) -> Counter[str]:
    """Failures by kind and stage, such as `missed play: finder`."""
    counted: Counter[str] = Counter()
    for index, action in enumerate(played.actions):
        if not isinstance(action, Play) or action.t is None:
            continue
        heard = matches.get(index)
        if heard is None:
            stage = "inference"
            if index not in looked.seen_plays:
                stage = seen.stage_of(card_name(seen.frames, action), action.t.end)
            counted[f"missed play: {stage}"] += 1
        elif getattr(heard.last.action, "player", None) != action.player:
            counted["wrong player: inference"] += 1
    guilty = {index for _, index in played.faults}
    index_of = {id(each): index for index, each in matches.items()}
    for each in said:
        index_ = index_of.get(id(each))
        if index_ is None and each.stands and isinstance(each.last.action, Play):
            counted[f"play that was none: {_of_looks(each, looked)}"] += 1
        if index_ not in guilty and each.accused:
            stage = "rules" if index_ is not None else _of_looks(each, looked)
            counted[f"false accusation: {stage}"] += 1
    for name, index in played.faults:
        heard = matches.get(index)
        if heard is None:
            counted[f"fault {name} not seen: inference"] += 1
        elif heard.accused != name:
            counted[f"fault {name} not called: rules"] += 1
    return counted


def _of_looks(said: Said, looked: LookScore) -> str:
    """Whether the look that a play rests on was wrong."""
    inferred = said.last.inferred
    wrong = inferred is not None and any((look.spot, look.t) in looked.wrong_looks for look in inferred.looks)
    return "reader" if wrong else "inference"


def card_name(frames: Path, action: Play) -> str:
    """The card's name in the truth of the frames: its back and its face are there once."""
    owner = action.owner or action.player
    with frames.open(encoding="utf-8") as lines:
        for line in lines:
            for each in json.loads(line)["cards"]:
                if each["back"] == owner and each["face"] == str(action.face):
                    return str(each["id"])
    return ""


def blame_table(causes: Counter[str]) -> str:
    """A row per kind of failure, a column per stage."""
    kinds = sorted({cause.rsplit(": ", 1)[0] for cause in causes if cause.rsplit(": ", 1)[-1] in STAGES})
    lines = [f"{'failure':34}" + "".join(f"{stage:>11}" for stage in STAGES)]
    lines += [
        f"{kind:34}" + "".join(f"{causes[f'{kind}: {stage}']:11}" for stage in STAGES) for kind in kinds
    ]
    totals = [sum(n for c, n in causes.items() if c.endswith(f": {stage}")) for stage in STAGES]
    return "\n".join([*lines, f"{'all':34}" + "".join(f"{n:11}" for n in totals)])
