"""The truth of a rendered picture, in the fields of the photographs' truth files."""

from typing import Any

import cv2
import numpy as np

from models.render.placement import Placement, Poses, corners
from models.render.scene import Scene
from referee.table import Where

YOLO_LEAST_VISIBLE = 0.4
YOLO_LEAST_INSIDE = 0.5
LEAST_VISIBLE = 0.02
"""Of tiles that show less there is no word in the truth."""


def truth_of(scene: Scene, owner: np.ndarray) -> dict[str, Any]:
    """Work out what a picture shows.

    Args:
        scene: what was drawn.
        owner: (h, w), which tile shows where, i + 1 for the i-th placement, through a lens without distortion.

    Returns:
        `tiles` with corners in pixels of the picture, the share that is visible (of the whole face, the part out of
        the frame included as hidden), and the pose; `melds` as indices in reading order, rows from top to bottom.
    """
    w, h = scene.camera.size
    shown = np.bincount(owner.ravel(), minlength=len(scene.placements) + 1)[1:]
    flat = Poses.of(scene.placements, scene.edition.ratio).outlines(
        corners(scene.edition.ratio), scene.edition.thickness
    )
    ideal = scene.camera.project_ideal(flat)
    tiles: list[dict[str, Any]] = []
    index: dict[int, int] = {}
    for i, placement in enumerate(scene.placements):
        area = cv2.contourArea(ideal[i].astype(np.float32))
        visible = min(1.0, int(shown[i]) / max(area, 1.0))
        if visible >= LEAST_VISIBLE:
            index[i] = len(tiles)
            tiles.append(_tile(placement, scene.camera.distort(ideal[i]), visible, (w, h)))
    return {
        "image": "",
        "width": w,
        "height": h,
        "source": "models.render",
        "licence": "AGPL-3.0-or-later",
        "scene": scene.layout,
        "set": scene.edition.digits.font,
        "seed": scene.seed,
        "tiles": tiles,
        "melds": _melds(scene, index, tiles),
        "melds_labelled": scene.melds_labelled,
        "spec": scene.record(),
    }


def _tile(p: Placement, quad: np.ndarray, visible: float, size: tuple[int, int]) -> dict[str, Any]:
    """Describe one tile."""
    record: dict[str, Any] = {
        "corners": np.round(quad, 2).tolist(),
        "tile": "back" if p.back else str(p.tile),
        "where": str(p.where),
        "visible": round(visible, 3),
        "pose": [round(float(v), 4) for v in (p.x, p.y, p.angle, p.height, p.lean)],
    }
    if (quad < -0.5).any() or (quad > np.array(size) - 0.5).any():
        record["cut_by_frame"] = True
    return record


def _melds(scene: Scene, index: dict[int, int], tiles: list[dict[str, Any]]) -> list[list[int]]:
    rows: dict[int, list[int]] = {}
    loose = -1
    for i, p in enumerate(scene.placements):
        if i not in index or p.back or p.where is not Where.TABLE:
            continue
        if p.row is None:
            rows[loose] = [index[i]]
            loose -= 1
        else:
            rows.setdefault(p.row, []).append(index[i])

    def first(row: list[int]) -> tuple[float, float]:
        x, y = np.mean(tiles[row[0]]["corners"], axis=0)
        return (float(y), float(x))

    return sorted(rows.values(), key=first)


def yolo_lines(truth: dict[str, Any]) -> list[str]:
    """Give the labels of a picture for oriented boxes: class (0 face up, 1 face down) and corners from 0 to 1.

    Left out are tiles of which too little shows (YOLO_LEAST_VISIBLE) and those cut beyond half by the frame.
    """
    size = np.array([truth["width"], truth["height"]], float)
    lines = []
    for tile in truth["tiles"]:
        corners = np.array(tile["corners"])
        if tile["visible"] < YOLO_LEAST_VISIBLE or share_inside(corners, size) < YOLO_LEAST_INSIDE:
            continue
        numbers = " ".join(f"{v:.6f}" for v in np.clip(corners / size, 0, 1).ravel())
        lines.append(f"{int(tile['tile'] == 'back')} {numbers}")
    return lines


def share_inside(corners: np.ndarray, size: np.ndarray) -> float:
    """Give the share of a quadrilateral's area that lies in the frame."""
    w, h = size
    frame = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    inside, _ = cv2.intersectConvexConvex(corners.astype(np.float32), frame)
    return float(inside / max(cv2.contourArea(corners.astype(np.float32)), 1e-6))
