"""Where the camera stands, and what it makes of points on and above the table.

The table is the plane z = 0; x goes right and y down as seen from above with no roll, z towards the ceiling. Lengths
are in tile widths.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np


@dataclass(frozen=True)
class Camera:
    """A pinhole camera looking at `target` on the table.

    `tilt` is the angle from straight down, `azimuth` the side from which it looks, `roll` its turn about its own axis,
    all in radians; `focal` in pixels; `distortion` the first radial coefficient (on coordinates divided by `focal`).
    """

    size: tuple[int, int]
    focal: float
    distance: float
    tilt: float = 0.0
    azimuth: float = 0.0
    roll: float = 0.0
    target: tuple[float, float] = (0.0, 0.0)
    distortion: float = 0.0

    @cached_property
    def rotation(self) -> np.ndarray:
        """The 3x3 rotation from (x, y, -z) about the target to camera axes (right, down, forward)."""
        ca, sa, ct, st, cr, sr = (f(a) for a in (self.azimuth, self.tilt, self.roll) for f in (np.cos, np.sin))
        turn = np.array([[ca, -sa, 0], [sa, ca, 0], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, ct, st], [0, -st, ct]])
        roll = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
        return np.asarray(roll @ lean @ turn)

    @cached_property
    def centre(self) -> np.ndarray:
        """The camera's place (x, y, z)."""
        x, y, down = self.rotation.T @ np.array([0, 0, -self.distance])
        return np.array([x + self.target[0], y + self.target[1], -down])

    @property
    def right_on_table(self) -> float:
        """The direction on the table, in radians, that is the picture's right."""
        return float(np.arctan2(self.rotation[0, 1], self.rotation[0, 0]))

    def in_camera(self, points: np.ndarray) -> np.ndarray:
        """Turn points (..., 3) of the world into camera axes (right, down, depth)."""
        p = (np.asarray(points, float) - (*self.target, 0.0)) * (1, 1, -1)
        return np.asarray(p @ self.rotation.T + (0, 0, self.distance))

    def project_ideal(self, points: np.ndarray) -> np.ndarray:
        """Project points (..., 3) to pixels (..., 2) of a picture without distortion."""
        c = self.in_camera(points)
        return np.asarray(c[..., :2] / np.maximum(c[..., 2:], 1e-3) * self.focal + self.principal)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Project points (..., 3) to pixels (..., 2) of the picture."""
        return self.distort(self.project_ideal(points))

    @property
    def principal(self) -> np.ndarray:
        """The pixel in the middle of the picture."""
        return (np.array(self.size) - 1) / 2

    def distort(self, pixels: np.ndarray) -> np.ndarray:
        """Move ideal pixels (..., 2) to where the lens puts them."""
        d = (pixels - self.principal) / self.focal
        r2 = (d**2).sum(-1, keepdims=True)
        return np.asarray(d * (1 + self.distortion * r2) * self.focal + self.principal)

    @cached_property
    def plane(self) -> np.ndarray:
        """The 3x3 homography from (x, y, 1) on the table to ideal pixels."""
        columns = self.rotation[:, :2]
        shift = (0, 0, self.distance) - columns @ np.array(self.target)
        inner = np.array([[self.focal, 0, self.principal[0]], [0, self.focal, self.principal[1]], [0, 0, 1]])
        return np.asarray(inner @ np.column_stack([columns, shift]))

    def on_table(self, pixels: np.ndarray) -> np.ndarray:
        """Give the points (n, 2) of the table under ideal pixels (n, 2)."""
        return np.asarray(cv2.perspectiveTransform(np.asarray(pixels, float)[None], np.linalg.inv(self.plane))[0])

    def beyond(self, outward: np.ndarray, distance: float) -> np.ndarray:
        """Give the part (n, 2) of the undistorted picture where the table is farther than `distance` along a direction.

        The distance is from the target; the horizon and above count as beyond.
        """
        line = np.linalg.inv(self.plane).T @ np.array([*outward, -distance - outward @ np.array(self.target)])
        on_this_side = line @ np.array([*self.project_ideal(np.array([*self.target, 0.0])), 1.0])
        line = line if on_this_side < 0 else -line
        w, h = self.size
        frame = np.array([[-1, -1], [w, -1], [w, h], [-1, h]], float)
        return clipped(frame, -line[:2], float(line[2]))

    def bend(self, picture: np.ndarray) -> np.ndarray:
        """Apply the lens's distortion to an ideal picture."""
        if not self.distortion:
            return picture
        w, h = self.size
        step = 16
        xs, ys = (np.arange(0, length + 2 * step, step) - 0.5 for length in (w, h))
        grid = np.stack(np.meshgrid(xs, ys), -1).astype(float)
        source = self._straighten(grid).astype(np.float32)
        full = cv2.resize(source, (source.shape[1] * step, source.shape[0] * step), interpolation=cv2.INTER_LINEAR)
        half = step // 2
        across, along = (np.ascontiguousarray(full[half : half + h, half : half + w, k]) for k in (0, 1))
        return np.asarray(cv2.remap(picture, across, along, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))

    def _straighten(self, pixels: np.ndarray) -> np.ndarray:
        ideal = pixels
        for _ in range(4):
            ideal = ideal - (self.distort(ideal) - pixels)
        return ideal


def clipped(polygon: np.ndarray, normal: np.ndarray, limit: float) -> np.ndarray:
    """Cut off of a convex polygon (n, 2) what lies beyond `limit` along a direction."""
    out = []
    for a, b in zip(polygon, np.roll(polygon, -1, 0), strict=True):
        da, db = limit - a @ normal, limit - b @ normal
        if da >= 0:
            out.append(a)
        if da * db < 0:
            out.append(a + (b - a) * da / (da - db))
    return np.array(out).reshape(-1, 2)


def camera_for(size: tuple[int, int], tile_px: float, ratio: float, **pose: float) -> Camera:
    """Place a camera so that a tile of `ratio` lengths has a long side of about `tile_px` at the target.

    `pose` may hold tilt, azimuth, roll, distortion, and `zoom`: the focal length in picture widths (default 1.1).
    """
    focal = pose.pop("zoom", 1.1) * max(size)
    return Camera(size, focal, focal * ratio / tile_px, **pose)  # type: ignore[arg-type]
