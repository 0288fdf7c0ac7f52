"""What the eyes tell the inference: looks at places, over time. Pure data, one JSON line each.

A place is looked at again whenever what lies on top of it changed and settled, or can be read better than
before. What a hand or sleeve hides is said to be covered: unknown, not empty.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from referee.actions import Hand

Shown: TypeAlias = Literal["face", "back", "nothing"]
Chances: TypeAlias = tuple[tuple[str, float], ...]
"""Names with their chances, the likeliest first; what is missing to 1 is something not named."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where cards lie: of a player (`espresso`, `help1`, `waste`, `hand`), or a stack in the centre.

    Stacks in the centre carry the number the tracker gave them; it stays theirs when they are pushed aside.
    """

    player: str | None
    place: str
    stack: int = 0

    @property
    def is_centre(self) -> bool:
        return self.player is None


def centre_spot(stack: int) -> Spot:
    return Spot(None, "pile", stack)


@dataclass(frozen=True, slots=True)
class Look:
    """What lies on top of a spot, from the moment it was seen there.

    `since` is when the spot was last seen clearly before that, showing what it showed then: the change
    happened between `since` and `t`. `again` marks a better reading of the same cards, with the same `t`.
    """

    spot: Spot
    since: float
    t: float
    shows: Shown
    faces: Chances = ()
    backs: Chances = ()
    reach: Chances = ()  # players whose arms were over the spot in between
    hand: Hand | None = None
    at: tuple[float, float] = (0.0, 0.0)  # millimetres on the table
    angle: float = 0.0
    frames: tuple[int, int] = (0, 0)
    again: bool = False


@dataclass(frozen=True, slots=True)
class Covered:
    """Something has hidden a spot from `since` to `t` and goes on hiding it."""

    spot: Spot
    since: float
    t: float
    reach: Chances = ()


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; everything that was settled until `t` has been told."""

    t: float
    frame: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The eyes were shut: the camera was gone, or moved, from `since` to `t`."""

    since: float
    t: float
    why: str


@dataclass(frozen=True, slots=True)
class Counted:
    """The face-down cards on a table at rest: for each the chance that it is a card, and of each back."""

    t: float
    frame: int
    cards: tuple[tuple[float, Chances], ...] = ()
    doubts: tuple[str, ...] = ()  # what else should be looked at, a sentence each


Observation: TypeAlias = Look | Covered | Tick | Gap | Counted

_KINDS: dict[str, type[Look] | type[Covered] | type[Tick] | type[Gap] | type[Counted]] = {
    "look": Look,
    "covered": Covered,
    "tick": Tick,
    "gap": Gap,
    "counted": Counted,
}


def observation_line(observation: Observation) -> str:
    """One JSON line; what is as usual is left out."""
    fields: dict[str, Any] = {"type": type(observation).__name__.lower()}
    for name, field in type(observation).__dataclass_fields__.items():
        value = getattr(observation, name)
        if value == field.default:
            continue
        if isinstance(value, Spot):
            value = [value.player, value.place, value.stack]
        fields[name] = round(value, 4) if isinstance(value, float) else value
    return json.dumps(fields, separators=(",", ":"))


def observation_from(line: str) -> Observation:
    """The observation of a line; ValueError where it is none."""
    try:
        fields = json.loads(line)
        kind = _KINDS[fields.pop("type")]
        if "spot" in fields:
            player, place, stack = fields["spot"]
            fields["spot"] = Spot(player, place, int(stack))
        for name in ("faces", "backs", "reach"):
            if name in fields:
                fields[name] = _chances(fields[name])
        for name in ("at", "frames", "doubts"):
            if name in fields:
                fields[name] = tuple(fields[name])
        if "cards" in fields:
            fields["cards"] = tuple((float(chance), _chances(whose)) for chance, whose in fields["cards"])
        return kind(**fields)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no observation: {error}") from None


def _chances(pairs: Any) -> Chances:
    return tuple((str(what), float(chance)) for what, chance in pairs)
