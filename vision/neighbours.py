"""What a quad says beside its neighbours: all tiles are equally large, and most lie as those beside them do.

Quads are (n, 4, 2) in pixels; areas are compared as logarithms. The picture's scale changes little between neighbours.
"""

import numpy as np
from numpy.typing import NDArray

from vision.patches import Quads

_SURELY_FOUND, _NEIGHBOURS, _ANOTHER_SIZE = 0.5, 3, 0.6
"""Scores from here on are sure; areas are compared with so many of them, as logarithms."""
_SMALLER = 0.2
"""A quad whose area, as a logarithm, is less by this than the middle one of the tiles around it holds no whole tile."""


def shaped_like_neighbours(quads: Quads, doubtful: NDArray, sure: NDArray) -> Quads:
    """Give for each doubtful quad the nearest sure one, moved to its place."""
    centres = quads.mean(1)
    apart = np.linalg.norm(centres[doubtful][:, None] - centres[sure], axis=2)
    nearest = sure[apart.argmin(1)]
    return np.asarray(quads[nearest] + (centres[doubtful] - centres[nearest])[:, None], np.float32)


def a_tile_further(quads: Quads, places: NDArray[np.floating]) -> tuple[Quads, NDArray[np.floating]]:
    """Move each quad (n, 4, 2) by one tile along the side that leads towards a place (n, 2).

    Gives the moved ones, and how many tiles it is to there (n,).
    """
    sides = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], axis=1)
    along = np.einsum("nd,nkd->nk", places - quads.mean(1), sides) / (sides**2).sum(axis=2)
    each = np.arange(len(quads)), np.abs(along).argmax(axis=1)
    steps = np.sign(along[each])[:, None] * sides[each]
    return np.asarray(quads + steps[:, None], np.float32), np.abs(along[each])


def turned_apart(quads: Quads, others: Quads) -> NDArray[np.floating]:
    """Give by how far quads (n, 4, 2) are turned against others, in radians up to half a right angle."""
    sides = [q[:, 3] + q[:, 2] - q[:, 0] - q[:, 1] for q in (quads, others)]
    one, other = (np.arctan2(side[:, 1], side[:, 0]) for side in sides)
    return np.asarray(np.abs((one - other + np.pi / 4) % (np.pi / 2) - np.pi / 4))


def too_small(quads: Quads, sure: NDArray[np.bool_]) -> tuple[NDArray[np.intp], Quads]:
    """Give the quads that are smaller than the sure ones around them, and quads of their size in each place.

    The size is that of the middle one of the sure quads that lie nearest.
    """
    centres, areas, others = quads.mean(1), log_areas(quads), np.flatnonzero(sure)
    odd, like = [], []
    for i in range(len(quads)) if len(others) > _NEIGHBOURS else ():
        apart = np.linalg.norm(centres[others] - centres[i], axis=1)
        near = others[np.argsort(np.where(others == i, np.inf, apart))[:_NEIGHBOURS]]
        usual = near[np.argsort(areas[near])[_NEIGHBOURS // 2]]
        if areas[usual] - areas[i] > _SMALLER:
            odd.append(i)
            like.append(quads[usual] + centres[i] - centres[usual])
    return np.array(odd, np.intp), np.array(like, np.float32).reshape(-1, 4, 2)


def of_another_size(quads: Quads, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Say which weakly found quads (n, 4, 2) are half or twice as large as the sure ones that lie nearest to them.

    All tiles are equally large, and the picture's scale changes little between neighbours.
    """
    sure = np.flatnonzero(scores >= _SURELY_FOUND)
    out = np.zeros(len(quads), bool)
    if len(sure) < _NEIGHBOURS:
        return out
    centres, areas = quads.mean(1), log_areas(quads)
    for i in np.flatnonzero(scores < _SURELY_FOUND):
        near = sure[np.argsort(np.linalg.norm(centres[sure] - centres[i], axis=1))[:_NEIGHBOURS]]
        out[i] = abs(areas[i] - np.median(areas[near])) > _ANOTHER_SIZE
    return out


def log_areas(quads: Quads) -> NDArray[np.float64]:
    """Give the logarithms of the areas of quads (n, 4, 2)."""
    p, q = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.log(np.maximum(np.abs(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]) / 2, 1.0)), float)
