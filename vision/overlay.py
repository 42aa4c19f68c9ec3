"""The reading drawn into its picture: what people look at to see that the referee saw what they see.

Each meld lies on a light ribbon; each tile has an outline in the colour of its ink and a chip with what was read, above
the tile so that its number stays free. What is in doubt is amber and asks; rows at fault are ringed in red.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table import Doubt, DoubtCode, SeenTile, TableReading
from referee.tiles import Colour
from vision.patches import Picture

_INKS = {
    Colour.BLACK: (52, 44, 40),
    Colour.RED: (48, 40, 214),
    Colour.BLUE: (196, 104, 20),
    Colour.ORANGE: (20, 132, 240),
    Colour.JOKER: (150, 60, 140),
}
_AMBER, _RED, _WHITE, _DARK, _GREY = (0, 184, 255), (40, 30, 220), (255, 255, 255), (40, 36, 34), (150, 150, 150)
_RIBBON_ALPHA, _SHADE_ALPHA = 0.30, 0.12
_FONT = cv2.FONT_HERSHEY_DUPLEX
_QUARTER_PIXELS = 2
_LEAST_TEXT, _MOST_TEXT = 0.34, 1.3
Array = NDArray[Any]


@dataclass(frozen=True)
class Marks:
    """What a verdict adds: tiles that were played this turn, and rows at fault, both as indices into the reading."""

    played: frozenset[int] = frozenset()
    faulty: tuple[tuple[int, ...], ...] = ()


NO_MARKS = Marks()


def draw_overlay(image: Picture, reading: TableReading, marks: Marks = NO_MARKS) -> Picture:
    """Draw a reading into a copy of its picture (h, w, 3) BGR; corners are in pixels of this picture."""
    drawn = image.copy()
    pen = _Pen.for_reading(reading)
    _ribbons(drawn, reading, pen)
    for row in marks.faulty:
        _ring(drawn, _hull(_corners(reading, row), 0.2 * pen.tile), _RED, pen.line * 2)
    doubts = {index: doubt for doubt in reading.doubts for index in doubt.tiles[:1]}
    for index, tile in enumerate(reading.tiles):
        _outline(drawn, tile, pen, doubted=index in doubts, played=index in marks.played)
    for index, tile in enumerate(reading.tiles):
        _label(drawn, tile, pen, doubts.get(index))
    return drawn


@dataclass(frozen=True)
class _Pen:
    """Sizes that suit the picture: `tile` the median width of a tile in pixels, `line` and `text` drawn from it."""

    tile: float

    @classmethod
    def for_reading(cls, reading: TableReading) -> "_Pen":
        widths = [float(np.linalg.norm(np.subtract(t.corners[1], t.corners[0]))) for t in reading.tiles]
        return cls(float(np.median(widths)) if widths else 40.0)

    @property
    def line(self) -> int:
        return max(1, round(self.tile / 22))

    @property
    def text(self) -> float:
        return float(np.clip(self.tile / 100, _LEAST_TEXT, _MOST_TEXT))


def _ribbons(drawn: Picture, reading: TableReading, pen: _Pen) -> None:
    """A light band under each meld of two tiles or more, and a soft shade on all the rest of the table."""
    bare = np.full(drawn.shape[:2], 255, np.uint8)
    for tile in reading.tiles:
        cv2.fillConvexPoly(bare, _fixed(np.array(tile.corners)), 0, cv2.LINE_AA, _QUARTER_PIXELS)
    shaded = np.asarray(cv2.convertScaleAbs(drawn, alpha=1 - _SHADE_ALPHA), np.uint8)
    outlines = [_hull(_corners(reading, row), 0.14 * pen.tile) for row in reading.melds if len(row) > 1]
    for outline in outlines:
        _blend(shaded, outline, _WHITE, _RIBBON_ALPHA)
        _ring(shaded, outline, _WHITE, max(1, pen.line // 2))
    np.copyto(drawn, shaded, where=bare[..., None] > 127)


def _outline(drawn: Picture, tile: SeenTile, pen: _Pen, *, doubted: bool, played: bool) -> None:
    corners = np.array(tile.corners)
    if played:
        _ring(drawn, corners, _WHITE, pen.line * 4)
    _ring(drawn, corners, _WHITE, pen.line + 2)
    _ring(drawn, corners, _AMBER if doubted else _colour(tile), pen.line * 2 if doubted else pen.line)


def _label(drawn: Picture, tile: SeenTile, pen: _Pen, doubt: Doubt | None) -> None:
    """A chip on the upper edge of the tile, as the tile is read."""
    if tile.back:
        return
    a, b, _, d = (np.array(corner) for corner in tile.corners)
    up = (a - d) / max(float(np.linalg.norm(a - d)), 1e-6)
    centre = (a + b) / 2 + up * (0.13 * pen.tile + 4)
    ground, ink = (_AMBER, _DARK) if doubt else (_colour(tile), _WHITE)
    _chip(drawn, _words(tile, doubt), centre, (pen.text, ground, ink))


def _words(tile: SeenTile, doubt: Doubt | None) -> str:
    if doubt and doubt.code is DoubtCode.SIX_OR_NINE:
        return "6 or 9?"
    if doubt and len(doubt.answers) > 1 and doubt.code in (DoubtCode.TWO_READINGS, DoubtCode.UNREADABLE):
        return "/".join(doubt.answers[:2]) + "?"
    return str(tile.best or "?") + ("?" if doubt and tile.best else "")


def _chip(drawn: Picture, words: str, centre: Array, style: tuple[float, tuple[int, ...], tuple[int, ...]]) -> None:
    """A filled pill with words in it, kept inside the picture."""
    scale, ground, ink = style
    weight = max(1, round(scale * 1.6))
    (width, height), _ = cv2.getTextSize(words, _FONT, scale, weight)
    half = np.array([width / 2 + 5 * scale + 2, height / 2 + 5 * scale + 1])
    size = np.array(drawn.shape[1::-1])
    middle = np.clip(centre, half + 1, np.maximum(size - half - 1, half + 1))
    _pill(drawn, middle, half + 1.2, _WHITE)
    _pill(drawn, middle, half, ground)
    start = (round(middle[0] - width / 2), round(middle[1] + height / 2))
    cv2.putText(drawn, words, start, _FONT, scale, ink, weight, cv2.LINE_AA)


def _pill(drawn: Picture, middle: Array, half: Array, colour: tuple[int, ...]) -> None:
    reach = max(float(half[0] - half[1]), 0.0)
    aside = np.array([reach, 0.0])
    ends = [middle - aside, middle + aside]
    for end in ends:
        centre, radius = _fixed(end[None])[0, 0], round(half[1] * 2**_QUARTER_PIXELS)
        cv2.circle(drawn, tuple(centre.tolist()), radius, colour, -1, cv2.LINE_AA, _QUARTER_PIXELS)
    box = np.array([ends[0] - [0, half[1]], ends[1] - [0, half[1]], ends[1] + [0, half[1]], ends[0] + [0, half[1]]])
    cv2.fillConvexPoly(drawn, _fixed(box), colour, cv2.LINE_AA, _QUARTER_PIXELS)


def _colour(tile: SeenTile) -> tuple[int, ...]:
    return _INKS[tile.best.colour] if tile.best else _GREY


def _corners(reading: TableReading, row: Iterable[int]) -> Array:
    return np.array(list(_points(reading, row)), np.float32)


def _points(reading: TableReading, row: Iterable[int]) -> Iterator[tuple[float, float]]:
    for index in row:
        yield from reading.tiles[index].corners


def _hull(points: Array, margin: float) -> Array:
    """The convex outline round points, `margin` pixels wider on every side, with rounded corners."""
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    disc = np.stack([np.cos(turns), np.sin(turns)], 1) * margin
    return cv2.convexHull((points[:, None] + disc).reshape(-1, 2).astype(np.float32))[:, 0]


def _blend(drawn: Picture, outline: Array, colour: tuple[int, ...], alpha: float) -> None:
    """Lay a transparent colour over an area; only its bounding box is touched."""
    low = np.maximum(np.floor(outline.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(0)).astype(int) + 1, drawn.shape[1::-1])
    if (high <= low).any():
        return
    part = drawn[low[1] : high[1], low[0] : high[0]]
    over = part.copy()
    cv2.fillConvexPoly(over, _fixed(outline - low), colour, cv2.LINE_AA, _QUARTER_PIXELS)
    part[:] = cv2.addWeighted(over, alpha, part, 1 - alpha, 0)


def _ring(drawn: Picture, outline: Array, colour: tuple[int, ...], width: int) -> None:
    cv2.polylines(drawn, [_fixed(outline)], True, colour, width, cv2.LINE_AA, _QUARTER_PIXELS)


def _fixed(points: Array) -> Array:
    """Points (n, 2) in the fixed-point form that cv2 draws with parts of pixels."""
    return np.round(points * 2**_QUARTER_PIXELS).astype(np.int32).reshape(-1, 1, 2)
