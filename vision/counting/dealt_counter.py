"""Counts cards that are dealt one by one past a camera: readings of frames in, events out. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist, exp, log
from typing import Final

_SETTLED_FRAMES: Final = 3  # so long a card lies still before it counts
_FORGOTTEN_FRAMES: Final = 3  # so long a card is out of sight before it is gone
_SAME_PLACE: Final = 0.35  # card widths a card may move and stay the same
_STILL: Final = 0.06  # card widths a card that lies still may seem to move
_FLOOR: Final = 0.01
_SURE: Final = 0.95


@dataclass(frozen=True)
class DealtCard:
    """A face-down card in a frame: its middle, its width, and the chance of each back."""

    x: float
    y: float
    width: float
    shares: Mapping[str, float] = field(hash=False)


@dataclass(frozen=True)
class Dealt:
    """A card was counted; `back` is None where it is not clear whose it is, `between` who is in question."""

    t: float
    back: str | None
    between: tuple[str, ...]
    total: int


@dataclass(frozen=True)
class _Track:
    card: DealtCard
    belief: Mapping[str, float]  # sums of log chances
    still: int = 1
    unseen: int = 0
    counted: bool = False


@dataclass
class DealtCounter:
    """Cards counted once each, when they have come to rest; what moves by is not counted until it does.

    A card laid on another counts as well as long as something moved in between: a place that was
    disturbed starts anew.
    """

    counts: dict[str, int] = field(default_factory=dict)
    unsure: int = 0
    _tracks: list[_Track] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.counts.values()) + self.unsure

    def feed(self, t: float, cards: Sequence[DealtCard]) -> list[Dealt]:
        """What the next frame shows."""
        free = list(cards)
        tracks: list[_Track] = []
        for track in self._tracks:
            near = min(free, key=lambda card: _apart(card, track.card), default=None)
            if near is not None and _apart(near, track.card) <= _SAME_PLACE:
                free.remove(near)
                tracks.append(_seen_again(track, near))
            elif track.unseen < _FORGOTTEN_FRAMES:
                tracks.append(replace(track, unseen=track.unseen + 1))
        tracks += [_Track(card, _logs(card)) for card in free]
        events = []
        for i, track in enumerate(tracks):
            if not track.counted and track.unseen == 0 and track.still >= _SETTLED_FRAMES:
                tracks[i] = replace(track, counted=True)
                events.append(self._count(t, track))
        self._tracks = tracks
        return events

    def _count(self, t: float, track: _Track) -> Dealt:
        top = max(track.belief.values())
        weights = {back: exp(value - top) for back, value in track.belief.items()}
        whole = sum(weights.values())
        ranked = sorted(((weight / whole, back) for back, weight in weights.items()), reverse=True)
        if ranked[0][0] >= _SURE:
            back = ranked[0][1]
            self.counts[back] = self.counts.get(back, 0) + 1
            return Dealt(t, back, (), self.total)
        self.unsure += 1
        return Dealt(t, None, tuple(back for _, back in ranked[:2]), self.total)


def _apart(one: DealtCard, other: DealtCard) -> float:
    return dist((one.x, one.y), (other.x, other.y)) / max(1.0, other.width)


def _seen_again(track: _Track, card: DealtCard) -> _Track:
    """The same card if it lies still; a place that was disturbed may hold the next card."""
    if _apart(card, track.card) <= _STILL and track.unseen == 0 and _agree(track.belief, _logs(card)):
        both = {back: track.belief.get(back, 0.0) + value for back, value in _logs(card).items()}
        return replace(track, card=card, belief=both, still=track.still + 1)
    if track.counted and track.unseen == 0 and _agree(track.belief, _logs(card)):
        return replace(track, card=card)  # pushed aside, still in sight
    return _Track(card, _logs(card))


def _agree(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return _likeliest(one.items()) == _likeliest(other.items())


def _likeliest(belief: Iterable[tuple[str, float]]) -> str:
    return max(belief, key=lambda item: item[1])[0]


def _logs(card: DealtCard) -> dict[str, float]:
    return {back: log(max(share, _FLOOR)) for back, share in card.shares.items()}
