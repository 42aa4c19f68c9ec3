"""Which tiles of a set laid out to be taught lie in one line, wide gaps or not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.rows import Layout, RowOfIndices, lay_out
from vision.tabletop import Plane, plane_from_tiles

Array = NDArray[np.float64]
_BESIDE = 0.45
"""How far a row's end may lie beside another row's line to belong to it, in tile heights."""
_ALIKE = np.cos(np.radians(12))


@dataclass(frozen=True)
class Line:
    """Tiles in one line in the order they are read.

    `turned`: which lie the other way up than the line is read; `gaps` between them, in tile widths, one fewer.
    """

    tiles: RowOfIndices
    turned: tuple[bool, ...]
    gaps: tuple[float, ...]


def find_lines(quads: ArrayLike) -> tuple[Line, ...]:
    """Find the lines of (n, 4, 2) quads in pixels: rows, those that go on behind a gap joined."""
    pixels = np.asarray(quads, float).reshape(-1, 4, 2)
    if not len(pixels):
        return ()
    layout, plane = lay_out(pixels), plane_from_tiles(pixels)
    tiles = plane.to_plane(pixels)
    joined = _joined(layout, tiles, plane)
    return tuple(_line(row, layout, tiles) for row in joined)


def _joined(layout: Layout, tiles: Array, plane: Plane) -> list[RowOfIndices]:
    """Join rows whose tiles lie in one line, longest first."""
    centres, ups = tiles.mean(1), (tiles[:, 0] - tiles[:, 3]) / plane.aspect
    left = sorted(layout.rows, key=len, reverse=True)
    found = []
    while left:
        row, left = left[0], left[1:]
        along = _along(row, layout, ups)
        with_it = [other for other in left if len(row) > 1 and _goes_on(row, other, (centres, ups, along), plane)]
        left = [other for other in left if other not in with_it]
        tiles_of_line = [i for one in (row, *with_it) for i in one]
        found.append(tuple(sorted(tiles_of_line, key=lambda i: float(centres[i] @ along))))
    return found


def _along(row: RowOfIndices, layout: Layout, ups: Array) -> Array:
    """The direction in which a row is read, as a unit vector on the plane: to the right of its tiles' way up."""
    signs = np.array([-1.0 if layout.turned[i] else 1.0 for i in row])
    up = (ups[list(row)] * signs[:, None]).sum(0)
    right = np.array([-up[1], up[0]])
    return np.asarray(right / max(float(np.linalg.norm(right)), 1e-9))


def _goes_on(row: RowOfIndices, other: RowOfIndices, lie: tuple[Array, Array, Array], plane: Plane) -> bool:
    """Whether all tiles of another row lie in this row's line, as its tiles do."""
    centres, ups, along = lie
    across = np.array([-along[1], along[0]])
    slope, middle = _fit(centres[list(row)], along, across)
    places = centres[list(other)]
    beside = np.abs(places @ across - middle - slope * (places @ along))
    alike = np.abs(ups[list(other)] @ across) / np.linalg.norm(ups[list(other)], axis=1)
    return bool((beside < _BESIDE * plane.aspect).all() and (alike > _ALIKE).all())


def _fit(centres: Array, along: Array, across: Array) -> tuple[float, float]:
    slope, middle = np.polyfit(centres @ along, centres @ across, 1)
    return float(slope), float(middle)


def _line(row: RowOfIndices, layout: Layout, tiles: Array) -> Line:
    centres = tiles.mean(1)
    steps = np.linalg.norm(np.diff(centres[list(row)], axis=0), axis=1)
    return Line(row, tuple(layout.turned[i] for i in row), tuple(float(step - 1) for step in steps))
