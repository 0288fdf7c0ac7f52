"""What is remembered of cards that lay open at home."""

from __future__ import annotations

from finito.ending.at_home import HomeLooks
from referee.cards import parse_face
from vision.observations import Look, Spot

HELP1 = Spot("pizza", "help1")


def test_a_card_that_proves_to_be_another_one_was_never_at_home() -> None:
    homes = HomeLooks()
    homes.feed(Look(HELP1, 4.0, 4.2, "face", (("R5", 0.98),)))
    assert homes.times_home(("pizza", parse_face("R5")), 1.0) == 1
    homes.feed(Look(HELP1, 4.0, 4.2, "face", (("B5", 0.99),), again=True))
    assert homes.times_home(("pizza", parse_face("R5")), 1.0) == 0
    assert homes.times_home(("pizza", parse_face("B5")), 1.0) == 1
