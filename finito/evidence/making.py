"""Clip and still of a call, from a session or from the last seconds of a live table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from finito.errors import BadInput
from finito.evidence.calls import Call, header_of, headline, rule_in_words
from finito.evidence.outlines import outlines
from finito.evidence.still import still
from finito.recording.export import export_clip, finished
from finito.recording.session import Session, WrittenAction
from finito.replaying.stages import rejudge
from referee.actions import RoundHeader
from referee.errors import RefereeError
from referee.language import words_of
from vision.frame import Frame
from vision.overlay import Mark

BEFORE: Final = 2.0
AFTER: Final = 1.0


class Footage(Protocol):
    """Where pictures of a moment come from: a session, or the last seconds of a live table."""

    def frames(self, start: float = 0.0, end: float | None = None) -> Iterator[Frame]: ...

    def frame_at(self, t: float) -> Frame | None: ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """The files that show a call; None where there was no video of it."""

    line: int
    clip: Path | None
    still: Path | None


def make_evidence(
    footage: Footage,
    call: Call,
    folder: Path,
    *,
    marks: Sequence[Mark] = (),
    header: RoundHeader | None = None,
    language: str = "en",
) -> Evidence:
    """Writes line-000012.mp4 and line-000012.jpg into the folder, as far as there is video."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"line-{call.line:06d}"
    return Evidence(
        call.line,
        write_clip(footage, call, stem.with_suffix(".mp4")),
        _still(footage, call, stem.with_suffix(".jpg"), marks, header, language),
    )


def evidence_of(session: Session, call: Call, folder: Path, language: str | None = None) -> Evidence:
    """The evidence of a call in a recorded session, outlined where the table was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"line-{call.line:06d}"
    clip = write_clip(session, call, stem.with_suffix(".mp4"))
    return Evidence(call.line, clip, write_still(session, call, stem.with_suffix(".jpg"), language))


def write_still(session: Session, call: Call, out: Path, language: str | None = None) -> Path | None:
    """The still of a call in a recorded session; None where there is no video of that moment."""
    actions, spoken = session.actions(), language or session.about.language
    words_of(spoken)
    if spoken != session.about.language:
        call = translated(call, actions, spoken)
    return _still(session, call, out, outlines(session, call), header_of(actions, call.line), spoken)


def translated(call: Call, actions: Sequence[WrittenAction], language: str) -> Call:
    """The call with its reason in another language, where judging anew comes to the same verdict."""
    try:
        again = {answer["line"]: answer for answer in rejudge(actions, language) if "verdict" in answer}
    except (BadInput, RefereeError):
        return call
    answer = again.get(call.line)
    if answer is None or answer["rule"] != call.entry.get("rule"):
        return call
    return Call(call.line, {**call.entry, "why": answer["why"]})


def write_clip(footage: Footage, call: Call, out: Path) -> Path | None:
    """Three seconds around a call; None where there is no video of them."""
    frames = footage.frames(max(0.0, call.t - BEFORE), call.t + AFTER)
    first = next(frames, None)
    if first is None:
        return None

    def all_frames() -> Iterator[Frame]:
        yield first
        yield from frames

    export_clip(all_frames(), out)
    return out


def _still(
    footage: Footage,
    call: Call,
    out: Path,
    marks: Sequence[Mark],
    header: RoundHeader | None,
    language: str,
) -> Path | None:
    frame = footage.frame_at(call.t)
    if frame is None or not call.t - BEFORE <= frame.t <= call.t + AFTER:
        return None
    picture = still(
        frame.picture, marks, call.outcome, headline(call, language), words(call, header, language)
    )
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    if not done:
        raise BadInput(f"{out} cannot be made: the picture is too large")
    with finished(out) as path:
        path.write_bytes(np.asarray(data).tobytes())
    return out


def words(call: Call, header: RoundHeader | None, language: str) -> list[str]:
    """What happened, and the rule."""
    why = call.entry.get("why")
    sentences = [str(why)] if why else []
    return [*sentences, rule_in_words(call.rule, header, language)] if call.rule else sentences
