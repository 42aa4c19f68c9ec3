"""Pictures of what the detector takes for many tiles and is none: chequered cloths, grain and carpets, seen from near.

A table-top is drawn at every size among the scenes, but seldom so near that its pattern is as large as tiles are.
"""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.render.truth import yolo_lines
from models.train.crops import Array, read_image
from models.train.detector import LEARNT_SIDE, SIDE
from models.train.mined import covered
from vision.detector import Detector

_LOG = logging.getLogger(__name__)
_ZOOMS = (0.5, 1.0, 2.0)
_LEAST_FALSE = 5
"""So many false finds make a view worth learning."""
_MOST_OVERLAP = 0.12


def patterns(folder: Path, finder: Detector, out: Path, *, seed: int) -> int:
    """Write the views of the scenes in `folder` that hold most false finds, with YOLO-OBB labels; say how many."""
    rng = np.random.default_rng([seed, 14])
    for sub in ("images", "labels"):
        (out / sub).mkdir(parents=True, exist_ok=True)
    count = 0
    for n, path in enumerate(sorted((folder / "truth").glob("*.json"))):
        truth = json.loads(path.read_text())
        image = read_image(folder / "images" / truth["image"])
        for view, lines in _views(image, truth, finder, rng):
            name = f"pattern-{path.stem}-{count}"
            cv2.imwrite(str(out / "images" / f"{name}.jpg"), view, [cv2.IMWRITE_JPEG_QUALITY, 92])
            (out / "labels" / f"{name}.txt").write_text("\n".join(lines))
            count += 1
        if n % 100 == 99:
            _LOG.info("%s: %d scenes, %d views", folder.name, n + 1, count)
    return count


def _views(
    image: Array, truth: dict[str, Any], finder: Detector, rng: np.random.Generator
) -> Iterator[tuple[Array, list[str]]]:
    """Give at each zoom the view with the most false finds, where it has enough, and its labels."""
    quads = np.array([tile["corners"] for tile in truth["tiles"]], np.float32).reshape(-1, 4, 2)
    for zoom in _ZOOMS:
        found = finder.find_at(image, zoom * LEARNT_SIDE / SIDE).quads
        false = np.array([q.mean(axis=0) for q in found if covered(q, quads) < _MOST_OVERLAP]).reshape(-1, 2) * zoom
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
