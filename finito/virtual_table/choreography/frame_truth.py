"""The truth about one frame as a JSON object: cards, hands, and how much of the picture is covered."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np

from finito.virtual_table.camera import Array, Camera
from finito.virtual_table.choreography.show import Actor, Moment
from finito.virtual_table.hand_look import hand_decals
from finito.virtual_table.hands import hand_frame
from finito.virtual_table.scene import CardTruth, Rendered

_HANDS_SIMPLIFIED: Final = 4.0  # mm by which the outline of a hand may be off
_HALF: Final = 127


def frame_line(frame: int, moment: Moment, rendered: Rendered, usual: Camera) -> dict[str, Any]:
    """All cards of the table: `cards` that show, and in `hidden` the name and place of the others."""
    cards: list[dict[str, Any]] = []
    hidden = [[name, moment.places[name]] for name in moment.hidden]
    for truth in rendered.cards:
        place = moment.places[truth.card.name]
        if truth.visible > 0 and truth.cut_off < 1:
            cards.append(_card(truth, place))
        else:
            hidden.append([truth.card.name, place])
    line: dict[str, Any] = {
        "frame": frame,
        "t": round(moment.t, 3),
        "cards": cards,
        "hidden": hidden,
        "hands": [hand for actor in moment.actors if (hand := _hand(actor, moment.scene.camera))],
        "covered": round(float(np.count_nonzero(rendered.occluders)) / rendered.ids.size, 4),
    }
    if moment.scene.camera != usual:
        line["camera"] = camera_json(moment.scene.camera)
    return line


def _card(truth: CardTruth, place: str) -> dict[str, Any]:
    return {
        "id": truth.card.name,
        "side": truth.side,
        "face": truth.face,
        "back": truth.back,
        "place": place,
        "corners": np.round(truth.corners, 1).tolist(),
        "visible": round(truth.visible, 3),
        "cut_off": round(truth.cut_off, 3),
    }


@lru_cache(maxsize=48)
def _outline(look: int, pose: str, left: bool) -> Array:
    """The outline of a hand with its arm, in its own millimetres from where its fingers meet."""
    decal = hand_decals(look, pose, left).whole
    solid = (decal.art[:, :, 3] > _HALF).astype(np.uint8)
    contours, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    scale = decal.art.shape[1] / decal.size[0]
    rough = cv2.approxPolyDP(max(contours, key=cv2.contourArea), _HANDS_SIMPLIFIED * scale, True)[:, 0]
    return np.asarray((rough + 0.5) / scale - np.array(decal.anchor))


def _hand(actor: Actor, camera: Camera) -> dict[str, Any] | None:
    """Box and outline of a hand in the picture; None while it is outside."""
    hand = actor.hand
    outline = hand_frame(hand).at(_outline(hand.look, hand.pose, hand.left))
    pixels = camera.project(outline)
    width, height = camera.size
    low = np.maximum(pixels.min(axis=0), 0)
    high = np.minimum(pixels.max(axis=0), np.array([width - 1, height - 1]))
    if (low >= high).any():
        return None
    return {
        "player": actor.player,
        "hand": actor.side,
        "box": [round(float(v)) for v in (*low, *high)],
        "outline": np.round(pixels).astype(int).tolist(),
    }


def camera_json(camera: Camera) -> dict[str, Any]:
    """The camera as OpenCV knows it. Points of the table are (x, y, -height): its z points into the table."""
    view = camera.view
    centre = view.centre * np.array([1, 1, -1])
    return {
        "size": list(camera.size),
        "matrix": [[camera.focal, 0.0, view.middle[0]], [0.0, camera.focal, view.middle[1]], [0.0, 0.0, 1.0]],
        "distortion": [camera.k1, camera.k2, camera.p1, camera.p2],
        "rotation": np.round(view.rotation, 9).tolist(),
        "translation": np.round(-view.rotation @ centre, 6).tolist(),
    }
