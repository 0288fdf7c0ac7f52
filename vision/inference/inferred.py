"""What the inference says: an action with how sure it is, and what shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.actions import Action, Interval
from vision.inference.table import Tops
from vision.observations import Look


@dataclass(frozen=True, slots=True)
class PileSeen:
    """No action of anybody: a pile shows something that nobody was seen to lay."""

    pile: int
    tops: Tops
    t: Interval


Deed: TypeAlias = Action | PileSeen


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another story of the same looks; None: nothing was done."""

    action: Deed | None
    chance: float


@dataclass(frozen=True, slots=True)
class Inferred:
    """An action as it was most likely done. `number` names it for good: later words on it carry the same."""

    number: int
    action: Deed
    confidence: float
    moment: float  # the single time that fits best
    seen: tuple[int, int]  # frames
    looks: tuple[Look, ...]
    alternatives: tuple[Alternative, ...] = ()
    done: float = 0.0  # the chance that this player laid this card from there, whatever else was laid with it
    fits: float = 1.0  # the chance that the card fits the pile it was laid on
    before: Tops = ()  # what the pile may have shown before
    unseen: int = 0  # plays on the pile that nobody saw must have come before
    hand_looks: int = 0  # how many looks agree on the hand
    order_unknown: bool = False
    said: Literal["new", "amended", "withdrawn"] = "new"
