"""Where tiles lie: poses on the table's plane or on a rack, in tile widths."""

from dataclasses import dataclass

import numpy as np

from referee.table import Where
from referee.tiles import Tile


@dataclass(frozen=True)
class Placement:
    """One tile's pose.

    `x`, `y`: its centre on the table; `angle`: its turn clockwise as seen from above, 0 being read from the bottom of
    the picture. `height`: of its lowest point over the table. `lean`: how far its upper edge is raised towards
    standing, in radians, as on a rack. `tile` is what is printed on it, also where it lies face down (`back`).
    `which` chooses a joker's ink. `row` numbers the meld that it belongs to, None for none; rows hold tiles in the
    order of the placements.
    """

    tile: Tile
    x: float
    y: float
    angle: float = 0.0
    height: float = 0.0
    lean: float = 0.0
    back: bool = False
    which: int = 0
    where: Where = Where.TABLE
    row: int | None = None

    def axes(self) -> np.ndarray:
        """Give unit vectors (3, 3) of the tile's right, down and outward normal, in the world."""
        ca, sa, cl, sl = np.cos(self.angle), np.sin(self.angle), np.cos(self.lean), np.sin(self.lean)
        right = np.array([ca, sa, 0.0])
        down = np.array([-sa * cl, ca * cl, -sl])
        normal = np.array([-sa * sl, ca * sl, cl])
        return np.stack([right, down, normal])

    def outline(self, ratio: float, above: float, corner: float = 0.0) -> np.ndarray:
        """Give the outline (n, 3) at `above` over the tile's underside: four corners, top-left first, clockwise.

        With `corner`, each corner is three points of its rounding (n = 12), else one (n = 4).
        """
        right, down, normal = self.axes()
        centre = np.array([self.x, self.y, self.height + ratio / 2 * np.sin(self.lean)])
        flat = _rounded(ratio, corner) if corner else _corners(ratio)
        return centre + flat[:, :1] * right + flat[:, 1:] * down + above * normal


def _corners(ratio: float) -> np.ndarray:
    return np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (1, ratio)


def _rounded(ratio: float, corner: float) -> np.ndarray:
    out = []
    for k, point in enumerate(_corners(ratio)):
        inner = point - np.sign(point) * corner
        angles = np.pi + np.pi / 2 * (k + np.array([0, 0.5, 1]))
        out.append(inner + corner * np.column_stack([np.cos(angles), np.sin(angles)]))
    return np.vstack(out)
