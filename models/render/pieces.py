"""Draw tiles into a picture: their sides, then the face, lit by its relief, warped into place."""

from typing import NamedTuple, Self

import cv2
import numpy as np

from models.render.faces import Face, face_corners, face_of
from models.render.light import glare_at
from models.render.placement import Poses, corners, rounded
from models.render.scene import Scene

SHIFT = 4
SMALLEST_FACE, LARGEST_FACE = 40, 220
OVERSIZE = 1.15
"""How much larger faces are drawn than they appear, so that warping them averages rather than invents."""
EDGE_ON = 0.03
NEXT = np.array([1, 2, 3, 0])
FOOT_INSET = 0.985


class Canvas(NamedTuple):
    """The evenly lit picture so far, BGR uint8, and which tile shows where (0: none, i + 1: the i-th)."""

    picture: np.ndarray
    owner: np.ndarray


class Finish(NamedTuple):
    """What is each tile's own, whatever is printed on it.

    `tones` (n, 3): how much brighter than the others its plastic is, in blue, green and red. `gloss` (n,) from 0 to 1:
    how much of the window it mirrors, and `slants` (n, 2) from -1 to 1 on which side of it.
    """

    tones: np.ndarray
    gloss: np.ndarray
    slants: np.ndarray

    @classmethod
    def draw(cls, rng: np.random.Generator, count: int) -> Self:
        """Draw the finish of some tiles."""
        tones = 1 + 0.015 * rng.standard_normal((count, 1)) + 0.006 * rng.standard_normal((count, 3))
        return cls(tones, rng.uniform(0.3, 1.0, count), rng.uniform(-1, 1, (count, 2)))

    def take(self, which: np.ndarray) -> "Finish":
        """Give the finish of some of the tiles."""
        return Finish(self.tones[which], self.gloss[which], self.slants[which])


class Pieces(NamedTuple):
    """The tiles of a scene in the picture without distortion, all in pixels.

    `quads` (n, 4, 2) of the faces' outlines; `rims` (n, 2, 12, 2) of upper and lower edge; `seen` (n, 4): whether the
    side at the top, right, bottom, left faces the camera; `order`: indices of what is in view, far to near; `sheens`
    (n,): how far each tile's ink mirrors the window.
    """

    poses: Poses
    quads: np.ndarray
    rims: np.ndarray
    seen: np.ndarray
    order: np.ndarray
    finish: Finish
    sheens: np.ndarray

    def seen_from(self, x: int, y: int) -> "Pieces":
        """Give the same in pixels of a part of the picture whose top left pixel is (x, y)."""
        return self._replace(quads=self.quads - (x, y), rims=self.rims - (x, y))


def pieces_of(scene: Scene, finish: Finish) -> Pieces:
    """Project all tiles of a scene."""
    edition, camera = scene.edition, scene.camera
    poses = Poses.of(scene.placements, edition.ratio)
    upper = poses.outlines(rim := rounded(edition.ratio, edition.corner), edition.thickness)
    lower = poses.outlines(rim * FOOT_INSET, 0.02)
    quads = camera.project_ideal(poses.outlines(corners(edition.ratio), edition.thickness))
    outward = np.stack([-poses.down, poses.right, poses.down, -poses.right], 1)
    seen = (outward * (camera.centre - upper[:, (2, 5, 8, 11)])).sum(-1) > 0
    facing = (poses.normal * (camera.centre - upper[:, 0])).sum(-1) > EDGE_ON
    low, high = quads.min(1), quads.max(1)
    shown = facing & (high > -20).all(1) & (low < np.array(camera.size) + 20).all(1)
    depth = camera.in_camera(poses.middle)[:, 2]
    order = np.array([i for i in np.argsort(-depth, kind="stable") if shown[i]], int)
    rims = camera.project_ideal(np.stack([upper, lower], 1))
    return Pieces(poses, quads, rims, seen, order, finish, _sheens(scene, quads, finish.gloss))


def draw_pieces(canvas: Canvas, scene: Scene, pieces: Pieces) -> None:
    """Draw all tiles from far to near."""
    long_px = face_pixels(scene)
    for i in pieces.order.tolist():
        _draw_sides(canvas, scene, pieces, i)
        cv2.fillConvexPoly(canvas.owner, np.round(pieces.quads[i]).astype(np.int32), i + 1)
        texture = _shaded(scene, pieces, i, long_px)
        if pieces.sheens[i] > 0.02:
            sheen = (float(pieces.sheens[i]), pieces.finish.slants[i].tolist())
            texture = _mirrored(texture, _face(scene, i, long_px), scene.light.sheen_colour, sheen)
        _paste(canvas.picture, texture, face_corners(scene.edition, long_px), pieces.quads[i])


def face_pixels(scene: Scene) -> int:
    """Choose how large faces are drawn before they are warped into the picture."""
    long_px = scene.camera.focal / scene.camera.distance * scene.edition.ratio
    return int(np.clip(round(long_px * OVERSIZE / 4) * 4, SMALLEST_FACE, LARGEST_FACE))


def _sheens(scene: Scene, quads: np.ndarray, gloss: np.ndarray) -> np.ndarray:
    """Give how much of the window each tile's ink mirrors: more where the table mirrors it too."""
    near = glare_at(scene.light, quads.mean(1) / scene.camera.size[0])
    share = np.clip(0.3 + 4 * near, 0, 1) if scene.light.glares else 0.7
    return np.asarray(scene.light.sheen * share * gloss)


def _draw_sides(canvas: Canvas, scene: Scene, pieces: Pieces, i: int) -> None:
    both = pieces.rims[i]
    body = cv2.convexHull(both.reshape(-1, 2).astype(np.float32))[:, 0]
    b, g, r = (float(c * t) * 255 for c, t in zip(scene.edition.side, pieces.finish.tones[i], strict=True))
    cv2.fillConvexPoly(canvas.owner, np.round(body).astype(np.int32), 0)
    cv2.fillConvexPoly(canvas.picture, subpixels(body), (b * 0.66, g * 0.66, r * 0.66), cv2.LINE_AA, SHIFT)
    right, down = pieces.poses.right[i], pieces.poses.down[i]
    for k in np.flatnonzero(pieces.seen[i]).tolist():
        outward = (-down, right, down, -right)[k]
        start, end = 3 * k + 2, (3 * k + 3) % 12
        quad = both[(0, 0, 1, 1), (start, end, end, start)]
        bright = 0.58 + 0.36 * max(0.0, float(outward @ scene.light.towards))
        colour = (b * bright, g * bright, r * bright)
        cv2.fillConvexPoly(canvas.picture, subpixels(quad), colour, cv2.LINE_AA, SHIFT)


def subpixels(points: np.ndarray) -> np.ndarray:
    """Turn pixels into OpenCV's fixed-point coordinates with SHIFT bits."""
    return np.asarray(np.round(np.clip(points, -4000, 8000) * (1 << SHIFT)).astype(np.int32))


def _face(scene: Scene, i: int, long_px: int) -> Face:
    p = scene.placements[i]
    return face_of(scene.edition, None if p.back else p.tile, p.which, long_px)


def _shaded(scene: Scene, pieces: Pieces, i: int, long_px: int) -> np.ndarray:
    """Give a face under the scene's light, uint8 (h, w, 4), colours multiplied by coverage."""
    face, light = _face(scene, i, long_px), scene.light
    towards = light.towards
    across, along, up = (float(axis[i] @ towards) for axis in pieces.poses[1:])
    level = 1 + 0.35 * (up - float(towards[2]))
    shade = face.slope_x * (light.relief * across) + face.slope_y * (light.relief * along) + level
    coloured = cv2.multiply(
        face.print, cv2.merge([*(shade * tone for tone in pieces.finish.tones[i].tolist()), np.ones_like(shade)])
    )
    return cv2.convertScaleAbs(coloured, alpha=255)


def _mirrored(
    texture: np.ndarray, face: Face, mirror: tuple[float, float, float], sheen: tuple[float, list[float]]
) -> np.ndarray:
    """Let glossy ink, and a little the plastic, show the window."""
    h, w = face.ink.shape
    amount, (slant_x, slant_y) = sheen
    slant = np.linspace(-slant_x, slant_x, w, dtype=np.float32)[None]
    slant = slant + np.linspace(-slant_y, slant_y, h, dtype=np.float32)[:, None]
    part = np.clip(amount * (0.75 + 0.5 * slant), 0, 0.9) * (0.08 + 0.92 * face.ink)
    goal = np.array([*(c * 255 for c in mirror), 255], np.float32) * face.print[..., 3:]
    return np.asarray(cv2.convertScaleAbs(texture + part[..., None] * (goal - texture)))


def _paste(picture: np.ndarray, texture: np.ndarray, own: np.ndarray, quad: np.ndarray) -> None:
    """Warp a face into its place."""
    h, w = picture.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0).tolist()
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, (w, h)).tolist()
    if x0 >= x1 or y0 >= y1:
        return
    texture, own = _reduced(texture, own, quad)
    matrix = cv2.getPerspectiveTransform(own.astype(np.float32), (quad - (x0, y0)).astype(np.float32))
    warped = cv2.warpPerspective(texture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    part = picture[y0:y1, x0:x1]
    clear = cv2.bitwise_not(warped[..., 3])
    part[:] = cv2.add(cv2.multiply(part, cv2.merge([clear, clear, clear]), scale=1 / 255), warped[..., :3])


def _reduced(texture: np.ndarray, own: np.ndarray, quad: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Halve a face of which a side in the picture is under 0.6 of its own, so that warping averages."""
    sides, own_sides = (np.hypot(*(q - q[NEXT]).T) for q in (quad, own))
    least = float((sides / own_sides).min())
    while least < 0.6 and min(texture.shape[:2]) > 12:
        h, w = texture.shape[0] // 2, texture.shape[1] // 2
        own = (own + 0.5) * (w / texture.shape[1], h / texture.shape[0]) - 0.5
        texture = cv2.resize(texture, (w, h), interpolation=cv2.INTER_AREA)
        least *= 2
    return texture, own
