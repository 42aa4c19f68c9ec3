"""Jokers' pictures: round faces and other signs, drawn from a seed as ink on a square."""

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from models.render.glyphs import fill, text_outline

SIDE = 256
SHIFT = 4


class Pen:
    """Draws strokes and areas on a square from -1 to 1 (y down)."""

    def __init__(self, mask: np.ndarray, font: str = "") -> None:
        self.mask = mask
        self.font = font

    def _pixels(self, points: np.ndarray) -> np.ndarray:
        return np.round(((np.asarray(points, float) * 0.5 + 0.5) * SIDE - 0.5) * (1 << SHIFT)).astype(np.int32)

    def line(self, points: np.ndarray, width: float, value: int = 255) -> None:
        """Draw a line through points, `width` in halves of the square."""
        thick = max(1, round(width * SIDE / 2))
        cv2.polylines(self.mask, [self._pixels(points)], False, value, thick, cv2.LINE_AA, SHIFT)

    def area(self, points: np.ndarray, value: int = 255) -> None:
        """Fill a polygon; value 0 cuts it out."""
        cv2.fillPoly(self.mask, [self._pixels(points)], value, cv2.LINE_AA, SHIFT)

    def arc(self, at: tuple[float, float], radii: tuple[float, float], span: tuple[float, float], width: float) -> None:
        """Draw part of an ellipse; `span` in degrees, clockwise from the right."""
        self.line(ellipse(at, radii, span), width)

    def disc(self, at: tuple[float, float], radii: tuple[float, float], value: int = 255) -> None:
        """Fill an ellipse; value 0 cuts it out."""
        self.area(ellipse(at, radii), value)


def ellipse(at: tuple[float, float], radii: tuple[float, float], span: tuple[float, float] = (0, 360)) -> np.ndarray:
    """Give points (40, 2) along an ellipse."""
    t = np.radians(np.linspace(*span, 40))
    return np.column_stack([np.cos(t), np.sin(t)]) * radii + at


def _eyes(pen: Pen, rng: np.random.Generator, y: float = -0.2, apart: float = 0.33) -> None:
    style, w = int(rng.integers(4)), rng.uniform(0.05, 0.08)
    for side in (-1, 1):
        _eye(pen, (side * apart, y), style, w)


def _eye(pen: Pen, at: tuple[float, float], style: int, w: float) -> None:
    if style == 0:
        pen.disc(at, (0.09, 0.13))
    elif style == 1:
        pen.arc(at, (0.17, 0.1), (180, 360), w)
        pen.arc(at, (0.17, 0.08), (0, 180), w * 0.7)
        pen.disc(at, (0.06, 0.07))
    elif style == 2:
        pen.arc(at, (0.14, 0.14), (0, 360), w * 0.8)
        pen.disc((at[0], at[1] + 0.03), (0.06, 0.06))
    else:
        pen.arc((at[0], at[1] + 0.05), (0.15, 0.13), (180, 360), w)


def _brows(pen: Pen, rng: np.random.Generator, y: float = -0.42) -> None:
    w, lean = rng.uniform(0.04, 0.09), rng.uniform(-0.1, 0.1)
    for side in (-1, 1):
        pen.line(np.array([[side * 0.17, y + lean], [side * 0.35, y - 0.06], [side * 0.52, y - lean + 0.03]]), w)


def _nose(pen: Pen, rng: np.random.Generator) -> None:
    style, w = rng.integers(4), rng.uniform(0.04, 0.07)
    if style == 0:
        pen.line(np.array([[-0.03, -0.15], [0.08, 0.13], [-0.08, 0.15]]), w)
    elif style == 1:
        pen.line(np.array([[-0.08, -0.12], [-0.12, 0.12], [0, 0.2], [0.12, 0.12], [0.08, -0.12]]), w)
    elif style == 2:
        pen.disc((0, 0.08), (0.08, 0.09))


def _mouth(pen: Pen, rng: np.random.Generator) -> None:
    style, w = rng.integers(4), rng.uniform(0.05, 0.09)
    wide, y = rng.uniform(0.32, 0.55), rng.uniform(0.2, 0.32)
    if style == 0:
        pen.arc((0, y), (wide, rng.uniform(0.2, 0.38)), (10, 170), w)
    elif style == 1:
        pen.area(ellipse((0, y), (wide, 0.36), (0, 180)))
        pen.area(ellipse((0, y + 0.01), (wide * 0.7, 0.12), (0, 180)), 0)
    elif style == 2:
        pen.arc((0, y - 0.05), (wide, 0.32), (15, 165), w)
        pen.arc((0, y - 0.02), (wide * 0.8, 0.16), (10, 170), w * 0.8)
        pen.arc((0, y + 0.28), (0.15, 0.06), (0, 180), w * 0.7)
    else:
        pen.line(np.array([[-wide, y], [-wide / 2, y + 0.16], [0, y + 0.2], [wide / 2, y + 0.16], [wide, y]]), w)


def _features(pen: Pen, rng: np.random.Generator) -> None:
    _eyes(pen, rng)
    if rng.random() < 0.75:
        _brows(pen, rng)
    _nose(pen, rng)
    _mouth(pen, rng)


def _moon(pen: Pen, rng: np.random.Generator) -> None:
    pen.arc((0, 0), (0.9, 0.9), (0, 360), rng.uniform(0.05, 0.13))
    _features(pen, rng)
    if rng.random() < 0.5:
        for side in (-1, 1):
            pen.arc((side * 0.58, 0.2), (0.1, 0.1), (0, 360), 0.04)


def _smiley(pen: Pen, rng: np.random.Generator) -> None:
    pen.disc((0, 0), (0.92, 0.92))
    inner = Pen(np.zeros_like(pen.mask))
    _features(inner, rng)
    pen.mask[:] = cv2.subtract(pen.mask, inner.mask)


def _ringed(pen: Pen, rng: np.random.Generator) -> None:
    pen.arc((0, 0), (0.93, 0.93), (0, 360), 0.05)
    pen.arc((0, 0), (0.78, 0.78), (0, 360), rng.uniform(0.03, 0.08))
    _shrunk(pen, rng, 0.82, _features)


def _shrunk(
    pen: Pen, rng: np.random.Generator, factor: float, draw: Callable[[Pen, np.random.Generator], None]
) -> None:
    """Draw smaller, in the middle."""
    inner = Pen(np.zeros_like(pen.mask))
    draw(inner, rng)
    matrix = np.array([[factor, 0, SIDE / 2 * (1 - factor)], [0, factor, SIDE / 2 * (1 - factor)]])
    pen.mask[:] = np.maximum(pen.mask, cv2.warpAffine(inner.mask, matrix, (SIDE, SIDE), flags=cv2.INTER_AREA))


def _wink(pen: Pen, rng: np.random.Generator) -> None:
    pen.arc((0, 0), (0.9, 0.9), (0, 360), rng.uniform(0.06, 0.14))
    pen.disc((-0.33, -0.2), (0.1, 0.15))
    pen.line(np.array([[0.2, -0.15], [0.35, -0.24], [0.5, -0.15]]), 0.08)
    _mouth(pen, rng)


def _hat(pen: Pen, rng: np.random.Generator) -> None:
    pen.arc((0, 0.25), (0.62, 0.65), (0, 360), rng.uniform(0.06, 0.1))
    pen.area(
        np.array(
            [
                [-0.8, -0.18],
                [0.8, -0.18],
                [0.8, -0.32],
                [0.45, -0.32],
                [0.4, -0.95],
                [-0.4, -0.95],
                [-0.45, -0.32],
                [-0.8, -0.32],
            ]
        )
    )
    for side in (-1, 1):
        pen.disc((side * 0.24, 0.12), (0.07, 0.1))
    pen.arc((0, 0.4), (0.34, 0.25), (15, 165), 0.08)


def _letter(pen: Pen, rng: np.random.Generator) -> None:
    fill(pen.mask, tuple(c * 0.75 * SIDE + SIDE / 2 for c in text_outline(pen.font, "J")))
    if rng.random() < 0.5:
        pen.arc((0, 0), (0.95, 0.95), (0, 360), rng.uniform(0.04, 0.1))


def _word(pen: Pen, rng: np.random.Generator) -> None:
    text = ("JOKER", "Joker", "JKR")[int(rng.integers(3))]
    outline = text_outline(pen.font, text)
    width = np.ptp(np.vstack(outline)[:, 0])
    fill(pen.mask, tuple(c * 0.95 * SIDE / width + SIDE / 2 for c in outline))
    if rng.random() < 0.5:
        _star_at(pen, (0, -0.62), 0.28)
        _star_at(pen, (0, 0.62), 0.28)


def _star_at(pen: Pen, at: tuple[float, float], radius: float) -> None:
    t = np.radians(np.arange(10) * 36 - 90)
    r = np.where(np.arange(10) % 2, 0.42, 1.0) * radius
    pen.area(np.column_stack([np.cos(t), np.sin(t)]) * r[:, None] + at)


def _star(pen: Pen, rng: np.random.Generator) -> None:
    _star_at(pen, (0, 0.03), 0.95)
    inner = Pen(np.zeros_like(pen.mask))
    _shrunk(inner, rng, 0.42, _features)
    pen.mask[:] = cv2.subtract(pen.mask, inner.mask)


def _crown(pen: Pen, rng: np.random.Generator) -> None:
    pen.area(np.array([[-0.85, -0.3], [-0.4, 0.1], [0, -0.6], [0.4, 0.1], [0.85, -0.3], [0.65, 0.6], [-0.65, 0.6]]))
    for x, y in ((-0.85, -0.38), (0, -0.7), (0.85, -0.38)):
        pen.disc((x, y), (0.11, 0.11))
    pen.line(np.array([[-0.66, 0.75], [0.66, 0.75]]), rng.uniform(0.08, 0.16))


def _sun(pen: Pen, rng: np.random.Generator) -> None:
    rays = int(rng.integers(10, 18))
    for a in np.arange(rays) * 2 * np.pi / rays:
        pen.line(np.array([[np.cos(a), np.sin(a)]]) * np.array([[0.72], [0.95]]), rng.uniform(0.05, 0.1))
    pen.arc((0, 0), (0.66, 0.66), (0, 360), 0.07)
    _shrunk(pen, rng, 0.66, _features)


def _clown(pen: Pen, rng: np.random.Generator) -> None:
    pen.arc((0, 0.1), (0.62, 0.72), (0, 360), 0.07)
    for side in (-1, 1):
        pen.disc((side * 0.75, -0.25), (0.24, 0.3))
    pen.disc((0, 0.1), (0.14, 0.14))
    pen.area(np.array([[-0.25, -0.58], [0, -0.98], [0.25, -0.58]]))
    _eyes(pen, rng, -0.18, 0.26)
    pen.arc((0, 0.3), (0.36, 0.28), (5, 175), 0.1)


def _twins(pen: Pen, rng: np.random.Generator) -> None:
    """Draw two heads, one upside down, as on a playing card."""
    half = Pen(np.zeros_like(pen.mask))
    _shrunk(half, rng, 0.5, _features)
    half.arc((0, 0), (0.46, 0.46), (0, 360), 0.05)
    up = np.roll(half.mask, -SIDE // 4, axis=0)
    pen.mask[:] = np.maximum(up, up[::-1, ::-1])


def _robot(pen: Pen, rng: np.random.Generator) -> None:
    box = np.array([[-0.75, -0.6], [0.75, -0.6], [0.75, 0.75], [-0.75, 0.75], [-0.75, -0.6], [-0.7, -0.6]])
    pen.line(box, rng.uniform(0.07, 0.13))
    pen.line(np.array([[0, -0.6], [0, -0.9]]), 0.07)
    _shrunk(pen, rng, 0.8, _features)


def _jester(pen: Pen, rng: np.random.Generator) -> None:
    cap = [[-0.55, 0.1], [-0.95, -0.45], [-0.35, -0.4], [0, -0.9], [0.35, -0.4], [0.95, -0.45], [0.55, 0.1]]
    pen.area(np.array(cap))
    for x, y in ((-0.95, -0.45), (0, -0.92), (0.95, -0.45)):
        pen.disc((x * 0.92, y), (0.1, 0.1))
    pen.arc((0, 0.15), (0.52, 0.75), (0, 180), rng.uniform(0.06, 0.1))
    for side in (-1, 1):
        pen.disc((side * 0.22, 0.3), (0.07, 0.09))
    pen.arc((0, 0.5), (0.28, 0.2), (10, 170), 0.08)


def _cat(pen: Pen, rng: np.random.Generator) -> None:
    pen.arc((0, 0.15), (0.72, 0.66), (0, 360), rng.uniform(0.06, 0.1))
    for side in (-1, 1):
        pen.area(np.array([[side * 0.65, -0.15], [side * 0.68, -0.9], [side * 0.15, -0.48]]))
        for dy in (0.25, 0.4):
            pen.line(np.array([[side * 0.3, dy], [side * 0.95, dy - 0.08]]), 0.04)
        pen.disc((side * 0.28, 0.0), (0.09, 0.13))
    pen.area(np.array([[-0.08, 0.2], [0.08, 0.2], [0, 0.3]]))


def _mirror(pen: Pen, rng: np.random.Generator) -> None:
    """Draw a shiny disc with streaks, on which a face is engraved."""
    pen.disc((0, 0), (0.95, 0.95), 150)
    for k in range(4):
        x = rng.uniform(-0.8, 0.5)
        band = np.array([[x, -1], [x + 0.1 + 0.08 * k, -1], [x + 0.6 + 0.08 * k, 1], [x + 0.5, 1]])
        streak = Pen(np.zeros_like(pen.mask))
        streak.area(band, 90)
        pen.mask[:] = cv2.subtract(pen.mask, cv2.min(streak.mask, pen.mask // 2))
    _features(pen, rng)
    pen.arc((0, 0), (0.92, 0.92), (0, 360), 0.07)


KINDS: dict[str, Callable[[Pen, np.random.Generator], None]] = {
    "moon": _moon,
    "smiley": _smiley,
    "ringed": _ringed,
    "wink": _wink,
    "hat": _hat,
    "letter": _letter,
    "word": _word,
    "crown": _crown,
    "sun": _sun,
    "clown": _clown,
    "twins": _twins,
    "robot": _robot,
    "jester": _jester,
    "cat": _cat,
    "star": _star,
    "mirror": _mirror,
}


@lru_cache(maxsize=64)
def _mask(kind: str, seed: int, font: str) -> np.ndarray:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    KINDS[kind](Pen(mask, font), np.random.default_rng(seed))
    return mask


def draw(kind: str, seed: int, font: str, side: int) -> np.ndarray:
    """Draw a joker on a square of `side` pixels: where the ink is, from 0 to 1; `font` is for jokers with letters.

    Raises:
        KeyError: there is no such kind.
    """
    mask = cv2.resize(_mask(kind, seed, font), (side, side), interpolation=cv2.INTER_AREA)
    return mask.astype(np.float32) / 255
