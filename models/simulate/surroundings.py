"""What happens round the table: somebody bumps the camera, the sun goes behind a cloud, a lamp is switched on."""

import random
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from models.render.camera import Camera
from models.render.light import Light
from models.simulate.moves import eased

BUMPS, LIGHTS = 0.08, 0.1
"""How often in a turn."""
BUMP_MS, LAMP_MS, CLOUD_MS = (200, 600), (100, 300), (1500, 4000)
WITHIN_MS = (500, 12_000)
"""When in a turn."""
MOST_SHIFT = 0.8
"""How far a bump moves the camera's aim at most, from where it hung first, in tile widths."""


class Now(NamedTuple):
    """The camera's pose and the light at one moment, and whether they are changing."""

    camera: Camera
    light: Light
    bumped: bool = False
    lit: bool = False


class _Change(NamedTuple):
    start_ms: int
    end_ms: int
    goal: Camera | Light


class Surroundings:
    """Knows the camera's pose and the light at every moment; moments are asked for in order."""

    def __init__(self, camera: Camera, light: Light, dice: random.Random) -> None:
        self._first_camera, self._first_light = camera, light
        self._camera, self._light = camera, light
        self._dice = dice
        self._rng = np.random.default_rng(dice.getrandbits(60))
        self._bump: _Change | None = None
        self._lighting: _Change | None = None

    def begin_turn(self, now: int, *, bumps: bool, lights: bool) -> None:
        """Throw the dice for a turn that begins."""
        bump, light = (self._dice.random() < share for share in (BUMPS, LIGHTS))
        bump_ms, light_ms = (now + self._dice.randint(*WITHIN_MS) for _ in range(2))
        if bumps and bump and self._bump is None:
            self._bump = _Change(bump_ms, bump_ms + self._dice.randint(*BUMP_MS), bumped(self._first_camera, self._rng))
        if lights and light and self._lighting is None:
            lasts = self._dice.randint(*self._dice.choice((LAMP_MS, CLOUD_MS)))
            self._lighting = _Change(light_ms, light_ms + lasts, relit(self._first_light, self._rng))

    def at(self, ms: int) -> Now:
        """Give the pose and the light of a moment."""
        camera, shaking = self._camera_at(ms)
        light, changing = self._light_at(ms)
        return Now(camera, light, shaking, changing)

    def _camera_at(self, ms: int) -> tuple[Camera, bool]:
        bump = self._bump
        if bump is None or ms < bump.start_ms or not isinstance(bump.goal, Camera):
            return self._camera, False
        if ms >= bump.end_ms:
            self._camera, self._bump = bump.goal, None
            return self._camera, False
        return bumped(bump.goal, self._rng), True

    def _light_at(self, ms: int) -> tuple[Light, bool]:
        change = self._lighting
        if change is None or ms < change.start_ms or not isinstance(change.goal, Light):
            return self._light, False
        if ms >= change.end_ms:
            self._light, self._lighting = change.goal, None
            return self._light, False
        return between(
            self._light, change.goal, eased((ms - change.start_ms) / (change.end_ms - change.start_ms))
        ), True


def bumped(camera: Camera, rng: np.random.Generator) -> Camera:
    """Give the camera after a bump of its stand: moved by some pixels, turned by a degree or two."""
    x, y = camera.target
    shift = np.clip(rng.normal(0, 0.35, 2), -MOST_SHIFT, MOST_SHIFT)
    return replace(
        camera,
        target=(x + float(shift[0]), y + float(shift[1])),
        roll=camera.roll + float(np.clip(rng.normal(0, 0.012), -0.03, 0.03)),
        tilt=max(0.0, camera.tilt + float(rng.normal(0, 0.008))),
    )


def relit(light: Light, rng: np.random.Generator) -> Light:
    """Give the light after the sun went behind a cloud, or a lamp was switched on."""
    warm, strength = float(rng.uniform(-0.08, 0.16)), float(np.exp(rng.uniform(-0.5, 0.3)))
    blue, green, red = light.gains
    return replace(
        light,
        gains=(blue * strength * (1 - warm), green * strength, red * strength * (1 + 0.3 * warm)),
        falloff=float(np.clip(light.falloff + rng.uniform(-0.2, 0.25), 0, 0.6)),
        falloff_angle=light.falloff_angle + float(rng.normal(0, 0.6)),
    )


def between(one: Light, other: Light, share: float) -> Light:
    """Give the light on the way from one to another."""
    blue, green, red = (a + (b - a) * share for a, b in zip(one.gains, other.gains, strict=True))
    return replace(
        one,
        gains=(blue, green, red),
        falloff=one.falloff + (other.falloff - one.falloff) * share,
        falloff_angle=one.falloff_angle + (other.falloff_angle - one.falloff_angle) * share,
    )
