"""`finito read`: finds and reads every card in photos."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from finito.errors import BadInput

if TYPE_CHECKING:
    from vision.table_reader import SeenCard

_UNSURE = 0.9  # below it a person is shown what else the card may be
HELP = """Find and read every card in photos; no calibration and no enrolment is needed.

Examples:

  finito read table.jpg

  finito read *.jpg --deck kitchen --annotate seen

  finito read table.jpg --json | jq '.cards[].face'
"""


def register(app: typer.Typer) -> None:
    app.command("read", help=HELP)(read)


def read(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGE...", help="Photos of cards.")],
    deck: Annotated[str | None, typer.Option(help="Name of an enrolled deck, or its folder.")] = None,
    annotate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for pictures of what was seen.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line per image.")] = False,
) -> None:
    """Read cards in photos."""
    from finito.seeing import Annotator, look_at, open_deck, open_eyes, plainly

    eyes = open_eyes()
    enrolled = open_deck(deck, eyes.reader)
    annotator = Annotator(annotate) if annotate else None
    refused: list[str] = []
    for image in images:
        try:
            picture = look_at(image)
            with plainly():
                cards = eyes.table.read(picture, enrolled)
        except BadInput as problem:  # the others are answered all the same
            refused.append(str(problem))
            continue
        size = (picture.shape[1], picture.shape[0])
        answer = answer_for(str(image), size, enrolled.name if enrolled else None, cards)
        if as_json:
            typer.echo(json.dumps(answer, ensure_ascii=False))
        else:
            _show(answer)
        if annotator:
            annotator.write(image, picture, [mark_of(card) for card in cards])
    if refused:
        for sentence in refused[:-1]:
            typer.echo(f"finito: {sentence}", err=True)
        raise BadInput(refused[-1])


def answer_for(image: str, size: tuple[int, int], deck: str | None, cards: list[SeenCard]) -> dict[str, Any]:
    """The answer of the contract for one image."""
    return {"image": image, "size": list(size), "deck": deck, "cards": [card_to_json(card) for card in cards]}


def card_to_json(card: SeenCard) -> dict[str, Any]:
    """A card that was seen but not read is a face `??`."""
    reading = card.reading
    is_back = reading.side == "back"
    guesses = reading.back_guesses if is_back else reading.face_guesses
    answer: dict[str, Any] = {
        "side": "back" if is_back else "face",
        "face": None if is_back else str(reading.face),
        "back": (reading.back or "?") if is_back else None,
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in card.corners],
        "confidence": round(0.0 if reading.side == "none" else reading.confidence, 4),
        "guesses": [[str(guess), round(chance, 4)] for guess, chance in guesses],
    }
    if reading.group is not None:
        answer["group"] = reading.group
    return answer


def word_for(answer: dict[str, Any]) -> str:
    """What a card is called in a picture or a table."""
    if answer["side"] == "face":
        return str(answer["face"])
    return f"back {answer['group']}" if "group" in answer else str(answer["back"])


def mark_of(card: SeenCard) -> Any:
    from vision.overlay import Mark

    word = word_for(card_to_json(card))
    return Mark(card.corners, word, "unsure" if "?" in word else "sure")


def _show(answer: dict[str, Any]) -> None:
    console = Console()
    cards = answer["cards"]
    count = "no card found" if not cards else "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    wide, tall = answer["size"]
    console.print(
        f"{answer['image']} ({wide} x {tall}): {count}", highlight=False, markup=False, soft_wrap=True
    )
    if not cards:
        return
    table = Table(box=None, pad_edge=False)
    for heading, side in (("card", "left"), ("sure", "right"), ("at", "right"), ("or", "left")):
        table.add_column(heading, justify=side)  # type: ignore[arg-type]
    for card in cards:
        x, y = (round(sum(corner[axis] for corner in card["corners"]) / 4) for axis in (0, 1))
        table.add_row(word_for(card), f"{card['confidence']:.0%}", f"{x},{y}", _others(card))
    console.print(table)


def _others(card: dict[str, Any]) -> str:
    """What else it may be, where it is not clear."""
    if card["confidence"] >= _UNSURE and "?" not in word_for(card):
        return ""
    return ", ".join(f"{guess} {chance:.0%}" for guess, chance in card["guesses"][:3])
