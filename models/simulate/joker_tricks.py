"""Turns with jokers of the table, allowed and not: a joker is set free in some way and laid down in another place.

Which of them breaks which paragraph of section 6 hangs on the rules, and the judge says it.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from models.simulate.rows import in_order, spared, with_row, without
from referee.melds import is_meld, joker_roles
from referee.table import Row, Table
from referee.tiles import JOKER, Tile

Rows = tuple[Row, ...]


class Freed(NamedTuple):
    """A table from which a tile was taken up, which tile, the hand that is left, and the row that it lay in."""

    rows: Rows
    tile: Tile
    rack: Row
    source: int


def joker_plays(rows: Rows, rack: Row) -> Iterator[Table]:
    """Give the tables that one handling of a joker's meld leads to."""
    for i, row in enumerate(rows):
        if JOKER in row:
            for freed in (*_taken(rows, rack, i), *_swapped(rows, rack, i), *_swapped_from_table(rows, rack, i)):
                yield from _laid_down(freed)
            yield from _shifted(rows, i)


def _taken(rows: Rows, rack: Row, i: int) -> Iterator[Freed]:
    """Take a tile, the joker or another, out of a joker's meld that can spare it."""
    for rest, tile in spared(rows[i]):
        yield Freed(with_row(rows, i, rest), tile, rack, i)


def _replaced(row: Row, tile: Tile) -> Row:
    place = row.index(JOKER)
    return (*row[:place], tile, *row[place + 1 :])


def _meant(row: Row) -> list[Tile]:
    """Give the tiles that the jokers of a row may stand for."""
    return sorted({tile for roles in joker_roles(row) for tile in roles})


def _swapped(rows: Rows, rack: Row, i: int) -> Iterator[Freed]:
    """Replace the joker by the tile of the hand that it stands for."""
    for tile in _meant(rows[i]):
        if tile in rack:
            yield Freed(with_row(rows, i, _replaced(rows[i], tile)), JOKER, without(rack, (tile,)), i)


def _swapped_from_table(rows: Rows, rack: Row, i: int) -> Iterator[Freed]:
    """Replace the joker by the tile that it stands for, which another meld of the table can spare."""
    for tile in _meant(rows[i]):
        for k, row in enumerate(rows):
            rests = [rest for rest, spare in spared(row) if spare == tile] if k != i else []
            if rests:
                yield Freed(with_row(with_row(rows, k, rests[0]), i, _replaced(rows[i], tile)), JOKER, rack, i)


def _laid_down(freed: Freed) -> Iterator[Table]:
    """Lay a freed tile down: at another meld, or in a new one with tiles of the hand, or of hand and table."""
    rows, tile, rack, source = freed
    for k, row in enumerate(rows):
        if k != source:
            grown = ((*row, tile), (tile, *row))
            yield from (Table(with_row(rows, k, longer)) for longer in grown if is_meld(longer))
    for pair in combinations(rack, 2):
        if is_meld((*pair, tile)):
            yield Table((*rows, in_order((*pair, tile))))
    for k, row in enumerate(rows):
        for rest, spare in spared(row) if k != source else ():
            yield from (
                Table((*with_row(rows, k, rest), in_order((own, spare, tile))))
                for own in sorted(set(rack))
                if is_meld((own, spare, tile))
            )


def _shifted(rows: Rows, i: int) -> Iterator[Table]:
    """Move the joker within its meld, so that it stands for another tile."""
    rest = without(rows[i], (JOKER,))
    for moved in ((*rest, JOKER), (JOKER, *rest)):
        if moved != rows[i] and is_meld(moved):
            yield Table(with_row(rows, i, moved))
