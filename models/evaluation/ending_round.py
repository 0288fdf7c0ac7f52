"""The end of a round as a camera sees it: the dealt table for the set-up, then the cards that are counted.

Only those few frames are drawn, and coded as films are; they, the enrolled deck and what set-up found are
kept on disk. Plane and places come from the drawn dealt frames, as in live use.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from calibration.deck_enrolment import EnrolledDeck, load_deck, save_deck
from calibration.profiles import TableProfile, read_profile, write_profile
from finito.ending.table_view import TableView
from finito.live_setup import Guest, RoundSetUp
from finito.virtual_table.choreography import Session, plan_session
from finito.virtual_table.choreography.filming import draw, video_writer
from models.evaluation.reading_sets import enrolled_from_photos
from models.evaluation.watching import Film, seed_of, wish
from vision.card_reader import CardReader
from vision.frame import Frame, Picture
from vision.sources import open_source
from vision.table_reader import TableReader

FRAMES: Final = 3
_RESTS, _EVERY = 0.55, 0.6  # seconds after the last hand has gone, as `CountWatch` has it
_TRIES, _TRY_EVERY = 12, 0.5
_DECK, _TABLE, _VIDEO, _DONE = "deck", "table.toml", "end.mp4", "drawn"


@dataclass(frozen=True)
class TableAtRest:
    """All that a counter gets, and the truth."""

    session: Session
    deck: EnrolledDeck
    view: TableView | None  # None: the table was never set up
    pictures: tuple[Picture, ...]

    @property
    def true(self) -> dict[str, int]:
        played = self.session.cast.played
        return dict.fromkeys(played.header.players, 0) | dict(played.count.by_back)


def table_at_rest(
    i: int, first: int, players: int, film: Film, eyes: TableReader, reader: CardReader
) -> TableAtRest:
    """A round of the bench; what is not on disk yet is drawn."""
    seed = _kept_seed(i, first, players, film)
    session = plan_session(wish(seed, players, film))
    folder = film.cache / film.name(seed, players)
    if not (folder / _DONE).exists():
        folder.mkdir(parents=True, exist_ok=True)
        deck = enrolled_from_photos(session.deck.name, reader.look, reader.model_hash)
        save_deck(deck, folder / _DECK)
        _set_up(session, deck, eyes, folder)
        _film(session, folder)
        (folder / _DONE).touch()
    deck = load_deck(folder / _DECK)
    view = None
    if (folder / _TABLE).exists():
        profile = read_profile(folder / _TABLE)
        if profile.plane is not None and profile.zones is not None:
            view = TableView(profile.plane, profile.zones)
    return TableAtRest(session, deck, view, tuple(_frames(folder / _VIDEO)))


def _kept_seed(i: int, first: int, players: int, film: Film) -> int:
    """To look for a round that ends in Finito takes seconds: what was found is kept."""
    file = film.cache / f"round-{first}-{i}-{players}.txt"
    if not file.exists():
        film.cache.mkdir(parents=True, exist_ok=True)
        file.write_text(str(seed_of(i, first, players, film)), encoding="utf-8")
    return int(file.read_text(encoding="utf-8"))


def _set_up(session: Session, deck: EnrolledDeck, eyes: TableReader, folder: Path) -> None:
    """Looks at dealt frames until set-up is content, as live use does."""
    guests = [Guest(home.player, home.seat) for home in session.show.homes.values()]
    set_up = RoundSetUp(eyes, guests, deck)
    shot = session.shot
    numbers = [round(k * _TRY_EVERY * shot.fps) for k in range(_TRIES)]
    for drawn in draw(shot, numbers):
        frame = Frame(drawn.picture, drawn.number / shot.fps, drawn.number)
        if (ready := set_up.look(frame)) is not None:
            profile = TableProfile(plane=ready.setting.plane, zones=ready.setting.zones)
            write_profile(folder / _TABLE, profile)
            return


def _film(session: Session, folder: Path) -> None:
    shot, counted = session.shot, session.show.ending.counted
    numbers = [math.ceil((counted + _RESTS + k * _EVERY) * shot.fps) for k in range(FRAMES)]
    with video_writer(folder / _VIDEO, session.wish.size, shot.fps) as write:
        for at, drawn in enumerate(draw(shot, numbers)):
            yuv = cv2.cvtColor(drawn.picture, cv2.COLOR_BGR2YUV_I420)
            write(at, yuv)


def _frames(video: Path) -> Iterator[Picture]:
    with open_source(str(video)) as source:
        for event in source:
            if isinstance(event, Frame):
                yield event.picture
