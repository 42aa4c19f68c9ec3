"""Rows: which tiles lie side by side, and in which order they are read.

A row is a path from side to side (`vision.chains`), measured on the table's plane (`vision.tabletop`) in tile widths,
so melds may lie at any angle, bend like a fan, touch rows above and below, and be seen from any side. Chains are cut
where a gap is wide for them; a row is read the way most of its tiles are. What the tiles say (RULEBOOK 3.8) is
weighed afterwards, in `vision.decode`: the rows here are what the eye sees without reading.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from vision.chains import Chain, Link, LyingTiles, Meetings, chains, cut, gaps_of, meetings
from vision.spacing import Spacing
from vision.tabletop import Array, Plane, plane_from_tiles, sideways

RowOfIndices = tuple[int, ...]

IN_LINE_GAP = 1.5
"""Rows further apart than this, in tile widths, are not said to lie in one line."""
SURELY_APART = 12.0
"""Where melds part with higher odds than this, no faces can join them."""
_STRAIGHT = 0.7
_HOLE = (0.75, 1.3)
_LOOSE, _NEARLY, _FAR = 0.5, 1.6, 1.6
_COLUMN_LEAST, _COLUMN_COST = 3, 0.7
_SAME_LINE = 0.5


class InLine(NamedTuple):
    """Two rows (their places in `Layout.rows`) that lie end to end in one line, `gap` tile widths apart.

    `joined`: the tiles of both in the order they would have as one row; `ends`: the two that face each other.
    """

    rows: tuple[int, int]
    gap: float
    joined: RowOfIndices
    ends: tuple[int, int]


class Between(NamedTuple):
    """A tile that fits two rows nearly as well: the one it was given to and another (places in `Layout.rows`)."""

    tile: int
    row: int
    other: int


@dataclass(frozen=True)
class Layout:
    """How the tiles lie.

    `rows`: indices in reading order; from top to bottom, then left to right by first tile; each tile in exactly one.
    `turned`: for each tile, whether its corners say that it lies the other way up than its row is read. `facing`: for
    each row the unit vector on the plane to the right of its tiles, as the row is read.
    `gaps`: for each row, the gaps between its tiles in widths (one fewer than tiles). `partings`: for each of them the
    odds that two melds part there; where they are more than `SURELY_APART`, two rows are told.
    `in_line`, `between`: what is not certain about the rows. `holes`: corners (4, 2) in pixels, in no order of
    reading, where in a line between two rows a tile has room that is missing or was not seen. `plane`: on which they
    lie, where it was asked.
    """

    rows: tuple[RowOfIndices, ...] = ()
    turned: tuple[bool, ...] = ()
    facing: tuple[tuple[float, float], ...] = ()
    gaps: tuple[tuple[float, ...], ...] = ()
    partings: tuple[tuple[float, ...], ...] = ()
    in_line: tuple[InLine, ...] = ()
    between: tuple[Between, ...] = ()
    holes: tuple[Array, ...] = field(default=(), compare=False)
    plane: Plane | None = field(default=None, compare=False)

    @classmethod
    def of(cls, rows: Iterable[Iterable[int]], gaps: Iterable[Iterable[float]] | None = None) -> Self:
        """Make the layout of known rows whose tiles are all the same way up, and touch unless there are `gaps`."""
        known = tuple(map(tuple, rows))
        apart = tuple((0.0,) * (len(row) - 1) for row in known) if gaps is None else tuple(map(tuple, gaps))
        odds = tuple(map(Spacing().partings, apart))
        facing = ((1.0, 0.0),) * len(known)
        return cls(known, (False,) * sum(map(len, known)), facing, apart, odds)

    def by_eye(self) -> tuple[RowOfIndices, ...]:
        """Give the rows as they part by their gaps alone, in the order of `rows`."""
        return tuple(part for row, odds in zip(self.rows, self.partings, strict=True) for part in parted(row, odds))


def find_rows(quads: ArrayLike, plane: Plane | None = None) -> tuple[RowOfIndices, ...]:
    """Give the rows as the eye sees them, before the tiles are read: `lay_out(quads, plane).by_eye()`."""
    return lay_out(quads, plane).by_eye()


def lay_out(quads: ArrayLike, plane: Plane | None = None) -> Layout:
    """Find the rows of tiles, and what is doubtful about them.

    Args:
        quads: (n, 4, 2) corners in pixels, top-left first and clockwise as each tile is read; a tile's way up may be
            wrong (its row tells), and one that begins with a long side is understood.
        plane: the table's plane where it is known already (a camera that stands still); else the tiles tell it.
    """
    pixels = np.asarray(quads, float).reshape(-1, 4, 2)
    if not len(pixels):
        return Layout()
    known, plane = plane is not None, plane or plane_from_tiles(pixels)
    turned = sideways(plane, pixels)
    if turned.any():
        pixels = np.where(turned[:, None, None], np.roll(pixels, 1, axis=1), pixels)
        plane = plane if known else plane_from_tiles(pixels)
    tiles = LyingTiles.of(plane.to_plane(pixels), plane.aspect)
    sides = meetings(tiles.sides())
    pieces, spacing = _pieces(sides, len(pixels))
    pieces = _with_columns(pieces, tiles)
    rows = [_in_reading_order(piece, pixels.mean(axis=1)) for piece in pieces]
    ranks = {row: rank for rank, row in enumerate(in_order([_tiles_of(row) for row in rows], pixels))}
    layout = _describe(sorted(rows, key=lambda row: ranks[_tiles_of(row)]), sides, tiles, plane)
    return replace(layout, partings=tuple(map(spacing.partings, layout.gaps)), plane=plane)


def parted(row: RowOfIndices, odds: Sequence[float], most: float = 1.0) -> list[RowOfIndices]:
    """Split a row where the odds that melds part, one for each gap, are more than `most`."""
    places = [0, *(k + 1 for k, odd in enumerate(odds) if odd > most), len(row)]
    return [row[a:b] for a, b in pairwise(places)]


def _pieces(sides: Meetings, count: int) -> tuple[list[Chain], Spacing]:
    whole = chains(sides.chosen(sides.joinable()), count)
    spacing = Spacing.of(gap for chain in whole for gap in gaps_of(chain))
    pieces = [piece for chain in whole for piece in cut(chain, spacing.partings(gaps_of(chain)), SURELY_APART)]
    return pieces, spacing


def _with_columns(pieces: list[Chain], tiles: LyingTiles) -> list[Chain]:
    """Join tiles that have no neighbour at their sides but lie straight below one another, three at least."""
    alone = np.array([piece[0].tile for piece in pieces if len(piece) == 1], int)
    if len(alone) < _COLUMN_LEAST:
        return pieces
    ends = meetings(LyingTiles(tiles.centres[alone], tiles.right[alone], tiles.down[alone], tiles.height).ends())
    found = chains(ends.chosen(ends.costs < _COLUMN_COST), len(alone))
    columns = [[link._replace(tile=int(alone[link.tile])) for link in c] for c in found if len(c) >= _COLUMN_LEAST]
    taken = {link.tile for column in columns for link in column}
    return [piece for piece in pieces if piece[0].tile not in taken] + columns


def _in_reading_order(chain: Chain, centres: Array) -> Chain:
    """Turn the chain so that most of its tiles are passed from left to right; else from left to right in view."""
    votes = sum(1 if link.forward else -1 for link in chain)
    if votes == 0:
        across, down = centres[chain[-1].tile] - centres[chain[0].tile]
        votes = across if abs(across) > abs(down) / 4 else down
    return chain if votes > 0 else _reversed(chain)


def _reversed(chain: Chain) -> Chain:
    gaps = [0.0, *(link.gap for link in reversed(chain[1:]))]
    return [Link(link.tile, not link.forward, gap) for link, gap in zip(reversed(chain), gaps, strict=True)]


def _tiles_of(chain: Chain) -> RowOfIndices:
    return tuple(link.tile for link in chain)


def in_order(rows: Iterable[RowOfIndices], quads: Array) -> tuple[RowOfIndices, ...]:
    """Sort rows from top to bottom, then left to right, by their first tiles' corners (n, 4, 2) in pixels.

    Rows whose first tiles lie within half a tile of one height count as equally high.
    """
    centres = quads.mean(axis=1)
    same = _SAME_LINE * float(np.median(np.ptp(quads[:, :, 1], axis=1))) if len(quads) else 0.0
    waiting = sorted(rows, key=lambda row: centres[row[0], 1])
    ordered: list[RowOfIndices] = []
    while waiting:
        top = centres[waiting[0][0], 1]
        line = [row for row in waiting if centres[row[0], 1] <= top + same]
        ordered += sorted(line, key=lambda row: centres[row[0], 0])
        waiting = waiting[len(line) :]
    return tuple(ordered)


def _describe(rows: list[Chain], sides: Meetings, tiles: LyingTiles, plane: Plane) -> Layout:
    order = tuple(map(_tiles_of, rows))
    backward = {link.tile: not link.forward for row in rows for link in row}
    row_of = {tile: k for k, row in enumerate(order) for tile in row}
    in_line = _in_line(order, row_of, sides)
    return Layout(
        rows=order,
        turned=tuple(backward[i] for i in range(len(backward))),
        facing=tuple(_facing(row, tiles) for row in rows),
        gaps=tuple(tuple(link.gap for link in row[1:]) for row in rows),
        in_line=tuple(in_line),
        between=_between(order, row_of, sides),
        holes=tuple(_hole(tiles, plane, *line.ends) for line in in_line if _HOLE[0] < line.gap < _HOLE[1]),
    )


def _facing(row: Chain, tiles: LyingTiles) -> tuple[float, float]:
    """Give the unit vector to the right of a row's tiles, as the row is read."""
    x, y = sum((1 if link.forward else -1) * tiles.right[link.tile] for link in row)
    length = max(float(np.hypot(x, y)), 1e-9)
    return float(x) / length, float(y) / length


def _in_line(order: tuple[RowOfIndices, ...], row_of: dict[int, int], sides: Meetings) -> list[InLine]:
    """Find ends of different rows that face each other straight."""
    found: dict[tuple[int, int], InLine] = {}
    straight = sides.chosen((sides.crooked < _STRAIGHT) & (sides.gaps < IN_LINE_GAP))
    for (p, q), gap in zip(straight.pairs.tolist(), straight.gaps.tolist(), strict=True):
        left, right = order[row_of[p // 2]], order[row_of[q // 2]]
        if left is not right and p // 2 in (left[0], left[-1]) and q // 2 in (right[0], right[-1]):
            ends = (p // 2, q // 2)
            rows = (min(row_of[ends[0]], row_of[ends[1]]), max(row_of[ends[0]], row_of[ends[1]]))
            found.setdefault(rows, InLine(rows, gap, _end_to_end(left, right, ends), ends))
    return list(found.values())


def _end_to_end(left: RowOfIndices, right: RowOfIndices, ends: tuple[int, int]) -> RowOfIndices:
    """Join two rows at the two tiles that face each other; in the order in which the first is read."""
    if len(left) > 1 and left[0] == ends[0]:
        return (right if right[-1] == ends[1] else right[::-1]) + left
    return left + (right if right[0] == ends[1] else right[::-1])


def _hole(tiles: LyingTiles, plane: Plane, left: int, right: int) -> Array:
    """Give the corners in pixels of the place midway between two tiles."""
    centre = tiles.centres[[left, right]].mean(axis=0)
    across = tiles.right[left] / 2
    down = tiles.down[left] * tiles.height / 2
    return plane.to_pixels(centre + np.array([-across - down, across - down, across + down, down - across]))


def _between(order: tuple[RowOfIndices, ...], row_of: dict[int, int], sides: Meetings) -> tuple[Between, ...]:
    """Find tiles loosely at the end of their row, or alone, that would go with another row nearly as well."""
    costs: dict[int, dict[int, float]] = {}
    for (p, q), cost in zip(sides.pairs.tolist(), sides.costs.tolist(), strict=True):
        for tile, neighbour in ((p // 2, q // 2), (q // 2, p // 2)):
            row = order[row_of[neighbour]]
            if neighbour in (row[0], row[-1]) or row_of[tile] == row_of[neighbour]:
                costs.setdefault(tile, {}).setdefault(row_of[neighbour], cost)
    found = (_rivals(tile, row_of[tile], order, costs[tile]) for tile in sorted(costs))
    return tuple(doubt for doubt in found if doubt)


def _rivals(tile: int, own: int, order: tuple[RowOfIndices, ...], costs: dict[int, float]) -> Between | None:
    """Compare what it costs to put a tile to its own row and to the best other one."""
    if tile not in (order[own][0], order[own][-1]):
        return None
    ranked = sorted((cost, row) for row, cost in costs.items() if row != own)
    if len(order[own]) == 1:
        best, ranked = (ranked[0], ranked[1:]) if ranked else ((np.inf, own), [])
    else:
        best = (costs.get(own, np.inf), own)
    if not ranked or best[0] < _LOOSE or ranked[0][0] > min(_NEARLY * best[0], _FAR):
        return None
    return Between(tile, best[1], ranked[0][1])
