"""Refusals: an action or deal that speaks of players, cards or slots which its round does not have."""

from __future__ import annotations

from referee.actions import Action, Build, Deal, Finito, Play, Recycle, Refill, Start, TakeBack, Turn
from referee.cards import Face
from referee.errors import RefereeError
from referee.places import HELP_INDEX
from referee.rules.pile_game import PileRules


class RoundChecks:
    """What may be said in a round of these rules."""

    def __init__(self, rules: PileRules) -> None:
        self.rules = rules
        self._foreign = ~rules.game.face_mask
        self._helps = rules.helps
        self._names = rules.index

    def action(self, action: Action) -> None:
        if isinstance(action, Turn):
            self.names(action.player)
            self.faces(action.top)
        elif isinstance(action, Play):
            self.names(action.player)
            if action.owner is not None:
                self.names(action.owner)
            self.faces(action.face, action.reveals)
            self.slots(action.source)
        elif isinstance(action, Refill):
            self.names(action.player)
            self.faces(action.face, action.reveals)
            self.slots(action.source, action.slot)
        elif isinstance(action, TakeBack):
            self.names(action.player)
            self.faces(action.face)
        elif isinstance(action, Build):
            self._build(action)
        else:
            assert isinstance(action, Recycle | Finito | Start)
            if action.player is not None:
                self.names(action.player)

    def _build(self, action: Build) -> None:
        if not self.rules.game.home_building:
            game = self.rules.game.name
            raise RefereeError(f"{game} has no building at home; a card goes into the centre")
        self.names(action.player)
        self.faces(action.face, action.reveals)
        self.slots(action.source, action.slot)

    def names(self, *names: str) -> None:
        for name in names:
            if name not in self._names:
                known = ", ".join(self.rules.players)
                raise RefereeError(f"no player is called {name!r}; the round names {known}")

    def faces(self, *cards: Face) -> None:
        for card in cards:
            if card.bit & self._foreign or (not card.bit and card.number is not None):
                self._number(card)

    def _number(self, card: Face) -> None:
        game = self.rules.game
        if card.number not in game.numbers:
            span = f"{game.first_number} to {game.last_number}"
            raise RefereeError(f"{card} is no card of {game.name}: its numbers go from {span}")

    def slots(self, *places: str) -> None:
        for place in places:
            if HELP_INDEX.get(place, 0) >= self._helps:
                raise RefereeError(f"{place} does not exist: each player has {self._helps} help cards")

    def deal(self, deal: Deal) -> None:
        game = self.rules.game
        self.names(deal.player)
        if len(deal.helps) != self._helps:
            raise RefereeError(
                f"the deal of {deal.player} shows {len(deal.helps)} help cards; "
                f"{game.name} with {len(self.rules.players)} players deals {self._helps}"
            )
        if deal.espresso is not None and deal.espresso > game.race_stack:
            raise RefereeError(
                f"the stack of {deal.player} has {deal.espresso} cards; {game.name} deals {game.race_stack}"
            )
        shown = [card for card in (deal.top, *deal.helps) if card is not None]
        self.faces(*shown)
        twice = next((card for card in shown if card.known and shown.count(card) > 1), None)
        if twice is not None:
            raise RefereeError(f"the deal of {deal.player} shows {twice} twice; a back has each card once")

    def counted(self, name: str, cards: int) -> None:
        self.names(name)
        most = self.rules.game.cards_per_back
        if cards > most:
            raise RefereeError(f"{cards} cards of {name} are counted; a back has only {most}")
