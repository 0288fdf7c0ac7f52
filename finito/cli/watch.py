"""`finito watch`: the referee at a real table, live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finito.cli.watch_game import Game
from finito.cli.watch_keeping import Keeper, Order, say
from finito.cli.watch_view import Screen, keys_pressed
from finito.cli.words import parse_variant
from finito.errors import BadInput
from referee.actions import RoundHeader
from referee.errors import RefereeError
from referee.rules.espresso import DEFAULT_EDITION

if TYPE_CHECKING:
    from calibration.profiles import TableProfile
    from finito.ending.refereed_round import RefereedRound
    from finito.live_setup import LiveTable, TableSetUp
    from finito.recording.writer import SessionWriter
    from vision.pipelining.watching import Told
    from vision.sources import Event, Source

HELP = """Referee a real table: watch a camera, a video or a stream, and call what happens.

Deal, let the camera see the table, and play. On a terminal: s is the shout, f and the number of a player that
player's Finito, u takes the last action back, o overrules the last call, c ends the count as it is
(c twice a round that is still played), q quits.
After Finito lay the cards of the centre face down, sorted by back, and the camera counts them. A recorded
round is kept in the match of these players; a session that was cut off goes on with --resume.

Examples:

  finito watch 0 --deck house --players pizza:south,gelato:north

  finito watch game.mp4 --deck house --players pizza:south,gelato:north --json --no-record

  finito watch rtsp://camera/table --deck house --players pizza,gelato,tiramisu --variant zero

  finito watch 0 --resume 2026-11-17-201500
"""


def register(app: typer.Typer) -> None:
    app.command("watch", help=HELP)(watch)


def watch(
    source: Annotated[str, typer.Argument(help="A camera number, a video, or the address of a stream.")],
    deck: Annotated[str | None, typer.Option(help="A deck of the library, or the folder of one.")] = None,
    players: Annotated[
        str | None, typer.Option(help="Who sits where: pizza:south,gelato:north; seats may lack.")
    ] = None,
    variant: Annotated[list[str] | None, typer.Option(help="normalo, zero, chaos; may be repeated.")] = None,
    edition: Annotated[str, typer.Option(help="amigo-1995, forum-1996 or escale.")] = DEFAULT_EDITION,
    table: Annotated[Path | None, typer.Option(help="A table profile of finito calibrate table.")] = None,
    record: Annotated[bool, typer.Option("--record/--no-record", help="Keep the session.")] = True,
    out: Annotated[Path | None, typer.Option(help="Folder of the session; new or empty.")] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="SESSION", help="Go on with the round of a session that was cut off."),
    ] = None,
    match: Annotated[
        str | None, typer.Option(help="The match this round belongs to; else the latest of these players.")
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of the calls: en, de, fr or nl.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per action.")] = False,
) -> None:
    """Referee a table."""
    from finito.live_setup import parse_guests

    keep = record or resume is not None
    if resume is not None:
        round_ = _resumed(resume, source)
    else:
        if deck is None or players is None:
            raise BadInput("say what is played: --deck NAME --players pizza:south,gelato:north")
        guests = parse_guests(players)
        names = tuple(guest.name for guest in guests)
        header = RoundHeader("espresso", parse_variant(variant or ()), edition, names)
        _refereed(header)  # what cannot be refereed is refused before anything is opened
        round_ = _Round(Order(source, guests, header, deck, lang, out))
    if keep:
        _carry_totals(round_, match)
    with ExitStack() as open_things:
        screen = open_things.enter_context(Screen(as_json))
        _watch_round(round_, screen, open_things, keep, table, as_json)
    if keep:
        _keep_score(round_, match)


@dataclass
class _Round:
    """What is to be watched, and of a session that goes on what was before."""

    order: Order
    going_on: SessionWriter | None = None
    game: Game | None = None


def _watch_round(
    round_: _Round, screen: Screen, open_things: ExitStack, keep: bool, table: Path | None, as_json: bool
) -> None:
    order = round_.order
    referee, gap = _referee_of(round_)
    game = round_.game = Game(referee, screen, order.lang)
    keeper = Keeper(order, round_.going_on) if keep else None
    live, feed = _opened(round_, table, game, keeper)
    if keeper is not None:
        open_things.callback(keeper.close)
    pressed = open_things.enter_context(keys_pressed(as_json))
    game.hear(gap)
    run(game, live, feed, pressed, keeper)
    if live.pipeline is None:
        raise BadInput(f"{order.source}: the table was never ready: {live.why}")


def _refereed(header: RoundHeader) -> RefereedRound:
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveReferee

    try:
        return RefereedRound(LiveReferee(header))
    except RefereeError as problem:
        raise BadInput(str(problem)) from None


def _opened(
    round_: _Round, table: Path | None, game: Game, keeper: Keeper | None
) -> tuple[LiveTable, Source]:
    """Eyes, deck, source and set-up, wired."""
    from calibration.profiles import read_profile
    from finito.seeing import plainly
    from finito.table_eyes import open_table_eyes
    from vision.sources import open_source

    order = round_.order
    eyes = open_table_eyes(order.deck)
    backs = [] if eyes.deck is None else [back.name for back in eyes.deck.backs]
    unknown = [guest.name for guest in order.guests if backs and guest.name not in backs and not guest.seat]
    if unknown:
        raise BadInput(f"--players: {unknown[0]} is no back of the deck ({', '.join(backs)}); say its seat")
    with plainly():
        profile: TableProfile | None = None if table is None else read_profile(table)
        feed = open_source(order.source)

    def ready(set_up: TableSetUp) -> None:
        game.ready(set_up)
        if keeper is not None:
            keeper.begin(set_up)

    if round_.going_on is None:
        return eyes.watch(order.guests, ready, profile), feed
    from finito.recording.resumed import ResumedSource
    from finito.recording.session import Session
    from finito.replaying.resuming import known_table

    session = Session(round_.going_on.folder)
    known = known_table(session)
    if known is None:
        raise BadInput(f"the session {session.name} does not say where the cards lay; begin a new one")
    live = eyes.watch(order.guests, ready, known=known, before=list(session.observations()))
    return live, ResumedSource(feed, round_.going_on.begins)


def run(game: Game, live: LiveTable, feed: Any, pressed: Callable[[], str], keeper: Keeper | None) -> None:
    """Referees until the source ends, somebody stops it, or the round was counted under a camera."""
    from vision.frame import Frame
    from vision.pipelining.watching import watched

    def see(event: Event) -> list[Any]:
        told = live.see(event)
        if keeper is not None and isinstance(event, Frame):
            keeper.frame(event, wait=not feed.live)
        return told

    for told in _plain(watched(feed, see)):
        events = game.hear(told.observations)
        if keeper is not None:
            keeper.keep(told)
        events += game.press(pressed(), told.t)
        game.warn(live.dazzled, live.centre_burnt_out)
        game.tell(events, told, None if live.pipeline else live.why)
        _write_down(game, keeper)
        if game.over or (game.ended and feed.live):
            break
    if game.referee.over or game.referee.finito is not None:
        game.end(force=True)
        _write_down(game, keeper)


def _write_down(game: Game, keeper: Keeper | None) -> None:
    if keeper is not None:
        keeper.act(game.lines)
    game.lines.clear()


def _plain(told: Iterator[Told]) -> Iterator[Told]:
    """What the eyes refuse on their way, as a sentence."""
    from finito.seeing import plainly

    with plainly():
        yield from told


def _referee_of(round_: _Round) -> tuple[RefereedRound, list[Any]]:
    """A referee who has heard nothing, or one who knows what was before, and the gap since."""
    if round_.going_on is None:
        return _refereed(round_.order.header), []
    from finito.recording.session import Session
    from finito.replaying.resuming import resumed_referee, unwritten

    session = Session(round_.going_on.folder)
    referee, gap = resumed_referee(session, round_.going_on.begins)
    for event in unwritten(referee, session):
        round_.going_on.act(event.json(round_.order.lang))
    return referee, [gap]


def _resumed(name: str, source: str) -> _Round:
    from finito.cli.watch_keeping import say_notice
    from finito.live_setup import Guest
    from finito.recording.about import DECK_FOLDER
    from finito.recording.library import SessionLibrary
    from finito.recording.limits import limits_of_user
    from finito.recording.session import Session
    from finito.recording.writer import SessionWriter
    from finito.replaying.stages import header_of
    from referee.places import Seat

    folder = SessionLibrary.of_user().find(name)
    if any(each.entry.get("type") == "result" for each in Session(folder).actions()):
        raise BadInput(f"the round of {name} was counted already; begin a new one with finito watch")
    writer = SessionWriter.resume(folder, limits=limits_of_user(), on_notice=say_notice)
    about = writer.about
    guests = tuple(Guest(each.player, Seat(each.seat) if each.seat else None) for each in about.players)
    copied = folder / DECK_FOLDER
    deck = str(copied) if copied.is_dir() else about.deck.name if about.deck else "house"
    return _Round(Order(source, guests, header_of(about), deck, about.language), writer)


def _carry_totals(round_: _Round, named: str | None) -> None:
    """The totals of the match go into the round's header, so that its result carries them."""
    from finito.ending.match_keeping import match_of, totals_of
    from finito.store.bootstrap import match_book

    order = round_.order
    with match_book() as book:
        kept = match_of(book, order.header, named)
    totals = {} if kept is None else {name: total for name, total in totals_of(kept).items() if total}
    if totals:
        options = (*order.header.options, ("totals", tuple(totals.items())))
        round_.order = replace(order, header=replace(order.header, options=options))


def _keep_score(round_: _Round, named: str | None) -> None:
    """Only what is settled is kept; a question is for people to answer first."""
    from finito.ending.match_keeping import keep_round, match_of, new_match
    from finito.store.bootstrap import match_book

    game, order = round_.game, round_.order
    counted = None if game is None or not game.ended else game.referee.counted
    if game is None or counted is None:
        return
    if counted.question is not None:
        say("the round is not in the match yet: answer the question, then add it with finito match add")
        return
    with match_book() as book:
        seats = {guest.name: guest.seat for guest in order.guests}
        kept = match_of(book, order.header, named) or new_match(book, order.header, seats)
        kept = keep_round(book, kept, counted.by_back, game.referee.finito, game.referee.faults())
    say(f"kept in the match {kept.id} ({kept.match.name})")
