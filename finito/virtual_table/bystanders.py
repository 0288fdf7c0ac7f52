"""Random things and hands around the cards of a still."""

import math
from collections.abc import Callable

from finito.virtual_table.camera import Camera
from finito.virtual_table.layouts import Dealer, Layout
from finito.virtual_table.scene import Card, Clutter, Hand
from finito.virtual_table.surface_patterns import Rng
from finito.virtual_table.things import THINGS

# A hand of the pool has one pose for life: (its poses, may it hold a card).
_HAND_SLOTS: tuple[tuple[str, ...], ...] = (
    ("carry",),
    ("hold", "pinch"),
    ("rest", "flat"),
    ("point", "grab", "rest"),
)


def random_clutter(rng: Rng, layout: Layout, camera: Camera, only_clutter: bool) -> tuple[Clutter, ...]:
    """Things beside and under the cards, seldom over them."""
    # What stands on the table must stay well below the lens.
    tall = camera.distance * math.cos(math.radians(camera.tilt)) > 350
    kinds = [kind for kind in THINGS if tall or kind not in ("mug", "glass", "case", "plate")]
    count = int(rng.poisson(5 if only_clutter else 1.3)) if only_clutter or rng.random() < 0.6 else 0
    wide, high = layout.half
    things = []
    for _ in range(count):
        x, y = rng.uniform(-1.25, 1.25) * wide, rng.uniform(-1.25, 1.25) * high
        central = abs(x) < 0.7 * wide and abs(y) < 0.7 * high
        if central and not only_clutter and rng.random() < 0.6:
            x *= 1.5
        kind = str(rng.choice(kinds))
        above = bool(rng.random() < 0.12) and kind not in ("paper", "case", "plate", "marker")
        things.append(
            Clutter(kind, int(rng.integers(1 << 30)), float(x), float(y), float(rng.uniform(0, 360)), above)
        )
    return tuple(things)


def random_hands(
    rng: Rng, layout: Layout, deal: Dealer, camera: Camera, pooled: Callable[[int, int], int]
) -> tuple[Hand, ...]:
    """Up to three hands that reach in from any side."""
    height = camera.distance * math.cos(math.radians(camera.tilt))
    if rng.random() < (0.9 if height < 300 else 0.62):
        return ()
    hands = []
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        slot = int(rng.integers(len(_HAND_SLOTS)))
        look = pooled(slot, len(_HAND_SLOTS))
        pose = _HAND_SLOTS[slot][look % len(_HAND_SLOTS[slot])]
        hands.append(_hand(rng, layout, deal, look, pose, min(1.0, height / 900)))
    return tuple(hands)


def _hand(rng: Rng, layout: Layout, deal: Dealer, look: int, pose: str, room: float) -> Hand:
    wide, high = layout.half
    x, y = float(rng.normal(0, 0.45) * wide), float(rng.normal(0, 0.45) * high)
    if layout.cards and rng.random() < 0.4:
        near = layout.cards[rng.integers(len(layout.cards))]
        x, y = near.x + float(rng.normal(0, 25)), near.y + float(rng.normal(0, 25))
    # The arm comes from the side of the table the hand is nearest to, more or less.
    angle = math.degrees(math.atan2(-x / wide, y / high)) + float(rng.normal(0, 40))
    z = float(rng.uniform(8, 60)) * room
    rise = float(rng.uniform(0, 9)) * room
    motion = (float(rng.normal(0, 5)), float(rng.normal(0, 5))) if rng.random() < 0.25 else (0.0, 0.0)
    left = bool(look & 64)
    held: tuple[Card, ...] = ()
    if layout.cards and pose in ("carry", "hold", "pinch") and rng.random() < 0.85:
        held = _held(rng, deal, pose, (x, y, z), angle, motion)
    return Hand(look, x, y, angle, z, pose, left, rise, held, motion)


def _held(
    rng: Rng,
    deal: Dealer,
    pose: str,
    at: tuple[float, float, float],
    angle: float,
    motion: tuple[float, float],
) -> tuple[Card, ...]:
    """Cards between the fingers: one that is carried, or a deck, a fan or a single card in the hand."""
    x, y, z = at
    turn = math.radians(angle)
    reach = deal.card_mm[1] * (0.42 if pose == "carry" else rng.uniform(0.1, 0.3))
    x, y = x + math.sin(turn) * reach, y - math.cos(turn) * reach
    count = 1 if pose == "carry" else int(rng.choice([1, 1, 3, 6]))
    step = float(rng.choice([0.6, 7.0]))
    side = "back" if rng.random() < (0.15 if pose == "carry" else 0.5) else "face"
    back = str(rng.choice(deal.backs))
    cards = []
    for i in range(count):
        tilt = (i - (count - 1) / 2) * step
        card = deal.card(
            x + tilt * 0.9,
            y + float(rng.normal(0, 0.6)),
            angle + tilt + float(rng.normal(0, 2)),
            side=side,
            back=back,
        )
        pitch, yaw = (float(rng.normal(0, 7)), float(rng.normal(0, 7))) if count == 1 else (0.0, 0.0)
        lift = max(2.0, z + 2) + 0.4 * i
        cards.append(
            Card(**{**card.__dict__, "lift": lift, "pitch": pitch, "yaw": yaw, "bend": 0.0, "motion": motion})
        )
    return tuple(cards)
