"""Stills of games for learning."""

import numpy as np
import pytest

from finito.errors import BadInput
from finito.virtual_table.choreography.casting import deck_named
from finito.virtual_table.played_stills import STILLS_OF_A_GAME, played_still

_SIZES = ((320, 180), (352, 198))
_GAME = range(STILLS_OF_A_GAME)


def test_a_still_of_a_game_follows_from_its_numbers_alone() -> None:
    first = played_still(5, "train", _SIZES, 1)
    played_still(5, "train", _SIZES, STILLS_OF_A_GAME)  # another game in between
    again = played_still(5, "train", _SIZES, 1)
    assert np.array_equal(first.picture, again.picture)
    assert first.picture.shape[1::-1] in _SIZES


def test_thick_decks_lie_in_hands() -> None:
    held = [
        card
        for index in _GAME
        for hand in played_still(6, "train", _SIZES, index).scene.hands
        for card in hand.held
    ]
    assert any(card.thickness > 2 and card.side == "back" for card in held)


def test_games_for_learning_are_played_with_decks_of_their_split() -> None:
    assert played_still(5, "train", _SIZES, 0).deck.startswith("train-")
    assert played_still(5, "validation", _SIZES, 0).deck.startswith("validation-")
    assert deck_named("random:3", 2).name.startswith("test-")


def test_an_unknown_kind_of_deck_is_named_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="--deck 'learning:3' is not known; write house, or random:7"):
        deck_named("learning:3", 2)
