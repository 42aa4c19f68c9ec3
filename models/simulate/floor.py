"""What lies on the table, piece by piece, and where: the pieces of a table and how a turn changes them."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from models.render.placement import Placement
from models.simulate.hidden import Piece
from referee.table import Row, Table


class Lying(NamedTuple):
    """A piece of the set, and where it lies."""

    piece: Piece
    at: Placement


LyingRow = tuple[Lying, ...]


@dataclass(frozen=True)
class Floor:
    """The rows of the table, each in the order in which it lies, and the face-down tiles of the pool in sight."""

    rows: tuple[LyingRow, ...] = ()
    pool: LyingRow = ()

    @cached_property
    def table(self) -> Table:
        """The table in the referee's words."""
        return Table(tuple(faces(row) for row in self.rows))

    @cached_property
    def lying(self) -> tuple[Lying, ...]:
        """All pieces."""
        return tuple(lying for row in (*self.rows, self.pool) for lying in row)

    @cached_property
    def places(self) -> dict[Piece, Placement]:
        """Where each piece lies."""
        return dict(self.lying)


def faces(row: LyingRow) -> Row:
    """Give the tiles of a row."""
    return tuple(lying.at.tile for lying in row)


class Plot(NamedTuple):
    """A row to come. It grows out of the row `source` of before, its i-th tile in that row's place i + `offset`.

    Without a source it is laid anew.
    """

    row: Row
    source: int | None = None
    offset: int = 0


LEAST_KEPT = 2
"""A row goes on where at least so many of its tiles lie already."""


def plots(before: tuple[Row, ...], after: tuple[Row, ...]) -> tuple[Plot, ...]:
    """Say of every row of after which row of before it goes on from: the same row, or the one with most in common."""
    found: dict[int, Plot] = {}
    free = set(range(len(before)))
    chances = sorted(
        (-kept, i, j, offset)
        for i, row in enumerate(after)
        for j, old in enumerate(before)
        for kept, offset in [_alignment(row, old)]
        if kept >= LEAST_KEPT or row == old
    )
    for rank in (True, False):  # what lies unchanged stays, before anything grows
        for _, i, j, offset in chances:
            if i not in found and j in free and (after[i] == before[j]) is rank:
                found[i] = Plot(after[i], j, offset)
                free.discard(j)
    return tuple(found.get(i, Plot(row)) for i, row in enumerate(after))


def _alignment(row: Row, old: Row) -> tuple[int, int]:
    """Give how many tiles can stay where they lie, and the offset for which most do."""
    offsets = range(1 - len(row), len(old))
    return max((sum(_stays(row, old, i, offset) for i in range(len(row))), offset) for offset in offsets)


def _stays(row: Row, old: Row, place: int, offset: int) -> bool:
    return 0 <= place + offset < len(old) and row[place] == old[place + offset]


def kept(plot: Plot, old: LyingRow) -> dict[int, Lying]:
    """Give the pieces of a plot's source that stay, by their place in the row to come."""
    row = faces(old)
    stay = (i for i in range(len(plot.row)) if _stays(plot.row, row, i, plot.offset))
    return {i: old[i + plot.offset] for i in stay}
