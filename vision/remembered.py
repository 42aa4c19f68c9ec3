"""Tiles that lie as they lay: their faces are known, whatever a new look at them says.

A camera that hangs over a game sees the same tiles turn after turn. Once a turn is judged, the faces of its table are
known; as long as a tile's patch of the picture is the same, so is the tile. Only what is new or moved is read anew,
which is surer and faster than reading everything. A camera that was nudged shifts all patches alike: that shift is
found, and taken into account; after a harder knock the tiles are found again by their constellation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.table import Choice, Row, Table, TableReading
from referee.tiles import Tile
from vision.constellation import fit
from vision.frames import Picture
from vision.legal_rows import LEAST_MELD
from vision.patches import PatchShape, Quads, cut_patch

_INNER = PatchShape(20, 28, 0.8)
_AROUND = PatchShape(30, 42, 1.2)
_LEAST_ALIKE, _MOST_ALIKE, _LESS_THAN_USUAL = 0.82, 0.97, 0.02
"""Patches of one tile in two pictures agree nearly as well as those of most tiles do (normalised correlation).

2,408 tiles of eleven simulated games that had not moved agreed with 0.97 or more but for 2 %, which lay under a shadow
or a hand; of 4,450 pairs of one ink and two numbers 8 %: an 8 in place of a 9 is told by what is read there.
"""
_OTHER_TINT = 0.025
"""A patch whose mean colour changed by more, against what the light did to most, shows something else."""
_OTHER_INK = 0.1
"""A print whose colour, in shares of the paper's brightness, changed by more is of another ink: all of 3,336 pairs of
one number and two inks that agree, and one of those 2,408 tiles.
"""
_ASTRAY = 0.1
"""A tile that lies further from where the camera's shift puts it was moved, in tile widths."""
_SHIFTED = 0.02
_LEAST_FOUND = 0.5
_FLAT = 4.0
_FAINT = 4.0
"""A print that has become as pale as this, in grey levels, agrees less for the noise alone; another would be seen."""
_MOSTLY_ALIKE = 0.45

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Remembered:
    """A table that is known: its picture (h, w, 3), and the place (n, 4, 2) and face of each of its tiles.

    `whole`: there are no other tiles in the picture, so where nothing has changed none has come. `read`: what the
    networks read for sure in each place then, whatever it was judged to be.
    """

    picture: Picture
    quads: Quads
    faces: tuple[Tile, ...]
    whole: bool = False
    read: tuple[Tile | None, ...] = ()

    def __len__(self) -> int:
        """Count the tiles."""
        return len(self.faces)

    @property
    def widths(self) -> Points:
        """The width of each tile in pixels (n,)."""
        return np.linalg.norm(self.quads[:, 1] - self.quads[:, 0], axis=1).astype(float)


class FoundAgain(NamedTuple):
    """Where the tiles of a remembered table are in a new picture.

    `there` (n,): which lie as they lay. `quads` (n, 4, 2): where each lies, or would if it lay as it lay.
    `mapping` (3x3) takes the remembered picture to the new one, None where the camera has not moved.
    `lost`: so few lie as they lay that the camera may have been knocked.
    """

    there: NDArray[np.bool_]
    quads: Quads
    mapping: Points | None = None
    lost: bool = False

    @property
    def known(self) -> Quads:
        """The places of the tiles that lie as they lay."""
        return self.quads[self.there]


def find_again(remembered: Remembered, picture: Picture) -> FoundAgain:
    """Find the tiles of a remembered table that lie as they lay, in a picture of the same size."""
    count = len(remembered)
    if not count or remembered.picture.shape != picture.shape:
        return FoundAgain(np.zeros(count, bool), remembered.quads, lost=count > 0)
    likeness = _matched(remembered, picture)
    alike, offsets = likeness.alike, likeness.offsets
    centres = remembered.quads.mean(axis=1).astype(float)
    shift = _common_shift(centres[alike], offsets[alike], float(np.median(remembered.widths)))
    expected = _moved(centres, shift)
    astray = np.linalg.norm(centres + offsets - expected, axis=1) / remembered.widths
    there = alike & (astray < _ASTRAY)
    far = np.linalg.norm(expected - centres, axis=1) / remembered.widths
    quads = _moved(remembered.quads.reshape(-1, 2).astype(float), shift).reshape(-1, 4, 2).astype(np.float32)
    lost = count >= 3 and float(there.mean()) < _LEAST_FOUND
    mapping = np.vstack([shift, [0, 0, 1]]) if np.median(far) > _SHIFTED else None
    return FoundAgain(there, quads, mapping, lost=lost)


def found_by_constellation(remembered: Remembered, reading: TableReading) -> FoundAgain | None:
    """Find the tiles again in what was read, wherever the camera looks from now; None where too few are."""
    seen = [tile for tile in reading.tiles if tile.best]
    quads = np.array([tile.corners for tile in seen], np.float32).reshape(-1, 4, 2)
    faces = [tile.best for tile in seen if tile.best]
    match = fit((remembered.quads, remembered.faces), (quads, faces))
    if match is None:
        return None
    there = np.zeros(len(remembered), bool)
    there[[old for old, _ in match.pairs]] = True
    places = cv2.perspectiveTransform(remembered.quads.reshape(-1, 1, 2).astype(np.float64), match.homography)
    now = places.reshape(-1, 4, 2).astype(np.float32)
    for old, new in match.pairs:
        now[old] = quads[new]
    return FoundAgain(there, now, match.homography)


def as_now(remembered: Remembered, found: FoundAgain, picture: Picture) -> Picture:
    """Give the remembered picture as the camera would show it from where it looks now; the new one where it ends."""
    if found.mapping is None or remembered.picture.shape != picture.shape:
        return remembered.picture
    size, seen = picture.shape[1::-1], picture.copy()
    cv2.warpPerspective(remembered.picture, found.mapping, size, dst=seen, borderMode=cv2.BORDER_TRANSPARENT)
    return seen


def remember(picture: Picture, reading: TableReading, table: Table) -> Remembered:
    """Remember a table that was judged: the rows of the reading that are rows of the table, with the table's faces.

    Where all of its tiles are among them, whatever else was read in the picture is none of them. On a table on which
    nobody has played that holds for what lies alone: rows may have been laid before the camera saw it.
    """
    known = faces_of(reading, table)
    quads = np.array([reading.tiles[i].corners for i in known], np.float32).reshape(-1, 4, 2)
    return Remembered(picture, quads, tuple(known.values()), _is_whole(reading, known, table))


def _is_whole(reading: TableReading, known: dict[int, Tile], table: Table) -> bool:
    """Say whether there are no other tiles in the picture than those that are known."""
    has_rows = any(sum(reading.tiles[i].best is not None for i in row) > 1 for row in reading.melds)
    return len(known) == table.tiles.total() and (bool(known) or not has_rows)


def unchanged(before: Picture, now: Picture, quads: Quads) -> NDArray[np.bool_]:
    """Say which places (n, 4, 2) show the same in two pictures (h, w, 3) of one size; a plain one never does."""
    if before.shape != now.shape:
        return np.zeros(len(quads), bool)
    return np.asarray(_matched(Remembered(before, quads, ()), now).scores >= _LEAST_ALIKE)


def faces_of(reading: TableReading, table: Table) -> dict[int, Tile]:
    """Say which tiles of a reading are known from the table that it was judged to be, by their index.

    That is all of them where the rows are the same but for single tiles, else those of rows that read the same.
    """
    places = [i for row in reading.melds for i in row]
    faces = [tile for row in table.rows for tile in row]
    agree = sum(reading.tiles[i].best == face for i, face in zip(places, faces, strict=False))
    if len(places) == len(faces) and len(faces) - agree <= max(1, len(faces) // 10):
        return dict(zip(places, faces, strict=True))
    return dict(_rows_in_common(reading, table))


def _rows_in_common(reading: TableReading, table: Table) -> Iterable[tuple[int, Tile]]:
    """Pair the rows of a reading with those of the table, the most alike first; one that is mostly other is another.

    Of a length of which one row is left over on both sides, that is the one, if any of it was thought possible.
    """
    alike = sorted(
        (
            (_agreement(reading, row, way), i, (j, way))
            for i, row in enumerate(reading.melds)
            for j, way in _ways(table)
        ),
        key=lambda found: -found[0],
    )
    rows, left = set(range(len(reading.melds))), set(range(len(table.rows)))
    for least, only in ((_MOSTLY_ALIKE, False), (0.0, True)):
        for _, i, (j, faces) in (found for found in alike if found[0] > least):
            if i not in rows or j not in left:
                continue
            if only and not (_alone(reading.melds, rows, len(faces)) and _alone(table.rows, left, len(faces))):
                continue
            rows.remove(i)
            left.remove(j)
            yield from zip(reading.melds[i], faces, strict=True)


def _alone(rows: Sequence[Sequence[object]], left: set[int], length: int) -> bool:
    """Say whether of the rows that are left over one alone is a meld of this length."""
    return length >= LEAST_MELD and sum(len(rows[k]) == length for k in left) == 1


def _ways(table: Table) -> list[tuple[int, Row]]:
    """Give the rows of a table both ways round, each with its place."""
    return [(j, way) for j, row in enumerate(table.rows) for way in (row, row[::-1])]


def _agreement(reading: TableReading, row: tuple[int, ...], faces: Row) -> float:
    """Give the share of a row's tiles that read as these faces, or may be; nothing where there are more or fewer."""
    if len(row) != len(faces):
        return 0.0
    chances = ({choice.tile: choice.probability for choice in reading.tiles[i].choices} for i in row)
    return sum(chance.get(face, 0.0) for chance, face in zip(chances, faces, strict=True)) / len(row)


def as_judged(reading: TableReading, table: Table) -> TableReading:
    """Give a reading as the table that it was judged to be; what it does not show of it may lie there unseen.

    Where all of its tiles are among them, what else was read is no tile (`remember`).
    """
    known = faces_of(reading, table)
    certain = made_certain(reading, known)
    if _is_whole(reading, known, table):
        rows = tuple(tuple(i for i in row if i in known) for row in certain.melds)
        doubts = tuple(doubt for doubt in certain.doubts if known.keys() >= set(doubt.tiles))
        certain = replace(certain, melds=tuple(filter(None, rows)), doubts=doubts)
    hidden = table.tiles - certain.table().tiles
    return replace(certain, unseen=tuple(hidden.elements()))


def made_certain(reading: TableReading, known: dict[int, Tile]) -> TableReading:
    """Give a reading in which some tiles, by index, are certain."""
    tiles = list(reading.tiles)
    for index, face in known.items():
        tiles[index] = replace(tiles[index], choices=(Choice(face, 1.0),), presence=1.0, back=False)
    doubts = tuple(doubt for doubt in reading.doubts if len(doubt.tiles) > 1 or doubt.tiles[0] not in known)
    return replace(reading, tiles=tuple(tiles), doubts=doubts)


def at_places(tiles: Quads, quads: Quads) -> dict[int, int]:
    """Pair places (n, 4, 2) with the seen tiles (m, 4, 2) that lie there: place to tile."""
    if not len(quads) or not len(tiles):
        return {}
    wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    distances = np.linalg.norm(quads.mean(axis=1)[:, None] - tiles.mean(axis=1), axis=2) / wide[:, None]
    nearest = distances.argmin(axis=1)
    return {place: int(tile) for place, tile in enumerate(nearest) if distances[place, tile] < 0.35}


class _Likeness(NamedTuple):
    """How like their old selves n tiles look.

    Correlation (n,), offset in pixels (n, 2), change of the mean colour (n, 2) and of the print's colour (n,), and
    contrast of the new patch (n,).
    """

    scores: Points
    offsets: Points
    tints: Points
    inks: Points
    contrasts: Points

    @property
    def alike(self) -> NDArray[np.bool_]:
        """Which show the same face."""
        usual = self.scores[self.scores > _LEAST_ALIKE]
        if not len(usual):
            return np.zeros(len(self.scores), bool)
        usually = np.clip(np.median(usual) - _LESS_THAN_USUAL, _LEAST_ALIKE, _MOST_ALIKE)
        enough = np.where(self.contrasts < _FAINT, _LEAST_ALIKE, usually)
        tints = np.abs(self.tints - np.median(self.tints[self.scores > _LEAST_ALIKE], axis=0)).max(axis=1)
        alike: NDArray[np.bool_] = (self.scores >= enough) & (tints < _OTHER_TINT) & (self.inks < _OTHER_INK)
        return alike


def _matched(remembered: Remembered, picture: Picture) -> _Likeness:
    """Look for each tile's patch near its place."""
    count = len(remembered.quads)
    found = _Likeness(np.zeros(count), np.zeros((count, 2)), np.zeros((count, 2)), np.zeros(count), np.zeros(count))
    for i, quad in enumerate(remembered.quads):
        old, around = _calm(remembered.picture, quad, _INNER), _calm(picture, quad, _AROUND)
        if old.std() < _FLAT:
            continue
        found.scores[i], (x, y), (dx, dy) = _best_match(around, old)
        a, b, _, d = quad.astype(float)
        found.offsets[i] = (b - a) * dx * _INNER.context / _INNER.width
        found.offsets[i] += (d - a) * dy * _INNER.context / _INNER.height
        new = around[y : y + _INNER.height, x : x + _INNER.width]
        found.tints[i] = _tint(new) - _tint(old)
        found.inks[i] = _ink_changed(old, new)
        found.contrasts[i] = new.std()
    return found


def _calm(picture: Picture, quad: Quads, shape: PatchShape) -> Picture:
    """Cut a tile out, its noise smoothed: of a pale print in poor light there is hardly more than noise."""
    return np.asarray(cv2.GaussianBlur(cut_patch(picture, quad, shape), (0, 0), 0.9), np.uint8)


def _tint(patch: Picture) -> Points:
    """Give the mean colour of a patch: blue and red against green, in shares of the brightness."""
    blue, green, red = patch.reshape(-1, 3).mean(axis=0) + 1.0
    return np.array([blue - green, red - green]) / (blue + green + red)


def _ink_changed(old: Picture, new: Picture) -> float:
    """Give by how much the colour of a patch's print differs from old to new, each against its own paper."""
    unlike_paper = np.abs(old - np.median(old, axis=(0, 1))).max(axis=2)
    print_ = unlike_paper > 0.5 * np.percentile(unlike_paper, 98)
    shares = np.array([patch[print_].mean(axis=0) / (np.median(patch, axis=(0, 1)) + 1) for patch in (old, new)])
    colours = shares - shares.mean(axis=1, keepdims=True)
    return float(np.abs(colours[1] - colours[0]).max())


def _best_match(around: Picture, patch: Picture) -> tuple[float, tuple[int, int], tuple[float, float]]:
    """Find a patch in its surroundings: how alike, at which corner, and how far from the middle, in its pixels."""
    likeness = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(likeness)
    down, across = likeness.shape[0] // 2, likeness.shape[1] // 2
    dx = x - across + _between(likeness[y, max(0, x - 1) : x + 2])
    dy = y - down + _between(likeness[max(0, y - 1) : y + 2, x])
    return float(best), (x, y), (dx, dy)


def _between(three: NDArray[Any]) -> float:
    """Give where between three neighbours the top of a parabola lies, from the middle one."""
    if len(three) < 3:
        return 0.0
    left, middle, right = map(float, three)
    bend = left - 2 * middle + right
    return 0.0 if bend >= -1e-9 else max(-0.5, min(0.5, (left - right) / (2 * bend)))


def _common_shift(centres: Points, offsets: Points, width: float) -> Points:
    """Find how the camera was nudged (2, 3): what most tiles agree on; none where there are too few."""
    still = np.array([[1.0, 0, 0], [0, 1.0, 0]])
    if len(centres) < 3:
        return still
    median = np.median(offsets, axis=0)
    if len(centres) >= 4:
        found, _ = cv2.estimateAffinePartial2D(centres, centres + offsets, ransacReprojThreshold=_ASTRAY * width / 2)
        if found is not None and abs(np.hypot(found[0, 0], found[1, 0]) - 1) < 0.1:
            return np.asarray(found, float)
    still[:, 2] = median
    return still


def _moved(points: Points, shift: Points) -> Points:
    moved: Points = points @ shift[:, :2].T + shift[:, 2]
    return moved
