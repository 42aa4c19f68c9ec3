"""Hands and arms as a camera sees them from above: modelled as heights, lit from the room's light, kept as sprites.

A sprite's axes are in tile widths (about 2.6 cm): the place between thumb and fingers, which holds a tile, is (0, 0),
the arm goes down from there towards its player.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from models.render.inks import Bgr, bgr_of

LEFT, RIGHT, TOP, BOTTOM = -3.6, 3.6, -1.4, 30.0
WRIST = (0.25, 6.1, 0.8)
SHADOW_SCALE = 0.25
Joint = tuple[float, float, float]
"""A joint's place (x, y) and its height over the table."""

PINCHING: tuple[tuple[Joint, ...], ...] = (
    ((-0.95, 3.1, 0.9), (-0.85, 1.7, 1.3), (-0.55, 0.75, 0.9), (-0.18, 0.05, 0.35)),
    ((-0.15, 2.85, 0.95), (0.1, 1.3, 1.4), (0.22, 0.5, 1.0), (0.25, -0.1, 0.4)),
    ((0.65, 3.0, 0.9), (0.95, 1.75, 1.2), (0.98, 1.2, 0.8), (0.85, 0.8, 0.5)),
    ((1.35, 3.45, 0.75), (1.72, 2.4, 1.0), (1.72, 1.95, 0.7), (1.55, 1.55, 0.5)),
    ((-0.85, 5.0, 0.7), (-1.7, 3.75, 0.7), (-1.5, 2.2, 0.6), (-0.72, 1.05, 0.4)),
)
REACHING: tuple[tuple[Joint, ...], ...] = (
    ((-0.95, 3.1, 0.9), (-1.12, 1.6, 0.9), (-1.17, 0.75, 0.6), (-1.16, 0.1, 0.4)),
    ((-0.15, 2.85, 1.0), (-0.2, 1.15, 1.0), (-0.2, 0.25, 0.7), (-0.18, -0.45, 0.4)),
    ((0.65, 3.0, 0.9), (0.78, 1.45, 0.9), (0.82, 0.6, 0.6), (0.83, -0.1, 0.4)),
    ((1.35, 3.45, 0.7), (1.62, 2.25, 0.8), (1.74, 1.6, 0.6), (1.8, 1.05, 0.4)),
    ((-0.85, 5.0, 0.7), (-1.8, 3.9, 0.7), (-2.2, 2.8, 0.5), (-2.25, 2.0, 0.4)),
)
RADII = ((0.46, 0.4, 0.37, 0.3), (0.48, 0.41, 0.38, 0.31), (0.45, 0.39, 0.36, 0.29), (0.4, 0.33, 0.3, 0.25),
         (0.62, 0.5, 0.44, 0.36))  # fmt: skip
PALM = (((-0.8, 3.3), 0.62), ((-0.1, 3.1), 0.66), ((0.6, 3.3), 0.62), ((1.15, 3.8), 0.55), ((-0.6, 4.9), 0.78))


@dataclass(frozen=True)
class Look:
    """How one player's arm looks: skin, sleeve, where the sleeve ends, and the breadth of the hand (1 is usual)."""

    skin: Bgr
    sleeve: Bgr
    cuff: float
    breadth: float
    seed: int


def draw_look(rng: np.random.Generator) -> Look:
    """Draw a player's arm."""
    depth = rng.random()
    skin = bgr_of(rng.uniform(14, 24), 0.3 + 0.32 * depth, 0.93 - 0.6 * depth**1.3)
    grey = rng.random() < 0.4
    sleeve = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.15 if grey else 0.7), rng.uniform(0.12, 0.8))
    cuff = rng.uniform(6.6, 9.0) if rng.random() < 0.6 else rng.uniform(14, 24)
    return Look(skin, sleeve, float(cuff), float(rng.uniform(0.88, 1.08)), int(rng.integers(1 << 30)))


class Sprite(NamedTuple):
    """An arm's picture: BGRA uint8 with colours multiplied by coverage, `scale` pixels a tile width.

    `shadow`: how far it keeps the light off, uint8, at SHADOW_SCALE of the size, blurred.
    """

    picture: np.ndarray
    shadow: np.ndarray
    scale: float


class _Heights(NamedTuple):
    """What the model gives at every pixel: height over the table, and how far inside the outline (negative outside)."""

    height: np.ndarray
    inside: np.ndarray


def draw_arm(look: Look, *, holds: bool, scale: float, light: np.ndarray) -> Sprite:
    """Draw an arm, pinching where it holds something, else reaching out.

    `light` is the unit vector to the light in the sprite's own axes (right, down, up).
    """
    model = _Model(look, PINCHING if holds else REACHING, scale)
    albedo = model.albedo()
    shade = _shade(model.heights, scale, light)
    alpha = np.clip(model.heights.inside * scale + 0.5, 0, 1)
    colour = np.clip(albedo * shade[..., None], 0, 1) * alpha[..., None]
    picture = (np.dstack([colour, alpha]) * 255).astype(np.uint8)
    small = cv2.resize(alpha, None, fx=SHADOW_SCALE, fy=SHADOW_SCALE, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.45 * scale * SHADOW_SCALE)
    return Sprite(picture, (soft * 255).astype(np.uint8), scale)


@dataclass
class _Model:
    """The arm as heights; fields (h, w) over the sprite."""

    look: Look
    fingers: tuple[tuple[Joint, ...], ...]
    scale: float

    @cached_property
    def grid(self) -> "Grid":
        """The pixels' x (1, w) and y (h, 1) in tile widths."""
        x = np.arange(LEFT, RIGHT, 1 / self.scale, dtype=np.float32)
        y = np.arange(TOP, BOTTOM, 1 / self.scale, dtype=np.float32)
        return x[None] / self.look.breadth, y[:, None]

    @cached_property
    def heights(self) -> _Heights:
        """The arm's surface."""
        x, y = self.grid
        height = np.full(np.broadcast_shapes(x.shape, y.shape), 0.0, np.float32)
        inside = np.full(height.shape, -9.0, np.float32)
        arm = _Heights(height, inside)
        for finger, radii in zip(self.fingers, RADII, strict=True):
            for k in range(3):
                _add_limb(arm, (x, y), (finger[k], finger[k + 1]), (radii[k], radii[k + 1]))
        for spot, radius in PALM:
            _add_limb(arm, (x, y), (WRIST, (*spot, 0.75)), (0.8, radius))
        _add_limb(arm, (x, y), (WRIST, (0.7, 17.0, 1.0)), (0.85, 1.35))
        _add_limb(arm, (x, y), ((0.7, 17.0, 1.0), (1.0, 36.0, 1.4)), (1.35, 1.7))
        self._add_sleeve(height, inside)
        return _Heights(cv2.GaussianBlur(height, (0, 0), 0.07 * self.scale), inside)

    def _add_sleeve(self, height: np.ndarray, inside: np.ndarray) -> None:
        """Clothe the arm from the cuff on: wider than the arm, in folds."""
        x, y = self.grid
        folds = self._noise((5, 26), 1) - 0.5
        wide = _Heights(np.zeros_like(height), np.full_like(inside, -9.0))
        _add_limb(wide, (x, y), ((0.25, 5.0, 0.9), (0.9, 17.0, 1.2)), (1.12, 1.75))
        _add_limb(wide, (x, y), ((0.9, 17.0, 1.2), (1.3, 36.0, 1.5)), (1.75, 2.2))
        covers = np.broadcast_to(self.clothed > 0, height.shape)
        inside[:] = np.where(covers, wide.inside + 0.16 * folds, inside)
        height[:] = np.where(covers, wide.height + 0.35 * folds, height)

    @cached_property
    def clothed(self) -> np.ndarray:
        """How far (h, w) a point lies behind the cuff."""
        x, y = self.grid
        return np.asarray(y - self.look.cuff - 0.12 * np.abs(x))

    def _noise(self, cells: tuple[int, int], kind: int) -> np.ndarray:
        rng = np.random.default_rng([self.look.seed, kind])
        x, y = self.grid
        small = rng.random((cells[1] + 1, cells[0] + 1), np.float32)
        return cv2.resize(small, (x.shape[1], y.shape[0]), interpolation=cv2.INTER_CUBIC)

    def albedo(self) -> np.ndarray:
        """The colours (h, w, 3) of skin, nails and cloth in even light."""
        skin = np.array(self.look.skin, np.float32)
        mottled = 1 + 0.1 * (self._noise((14, 60), 2) - 0.5) + 0.05 * (self._noise((90, 400), 3) - 0.5)
        out = skin * mottled[..., None]
        for finger, radii in zip(self.fingers, RADII, strict=True):
            for joint, radius in ((finger[1], 0.38), (finger[2], 0.3), (finger[3], 0.34)):
                self._tint(out, joint, radius, (0.9, 0.91, 1.04))
            self._nail(out, finger, radii[3])
        cloth = np.array(self.look.sleeve, np.float32) * (0.85 + 0.3 * self._noise((120, 500), 4))[..., None]
        return np.asarray(np.where(self.clothed[..., None] > 0, cloth, out))

    def _tint(self, out: np.ndarray, at: Joint, radius: float, colour: Bgr) -> None:
        """Colour a soft spot: knuckles and fingertips are redder."""
        part, (x, y) = _window(self.grid, (at, at), 2.5 * radius)
        amount = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / radius**2)[..., None]
        out[part] *= 1 + amount * (np.array(colour, np.float32) - 1)

    def _nail(self, out: np.ndarray, finger: tuple[Joint, ...], radius: float) -> None:
        part, (x, y) = _window(self.grid, (finger[3], finger[3]), 2 * radius)
        (bx, by, _), (tx, ty, _) = finger[2], finger[3]
        long = max(float(np.hypot(tx - bx, ty - by)), 0.2)
        ax, ay = (tx - bx) / long, (ty - by) / long
        along = (x - tx) * ax + (y - ty) * ay + 0.02
        across = -(x - tx) * ay + (y - ty) * ax
        form = 1 - (across / (0.62 * radius)) ** 4 - (along / (0.8 * radius)) ** 4
        amount = np.clip(form * 3, 0, 1)[..., None] * 0.45
        pale = 0.35 * np.array(self.look.skin, np.float32) + 0.65 * np.array((0.72, 0.74, 0.92), np.float32)
        out[part] += amount * (pale * float(np.mean(self.look.skin) + 0.25) - out[part])


Grid = tuple[np.ndarray, np.ndarray]


def _window(grid: Grid, ends: tuple[Joint, Joint], margin: float) -> tuple[tuple[slice, slice], Grid]:
    """Give the part of a grid round a limb, and its x and y."""
    x, y = grid
    (x0, x1), (y0, y1) = (sorted((ends[0][k], ends[1][k])) for k in (0, 1))
    i0, i1 = np.searchsorted(y[:, 0], (y0 - margin, y1 + margin)).tolist()
    j0, j1 = np.searchsorted(x[0], (x0 - margin, x1 + margin)).tolist()
    part = (slice(i0, i1), slice(j0, j1))
    return part, (x[:, part[1]], y[part[0]])


def _add_limb(into: _Heights, grid: Grid, ends: tuple[Joint, Joint], radii: tuple[float, float]) -> None:
    """Add a round limb between two joints to a surface."""
    part, (x, y) = _window(grid, ends, 1.1 * max(radii) + 0.1)
    start, end = ends
    height, inside = into.height[part], into.inside[part]
    ax, ay = end[0] - start[0], end[1] - start[1]
    share = np.clip(((x - start[0]) * ax + (y - start[1]) * ay) / (ax * ax + ay * ay), 0, 1)
    radius = radii[0] + (radii[1] - radii[0]) * share
    distance = np.hypot(x - start[0] - share * ax, y - start[1] - share * ay)
    np.maximum(inside, radius - distance, out=inside)
    bulge = np.sqrt(np.maximum(radius * radius - distance * distance, 0))
    top = np.where(distance < radius, start[2] + (end[2] - start[2]) * share + bulge, 0)
    np.maximum(height, top, out=height)


def _shade(heights: _Heights, scale: float, light: np.ndarray) -> np.ndarray:
    """Give how bright a surface is: light from one side, some from all around, less of it in hollows."""
    dx = cv2.Sobel(heights.height, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
    dy = cv2.Sobel(heights.height, cv2.CV_32F, 0, 1, ksize=3, scale=scale / 8)
    facing = (-dx * light[0] - dy * light[1] + light[2]) / np.sqrt(1 + dx * dx + dy * dy)
    broad = cv2.GaussianBlur(heights.height, (0, 0), 0.45 * scale)
    hollow = np.clip((broad - heights.height) * 0.35, 0, 0.4)
    return np.asarray(0.4 + 0.62 * np.clip(facing, 0, 1) - hollow)
