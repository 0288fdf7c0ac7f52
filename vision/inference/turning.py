"""Turns and recycles: the waste changed, and the card that lay open there was not seen anywhere else."""

from __future__ import annotations

from referee.actions import Interval, Recycle, Turn
from referee.places import WASTE
from vision.inference.causes import Setting, Use
from vision.inference.inferred import Inferred
from vision.inference.settling import Settling
from vision.inference.table import Departure


def turns_due(setting: Setting, settling: Settling, now: float, wanted: set[Use]) -> list[Inferred]:
    """The turns and recycles for which nothing else has been found in time, nor is being weighed."""
    said = []
    for gone in setting.table.departures:
        if gone.spent or gone.perhaps or gone.place != WASTE:
            continue
        if gone.deed is not None or gone.number in wanted:
            continue
        if now - gone.t >= setting.priors.wait_turn:
            said.append(_buried(setting, settling, gone))
    return said


def _buried(setting: Setting, settling: Settling, gone: Departure) -> Inferred:
    """The waste changed and its card went nowhere: cards were turned upon it, or all were taken up."""
    number = settling.new_deed()
    gone.deed = number
    look, when = gone.look, Interval(gone.since, gone.t)
    # Where the waste was hidden for long, the turn is taken to be early: that wrongs nobody.
    moment = min(gone.t, gone.since + 0.35)
    place = setting.table.places[gone.owner, WASTE]
    action: Turn | Recycle
    if gone.reveals is None:
        action = Recycle(gone.owner, when)
    else:
        action = Turn(gone.owner, settling.stock_turn, when, settling.top_face(gone.reveals))
        if place.look is look:
            place.deed = number
    sure = 0.995 if gone.t - gone.since < 1.0 else 0.95
    return settling.say(Inferred(number, action, sure, moment, look.frames, (look,)))
