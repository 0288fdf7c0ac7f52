"""Bots: players who play by the rules at human speed, with faults on order. They never ask the judge."""

from finito.bots.mischief import FAULTS
from finito.bots.motions import Motion, MovedCard, Spot
from finito.bots.record import BotRound, HiddenDeal
from finito.bots.rounds import play_round

__all__ = ["FAULTS", "BotRound", "HiddenDeal", "Motion", "MovedCard", "Spot", "play_round"]
