"""The user's decks: folders by name under FINITO_DATA/decks, or any deck folder by its path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.deck_enrolment import BadDeck, EnrolledDeck, load_deck, save_deck
from finito.errors import BadInput
from finito.settings import load_settings

_NAME: Final = re.compile(r"[\w][\w .-]{0,59}")


@dataclass(frozen=True)
class DeckLibrary:
    """Enrolled decks in a folder, one folder each."""

    folder: Path

    @classmethod
    def of_user(cls) -> DeckLibrary:
        return cls(load_settings().data.expanduser() / "decks")

    @property
    def names(self) -> list[str]:
        if not self.folder.is_dir():
            return []
        return sorted(path.parent.name for path in self.folder.glob("*/deck.json"))

    def load(self, deck: str, model: str) -> EnrolledDeck:
        """A deck by its name here or by the path of its folder."""
        try:
            return load_deck(self._where(deck), model)
        except BadDeck as problem:
            raise BadInput(str(problem)) from None

    def save(self, deck: EnrolledDeck, out: Path | None = None) -> Path:
        """Keeps a deck in the library or in a folder of its own; gives the folder."""
        folder = out if out is not None else self.folder / checked_name(deck.name)
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"{folder} is a file; name a folder for the deck")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / "deck.json").exists():
            raise BadInput(f"{folder} holds other things than a deck; name a new folder with --out")
        try:
            save_deck(deck, folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(f"{folder} cannot be written ({reason}); choose another with --out") from None
        return folder

    def _where(self, deck: str) -> Path:
        if deck in self.names:
            return self.folder / deck
        path = Path(deck).expanduser()
        if path.is_dir():
            return path
        if path.is_file():
            raise BadInput(f"{deck} is a file; --deck wants the name of a deck or the path of its folder")
        known = f"enrolled are {', '.join(self.names)}" if self.names else "none is enrolled yet"
        raise BadInput(f"there is no deck {deck!r}: {known}; learn it from photos with finito enroll")


def checked_name(name: str) -> str:
    """The name, if a folder can be called so everywhere."""
    if not _NAME.fullmatch(name) or name.endswith((".", " ")):
        raise BadInput(f"{name!r} is no name for a deck; use up to 60 letters, digits, spaces, - and _")
    return name
