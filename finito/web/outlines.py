"""What is drawn over the camera's picture: places, cards and whatever is in front of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vision.observations import Look, Spot

if TYPE_CHECKING:
    from calibration.table_plane import TablePlane
    from vision.pipeline import Setting

Json = dict[str, Any]


@dataclass
class Outlines:
    """What was last seen at each spot, as outlines in the camera's picture."""

    plane: TablePlane | None = None
    zones: list[Json] = field(default_factory=list)
    looks: dict[Spot, Json] = field(default_factory=dict)

    def ready(self, setting: Setting) -> None:
        self.plane = setting.plane
        places = [place for seat in setting.zones.seats for place in seat.places]
        self.zones = [
            {"corners": rounded(setting.plane.card_outline(place.x, place.y, place.angle)), "kind": "zone"}
            for place in places
        ]

    def heard(self, look: Look) -> None:
        if look.shows == "nothing" or self.plane is None:
            self.looks.pop(look.spot, None)
            return
        word = look.faces[0][0] if look.faces else look.backs[0][0] if look.backs else "?"
        corners = rounded(self.plane.card_outline(*look.at, look.angle - 90))
        self.looks[look.spot] = {"corners": corners, "word": word, "kind": "card"}

    def drawn(self, pipeline: Any, scale: float) -> list[Json]:
        """Everything, in a picture of that scale."""
        marks = [*self.zones, *list(self.looks.values())]
        over = () if pipeline is None or not hasattr(pipeline, "in_front") else pipeline.in_front()
        marks += [{"corners": rounded(outline), "kind": "arm"} for outline in over]
        return scaled(marks, scale)


def scaled(marks: list[Json], scale: float) -> list[Json]:
    return [
        {**mark, "corners": [[round(x * scale), round(y * scale)] for x, y in mark["corners"]]}
        for mark in marks
    ]


def rounded(corners: Any) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners]
