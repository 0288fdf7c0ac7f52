"""Recorded sessions over HTTP: told again with the board at every moment, their video, clips, and files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Response
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from finito.errors import BadInput
from finito.recording.about import about_json
from finito.recording.ending import time_of
from finito.recording.library import SessionLibrary, files_of
from finito.recording.session import Session, WrittenAction
from finito.recording.telling import ENDINGS, final_actions, in_order
from finito.replaying.stages import ASIDE, with_header
from finito.web.board_json import board_json
from finito.web.problems import DOCUMENTED
from finito.web.spoken import in_all_languages, spoken
from finito.web.table_routes import Spoken
from referee.actions import Amend, Count, Deal, Remark, RoundHeader, Undo
from referee.errors import RefereeError
from referee.judge import Answer
from referee.notation import parse_entry
from referee.round import RoundReferee
from referee.state import RoundState

Json = dict[str, Any]
LONGEST_CLIP: Final = 30.0
MOST_LISTED: Final = 500
Name = Annotated[str, Path(min_length=1, max_length=100, description="The name of the session.")]


def session_routes(library: SessionLibrary) -> APIRouter:
    router = APIRouter(prefix="/api/sessions", tags=["sessions"], responses=DOCUMENTED)
    _add_reading(router, library)
    _add_files(router, library)
    return router


def _opened(library: SessionLibrary, name: str) -> Session:
    try:
        return library.open(name)
    except BadInput:
        raise HTTPException(404, f"there is no session {name[:60]!r}") from None


def _add_reading(router: APIRouter, library: SessionLibrary) -> None:
    @router.get("", summary="The recorded sessions, the newest first")
    def list_sessions() -> list[Json]:
        return [_summary(library, name) for name in reversed(library.names[-MOST_LISTED:])]

    @router.get("/{name}", summary="A session with the board after every action")
    def get_session(name: Name, lang: Spoken = "en") -> Json:
        session = _opened(library, name)
        lines, boards = told_again(session, lang)
        parts = [{"file": part.path.name, "starts": part.starts} for part in session.parts]
        return {
            "session": name,
            "about": about_json(session.about),
            "seconds": session.seconds,
            "parts": parts,
            "lines": lines,
            "boards": boards,
        }

    @router.delete("/{name}", summary="Delete a session and all that is in it", status_code=204)
    def delete(name: Name) -> Response:
        _opened(library, name)
        library.delete(name)
        return Response(status_code=204)


def _add_files(router: APIRouter, library: SessionLibrary) -> None:
    @router.get("/{name}/video/{file}", summary="A part of the video", response_class=FileResponse)
    def video(name: Name, file: Annotated[str, Path(max_length=60)]) -> FileResponse:
        session = _opened(library, name)
        path = next((part.path for part in session.parts if part.path.name == file), None)
        if path is None or path.is_symlink():
            raise HTTPException(404, f"the session has no video {file[:60]!r}")
        return FileResponse(path, media_type="video/mp4")

    @router.get("/{name}/clip.mp4", summary="A stretch of the video as a file", response_class=FileResponse)
    def clip(
        name: Name, start: Annotated[float, Query(ge=0, le=1e6)], end: Annotated[float, Query(ge=0, le=1e6)]
    ) -> FileResponse:
        from finito.recording.export import export_clip

        session = _opened(library, name)
        if not start < end <= start + LONGEST_CLIP:
            raise BadInput(f"a clip has from 0 to {LONGEST_CLIP:.0f} seconds; choose start and end so")
        out = _temporary(".mp4")
        export_clip(session.frames(start, end), out)
        return _attached(out, "video/mp4", f"{session.name}-{start:.0f}s.mp4")

    @router.get("/{name}/export.zip", summary="All of a session as one file", response_class=FileResponse)
    def export(name: Name) -> FileResponse:
        from finito.recording.export import export_zip

        session = _opened(library, name)
        out = _temporary(".zip")
        export_zip(session, out)
        return _attached(out, "application/zip", f"{session.name}.zip")


def _temporary(suffix: str) -> FilePath:
    folder = FilePath(tempfile.mkdtemp(prefix="finito-"))
    return folder / f"export{suffix}"


def _attached(path: FilePath, kind: str, name: str) -> FileResponse:
    def remove() -> None:
        path.unlink(missing_ok=True)
        path.parent.rmdir()

    return FileResponse(path, media_type=kind, filename=name, background=BackgroundTask(remove))


def _summary(library: SessionLibrary, name: str) -> Json:
    try:
        session = library.open(name)
    except BadInput as problem:
        return {"session": name, "problem": str(problem)}
    about = session.about
    return {
        "session": name,
        "started": about.started,
        "players": [each.player for each in about.players],
        "game": about.game,
        "variant": list(about.variant),
        "seconds": session.seconds,
        "bytes": sum(path.stat().st_size for path in files_of(session.folder)),
    }


def told_again(session: Session, language: str) -> tuple[list[Json], list[Json]]:
    """The lines as they stood in the end, and the board after each, by its time."""
    lines: list[Json] = []
    boards: list[Json] = []
    now = 0.0
    for action, referee, state, answers in _rounds(session):
        entry, game = action.entry, referee.header.game
        now = max(now, time_of(entry))  # a count has no time of its own: it comes after all the rest
        judged = {answer.line: answer for answer in answers}
        if "verdict" in entry or action.line in judged:
            answer = judged.get(action.line)
            same = answer is not None and answer.verdict.outcome.value == entry.get(
                "verdict", answer.verdict.outcome.value
            )
            words = in_all_languages(answer.verdict.reason, game) if answer is not None and same else {}
            verdict: Json = {}
            if answer is not None and "verdict" not in entry:
                rule = answer.verdict.rule
                verdict = {
                    "verdict": answer.verdict.outcome.value,
                    "rule": None if rule is None else rule.value,
                }
            told = {**entry, **verdict, "line": action.line, "t": now, "words": words}
            lines.append(spoken(told, language, game))
        elif entry.get("type") in ENDINGS:
            if entry["type"] == "count" or entry.get("uncounted"):  # the last count is the one that counts
                lines = [line for line in lines if line.get("type") not in ENDINGS]
            if not entry.get("uncounted"):
                lines.append({**entry, "line": action.line, "t": now})
        boards.append({"t": now, **board_json(referee.rules, state)})
    return lines, boards


_Step = tuple[WrittenAction, RoundReferee, RoundState, list[Answer[Any]]]


def _rounds(session: Session) -> Iterator[_Step]:
    """Every recorded line with the referee after it; what cannot be judged any more is passed over."""
    referee: RoundReferee | None = None
    dealing = True  # asked for its state too early, a referee takes no more deals
    for action in in_order(final_actions(with_header(session.actions(), session.about))):
        if action.entry.get("type") in ASIDE:
            continue
        answers: list[Answer[Any]] = []
        try:
            entry = parse_entry(action.entry)
            if isinstance(entry, RoundHeader):
                referee, dealing = RoundReferee(entry), True
            elif referee is None:
                continue
            elif isinstance(entry, Deal):
                referee.deal(entry)
            elif isinstance(entry, Count):
                referee.count(entry)
            elif isinstance(entry, Undo | Amend):
                referee.correct(action.line, entry)
            elif not isinstance(entry, Remark):
                dealing = False
                answers = referee.act(action.line, entry)
        except RefereeError:
            if referee is None:
                continue
        yield action, referee, referee.opening_state() if dealing else referee.state, answers
