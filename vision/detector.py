"""Finding the tiles: oriented boxes from one network, at the size of picture at which tiles suit it.

Boxes say where a tile lies and how its sides run, not which way up it is: that is the aligner's and the reader's part.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.engine import Network
from vision.patches import Picture, Quads

STRIDE = 32
FIRST_SIDE = 640
"""The long side, in pixels, of the picture at the first look."""
_LARGEST_SIDE = 1920
_LARGEST_SCALE = 2.0
_SUITED = (12.0, 60.0)
_BEST_LONG_SIDE = 28.0
_CONVINCING = 0.6
"""A look whose median score is at least this, at a size of tiles that suits, needs no other."""
_FEW_SURE = 3.0
"""Evidence of a few sure tiles."""
_SMALL, _STILL_SMALL = 10.0, 14.0
"""Sizes in pixels of the looked-at picture: of tiles it shows too small, and of those that are better seen nearer."""
_SURE_ENOUGH = 0.4
"""A small tile with this score is worth a look from nearer."""
_BEST_SIZE, _AROUND = 24.0, 6.0
"""How large, in pixels, a small tile shall be from nearer, and how many tiles' sizes around it are looked at too."""
_NEARER = 1.3
"""From so much nearer at least, or the second look would show nothing new."""
_FROM_AFAR = 0.5
"""The score of a tile is halved where it was found in the look that suits its size less."""
MOST_ANCHORS, MOST_BOXES = 3000, 300
"""More than all tiles of two sets; a chequered cloth gives thousands of places that look a little like one."""


@dataclass(frozen=True)
class Boxes:
    """Found tiles: `quads` (n, 4, 2) in pixels of the picture, clockwise, the first side a short one; best first.

    `scores` (n,) from 0 to 1; `face_down` (n,).
    """

    quads: Quads
    scores: NDArray[np.float32]
    face_down: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, index: NDArray) -> "Boxes":
        """Give some of the boxes, by index or mask."""
        return Boxes(self.quads[index], self.scores[index], self.face_down[index])

    @classmethod
    def none(cls) -> "Boxes":
        """Give no boxes."""
        return cls.at(np.empty((0, 4, 2), np.float32), 0.0)

    @classmethod
    def at(cls, quads: Quads, score: float) -> "Boxes":
        """Give boxes (n, 4, 2) face up that all have one score."""
        return cls(quads, np.full(len(quads), score, np.float32), np.zeros(len(quads), bool))

    def joined(self, other: "Boxes") -> "Boxes":
        """Put others behind these."""
        both = zip(*((b.quads, b.scores, b.face_down) for b in (self, other)), strict=True)
        return Boxes(*map(np.concatenate, both))

    @property
    def long_sides(self) -> NDArray[np.float32]:
        """The long side of each in pixels (n,)."""
        return np.linalg.norm(self.quads[:, 3] - self.quads[:, 0], axis=1)

    @property
    def sizes(self) -> NDArray[np.float32]:
        """The side in pixels of a square as large as each (n,)."""
        return np.sqrt(self.long_sides * np.linalg.norm(self.quads[:, 1] - self.quads[:, 0], axis=1))


class Finder(Protocol):
    """Anything that finds tiles in a picture."""

    def find(self, image: Picture) -> Boxes:
        """Find the tiles of a picture (h, w, 3) BGR."""
        ...


@dataclass(frozen=True)
class Detector:
    """Finds tiles with a network that gives (n, 7, anchors): x, y, width, height, two class scores, angle."""

    network: Network
    least_score: float = 0.25
    overlap: float = 0.6

    def find(self, image: Picture) -> Boxes:
        """Find the tiles of a picture (h, w, 3) BGR.

        The first look tells how large the tiles are. Where it does not convince, the picture is looked at half and
        twice as large too, and then at the size at which the tiles suit the network best.
        """
        return self._nearer_at_small_ones(image, self._best_look(image))

    def _best_look(self, image: Picture) -> "_Look":
        first = _Look.of(self, image, min(1.0, FIRST_SIDE / max(image.shape[:2])))
        if first.convinces:
            return first
        looks = [first, *(_Look.of(self, image, s) for s in (first.scale / 2, _possible(image, first.scale * 2)))]
        best = max(looks, key=_Look.credit)
        if not best.evidence:
            return best
        suited = _Look.of(self, image, _possible(image, _BEST_LONG_SIDE / best.long_side))
        return max(best, suited, key=_Look.credit)

    def _nearer_at_small_ones(self, image: Picture, look: "_Look") -> Boxes:
        """Look again at the part of the picture whose tiles are too small for the network, as at a table's far end."""
        boxes = look.boxes
        small = (boxes.sizes * look.scale < _SMALL) & (boxes.scores >= _SURE_ENOUGH)
        if not small.any():
            return boxes
        size = float(np.median(boxes.sizes[small]))
        left, top, right, bottom = _around(boxes.quads[small], _AROUND * size, image)
        part = image[top:bottom, left:right]
        scale = min(_BEST_SIZE / size, _LARGEST_SCALE, _LARGEST_SIDE / max(part.shape[:2]))
        if scale < look.scale * _NEARER:
            return boxes
        nearer = _Look.of(self, part, scale)
        if nearer.sees_a_pattern:
            return boxes
        found = replace(nearer.boxes, quads=nearer.boxes.quads + np.array([left, top], np.float32))
        return _joined(boxes, found, look.scale, self.overlap)

    def find_at(self, image: Picture, scale: float) -> Boxes:
        """Find the tiles with the picture scaled by `scale`."""
        batch, ratio = _network_input(image, scale)
        raw = self.network.run(batch)[0][0]
        found = _strong(raw, self.least_score)
        kept = _without_overlaps(found, self.overlap)
        return _as_boxes(found[:, kept], ratio)


@dataclass(frozen=True)
class _Look:
    """What was found with the picture scaled by `scale`."""

    boxes: Boxes
    scale: float

    @classmethod
    def of(cls, detector: Detector, image: Picture, scale: float) -> "_Look":
        return cls(detector.find_at(image, scale), scale)

    @property
    def long_side(self) -> float:
        """The median long side in pixels of the picture, of the boxes of a size that suits the network."""
        return float(np.median(self.boxes.long_sides[self._suited]))

    @property
    def evidence(self) -> float:
        """How much speaks for tiles of a size that suits the network: a few sure ones outweigh many half sure ones.

        The grain of wood, looked at from too near, gives a hundred boxes with scores of a half.
        """
        return float((np.maximum(2 * self.boxes.scores[self._suited] - 1, 0) ** 3).sum())

    def credit(self) -> tuple[bool, float]:
        """Give what looks are compared by: a pattern is believed only where no other look shows a few sure tiles."""
        return not self.sees_a_pattern and self.evidence > _FEW_SURE, self.evidence

    @property
    def sees_a_pattern(self) -> bool:
        """Whether there are more boxes than two sets have tiles, as a chequered cloth seen from too near gives."""
        return len(self.boxes) >= MOST_BOXES

    @property
    def convinces(self) -> bool:
        if self.sees_a_pattern:
            return False
        suited = self._suited
        return bool(suited.mean() > 0.8 and np.median(self.boxes.scores) >= _CONVINCING) if len(suited) else False

    @property
    def _suited(self) -> NDArray[np.bool_]:
        seen = self.boxes.long_sides * self.scale
        return (seen > _SUITED[0]) & (seen < _SUITED[1])


def _around(quads: Quads, margin: float, image: Picture) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of a picture that holds quads and a margin around them."""
    low = np.maximum(quads.min((0, 1)) - margin, 0).astype(int)
    high = np.minimum(quads.max((0, 1)) + margin, image.shape[1::-1]).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _joined(boxes: Boxes, nearer: Boxes, scale: float, overlap: float) -> Boxes:
    """Join what was seen at `scale` with what was seen from nearer, where small tiles are seen best, others are not."""
    afar = boxes.scores * np.where(boxes.sizes * scale < _SMALL, _FROM_AFAR, 1)
    near = nearer.scores * np.where(nearer.sizes * scale < _STILL_SMALL, 1, _FROM_AFAR)
    weight = np.concatenate([afar, near])
    both = boxes.joined(nearer)
    kept = _suppressed([cv2.minAreaRect(quad) for quad in both.quads], weight, overlap)
    return both.take(kept[np.argsort(-both.scores[kept], kind="stable")][:MOST_BOXES])


def _possible(image: Picture, scale: float) -> float:
    return min(scale, _LARGEST_SCALE, _LARGEST_SIDE / max(image.shape[:2]))


def _network_input(image: Picture, scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The scaled picture, RGB in 0..1, padded to whole strides; and how much each axis was scaled."""
    size = np.maximum(np.round(np.array(image.shape[1::-1]) * scale), 1).astype(int)
    small = cv2.resize(image, size.tolist(), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    right, bottom = (-size) % STRIDE
    padded = cv2.copyMakeBorder(small, 0, int(bottom), 0, int(right), cv2.BORDER_CONSTANT, value=(114, 114, 114))
    batch = np.asarray(cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True), np.float32)
    return batch, (size / np.array(image.shape[1::-1])).astype(np.float32)


def _strong(raw: NDArray[np.float32], least: float) -> NDArray[np.float32]:
    """The anchors whose better class scores at least `least`, (7, n), best first, at most `MOST_ANCHORS`."""
    scores = raw[4:6].max(0)
    chosen = np.flatnonzero(scores >= least)
    return raw[:, chosen[np.argsort(-scores[chosen])[:MOST_ANCHORS]]]


def _without_overlaps(found: NDArray[np.float32], overlap: float) -> NDArray[np.int64]:
    """Non-maximum suppression of oriented boxes (7, n): the indices to keep, at most `MOST_BOXES`, best first."""
    if not found.shape[1]:
        return np.empty(0, np.int64)
    degrees = np.degrees(found[6])
    boxes = [((x, y), (w, h), a) for x, y, w, h, a in zip(*found[:4].tolist(), degrees.tolist(), strict=True)]
    return _suppressed(boxes, found[4:6].max(0), overlap)[:MOST_BOXES]


def _suppressed(
    rects: Sequence[cv2.typing.RotatedRect], scores: NDArray[np.float32], overlap: float
) -> NDArray[np.int64]:
    """Say which rectangles stay, as indices, best first: of those that overlap more the one with the highest score."""
    return np.array(cv2.dnn.NMSBoxesRotated(rects, scores.tolist(), 0.0, overlap), np.int64).reshape(-1)


def _as_boxes(found: NDArray[np.float32], ratio: NDArray[np.float32]) -> Boxes:
    quads = boxes_to_quads(found[:4].T, found[6]) / ratio
    return Boxes(quads.astype(np.float32), found[4:6].max(0), found[5] > found[4])


def boxes_to_quads(boxes: NDArray[np.float32], angles: NDArray[np.float32]) -> Quads:
    """Turn boxes (n, 4) of centre, width, height, and angles (n,) in radians into quads whose first side is short."""
    x, y, w, h = boxes.T
    angle = angles + np.where(w > h, np.pi / 2, 0)
    across = np.stack([np.cos(angle), np.sin(angle)], -1) * np.minimum(w, h)[:, None] / 2
    along = np.stack([-np.sin(angle), np.cos(angle)], -1) * np.maximum(w, h)[:, None] / 2
    centre = np.stack([x, y], -1)
    corners = [centre - across - along, centre + across - along, centre + across + along, centre - across + along]
    return np.stack(corners, 1).astype(np.float32)
