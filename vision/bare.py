"""Places where tiles lay: seen as bare table, or hidden (RULEBOOK 4.3).

A tile that is seen nowhere is gone only where its place is bare: it looks like the table around it, and the table
around looks as it did. Something new that is no tile (a hand, a telephone, a tile that was missed) may hide any tile;
and where a place looked bare with the tile on it, a pale one on a pale table, its looks say nothing.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.hands import Mask, cells_of, changed, small_of
from vision.patches import Quads, overlap

_LONG_SIDE = 640
_RING = 1.6
_LIKE_TABLE = 2.0
_LEAST_SPREAD = 6.0
_LEAST_AROUND = 12
_TAKEN = 0.2
_COME = 0.1
_UNEXPLAINED = 0.5
"""Something new of more than this share of a tile's area is a thing that may hide one."""

Colours = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Since:
    """Two pictures (h, w, 3) of a table from one place, before and now; compared once, when it is asked for."""

    before: Picture
    now: Picture

    @cached_property
    def new(self) -> Mask | None:
        """The cells that show something else now; None where the pictures differ in size."""
        if self.before.shape != self.now.shape:
            return None
        return changed(cells_of(small_of(self.before)), cells_of(small_of(self.now)))

    @property
    def scale(self) -> float:
        """How many cells a pixel is wide."""
        return 1.0 if self.new is None else self.new.shape[1] / self.now.shape[1]


def hidden(since: Since, lay: Quads, lie: Quads, gone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say which of the tiles that are gone from their places (n,) may lie there, or somewhere, unseen.

    Args:
        since: the table as it was known, and the new picture.
        lay: where its tiles lay (n, 4, 2), in pixels of the new picture.
        lie: all tiles seen in the new picture (k, 4, 2).
        gone: which of the tiles that lay there are not in their places.
    """
    doubtful = gone.copy()
    tiles = np.concatenate([lay, lie])
    if not gone.any() or _unexplained(since, tiles):
        return doubtful
    table, before = _Table.of(since.now, tiles), _Table.of(since.before, tiles)
    for i in np.flatnonzero(gone):
        taken = any(overlap(lay[i], other) > _TAKEN for other in lie)
        seen_bare = table.is_bare(lay[i]) and not before.is_bare(lay[i])
        doubtful[i] = not taken and not seen_bare
    return doubtful


def come_since(since: Since, quads: Quads) -> NDArray[np.bool_]:
    """Say which places (n, 4, 2) show something else now: a tile that was not there before must have come.

    Of a pale tile on a pale table this is not seen.
    """
    new = since.new
    if new is None:
        return np.ones(len(quads), bool)
    places = [_covered(new.shape, quad[None] * since.scale) for quad in quads]
    return np.array([new[place].mean() > _COME if place.any() else True for place in places], bool)


def _unexplained(since: Since, tiles: Quads) -> bool:
    """Whether something is new in the picture that is neither a tile nor a place that one left."""
    new = since.new
    if new is None:
        return True
    quads = tiles * since.scale
    tile = float(np.median([cv2.contourArea(quad.astype(np.float32)) for quad in quads]))
    left = new & ~_covered(new.shape, _grown(quads, 1.7))
    count, _, stats, _ = cv2.connectedComponentsWithStats(left.astype(np.uint8))
    return count > 1 and float(stats[1:, cv2.CC_STAT_AREA].max()) > _UNEXPLAINED * tile


class _Table(NamedTuple):
    """The colours of a picture made small, and which of its pixels show neither a tile nor where one lay."""

    colours: Colours
    free: Mask
    scale: float

    @classmethod
    def of(cls, picture: Picture, tiles: Quads) -> "_Table":
        scale = min(1.0, _LONG_SIDE / max(picture.shape[:2]))
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        free = ~_covered(small.shape[:2], _grown(tiles * scale, 1.15))
        return cls(cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32), free, scale)

    def is_bare(self, quad: Quads) -> bool:
        """Whether a place looks like the free table around it."""
        place = quad[None] * self.scale
        inside = _covered(self.free.shape, _grown(place, 0.8))
        around = self.free & _covered(self.free.shape, _grown(place, _RING * 2))
        if int(around.sum()) < _LEAST_AROUND or not inside.any():
            return False
        table, here = self.colours[around], self.colours[inside]
        spread = np.maximum(table.std(axis=0), _LEAST_SPREAD)
        like = np.abs(here.mean(axis=0) - table.mean(axis=0)) / spread
        return bool((like < _LIKE_TABLE).all() and (here.std(axis=0) < 1.8 * spread).all())


def _grown(quads: Quads, factor: float) -> Quads:
    """Give quads (n, 4, 2) grown about their middles."""
    middles = quads.mean(axis=1, keepdims=True)
    grown: Quads = (middles + (quads - middles) * factor).astype(np.float32)
    return grown


def _covered(shape: tuple[int, ...], quads: Quads) -> Mask:
    """Give the pixels (h, w) that quads cover."""
    mask = np.zeros(shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask > 0
