"""Batches for the two small networks: each stored crop cut anew through a crooked box, in another light.

Coordinates: the *plane* is the stored patch's pixels; the *box* frame is 0..1 over the detector's box.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.crops import STORED, UNKNOWN, CropStore
from models.train.networks import FACE_UP, JOKER_CLASS, NO_FACE, NO_TILE
from vision.patches import ALIGN, FACE, PatchShape, white_balanced

Array = NDArray[Any]
_UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_TURNS = (0, 2, 1, 3)
_TURN_ODDS = (0.46, 0.46, 0.04, 0.04)
_UPSIDE_DOWN = 0.4
_UPSIDE_DOWN_LIKE = {0: 0, 5: 8, 7: 7, 8: 5, 10: 10, JOKER_CLASS: JOKER_CLASS}
"""Number classes that look like a face when they are turned round: 1, 6, 8, 9, 11 and the joker."""
_IN_SHADOW = 0.15
_MISPRINTED = 0.09
"""How far up or down a number may stand where no edition of the renderer has it, in tile heights: so that the way up is
told by the number's form and its mark, and not by its place alone.
"""
_VEIL = 0.75
"""How much of a print's contrast glare may take."""
_ROUGH = 0.2
"""How often a box is far off, as a detector's sometimes is."""
_REAL_SHARE = 0.2


class AlignBatch(NamedTuple):
    """`x` (n, 3, 80, 64) RGB; `corners` (n, 4, 2) in the box frame; `turns`, `kinds` (n,), UNKNOWN where not known."""

    x: Array
    corners: Array
    turns: NDArray[np.int64]
    kinds: NDArray[np.int64]


class FaceBatch(NamedTuple):
    """`x` (n, 3, 80, 64) RGB over white; `numbers`, `inks`, `upright` (n,), UNKNOWN where not asked."""

    x: Array
    numbers: NDArray[np.int64]
    inks: NDArray[np.int64]
    upright: Array


@dataclass(frozen=True)
class Sampler:
    """Draws crops of several stores, the real ones together with a fixed share."""

    stores: tuple[CropStore, ...]

    @classmethod
    def open(cls, folder: Path) -> "Sampler":
        """Open every store in a folder."""
        return cls(tuple(CropStore.load(path.parent) for path in sorted(folder.glob("*/labels.npz"))))

    def draw(self, count: int, rng: np.random.Generator) -> list[tuple[CropStore, int]]:
        """Pick crops at random."""
        stores = rng.choice(len(self.stores), count, p=self._odds)
        return [(self.stores[k], int(rng.integers(len(self.stores[k].labels)))) for k in stores]

    @cached_property
    def _odds(self) -> NDArray[np.float64]:
        """How often each store is drawn from: by its size, and the real ones together `_REAL_SHARE` of the time."""
        sizes = np.array([len(store.labels) for store in self.stores], float)
        real = np.array([bool(store.labels.real.all()) for store in self.stores])
        for kind, share in ((real, _REAL_SHARE), (~real, 1 - _REAL_SHARE)):
            sizes[kind] *= share / max(sizes[kind].sum(), 1)
        return sizes / sizes.sum()


def align_batch(sampler: Sampler, count: int, rng: np.random.Generator) -> AlignBatch:
    """Make one batch for the aligner."""
    x, corners, turns, kinds = [], [], [], []
    for store, i in sampler.draw(count, rng):
        quad, box = _crooked(rng)
        x.append(_lit(_cut(store.pixels[i], quad, box, ALIGN), rng))
        known = bool(store.labels.upright[i])
        kind = int(store.labels.kinds[i])
        points, turn = _in_box(quad, box)
        corners.append(points if known and kind != NO_TILE else np.full((4, 2), np.nan, np.float32))
        turns.append(turn if known and kind == FACE_UP else UNKNOWN)
        kinds.append(kind)
    return AlignBatch(_stack(x), np.stack(corners), np.array(turns), np.array(kinds))


def face_batch(sampler: Sampler, count: int, rng: np.random.Generator) -> FaceBatch:
    """Make one batch for the reader of faces."""
    x, numbers, inks, upright = [], [], [], []
    for store, i in sampler.draw(count, rng):
        turned = rng.random() < _UPSIDE_DOWN
        spread = 0.06 if rng.random() < 0.1 else 0.022
        higher = rng.normal(0, _MISPRINTED) if rng.random() < 0.2 else 0.0
        moved = _UNIT + rng.normal(0, spread, (4, 2)) + [0, higher]
        shown = STORED.place(moved.astype(np.float32))
        shown = np.roll(shown, 2, axis=0) if turned else shown
        warp = cv2.getPerspectiveTransform(shown.astype(np.float32), FACE.corners())
        x.append(_lit(cv2.warpPerspective(store.pixels[i], warp, FACE[:2], borderMode=cv2.BORDER_REPLICATE), rng))
        labels = store.labels
        face = labels.kinds[i] == FACE_UP
        numbers.append(_seen_number(int(labels.numbers[i]), turned=turned and bool(face)))
        inks.append(int(labels.inks[i]))
        upright.append(float(not turned) if face else -1.0)
    whole = white_balanced(_stack(x).transpose(0, 2, 3, 1), FACE)
    return FaceBatch(whole.transpose(0, 3, 1, 2), np.array(numbers), np.array(inks), np.array(upright, np.float32))


def _seen_number(number: int, *, turned: bool) -> int:
    """The number class of a face as it is shown: a turned 6 is a 9; most numbers are no face that can be read."""
    return _UPSIDE_DOWN_LIKE.get(number, NO_FACE) if turned else number


def _stack(patches: list[Array]) -> Array:
    """BGR (h, w, 3) patches as one RGB batch (n, 3, h, w)."""
    return np.ascontiguousarray(np.stack(patches)[..., ::-1].transpose(0, 3, 1, 2))


def _crooked(rng: np.random.Generator) -> tuple[Array, Array]:
    """A tile as an oblique camera shows it, (4, 2), and the box that a detector would put there, (4, 2)."""
    half = np.array([STORED.width, STORED.height], np.float32) / STORED.context / 2
    shear, squeeze = rng.normal(0, 0.12), np.exp(rng.normal(0, 0.16))
    quad = (_UNIT * 2 - 1) * half * np.array([squeeze, 1 / squeeze], np.float32)
    quad = quad + np.outer(quad[:, 1], [shear, 0]) + rng.normal(0, 1.6, (4, 2))
    (cx, cy), (w, h), angle = cv2.minAreaRect(quad.astype(np.float32))
    rough = 2.5 if rng.random() < _ROUGH else 1.0
    centre = np.array([cx, cy]) + rng.normal(0, 0.05 * rough, 2) * [w, h]
    size = np.array([w, h]) * np.exp(rng.normal(0, 0.06 * rough, 2))
    box = cv2.boxPoints((centre.tolist(), size.tolist(), angle + rng.normal(0, 4)))
    return quad.astype(np.float32), np.roll(_aligned(box, quad), rng.choice(_TURNS, p=_TURN_ODDS), axis=0)


def _aligned(box: Array, quad: Array) -> Array:
    """The box's corners clockwise, each beside the tile's corner of the same index."""
    return min((np.roll(box, k, axis=0) for k in range(4)), key=lambda b: float(np.square(b - quad).sum()))


def _in_box(quad: Array, box: Array) -> tuple[Array, int]:
    """The tile's corners in the box frame, corner k nearest to the box's corner k, and where its own first is."""
    warp = cv2.getPerspectiveTransform(box.astype(np.float32), _UNIT)
    points = cv2.perspectiveTransform(quad[None], warp)[0]
    turn = min(range(4), key=lambda k: float(np.square(np.roll(points, k, axis=0) - _UNIT).sum()))
    return np.roll(points, turn, axis=0), turn


def _cut(pixels: Array, quad: Array, box: Array, shape: PatchShape) -> Array:
    """The stored patch seen through the crooked box."""
    bend = cv2.getPerspectiveTransform(STORED.corners(), quad)
    view = cv2.getPerspectiveTransform(box.astype(np.float32), shape.corners())
    return cv2.warpPerspective(pixels, view @ bend, shape[:2], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def _lit(patch: Array, rng: np.random.Generator) -> Array:
    """The patch in another light, at another sharpness, as float32 in 0..1."""
    out: Array = patch.astype(np.float32) / 255
    if rng.random() < 0.5:
        out = _blurred(out, rng)
    gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.18)).astype(np.float32)
    out = np.clip(out * gain, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < _IN_SHADOW:
        out = _shaded(out, rng)
    if rng.random() < 0.3:
        out = out + np.float32(rng.uniform(0, _VEIL if rng.random() < 0.3 else _VEIL / 3)) * (1 - out)
    if rng.random() < 0.5:
        out = out + rng.normal(0, rng.uniform(0.005, 0.04), out.shape).astype(np.float32)
    return np.clip(out, 0, 1)


def _shaded(patch: Array, rng: np.random.Generator) -> Array:
    """The patch in deep shadow, or half of it, in the few grey levels that a camera has there."""
    h, w = patch.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    along = np.linspace(-1, 1, w)[None] * np.cos(angle) + np.linspace(-1, 1, h)[:, None] * np.sin(angle)
    edge = np.clip((along - rng.uniform(-1.5, 1)) / rng.uniform(0.05, 0.8), 0, 1)[..., None].astype(np.float32)
    depth = np.float32(np.exp(rng.uniform(np.log(0.08), np.log(0.6))))
    dark = patch * (depth + (1 - depth) * edge * np.float32(rng.random() < 0.5))
    grain = rng.normal(0, rng.uniform(0.002, 0.012), patch.shape).astype(np.float32)
    return np.round(np.clip(dark + grain, 0, 1) * np.float32(255)) / np.float32(255)


def _blurred(patch: Array, rng: np.random.Generator) -> Array:
    """Fewer pixels a tile, lack of focus, or motion."""
    kind, size = rng.integers(3), patch.shape[1::-1]
    if kind == 0:
        small = np.maximum(np.array(size) * rng.uniform(0.28, 0.8), 8).astype(int).tolist()
        return cv2.resize(cv2.resize(patch, small, interpolation=cv2.INTER_AREA), size, interpolation=cv2.INTER_LINEAR)
    if kind == 1:
        return cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.4, 1.8))
    length, angle = int(rng.integers(3, 8)), rng.uniform(0, np.pi)
    kernel = np.zeros((length, length), np.float32)
    mid, reach = (length - 1) / 2, np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    ends = [tuple(round(mid + s * r) for r in reach) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1)
    return cv2.filter2D(patch, -1, kernel / kernel.sum())
