"""The cards of the centre counted while they are turned over, with a question for whatever is not sure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from finito.seeing import plainly
from finito.web.outlines import rounded
from referee.rules.parameters import game_parameters
from vision.counting.tally import SURE_CARD, CountedCard, Doubt, tally
from vision.frame import Picture

Json = dict[str, Any]
_MOST_ASKED: Final = 12


@lru_cache(maxsize=2)
def counter_for(deck: str) -> tuple[Any, Any]:
    """The nets take a second to load; a table counts with one deck."""
    from finito.seeing import open_counter

    return open_counter(deck)


class CountLook:
    """`steady` says that two looks in a row came to the same."""

    def __init__(self, deck: str, expected: int | None) -> None:
        self.key: tuple[object, ...] = ("count", deck, expected)
        self._deck, self._expected = deck, expected
        self._before: tuple[tuple[str, int], ...] | None = None

    def look(self, picture: Picture) -> Json:
        counter, enrolled = counter_for(self._deck)
        with plainly():
            seen = counter.count("camera", picture)
        backs = [design.name for design in enrolled.backs]
        per_back = game_parameters(enrolled.game).cards_per_back
        counted = tally(seen.cards, seen.doubts, backs, per_back, self._expected)
        steady, self._before = self._before == counted.counts, counted.counts
        asked = [question(doubt) for doubt in counted.unsure][:_MOST_ASKED]
        return {
            "counts": dict(counted.counts),
            "total": counted.total,
            "expected": self._expected,
            "steady": steady,
            "questions": asked,
            "outlines": [*_cards(seen.cards), *_asked(asked)],
        }


def question(doubt: Doubt) -> Json:
    """What is to be asked, as data: a page asks in its own language.

    `ask` is card (is it one of theirs?), whose, more (one more?), face-up, cut-off, too-many or total.
    """
    between = list(doubt.between)
    if doubt.what == "card":
        kinds = {"face up": "face-up", "a card": "more"}
        ask = kinds.get(str(between[0]), "card" if "no card" in between else "whose")
    else:
        ask = {"photos": "cut-off", "back": "too-many", "total": "total"}[doubt.what]
    asked: Json = {"ask": ask, "between": between, "why": doubt.why}
    if doubt.back is not None:
        asked["back"] = doubt.back
    if doubt.corners is not None:
        asked["corners"] = [list(corner) for corner in doubt.corners]
    return asked


def _cards(cards: tuple[CountedCard, ...]) -> list[Json]:
    sure = [card for card in cards if card.chance >= SURE_CARD and card.back is not None]
    return [{"corners": rounded(card.corners), "word": card.back, "kind": "card"} for card in sure]


def _asked(asked: list[Json]) -> list[Json]:
    return [
        {"corners": each["corners"], "word": f"{number}?", "kind": "unsure"}
        for number, each in enumerate(asked, start=1)
        if "corners" in each
    ]
