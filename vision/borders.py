"""Whether a place in the picture ends where a tile would: a figure on a playing card, or on paper, does not.

Across each side of a tile something is to be seen: the table, a shadow, the bevel, the seam to the next tile. On all
2,427 tiles of real photographs the faintest side differs by 1.5 % of the tile's own white or more, and the second
faintest by no less; of 9,742 rendered ones 15 have fainter sides than is held possible here (docs/vision.md).
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patches import Picture, Quads

_ALONG = np.linspace(0.12, 0.88, 32)
_ACROSS = np.linspace(-0.14, 0.14, 13)
"""Where a side is looked at: along it, and across it in tile widths, from outside to inside."""
_INSIDE = 3
_DARKEST = 12.0
_FAINTEST = (0.008, 0.015)
"""What is less is no side: for the faintest of a quad, and for the second faintest."""


def without_border(picture: Picture, quads: Quads) -> NDArray[np.bool_]:
    """Say on which quads (n, 4, 2) in a picture (h, w, 3) BGR a side does not show at all, or two hardly do: (n,)."""
    return np.asarray((np.sort(side_contrasts(picture, quads), axis=1)[:, :2] < _FAINTEST).any(axis=1))


def side_contrasts(picture: Picture, quads: Quads) -> NDArray[np.float64]:
    """Say how much each side of quads (n, 4, 2) in a picture (h, w, 3) BGR shows, in parts of the white inside: (n, 4).

    Sides go from corner to corner, the first from the first; all that lies along a side is taken together.
    """
    if not len(quads):
        return np.empty((0, 4))
    points = _around(np.asarray(quads, np.float32))
    flat = points.reshape(len(quads), -1, 2)
    seen = cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = _smoothed(np.median(seen.reshape(*points.shape[:-1], 3), axis=2))
    white = np.maximum(profiles[:, :, -_INSIDE:].max(axis=2), _DARKEST)
    return np.asarray(((profiles.max(axis=2) - profiles.min(axis=2)) / white).max(axis=2), float)


def _smoothed(profiles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average three neighbours across the side, against the camera's noise."""
    return np.asarray((profiles[:, :, :-2] + profiles[:, :, 1:-1] + profiles[:, :, 2:]) / 3)


def _around(quads: Quads) -> NDArray[np.float32]:
    """Give the points (n, 4, along, across, 2) that are looked at."""
    starts, ends = quads, np.roll(quads, -1, axis=1)
    inward = np.roll(quads, -2, axis=1) + np.roll(quads, -3, axis=1) - starts - ends
    inward /= np.maximum(np.linalg.norm(inward, axis=2, keepdims=True), 1e-6)
    inward *= np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, None, None]
    on_side = starts[:, :, None] + (ends - starts)[:, :, None] * _ALONG[:, None]
    return np.asarray(on_side[:, :, :, None] + inward[:, :, None, None] * _ACROSS[:, None], np.float32)
