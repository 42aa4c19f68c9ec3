"""Crops of what the detector takes for a tile and is none: marks of a table-top, letters, edges between tiles.

Places drawn by chance are mostly plain cloth, which teaches little; these are what the small networks will be asked.
"""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.train.crops import STORED, Array, CropStore, read_image
from vision.detector import Finder
from vision.patches import Quads, cut_patch

_LOG = logging.getLogger(__name__)
_MOST_OVERLAP = 0.12
"""A false find may share this much of its area with true tiles; more, and it might be called a part of one."""
_MOST_A_PICTURE = 12


def mined(folders: list[Path], finder: Finder, *, seed: int) -> CropStore:
    """Cut the false finds of every picture in `folder/images` by `folder/truth`, at most 12 a picture."""
    rng = np.random.default_rng([seed, 12])
    crops = [crop for folder in folders for crop in _false_finds(folder, finder, rng)]
    pixels = np.stack(crops) if crops else np.empty((0, STORED.height, STORED.width, 3), np.uint8)
    return CropStore.of_no_tiles(pixels)


def labelled(folder: Path) -> Iterator[tuple[Array, dict[str, Any]]]:
    """Give every picture (h, w, 3) in `folder/images` with its truth in `folder/truth`, telling the progress."""
    for n, path in enumerate(sorted((folder / "truth").glob("*.json"))):
        truth = json.loads(path.read_text())
        yield read_image(folder / "images" / truth["image"]), truth
        if n % 100 == 99:
            _LOG.info("%s: %d pictures", folder.name, n + 1)


def false_among(found: Quads, truth: dict[str, Any]) -> list[int]:
    """Say which finds (n, 4, 2) in a picture are no tiles of it."""
    quads = np.array([tile["corners"] for tile in truth["tiles"]], np.float32).reshape(-1, 4, 2)
    return [i for i, quad in enumerate(found) if _covered(quad, quads) < _MOST_OVERLAP]


def _false_finds(folder: Path, finder: Finder, rng: np.random.Generator) -> Iterator[Array]:
    for image, truth in labelled(folder):
        found = finder.find(image).quads
        for i in rng.permutation(false_among(found, truth))[:_MOST_A_PICTURE]:
            yield cut_patch(image, np.roll(found[i], 2 * int(rng.integers(2)), axis=0), STORED)


def _covered(quad: Array, tiles: Quads) -> float:
    """The share of a quad (4, 2) that tiles (n, 4, 2) cover."""
    shared = (cv2.intersectConvexConvex(quad, cv2.convexHull(tile))[0] for tile in tiles)
    return float(sum(shared)) / max(float(cv2.contourArea(quad)), 1e-6)
