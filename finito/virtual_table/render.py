"""Renders a scene into a picture with the exact truth about every card in it."""

from collections.abc import Mapping

import numpy as np

from finito.virtual_table.camera import Array, View
from finito.virtual_table.card_painter import Footprint, paint_card, paint_pile_shadow
from finito.virtual_table.clutter import paint_clutter
from finito.virtual_table.decals import Decal, DeckArt, DeckDecals, deck_decals
from finito.virtual_table.hands import paint_hand
from finito.virtual_table.lighting import Lamp, lamps
from finito.virtual_table.painter import Canvas
from finito.virtual_table.scene import Card, CardTruth, Rendered, Scene
from finito.virtual_table.sensor import expose
from finito.virtual_table.surfaces import surface_picture

# Below this height (mm) the shadow a pile throws on the table is hidden by that of its lowest card.
_PILE_SHADOW = 1.5
_PILE_APART = 45.0


def render(scene: Scene, deck: DeckArt, clean: bool = False) -> Rendered:
    """The scene as the camera takes it; `clean` leaves out light, lens faults, noise and compression."""
    view = scene.camera.view
    canvas = blank(view, scene)
    decals = deck_decals(deck)
    prints = paint_resting(canvas, scene, decals, lamps(scene))
    numbers = paint_hands(canvas, scene, decals, lamps(scene), prints)
    counts = count_ids(canvas.ids, len(numbers))
    truths = tuple(truth(card, number, prints[number], counts[number]) for card, number in numbers)
    picture = canvas.picture if clean else expose(view, scene, canvas.picture, canvas.ids)
    name = str(getattr(deck, "name", ""))
    return Rendered(picture, canvas.ids, truths, zones_in_picture(view, scene.zones), scene, name)


def blank(view: View, scene: Scene) -> Canvas:
    """A canvas with the empty table on it."""
    width, height = view.camera.size
    picture = surface_picture(view, scene.surface, scene.floor)
    return Canvas(view, picture, np.zeros((height, width), np.int16), (0, 0, width, height))


def paint_resting(
    canvas: Canvas, scene: Scene, decals: DeckDecals, light: tuple[Lamp, ...]
) -> dict[int, Footprint]:
    """Paint everything but the hands; the footprints of the cards by their number (from 1)."""
    for thing in scene.clutter:
        if not thing.above:
            paint_clutter(canvas, thing, light)
    for card in pile_tops(scene.cards):
        paint_pile_shadow(canvas, side_up(decals, card), card, light)
    prints = {}
    for number, card in enumerate(scene.cards, 1):
        prints[number] = paint_card(canvas, side_up(decals, card), card, number, light)
    for thing in scene.clutter:
        if thing.above:
            paint_clutter(canvas, thing, light)
    return prints


def pile_tops(cards: tuple[Card, ...]) -> list[Card]:
    """The highest card of each pile that is high enough to throw a shadow on the table."""
    tops: list[Card] = []
    for card in reversed(cards):
        if card.z <= _PILE_SHADOW or card.lift:
            continue
        if all(abs(card.x - top.x) + abs(card.y - top.y) > _PILE_APART for top in tops):
            tops.append(card)
    return tops


def side_up(decals: DeckDecals, card: Card) -> Decal:
    return decals.side(card.side, card.face if card.side == "face" else card.back)


def paint_hands(
    canvas: Canvas,
    scene: Scene,
    decals: DeckDecals,
    light: tuple[Lamp, ...],
    prints: dict[int, Footprint],
) -> list[tuple[Card, int]]:
    """Paint the hands with the cards they hold; all cards of the scene with their numbers."""
    numbered = list(zip(scene.cards, range(1, len(scene.cards) + 1), strict=True))
    for hand in scene.hands:
        held = [(card, len(numbered) + i) for i, card in enumerate(hand.held, 1)]
        numbered += held
        prints.update(paint_hand(canvas, hand, held, lambda card: side_up(decals, card), light))
    return numbered


def count_ids(ids: Array, cards: int) -> Array:
    """How many pixels show each card number."""
    return np.bincount(np.maximum(ids, 0).ravel(), minlength=cards + 1)


def truth(card: Card, number: int, footprint: Footprint, seen: int) -> CardTruth:
    visible = min(1.0, float(seen) / footprint.area) if footprint.area else 0.0
    return CardTruth(card, number, footprint.corners, visible, footprint.cut_off)


def zones_in_picture(view: View, zones: Mapping[str, tuple[tuple[float, float], ...]]) -> Mapping[str, Array]:
    """Named polygons in table millimetres, as seen in the picture."""
    return {
        name: view.project(np.c_[np.array(polygon, float), np.zeros(len(polygon))])
        for name, polygon in zones.items()
    }
