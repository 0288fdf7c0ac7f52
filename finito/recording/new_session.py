"""A new session for a table that was just set up, whoever watches it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from calibration.profiles import TableProfile, write_profile
from finito.deck_library import DeckLibrary
from finito.recording.about import Kept, SeatedPlayer, SessionAbout
from finito.recording.limits import limits_of_user
from finito.recording.writer import OnNotice, SessionWriter
from referee.actions import RoundHeader
from vision.pipeline import Setting


def new_session(
    folder: Path,
    header: RoundHeader,
    setting: Setting,
    deck: str,
    *,
    source: str,
    on_notice: OnNotice,
    language: str = "en",
) -> SessionWriter:
    """With the deck, if it has a folder, and the table as it was measured."""
    seats = {name: seat for seat, name in setting.players.items()}
    path = _folder_of(deck)
    about = SessionAbout(
        players=tuple(SeatedPlayer(name, seats[name]) for name in header.players),
        game=header.game,
        variant=header.variant,
        edition=header.edition,
        language=language,
        source=source,
        # The house deck needs no folder; a deck that has one is copied, and named by the writer.
        deck=Kept(deck, "") if path is None else None,
    )
    with tempfile.TemporaryDirectory(prefix="finito-") as place:
        profile = Path(place) / "table.toml"
        write_profile(profile, TableProfile(plane=setting.plane, zones=setting.zones))
        return SessionWriter.create(
            folder, about, deck=path, table=profile, limits=limits_of_user(), on_notice=on_notice
        )


def _folder_of(deck: str) -> Path | None:
    library = DeckLibrary.of_user()
    path = library.folder / deck if deck in library.names else Path(deck).expanduser()
    return path if path.is_dir() else None
