"""Small questions about a decision: what the pile may show now, which hand it was, where a card came from."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.actions import Hand, Play
from referee.places import ESPRESSO
from referee.state import Top
from vision.inference.causes import Cause, Laid, Setting
from vision.inference.deciding import Decision
from vision.inference.inferred import Alternative, Deed
from vision.inference.reaching import arm_alone
from vision.inference.table import Departure, Layer, Tops
from vision.observations import Look

_STORIES: Final = 2
_LEAST: Final = 1e-3
_LEAST_TOP: Final = 2e-4  # the second guess of a clear reading is kept: the next card may fit it


def filled_elsewhere(cause: Cause) -> bool:
    return cause.kind == "filled" and cause.laid[0].place != ESPRESSO


def share_of(decision: Decision, card: Laid) -> float:
    """The share of all stories in which this player laid this card, be it alone or with others."""
    who = (card.player, card.owner, card.place)
    stories = ((decision.cause, decision.share), *decision.others)
    return sum(
        share for story, share in stories if any((x.player, x.owner, x.place) == who for x in story.laid)
    )


def alternatives(setting: Setting, decision: Decision, play: Play) -> tuple[Alternative, ...]:
    """The other stories of the same looks."""
    found = []
    for cause, chance in decision.others:
        other: Deed | None = None
        if cause.laid:
            laid = cause.laid[-1]
            face, _ = setting.faces.best(laid.faces)
            owner = None if laid.owner == laid.player else laid.owner
            other = replace(play, player=laid.player, owner=owner, source=laid.place, face=face)
        found.append(Alternative(other, chance))
    return tuple(found)


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


def tops_in_doubt(decision: Decision, layers: tuple[Layer, ...], seen: Tops) -> Tops | None:
    """What the pile may show now by all stories; None where there is one story only.

    A story that is merely likely must not become a certainty by which the next card is judged. `seen` is what
    the look alone says, which is all that an adopted pile goes by.
    """
    stories = [(decision.cause, decision.share), *decision.others]
    if len(stories) < _STORIES or decision.cause.kind == "cleared":
        return None
    if not seen and any(cause.kind == "adopted" and share > _LEAST for cause, share in stories):
        return ()  # anything may lie there
    tops: dict[Top | None, float] = {}
    for cause, share in stories:
        for top, chance in seen if cause.kind == "adopted" else _tops_after(cause, layers):
            tops[top] = tops.get(top, 0.0) + share * chance
    total = sum(tops.values())
    if not total:
        return None
    ranked = sorted(tops.items(), key=lambda item: -item[1])
    return tuple((top, chance / total) for top, chance in ranked if chance / total > _LEAST_TOP)


def _tops_after(cause: Cause, layers: tuple[Layer, ...]) -> Tops:
    if cause.laid:
        return cause.laid[-1].tops
    if cause.kind == "cleared":
        return ()
    left = layers if cause.layers is None else cause.layers
    return left[-1].tops if left else ()


def hand_of(look: Look, gone: Departure | None, player: str) -> tuple[Hand | None, int]:
    """The hand that laid the card, and how many looks say so; None where they differ."""
    here, there = _hand_in(look, player), None if gone is None else _hand_in(gone.look, player)
    if here is not None and there is not None:
        return (here, 2) if here == there else (None, 0)
    return (here or there), int(here is not None or there is not None)


def _hand_in(look: Look, player: str) -> Hand | None:
    """The hand of that player in a look; where other arms were about, it may be that of another."""
    return look.hand if not look.reach or arm_alone(look, player) else None
