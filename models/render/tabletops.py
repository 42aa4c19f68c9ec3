"""Table-tops: procedural wood, cloth, stone and so on, flat and evenly lit."""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from models.render.inks import Bgr, bgr_of

Rng = np.random.Generator


class Palette(NamedTuple):
    """Colours (n, 3) BGR from 0 to 1 through which a pattern from 0 to 1 runs."""

    stops: tuple[Bgr, ...]

    def table(self) -> np.ndarray:
        """Give the palette as 256 colours for `cv2.applyColorMap`."""
        stops = np.array(self.stops, np.float32)
        at = np.linspace(0, len(stops) - 1, 256)
        lo = np.minimum(at.astype(int), len(stops) - 2)
        part = (at - lo)[:, None]
        return np.asarray(
            np.clip((stops[lo] * (1 - part) + stops[lo + 1] * part) * 255, 0, 255).astype(np.uint8)[:, None]
        )


def noise(rng: Rng, side: int, cells: tuple[int, int]) -> np.ndarray:
    """Give smooth noise (side, side) from 0 to 1 with `cells` (across, down)."""
    small = rng.random((cells[1] + 1, cells[0] + 1), np.float32)
    return cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)


def fractal(rng: Rng, side: int, cells: tuple[int, int], octaves: int, *, fade: float = 0.5) -> np.ndarray:
    """Add noises of rising fineness; about 0 to 1."""
    out = np.zeros((side, side), np.float32)
    weight = total = 1.0
    out += noise(rng, side, cells)
    for k in range(1, octaves):
        weight *= fade
        total += weight
        out += weight * noise(rng, side, (min(side, cells[0] << k), min(side, cells[1] << k)))
    return out / total


def painted(pattern: np.ndarray, palette: Palette) -> np.ndarray:
    """Colour a pattern from 0 to 1."""
    level = cv2.convertScaleAbs(np.clip(pattern, 0, 1), alpha=255)
    return cv2.applyColorMap(level, palette.table())


def wood_palette(rng: Rng) -> Palette:
    """Draw a wood's colours, from pale birch to dark walnut."""
    hue, dark = rng.uniform(19, 36), rng.random()
    value, saturation = 0.92 - 0.62 * dark, rng.uniform(0.34, 0.58) + 0.12 * dark
    return Palette(
        (
            bgr_of(hue - 3, min(saturation * 1.15, 1), value * rng.uniform(0.35, 0.65)),
            bgr_of(hue, saturation, value * 0.9),
            bgr_of(hue + 3, saturation * 0.88, min(value * 1.15, 1)),
        )
    )


def _grain(rng: Rng, side: int) -> np.ndarray:
    """Give wood grain along x, 0 to 1: broad bands, year rings, fibres and pores."""
    waves = noise(rng, side, (int(rng.integers(1, 4)), int(rng.integers(2, 6))))
    y = np.linspace(0, rng.uniform(3, 14), side, dtype=np.float32)[:, None]
    rings = np.abs((y + waves * rng.uniform(0.5, 5)) % 1 - 0.5) * 2
    fibres = noise(rng, side, (side // int(rng.integers(25, 90)), side // int(rng.integers(1, 4))))
    hairs = noise(rng, side, (int(rng.integers(4, 10)), side // 5))
    pores = np.maximum(noise(rng, side, (side // int(rng.integers(12, 30)), side)) - 0.72, 0)
    broad = noise(rng, side, (2, int(rng.integers(4, 16))))
    out = 0.55 + rng.uniform(0.02, 0.3) * (rings - 0.5) + rng.uniform(0.1, 0.35) * (fibres - 0.5)
    out = out + rng.uniform(0.05, 0.3) * (hairs - 0.5) + rng.uniform(0.1, 0.4) * (broad - 0.5)
    return out - rng.uniform(0, 1.2) * pores


def walnut(rng: Rng, side: int) -> np.ndarray:
    """Draw one wide board."""
    return painted(_grain(rng, side), wood_palette(rng))


def planks(rng: Rng, side: int) -> np.ndarray:
    """Draw boards side by side, with seams."""
    grain = _grain(rng, side)
    edges = np.unique(np.clip(np.cumsum(rng.integers(side // 12, side // 4, 14)), 0, side - 1))
    shift = np.zeros(side, np.float32)
    for edge in edges:
        shift[edge:] = rng.normal(0, 0.12)
    grain = grain + shift[:, None]
    for edge in edges:
        grain[edge : edge + int(rng.integers(1, 4))] -= rng.uniform(0.1, 0.6)
    return painted(grain, wood_palette(rng))


def oak(rng: Rng, side: int) -> np.ndarray:
    """Draw wood with pores and knots."""
    grain = _grain(rng, side)
    yy, xx = np.mgrid[0:side, 0:side].astype(np.float32)
    for _ in range(int(rng.integers(0, 4))):
        cx, cy, r = rng.uniform(0, side), rng.uniform(0, side), side * rng.uniform(0.02, 0.06)
        d = np.hypot((xx - cx) / 2.2, yy - cy) / r
        grain -= np.exp(-(d**2)) * rng.uniform(0.2, 0.6) * (0.7 + 0.3 * np.sin(d * 9))
    pores = noise(rng, side, (side // 24, side // 2))
    return painted(grain - 0.3 * np.maximum(pores - 0.75, 0) * 4, wood_palette(rng))


def any_colour(rng: Rng) -> Bgr:
    """Draw a colour for cloth, plastic or paint: mostly greys, earths, greens and blues, sometimes any."""
    kind = rng.random()
    if kind < 0.35:
        return bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.12), rng.uniform(0.05, 0.95))
    if kind < 0.75:
        hue = float(rng.choice(np.array([25, 38, 90, 140, 210, 225, 355]))) + rng.normal(0, 8)
        return bgr_of(hue, rng.uniform(0.1, 0.6), rng.uniform(0.12, 0.85))
    return bgr_of(rng.uniform(0, 360), rng.uniform(0.15, 0.85), rng.uniform(0.15, 0.9))


def shades(colour: Bgr, spread: float) -> Palette:
    """Give a palette from darker to lighter round one colour."""
    return Palette(tuple(tuple(min(c * (1 + k * spread), 1.0) for c in colour) for k in (-1, 0, 1)))  # type: ignore[misc]


def plain(rng: Rng, side: int) -> np.ndarray:
    """Draw a painted or laminated board."""
    return painted(fractal(rng, side, (3, 3), 3), shades(any_colour(rng), rng.uniform(0.01, 0.1)))


def cloth(rng: Rng, side: int) -> np.ndarray:
    """Draw felt or a table-cloth with folds."""
    fine = rng.random((side, side), np.float32)
    folds = fractal(rng, side, (4, 5), 2)
    return painted(0.5 + 0.5 * (fine - 0.5) + 0.9 * (folds - 0.5), shades(any_colour(rng), rng.uniform(0.05, 0.25)))


def weave(rng: Rng, side: int) -> np.ndarray:
    """Draw coarse threads crossing, striped at times."""
    pitch = side / rng.uniform(40, 160)
    warp = noise(rng, side, (int(side / pitch), 9))
    x = np.arange(side, dtype=np.float32) / pitch
    over = np.sin(2 * np.pi * x)[None] * np.sin(2 * np.pi * x)[:, None]
    stripes = noise(rng, side, (int(rng.integers(4, 24)), 1)) * rng.uniform(0, 0.8)
    fuzz = rng.random((side, side), np.float32)
    pattern = 0.35 + 0.22 * over + 0.35 * (warp - 0.5) + 0.5 * (stripes - 0.3) + 0.2 * (fuzz - 0.5)
    a, b = any_colour(rng), any_colour(rng)
    light: Bgr = (min(a[0] + 0.35, 1), min(a[1] + 0.35, 1), min(a[2] + 0.35, 1))
    return painted(pattern, Palette((b, a, light)))


def marble(rng: Rng, side: int) -> np.ndarray:
    """Draw pale or dark stone with veins that fade in and out."""
    cloudy = fractal(rng, side, (4, 4), 3)
    pattern = 0.8 + 0.2 * cloudy
    for _ in range(int(rng.integers(1, 4))):
        bend, fade = fractal(rng, side, (3, 3), 4, fade=0.6), noise(rng, side, (4, 4))
        a, b = rng.uniform(-2.5, 2.5, 2)
        line = np.linspace(0, 1, side, dtype=np.float32)
        away = np.abs((bend * rng.uniform(0.5, 2) + line[None] * a + line[:, None] * b) % 1 - 0.5)
        width = rng.uniform(0.006, 0.03) * (0.3 + fade)
        pattern = pattern - np.clip(1.5 * fade - 0.4, 0, 1) * cv2.exp(-((away / width) ** 2)) * rng.uniform(0.3, 0.9)
        pattern = pattern - 0.25 * cv2.exp(-away / (6 * width)) * fade
    dark = rng.random() < 0.25
    base = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.08), rng.uniform(0.1, 0.3) if dark else rng.uniform(0.75, 0.98))
    vein = bgr_of(rng.uniform(0, 60), rng.uniform(0, 0.2), rng.uniform(0.6, 0.9) if dark else rng.uniform(0.2, 0.6))
    return painted(pattern, Palette((vein, base, base)))


def speckle(rng: Rng, side: int) -> np.ndarray:
    """Draw granite or cork: grains of several sizes."""
    cells = side // int(rng.integers(3, 9))
    small = rng.random((cells, cells), np.float32)
    grains = cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR)
    pattern = 0.55 * grains + 0.45 * fractal(rng, side, (side // 20, side // 20), 2)
    return painted(pattern, shades(any_colour(rng), rng.uniform(0.15, 0.5)))


def gradient(rng: Rng, side: int) -> np.ndarray:
    """Draw a smooth change from one colour to another."""
    line = np.linspace(0, 1, side, dtype=np.float32)
    t = rng.random()
    return painted(
        t * line[None] + (1 - t) * line[:, None] + np.zeros((side, side), np.float32),
        Palette((any_colour(rng), any_colour(rng))),
    )


def brushed(rng: Rng, side: int) -> np.ndarray:
    """Draw brushed metal or scratched dark varnish: long fine lines."""
    lines = 0.6 * noise(rng, side, (4, side)) + 0.4 * noise(rng, side, (2, side // 4))
    colour = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.1, 0.6))
    return painted(lines, shades(colour, rng.uniform(0.1, 0.45)))


def checks(rng: Rng, side: int) -> np.ndarray:
    """Draw a checked or striped cloth."""
    pitch = side / rng.uniform(6, 40)
    x = (np.arange(side) / pitch % 1 < rng.uniform(0.3, 0.7)).astype(np.float32)
    y = x if rng.random() < 0.7 else np.zeros_like(x)
    fuzz = rng.random((side, side), np.float32)
    return painted(
        0.45 * x[None] + 0.45 * y[:, None] + 0.12 * fuzz, Palette((any_colour(rng), any_colour(rng), any_colour(rng)))
    )


def white(rng: Rng, side: int) -> np.ndarray:
    """Draw a white table: paint, paper or laminate."""
    colour = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.06), rng.uniform(0.85, 1.0))
    return painted(fractal(rng, side, (4, 4), 4, fade=0.7), shades(colour, rng.uniform(0.01, 0.06)))


def plastic(rng: Rng, side: int) -> np.ndarray:
    """Draw dark moulded plastic, as of a rack or a box."""
    colour = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.05, 0.2))
    fine = rng.random((side, side), np.float32)
    return painted(0.7 * fine + 0.3 * fractal(rng, side, (5, 5), 2), shades(colour, rng.uniform(0.05, 0.3)))


def parquet(rng: Rng, side: int) -> np.ndarray:
    """Draw blocks of wood whose grain runs by turns along and across."""
    along = _grain(rng, side)
    across = along.T
    block = side // int(rng.integers(3, 8))
    yy, xx = np.mgrid[0:side, 0:side] // block
    chosen = np.where((xx + yy) % 2, along, across) + 0.15 * (((xx * 7 + yy * 13) % 5) / 5 - 0.4)
    chosen[::block][:] -= 0.3
    chosen[:, ::block] -= 0.3
    return painted(chosen, wood_palette(rng))


def terrazzo(rng: Rng, side: int) -> np.ndarray:
    """Draw chips of stone in cement."""
    picture = painted(fractal(rng, side, (8, 8), 2), shades(any_colour(rng), 0.05))
    for _ in range(int(rng.integers(150, 500))):
        at, r = rng.uniform(0, side, 2), rng.uniform(3, 14)
        corners = at + r * rng.uniform(-1, 1, (6, 2))
        colour = tuple(float(c * 255) for c in any_colour(rng))
        cv2.fillConvexPoly(picture, cv2.convexHull(corners.astype(np.int32)), colour, cv2.LINE_AA)
    return picture


def rug(rng: Rng, side: int) -> np.ndarray:
    """Draw a knotted rug with a pattern of lozenges."""
    knots = rng.random((side // 2, side // 2), np.float32)
    fuzz = cv2.resize(knots, (side, side), interpolation=cv2.INTER_LINEAR)
    x = np.abs((np.arange(side) / side * rng.uniform(3, 9)) % 1 - 0.5)
    lozenge = np.floor((x[None] + x[:, None]) * 5) / 5
    return painted(
        0.75 * lozenge.astype(np.float32) + 0.35 * fuzz, Palette((any_colour(rng), any_colour(rng), any_colour(rng)))
    )


def slate(rng: Rng, side: int) -> np.ndarray:
    """Draw layered dark stone."""
    layers = fractal(rng, side, (2, 6), 5, fade=0.7)
    steps = np.floor(layers * 12) / 12
    colour = bgr_of(rng.uniform(180, 240), rng.uniform(0.05, 0.25), rng.uniform(0.15, 0.4))
    return painted(0.6 * steps + 0.4 * layers, shades(colour, 0.5))


KINDS: dict[str, Callable[[Rng, int], np.ndarray]] = {
    f.__name__: f
    for f in (
        walnut, planks, oak, plain, cloth, weave, marble, speckle, gradient, brushed, checks, white, plastic,
        parquet, terrazzo, rug, slate,
    )
}  # fmt: skip


def draw_tabletop(kind: str, seed: int, side: int) -> np.ndarray:
    """Draw a table-top of `side` x `side` pixels, BGR uint8.

    Raises:
        KeyError: there is no such kind.
    """
    return KINDS[kind](np.random.default_rng(seed), side)
