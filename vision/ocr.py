"""A second opinion on the number of a tile, by Tesseract, where the networks are in doubt.

Tesseract is a program of its own and may be missing: then there is no opinion, and `available` says so once.
"""

import logging
from functools import cache

import cv2
import numpy as np
import pytesseract
from numpy.typing import NDArray

from referee.tiles import HIGHEST, JOKER, LOWEST, NUMBERED
from vision.patches import PatchShape, Picture, Quads, cut_patch

_LOG = logging.getLogger(__name__)
_CONFIG = "--psm 8 -c tessedit_char_whitelist=0123456789"
_SHAPE = PatchShape(120, 150, 1.0)
_DISTINCT = 0.25
TRUST = 8.0
"""How much likelier a number is that Tesseract reads; where it reads one it is right far more often than not."""
INSTALL = "install it with `apt install tesseract-ocr`, `brew install tesseract` or `winget install tesseract`"


@cache
def available() -> bool:
    """Say whether the program can be run; where it cannot, warn once how to install it."""
    try:
        pytesseract.get_tesseract_version()
    except (pytesseract.TesseractNotFoundError, OSError):
        _LOG.warning("tesseract is not installed: doubtful numbers get no second opinion; %s", INSTALL)
        return False
    return True


def weighed(faces: NDArray[np.float32], number: int | None) -> NDArray[np.float32]:
    """Weigh face probabilities (53,) by a second opinion on the number: the odds of that number grow by `TRUST`."""
    if number is None:
        return faces
    agreeing = np.where([tile.number == number for tile in (*NUMBERED, JOKER)], TRUST, 1.0)
    grown = faces * agreeing
    return np.asarray(grown * min(1.0, faces.sum() / max(float(grown.sum()), 1e-9)), np.float32)


def second_opinion(image: Picture, quad: Quads) -> int | None:
    """Read the number of an upright tile (4, 2) in a picture (h, w, 3) BGR; None where none of 1..13 is read."""
    ink = _ink(cut_patch(image, quad, _SHAPE))
    box = _bounds(ink)
    if box is None or not available():
        return None
    glyphs = cv2.copyMakeBorder(255 - ink[box], 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255)
    try:
        text = pytesseract.image_to_string(glyphs, config=_CONFIG, timeout=2).strip()
    except RuntimeError:  # its time was up
        return None
    return int(text) if text.isdigit() and LOWEST <= int(text) <= HIGHEST else None


def _ink(patch: Picture) -> NDArray[np.uint8]:
    """How far each pixel is from the tile's own white, 0..255."""
    patch = patch[4:-4, 6:-6].astype(np.float32)
    white = np.percentile(patch.reshape(-1, 3), 80, axis=0)
    far = np.abs(patch / np.maximum(white, 8) - 1).max(2)
    return (np.clip(far / max(float(far.max()), _DISTINCT), 0, 1) * 255).astype(np.uint8)


def _bounds(ink: NDArray[np.uint8]) -> tuple[slice, slice] | None:
    """Where the print stands; None where there is none."""
    rows, columns = np.nonzero(ink > 110)
    if len(rows) < 40:
        return None
    return slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
