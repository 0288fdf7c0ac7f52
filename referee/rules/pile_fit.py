"""What fits upon a pile, and what its top is afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from referee.cards import Colour, Face, face
from referee.rules.parameters import PileGame
from referee.state import Top, top
from referee.verdicts import Rule


@dataclass(frozen=True)
class PileLaw:
    """The law of the centre: a game's parameters, the Zero variant and an edition's restart upon the last."""

    game: PileGame
    zero: bool = False
    restart_on_last: bool = False

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        return tuple(face(colour, number) for colour in Colour for number in self.game.numbers)

    def is_joker(self, card: Face) -> bool:
        return self.zero and card.number == 0

    def breach(self, below: Top | None, card: Face) -> Rule | None:
        """The rule that a known card breaks upon that top (None: upon the bare table), or None if it fits."""
        number, game = card.number, self.game
        assert number is not None
        if below is None:
            opening = number == game.first_number or (self.zero and number == game.first_number + 1)
            return None if opening else Rule.MUST_START_WITH_ZERO
        if number == 0 and self.zero:
            return self._joker_breach(below)
        if below.number == game.last_number:
            restart = self.restart_on_last and number == game.first_number and card.colour is below.colour
            return None if restart else Rule.PILE_COMPLETE
        same_colour = below.colour is None or below.colour is card.colour
        if number == below.number + 1:
            return None if same_colour else Rule.WRONG_COLOUR
        if number <= below.number and same_colour:
            return Rule.TOO_LATE
        return Rule.WRONG_NUMBER

    def _joker_breach(self, below: Top) -> Rule | None:
        if below.joker:
            return Rule.JOKER_ON_JOKER
        if below.number == self.game.last_number:
            return Rule.JOKER_ON_EIGHT
        if below.number == self.game.last_number - 1:
            return Rule.JOKER_NOT_FOLLOWED  # it would stand for the last number, and nothing follows that
        return None

    def after(self, below: Top | None, card: Face) -> Top:
        """The top once a known card that fits lies there."""
        if self.is_joker(card):
            return top(0 if below is None else below.number + 1, None, True)
        assert card.number is not None
        return top(card.number, card.colour)

    def candidates(self, card: Face, impossible: int) -> tuple[Face, ...]:
        """The known faces a reading may stand for, without those seen elsewhere."""
        return tuple(each for each in self.faces if card.could_be(each) and not each.bit & impossible)
