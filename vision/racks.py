"""Tiles on racks: they lean, so they do not fit the plane of the table on which the melds lie.

Seen from above a leaning tile is too short for the table's plane, seen from the players' side too long; its width tells
nothing. One tile's corners are not exact enough to say so, a whole row of them is. On 44 hold-out tables, 20 of them
with racks, corners off by 2 % of a side: 170 of 194 tiles on racks were found, and none of 3,418 on the table was taken
for one; with corners off by 5 %, 149 and none. The true corners of 1,980 tiles on real photographs are off by 0.075 at
most, as a logarithm of the length. A rack whose slope the camera sees just as it sees the table is not told.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.rows import Layout
from vision.tabletop import Plane, plane_from_tiles

_SUSPECT, _LEAST_LEAN = 0.06, 0.14
_FEWEST = 3
_MOST_SHARE = 0.5
_WORST_FIT, _WORST_BEND = 0.06, 0.1
"""Where the tiles that lie flat fit their plane worse, it is not known well enough to tell what leans."""


def on_racks(quads: ArrayLike, layout: Layout) -> NDArray[np.bool_]:
    """Say which of (n, 4, 2) tiles, in pixels, lean on a rack; `layout` is theirs.

    Many tiles on a rack bend the plane that is fitted to all. So rows that may be too long are left out of a second
    fit, or those that may be too short: of the two, the one against which the rest is flatter.
    """
    corners = np.asarray(quads, float).reshape(-1, 4, 2)
    found = [(_WORST_BEND, np.zeros(len(corners), bool))]
    if layout.plane is not None:
        lengths = _by_row(corners, layout, layout.plane)
        found += [_leaning(corners, layout, sense * lengths > _SUSPECT, sense) for sense in (1, -1)]
    return min(found, key=lambda one: one[0])[1]


def _leaning(
    corners: NDArray[np.float64], layout: Layout, suspects: NDArray[np.bool_], sense: int
) -> tuple[float, NDArray[np.bool_]]:
    """Fit the plane without the suspects; say how far the rest bends from it (endless if none leans), and who leans."""
    if suspects.sum() < _FEWEST or suspects.mean() > _MOST_SHARE:
        return np.inf, suspects
    plane = plane_from_tiles(corners[~suspects])
    lengths = _by_row(corners, layout, plane)
    leans = sense * lengths > _LEAST_LEAN
    if leans.sum() < _FEWEST or plane.misfit > _WORST_FIT:
        return np.inf, leans
    return float(np.quantile(np.abs(lengths[~leans]), 0.9)), leans


def _by_row(corners: NDArray[np.float64], layout: Layout, plane: Plane) -> NDArray[np.float64]:
    """Give for each tile the median, over its row, of how long tiles are against those on the plane."""
    lengths = plane.lengths(corners)
    for row in map(list, layout.rows):
        lengths[row] = np.median(lengths[row])
    return lengths
