"""Paints hands with their arms, their shadows and the cards between their fingers."""

from collections.abc import Callable, Sequence

from finito.virtual_table.card_painter import Footprint, paint_card
from finito.virtual_table.decals import Decal
from finito.virtual_table.hand_look import hand_decals
from finito.virtual_table.lighting import Lamp
from finito.virtual_table.painter import Canvas, Frame, lying, paint, paint_shadow
from finito.virtual_table.scene import HAND, Card, Hand

# More lamps than this add shadows too faint to see.
_SHADOWS = 2


def hand_frame(hand: Hand) -> Frame:
    return lying(hand.x, hand.y, hand.z, hand.angle, pitch=-hand.rise)


def paint_hand(
    canvas: Canvas,
    hand: Hand,
    held: Sequence[tuple[Card, int]],
    side_up: Callable[[Card], Decal],
    light: tuple[Lamp, ...],
) -> dict[int, Footprint]:
    """Paint a hand with its held cards (each with its number); the footprints of those cards."""
    decals = hand_decals(hand.look, hand.pose, hand.left)
    frame = hand_frame(hand)
    for lamp in light[:_SHADOWS]:
        paint_shadow(canvas, decals.whole, frame, lamp.place, _softness(hand, lamp), 0.12 + 0.75 * lamp.share)
    if decals.below is not None:
        paint(canvas, decals.below, frame, HAND, hand.motion)
    prints = {number: paint_card(canvas, side_up(card), card, number, light) for card, number in held}
    if decals.above is not None:
        paint(canvas, decals.above, frame, HAND, hand.motion)
    return prints


def _softness(hand: Hand, lamp: Lamp) -> float:
    return 2.0 + lamp.softness * (hand.z + 15)
