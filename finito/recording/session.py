"""A session as it lies on the disk: read only, and whole as far as it goes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final

from finito.errors import BadInput
from finito.recording.about import SessionAbout, hash_of, read_about
from finito.recording.ending import last_moment, time_of
from finito.recording.footage import frame_times, picture_at, pictures
from finito.recording.lines import Line, read_lines
from finito.recording.names import ACTIONS, FRAME_INDEX, NOTICES, OBSERVATIONS, TIMED
from finito.recording.video import part_number
from vision.frame import Frame
from vision.observations import Observation, observation_from

_SAME_MOMENT: Final = 0.002


@dataclass(frozen=True, slots=True)
class Part:
    """A video file of a session and the moment of the session at which it begins."""

    path: Path
    starts: float


@dataclass(frozen=True, slots=True)
class WrittenAction:
    """A line of actions.jsonl with its number."""

    line: int
    entry: dict[str, Any]


class Session:
    """Opens whatever of a session is there; BadInput only where the folder is no session at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.about: SessionAbout = read_about(folder)

    @property
    def name(self) -> str:
        return self.folder.name

    def actions(self) -> list[WrittenAction]:
        """The lines of the rounds; a last line that was cut off is left out."""
        lines = read_lines(self.folder / ACTIONS)
        return [WrittenAction(line.number, line.value) for line in lines if isinstance(line.value, dict)]

    def observations(self) -> Iterator[Observation]:
        for line in read_lines(self.folder / OBSERVATIONS):
            observation = _observation(line)
            if observation is not None:
                yield observation

    @property
    def has_observations(self) -> bool:
        path = self.folder / OBSERVATIONS
        return path.is_file() and path.stat().st_size > 0

    def notices(self) -> list[dict[str, Any]]:
        return [line.value for line in read_lines(self.folder / NOTICES) if isinstance(line.value, dict)]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The video files in order; one whose beginning nobody told follows the one before."""
        told = {
            line.get("file"): line.get("starts") for line in self.notices() if line.get("what") == "video"
        }
        numbered = {part_number(path): path for path in self.folder.glob("video*.mp4")}
        numbered.pop(None, None)
        found: list[Part] = []
        for number in sorted(number for number in numbered if number is not None):
            path = numbered[number]
            starts = told.get(path.name)
            if not isinstance(starts, int | float):
                starts = self._end(found[-1]) if found else 0.0
            found.append(Part(path, float(starts)))
        return tuple(found)

    def frame_times(self) -> list[float]:
        """The moments of the session of which there are pictures."""
        return [part.starts + t for part in self.parts for t in self.times_of(part)]

    def frames(self, start: float = 0.0, end: float | None = None) -> Iterator[Frame]:
        """The recorded frames of a stretch of time, with the times and numbers they had."""
        numbers, unknown = self._numbers, count(max(self._numbers[1], default=-1) + 1)
        for part in self.parts:
            if end is not None and part.starts > end:
                return
            until = None if end is None else end - part.starts
            try:
                for t, picture in pictures(part.path, max(0.0, start - part.starts), until):
                    moment = part.starts + t
                    yield Frame(picture, moment, _numbered(numbers, moment, unknown))
            except BadInput:
                continue  # a file that was killed before its first fragment; `problems` tells of it

    def frame_at(self, t: float) -> Frame | None:
        """What the camera saw at a moment: the last frame before it; None without any video."""
        before = [part for part in self.parts if part.starts <= t + 1e-6] or list(self.parts[:1])
        for part in reversed(before):
            try:
                found = picture_at(part.path, max(0.0, t - part.starts))
            except BadInput:
                continue
            if found is not None:
                moment = part.starts + found[0]
                return Frame(found[1], moment, _numbered(self._numbers, moment, count(0)))
        return None

    @property
    def seconds(self) -> float:
        """How long it lasted, as far as the lines tell, or else the video."""
        return last_moment(self.folder, TIMED)[0] or max(self.frame_times(), default=0.0)

    @property
    def closed(self) -> bool:
        """Whether the last run ended as it should."""
        notices = [line.get("what") for line in self.notices()]
        return bool(notices) and notices[-1] == "closed"

    def problems(self) -> list[str]:
        """What is missing or damaged, a sentence each."""
        return [*self._bad_lines(), *self._bad_videos(), *self._changed_files(), *self._said()]

    def _said(self) -> Iterator[str]:
        for line in self.notices():
            if line.get("what") in ("video-stopped", "frames-dropped", "lines-waiting"):
                yield f"at {time_of(line):.1f} s: {line.get('why')}"
        if not self.closed:
            yield "the session was cut off before its end"

    def _bad_lines(self) -> Iterator[str]:
        for name in (ACTIONS, OBSERVATIONS, NOTICES):
            for line in read_lines(self.folder / name):
                if line.value is None and line.cut:
                    yield f"{name}: the last line is cut off"
                elif not isinstance(line.value, dict) or (
                    name == OBSERVATIONS and _observation(line) is None
                ):
                    yield f"{name}: line {line.number} is damaged and left out"

    def _bad_videos(self) -> Iterator[str]:
        for part in self.parts:
            if not self.times_of(part):
                yield f"{part.path.name} holds no picture that can be decoded"

    def _changed_files(self) -> Iterator[str]:
        for kept in (self.about.deck, self.about.table):
            if kept is None or kept.file is None:
                continue
            path = self.folder / kept.file
            if not path.exists():
                yield f"{kept.file} ({kept.name}) is missing"
            elif hash_of(path) != kept.sha256:
                yield f"{kept.file} ({kept.name}) was changed since the session began"

    def _end(self, part: Part) -> float:
        times = self.times_of(part)
        return part.starts + (times[-1] + 0.1 if times else 0.0)

    def times_of(self, part: Part) -> list[float]:
        """The times of its pictures from its beginning; none where it was cut off before the first."""
        try:
            return frame_times(part.path)
        except BadInput:
            return []

    @cached_property
    def _numbers(self) -> tuple[list[float], list[int]]:
        """Times and numbers of the frames that went into the video."""
        pairs = (line.value for line in read_lines(self.folder / FRAME_INDEX))
        good = [(float(pair[1]), int(pair[0])) for pair in pairs if _is_pair(pair)]
        good.sort()
        return [t for t, _ in good], [number for _, number in good]


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and all(isinstance(each, int | float) for each in value)
    )


def _numbered(numbers: tuple[list[float], list[int]], t: float, unknown: Iterator[int]) -> int:
    times, known = numbers
    after = bisect_left(times, t)
    near = [index for index in (after - 1, after) if 0 <= index < len(times)]
    closest = min(near, key=lambda index: abs(times[index] - t), default=None)
    if closest is not None and abs(times[closest] - t) <= _SAME_MOMENT:
        return known[closest]
    return next(unknown)


def _observation(line: Line) -> Observation | None:
    if not isinstance(line.value, dict):
        return None
    try:
        return observation_from(line.text)
    except ValueError:
        return None
