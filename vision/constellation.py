"""A camera that was knocked: the tiles of a known table found again by how they lie to each other.

Every tile that reads the same in both pictures tells, by its place, size and direction alone, where all others would be
(a similarity); the hypothesis that finds most tiles again is refined on them, to an affine map and to a homography.
Fischler and Bolles, "Random sample consensus", 1981, with all hypotheses instead of random ones: there are few.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.tiles import Tile

_COARSE, _FINE, _FINEST = 1.0, 0.6, 0.35
_LEAST_PAIRS = 4
_LEAST_SHARE = 0.5

Array = NDArray[np.float64]
Lying = tuple[ArrayLike, Sequence[Tile]]
"""Where tiles lie, (n, 4, 2) in pixels, and what they are."""


class Match(NamedTuple):
    """How the first picture maps to the second (3x3), and the tiles found again: indices into both."""

    homography: Array
    pairs: tuple[tuple[int, int], ...]


def fit(before: Lying, now: Lying) -> Match | None:
    """Find the tiles of one picture again in another; None where fewer than half of them, or than four, are."""
    old, new = np.asarray(before[0], float).reshape(-1, 4, 2), np.asarray(now[0], float).reshape(-1, 4, 2)
    same = np.array([[one == other for other in now[1]] for one in before[1]], bool).reshape(len(old), len(new))
    best = (
        max((_pairs(_similarity(old[i], new[j]), (old, new), same, _COARSE) for i, j in np.argwhere(same)), key=len)
        if same.any()
        else []
    )
    homography = np.eye(3)
    for tolerance in (_COARSE, _FINE, _FINEST):
        if len(best) < _LEAST_PAIRS:
            return None
        homography = _mapping(old[[i for i, _ in best]], new[[j for _, j in best]])
        best = _pairs(homography, (old, new), same, tolerance)
    enough = max(_LEAST_PAIRS, _LEAST_SHARE * len(old))
    return Match(homography, tuple(best)) if len(best) >= enough else None


def _similarity(one: Array, other: Array) -> Array:
    """Give the similarity (3x3) that takes one tile (4, 2) to another: its centre, direction and size."""
    first, second = _arrow(one), _arrow(other)
    turn = second / first if abs(first) > 1e-9 else 1 + 0j
    linear = np.array([[turn.real, -turn.imag], [turn.imag, turn.real]])
    map_ = np.eye(3)
    map_[:2, :2] = linear
    map_[:2, 2] = other.mean(axis=0) - linear @ one.mean(axis=0)
    return map_


def _arrow(quad: Array) -> complex:
    """Give a tile's direction and size: from the middle of its foot to the middle of its head."""
    x, y = (quad[0] + quad[1] - quad[2] - quad[3]) / 2
    return complex(x, y)


def _pairs(
    mapping: Array, lying: tuple[Array, Array], same: NDArray[np.bool_], tolerance: float
) -> list[tuple[int, int]]:
    """Pair tiles that read the same and lie within `tolerance` widths of where the mapping puts them, each once."""
    old, new = lying
    expected = cv2.perspectiveTransform(old.mean(axis=1)[:, None], mapping)[:, 0]
    widths = np.linalg.norm(new[:, 1] - new[:, 0], axis=1)
    distances = np.linalg.norm(expected[:, None] - new.mean(axis=1), axis=2) / widths
    distances[~same] = np.inf
    found, taken = [], set()
    for i in np.argsort(distances.min(axis=1)):
        j = int(distances[i].argmin())
        if distances[i, j] < tolerance and j not in taken:
            taken.add(j)
            found.append((int(i), j))
    return found


def _mapping(old: Array, new: Array) -> Array:
    """Fit the mapping of tiles (n, 4, 2): an affine one of all corners, a homography where there are tiles enough."""
    one, other = old.reshape(-1, 2), new.reshape(-1, 2)
    if len(old) >= 2 * _LEAST_PAIRS:
        homography, _ = cv2.findHomography(one, other, cv2.RANSAC, 0.2 * float(np.linalg.norm(new[0, 1] - new[0, 0])))
        if homography is not None:
            return np.asarray(homography, float)
    affine, _ = cv2.estimateAffine2D(one, other)
    return np.vstack([affine, [0, 0, 1]]) if affine is not None else np.eye(3)
