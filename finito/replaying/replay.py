"""One session, or one video, told again and compared; the answer is plain data."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finito.errors import BadInput
from finito.recording.session import Session
from finito.replaying.comparing import compare_tellings, compare_verdicts
from finito.replaying.setting import setting_of, setting_of_video
from finito.replaying.stages import reinfer, rejudge, resee, with_header
from finito.replaying.wish import Stage, Wish
from referee.errors import RefereeError
from vision.errors import VisionError
from vision.frame import Frame
from vision.sources.video import VideoFile

Json = dict[str, Any]


@dataclass(slots=True)
class Replayed:
    """What came out; `problem` is a sentence where nothing did."""

    session: str
    stage: str
    actions: int = 0
    differences: list[Json] = field(default_factory=list)
    told: list[Json] = field(default_factory=list)
    problem: str | None = None
    seconds: float = 0.0

    def to_json(self) -> Json:
        problem = {} if self.problem is None else {"problem": self.problem}
        return {
            "type": "replay",
            "session": self.session,
            "from": self.stage,
            "actions": self.actions,
            "differences": self.differences,
            **problem,
        }


def replay(wish: Wish) -> Replayed:
    """Tells a session again; a session that cannot be told is an answer too, so that others go on."""
    began = time.perf_counter()
    try:
        done = _replayed(wish)
    except (BadInput, RefereeError, VisionError) as problem:
        stage = wish.stage.value if wish.stage else ""
        done = Replayed(Path(wish.path).name, stage, problem=f"{Path(wish.path).name}: {problem}")
    done.seconds = time.perf_counter() - began
    return done


def _replayed(wish: Wish) -> Replayed:
    path = Path(wish.path)
    if path.is_file():
        told = list(resee(setting_of_video(path, wish), _frames_of(path)))
        return Replayed(path.name, Stage.VIDEO, len(told), told=told if wish.told else [])
    session = Session(path)
    stage = wish.stage or default_stage(session)
    if stage is Stage.ACTIONS:
        return _rejudged(session, wish)
    setting = setting_of(session, wish)
    told = list(
        reinfer(setting, session.observations())
        if stage is Stage.OBSERVATIONS
        else resee(setting, session.frames())
    )
    differences = [each.to_json() for each in compare_tellings(session.actions(), told)]
    return Replayed(session.name, stage, len(told), differences, told if wish.told else [])


def _frames_of(video: Path) -> Iterator[Frame]:
    with VideoFile(video) as source:
        yield from (event for event in source if isinstance(event, Frame))


def default_stage(session: Session) -> Stage:
    """From the last arrow of which there is a record: it costs the least."""
    if session.actions():
        return Stage.ACTIONS
    if session.has_observations:
        return Stage.OBSERVATIONS
    if session.parts:
        return Stage.VIDEO
    raise BadInput("nothing was recorded in it: no actions, no observations, no video")


def _rejudged(session: Session, wish: Wish) -> Replayed:
    actions = with_header(session.actions(), session.about)
    if not actions:
        raise BadInput("it holds no actions; tell it from the observations or the video with --from")
    answers = list(rejudge(actions, wish.language or session.about.language))
    differences = [each.to_json() for each in compare_verdicts(actions, answers)]
    judged = sum("line" in answer for answer in answers)
    return Replayed(
        session.name, Stage.ACTIONS, judged, differences, _told(session, answers) if wish.told else []
    )


def _told(session: Session, answers: list[Json]) -> list[Json]:
    """Actions with their new answers in the same object, as `finito watch` prints them."""
    entries = {action.line: action.entry for action in session.actions()}
    return [
        {**entries.get(answer["line"], {}), **answer} if "line" in answer else answer for answer in answers
    ]
