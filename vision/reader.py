"""Reading a table: from one picture to a `TableReading`, through every stage of `vision`.

picture → boxes (`detector`) → corners, way up, number and ink (`faces`) → rows (`rows`) → the most probable table
(`decode`).
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table import Choice, Quad, SeenTile, Table, TableReading, Where
from vision.detector import Boxes, Detector, Finder
from vision.engine import OnnxNetwork, checked_weights, weights_folder
from vision.errors import ModelError
from vision.faces import FACES, Aligned, Calibration, FaceNetworks, Faces
from vision.patches import Picture, Quads
from vision.rows import Layout, lay_out

_MOST_CHOICES = 5
_LEAST_PRESENCE = 0.3
_SAME_PLACE = 0.45
_LEAST_CHOICE = 0.0005


@dataclass(frozen=True)
class Look:
    """What the networks make of one picture, before any rule is asked: face-up tiles, and face-down ones apart.

    `presence` (n,): the probability that there is a face-up tile at all.
    """

    aligned: Aligned
    faces: Faces
    presence: NDArray[np.float32]
    backs: Boxes

    def __len__(self) -> int:
        return len(self.presence)


@dataclass(frozen=True)
class TableReader:
    """Reads pictures of tables. `decodes`: whether rules and inventory help, or each tile is taken alone."""

    finder: Finder
    networks: FaceNetworks
    decodes: bool = True

    def read(self, image: Picture, *, last: Table | None = None, area: Quad | None = None) -> TableReading:
        """Read one picture (h, w, 3) BGR.

        Args:
            image: the picture.
            last: the table as it last was, where that is known.
            area: the corners of the playing area in pixels; what lies outside is left out.
        """
        look = self.look(image, area)
        layout = lay_out(look.aligned.quads)
        return _plain(look, layout)

    def look(self, image: Picture, area: Quad | None = None) -> Look:
        """Find the tiles of a picture (h, w, 3) BGR and say what each may be."""
        boxes = self.finder.find(image)
        if area is not None:
            boxes = boxes.take(_inside(boxes.quads, area))
        aligned = self.networks.align(image, boxes.quads)
        up = aligned.kinds[:, 0]
        down = ~boxes.face_down & (aligned.kinds[:, 1] > up) | boxes.face_down & (aligned.kinds[:, 1] >= up)
        kept = _one_each(aligned.quads, boxes.scores)
        face_up = kept & ~down & (up >= _LEAST_PRESENCE)
        tiles = Aligned(aligned.quads[face_up], aligned.upright[face_up], aligned.kinds[face_up])
        faces = self.networks.read(image, tiles)
        return Look(tiles, faces, up[face_up], _moved(boxes, aligned.quads).take(kept & down))


def load_reader(weights: Path | None = None, finder: Finder | None = None) -> TableReader:
    """Load the networks.

    Args:
        weights: a folder of ONNX files with their `weights.json`, or one ONNX file of another detector; the bundled
            weights where None.
        finder: another detector, in place of the file's.

    Raises:
        ModelError: weights are missing, corrupt or of another kind.
    """
    folder = weights if weights is not None and weights.is_dir() else weights_folder()
    if finder is None:
        single = weights is not None and not weights.is_dir()
        finder = Detector(OnnxNetwork(_existing(weights) if single else checked_weights("detector.onnx", folder)))
    aligner, reader = (OnnxNetwork(checked_weights(name, folder)) for name in ("aligner.onnx", "faces.onnx"))
    return TableReader(finder, FaceNetworks(aligner, reader, Calibration()))


def _existing(path: Path | None) -> Path:
    if path is None or not path.is_file():
        msg = f"there are no weights {path}; leave --weights out to use the bundled ones"
        raise ModelError(msg)
    return path


def _inside(quads: Quads, area: Quad) -> NDArray[np.bool_]:
    """Which tiles (n, 4, 2) have their centre in the playing area."""
    outline = np.array(area, np.float32)
    return np.array([cv2.pointPolygonTest(outline, q.mean(0).tolist(), measureDist=False) >= 0 for q in quads], bool)


def _one_each(quads: Quads, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Of quads that came to lie on one tile, keep the one whose box was the surest."""
    kept = np.ones(len(quads), bool)
    centres, sides = quads.mean(1), np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    for i in np.argsort(-scores):
        near = np.linalg.norm(centres - centres[i], axis=1) < _SAME_PLACE * sides[i]
        kept[near & (scores < scores[i]) & kept[i]] = False
    return kept


def _moved(boxes: Boxes, quads: Quads) -> Boxes:
    return Boxes(quads, boxes.scores, boxes.face_down)


def _plain(look: Look, layout: Layout) -> TableReading:
    """The reading with each tile taken alone."""
    faces = look.faces.faces * look.presence[:, None]
    turned = look.faces.ways[:, 1] > look.faces.ways[:, 0]
    quads = np.where(turned[:, None, None], np.roll(look.aligned.quads, 2, axis=1), look.aligned.quads)
    tiles = [
        SeenTile(_quad(q), _choices(f), presence=float(p)) for q, f, p in zip(quads, faces, look.presence, strict=True)
    ]
    return TableReading((*tiles, *_backs(look.backs)), layout.rows)


def _backs(backs: Boxes) -> tuple[SeenTile, ...]:
    return tuple(
        SeenTile(_quad(q), where=Where.POOL, back=True, presence=float(s))
        for q, s in zip(backs.quads, backs.scores, strict=True)
    )


def _choices(probabilities: NDArray[np.float32]) -> tuple[Choice, ...]:
    best = np.argsort(-probabilities)[:_MOST_CHOICES]
    return tuple(Choice(FACES[i], float(probabilities[i])) for i in best if probabilities[i] >= _LEAST_CHOICE)


def _quad(corners: Quads) -> Quad:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)
