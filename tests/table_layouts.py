"""Made-up tables for the tests and the measurements of rows: where tiles lie, and which rows they make."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

HEIGHT = 1.42
Array = NDArray[np.float64]


class Scene(NamedTuple):
    """Corners (n, 4, 2) in pixels as each tile is read, the rows in reading order, and which tiles lie turned."""

    quads: Array
    rows: tuple[tuple[int, ...], ...]
    turned: tuple[bool, ...] = ()


class Style(NamedTuple):
    """How a row lies, lengths in tile widths and angles in radians; `bend` turns each tile against the one before."""

    gap: float = 0.02
    gap_noise: float = 0.02
    stagger: float = 0.03
    twist: float = 0.02
    bend: float = 0.0
    turned: float = 0.0


def tile(x: float, y: float, angle: float = 0.0, height: float = HEIGHT) -> Array:
    """Give the corners of a tile of width 1 with its centre at (x, y), turned clockwise as seen by `angle`."""
    half = np.array([[-0.5, -height / 2], [0.5, -height / 2], [0.5, height / 2], [-0.5, height / 2]])
    return half @ _rotation(angle).T + (x, y)


def row(count: int, style: Style, rng: np.random.Generator) -> tuple[Array, list[bool]]:
    """Lay a row of tiles around the origin, left to right as it is read."""
    quads, turned = [], []
    place, angle = np.zeros(2), 0.0
    for _ in range(count):
        angle += style.bend
        step = 1 + max(style.gap + style.gap_noise * rng.normal(), -0.03)
        place = place + _rotation(angle - style.bend / 2) @ (step + abs(style.bend) * HEIGHT / 2, 0.0)
        quad = tile(*(place + _rotation(angle) @ (0, style.stagger * rng.normal())), angle + style.twist * rng.normal())
        turned.append(bool(rng.random() < style.turned))
        quads.append(np.roll(quad, 2, axis=0) if turned[-1] else quad)
    laid = np.array(quads)
    return laid - laid.mean(axis=(0, 1)), turned


def camera(pitch: float, roll: float, distance: float = 28.0, pixels: float = 55.0) -> Array:
    """Give the homography from the plane to pixels of a camera that leans by `pitch` from looking straight down."""
    spin, lean = _rotation(roll), np.array([[1, 0], [0, np.cos(pitch)]])
    affine = pixels * lean @ spin
    depth = np.array([0, -np.sin(pitch)]) @ spin / distance
    homography = np.eye(3)
    homography[:2, :2], homography[2, :2] = affine, depth
    return np.array([[1, 0, 640.0], [0, 1, 480.0], [0, 0, 1]]) @ homography


def seen(quads: Array, homography: Array) -> Array:
    """Bring points from the plane to pixels."""
    moved = quads @ homography[:, :2].T + homography[:, 2]
    return moved[..., :2] / moved[..., 2:]


def random_table(rng: np.random.Generator, kinds: tuple[str, ...] = ("aligned", "sides", "any", "stacks")) -> Scene:
    """Lay up to 24 rows that a person tells apart at a glance: 0.6 widths and more between rows in one line."""
    kind, usual = str(rng.choice(kinds)), float(rng.choice([0.01, 0.03, 0.15, 0.28]))
    laid: list[Array] = []
    rows, turned = [], []
    for _ in range(int(rng.integers(3, 25))):
        style = Style(usual, 0.25 * usual, rng.choice([0.02, 0.1]), rng.choice([0.01, 0.04]), _bend(rng), 0.06)
        quads, upside = row(int(rng.choice([1, 2, 3, 3, 3, 4, 4, 5, 7, 13])), style, rng)
        quads = _placed(quads, laid, kind, 0.6 + usual, rng)
        if quads is not None:
            rows.append(tuple(range(len(turned), len(turned) + len(quads))))
            turned += upside
            laid += list(quads)
    homography = camera(rng.uniform(0, 0.9), rng.uniform(-0.5, 0.5), 34.0)
    return Scene(seen(np.array(laid), homography), tuple(rows), tuple(turned))


def jittered(quads: Array, share: float, rng: np.random.Generator) -> Array:
    """Move every corner by a normal error of this share of the tile's shorter side, in both directions."""
    sides = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    return quads + share * sides[:, None, None] * rng.normal(size=quads.shape)


def _bend(rng: np.random.Generator) -> float:
    return float(rng.choice([0.0, 0.0, 0.0, rng.uniform(-0.2, 0.2)]))


def _rotation(angle: float) -> Array:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _placed(quads: Array, laid: list[Array], kind: str, clear: float, rng: np.random.Generator) -> Array | None:
    """Find room for a row: `clear` widths from others at the tiles' sides, a hair's breadth at their ends."""
    for _ in range(60):
        angle = {
            "aligned": rng.normal(0, 0.05),
            "stacks": 0.0,
            "sides": rng.integers(4) * np.pi / 2 + rng.normal(0, 0.08),
            "any": rng.uniform(-np.pi, np.pi),
        }[kind]
        x, y = rng.uniform(-7, 7, 2)
        if kind == "stacks":
            y = np.round(y / HEIGHT / 1.02) * HEIGHT * 1.02
        moved = quads @ _rotation(angle).T + (x, y)
        if not _in_the_way(moved, laid, clear):
            return moved
    return None


def _widened(quad: Array, clear: float) -> Array:
    right = (quad[1] - quad[0]) * (clear + 0.5)
    half = (quad[3] - quad[0]) * 0.005
    return np.array([quad[0] - right + half, quad[1] + right + half, quad[2] + right - half, quad[3] - right - half])


def _in_the_way(quads: Array, laid: list[Array], clear: float) -> bool:
    """Whether a tile comes nearer to one that lies there than `clear` allows."""
    if not laid:
        return False
    apart = quads.mean(axis=1)[:, None] - np.array(laid).mean(axis=1)
    near = np.argwhere((apart**2).sum(axis=2) < (1.5 + clear + HEIGHT) ** 2).tolist()
    pairs = [(quads[i], laid[j]) for i, j in near]
    return any(_overlap(a, _widened(b, clear)) or _overlap(_widened(a, clear), b) for a, b in pairs)


def _overlap(a: Array, b: Array) -> bool:
    area, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return bool(area > 0.01)
