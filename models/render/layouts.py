"""How tiles are laid out on a table: rows, clusters, scatterings, grids, racks, pools."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.render.dealing import Bag, deal_row
from models.render.placement import Placement, Poses, corners
from referee.table import Where
from referee.tiles import COLOURS, JOKER, Tile

CELLS = 10
"""Cells of the ground per tile width."""
TRIES = 40
POOL_TRIES = 3
OVERLAP_STEP = 0.002
"""How much higher each next tile lies where they lie on one another, in tile widths."""


class Ground:
    """The part of the table to lay tiles on, and what of it is taken.

    `frame` (n, 2) is its outline, in tile widths; `half` half the width and height of the box around it, `middle` the
    box's middle, `turn` the direction in radians that is the picture's right.
    """

    def __init__(
        self, rng: np.random.Generator, frame: np.ndarray, ratio: float, *, turn: float = 0.0, thickness: float = 0.25
    ) -> None:
        self.rng = rng
        self.ratio = ratio
        self.frame = frame
        self.turn = turn
        self.thickness = thickness
        self.middle = (frame.min(0) + frame.max(0)) / 2
        self.half = tuple(((frame.max(0) - frame.min(0)) / 2).tolist())
        self.taken = np.ones([round(2 * h * CELLS) + 1 for h in self.half[::-1]], np.uint8)
        cv2.fillConvexPoly(self.taken, self._cells(frame), 0)
        self.free_cells = self.taken.size - int(self.taken.sum())
        self.placed: list[Placement] = []
        self.rows = 0

    def spot(self, margin: float = 0.0) -> np.ndarray:
        """Give a random point, `margin` from the box's edges where there is room."""
        return np.asarray(self.middle + [self.rng.uniform(-1, 1) * max(h - margin, 0.2 * h) for h in self.half])

    def _cells(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(np.round((points - self.middle + self.half) * CELLS).astype(np.int32))

    def claim(self, outline: np.ndarray) -> bool:
        """Take an area (n, 2) unless part of it is taken or out of the frame."""
        cells = self._cells(outline)
        low, high = cells.min(0), cells.max(0) + 1
        h, w = self.taken.shape
        if (low < 0).any() or high[0] > w or high[1] > h:
            return False
        part = self.taken[low[1] : high[1], low[0] : high[0]]
        mask = cv2.fillConvexPoly(np.zeros_like(part), cells - low, 1)
        if cv2.bitwise_and(mask, part).any():
            return False
        cv2.bitwise_or(part, mask, dst=part)
        return True

    def cover(self, outline: np.ndarray) -> None:
        """Take an area (n, 2), whatever lies there."""
        cv2.fillConvexPoly(self.taken, self._cells(outline), 1)

    def extent(self, angle: float) -> tuple[np.ndarray, np.ndarray]:
        """Give the least and greatest (x, y) of the frame, from its middle, on axes turned by `angle`."""
        c, s = np.cos(angle), np.sin(angle)
        turned = (self.frame - self.middle) @ np.array([[c, -s], [s, c]])
        return turned.min(0), turned.max(0)

    def put(self, tiles: list[Placement]) -> None:
        """Lay tiles down."""
        self.placed += tiles

    def next_row(self) -> int:
        """Number a new row."""
        self.rows += 1
        return self.rows - 1

    @property
    def room(self) -> int:
        """About how many tiles fit comfortably."""
        return int(self.free_cells / CELLS**2 / (self.ratio * 1.35))


@dataclass(frozen=True)
class RowStyle:
    """How carefully rows are laid: gap and stagger in tile widths, turn in radians, and shares of turned tiles."""

    gap: float = 0.01
    gap_spread: float = 0.02
    stagger: float = 0.03
    turn: float = 0.01
    upside_down: float = 0.0
    bow: float = 0.0


def draw_row_style(rng: np.random.Generator) -> RowStyle:
    """Draw how a table's rows are laid."""
    sloppy = rng.random() ** 2
    return RowStyle(
        gap=float(rng.choice([0.0, 0.005, 0.02, rng.uniform(0.02, 0.15)], p=[0.4, 0.25, 0.15, 0.2])),
        gap_spread=rng.uniform(0.0, 0.03) + 0.05 * sloppy,
        stagger=0.01 + 0.11 * sloppy * rng.random() + 0.02 * rng.random(),
        turn=0.004 + 0.05 * sloppy * rng.random(),
        upside_down=rng.uniform(0.05, 0.3) if rng.random() < 0.25 else 0.0,
        bow=rng.normal(0, 0.02) if rng.random() < 0.15 else 0.0,
    )


def row_of(rng: np.random.Generator, tiles: list[Tile], style: RowStyle, ratio: float) -> list[Placement]:
    """Lay tiles side by side round (0, 0), read from the bottom, without overlap."""
    out: list[Placement] = []
    x = 0.0
    for tile in tiles:
        turn = rng.normal(0, style.turn)
        gap = max(style.gap + abs(rng.normal(0, style.gap_spread)), 0.0) + abs(np.sin(turn)) * ratio * 0.5
        x += gap if out else 0.0
        y = rng.normal(0, style.stagger) + style.bow * (x - len(tiles) / 2) ** 2
        flip = np.pi if rng.random() < style.upside_down else 0.0
        out.append(Placement(tile, x + 0.5, y, turn + flip, which=int(rng.integers(2))))
        x += 1.0 + abs(np.sin(turn)) * 0.3
    return [replace(p, x=p.x - x / 2) for p in out]


def moved(tiles: list[Placement], at: np.ndarray, angle: float) -> list[Placement]:
    """Turn tiles about (0, 0) and carry them to `at`."""
    c, s = np.cos(angle), np.sin(angle)
    return [
        replace(p, x=float(c * p.x - s * p.y + at[0]), y=float(s * p.x + c * p.y + at[1]), angle=p.angle + angle)
        for p in tiles
    ]


def hull(tiles: list[Placement], ratio: float, margin: float) -> np.ndarray:
    """Give the outline (n, 2) round tiles, `margin` wider."""
    points = Poses.of(tiles, ratio).outlines(corners(ratio), 0.0)[..., :2].reshape(-1, 2)
    points = cv2.convexHull(points.astype(np.float32))[:, 0]
    away = points - points.mean(0)
    return np.asarray(points + away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6) * margin)


def place_row(ground: Ground, tiles: list[Placement], angles: Iterator[float], margin: float) -> bool:
    """Find a free place for a row; angles are tried in turn."""
    outline = hull(tiles, ground.ratio, margin)
    reach = min(1.2, len(tiles) / 2)
    for _ in range(TRIES):
        at, angle = ground.spot(reach), next(angles)
        c, s = np.cos(angle), np.sin(angle)
        if ground.claim(outline @ np.array([[c, s], [-s, c]]) + at):
            number = ground.next_row()
            ground.put([replace(p, row=number) for p in moved(tiles, at, angle)])
            return True
    return False


def directions(rng: np.random.Generator, main: float) -> Iterator[float]:
    """Give the rows' directions on one table: alike, crossing, from four sides, or any."""
    main = rng.uniform(-np.pi, np.pi) if rng.random() < 0.25 else main + rng.normal(0, 0.15)
    kind = str(rng.choice(["alike", "crossing", "sides", "any"], p=[0.5, 0.15, 0.2, 0.15]))
    spread = rng.uniform(0.01, 0.15)
    while True:
        quarter = int(rng.integers({"alike": 1, "crossing": 2, "sides": 4, "any": 1}[kind]))
        yield rng.uniform(-np.pi, np.pi) if kind == "any" else main + quarter * np.pi / 2 + rng.normal(0, spread)


def melds(rng: np.random.Generator, ground: Ground, bag: Bag, count: int) -> None:
    """Lay rows wherever there is room until about `count` tiles lie."""
    style, angles = draw_row_style(rng), directions(rng, ground.turn)
    illegal = float(rng.choice([0.05, 0.3, 0.9], p=[0.4, 0.35, 0.25]))
    margin = rng.uniform(0.12, 0.5)
    start, failed = len(ground.placed), 0
    while len(ground.placed) - start < count and failed < 4 and bag.size:
        tiles = deal_row(rng, bag, illegal)
        if tiles and not place_row(ground, row_of(rng, tiles, style, ground.ratio), angles, margin):
            failed += 1
            bag.left.update(tiles)


def lines(rng: np.random.Generator, ground: Ground, bag: Bag, count: int) -> None:
    """Lay rows in lines as on a tidy full table: line under line, melds in a line parted by small gaps."""
    illegal = float(rng.choice([0.05, 0.4], p=[0.6, 0.4]))
    start, pen = len(ground.placed), Lines(ground, draw_row_style(rng))
    spare = max(0.0, 1 - count / max(ground.room, 1))
    pen.y += spare * rng.random() * float(pen.high[1] - pen.low[1])
    tiles: list[Tile] = []
    while not pen.full and len(ground.placed) - start < count and bag.size:
        tiles = tiles or deal_row(rng, bag, illegal)
        if tiles and pen.lay(tiles):
            tiles = []
    bag.left.update(tiles)


class Lines:
    """Lays rows in lines across the ground, like a pen that writes: left to right, then the next line."""

    def __init__(self, ground: Ground, style: RowStyle) -> None:
        rng = ground.rng
        self.ground = ground
        self.style = style
        self.angle = ground.turn + rng.normal(0, 0.03)
        self.low, self.high = ground.extent(self.angle)
        self.part = rng.uniform(0.2, 1.2)
        self.pitch = ground.ratio + 2 * style.stagger + rng.uniform(0.08, 0.5)
        self.x = self.low[0]
        self.y = self.low[1] + ground.ratio / 2

    @property
    def full(self) -> bool:
        """Whether the pen has left the ground at its lower edge."""
        return bool(self.y > self.high[1])

    def lay(self, tiles: list[Tile]) -> bool:
        """Lay a row where the pen is and move on; else move a step, or to the next line, and say no."""
        row = row_of(self.ground.rng, tiles, self.style, self.ground.ratio)
        width = row[-1].x - row[0].x + 1
        at = moved(moved(row, np.array([self.x + width / 2, self.y]), 0.0), self.ground.middle, self.angle)
        laid = self.ground.claim(hull(at, self.ground.ratio, -0.02))
        if laid:
            number = self.ground.next_row()
            self.ground.put([replace(p, row=number) for p in at])
        self.x += width + self.part * self.ground.rng.uniform(0.7, 1.6) if laid else 0.4
        if self.x > self.high[0]:
            self.x, self.y = self.low[0], self.y + self.pitch
        return laid


def scatter(rng: np.random.Generator, ground: Ground, bag: Bag, count: int) -> None:
    """Strew single tiles at any angle, face up; in some scenes they lie a little on one another."""
    margin = rng.uniform(-0.25, -0.05) if rng.random() < 0.15 else rng.uniform(0.02, 0.2)
    for k, tile in enumerate(bag.draw_many(count)):
        height = OVERLAP_STEP * k if margin < 0 else 0.0
        one = Placement(tile, 0, 0, height=height, which=int(rng.integers(2)))
        place_row(ground, [one], _any_angle(rng), margin)


def _any_angle(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield rng.uniform(-np.pi, np.pi)


def cluster(rng: np.random.Generator, ground: Ground, bag: Bag, count: int) -> None:
    """Push tiles together into a few touching lines, each tile turned by any quarter."""
    count = min(count, 16)
    main, spot, jitter = rng.uniform(-np.pi, np.pi), ground.spot(3), rng.uniform(0.01, 0.12)
    quarters = rng.choice([0.0, 0.5, 1.0])
    per_line, tiles = int(rng.integers(2, 6)), bag.draw_many(count)
    for k, tile in enumerate(tiles):
        line, column = divmod(k, per_line)
        x = (column - per_line / 2) * 1.06 + rng.normal(0, 0.05)
        y = (line - len(tiles) / per_line / 2) * ground.ratio * 1.04
        turn = (np.pi * rng.integers(2) if rng.random() < quarters else 0.0) + rng.normal(0, jitter)
        piece = moved([Placement(tile, x, y, turn, which=int(rng.integers(2)))], spot, main)
        if ground.claim(hull(piece, ground.ratio, -0.1)):
            ground.put([replace(p, row=ground.next_row()) for p in piece])


def grid(rng: np.random.Generator, ground: Ground, bag: Bag, count: int) -> None:
    """Lay a part of the set out in columns and lines, as an owner does to show it."""
    low, high = ground.extent(ground.turn)
    columns = int(np.clip((high - low)[0] / 1.2, 1, 13))
    lines_ = int(np.clip((high - low)[1] / (ground.ratio * 1.12), 1, 5))
    sorted_ = [Tile(c, n) for c in COLOURS for n in range(1, 14)] + [JOKER, JOKER]
    tiles = sorted_ if rng.random() < 0.6 else [sorted_[i] for i in rng.permutation(len(sorted_))]
    step = np.array([rng.uniform(1.02, 1.3), ground.ratio * rng.uniform(1.03, 1.25)])
    jitter, main = rng.uniform(0.0, 0.04), rng.normal(0, 0.04)
    for line in range(lines_):
        number = ground.next_row()
        for column in range(columns):
            k = line * 13 + column
            if k >= len(tiles) or len(ground.placed) >= max(count, 10):
                return
            at = np.array([column - (columns - 1) / 2, line - (lines_ - 1) / 2]) * step
            x, y = (at + rng.normal(0, jitter, 2)).tolist()
            piece = Placement(tiles[k], x, y, rng.normal(0, jitter), which=int(rng.integers(2)), row=number)
            turned = moved([piece], ground.middle, ground.turn + main)
            if bag.left[tiles[k]] and ground.claim(hull(turned, ground.ratio, -0.1)):
                bag.take(tiles[k])
                ground.put(turned)


def pool(rng: np.random.Generator, ground: Ground, bag: Bag, count: int) -> None:
    """Lay face-down tiles: strewn, or in tidy lines, single or in stacks."""
    area, tiles = ground.spot(2), bag.draw_many(count)
    tidy, main, spread = rng.random() < 0.4, rng.uniform(-np.pi, np.pi), rng.uniform(1.2, 3.0)
    high = int(rng.integers(2, 6)) if tidy and rng.random() < 0.4 else 1
    for k in range(0, len(tiles), high):
        for _ in range(POOL_TRIES):
            column, line = k // high % 7, k // high // 7
            x, y = (column * 1.05, line * ground.ratio * 1.04) if tidy else rng.normal(0, spread, 2).tolist()
            angle = rng.normal(0, 0.04) if tidy else rng.uniform(-np.pi, np.pi)
            stack = [
                Placement(tile, x, y, angle, height=level * ground.thickness, back=True, where=Where.POOL)
                for level, tile in enumerate(tiles[k : k + high])
            ]
            stack = moved(stack, area, main)
            if ground.claim(hull(stack, ground.ratio, -0.03)):
                ground.put(stack)
                break


Layout = Callable[[np.random.Generator, Ground, Bag, int], None]
LAYOUTS: dict[str, Layout] = {
    "melds": melds,
    "lines": lines,
    "scatter": scatter,
    "cluster": cluster,
    "grid": grid,
    "pool": pool,
}
