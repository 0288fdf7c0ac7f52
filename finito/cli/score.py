"""`finito score`: counts the face-down cards at the end of a round by their backs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from finito.errors import BadInput
from referee.rules.parameters import game_parameters
from referee.scoring import round_points

if TYPE_CHECKING:
    from calibration.deck_enrolment import EnrolledDeck
    from finito.seeing import Annotator
    from vision.back_counter import BackCounter, PhotoCount
    from vision.counting.dealt_counter import Dealt
    from vision.counting.tally import CountedCard, Doubt, Tally
    from vision.frame import Picture

HELP = """Count the face-down cards by back at the end of a round.

Cards may touch, overlap or be fanned as long as about 12 mm of each shows. Several photos are added up;
they must not show the same cards.

Examples:

  finito score table.jpg --deck kitchen --finito pizza

  finito score left.jpg right.jpg --deck kitchen --expect 58 --annotate seen

  finito score 0 --dealt --deck kitchen   (camera 0: deal the cards one by one, face down; Ctrl-C ends)
"""


def register(app: typer.Typer) -> None:
    app.command("score", help=HELP)(score)


def score(
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTO...", help="Photos of face-down cards.")],
    deck: Annotated[str, typer.Option(help="Name of an enrolled deck, or its folder.")],
    finito: Annotated[str | None, typer.Option(metavar="BACK", help="Who called Finito.")] = None,
    expect: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="How many cards lay in the centre.")
    ] = None,
    annotate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for pictures of what was counted.")
    ] = None,
    dealt: Annotated[
        bool, typer.Option(help="PHOTO is a camera, video or stream past which the cards are dealt.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The count as JSON.")] = False,
) -> None:
    """Count by back."""
    from finito.seeing import Annotator, open_counter

    _each_once(photos)
    counter, enrolled = open_counter(deck)
    backs = [design.name for design in enrolled.backs]
    if finito is not None and finito not in backs:
        raise BadInput(f"--finito {finito!r} is no back of {enrolled.name}; it has {', '.join(backs)}")
    if dealt:
        sum_ = _sum_of_dealt(photos, enrolled, expect)
    else:
        sum_ = _sum_of_photos(photos, counter, enrolled, Annotator(annotate) if annotate else None, expect)
    answer = answer_for(enrolled, sum_, finito, expect)
    if as_json:
        typer.echo(json.dumps(answer, ensure_ascii=False))
    else:
        _show(answer)


def _sum_of_photos(
    photos: Sequence[Path],
    counter: BackCounter,
    enrolled: EnrolledDeck,
    annotator: Annotator | None,
    expect: int | None,
) -> Tally:
    from finito.seeing import look_at, plainly
    from vision.counting.same_part import cards_in_both

    seen: list[tuple[Picture, PhotoCount]] = []
    for photo in photos:
        picture = look_at(photo)
        with plainly():
            count = counter.count(str(photo), picture)
        if not count.cards:
            raise BadInput(f"{photo} shows no face-down card; photograph all cards from above, in good light")
        seen.append((picture, count))
        if annotator:
            _draw(annotator, photo, picture, count)
    cards = [card for _, count in seen for card in count.cards]
    doubts = [*(doubt for _, count in seen for doubt in count.doubts), *cards_in_both(seen)]
    return _sum(enrolled, cards, doubts, expect)


def _sum_of_dealt(sources: Sequence[Path], enrolled: EnrolledDeck, expect: int | None) -> Tally:
    from finito.dealt_count import count_dealt
    from finito.seeing import open_eyes, plainly
    from vision.sources import open_source

    cards: list[CountedCard] = []
    table = open_eyes().table
    for name in sources:
        with plainly():
            cards += count_dealt(open_source(str(name)), table, enrolled, _tell)
        if not cards:
            raise BadInput(f"{name} shows no card dealt face down; deal slowly, one card at a time")
    return _sum(enrolled, cards, [], expect)


def _tell(dealt: Dealt) -> None:
    whose = dealt.back or " or ".join(dealt.between) + "?"
    typer.echo(f"{dealt.total}: {whose}", err=True)


def _each_once(photos: Sequence[Path]) -> None:
    """The same photo twice would count every card twice."""
    known: dict[bytes, Path] = {}
    for photo in photos:
        content = photo.read_bytes() if photo.is_file() else b""
        if content and content in known:
            raise BadInput(f"{photo} is the same photo as {known[content]}; name every photo once")
        known[content] = photo


def _sum(
    deck: EnrolledDeck, cards: Sequence[CountedCard], doubts: Sequence[Doubt], expect: int | None
) -> Tally:
    from vision.counting.tally import tally

    return tally(
        cards,
        doubts,
        [design.name for design in deck.backs],
        game_parameters(deck.game).cards_per_back,
        expect,
    )


def answer_for(deck: EnrolledDeck, sum_: Tally, finito: str | None, expect: int | None) -> dict[str, Any]:
    """The answer of the contract."""
    counts = dict(sum_.counts)
    if finito is not None:
        counts.setdefault(finito, 0)
    return {
        "counts": counts,
        "total": sum_.total,
        "finito": finito,
        "points": round_points(game_parameters(deck.game), counts, finito, {}),
        "expected": expect,
        "unsure": [_doubt_to_json(doubt) for doubt in sum_.unsure],
    }


def _doubt_to_json(doubt: Doubt) -> dict[str, Any]:
    answer: dict[str, Any] = {"what": doubt.what, "why": doubt.why, "between": list(doubt.between)}
    if doubt.photo is not None:
        answer["image"] = doubt.photo
    if doubt.corners is not None:
        answer["corners"] = [list(corner) for corner in doubt.corners]
    if doubt.back is not None:
        answer["back"] = doubt.back
    return answer


def _draw(annotator: Annotator, photo: Path, picture: Picture, count: PhotoCount) -> None:
    import numpy as np

    from vision.counting.tally import SURE_CARD
    from vision.overlay import Mark

    marks = [
        Mark(np.array(doubt.corners, np.float32), "?", "unsure")
        for doubt in count.doubts
        if doubt.corners is not None
    ]
    for number, card in enumerate(count.cards, start=1):
        sure = card.back is not None and card.chance >= SURE_CARD
        word = f"{number} {card.shares[0][0]}" + ("" if sure else "?")
        marks.append(Mark(np.array(card.corners, np.float32), word, "sure" if sure else "unsure"))
    annotator.write(photo, picture, marks)


def _show(answer: dict[str, Any]) -> None:
    console = Console()
    table = Table(box=None, pad_edge=False)
    for heading, side in (("back", "left"), ("cards", "right"), ("points", "right")):
        table.add_column(heading, justify=side)  # type: ignore[arg-type]
    for back, cards in answer["counts"].items():
        caller = " (Finito)" if back == answer["finito"] else ""
        table.add_row(back + caller, str(cards), str(answer["points"][back]))
    console.print(table)
    expected = "" if answer["expected"] is None else f" of {answer['expected']} expected"
    console.print(f"{answer['total']} cards{expected}", highlight=False)
    for doubt in answer["unsure"]:
        where = f"{doubt['image']}: " if "image" in doubt else ""
        if "corners" in doubt:
            x, y = (round(sum(corner[axis] for corner in doubt["corners"]) / 4) for axis in (0, 1))
            where += f"at {x},{y}: "
        console.print(f"unsure: {where}{doubt['why']}", highlight=False, markup=False, soft_wrap=True)
