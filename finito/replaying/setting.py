"""What must be known of a game before it can be told again: as the session says, or as the user does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.profiles import TableProfile, read_profile
from finito.errors import BadInput
from finito.recording.about import DECK_FOLDER, TABLE_FILE, SeatedPlayer, SessionAbout
from finito.recording.ending import time_of
from finito.recording.session import Session
from finito.replaying.stages import Setting
from finito.replaying.wish import Wish


def setting_of(session: Session, wish: Wish) -> Setting:
    """The session's own deck and table; what the user names takes their place."""
    kept = session.folder / DECK_FOLDER
    named = session.about.deck.name if session.about.deck else None
    deck = wish.deck or (str(kept) if kept.is_dir() else named)
    table = _table(session.folder / TABLE_FILE)
    return Setting(_as_wished(session.about, wish), deck, table, _shout(session))


def setting_of_video(video: Path, wish: Wish) -> Setting:
    """A video knows nothing of itself; a table profile may lie beside it."""
    if not wish.players:
        raise BadInput("it does not say who plays; name them with --players pizza:south,gelato:north")
    return Setting(
        _as_wished(SessionAbout(source=str(video)), wish), wish.deck, _table(video.parent / TABLE_FILE)
    )


def _shout(session: Session) -> float | None:
    starts = (action.entry for action in session.actions() if action.entry.get("type") == "start")
    return next((time_of(entry) for entry in starts), None)


def _as_wished(about: SessionAbout, wish: Wish) -> SessionAbout:
    players = tuple(SeatedPlayer(name, seat) for name, seat in wish.players) or about.players
    return replace(
        about,
        players=players,
        variant=wish.variant or about.variant,
        language=wish.language or about.language,
    )


def _table(path: Path) -> TableProfile | None:
    if not path.is_file():
        return None
    try:
        return read_profile(path)
    except CalibrationError as problem:
        raise BadInput(str(problem)) from None
