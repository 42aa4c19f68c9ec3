"""The print of a flat tile, apart from the light on it: its shape on a small grid, and the colour of its ink.

Both are measured on patches as the reader of faces sees them, divided by the white of their own tile (`FACE`).
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patches import FACE, Quads, cut_patches, white_balanced

Array = NDArray[np.float32]
GRID = (26, 32)
"""Width and height of a print's grid; one cell is about 4 % of a tile."""
_EDGE = (3, 4)
_PLAY = 2
_LEAST_CONTRAST = 0.08
_PLAIN, _FULL = 20.0, 96.0
_CORE_OF_INK = 0.75


def flat_faces(image: NDArray[np.uint8], quads: Quads) -> Array:
    """Cut tiles (n, 4, 2) out of a picture (h, w, 3) BGR: white-balanced patches (n, h, w, 3) BGR, 1 being white."""
    return balanced(cut_patches(image, quads, FACE))


def balanced(patches: NDArray[np.uint8]) -> Array:
    """Divide patches (n, h, w, 3) of the shape `FACE` by the white of their tiles."""
    return white_balanced(patches.astype(np.float32) / np.float32(255), FACE)


def half_turned(pictures: Array) -> Array:
    """Give patches (n, h, w, 3), or their prints (n, h, w), as they look the other way up."""
    return pictures[:, ::-1, ::-1]


def print_maps(faces: Array) -> Array:
    """Give where the ink is on each of n patches, from 0 to 1, whatever its colour: (n, 32, 26)."""
    strengths = _strongest(_swallowed(faces))
    plain, full = np.percentile(_flat(_inner(strengths)), [_PLAIN, _FULL], axis=1).astype(np.float32)[:, :, None, None]
    spread = np.clip((strengths - plain) / np.maximum(full - plain, _LEAST_CONTRAST), 0, 1.1)
    return np.array([_on_grid(one) for one in spread], np.float32).reshape(-1, *GRID[::-1])


def _on_grid(spread: Array) -> NDArray[Any]:
    return np.asarray(cv2.GaussianBlur(cv2.resize(spread, GRID, interpolation=cv2.INTER_AREA), (0, 0), 0.7))


def _swallowed(faces: Array) -> Array:
    return np.clip(1 - faces, 0, 1)


def _strongest(swallowed: Array) -> Array:
    """Give the channel that is swallowed most: (n, h, w). Several times as fast as `max` along an axis of three."""
    return np.asarray(np.maximum(np.maximum(swallowed[..., 0], swallowed[..., 1]), swallowed[..., 2]))


def _flat(patches: Array) -> Array:
    return patches.reshape(len(patches), patches.shape[1] * patches.shape[2])


def _inner(patches: Array) -> Array:
    """The middle of patches (n, h, w, ...), without the tiles' bevelled edges."""
    across, down = patches.shape[2] // 9, patches.shape[1] // 10
    return patches[:, down:-down, across:-across]


def templates_of(maps: Array) -> Array:
    """Give maps (n, 32, 26) as vectors (n, d) of unit length that `correlations` compares with."""
    (x, y), (w, h) = _EDGE, GRID
    return _unit(maps[:, y : h - y, x : w - x].reshape(len(maps), -1))


def correlations(maps: Array, templates: Array) -> Array:
    """Compare n maps with k templates: (n, k), the best correlation over shifts of up to two cells each way."""
    (x, y), (w, h) = _EDGE, GRID
    steps = range(-_PLAY, _PLAY + 1)
    windows = [maps[:, y + dy : h - y + dy, x + dx : w - x + dx].reshape(len(maps), -1) for dy in steps for dx in steps]
    return np.asarray(np.max([_unit(window) @ templates.T for window in windows], axis=0), np.float32)


def _unit(vectors: Array) -> Array:
    centred = vectors - vectors.mean(-1, keepdims=True)
    return centred / np.maximum(np.linalg.norm(centred, axis=-1, keepdims=True), 1e-6)


def ink_colours(faces: Array) -> Array:
    """Give what the ink of each of n patches swallows of blue, green and red, where it is thickest: (n, 3).

    Mixed with white, as at the rim of a number or out of focus, an ink swallows less, in the same proportions.
    """
    swallowed = _inner(_swallowed(faces))
    strengths = _strongest(swallowed)
    core = _flat(strengths) >= _CORE_OF_INK * np.percentile(_flat(strengths), 97, axis=1, keepdims=True)
    inked = np.einsum("npc,np->nc", swallowed.reshape(*core.shape, 3), core.astype(np.float32))
    return np.asarray(inked / core.sum(1, keepdims=True), np.float32).reshape(-1, 3)
