"""What may have caused a change: the vocabulary in which worlds are told."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from referee.places import WASTE
from vision.inference.beliefs import Belief, Faces, agreement
from vision.inference.fitting import Fitting
from vision.inference.priors import Priors
from vision.inference.table import Change, Departure, Layer, Place, PlaceKey, TableBelief, Tops
from vision.observations import Look

Use: TypeAlias = int | PlaceKey
"""What a cause uses up: a departure by its number, or the card of a place that was not seen to leave."""

Kind: TypeAlias = Literal[
    "laid", "contested", "same", "taken_back", "renamed", "cleared", "adopted", "filled", "returned"
]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a card may have come from, and how well that agrees with when and what was seen."""

    owner: str
    place: str
    faces: Belief
    factor: float
    use: Use | None
    departure: Departure | None = None
    movers: tuple[tuple[str, float], ...] = ()  # who may have laid it, by whose arms were here and there


@dataclass(frozen=True, slots=True)
class Laid:
    """One card laid by somebody: who, from where, and what it is believed to be."""

    player: str
    owner: str
    place: str
    faces: Belief
    apart: Belief
    fits: float
    tops: Tops
    below: Tops
    departure: Departure | None = None
    unseen: int = 0  # so many plays nobody saw came before it


def layer_of(laid: Laid, look: Look, deed: int | None = None) -> Layer:
    """The card as it lies on its pile."""
    return Layer(
        laid.tops,
        laid.faces,
        laid.apart,
        laid.fits,
        look,
        laid.below,
        deed,
        laid.player,
        laid.owner,
        laid.place,
    )


@dataclass(frozen=True, slots=True)
class Cause:
    """One explanation of one change, with its weight against the others."""

    kind: Kind
    weight: float
    uses: tuple[Use, ...] = ()
    laid: tuple[Laid, ...] = ()
    layers: tuple[Layer, ...] | None = None  # the stack below the laid cards, where it is not as before
    player: str = ""
    place: str = ""
    stack: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        """Causes of one key are one story: who did what with which card."""
        return (
            self.kind,
            self.player,
            self.place,
            self.stack,
            tuple((x.player, x.owner, x.place) for x in self.laid),
        )


@dataclass(frozen=True)
class Setting:
    """What every search for causes needs to know."""

    players: tuple[str, ...]
    chaos: bool
    faces: Faces
    fitting: Fitting
    priors: Priors
    table: TableBelief
    gaps: list[tuple[float, float]] = field(default_factory=list)
    called: set[int] = field(default_factory=set)  # deeds that the referee did not find simply legal

    def taken_back(self, top: Layer) -> float:
        """How likely a card is taken off its pile again."""
        if top.fits < 0.5:
            return self.priors.misfit_taken_back
        called = top.deed in self.called
        return self.priors.called_taken_back if called else self.priors.fitting_taken_back

    def since_gap(self, change: Change) -> bool:
        return any(since < change.look.t and t > change.look.since for since, t in self.gaps)


def sources(setting: Setting, change: Change, now: float, reading: Belief) -> Iterator[Source]:
    """Every open card that may have come here, with how well it agrees with the reading and the times."""
    priors = setting.priors
    for departure in setting.table.departures:
        if departure.spent:
            continue
        factor = in_time(priors, departure, change) * departure.chance
        if departure.deed is not None:
            factor *= priors.turn_mistaken
        if factor < departure.chance and _busy_since(setting, departure, change):
            factor = min(factor, priors.held_while_busy)
        if factor * agreement(departure.faces, reading) > 1e-6:
            yield Source(
                departure.owner, departure.place, departure.faces, factor, departure.number, departure
            )
    for place in setting.table.places.values():
        if place.shown is None or place.owed is not None or place.look is None:
            continue
        factor = unseen_leaving(priors, place, change, now)
        if factor * agreement(place.shown, reading) > 1e-5:
            yield Source(place.player, place.name, place.shown, factor, place.key)


def _busy_since(setting: Setting, departure: Departure, change: Change) -> bool:
    """Whether its player has taken up other cards since: nobody holds one meanwhile."""
    return any(
        other.owner == departure.owner and departure.t < other.since and other.t < change.look.since
        for other in setting.table.departures
    )


def in_time(priors: Priors, departure: Departure, change: Change) -> float:
    """How well a card that left in one interval can have arrived in another."""
    if departure.since > change.look.t:  # it was seen at home when this one lay here
        return priors.seen_source * (0.01 if departure.since > change.look.t + priors.settle else 1.0)
    flown = change.look.since - departure.t
    if flown <= priors.flight:
        return 1.0
    return max(0.01, math.exp((priors.flight - flown) / priors.lingering))


def unseen_leaving(priors: Priors, place: Place, change: Change, now: float) -> float:
    """How likely its card left for here though the place was not seen to change."""
    clear = place.clear_at(now, priors.covered_holds, priors.settle)
    t, since = change.look.t, change.look.since
    if place.t >= t:
        return 0.0  # its card came to light only after this one had arrived
    if clear >= t:
        return unnoticed(priors, now - t, priors.seen_source)
    if clear <= since:
        return priors.hidden_source
    part = (t - clear) / max(1e-3, t - since)
    return max(unnoticed(priors, now - t, priors.seen_source), priors.hidden_source * part)


def unnoticed(priors: Priors, age: float, least: float) -> float:
    """How likely a change in plain view was not told for so long."""
    first, last = priors.swept
    left = min(1.0, max(0.0, (last - age) / (last - first)))
    return max(least, priors.unnoticed * left)


def unseen_top(priors: Priors, place: Place | None, change: Change, now: float) -> float:
    """How likely a card came to light there and left again, all while nobody could see it."""
    if place is None or not place.known_at(change.look.since):
        return priors.hidden_source
    usual = priors.unseen_turned if place.name == WASTE else priors.unseen_stacked
    hidden = place.hidden(now, priors.covered_holds)
    shut = place.shut(change.look.since - priors.unseen_for, change.look.t + priors.settle, hidden)
    if shut > priors.quickest_turn:
        changed = place.shut(change.look.since - priors.unseen_for, change.look.t + priors.settle, False)
        return usual * (priors.waste_changed if changed > priors.quickest_turn else 1.0)
    return usual * unnoticed(priors, now - change.look.t, priors.seen_stack)
