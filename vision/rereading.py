"""Reading a table that is known in part: what lies as it lay keeps its face, and only the rest is looked at."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.table import Quad, Table, TableReading
from referee.tiles import Tile
from vision.bare import Before, hidden
from vision.decode import Evidence
from vision.detector import Boxes, Finder
from vision.faces import FACES
from vision.frames import Picture
from vision.patches import Quads, overlap
from vision.reader import TableReader, seen_backs
from vision.remembered import (
    FoundAgain,
    Remembered,
    as_now,
    at_places,
    find_again,
    found_by_constellation,
    made_certain,
)
from vision.rows import lay_out
from vision.telling import Known, read_table

_SAME_PLACE = 0.25
_CERTAIN = 1 - 1e-7
_PLACE = {face: index for index, face in enumerate(FACES)}


class Reread(NamedTuple):
    """A reading, the tiles of it that are known for certain (index and face), and how it stands with the camera.

    `shifted`: the camera looks from elsewhere, and the known tiles were found again. `lost`: they were not.
    """

    reading: TableReading
    known: dict[int, Tile]
    shifted: bool = False
    lost: bool = False


@dataclass(frozen=True)
class Game:
    """What is known when a table is read: the table as the turn began, and the playing area in pixels."""

    last: Table | None = None
    area: Quad | None = None


def read_again(reader: TableReader, picture: Picture, remembered: Remembered, game: Game) -> Reread:
    """Read a picture of a table of which something is known."""
    found = find_again(remembered, picture)
    if not found.lost:
        return _read_the_rest(reader, picture, (remembered, found), game)
    reading = reader.read(picture, last=game.last, area=game.area)
    again = found_by_constellation(remembered, reading)
    if again is None:
        return Reread(reading, {}, lost=True)
    known = _faces_at(reading, remembered, again)
    quads = np.array([tile.corners for tile in reading.tiles if not tile.back], np.float32).reshape(-1, 4, 2)
    unseen = _unseen((remembered, again), picture, quads, game.last)
    return Reread(replace(made_certain(reading, known), unseen=unseen), known, shifted=True)


def _read_the_rest(reader: TableReader, picture: Picture, of: tuple[Remembered, FoundAgain], game: Game) -> Reread:
    remembered, found = of
    elsewhere = replace(reader, finder=_Elsewhere(reader.finder, found.known))
    look = elsewhere.look(picture, game.area)
    new = np.flatnonzero(_apart(look.aligned.quads, found.known))
    faces = [face for face, there in zip(remembered.faces, found.there, strict=True) if there]
    quads = np.concatenate([found.known, look.aligned.quads[new]])
    evidence = _joined(faces, look.evidence, new)
    reading = read_table(quads, evidence, lay_out(quads), Known(reader.inventory, game.last, reader.preference))
    reading = replace(reading, tiles=(*reading.tiles, *seen_backs(look.backs)))
    certain = made_certain(reading, dict(enumerate(faces)))
    certain = replace(certain, unseen=_unseen(of, picture, quads, game.last))
    return Reread(certain, dict(enumerate(faces)), shifted=found.mapping is not None)


@dataclass(frozen=True)
class _Elsewhere:
    """Finds tiles but for those in known places."""

    finder: Finder
    places: Quads

    def find(self, image: Picture) -> Boxes:
        boxes = self.finder.find(image)
        return boxes.take(_apart(boxes.quads, self.places))


def _apart(quads: Quads, places: Quads) -> NDArray[np.bool_]:
    """Say which quads (n, 4, 2) are not one of the places (k, 4, 2)."""
    apart = np.ones(len(quads), bool)
    if not len(places) or not len(quads):
        return apart
    middles, long = places.mean(axis=1), np.linalg.norm(places[:, 3] - places[:, 0], axis=1)
    distances = np.linalg.norm(quads.mean(axis=1)[:, None] - middles, axis=2)
    for i, j in np.argwhere(distances < long):
        apart[i] &= overlap(quads[i], places[j]) < _SAME_PLACE
    return apart


def _joined(faces: list[Tile], evidence: Evidence, new: NDArray[np.intp]) -> Evidence:
    """Put known faces before what the other tiles look like."""
    joint = np.full((len(faces), 2, len(FACES)), (1 - _CERTAIN) / (2 * len(FACES)))
    joint[np.arange(len(faces)), 0, [_PLACE[face] for face in faces]] += _CERTAIN
    presence = np.concatenate([np.ones(len(faces)), evidence.presence[new]])
    return Evidence(np.concatenate([joint, evidence.joint[new]]), presence)


def _unseen(of: tuple[Remembered, FoundAgain], picture: Picture, quads: Quads, last: Table | None) -> tuple[Tile, ...]:
    """Give the tiles of the last table that lie in their place no longer, and may be hidden all the same."""
    remembered, found = of
    before = Before(as_now(remembered, found, picture), found.quads)
    gone = hidden(before, Before(picture, quads), ~found.there)
    nowhere = Counter() if last is None else last.tiles - Counter(remembered.faces)
    return (
        *(face for face, doubtful in zip(remembered.faces, gone, strict=True) if doubtful),
        *nowhere.elements(),
    )


def _faces_at(reading: TableReading, remembered: Remembered, found: FoundAgain) -> dict[int, Tile]:
    """Say which tiles of a reading are known, by where they lie."""
    places = np.flatnonzero(found.there)
    on_table = set(chain.from_iterable(reading.melds))
    pairs = at_places(reading.tiles, found.quads[places]).items()
    return {tile: remembered.faces[places[place]] for place, tile in pairs if tile in on_table}
