"""What to do about a picture in which much cannot be read: the words of `doctor`, in the notes of a reading.

Nothing is said where the tiles can be read, whatever the picture looks like.
"""

import cv2
import numpy as np

from referee.table import TableReading
from vision.patches import FACE, Picture, Quads, cut_patches, white_of

_READABLE = 0.9
_FEW = 0.8
"""Where a smaller share of the tiles is read surely, the picture is asked why."""
_DARK, _DARK_PICTURE, _BRIGHT = 80.0, 40.0, 253.0
_SMALL = 22.0
_SOFT = 0.09
"""Strokes of print in a picture in focus change by more than this share of the tile's contrast from pixel to pixel."""


def advice(image: Picture, reading: TableReading) -> tuple[str, ...]:
    """Say what spoils the reading of a picture (h, w, 3) BGR, and what to do; nothing where nothing does."""
    seen = [tile for tile in reading.tiles if not tile.back]
    if not reading.tiles:
        return _of_bare(image)
    readable = sum(tile.confidence >= _READABLE for tile in seen)
    if readable >= _FEW * len(seen):
        return ()
    share = f"{round(100 * readable / len(seen))} % of tiles readable"
    trouble = _trouble(image, np.array([tile.corners for tile in seen], np.float32))
    return tuple(f"{what}: {share}; {remedy}" for what, remedy in trouble)


def _of_bare(image: Picture) -> tuple[str, ...]:
    brightest, darkest = (float(np.quantile(image, share)) for share in (0.99, 0.01))
    if brightest < _DARK_PICTURE:
        return ("too dark: no tiles seen; take the cap off the lens, or turn on a lamp",)
    if darkest > _BRIGHT:
        return ("too bright: no tiles seen; turn the camera away from the light",)
    return ()


def _trouble(image: Picture, quads: Quads) -> list[tuple[str, str]]:
    """Name what is wrong with the tiles (n, 4, 2) of a picture, each with its remedy."""
    patches = cut_patches(image, quads, FACE)
    white = float(np.median(white_of(patches, FACE)))
    long = float(np.median(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)))
    found = []
    if white < _DARK:
        found.append(("too dark", "turn on a lamp"))
    if white > _BRIGHT:
        found.append(("too bright", "turn the lamp away or lower the exposure"))
    if long < _SMALL:
        found.append(("too small", "bring the camera nearer"))
    elif _sharpness(patches) < _SOFT:
        found.append(("blurred", "hold the camera still and let it focus"))
    return found


def _sharpness(patches: Picture) -> float:
    """Give the steepest steps from pixel to pixel, against the contrast of each tile (the median tile's)."""
    steps = []
    for patch in patches:
        grey = cv2.cvtColor(patch[12:-12, 10:-10], cv2.COLOR_BGR2GRAY).astype(np.float32)
        contrast = float(np.ptp(np.quantile(grey, [0.02, 0.98])))
        across = np.abs(np.diff(grey, axis=1))
        steps.append(float(np.quantile(across, 0.99)) / max(contrast, 12.0))
    return float(np.median(steps))
