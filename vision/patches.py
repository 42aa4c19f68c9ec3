"""Cutting one tile out of a picture: the flat patch of its face, and the white of its own body.

Frames: a quad is four (x, y) in pixels of the picture, top-left first and clockwise as the tile is read. A patch shows
the tile upright with a margin around it: the tile fills `1 / context` of each side, in the middle.
"""

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.table import Quad

Quads = NDArray[np.float32]
Picture = NDArray[np.uint8]


class PatchShape(NamedTuple):
    """The size of a patch in pixels, and how many tiles' sides each of its sides spans."""

    width: int
    height: int
    context: float

    def corners(self) -> NDArray[np.float32]:
        """Where the tile's corners lie in the patch, (4, 2) in pixels of the patch."""
        return self.place(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32))

    def place(self, unit: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map points in tile units (0..1 over the face), (..., 2), to pixels of the patch."""
        size = np.array([self.width, self.height], np.float32)
        return ((unit - 0.5) / self.context + 0.5) * size

    def to_unit(self) -> NDArray[np.float64]:
        """Give the 3x3 map from whole pixels of the patch, counted at their middles, to tile units."""
        across, down = self.context / self.width, self.context / self.height
        start = (1 - self.context) / 2
        return np.array([[across, 0, across / 2 + start], [0, down, down / 2 + start], [0, 0, 1]])


ALIGN = PatchShape(64, 80, 1.4)
"""What the aligner sees: the detector's box with a good margin."""
FACE = PatchShape(64, 80, 1.14)
"""What the reader of faces sees: the tile with a thin margin."""


_MOST_OVERSAMPLED = 1.5
"""A quad with more pixels than this for each of the patch's is shrunk before it is cut."""


def cut_patch(image: Picture, quad: Quads, shape: PatchShape) -> Picture:
    """Cut one quad (4, 2) out of a picture (h, w, 3), flat and upright: (shape.height, shape.width, 3)."""
    return cut_patches(image, np.asarray(quad)[None], shape)[0]


def cut_patches(image: Picture, quads: Quads, shape: PatchShape) -> Picture:
    """Cut many quads (n, 4, 2): (n, shape.height, shape.width, 3).

    A quad much larger than the patch is shrunk first, so that no print is lost between the samples.
    """
    quads = np.asarray(quads, np.float32)
    patches = np.empty((len(quads), shape.height, shape.width, 3), np.uint8)
    if not len(quads):
        return patches
    reach = shape.context * np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).max(1)
    scales = _MOST_OVERSAMPLED * max(shape.width, shape.height) / np.maximum(reach, 1e-6)
    near = [_shrunk(image, q, (s, shape.context)) if s < 1 else (image, q) for q, s in zip(quads, scales, strict=True)]
    warps = unit_to_quads(np.stack([quad for _, quad in near]) - 0.5) @ shape.to_unit()
    for patch, (part, _), warp in zip(patches, near, warps, strict=True):
        cv2.warpPerspective(part, warp, (shape.width, shape.height), patch, _SAMPLED, cv2.BORDER_REPLICATE)
    return patches


_SAMPLED = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def unit_to_quads(quads: NDArray[np.floating]) -> NDArray[np.float64]:
    """Give the homographies (n, 3, 3) that take the unit square to quads (n, 4, 2), in closed form.

    Source: Heckbert, "Fundamentals of texture mapping and image warping", 1989, section 2.2.3.
    """
    a, b, c, d = np.moveaxis(np.asarray(quads, float), 1, 0)
    u, v, w = b - c, d - c, a - b + c - d
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    g = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / area
    h = (u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]) / area
    warps = np.ones((len(a), 3, 3))
    warps[:, :2, 0], warps[:, :2, 1], warps[:, :2, 2] = b - a + g[:, None] * b, d - a + h[:, None] * d, a
    warps[:, 2, 0], warps[:, 2, 1] = g, h
    return warps


def _shrunk(image: Picture, quad: Quads, how: tuple[float, float]) -> tuple[Picture, Quads]:
    """The part of the picture around the quad (`context` times its sides), scaled by averaging, and the quad in it."""
    scale, context = how
    low, high = quad.min(0), quad.max(0)
    pad = (high - low) * context / 2
    x0, y0 = np.maximum(low - pad, 0).astype(int)
    x1, y1 = np.minimum(high + pad, [image.shape[1], image.shape[0]]).astype(int)
    part = image[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    ratio = np.array([small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]], np.float32)
    return small, np.asarray((quad - np.array([x0, y0], np.float32)) * ratio, np.float32)


def overlap(a: Quads, b: Quads) -> float:
    """Give the intersection over union of two convex quads (4, 2)."""
    a, b = np.asarray(a, np.float32), np.asarray(b, np.float32)
    inter, _ = cv2.intersectConvexConvex(cv2.convexHull(a), cv2.convexHull(b))
    union = abs(cv2.contourArea(a)) + abs(cv2.contourArea(b)) - inter
    return inter / union if union > 0 else 0.0


def as_quad(corners: ArrayLike) -> Quad:
    """Give four corners (4, 2) as the words of the table have them."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = np.asarray(corners, float).tolist()
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)


def apart(quads: Quads, places: Quads, shared: float) -> NDArray[np.bool_]:
    """Say which quads (n, 4, 2) share less than `shared` of the union with each of the places (k, 4, 2)."""
    free = np.ones(len(quads), bool)
    if not len(quads) or not len(places):
        return free
    (mine, reach), (theirs, span) = _circles(quads), _circles(places)
    meet = np.linalg.norm(mine[:, None] - theirs, axis=2) < reach[:, None] + span
    for i, j in np.argwhere(meet):
        free[i] &= overlap(quads[i], places[j]) < shared
    return free


def _circles(quads: Quads) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give a circle around each quad (n, 4, 2): its middle (n, 2) and its radius (n,)."""
    middles = quads.mean(axis=1)
    return middles, np.linalg.norm(quads - middles[:, None], axis=2).max(axis=1)


def one_each(quads: Quads, rank: NDArray[np.float32], shared: float) -> NDArray[np.bool_]:
    """Say which quads (n, 4, 2) to keep: of those that share more than `shared` of a place, the one of highest rank.

    Of equal ranks the first is the higher.
    """
    kept = np.ones(len(quads), bool)
    if not len(quads):
        return kept
    centres, long = quads.mean(1), np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    near = np.linalg.norm(centres[:, None] - centres, axis=2) < long[:, None]
    order = np.argsort(-rank, kind="stable")
    for place, i in enumerate(order):
        lower = order[place + 1 :]
        for j in lower[near[i, lower] & kept[lower]] if kept[i] else ():
            kept[j] = overlap(quads[i], quads[j]) < shared
    return kept


def white_balanced(patches: NDArray[np.float32], shape: PatchShape) -> NDArray[np.float32]:
    """Divide each patch (n, h, w, 3) in 0..1 by the white of its own tile, so that the light falls out.

    The white is the 80th percentile of each channel over the tile's face; the result is clipped to 0..1.5.
    """
    balanced = patches / np.maximum(white_of(patches, shape), _DARKEST)[:, None, None]
    return np.asarray(np.clip(balanced, 0, _BRIGHTEST, out=balanced), np.float32)


_DARKEST, _BRIGHTEST = 0.04, 1.5


def white_of(patches: NDArray[Any], shape: PatchShape) -> NDArray[np.float32]:
    """Give the white (n, 3) of the tile in each patch (n, h, w, 3), in the patches' own units."""
    if not len(patches):
        return np.ones((0, 3), np.float32)
    x0, y0 = shape.place(np.array([0.08, 0.06], np.float32)).astype(int)
    x1, y1 = shape.place(np.array([0.92, 0.94], np.float32)).astype(int)
    face = patches[:, y0:y1, x0:x1].reshape(len(patches), -1, 3)
    return np.percentile(np.ascontiguousarray(face.transpose(0, 2, 1)), 80, axis=2).astype(np.float32)


def as_batch(patches: Picture) -> NDArray[np.float32]:
    """Give BGR patches (n, h, w, 3) of 0..255 as a network takes them: RGB (n, 3, h, w) in 0..1."""
    return np.asarray(cv2.dnn.blobFromImages(list(patches), 1 / 255, swapRB=True), np.float32)


def as_balanced_batch(patches: Picture, shape: PatchShape) -> NDArray[np.float32]:
    """Give what `white_balanced` makes of patches (n, h, w, 3) of 0..255 as a network takes it: RGB (n, 3, h, w)."""
    white = np.maximum(white_of(patches, shape)[:, ::-1] / 255, _DARKEST)
    batch = as_batch(patches)
    batch *= 1 / white[:, :, None, None]
    return np.clip(batch, 0, _BRIGHTEST, out=batch)
