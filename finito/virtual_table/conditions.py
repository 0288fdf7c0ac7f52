"""Light, camera and sensor that do not stay as they are while a game is filmed."""

import math
from dataclasses import dataclass, replace

import numpy as np

from finito.virtual_table.camera import Camera
from finito.virtual_table.scene import Light, Scene, Sensor

_FOCUS_SECONDS = 1.1
_BUMP_SECONDS = 0.9
_STEP_SECONDS = 0.35


@dataclass(frozen=True)
class Event:
    """Something that happens at a second of the film with a strength for each of up to three things."""

    at: float
    strength: tuple[float, float, float]


@dataclass(frozen=True)
class Conditions:
    """What changes over time: drift of the lamps, exposure and white balance jumps, focus hunts, bumps."""

    seed: int = 0
    drift: float = 0.0
    exposure_jumps: tuple[Event, ...] = ()
    white_balance_jumps: tuple[Event, ...] = ()
    focus_hunts: tuple[Event, ...] = ()
    bumps: tuple[Event, ...] = ()

    def at(self, scene: Scene, seconds: float, frame: int) -> Scene:
        """The scene as filmed at a time."""
        return replace(
            scene,
            camera=self._camera(scene.camera, seconds),
            lights=self._lights(scene.lights, seconds),
            sensor=self._sensor(scene.sensor, seconds, frame),
        )

    def _lights(self, lights: tuple[Light, ...], t: float) -> tuple[Light, ...]:
        if not self.drift:
            return lights
        moved = []
        for i, light in enumerate(lights):
            wave = math.sin(t / 17 + i * 2.1 + self.seed) + 0.5 * math.sin(t / 5.3 + i + self.seed * 1.7)
            warm = 0.3 * self.drift * math.sin(t / 29 + i + self.seed)
            b, g, r = light.colour
            colour = (b * (1 - warm), g, r * (1 + warm))
            moved.append(
                replace(light, power=max(0.05, light.power * (1 + self.drift * wave)), colour=colour)
            )
        return tuple(moved)

    def _sensor(self, sensor: Sensor, t: float, frame: int) -> Sensor:
        exposure = sensor.exposure
        for jump in self.exposure_jumps:
            exposure *= 1 + jump.strength[0] * _eased((t - jump.at) / _STEP_SECONDS)
        b, g, r = sensor.white_balance
        for jump in self.white_balance_jumps:
            done = _eased((t - jump.at) / _STEP_SECONDS)
            b, g, r = (v * (1 + s * done) for v, s in zip((b, g, r), jump.strength, strict=True))
        defocus = sensor.defocus
        for hunt in self.focus_hunts:
            phase = (t - hunt.at) / _FOCUS_SECONDS
            if 0 <= phase <= 1:
                defocus += hunt.strength[0] * math.sin(math.pi * phase) ** 2
        depth, period, phase = sensor.bands
        bands = (depth, period, phase + t * 2.6)
        return replace(
            sensor,
            exposure=exposure,
            white_balance=(b, g, r),
            defocus=defocus,
            bands=bands,
            seed=self.seed * 100003 + frame,
        )

    def _camera(self, camera: Camera, t: float) -> Camera:
        """A bump swings out and leaves the camera a little beside where it was."""
        for bump in self.bumps:
            age = t - bump.at
            if age < 0:
                continue
            swing = 1.0 if age > _BUMP_SECONDS else 1 - math.cos(age * 19) * math.exp(-age * 4.5)
            dx, dy, roll = (s * swing for s in bump.strength)
            camera = camera.bumped(dx, dy, roll)
        return camera


def _eased(part: float) -> float:
    part = min(1.0, max(0.0, part))
    return part * part * (3 - 2 * part)


def random_conditions(seed: int, seconds: float, roughness: float = 1.0) -> Conditions:
    """Conditions of an evening of `seconds`; roughness 0 is a studio, 1 a kitchen, 2 a bad one."""
    rng = np.random.default_rng([seed, 5])

    def events(per_minute: float, spread: tuple[float, float, float]) -> tuple[Event, ...]:
        count = int(rng.poisson(per_minute * roughness * seconds / 60)) if roughness else 0
        return tuple(
            Event(float(rng.uniform(0, seconds)), tuple(float(rng.normal(0, s)) for s in spread))  # type: ignore[arg-type]
            for _ in range(count)
        )

    hunts = tuple(Event(e.at, (abs(e.strength[0]), 0.0, 0.0)) for e in events(0.7, (2.0, 0, 0)))
    return Conditions(
        seed=seed,
        drift=0.08 * roughness * float(rng.random()),
        exposure_jumps=events(1.0, (0.09, 0, 0)),
        white_balance_jumps=events(0.7, (0.05, 0.01, 0.05)),
        focus_hunts=hunts,
        bumps=events(0.25, (5.0, 5.0, 0.5)),
    )
