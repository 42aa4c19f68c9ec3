"""What is new in a picture of a table, and whether it is a hand; on pictures made small, cheap enough for every one.

Pictures are compared in the logarithm of their brightness: a lamp, the evening sun and a camera that exposes anew
multiply it, smoothly over the picture and by a curve of the camera's own, so a quadratic surface and a share of the
brightness itself take them out (fitted robustly: what a hand covers does not pull). What is left over is a thing that
came, went or moved. A hand comes from the edge of the picture and is larger than a few tiles; its colour is not asked.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

LONG_SIDE = 240
"""The long side of a picture made small, in cells."""
Cells = NDArray[np.float32]
"""The logarithm of the brightness (h, w), a cell some eight pixels of a picture of 1920 wide."""
Mask = NDArray[np.bool_]

_SAMPLES_A_CELL = 4
_BLACK = 4.0
_LEAST_CHANGE = 0.1
_LEAST_LEVELS = 3.0
"""On a black table one level of a picture's 256 is already 7 %; a change is of more than so many."""
_NOISES = 6.0
_MAD = 1.4826
_FIT_EVERY = 4
_FIT_ROUNDS = 3
_TUKEY = 4.7
_MOST_FLICKER = 0.12
_LEAST_TOGETHER = 3
_ARM = 0.012
_LEAST_RELIEF = 0.02
_HARDLY = 0.3


def small_of(image: Picture) -> Picture:
    """Make a picture (h, w, 3) small: `LONG_SIDE` cells along its long side."""
    height, width = image.shape[:2]
    scale = LONG_SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    if scale * _SAMPLES_A_CELL < 1:  # a few samples a cell are as good as all of them, and a tenth of the work
        sampled = size[0] * _SAMPLES_A_CELL, size[1] * _SAMPLES_A_CELL
        image = np.asarray(cv2.resize(image, sampled, interpolation=cv2.INTER_NEAREST), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def cells_of(small: Picture) -> Cells:
    """Give the logarithm of the brightness of a picture (h, w, 3) that was made small."""
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.log(grey + _BLACK), np.float32)


def changed(ground: Cells, cells: Cells) -> Mask:
    """Say which cells show something else than the ground, whatever the light has done meanwhile."""
    left = _without_flicker(cells - ground - _light(ground, cells))
    noise = _MAD * float(np.median(np.abs(left[::_FIT_EVERY, ::_FIT_EVERY])))
    least = np.maximum(max(_LEAST_CHANGE, _NOISES * noise), _LEAST_LEVELS * cv2.exp(-ground))
    over = (np.abs(left) > least).astype(np.float32)
    together = cv2.boxFilter(over, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    mask: Mask = (over > 0) & (together >= _LEAST_TOGETHER)
    return mask


def covers_table(new: Mask, area: Mask | None = None) -> bool:
    """Whether something new is a hand or an arm: it reaches in from the edge and is larger than a few tiles.

    Args:
        new: the cells that show something else than the table at rest.
        area: the playing area, whose edge then counts; the whole picture where None.
    """
    inside = np.ones(new.shape, np.uint8) if area is None else area.astype(np.uint8)
    closed = cv2.morphologyEx(new.astype(np.uint8) & inside, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    core = cv2.erode(inside, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    reaching = np.bincount(labels[(inside > core)], minlength=count) > 0
    large = stats[:, cv2.CC_STAT_AREA] >= _ARM * inside.sum()
    return bool((reaching & large)[1:].any())


def all_moved(ground: Cells, cells: Cells) -> bool:
    """Whether hardly anything stands out where it did: no hand, but the camera has moved.

    What stands out, grain and tiles alike, agrees with the ground (normalised correlation) but where a hand covers it.
    """
    one, other = _standing_out(ground), _standing_out(cells)
    strength = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    if min(strength) < _LEAST_RELIEF * np.sqrt(one.size):
        return False
    return float((one * other).sum()) < _HARDLY * strength[0] * strength[1]


def _standing_out(cells: Cells) -> Cells:
    return np.asarray(cells - cv2.blur(cells, (7, 7)), np.float32)


def _light(ground: Cells, cells: Cells) -> Cells:
    """Fit what the light did: a surface of six numbers, and a share of the ground's own brightness (Tukey's weights).

    Mosteller and Tukey, "Data Analysis and Regression", 1977: what differs by more than 4.7 deviations has no weight.
    """
    surface = _surface(ground.shape)
    middle = float(ground.mean())
    few = slice(None, None, _FIT_EVERY)
    design = np.dstack([surface[few, few], ground[few, few] - middle]).reshape(-1, 7)
    wanted = (cells - ground)[few, few].ravel()
    found = np.zeros(7, np.float32)
    found[0] = np.median(wanted)
    for _ in range(_FIT_ROUNDS):
        off = wanted - design @ found
        scale = max(_LEAST_CHANGE / _TUKEY, _MAD * float(np.median(np.abs(off))))
        weights = np.maximum(0, 1 - (off / (_TUKEY * scale)) ** 2) ** 2
        normal = design.T @ (weights[:, None] * design) + 1e-3 * np.eye(7, dtype=np.float32)
        found = np.linalg.solve(normal, design.T @ (weights * wanted)).astype(np.float32)
    light: Cells = surface @ found[:6] + found[6] * (ground - middle)
    return light


@lru_cache(maxsize=4)
def _surface(shape: tuple[int, int]) -> NDArray[np.float32]:
    """Give the terms of a quadratic surface (h, w, 6), over -1 to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, shape[0]), np.linspace(-1, 1, shape[1]), indexing="ij")
    return np.dstack([np.ones(shape), x, y, x * x, x * y, y * y]).astype(np.float32)


def _without_flicker(left: Cells) -> Cells:
    """Take out what lamps on alternating current do to a rolling shutter: bands across the picture."""
    bands = np.median(left[:, ::_FIT_EVERY], axis=1)
    steady: Cells = left - np.clip(bands, -_MOST_FLICKER, _MOST_FLICKER)[:, None]
    return steady
