"""Reading a table that is known in part: what lies as it lay since it was judged has a face that is known.

The networks look at a table that was touched as a whole, and then at what changed since that look (`vision.changes`);
tiles in the places of a remembered table (`vision.remembered`) are what they were; and of those that lie there no
longer it is asked whether their place is bare (`vision.bare`).
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from referee.table import Quad, Table, TableReading
from referee.tiles import Tile
from vision.acquaintance import Acquaintance
from vision.advice import advice
from vision.bare import Since, come_since, hidden
from vision.changes import Seen, look_again
from vision.detector import Boxes
from vision.faces import FACES, Aligned, Faces
from vision.frames import JudgedPicture, Picture
from vision.likeness import TaughtFaces
from vision.patches import Quads, apart
from vision.reader import SAME_PLACE, Look, TableReader
from vision.remembered import (
    FoundAgain,
    Remembered,
    as_now,
    at_places,
    find_again,
    found_by_constellation,
    made_certain,
    remember,
    unchanged,
)
from vision.tabletop import Plane

_PLACE = {face: index for index, face in enumerate(FACES)}
_SURELY_READ = 0.98
_ALL_THE_SAME = 0.1
"""How likely a tile is what it was, though it reads otherwise now."""


@dataclass(frozen=True)
class Memory:
    """What is known so far: the table as it was judged last, what was looked at since, and the set of tiles."""

    remembered: Remembered | None = None
    seen: Seen | None = None
    acquaintance: Acquaintance = field(default_factory=Acquaintance)

    def afresh(self) -> "Memory":
        """Give what to read a table with that has been touched: all of it is looked at anew.

        What changed is found faster, but a pale tile on a pale table changes little; and a verdict hangs on it.
        """
        return replace(self, seen=None)


@dataclass(frozen=True)
class Reread:
    """A reading, and what to hand back with the next picture.

    `lost`: the camera looks from elsewhere, and the known tiles were not found again.
    """

    reading: TableReading
    memory: Memory = Memory()
    lost: bool = False


@dataclass(frozen=True)
class Game:
    """What is known when a table is read: the table as the turn began, and the playing area in pixels."""

    last: Table | None = None
    area: Quad | None = None


@dataclass(frozen=True, eq=False)
class _Known:
    """A remembered table, and where its tiles are in a new picture (h, w, 3)."""

    remembered: Remembered
    found: FoundAgain
    picture: Picture

    @cached_property
    def since(self) -> Since:
        """The remembered picture, as the camera would show it now, and the new one."""
        return Since(as_now(self.remembered, self.found, self.picture), self.picture)


def read_again(reader: TableReader, picture: Picture, memory: Memory, game: Game) -> Reread:
    """Read the next picture (h, w, 3) BGR of a table at rest, and note what spoils it."""
    reread = _read_with(memory, reader, picture, game)
    notes = (*reread.reading.notes, *advice(picture, reread.reading))
    return replace(reread, reading=replace(reread.reading, notes=notes))


def _read_with(memory: Memory, reader: TableReader, picture: Picture, game: Game) -> Reread:
    remembered = memory.remembered
    if remembered is None:
        seen = look_again(reader, picture, memory.seen, game.area)
        reading = _with_unseen(reader.tell(seen.look, game.last, seen.plane), game)
        return Reread(reading, replace(memory, seen=seen))
    found = find_again(remembered, picture)
    lost = found.lost
    seen = look_again(reader, picture, None if lost else memory.seen, game.area)
    memory = replace(memory, seen=seen)
    other = _reads_otherwise(remembered, found, seen.look)
    known = _Known(remembered, found._replace(there=found.there & ~other), picture)
    look = seen.look if lost else _perhaps_as_before(_with_known(seen.look, known), known, other)
    certain = np.arange(len(look)) < (0 if lost else len(known.found.known))
    look = memory.acquaintance.weighed(look, picture, certain)
    reading = reader.tell(look, game.last, seen.plane)
    if lost:
        again = found_by_constellation(remembered, reading)
        if again is None:
            return Reread(reading, memory, lost=True)
        known = replace(known, found=again)
        reading = _told_anew(reader, look, known, (reading, game.last, seen.plane))
    reading = made_certain(reading, _faces_at(reading, known))
    return Reread(replace(reading, unseen=_unseen(reading, known, game.last)), memory)


def remember_table(reader: TableReader, memory: Memory, judged: JudgedPicture, *, corrected: bool) -> Memory:
    """Remember a table that was judged.

    `corrected`: it had been thought to be another one; then what was learnt of the set is learnt anew.
    """
    remembered = remember(judged.picture, judged.reading, judged.table)
    if memory.seen is not None:
        remembered = replace(remembered, read=_surely_read(memory.seen.look, remembered.quads))
    if isinstance(reader.networks, TaughtFaces) and reader.networks.named:
        return replace(memory, remembered=remembered)  # the owner has taught the set better than a game does
    known = Acquaintance() if corrected else memory.acquaintance
    return replace(memory, remembered=remembered, acquaintance=known.met(remembered))


def _with_unseen(reading: TableReading, game: Game) -> TableReading:
    """Where nothing lay, nothing can lie unseen."""
    return replace(reading, unseen=()) if game.last is not None and not game.last.rows else reading


def _surely_read(look: Look, quads: Quads) -> tuple[Tile | None, ...]:
    """Say what the networks read for sure in each of n places (n, 4, 2); None where they read nothing for sure."""
    said: list[Tile | None] = [None] * len(quads)
    faces = look.faces.faces
    for place, tile in at_places(look.aligned.quads, quads).items():
        best = int(faces[tile].argmax())
        if faces[tile, best] >= _SURELY_READ:
            said[place] = FACES[best]
    return tuple(said)


def _reads_otherwise(remembered: Remembered, found: FoundAgain, look: Look) -> NDArray[np.bool_]:
    """Say in which places (n,) the networks surely read something now, and surely something else before.

    An 8 laid where a 9 lay looks much as the 9 did, but does not read so.
    """
    now = _surely_read(look, found.quads)
    before = remembered.read or (None,) * len(remembered)
    return np.array([a is not None and b is not None and a != b for a, b in zip(before, now, strict=True)], bool)


def _perhaps_as_before(look: Look, known: _Known, other: NDArray[np.bool_]) -> Look:
    """Give a look in which the tiles of some places (n,) may still be what they were, whatever is read there now."""
    places = np.flatnonzero(other)
    given = look.faces.given_way.copy()
    for place, tile in at_places(look.aligned.quads, known.found.quads[places]).items():
        given[tile] *= 1 - _ALL_THE_SAME
        given[tile, :, _PLACE[known.remembered.faces[places[place]]]] += _ALL_THE_SAME
    return replace(look, faces=replace(look.faces, given_way=given))


def _with_known(look: Look, known: _Known) -> Look:
    """Give a look in which the tiles in known places show what is known of them, and no tile is where nothing came."""
    remembered, found = known.remembered, known.found
    rest = look.of_face_up(apart(look.aligned.quads, found.known, SAME_PLACE))
    rest = rest.of_face_up(_may_have_come(rest, known))
    faces = [face for face, there in zip(remembered.faces, found.there, strict=True) if there]
    backs = look.backs.take(apart(look.backs.quads, found.known, SAME_PLACE))
    return replace(_known_look(found.known, faces).joined(rest), backs=backs)


def _may_have_come(look: Look, known: _Known) -> NDArray[np.bool_]:
    """Say which tiles of a look (n,) may lie where none lay in the remembered picture, or lie about where one did."""
    quads, found = look.aligned.quads, known.found
    if not known.remembered.whole:
        return np.ones(len(quads), bool)
    come = come_since(known.since, quads)
    come |= look.firm & ~unchanged(known.since.before, known.picture, quads)
    return come | ~apart(quads, found.quads[~found.there], SAME_PLACE)  # a tile put back, a little askew


def _told_anew(
    reader: TableReader, look: Look, known: _Known, told: tuple[TableReading, Table | None, Plane | None]
) -> TableReading:
    """Tell a look once more without what lay on the table before, and was no tile; `told` is what was told of all."""
    reading, last, plane = told
    stays = ~apart(look.aligned.quads, known.found.known, SAME_PLACE)
    stays[~stays] = _may_have_come(look.of_face_up(~stays), known)
    return reading if stays.all() else reader.tell(look.with_face_up(stays), last, plane)


def _known_look(quads: Quads, faces: list[Tile]) -> Look:
    """Give the look of tiles that are known, face up, the way up that their corners say."""
    count = len(faces)
    given = np.zeros((count, 2, len(FACES)), np.float32)
    given[np.arange(count), :, [_PLACE[face] for face in faces]] = 1
    kinds = np.tile(np.array([1, 0, 0], np.float32), (count, 1))
    ways = kinds[:, :2]
    aligned = Aligned(quads, np.ones(count, np.float32), kinds)
    return Look(aligned, Faces(ways, given), np.ones(count, np.float32), Boxes.none())


def _faces_at(reading: TableReading, known: _Known) -> dict[int, Tile]:
    """Say which tiles of a reading are known, by where they lie."""
    faces, found = known.remembered.faces, known.found
    places = np.flatnonzero(found.there)
    on_table = set(chain.from_iterable(reading.melds))
    pairs = at_places(_places_of(reading), found.quads[places]).items()
    return {tile: faces[places[place]] for place, tile in pairs if tile in on_table}


def _places_of(reading: TableReading) -> Quads:
    """Give the corners of all seen tiles (n, 4, 2)."""
    return np.array([tile.corners for tile in reading.tiles], np.float32).reshape(-1, 4, 2)


def _unseen(reading: TableReading, known: _Known, last: Table | None) -> tuple[Tile, ...]:
    """Give the tiles of the last table that lie in their place no longer, and may be hidden all the same."""
    faces, found = known.remembered.faces, known.found
    gone = hidden(known.since, found.quads, _places_of(reading), ~found.there)
    nowhere = Counter[Tile]() if last is None else last.tiles - Counter(faces)
    doubtful = (face for face, hides in zip(faces, gone, strict=True) if hides)
    return (*doubtful, *nowhere.elements())
