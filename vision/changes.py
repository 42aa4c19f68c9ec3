"""Reading only what changed: most of a table lies as it lay in the last picture, and what was seen of it still holds.

The picture is compared, in cells of a few pixels and after the change of light that is common to all, with what was
last looked at in each place. Where nothing changed, tiles keep their evidence; the networks see the rest alone. A tile
that lies still but was not read surely is read again, and its looks are joined (`vision.looks`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table import Quad
from vision.detector import Boxes
from vision.faces import Faces
from vision.looks import joined_faces
from vision.patches import Picture, Quads, apart
from vision.reader import SAME_PLACE, Look, TableReader, inside
from vision.rows import lay_out
from vision.tabletop import Plane

_CELLS_ACROSS = 480
_LEAST_CHANGE, _TIMES_USUAL = 5.0, 5.0
"""A cell changed where it differs by so many levels, and by so many times the median (the camera's noise)."""
_TOO_MUCH = 0.35
_MOST_TOUCHED = 0.6
"""Where more of the picture, or of the tiles, changed, the camera or the light did: all is looked at anew."""
_INNER = (np.stack(np.meshgrid(np.linspace(0.06, 0.94, 12), np.linspace(0.06, 0.94, 16)), -1)).reshape(-1, 2)
_LONG_SIDE = 32.0
_SURE = 0.99
_MOST_AGAIN, _MOST_LOOKS = 6, 8
"""So many unsure tiles are read again with each picture, each so often in all."""
_ENOUGH_FOR_PLANE = 8


class Changes(NamedTuple):
    """What differs between two pictures: `mask` over cells (h, w), of `cell` pixels (across, down) each."""

    mask: NDArray[np.bool_]
    cell: NDArray[np.float64]

    @property
    def share(self) -> float:
        """The part of the picture that changed."""
        return float(self.mask.mean())

    def touch(self, quads: Quads) -> NDArray[np.bool_]:
        """Say which quads (n, 4, 2), in pixels, hold a changed cell; their rims do not count."""
        if not len(quads):
            return np.zeros(0, bool)
        u, v = _INNER[:, 0], _INNER[:, 1]
        weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v])
        points = np.einsum("kp,nkc->npc", weights, quads.astype(float)) / self.cell
        x, y = np.clip(points.astype(int), 0, np.array(self.mask.shape[::-1]) - 1).transpose(2, 0, 1)
        touched: NDArray[np.bool_] = self.mask[y, x].any(axis=1)
        return touched

    def regions(self, margin: float) -> Iterator[tuple[slice, slice]]:
        """Give rectangles of the picture, in pixels (rows, columns), `margin` wider than what changed in them."""
        reach = np.ceil(margin / self.cell).astype(int)
        wide = cv2.dilate(self.mask.astype(np.uint8), np.ones(2 * reach[::-1] + 1, np.uint8))
        for x, y, w, h, _ in cv2.connectedComponentsWithStats(wide)[2][1:].tolist():
            (left, top), (right, bottom) = (np.array([x, y]) * self.cell), np.array([x + w, y + h]) * self.cell
            yield slice(int(top), int(np.ceil(bottom))), slice(int(left), int(np.ceil(right)))


@dataclass(frozen=True, eq=False)
class Seen:
    """What is known from the pictures so far; hand it back with the next one.

    `cells`: (h, w, 3) what was last looked at in each place, in today's light. `looks` (n,): how often each face-up
    tile was read. `plane`: the table's, where enough tiles lie on it. `changed`: the share of the picture that the last
    one changed, 1 where all was looked at anew.
    """

    look: Look
    looks: NDArray[np.int64]
    cells: NDArray[np.float32]
    shape: tuple[int, ...]
    area: Quad | None = None
    plane: Plane | None = None
    changed: float = 1.0

    @classmethod
    def at_first(cls, reader: TableReader, image: Picture, area: Quad | None) -> Self:
        """Look at everything."""
        look = reader.look(image, area)
        look = look.with_face_up(look.credible)
        return cls(look, np.ones(len(look), np.int64), _cells(image), image.shape, area, _plane(look))

    def changes(self, image: Picture) -> tuple[Changes, NDArray[np.float32]]:
        """Compare with a new picture; give also the cells to compare the next one with."""
        new = _cells(image)
        light = np.median((new[::3, ::3] + 4) / (self.cells[::3, ::3] + 4), axis=(0, 1))
        old = self.cells * light.astype(np.float32)
        blue, green, red = cv2.split(cv2.absdiff(new, old))
        differences = cv2.blur(cv2.max(cv2.max(blue, green), red), (3, 3))
        mask = differences > _LEAST_CHANGE + _TIMES_USUAL * float(np.median(differences[::2, ::2]))
        cell = np.array(image.shape[1::-1]) / np.array(new.shape[1::-1])
        return Changes(mask, cell), np.where(mask[..., None], new, old)


def look_again(reader: TableReader, image: Picture, seen: Seen | None, area: Quad | None = None) -> Seen:
    """Look at what changed since the picture before, from a camera that stands still.

    Args:
        reader: looks at what changed.
        image: the picture (h, w, 3) BGR.
        seen: what came of the picture before; None where all is to be looked at anew. That is done unasked where the
            size or the area is another, or a large part of the picture changed.
        area: the corners of the playing area in pixels; what lies outside is left out.
    """
    if seen is None or seen.shape != image.shape or seen.area != area:
        return Seen.at_first(reader, image, area)
    changes, cells = seen.changes(image)
    touched = changes.touch(seen.look.aligned.quads)
    if changes.share > _TOO_MUCH or touched.sum() > _MOST_TOUCHED * len(touched):
        return Seen.at_first(reader, image, area)
    stayed = replace(seen, cells=cells, changed=changes.share)
    if changes.mask.any():
        stayed = _changed(reader, image, stayed, changes)
    return _closer(reader, image, stayed)


def _changed(reader: TableReader, image: Picture, seen: Seen, changes: Changes) -> Seen:
    """Forget what changed, and look there again."""
    old = seen.look
    stays, backs = ~changes.touch(old.aligned.quads), ~changes.touch(old.backs.quads)
    kept = old.take(stays, backs)
    boxes = inside(_found(reader, image, changes, old), seen.area)
    forgotten = old.take(~stays, ~backs).places  # a tile that was hardly touched may be found a hair's breadth away
    boxes = boxes.take(changes.touch(boxes.quads) | ~apart(boxes.quads, forgotten, SAME_PLACE))
    if stays.all() and backs.all() and not len(boxes):
        return seen
    new = reader.look_at(image, boxes, kept.places)
    free = apart(new.aligned.quads, kept.places, SAME_PLACE)
    look = kept.joined(new.take(free, apart(new.backs.quads, kept.places, SAME_PLACE)))
    looks = np.append(seen.looks[stays], np.ones(int(free.sum()), np.int64))
    credible = look.credible
    look = look.with_face_up(credible)
    return replace(seen, look=look, looks=looks[credible], plane=_plane(look))


def _plane(look: Look) -> Plane | None:
    """Fit the table's plane to what is surely a tile; None where that is too little."""
    quads = look.aligned.quads[look.firm]
    return lay_out(quads).plane if len(quads) >= _ENOUGH_FOR_PLANE else None


def _found(reader: TableReader, image: Picture, changes: Changes, old: Look) -> Boxes:
    """Find tiles where something changed, looking at the size of picture that suited the tiles before."""
    long = float(np.median(old.long_sides)) if len(old) else float(max(image.shape)) / 24
    scale = min(1.0, _LONG_SIDE / long)
    found = Boxes.none()
    for rows, columns in changes.regions(long):
        part = image[rows, columns]
        small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        ratio = np.array(part.shape[1::-1]) / np.array(small.shape[1::-1])
        boxes = reader.finder.find(small)
        quads = np.asarray(boxes.quads * ratio + (columns.start, rows.start), np.float32)
        found = found.joined(replace(boxes, quads=quads))
    return found


def _closer(reader: TableReader, image: Picture, seen: Seen) -> Seen:
    """Read unsure tiles that lie still once more, and join their looks."""
    sure = seen.look.faces.faces.max(1, initial=0.0)
    again = (sure < _SURE) & (seen.looks < _MOST_LOOKS)
    chosen = np.flatnonzero(again)[np.argsort(seen.looks[again], kind="stable")][:_MOST_AGAIN]
    if not len(chosen):
        return seen
    faces = seen.look.faces
    read = reader.networks.read(image, seen.look.aligned.take(chosen))
    joined = joined_faces(faces.take(chosen), read, seen.looks[chosen])
    ways, given, looks = faces.ways.copy(), faces.given_way.copy(), seen.looks.copy()
    ways[chosen], given[chosen] = joined.ways, joined.given_way
    looks[chosen] += 1
    return replace(seen, look=replace(seen.look, faces=Faces(ways, given)), looks=looks)


def _cells(image: Picture) -> NDArray[np.float32]:
    height, width = image.shape[:2]
    scale = min(1.0, _CELLS_ACROSS / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)
