"""One turn as the referee sees it: the table before and the table after, and what differs between them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from referee.table import Row, Table
from referee.tiles import COLOURS, Colour, Tile

_RANK = {colour: rank for rank, colour in enumerate((*COLOURS, Colour.JOKER))}


def in_colour_order(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Sort tiles: black, red, blue, orange, each by number, then jokers."""
    return tuple(sorted(tiles, key=lambda tile: (_RANK[tile.colour], tile.number)))


def exceeds(tiles: Counter[Tile], whole: Counter[Tile]) -> bool:
    """Whether there are more copies of some tile than in the whole; `Counter.__le__` would go over all of both."""
    return any(count > whole[tile] for tile, count in tiles.items())


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
        return self._new_tiles - self._changed_tiles

    @cached_property
    def removed(self) -> Counter[Tile]:
        """Count the tiles of the table that are gone (4.3)."""
        return self._changed_tiles - self._new_tiles

    @cached_property
    def rows_before(self) -> Counter[Row]:
        """Count the rows of before, each sorted."""
        return Counter(map(sorted_row, self.before.rows))

    @property
    def changed(self) -> tuple[Row, ...]:
        """Give the rows of before that do not lie as they lay, in table order; a new order of tiles is no change."""
        return self._differences[0]

    @property
    def new(self) -> tuple[Row, ...]:
        """Give the rows of after that did not lie there before, in table order."""
        return self._differences[1]

    @cached_property
    def _differences(self) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        """Strike off what lies on both sides, the very same rows first, then those with the same tiles."""
        before = tuple(_struck_off(self.before.rows, self.after.rows, tuple))
        after = tuple(_struck_off(self.after.rows, self.before.rows, tuple))
        changed = _struck_off(before, after, sorted_row)
        return tuple(changed), tuple(_struck_off(after, before, sorted_row))

    # what rows that lie as they lay hold cancels out

    @cached_property
    def _changed_tiles(self) -> Counter[Tile]:
        return Counter(chain.from_iterable(self.changed))

    @cached_property
    def _new_tiles(self) -> Counter[Tile]:
        return Counter(chain.from_iterable(self.new))


def _struck_off(rows: Iterable[Row], others: Iterable[Row], key: Callable[[Row], Row]) -> Iterator[Row]:
    """Give the rows left when one is struck off for each of the others that is equal by the key."""
    struck = Counter(map(key, others))
    for row in rows:
        if struck[key(row)]:
            struck[key(row)] -= 1
        else:
            yield row
