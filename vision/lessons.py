"""Teaching: one picture of an owner's tiles more, what was learnt from it, and what is still missing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.table import Quad
from referee.tiles import Tile
from vision.faces import Aligned, FaceNetworks, Faces
from vision.likeness import Prints, Prototypes, TaughtFaces
from vision.lines import find_lines
from vision.patches import Picture, Quads, as_quad, cut_patches
from vision.prints import flat_faces
from vision.reader import TableReader
from vision.rows import find_rows
from vision.spread import Known, Labelled, Misplaced, Seen, Spread, understand
from vision.tabletop import plane_from_tiles
from vision.tileset import KEPT, TaughtTile, TileSet

LEAST_LONG_SIDE_PX = 36
"""Tiles smaller than this in a picture teach little."""
_LEAST_PRESENCE, _LONG_ROW, _CROOKED = 0.8, 5, 0.12
_ENOUGH_TO_READ_WITH = 26
"""A set with so many tiles already helps to read the next picture of it."""


class RemarkCode(StrEnum):
    """What the owner should know of a picture."""

    NO_TILES = "no_tiles"
    NO_ROWS = "no_rows"
    MISPLACED = "misplaced"
    UNKNOWN = "unknown"
    TOO_SMALL = "too_small"


@dataclass(frozen=True)
class Remark:
    """One thing about one picture: of `misplaced` what should lie there and what it looks like; else a count.

    `count`: of `unknown` how many tiles, of `too_small` how many pixels long the tiles are.
    """

    code: RemarkCode
    expected: Tile | None = None
    looks: Tile | None = None
    count: int = 0


class Status(StrEnum):
    """What became of a tile of a picture."""

    LEARNT = "learnt"
    MISPLACED = "misplaced"
    UNKNOWN = "unknown"
    BACK = "back"


class SeenInLesson(NamedTuple):
    """A tile of a picture: its corners in pixels, top-left first as it is read; what it is (None: a back, unknown)."""

    corners: Quad
    face: Tile | None
    status: Status


@dataclass(frozen=True, eq=False)
class Lesson:
    """What one picture gave: the set with what was learnt, the tiles in the picture, and remarks about it."""

    tileset: TileSet
    tiles: tuple[SeenInLesson, ...]
    remarks: tuple[Remark, ...]


def teach(tileset: TileSet, picture: Picture, reader: TableReader) -> Lesson:
    """Learn from one picture (h, w, 3) BGR of the set laid out.

    The more of the set is known, the less must be laid out: of a set that misses a tile or two, those alone will do.
    """
    look = reader.look(picture)
    aligned = look.aligned.take(like_tiles(look.aligned.quads, look.evidence.presence))
    quads = aligned.quads
    seen = _seen(picture, aligned, _networks(tileset, reader.networks))
    known = Known(tileset.inks, frozenset(tileset.missing))
    spread = understand(find_lines(quads), seen, known) if len(quads) else Spread()
    taught = [
        *_taught(picture, quads, spread.tiles, tileset.photos),
        *_backs(picture, look.backs.quads, tileset.photos),
    ]
    remarks = tuple(_remarks(quads, spread))
    return Lesson(tileset.seen(taught), _told(quads, spread, look.backs.quads), remarks)


def like_tiles(quads: Quads, presence: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Say which quads (n, 4, 2) have the sides of the tiles that lie in rows; a pattern of the table-top has not."""
    there = presence >= _LEAST_PRESENCE
    rows = [row for row in find_rows(quads[there]) if len(row) >= _LONG_ROW] if there.any() else []
    if not rows:
        return there
    in_rows = np.flatnonzero(there)[[i for row in rows for i in row]]
    plane = plane_from_tiles(quads[in_rows])
    return np.asarray(there & (plane.misfits(quads) < _CROOKED))


def _networks(tileset: TileSet, networks: FaceNetworks) -> FaceNetworks:
    """Give networks that read with what is known of the set, where that is enough."""
    if tileset.faces.total() < _ENOUGH_TO_READ_WITH:
        return networks
    return TaughtFaces.of(networks, [Prototypes.of(tileset, networks)], named=True)


def _seen(picture: Picture, aligned: Aligned, networks: FaceNetworks) -> Seen:
    """Read all tiles both ways up."""
    either = replace(aligned, upright=np.full(len(aligned.quads), 0.5, np.float32))
    faces = networks.read(picture, either)
    return Seen(_leaning(faces, aligned.upright), Prints.of(flat_faces(picture, aligned.quads)))


def _leaning(faces: Faces, upright: NDArray[np.float32]) -> Faces:
    """Weigh in again what the aligner says of the way up."""
    ways = faces.ways * np.clip(np.stack([upright, 1 - upright], 1), 1e-3, 1)
    return Faces(ways / ways.sum(1, keepdims=True), faces.given_way)


def _taught(picture: Picture, quads: Quads, labels: Sequence[Labelled], photo: int) -> list[TaughtTile]:
    upright = [np.roll(quads[one.place], 2 * one.turned, axis=0) for one in labels]
    patches = cut_patches(picture, np.array(upright, np.float32).reshape(-1, 4, 2), KEPT)
    return [TaughtTile(one.face, patch, photo) for one, patch in zip(labels, patches, strict=True)]


def _backs(picture: Picture, quads: Quads, photo: int) -> list[TaughtTile]:
    return [TaughtTile(None, patch, photo) for patch in cut_patches(picture, quads, KEPT)]


def _remarks(quads: Quads, spread: Spread) -> list[Remark]:
    if not len(quads):
        return [Remark(RemarkCode.NO_TILES)]
    found = [Remark(RemarkCode.MISPLACED, one.expected, one.looks) for one in spread.misplaced]
    if not spread.tiles:
        found.append(Remark(RemarkCode.NO_ROWS, count=len(quads)))
    elif spread.unknown:
        found.append(Remark(RemarkCode.UNKNOWN, count=len(spread.unknown)))
    long_side = int(np.median(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)))
    return [*found, Remark(RemarkCode.TOO_SMALL, count=long_side)] if long_side < LEAST_LONG_SIDE_PX else found


def _told(quads: Quads, spread: Spread, backs: Quads) -> tuple[SeenInLesson, ...]:
    told = [_learnt(quads, one) for one in spread.tiles] + [_misplaced(quads, one) for one in spread.misplaced]
    told += [SeenInLesson(as_quad(quads[place]), None, Status.UNKNOWN) for place in spread.unknown]
    return (*told, *(SeenInLesson(as_quad(quad), None, Status.BACK) for quad in backs))


def _learnt(quads: Quads, one: Labelled) -> SeenInLesson:
    return SeenInLesson(as_quad(np.roll(quads[one.place], 2 * one.turned, axis=0)), one.face, Status.LEARNT)


def _misplaced(quads: Quads, one: Misplaced) -> SeenInLesson:
    return SeenInLesson(as_quad(quads[one.place]), one.expected, Status.MISPLACED)
