"""A table that was measured before: the eyes go on with the first frame that comes."""

from __future__ import annotations

from vision.frame import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline, Setting
from vision.pipelining.eye import Eye
from vision.sources import Event


class KnownTable:
    """`finito.live_setup.LiveTable` without the setting up."""

    why = "the camera is looked for"

    def __init__(self, setting: Setting, eye: Eye) -> None:
        self._setting, self._eye = setting, eye
        self.pipeline: Pipeline | None = None

    def see(self, event: Event) -> list[Observation]:
        if self.pipeline is None:
            if not isinstance(event, Frame):
                return []
            self.pipeline = Pipeline(self._setting, self._eye, event)
        if isinstance(event, Frame):
            return self.pipeline.see(event)
        return [] if event.end is None else self.pipeline.gap(event.start, event.end, event.why)
