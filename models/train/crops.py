"""Crops of single tiles for the aligner and the reader of faces: a store on disk, and batches with fresh geometry.

The store keeps each tile as a flat patch with a wide margin (`STORED`), so that every batch can cut it anew as a
crooked detector would: turned, sheared, shifted, upside down, blurred, in another light. Nothing is ever mirrored.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.networks import FACE_DOWN, FACE_UP, JOKER_CLASS, NO_FACE, NO_TILE
from referee.tiles import COLOURS, Tile
from vision.patches import PatchShape, cut_patch

STORED = PatchShape(108, 144, 1.8)
UNKNOWN = -1
"""A label that is not known; it is left out of the loss."""
_LEAST_VISIBLE = 0.75
_LEAST_LONG_SIDE = 14
Array = NDArray[Any]
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Labels:
    """What is known of each stored crop, arrays of n: see `models.train.networks` for the classes."""

    numbers: NDArray[np.int64]
    inks: NDArray[np.int64]
    kinds: NDArray[np.int64]
    real: NDArray[np.bool_]
    upright: NDArray[np.bool_]
    """False where the way up is not known (the corners are only a box)."""

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class CropStore:
    """Crops (n, 144, 108, 3) BGR with their labels; the pixels may be a memory map."""

    pixels: Array
    labels: Labels

    @classmethod
    def load(cls, folder: Path) -> "CropStore":
        """Open a store that `save` wrote."""
        labels = np.load(folder / "labels.npz")
        return cls(np.load(folder / "pixels.npy", mmap_mode="r"), Labels(**{k: labels[k] for k in labels.files}))

    @classmethod
    def of_no_tiles(cls, pixels: Array) -> "CropStore":
        """Give rendered crops (n, 144, 108, 3) that show no tile and no face."""
        same = {"inks": UNKNOWN, "numbers": NO_FACE, "kinds": NO_TILE}
        count = len(pixels)
        labels = {key: np.full(count, value) for key, value in same.items()}
        return cls(pixels, Labels(**labels, real=np.zeros(count, bool), upright=np.ones(count, bool)))

    def save(self, folder: Path) -> None:
        """Write the store to a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "pixels.npy", self.pixels)
        np.savez(folder / "labels.npz", **vars(self.labels))


@dataclass(frozen=True)
class _Crop:
    pixels: Array
    number: int
    ink: int
    kind: int
    upright: bool


def label_of(text: str) -> tuple[int, int, int]:
    """Give number class, ink class and kind of a truth file's tile: `R7`, `J`, `back`, `?`."""
    if text == "back":
        return NO_FACE, UNKNOWN, FACE_DOWN
    if text == "?":
        return NO_FACE, UNKNOWN, FACE_UP
    tile = Tile.parse(text)
    if tile.is_joker:
        return JOKER_CLASS, UNKNOWN, FACE_UP
    return tile.number - 1, COLOURS.index(tile.colour), FACE_UP


def collect(folder: Path, *, real: bool, background: int, seed: int) -> CropStore:
    """Cut every well visible tile of `folder/images` by `folder/truth`, and some background of every picture."""
    rng = np.random.default_rng(seed)
    crops: list[_Crop] = []
    for n, truth in enumerate(sorted((folder / "truth").glob("*.json"))):
        crops += _crops_of(folder / "images", json.loads(truth.read_text()), background, rng)
        if n % 200 == 199:
            _LOG.info("%d pictures, %d crops", n + 1, len(crops))
    return _stacked(crops, real=real)


def _stacked(crops: list[_Crop], *, real: bool) -> CropStore:
    labels = Labels(
        np.array([c.number for c in crops]),
        np.array([c.ink for c in crops]),
        np.array([c.kind for c in crops]),
        np.full(len(crops), real),
        np.array([c.upright for c in crops]),
    )
    return CropStore(np.stack([c.pixels for c in crops]), labels)


def _crops_of(images: Path, truth: dict, background: int, rng: np.random.Generator) -> Iterator[_Crop]:
    image = read_image(images / truth["image"])
    quads = [np.array(t["corners"], np.float32) for t in truth["tiles"]]
    for tile, quad in zip(truth["tiles"], quads, strict=True):
        if not _usable(tile, quad):
            continue
        number, ink, kind = label_of(tile["tile"])
        yield _Crop(cut_patch(image, quad, STORED), number, ink, kind, not tile.get("upright_unknown", False))
    for _ in range(background):
        place = _background_quad(image.shape, quads, rng)
        if place is not None:
            yield _Crop(cut_patch(image, place, STORED), NO_FACE, UNKNOWN, NO_TILE, upright=True)


def read_image(path: Path) -> Array:
    """Read a training picture, BGR (h, w, 3).

    Raises:
        ValueError: it is missing or no picture.
    """
    image = cv2.imread(str(path))
    if image is None:
        msg = f"{path} is missing, or no picture"
        raise ValueError(msg)
    return image


def _usable(tile: dict, quad: Array) -> bool:
    """Whether a tile shows enough of itself, in enough pixels, to learn from."""
    if tile.get("cut_by_frame") or tile.get("visible", 1) < _LEAST_VISIBLE or tile["tile"] == "?":
        return False
    return float(np.linalg.norm(quad[3] - quad[0] + quad[2] - quad[1])) / 2 >= _LEAST_LONG_SIDE


def _background_quad(shape: tuple[int, ...], quads: list[Array], rng: np.random.Generator) -> Array | None:
    """A tile-shaped place that holds less than a third of any tile."""
    sides = [float(np.linalg.norm(q[3] - q[0])) for q in quads] or [shape[1] / 20]
    long = float(rng.choice(sides)) * rng.uniform(0.7, 1.4)
    for _ in range(5):
        centre = rng.uniform([long, long], [shape[1] - long, shape[0] - long]) if min(shape[:2]) > 2 * long else None
        if centre is None:
            return None
        quad = cv2.boxPoints((centre.tolist(), (long * 0.72, long), rng.uniform(0, 360)))
        if all(cv2.intersectConvexConvex(quad, cv2.convexHull(q))[0] < 0.3 * cv2.contourArea(q) for q in quads):
            return quad
    return None


def collect_numbers(folder: Path) -> CropStore:
    """Read single-tile pictures sorted in folders by number (`0` or `joker` is the joker); their ink is not known."""
    crops = []
    for path in sorted(folder.glob("*/*.*")):
        number = int(path.parent.name) - 1 if path.parent.name.isdigit() and path.parent.name != "0" else JOKER_CLASS
        image = read_image(path)
        if not 0 <= number <= JOKER_CLASS:
            continue
        h, w = image.shape[:2]
        quad = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        crops.append(_Crop(cut_patch(image, quad, STORED), number, UNKNOWN, FACE_UP, upright=True))
    return _stacked(crops, real=True)
