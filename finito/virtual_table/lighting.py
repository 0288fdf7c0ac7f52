"""How much light of which colour falls where, and where it is mirrored into the camera."""

import math
from dataclasses import dataclass

import numpy as np

from finito.virtual_table.camera import Array, View
from finito.virtual_table.scene import Light, Scene, Shade


@dataclass(frozen=True)
class Lamp:
    """A light as shadows see it: its share of all light and the millimetres of blur per mm of height."""

    place: Array
    share: float
    softness: float


def lamps(scene: Scene) -> tuple[Lamp, ...]:
    """The lights, strongest first; a scene without any has one soft sky above."""
    total = scene.ambient + sum(light.power for light in scene.lights)
    found = [
        Lamp(np.array([light.x, light.y, light.z]), light.power / total, light.size / light.z)
        for light in scene.lights
    ]
    if not found:
        return (Lamp(np.array([0.0, 0.0, 4000.0]), 0.2, 0.4),)
    return tuple(sorted(found, key=lambda lamp: -lamp.share))


def _falling(light: Light, points: Array) -> Array:
    """Light on table points compared with the point right below the lamp."""
    dx, dy = points[..., 0] - light.x, points[..., 1] - light.y
    fraction: Array = (1 + (dx * dx + dy * dy) / light.z**2) ** -1.5
    return fraction


def light_map(view: View, scene: Scene) -> Array:
    """Gain of blue, green and red on the coarse grid of the view; about 1 in the middle of the picture."""
    points = view.nodes
    middle = np.array(view.camera.target, np.float32)
    gain = np.full((*points.shape[:2], 3), scene.ambient, np.float32)
    level = scene.ambient
    for light in scene.lights:
        reference = float(_falling(light, middle))
        gain += (
            (light.power / reference)
            * _falling(light, points)[..., None]
            * np.array(light.colour, np.float32)
        )
        level += light.power
    for shade in scene.shades:
        gain *= _shading(shade, points)
    # The picture is in display values: light acts on their power of 2.2.
    return np.asarray((gain / level) ** (1 / 2.2), np.float32)


def _shading(shade: Shade, points: Array) -> Array:
    turn = math.radians(shade.angle)
    across = (points[..., 0] - shade.x) * math.cos(turn) + (points[..., 1] - shade.y) * math.sin(turn)
    inside = np.clip(across / shade.soft + 0.5, 0, 1)
    return np.asarray(1 - shade.depth * inside * inside * (3 - 2 * inside), np.float32)[..., None]


def glare_map(view: View, scene: Scene, roughness: float) -> Array | None:
    """How strongly (0..1) the mirror image of the lamps shines at the coarse grid; None where none does."""
    points, eye = view.nodes, view.centre
    shine = np.zeros(points.shape[:2], np.float32)
    for light in scene.lights:
        part = eye[2] / (eye[2] + light.z)
        spot = eye[:2] + (np.array([light.x, light.y]) - eye[:2]) * part
        radius = light.size * part + roughness * eye[2]
        away = ((points - spot) ** 2).sum(axis=2) / radius**2
        shine += min(1.0, light.power) * np.exp(-0.5 * away**1.5).astype(np.float32)
    return shine if float(shine.max()) > 0.02 else None
