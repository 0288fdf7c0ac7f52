"""A table that was measured before: the eyes go on with the first frame that comes."""

from __future__ import annotations

from dataclasses import replace

from finito.live_setup import Counting
from vision.frame import Frame
from vision.observations import Covered, Look, Observation, centre_spot
from vision.pipeline import Pipeline, Setting
from vision.pipelining.eye import Eye
from vision.sources import Event


class KnownTable:
    """`finito.live_setup.LiveTable` without the setting up.

    The eyes number the stacks of the centre anew: from `stacks` on, so that none is taken for an old one.
    """

    why = "the camera is looked for"

    def __init__(self, setting: Setting, eye: Eye, stacks: int = 0, counting: Counting | None = None) -> None:
        self._setting, self._eye, self._stacks, self._counting = setting, eye, stacks, counting
        self.pipeline: Pipeline | None = None

    def see(self, event: Event) -> list[Observation]:
        if self.pipeline is None:
            if not isinstance(event, Frame):
                return []
            self.pipeline = Pipeline(self._setting, self._eye, event)
        if isinstance(event, Frame):
            told = [renumbered(each, self._stacks) for each in self.pipeline.see(event)]
            if self._counting is None:
                return told
            return [*told, *self._counting.see(event, told, self.pipeline.plane, self._setting.zones)]
        return [] if event.end is None else self.pipeline.gap(event.start, event.end, event.why)


def renumbered(observation: Observation, stacks: int) -> Observation:
    """The same of a stack that comes after so many others."""
    if isinstance(observation, Look | Covered) and observation.spot.is_centre:
        return replace(observation, spot=centre_spot(observation.spot.stack + stacks))
    return observation
