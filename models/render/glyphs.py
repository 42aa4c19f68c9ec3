"""Outlines of the bundled fonts' digits and letters, as polygons to fill (`fonts/README.md` says whose they are)."""

from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

DIGIT_HEIGHT = 1000.0
SUBPIXEL_BITS = 4

Contours = tuple[np.ndarray, ...]
"""Closed polygons (n, 2), x right and y down; overlapping ones are holes."""


class _Archive(NamedTuple):
    names: tuple[str, ...]
    chars: str
    points: np.ndarray
    contours: np.ndarray
    glyphs: np.ndarray
    advances: np.ndarray


@cache
def _archive() -> _Archive:
    with files("models.render").joinpath("fonts/outlines.npz").open("rb") as stream, np.load(stream) as data:
        return _Archive(
            tuple(map(str, data["names"])),
            str(data["chars"]),
            data["points"],
            data["contours"],
            data["glyphs"],
            data["advances"],
        )


def font_names() -> tuple[str, ...]:
    """Give the names of all bundled fonts."""
    return _archive().names


def glyph(font: str, char: str) -> tuple[Contours, float]:
    """Give a character's outline and advance in heights of a digit, baseline at y = 0.

    Raises:
        ValueError: there is no such font or the fonts have no such character.
    """
    store = _archive()
    if font not in store.names or char not in store.chars:
        msg = f"no glyph {char!r} in font {font!r}"
        raise ValueError(msg)
    row, column = store.names.index(font), store.chars.index(char)
    k = row * len(store.chars) + column
    ends = store.contours[store.glyphs[k] : store.glyphs[k + 1] + 1]
    parts = tuple(store.points[a:b] / DIGIT_HEIGHT for a, b in pairwise(ends))
    return parts, float(store.advances[row, column]) / DIGIT_HEIGHT


@cache
def text_outline(font: str, text: str, tracking: float = 0.0) -> Contours:
    """Give a word's outlines, its box centred on (0, 0), in heights of a digit; `tracking` is added after letters."""
    out: list[np.ndarray] = []
    x = 0.0
    for char in text:
        parts, advance = glyph(font, char) if char != " " else ((), 0.35)
        out += [part + np.array([x, 0.0]) for part in parts]
        x += advance + tracking
    if not out:
        return ()
    points = np.vstack(out)
    middle = (points.min(0) + points.max(0)) / 2
    return tuple(part - middle for part in out)


def outline_size(contours: Contours) -> tuple[float, float]:
    """Give width and height of the box around outlines."""
    points = np.vstack(contours)
    width, height = points.max(0) - points.min(0)
    return float(width), float(height)


def fill(mask: np.ndarray, contours: Contours, value: float = 255) -> None:
    """Fill outlines, given in pixels of `mask` (pixel centres at whole numbers), with smooth edges."""
    scaled = [np.round(c * (1 << SUBPIXEL_BITS)).astype(np.int32) for c in contours]
    cv2.fillPoly(mask, scaled, value, cv2.LINE_AA, SUBPIXEL_BITS)
