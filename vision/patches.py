"""Cutting one tile out of a picture: the flat patch of its face, and the white of its own body.

Frames: a quad is four (x, y) in pixels of the picture, top-left first and clockwise as the tile is read. A patch shows
the tile upright with a margin around it: the tile fills `1 / context` of each side, in the middle.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

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


ALIGN = PatchShape(64, 80, 1.4)
"""What the aligner sees: the detector's box with a good margin."""
FACE = PatchShape(64, 80, 1.14)
"""What the reader of faces sees: the tile with a thin margin."""


_MOST_OVERSAMPLED = 1.5
"""A quad with more pixels than this for each of the patch's is shrunk before it is cut."""


def cut_patch(image: Picture, quad: Quads, shape: PatchShape) -> Picture:
    """Cut one quad (4, 2) out of a picture (h, w, 3), flat and upright: (shape.height, shape.width, 3).

    A quad much larger than the patch is shrunk first, so that no print is lost between the samples.
    """
    quad = np.ascontiguousarray(quad, np.float32)
    scale = _MOST_OVERSAMPLED * max(shape.width, shape.height) / (shape.context * _longest_side(quad))
    if scale < 1:
        image, quad = _shrunk(image, quad, (scale, shape.context))
    warp = cv2.getPerspectiveTransform(quad - 0.5, shape.corners() - 0.5)
    size = (shape.width, shape.height)
    flat = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def cut_patches(image: Picture, quads: Quads, shape: PatchShape) -> Picture:
    """Cut many quads (n, 4, 2): (n, shape.height, shape.width, 3)."""
    patches = [cut_patch(image, quad, shape) for quad in quads]
    return np.stack(patches) if patches else np.empty((0, shape.height, shape.width, 3), np.uint8)


def _longest_side(quad: Quads) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max())


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


def white_balanced(patches: NDArray[np.float32], shape: PatchShape) -> NDArray[np.float32]:
    """Divide each patch (n, h, w, 3) in 0..1 by the white of its own tile, so that the light falls out.

    The white is the 80th percentile of each channel over the tile's face; the result is clipped to 0..1.5.
    """
    x0, y0 = shape.place(np.array([0.08, 0.06], np.float32)).astype(int)
    x1, y1 = shape.place(np.array([0.92, 0.94], np.float32)).astype(int)
    face = patches[:, y0:y1, x0:x1].reshape(len(patches), -1, 3)
    white = np.percentile(face, 80, axis=1).astype(np.float32) if len(patches) else np.ones((0, 3), np.float32)
    return np.clip(patches / np.maximum(white, 0.04)[:, None, None], 0, 1.5)
