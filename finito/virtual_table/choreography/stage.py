"""The stage: follows every card through a round and writes down each way of a hand with its cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from finito.virtual_table.choreography.errands import Errand, Wanted, is_hand
from finito.virtual_table.choreography.moves import Carried, Epoch, Lie, Move
from finito.virtual_table.choreography.slop import Slop
from finito.virtual_table.scene import CARD_THICKNESS, Card
from referee.places import HAND

CARRIED: Final = "carried by "
NEVER: Final = float("inf")


@dataclass
class _Taken:
    """Cards between grip and release, with the places they left."""

    cards: list[str]
    starts: list[Lie]
    sides: list[str]
    places: list[str]
    foreign: dict[str, str] = field(default_factory=dict)  # own face of a card that plays another


@dataclass
class Stage:
    """All cards by name. `stacks` lists each place from below; `lying` the open table in order of laying."""

    slop: Slop
    backs: dict[str, str]
    faces: dict[str, str]
    stacks: dict[str, list[str]]
    lying: dict[str, Card] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    epochs: list[Epoch] = field(default_factory=list)
    departures: dict[str, list[float]] = field(default_factory=dict)
    _taken: dict[int, _Taken] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = {name: place for place, stack in self.stacks.items() for name in stack}
        self._snapshot(0.0)

    def perform(self, errands: Iterable[Errand]) -> None:
        """Runs errands in the order in which hands grip and release."""
        for t, key, errand in sorted(_events(errands), key=lambda event: event[:2]):
            if errand.grips is None:
                start = self._top(errand.source) or self.slop.goal(errand.source, errand.player)
                self._written(errand, start, ())
            elif key[0]:
                self._taken[key[1]] = self._grip(errand)
                self._snapshot(t)
            else:
                self._release(errand, self._taken.pop(key[1]))
                self._snapshot(t)

    def finished(self) -> tuple[tuple[Move, ...], tuple[Epoch, ...]]:
        """All moves, and the epochs with held decks in the order in which their cards will leave."""
        epochs = []
        for epoch in self.epochs:
            decks = {
                player: tuple(sorted(deck, key=lambda name: (self._leaving(name, epoch.t), name)))
                for player, deck in epoch.decks.items()
            }
            epochs.append(replace(epoch, decks=decks))
        return tuple(sorted(self.moves, key=lambda move: move.leaves)), tuple(epochs)

    def _leaving(self, name: str, t: float) -> float:
        return next((when for when in self.departures.get(name, ()) if when > t), NEVER)

    def _top(self, place: str) -> Lie | None:
        stack = self.stacks.get(place)
        if not stack or stack[-1] not in self.lying:
            return None
        return _lie(self.lying[stack[-1]])

    def _find(self, wanted: Wanted, source: str, taken: _Taken) -> str:
        """The card of that back and face; the one on top stands in for a card of a second deck."""
        if wanted.name:
            return wanted.name
        stack = self.stacks.setdefault(source, [])
        for name in reversed(stack):
            if self.backs[name] == wanted.back and self.faces[name] == wanted.face:
                return name
        name = stack[-1]
        taken.foreign[name] = self.faces[name]
        self.faces[name] = wanted.face
        self._reface(name, wanted.face)
        return name

    def _reface(self, name: str, face: str) -> None:
        """The foreign card has lain there since the one above it went."""
        card = self.lying[name]
        for i in range(len(self.epochs) - 1, -1, -1):
            resting = self.epochs[i].resting
            if card not in resting:
                break
            swapped = tuple(replace(each, face=face) if each == card else each for each in resting)
            self.epochs[i] = replace(self.epochs[i], resting=swapped)

    def _grip(self, errand: Errand) -> _Taken:
        assert errand.grips is not None
        taken = _Taken([], [], [], [])
        for wanted in errand.cards:
            name = self._find(wanted, errand.source, taken)
            place = self.places[name]
            card = self.lying.pop(name, None)
            taken.cards.append(name)
            taken.places.append(place)
            taken.sides.append("back" if card is None else card.side)
            taken.starts.append(self.slop.deck(errand.player) if card is None else _lie(card))
            self.stacks[place].remove(name)
            self._settle(place)
            self.places[name] = f"{CARRIED}{errand.player}"
            if is_hand(place):
                self.departures.setdefault(name, []).append(errand.grips)
        return taken

    def _settle(self, place: str) -> None:
        """Cards above a gap come down."""
        for i, name in enumerate(self.stacks[place]):
            card = self.lying.get(name)
            if card is not None and card.z > i * CARD_THICKNESS:
                self.lying[name] = replace(card, z=i * CARD_THICKNESS)

    def _release(self, errand: Errand, taken: _Taken) -> None:
        back = errand.turns_back is not None
        carried = []
        for i, (wanted, name) in enumerate(zip(errand.cards, taken.cards, strict=True)):
            place = taken.places[i] if back else errand.target
            side = taken.sides[i] if back else ("face" if wanted.up_after else "back")
            face = self.faces[name]
            if back and name in taken.foreign:
                self.faces[name] = taken.foreign[name]
            end = self._lay(name, place, side, errand.player, wanted.lie)
            carried.append(Carried(name, face, self.backs[name], taken.starts[i], end, taken.sides[i], side))
        via = self.slop.goal(errand.target, errand.player) if back else None
        start = carried[-1].start if carried else self.slop.goal(errand.source, errand.player)
        self._written(errand, start, tuple(carried), via)

    def _lay(self, name: str, place: str, side: str, player: str, lie: Lie | None) -> Lie:
        stack = self.stacks.setdefault(place, [])
        end = lie or self.slop.lie(place, player, len(stack) * CARD_THICKNESS)
        stack.append(name)
        self.places[name] = place
        if not is_hand(place):
            self.lying[name] = Card(
                name, side, self.faces[name], self.backs[name], end.x, end.y, end.angle, end.z
            )
        return end

    def _written(
        self, errand: Errand, start: Lie, cards: tuple[Carried, ...], via: Lie | None = None
    ) -> None:
        if errand.deed == "finito":
            return
        self.moves.append(
            Move(
                errand.player,
                errand.hand,
                errand.deed,
                start,
                errand.leaves,
                errand.grips,
                errand.releases,
                errand.home,
                cards,
                errand.turns_back,
                via,
            )
        )

    def _snapshot(self, t: float) -> None:
        decks = {
            place.removesuffix(f" {HAND}"): tuple(stack)
            for place, stack in self.stacks.items()
            if is_hand(place)
        }
        epoch = Epoch(t, tuple(self.lying.values()), decks, dict(self.places))
        if self.epochs and self.epochs[-1].t == t:
            self.epochs.pop()
        self.epochs.append(epoch)


def _lie(card: Card) -> Lie:
    return Lie(card.x, card.y, card.angle, card.z)


def _events(errands: Iterable[Errand]) -> Iterator[tuple[float, tuple[int, int], Errand]]:
    """When each hand grips (1) and releases (0); at the same moment releases come first."""
    for number, errand in enumerate(errands):
        if errand.grips is None or errand.releases is None:
            yield errand.leaves, (1, number), errand
            continue
        yield errand.grips, (1, number), errand
        # A release may never come before its own grip, however quick the hand was.
        yield max(errand.releases, errand.grips + 0.001), (0, number), errand
