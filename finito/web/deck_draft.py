"""A deck that is being enrolled from the page: its photos so far, and what was learnt from them."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from typing import Any, Final, Literal

import cv2

from finito.deck_library import DeckLibrary, checked_name
from finito.errors import BadInput
from finito.web.count_look import counter_for
from finito.web.deck_looks import BacksLook, FacesLook
from finito.web.table_look import eyes_of_pages
from referee.rules.parameters import game_parameters
from vision.frame import Picture

Json = dict[str, Any]
Side = Literal["faces", "backs"]
_MOST: Final = 4  # photos of one side: as many lights as anybody will try


class DeckDraft:
    """Photos wait in a temporary folder until the deck has its names."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._photos: dict[Side, list[Path]] = {"faces": [], "backs": []}
        self._cards = 0

    @property
    def state(self) -> Json:
        return {
            "faces": len(self._photos["faces"]),
            "backs": len(self._photos["backs"]),
            "cards": self._cards,
        }

    def add(self, side: Side, picture: Picture, game: str = "espresso") -> Json:
        """Takes a photo if nothing is wrong with it."""
        with self._lock:
            look = FacesLook(game).look(picture) if side == "faces" else BacksLook().look(picture)
            if look["fault"] is not None:
                raise BadInput(_sentence(side, look))
            if len(self._photos[side]) >= _MOST:
                raise BadInput(f"{_MOST} photos of the {side} are enough; go on, or begin anew")
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="finito-")
            path = Path(self._folder.name) / f"{side}{len(self._photos[side])}.png"
            cv2.imwrite(str(path), picture)
            self._photos[side].append(path)
            if side == "backs":
                self._cards = look["cards"]
            return self.state

    def learn(self, name: str, game: str, names: list[str]) -> Json:
        """The deck, kept in the library; how well its cards can be told apart."""
        from calibration.deck_enrolment import risky_pairs
        from finito.enrolling import DeckPhotos, learn

        checked_name(name)
        with self._lock:
            missing = next((side for side, photos in self._photos.items() if not photos), None)
            if missing is not None:
                raise BadInput(f"there is no photo of the {missing} yet; take one first")
            if len(set(names)) < len(names):
                raise BadInput("two backs have the same name; each needs one of its own")
            eyes = eyes_of_pages()
            photos = DeckPhotos(self._photos["faces"], self._photos["backs"], names)
            deck = learn(name, game_parameters(game), photos, eyes)
            DeckLibrary.of_user().save(deck)
            counter_for.cache_clear()  # the same name may stand for other cards now
            weight = eyes.reader.measured.weight
            sides = ((deck.faces, weight["embedding"]), (deck.backs, weight["back"]))
            risky = [pair for designs, sharpness in sides for pair in risky_pairs(designs, sharpness)]
        self.forget()
        return {
            "deck": deck.name,
            "game": deck.game,
            "faces": [design.name for design in deck.faces],
            "backs": [design.name for design in deck.backs],
            "risky": [{"between": [pair.one, pair.other], "risk": round(pair.risk, 4)} for pair in risky],
        }

    def forget(self) -> None:
        with self._lock:
            if self._folder is not None:
                self._folder.cleanup()
            self._folder, self._photos, self._cards = None, {"faces": [], "backs": []}, 0


def _sentence(side: Side, look: Json) -> str:
    fault = look["fault"]
    if "says" in fault:
        return str(fault["says"])
    if fault["kind"] == "face-up":
        return f"card {fault['number']} from the left lies face up; turn it over"
    if fault["kind"] == "one-row":
        return f"the {side} do not lie in one row; lay them side by side"
    return f"{look['cards']} cards are seen; lay one card of each player, two to six, in a row, backs up"
