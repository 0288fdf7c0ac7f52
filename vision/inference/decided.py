"""Small questions about a decision: what the pile may show now, which hand it was, where a card came from."""

from __future__ import annotations

from dataclasses import replace

from referee.actions import Hand
from referee.places import ESPRESSO
from vision.inference.causes import Cause, Laid
from vision.inference.deciding import Decision
from vision.inference.table import Departure, Layer
from vision.observations import Look


def filled_elsewhere(cause: Cause) -> bool:
    return cause.kind == "filled" and cause.laid[0].place != ESPRESSO


def blended(decision: Decision) -> tuple[Laid, ...]:
    """The cards laid; what the pile shows stays as open as the other stories leave it."""
    laid = decision.cause.laid
    others = [(cause.laid[0], share) for cause, share in decision.others if len(cause.laid) == 1]
    if len(laid) != 1 or not others:
        return laid
    total = decision.share + sum(share for _, share in others)
    faces = [decision.share / total * chance for chance in laid[0].faces]
    tops = {top: decision.share / total * chance for top, chance in laid[0].tops}
    for other, share in others:
        faces = [a + share / total * b for a, b in zip(faces, other.faces, strict=True)]
        for top, chance in other.tops:
            tops[top] = tops.get(top, 0.0) + share / total * chance
    ranked = tuple(sorted(tops.items(), key=lambda item: -item[1]))
    return (replace(laid[0], faces=tuple(faces), tops=ranked),)


def hand_of(look: Look, gone: Departure | None) -> tuple[Hand | None, int]:
    """The hand that laid the card, and how many looks say so; None where they differ."""
    here, there = look.hand, None if gone is None else gone.look.hand
    if here is not None and there is not None:
        return (here, 2) if here == there else (None, 0)
    return (here or there), int(here is not None or there is not None)


def time_between(layers: tuple[Layer, ...]) -> float:
    """Seconds between the looks that showed two cards of a pile."""
    return abs(layers[0].look.t - layers[1].look.t)
