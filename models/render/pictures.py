"""The pictures of the README: `python -m models.render.pictures docs/pictures`. Fixed tables, one set, one camera."""

import sys
from pathlib import Path

import cv2
import numpy as np

from models.render.camera import camera_for
from models.render.drawing import render_scene
from models.render.edition import draw_edition
from models.render.layouts import RowStyle, moved, row_of
from models.render.light import Light, Sensor
from models.render.ranges import training_ranges
from models.render.scene import Scene, TableTop
from referee.tiles import parse_tiles

SIZE = (1280, 960)
TILE_PX = 78
EDITION_SEED = 12
Lying = tuple[str, float, float, float]
"""A row in notation, where its middle lies in tile widths, and its turn in radians."""

BEFORE: tuple[Lying, ...] = (
    ("R3 R4 R5", -6.2, -4.4, 0.03),
    ("K7 B7 O7", 4.6, -4.0, -0.04),
    ("B9 B10 J B12", -4.6, 0.6, 0.01),
    ("K1 R1 O1", 5.2, 0.9, 0.02),
)
AFTER: tuple[Lying, ...] = (("R3 R4 R5 R6", -5.7, -4.4, 0.03), *BEFORE[1:], ("O11 O12 O13", 0.4, 4.9, -0.02))
OPENING: tuple[Lying, ...] = (("R10 R11 R12", -4.2, -2.2, 0.04), ("K4 B4 O4", 3.6, 1.6, -0.03))
PICTURES = {"before": BEFORE, "after": AFTER, "evening/1": OPENING}


def picture(rows: tuple[Lying, ...], *, edition_seed: int = EDITION_SEED) -> np.ndarray:
    """Draw rows as the camera above the table sees them: BGR uint8 (960, 1280, 3)."""
    edition = draw_edition(np.random.default_rng(edition_seed), training_ranges())
    camera = camera_for(SIZE, TILE_PX, edition.ratio, tilt=0.22, azimuth=0.1, roll=0.02, zoom=1.2)
    placed = []
    for text, x, y, turn in rows:
        careful = RowStyle(gap=0.01, gap_spread=0.01, stagger=0.02, turn=0.008)
        # a row lies the same in every picture: its dice are thrown by where it lies
        rng = np.random.default_rng([round(abs(x * 10)), round(abs(y * 10))])
        placed += moved(row_of(rng, list(parse_tiles(text)), careful, edition.ratio), np.array([x, y]), turn)
    top = TableTop(kind="walnut", seed=3, angle=0.1)
    return render_scene(Scene(edition, camera, tuple(placed), top, Light(), Sensor(), seed=1)).image


def main() -> None:
    """Write all of them."""
    out = Path(sys.argv[1])
    for name, rows in PICTURES.items():
        path = out / f"{name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), picture(rows), [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main()
