"""The plane of the table, from the tiles that lie on it.

All tiles are equal rectangles on one plane, so their corners alone tell how the camera looks at the table: no markers,
no clicking. A homography has eight degrees of freedom; four of them (where the plane's origin lies, how it is turned,
its unit) do not matter, the other four and the tiles' common height are fitted:

1. the horizon: under a homography the area of a small patch goes with the cube of its distance from the horizon, so
   the cube root of the tiles' areas is a linear function of where they lie in the picture;
2. what then remains is affine, and the metric S in which every tile has width 1, a common height and a right angle
   is found by linear least squares (Liebowitz and Zisserman, "Metric rectification for perspective images of planes",
   CVPR 1998, with equal lengths and right angles);
3. both together are refined on all sides of all tiles, with a robust loss, for a detector's box may be anywhere.

A few tiles in one direction leave a part of this open: weak priors (tiles are 1.42 wide high, a table is seen from
above rather than along) close it, and the fewer the tiles the more the plane is what the picture shows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import least_squares

ASPECT = 1.42
"""The height of a tile in its widths, measured on the tiles of three makers (1.38 to 1.48)."""
_ASPECT_SIGMA = 0.04
_HORIZON_SIGMA = 0.04
_SIDE_SIGMA = 0.03
_FIRST_GUESS_ROUNDS = 4

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane of the tiles, measured in tile widths; x goes right in the picture and y down, nothing is mirrored.

    `homography`: 3x3, from pixels to the plane. `aspect`: the height of a tile in widths.
    `misfit`: the median over the tiles of how far their sides are from those of an equal rectangle, in widths; over
    about 0.1 the tiles do not lie on one plane, or the corners are bad.
    """

    homography: Array
    aspect: float = ASPECT
    misfit: float = 0.0

    def to_plane(self, pixels: ArrayLike) -> Array:
        """Bring points (..., 2) from pixels to the plane."""
        return _project(self.homography, np.asarray(pixels, float))

    def to_pixels(self, points: ArrayLike) -> Array:
        """Bring points (..., 2) from the plane to pixels."""
        return _project(np.linalg.inv(self.homography).astype(float), np.asarray(points, float))

    def misfits(self, quads: ArrayLike) -> Array:
        """Say for each of (n, 4, 2) quads in pixels how far its sides are from a tile's on this plane, in widths.

        A tile that leans on a rack, or a box that is no tile, stands out.
        """
        return _misfits(self.to_plane(quads), self.aspect)

    def lengths(self, quads: ArrayLike) -> Array:
        """Say for each of (n, 4, 2) quads in pixels how long it is against a tile of this plane, a logarithm (n,)."""
        across, down, _ = _sides(self.to_plane(quads))
        long = np.maximum(np.hypot(*across.T), np.hypot(*down.T))
        lengths: Array = np.log(np.maximum(long, 1e-9) / self.aspect)
        return lengths


def plane_from_tiles(quads: ArrayLike) -> Plane:
    """Find the plane that makes all tiles equal rectangles.

    Args:
        quads: (n, 4, 2) corners in pixels, around the tile, a short side first (which of the two does not matter).

    Raises:
        ValueError: there is no tile, or the shape is another.
    """
    pixels = np.asarray(quads, float)
    if pixels.ndim != 3 or pixels.shape[1:] != (4, 2) or not len(pixels):
        msg = f"the plane needs corners of shape (n, 4, 2) with n of 1 or more, got {pixels.shape}"
        raise ValueError(msg)
    unit = _normalisation(pixels)
    normal = _project(unit, pixels)
    parameters = _refine(normal, _first_guess(normal))
    homography = _homography(parameters)
    aspect = float(parameters[5])
    misfit = float(np.median(_misfits(_project(homography, normal), aspect)))
    return Plane(homography @ unit, aspect, misfit)


def sideways(plane: Plane, quads: ArrayLike) -> NDArray[np.bool_]:
    """Say which of (n, 4, 2) quads begin with a long side: a steep view makes a tile look wider than it is high.

    Such a quad is a tile turned by a quarter: `np.roll(quad, 1, axis=0)` puts it right, up to its way up.
    """
    across, down, _ = _sides(plane.to_plane(quads))
    longer: NDArray[np.bool_] = np.hypot(*across.T) > 1.1 * np.hypot(*down.T)
    return longer


def within(quads: ArrayLike, area: ArrayLike) -> NDArray[np.bool_]:
    """Say which of (n, 4, 2) quads have their centre in a convex playing area (k, 2), its corners in either sense."""
    corners = np.asarray(area, float)
    edges = np.roll(corners, -1, axis=0) - corners
    offsets = np.asarray(quads, float).mean(axis=1)[:, None] - corners
    turns = edges[:, 0] * offsets[..., 1] - edges[:, 1] * offsets[..., 0]
    inside: NDArray[np.bool_] = (turns >= 0).all(axis=1) | (turns <= 0).all(axis=1)
    return inside


def _project(homography: Array, points: Array) -> Array:
    moved = points @ homography[:, :2].T + homography[:, 2]
    return moved[..., :2] / moved[..., 2:]


def _normalisation(pixels: Array) -> Array:
    """Give the similarity that puts the tiles' middle at the origin and makes their typical side about 1."""
    centre = pixels.mean(axis=(0, 1))
    scale = 1 / np.sqrt(np.median(_areas(pixels)) / ASPECT)
    return np.array([[scale, 0, -scale * centre[0]], [0, scale, -scale * centre[1]], [0, 0, 1]])


def _areas(quads: Array) -> Array:
    p, q = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.maximum(np.abs(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]) / 2, 1e-9)


def _sides(quads: Array) -> tuple[Array, Array, Array]:
    """Give the mean top and bottom side, the mean left and right side, and what is no parallelogram; each (n, 2)."""
    a, b, c, d = np.moveaxis(quads, 1, 0)
    return (b - a + c - d) / 2, (d - a + c - b) / 2, (a - b + c - d) / 2


def _residuals(quads: Array, aspect: float) -> Array:
    """Give (n, 3, 2): how far the sides are from those of the best rectangle of 1 by `aspect`, and the skew."""
    across, down, skew = _sides(quads)
    pull = across + np.column_stack([down[:, 1], -down[:, 0]]) / aspect
    right = pull / np.maximum(np.hypot(*pull.T), 1e-9)[:, None]
    below = np.column_stack([-right[:, 1], right[:, 0]])
    return np.stack([across - right, down - aspect * below, skew], axis=1)


def _misfits(quads: Array, aspect: float) -> Array:
    across, down, _ = _sides(quads)
    turned = np.hypot(*across.T) > np.hypot(*down.T)
    upright = np.where(turned[:, None, None], np.roll(quads, 1, axis=1), quads)
    misfit: Array = np.sqrt((_residuals(upright, aspect) ** 2).mean(axis=(1, 2)))
    return misfit


def _first_guess(quads: Array) -> Array:
    horizon = _horizon(quads)
    level = _project(np.array([[1.0, 0, 0], [0, 1.0, 0], [*horizon, 1]]), quads)
    metric, aspect = _metric(level)
    upper = np.linalg.cholesky(metric).T
    return np.array([*horizon, upper[0, 0], upper[0, 1], upper[1, 1], aspect])


def _horizon(quads: Array) -> Array:
    """Fit the cube roots of the areas as a linear function of the place; give its slopes relative to its height."""
    places, roots = quads.mean(axis=1), np.cbrt(_areas(quads))
    design = np.column_stack([np.ones(len(roots)), places])
    prior = np.diag([0.0, *(2 * [(_SIDE_SIGMA / _HORIZON_SIGMA) ** 2])])
    weights = np.ones(len(roots))
    for _ in range(_FIRST_GUESS_ROUNDS):
        normal = design.T @ (weights[:, None] * design) + prior
        plane = np.linalg.solve(normal, design.T @ (weights * roots))
        weights = _huber(design @ plane - roots)
    slopes = plane[1:] / max(plane[0], 1e-6)
    return slopes if (1 + places @ slopes).min() > 0.2 else np.zeros(2)


def _metric(quads: Array) -> tuple[Array, float]:
    """Find the metric in which all tiles are equal rectangles, and their height, by linear least squares."""
    across, down, _ = _sides(quads)
    rows = np.concatenate([_quadratic(across, across, 0), _quadratic(down, down, -1), _quadratic(across, down, 0)])
    wanted = np.repeat([1.0, 0.0, 0.0], len(quads))
    weights = np.ones(len(rows))
    prior = np.array([[0, 0, 0, _SIDE_SIGMA / _ASPECT_SIGMA / ASPECT]])
    for _ in range(_FIRST_GUESS_ROUNDS):
        design = np.vstack([weights[:, None] * rows, prior])
        target = np.append(weights * wanted, prior[0, 3] * ASPECT**2)
        found = np.linalg.lstsq(design, target, rcond=None)[0]
        weights = np.sqrt(_huber(rows @ found - wanted))
    metric = np.array([[found[0], found[1]], [found[1], found[2]]])
    if np.linalg.eigvalsh(metric)[0] < 0.02 or found[3] < 1:
        return np.eye(2) / np.median((across**2).sum(axis=1)), ASPECT
    return metric, float(np.sqrt(found[3]))


def _quadratic(p: Array, q: Array, height_squared: float) -> Array:
    """Write p'Sq + height_squared * h as the coefficients of (S11, S12, S22, h)."""
    mixed = p[:, 0] * q[:, 1] + p[:, 1] * q[:, 0]
    return np.column_stack([p[:, 0] * q[:, 0], mixed, p[:, 1] * q[:, 1], np.full(len(p), height_squared)])


def _huber(residuals: Array) -> Array:
    scale = max(1.5 * float(np.median(np.abs(residuals))), _SIDE_SIGMA)
    weights: Array = scale / np.maximum(np.abs(residuals), scale)
    return weights


def _homography(parameters: Array) -> Array:
    a, b, c, d, e, _ = parameters
    return np.array([[c, d, 0], [0, e, 0], [a, b, 1]])


def _refine(quads: Array, first: Array) -> Array:
    """Minimise the differences as the picture shows them: measured on the plane, a flatter plane would cost less."""
    places = quads.mean(axis=1)

    def cost(parameters: Array) -> Array:
        if (1 + places @ parameters[:2]).min() < 0.1:
            return np.full(6 * len(quads) + 3, 1e3)
        homography = _homography(parameters)
        differences = _residuals(_project(homography, quads), parameters[5])
        seen = np.einsum("nij,nkj->nki", np.linalg.inv(_jacobians(homography, places)), differences)
        priors = [*(parameters[:2] / _HORIZON_SIGMA), (parameters[5] - ASPECT) / _ASPECT_SIGMA]
        return np.append(_softened(seen / _SIDE_SIGMA), priors)

    refined: Array = least_squares(cost, first, max_nfev=20, xtol=1e-3, ftol=1e-3).x
    return refined


def _softened(residuals: Array) -> Array:
    """Let large residuals cost as much as their size, not its square; the priors are not to be softened with them."""
    softened: Array = np.sign(residuals) * np.sqrt(2 * (np.hypot(1, residuals) - 1))
    return softened


def _jacobians(homography: Array, points: Array) -> Array:
    """Give (n, 2, 2): how the homography stretches the neighbourhood of each of (n, 2) points."""
    moved = _project(homography, points)
    depth = points @ homography[2, :2] + homography[2, 2]
    jacobians: Array = (homography[:2, :2] - moved[:, :, None] * homography[2, :2]) / depth[:, None, None]
    return jacobians
