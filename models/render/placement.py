"""Where tiles lie: poses on the table's plane or on a rack, in tile widths."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

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


class Poses(NamedTuple):
    """Poses of n tiles: `middle` (n, 3) of their undersides; unit vectors (n, 3) to their right, down, and outward."""

    middle: np.ndarray
    right: np.ndarray
    down: np.ndarray
    normal: np.ndarray

    @classmethod
    def of(cls, placements: Sequence[Placement], ratio: float) -> Self:
        """Work out the poses of tiles that are `ratio` long."""
        raw = np.array([(p.x, p.y, p.height, p.angle, p.lean) for p in placements], float).reshape(-1, 5)
        x, y, z, angle, lean = raw.T
        ca, sa, cl, sl = np.cos(angle), np.sin(angle), np.cos(lean), np.sin(lean)
        zero = np.zeros_like(x)
        return cls(
            np.stack([x, y, z + ratio / 2 * sl], 1),
            np.stack([ca, sa, zero], 1),
            np.stack([-sa * cl, ca * cl, -sl], 1),
            np.stack([-sa * sl, ca * sl, cl], 1),
        )

    def outlines(self, flat: np.ndarray, above: float) -> np.ndarray:
        """Carry points (k, 2) of the tile (x right, y down) into the world, `above` over the undersides: (n, k, 3)."""
        x, y = flat[:, 0, None], flat[:, 1, None]
        centre = self.middle + above * self.normal
        return np.asarray(centre[:, None] + x * self.right[:, None] + y * self.down[:, None])


def corners(ratio: float) -> np.ndarray:
    """Give a tile's corners (4, 2), top-left first, clockwise, from its centre."""
    return np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (1, ratio)


def rounded(ratio: float, corner: float) -> np.ndarray:
    """Give a tile's outline (12, 2) with three points for the rounding of each corner, top-left first, clockwise."""
    signs = np.repeat(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]), 3, axis=0)
    angles = np.pi + np.pi / 2 * (np.repeat(np.arange(4), 3) + np.tile([0, 0.5, 1], 4))
    return signs * (0.5 - corner, ratio / 2 - corner) + corner * np.column_stack([np.cos(angles), np.sin(angles)])
