"""`finito watch`: the referee at a real table, live."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finito.cli.watch_view import Screen, keys_pressed
from finito.cli.words import parse_variant
from finito.errors import BadInput
from referee.actions import Amend, RoundHeader, Undo
from referee.errors import RefereeError
from referee.rules.espresso import DEFAULT_EDITION

if TYPE_CHECKING:
    from finito.live import LiveEvent, LiveReferee
    from finito.live_setup import LiveTable, TableSetUp
    from finito.recording.writer import SessionWriter
    from vision.pipelining.watching import Told
    from vision.sources import Event

HELP = """Referee a real table: watch a camera, a video or a stream, and call what happens.

Deal, let the camera see the table, and play. On a terminal: s is the shout, f and the number of a player that
player's Finito, u takes the last action back, o overrules the last call, q quits.

Examples:

  finito watch 0 --deck house --players pizza:south,gelato:north

  finito watch game.mp4 --deck house --players pizza:south,gelato:north --json --no-record

  finito watch rtsp://camera/table --deck house --players pizza,gelato,tiramisu --variant zero
"""


def register(app: typer.Typer) -> None:
    app.command("watch", help=HELP)(watch)


def watch(
    source: Annotated[str, typer.Argument(help="A camera number, a video, or the address of a stream.")],
    deck: Annotated[str, typer.Option(help="A deck of the library, or the folder of one.")],
    players: Annotated[str, typer.Option(help="Who sits where: pizza:south,gelato:north; seats may lack.")],
    variant: Annotated[list[str] | None, typer.Option(help="normalo, zero, chaos; may be repeated.")] = None,
    edition: Annotated[str, typer.Option(help="amigo-1995, forum-1996 or escale.")] = DEFAULT_EDITION,
    table: Annotated[Path | None, typer.Option(help="A table profile of finito calibrate table.")] = None,
    record: Annotated[bool, typer.Option("--record/--no-record", help="Keep the session.")] = True,
    out: Annotated[Path | None, typer.Option(help="Folder of the session; new or empty.")] = None,
    lang: Annotated[str, typer.Option(help="Language of the calls: en, de, fr or nl.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per action.")] = False,
) -> None:
    """Referee a table."""
    from finito.live import LiveReferee
    from finito.live_setup import parse_guests

    guests = parse_guests(players)
    header = RoundHeader(
        "espresso", parse_variant(variant or ()), edition, tuple(guest.name for guest in guests)
    )
    referee = _checked(lambda: LiveReferee(header))
    with ExitStack() as open_things:
        screen = open_things.enter_context(Screen(as_json))
        game = _Game(referee, screen, lang)
        keeper = _Keeper(out, source, guests, header, deck, lang) if record else None
        live, feed = _opened(source, deck, guests, table, game, keeper)
        if keeper is not None:
            open_things.callback(keeper.close)
        pressed = open_things.enter_context(keys_pressed(as_json))
        _run(game, live, feed, pressed, keeper)
    if live.pipeline is None:
        raise BadInput(f"{source}: the table was never ready: {live.why}")


def _checked(make: Callable[[], LiveReferee]) -> LiveReferee:
    try:
        return make()
    except RefereeError as problem:
        raise BadInput(str(problem)) from None


def _opened(
    source: str, deck: str, guests: Any, table: Path | None, game: _Game, keeper: _Keeper | None
) -> tuple[LiveTable, Any]:
    """Eyes, deck, source and set-up, wired."""
    from calibration.profiles import read_profile
    from finito.live_setup import LiveTable, RoundSetUp
    from finito.seeing import open_deck, open_eyes, plainly
    from vision.pipelining.eye import NetEye
    from vision.pipelining.known_size import KnownSizeFinder
    from vision.sources import open_source

    eyes = open_eyes()
    enrolled = open_deck(deck, eyes.reader)
    names = [] if enrolled is None else [back.name for back in enrolled.backs]
    unknown = [guest.name for guest in guests if names and guest.name not in names and not guest.seat]
    if unknown:
        raise BadInput(f"--players: {unknown[0]} is no back of the deck ({', '.join(names)}); say its seat")
    with plainly():
        profile = None if table is None else read_profile(table)
        feed = open_source(source)
        eye = NetEye(KnownSizeFinder(), eyes.reader, enrolled)

    def ready(set_up: TableSetUp) -> None:
        game.ready(set_up)
        if keeper is not None:
            keeper.begin(set_up)

    return LiveTable(RoundSetUp(eyes.table, guests, enrolled, profile), eye, ready), feed


def _run(game: _Game, live: LiveTable, feed: Any, pressed: Callable[[], str], keeper: _Keeper | None) -> None:
    from vision.frame import Frame
    from vision.pipelining.watching import watched

    def see(event: Event) -> list[Any]:
        told = live.see(event)
        if keeper is not None and isinstance(event, Frame):
            keeper.frame(event, wait=not feed.live)
        return told

    for told in _plain(watched(feed, see)):
        events = [event for observation in told.observations for event in game.referee.feed(observation)]
        if keeper is not None:
            keeper.keep(told)
        events += game.press(pressed(), told.t)
        game.tell(events, told, None if live.pipeline else live.why)
        if keeper is not None:
            keeper.act(game.lines)
        game.lines.clear()
        if game.over:
            return


def _plain(told: Iterator[Told]) -> Iterator[Told]:
    """What the eyes refuse on their way, as a sentence."""
    from finito.seeing import plainly

    with plainly():
        yield from told


@dataclass
class _Game:
    """The referee with what was said last."""

    referee: LiveReferee
    screen: Screen
    lang: str
    over: bool = False
    lines: list[dict[str, Any]] = field(default_factory=list)
    _said: list[LiveEvent] = field(default_factory=list)
    _dropped: int = 0
    _calling: bool = False

    def ready(self, set_up: TableSetUp) -> None:
        for remark in set_up.remarks:
            self.screen.remark(remark)

    def tell(self, events: list[LiveEvent], told: Told, waiting: str | None) -> None:
        for event in events:
            line = event.json(self.lang)
            self.lines.append(line)
            self.screen.call(event, line)
        self._said = [*self._said, *events][-50:]
        if told.dropped > self._dropped and not told.frame % 30:
            self.screen.remark(f"{told.dropped - self._dropped} frames were dropped: seeing is too slow here")
            self._dropped = told.dropped
        self.screen.update(self.referee, told, waiting)

    def press(self, keys: str, t: float) -> list[LiveEvent]:
        """What the keys pressed since the last frame ask for."""
        events: list[LiveEvent] = []
        for key in keys:
            try:
                events += self._pressed(key, t)
            except RefereeError as problem:
                self.screen.remark(str(problem))
        return events

    def _pressed(self, key: str, t: float) -> list[LiveEvent]:
        if self._calling:
            self._calling = False
            players = self.referee.header.players
            if key.isdigit() and 1 <= int(key) <= len(players):
                return self.referee.call_finito(players[int(key) - 1], t)
            return []
        if key == "q":
            self.over = True
        elif key == "s":
            return self.referee.start(t)
        elif key == "f":
            self._calling = True
            names = self.referee.header.players
            self.screen.remark("Finito of " + ", ".join(f"{i} {name}" for i, name in enumerate(names, 1)))
        elif key == "u" and self._said:
            return self.referee.correct(Undo(self._said[-1].line))
        elif key == "o":
            return self._overrule()
        return []

    def _overrule(self) -> list[LiveEvent]:
        """The last accusation falls; the last doubt is settled: it was as it was seen."""
        accused = [event for event in self._said if not event.verdict.legal and event.said != "withdrawn"]
        if not accused:
            return []
        last = accused[-1]
        correction = Undo(last.line) if last.verdict.illegal else Amend(last.line, last.action)
        return self.referee.correct(correction)


class _Keeper:
    """Records the session from the moment the table is set up."""

    def __init__(
        self, out: Path | None, source: str, guests: Any, header: RoundHeader, deck: str, lang: str
    ) -> None:
        self._out, self._source, self._guests = out, source, guests
        self._header, self._deck, self._lang = header, deck, lang
        self._writer: SessionWriter | None = None

    def begin(self, set_up: TableSetUp) -> None:
        from calibration.profiles import TableProfile, write_profile
        from finito.recording.about import Kept, SeatedPlayer, SessionAbout
        from finito.recording.library import SessionLibrary
        from finito.recording.limits import limits_of_user
        from finito.recording.writer import SessionWriter

        setting = set_up.setting
        seats = {name: seat for seat, name in setting.players.items()}
        about = SessionAbout(
            players=tuple(SeatedPlayer(guest.name, seats[guest.name]) for guest in self._guests),
            variant=self._header.variant,
            edition=self._header.edition,
            language=self._lang,
            source=self._source,
            # The house deck needs no folder; a deck that has one is copied, and named by the writer.
            deck=Kept(self._deck, "") if self._deck_folder() is None else None,
        )
        folder = self._out or SessionLibrary.of_user().new_folder()
        with tempfile.TemporaryDirectory() as place:
            profile = Path(place) / "table.toml"
            write_profile(profile, TableProfile(plane=setting.plane, zones=setting.zones))
            self._writer = SessionWriter.create(
                folder,
                about,
                deck=self._deck_folder(),
                table=profile,
                limits=limits_of_user(),
                on_notice=_say,
            )

    def _deck_folder(self) -> Path | None:
        from finito.deck_library import DeckLibrary

        library = DeckLibrary.of_user()
        path = library.folder / self._deck if self._deck in library.names else Path(self._deck).expanduser()
        return path if path.is_dir() else None

    def frame(self, frame: Any, wait: bool) -> None:
        """A file waits for the recording; a camera does not."""
        if self._writer is not None:
            self._writer.frame(frame, wait=wait)

    def keep(self, told: Told) -> None:
        if self._writer is not None:
            for observation in told.observations:
                self._writer.observe(observation)

    def act(self, lines: list[dict[str, Any]]) -> None:
        if self._writer is not None:
            for line in lines:
                self._writer.act(line)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def _say(notice: dict[str, Any]) -> None:
    if notice["what"] not in ("started", "closed"):
        sys.stderr.write(f"finito: {notice['why']}\n")
