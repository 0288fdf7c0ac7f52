"""The host of the table: opens rounds, keeps their score in the book of matches, goes on after a restart."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from finito.errors import BadInput
from finito.store.match_book import KeptMatch, MatchBook, UnknownMatch
from finito.web.journal import Journal
from finito.web.models import NewRound
from finito.web.on_table import RoundOnTable, Ruling
from finito.web.stories import Playing, Story, bot_story, filmed_story
from finito.web.tables import Table
from finito.web.written_round import WrittenRound
from referee.actions import Correction, Count, Finito, Interval, RoundHeader, Start
from referee.match import standing
from referee.match_commands import add_round, create_match, edit_round, restore_round, undo_round
from referee.match_events import Player
from referee.match_export import match_document
from referee.rules.espresso import DEFAULT_EDITION

Json = dict[str, Any]
_TABLE: Final = "table"
WATCHED: Final = "watched"
JOURNAL: Final = "table.jsonl"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the set-up asks for. `guests` are names; their backs are those of the story or the deck."""

    source: Literal["demo", "film"] = "demo"
    guests: tuple[str, ...] = ()
    players: int = 3
    variant: tuple[str, ...] = ("normalo",)
    edition: str = DEFAULT_EDITION
    target: int | None = None
    seed: int = 1
    pace: float = 1.0
    film: str | None = None


class Producer(Protocol):
    """Whoever tells what happens on the table, until it is stopped."""

    def stop(self) -> None: ...


class TableHost:
    """One table with the round that is on it."""

    def __init__(self, table: Table, book: MatchBook, folder: Path | None = None) -> None:
        self.table = table
        self._book = book
        self._lock = threading.RLock()
        self._journal = Journal(None if folder is None else folder / JOURNAL)
        self._round: RoundOnTable | None = None
        self._playing: Producer | None = None
        self._wish: Wish | None = None
        self._match: str | None = None
        self._kept: int | None = None  # the number of this round in the match, once it was counted
        self._zero = time.monotonic()

    @property
    def round(self) -> RoundOnTable:
        if self._round is None:
            raise BadInput("no round is on the table; set one up first")
        return self._round

    def resume(self) -> bool:
        """Goes on with the round that was on the table when the server ended; False where there was none."""
        lines = self._journal.lines
        if not lines or lines[0].get("type") != _TABLE:
            return False
        with self._lock:
            first = lines[0]
            wish = Wish(
                **{
                    **first["wish"],
                    "guests": tuple(first["wish"]["guests"]),
                    "variant": tuple(first["wish"]["variant"]),
                }
            )
            self._kept = self._kept_before()
            try:
                self._book.get(str(first["match"]))
            except UnknownMatch:
                return False
            self._play(wish, _story(wish), str(first["match"]))
        return True

    def open(self, wish: Wish) -> None:
        """A new match and its first round."""
        story = _story(wish)
        backs = story.header.players
        if wish.guests and len(wish.guests) != len(backs):
            raise BadInput(f"{len(wish.guests)} names for {len(backs)} players; give one for each, or none")
        names = wish.guests or backs
        players = tuple(Player(back, name, None) for back, name in zip(backs, names, strict=True))
        self._fresh(wish, story, self._new_match(story.header, players, wish.target))

    def watch(
        self,
        round_: RoundOnTable,
        producer: Producer,
        header: RoundHeader,
        players: tuple[Player, ...],
        target: int | None = None,
        *,
        match: str | None = None,
        about: Json | None = None,
    ) -> None:
        """A round that somebody else watches, under a camera; of a new match where none is named.

        `about` is what the journal keeps for going on with it after a restart.
        """
        self.close()  # before the lock: whoever watches may wait for it
        with self._lock:
            self._match = match or self._new_match(header, players, target)
            self._kept = None
            self._journal.begin({"type": WATCHED, "match": self._match, **(about or {})})
            self._watch(round_, producer, header, (about or {}).get("deck"))

    def watch_on(
        self, round_: RoundOnTable, producer: Producer, header: RoundHeader, match: str, deck: str
    ) -> None:
        """The round that was watched when the server ended; its journal goes on."""
        with self._lock:
            self._match = match
            self._book.get(match)
            self._kept = self._kept_before()
            self._watch(round_, producer, header, deck)

    def _watch(self, round_: RoundOnTable, producer: Producer, header: RoundHeader, deck: str | None) -> None:
        self._round, self._playing, self._wish = round_, producer, None
        self.table.begin({**_about(header), "camera": True, "counted": False, "deck": deck})
        self.table.tell(source="camera", state="playing", waiting=None, session=None, fps=None, delay=None)
        self._tell_match()

    @property
    def journal(self) -> Journal:
        return self._journal

    def _new_match(self, header: RoundHeader, players: tuple[Player, ...], target: int | None) -> str:
        kept = self._book.create(
            lambda at: create_match(
                players,
                game=header.game,
                variant=header.variant,
                edition=header.edition,
                target=target,
                name="",
                at=at,
            )
        )
        return kept.id

    def next_round(self) -> None:
        """Another round of the same match."""
        with self._lock:
            match = self.match()
            if match is None:
                raise BadInput("no match is on the table; set one up first")
            if standing(match.match).winner is not None:
                raise BadInput("the match is over; set up a new one")
            if self._wish is None:
                raise BadInput("this round is under a camera; the camera goes on with the next")
            wish = replace(self._wish, seed=self._wish.seed + 1)
            self._fresh(wish, _story(wish), match.id)

    def close(self) -> None:
        if self._playing is not None:
            self._playing.stop()

    def match(self) -> KeptMatch | None:
        return None if self._match is None else self._book.get(self._match)

    def start(self) -> None:
        self.round.call(Start(self._now()))

    def call_finito(self, player: str) -> None:
        self.round.call(Finito(player, self._now()))

    def correct(self, correction: Correction) -> None:
        self._changing(lambda: self.round.correct(correction))

    def rule(self, line: int, ruling: Ruling) -> None:
        self._changing(lambda: self.round.rule(line, ruling))

    def undo(self) -> None:
        self._changing(self.round.undo_last)

    def count(self, count: Count) -> Json:
        self._changing(lambda: self.round.count(count), counted=True)
        assert self.round.result is not None
        return self.round.result

    def count_of(self, round_: RoundOnTable, count: Count) -> None:
        """The same, unless another round lies on the table by now."""
        with self._lock:
            if self._round is round_:
                self.count(count)

    def _changing(self, change: Callable[[], object], *, counted: bool = False) -> None:
        """A change by a person; a round that was counted before is put right in the book, too."""
        with self._lock:
            change()
            if counted or self._kept is not None:
                self._keep_score()

    def _keep_score(self) -> None:
        result, number = self.round.result, self._kept
        if self._match is None:
            return
        if result is None:
            if number is not None and number not in self._book.get(self._match).match.undone:
                self._book.change(self._match, lambda match, at: undo_round(match, number, at))
            self._tell_match()
            return
        sheet = NewRound(
            by_back=dict(self.round.counted),
            points=None,
            finito=result["finito"],
            illegal=self.round.faults(),
        )
        if number is None:
            kept = self._book.change(self._match, lambda match, at: add_round(match, sheet.sheet(match), at))
            self._kept = standing(kept.match).rounds[-1].number
            self._journal.add({"type": "result", "round": self._kept})
        else:
            if number in self._book.get(self._match).match.undone:
                self._book.change(self._match, lambda match, at: restore_round(match, number, at))
            self._book.change(
                self._match, lambda match, at: edit_round(match, number, sheet.sheet(match), at)
            )
        self._tell_match()

    def _kept_before(self) -> int | None:
        """The number that this round has in its match, where it was counted before the server ended."""
        return next((line["round"] for line in self._journal.lines if line.get("type") == "result"), None)

    def _fresh(self, wish: Wish, story: Story, match_id: str) -> None:
        with self._lock:
            self.close()
            self._kept = None
            self._journal.begin({"type": _TABLE, "match": match_id, "wish": asdict(wish)})
            self._play(wish, story, match_id)

    def _play(self, wish: Wish, story: Story, match_id: str) -> None:
        self.close()
        self._wish, self._match = wish, match_id
        self._zero = time.monotonic()
        known = {"camera": story.film is not None, "counted": story.count is not None}
        self.table.begin({**_about(story.header), **known})
        self.table.tell(source=wish.source, state="playing", fps=None, waiting=None, session=None, delay=None)
        written = WrittenRound(self.table, self._journal)
        self._round = written
        self._tell_match()
        playing = Playing(story, written, self.table, wish.pace)
        self._playing = playing
        playing.begin()

    def _tell_match(self) -> None:
        kept = self.match()
        if kept is not None:
            document = match_document(kept.id, kept.match, kept.version)
            counted = self._round is not None and self._round.result is not None
            self.table.note({"match": document, "round": self._kept if counted else None})

    def _now(self) -> Interval:
        t = round(time.monotonic() - self._zero, 3)
        return Interval(t, t)


def _about(header: RoundHeader) -> Json:
    return {"game": header.game, "variant": list(header.variant), "edition": header.edition}


def _story(wish: Wish) -> Story:
    if wish.source == "film":
        if wish.film is None:
            raise BadInput("a film needs its folder; name it with --film")
        return filmed_story(Path(wish.film))
    return bot_story(wish.seed, len(wish.guests) or wish.players, wish.variant)
