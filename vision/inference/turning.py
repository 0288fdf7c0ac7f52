"""Turns and recycles: the waste changed, and the card that lay open there was not seen anywhere else."""

from __future__ import annotations

from referee.places import WASTE
from vision.inference.causes import Setting, Use
from vision.inference.inferred import Inferred
from vision.inference.settling import Settling


def turns_due(setting: Setting, settling: Settling, now: float, wanted: set[Use]) -> list[Inferred]:
    """The turns and recycles for which nothing else has been found in time, nor is being weighed."""
    said = []
    for gone in setting.table.departures:
        if gone.spent or gone.perhaps or gone.place != WASTE:
            continue
        if gone.deed is not None or gone.number in wanted:
            continue
        if now - gone.t >= setting.priors.wait_turn:
            said.append(settling.buried(gone))
    return said
