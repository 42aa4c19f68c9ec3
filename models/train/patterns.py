"""Pictures of what the detector takes for many tiles and is none: chequered cloths, grain and carpets, seen from near.

A table-top is drawn at every size among the scenes, but seldom so near that its pattern is as large as tiles are.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.render.truth import yolo_lines
from models.train.crops import Array
from models.train.detector import LEARNT_SIDE, SIDE
from models.train.mined import false_among, labelled
from vision.detector import Detector

_ZOOMS = (0.5, 1.0, 2.0)
_LEAST_FALSE = 5
"""So many false finds make a view worth learning."""


def patterns(folder: Path, finder: Detector, out: Path, *, seed: int) -> int:
    """Write the views of the scenes in `folder` that hold most false finds, with YOLO-OBB labels; say how many."""
    rng = np.random.default_rng([seed, 14])
    for sub in ("images", "labels"):
        (out / sub).mkdir(parents=True, exist_ok=True)
    count = 0
    for image, truth in labelled(folder):
        for view, lines in _views(image, truth, finder, rng):
            name = f"pattern-{Path(truth['image']).stem}-{count}"
            cv2.imwrite(str(out / "images" / f"{name}.jpg"), view, [cv2.IMWRITE_JPEG_QUALITY, 92])
            (out / "labels" / f"{name}.txt").write_text("\n".join(lines))
            count += 1
    return count


def _views(
    image: Array, truth: dict[str, Any], finder: Detector, rng: np.random.Generator
) -> Iterator[tuple[Array, list[str]]]:
    """Give at each zoom the view with the most false finds, where it has enough, and its labels."""
    quads = np.array([tile["corners"] for tile in truth["tiles"]], np.float32).reshape(-1, 4, 2)
    for zoom in _ZOOMS:
        found = finder.find_at(image, zoom * LEARNT_SIDE / SIDE).quads
        false = found[false_among(found, truth)].mean(axis=1) * zoom
        if len(false) < _LEAST_FALSE:
            continue
        room = np.maximum(np.array(image.shape[1::-1]) * zoom - SIDE, 0)
        begins = np.clip(false - SIDE / 2 + rng.normal(0, SIDE / 8, false.shape), 0, room)
        inside = ((false >= begins[:, None]) & (false < begins[:, None] + SIDE)).all(axis=2).sum(axis=1)
        if inside.max() < _LEAST_FALSE:
            continue
        x, y = begins[inside.argmax()]
        warp = np.array([[zoom, 0, -x], [0, zoom, -y]], np.float32)
        how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
        view = cv2.warpAffine(image, warp, (SIDE, SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
        moved = quads * zoom - np.array([x, y])
        tiles = [tile | {"corners": corners} for tile, corners in zip(truth["tiles"], moved.tolist(), strict=True)]
        yield view, yolo_lines({"width": SIDE, "height": SIDE, "tiles": tiles})
