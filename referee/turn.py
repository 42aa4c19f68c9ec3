"""One turn as the referee sees it: the table before and the table after, and what differs between them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from referee.table import Row, Table
from referee.tiles import COLOURS, JOKER, Colour, Tile

_RANK = {colour: rank for rank, colour in enumerate((*COLOURS, Colour.JOKER))}


def in_colour_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Sort tiles: black, red, blue, orange, each by number, then jokers."""
    return tuple(sorted(tiles, key=lambda tile: (_RANK[tile.colour], tile.number)))


def sorted_row(row: Row) -> Row:
    """Give the row's tiles in an order of their own, so that rows of the same tiles compare equal (5.3, 3.7)."""
    return tuple(sorted(row))


@dataclass(frozen=True)
class Turn:
    """The tables at the start and at the end of a turn; its counters are shared, treat them as read-only."""

    before: Table
    after: Table

    @cached_property
    def played(self) -> Counter[Tile]:
        """Count the tiles that came from the hand."""
        return self.after.tiles - self.before.tiles

    @cached_property
    def removed(self) -> Counter[Tile]:
        """Count the tiles of the table that are gone (4.3)."""
        return self.before.tiles - self.after.tiles

    @cached_property
    def rows_before(self) -> Counter[Row]:
        """Count the rows of before, each sorted."""
        return Counter(map(sorted_row, self.before.rows))

    @cached_property
    def rows_after(self) -> Counter[Row]:
        """Count the rows of after, each sorted."""
        return Counter(map(sorted_row, self.after.rows))

    @cached_property
    def changed(self) -> tuple[Row, ...]:
        """Give the rows of before that do not lie as they lay, in table order; a new order of tiles is no change."""
        return tuple(_unmatched(self.before.rows, self.after.rows))

    @cached_property
    def new(self) -> tuple[Row, ...]:
        """Give the rows of after that did not lie there before, in table order."""
        return tuple(_unmatched(self.after.rows, self.before.rows))

    @property
    def new_jokers(self) -> int:
        """Count the jokers that came from the hand."""
        return self.played[JOKER]


def _unmatched(rows: tuple[Row, ...], others: tuple[Row, ...]) -> Iterator[Row]:
    """Give the rows left when each of the others is struck off once, the very same order of tiles first."""
    exact = Counter(rows) & Counter(others)
    alike = Counter(map(sorted_row, others))
    alike.subtract(Counter({sorted_row(row): 0 for row in exact}))
    for row, count in exact.items():
        alike[sorted_row(row)] -= count
    for row in rows:
        if exact[row] > 0:
            exact[row] -= 1
        elif alike[sorted_row(row)] > 0:
            alike[sorted_row(row)] -= 1
        else:
            yield row
