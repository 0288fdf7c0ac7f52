"""What lies on the virtual table and how it is filmed, in table millimetres; and what a rendering tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from finito.virtual_table.camera import Array, Camera

TABLE, HAND, CLUTTER, CLUTTER_ABOVE = 0, -1, -2, -3
CARD_THICKNESS = 0.35


@dataclass(frozen=True)
class Card:
    """A card on the table or in a hand. `angle` turns it clockwise as seen from above; 0 has its top north.

    `z` is the height of what it rests on, `lift` how far it is carried above that, `pitch` and `yaw` the
    degrees by which its top edge and its right edge are raised, `bend` the millimetres its middle stands
    above its short edges (negative: below), `motion` the millimetres it moves while the shutter is open.
    """

    name: str
    side: str
    face: str
    back: str
    x: float
    y: float
    angle: float = 0.0
    z: float = 0.0
    lift: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    bend: float = 0.0
    thickness: float = CARD_THICKNESS
    motion: tuple[float, float] = (0.0, 0.0)
    sheen: float = 0.0


@dataclass(frozen=True)
class Light:
    """A lamp or window; `size` its radius in mm (soft shadows), `colour` its blue, green and red."""

    x: float
    y: float
    z: float
    power: float = 1.0
    size: float = 60.0
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Shade:
    """The edge of a large shadow, or of sunlight where `depth` is negative, through (x, y).

    It darkens everything to the right of somebody on the edge who looks along `angle`, over `soft` mm.
    """

    x: float
    y: float
    angle: float
    soft: float = 60.0
    depth: float = 0.3


@dataclass(frozen=True)
class Surface:
    """A procedural table top or floor: kind and seed give the pattern, `grain` its texture pixels per mm."""

    kind: str = "wood"
    seed: int = 0
    grain: float = 2.0
    angle: float = 0.0
    gloss: float = 0.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    size: tuple[float, float] | None = None
    round: bool = False


@dataclass(frozen=True)
class Clutter:
    """A thing that is no card. `above` lays it over the cards, otherwise they lie over it."""

    kind: str
    seed: int
    x: float
    y: float
    angle: float = 0.0
    above: bool = False


@dataclass(frozen=True)
class Hand:
    """A hand with its forearm. (x, y) is where its fingers meet, `angle` where they point (0 is north).

    The arm reaches the same way back to its owner. `held` cards lie between the two layers of the hand:
    in pose `carry` the fingers are above the card, in pose `hold` the thumb is.
    """

    look: int
    x: float
    y: float
    angle: float = 0.0
    z: float = 15.0
    pose: str = "rest"
    left: bool = False
    rise: float = 6.0
    held: tuple[Card, ...] = ()
    motion: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Sensor:
    """What lens, sensor and phone software do to the light; neutral unless said otherwise."""

    exposure: float = 1.0
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    defocus: float = 0.0
    shake: tuple[float, float] = (0.0, 0.0)
    sharpen: float = 0.0
    contrast: float = 0.0
    black_level: float = 0.0
    saturation: float = 1.0
    noise: float = 0.0
    noise_kind: int = 0
    bands: tuple[float, float, float] = (0.0, 40.0, 0.0)
    coarseness: float = 1.0
    jpeg: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Scene:
    camera: Camera = field(default_factory=Camera)
    surface: Surface = Surface()
    floor: Surface = Surface(kind="parquet")
    lights: tuple[Light, ...] = (Light(-400.0, -600.0, 1800.0),)
    ambient: float = 0.6
    shades: tuple[Shade, ...] = ()
    cards: tuple[Card, ...] = ()
    clutter: tuple[Clutter, ...] = ()
    hands: tuple[Hand, ...] = ()
    sensor: Sensor = Sensor()
    zones: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class CardTruth:
    """Where a card is in the picture. `corners` (4×2) start at its own top left and run clockwise.

    `visible` is the part of its pixels in the picture that nothing hides; `cut_off` the part of the card
    that falls outside the frame.
    """

    card: Card
    number: int
    corners: Array
    visible: float
    cut_off: float

    @property
    def side(self) -> str:
        return self.card.side

    @property
    def face(self) -> str:
        return self.card.face

    @property
    def back(self) -> str:
        return self.card.back


@dataclass(frozen=True)
class Rendered:
    """A picture (BGR) with its truth. `ids` holds each pixel's card number, or what else is there."""

    picture: Array
    ids: Array
    cards: tuple[CardTruth, ...]
    zones: Mapping[str, Array]
    scene: Scene
    deck: str = ""

    @property
    def occluders(self) -> Array:
        """True where a hand, an arm or a thing lying over the cards hides what is below."""
        return np.asarray((self.ids == HAND) | (self.ids == CLUTTER_ABOVE))
