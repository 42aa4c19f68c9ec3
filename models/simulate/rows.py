"""Rows that a player could lay: out of the hand alone, or by adding to a row of the table. Valid ones and others."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from referee.melds import is_meld, row_fault
from referee.table import Row
from referee.tiles import JOKER, Tile
from referee.verdict import FaultCode

LONGEST = 5
HIGH_END = 8
"""In a row that goes round from 13 to 1, numbers from here on are laid first."""


def rows_of(rack: Row) -> tuple[Row, ...]:
    """Give the rows of up to five tiles that a player may take for a meld, each once: alike in number or in colour."""
    jokers = [tile for tile in rack if tile.is_joker]
    kinds: dict[object, list[Tile]] = defaultdict(list)
    for tile in rack:
        if not tile.is_joker:
            kinds[tile.number].append(tile)
            kinds[tile.colour].append(tile)
    found = {
        in_order(some)
        for tiles in kinds.values()
        for size in range(1, LONGEST + 1)
        for some in combinations([*tiles, *jokers], size)
        if not all(tile.is_joker for tile in some) and (size <= 3 or _close(some))
    }
    return tuple(sorted(found))


def _close(tiles: Sequence[Tile]) -> bool:
    """Whether tiles of one colour are near each other, as somebody would lay them who miscounts."""
    numbers = sorted(tile.number for tile in tiles if not tile.is_joker)
    return numbers[-1] - numbers[0] <= len(tiles) + 1


def mixed_rows(rack: Row) -> Iterator[Row]:
    """Give rows of three in which one tile is of another number and colour than fits."""
    for one, two in combinations(rack, 2):
        pair = in_order((one, two))
        if one.colour == two.colour and abs(one.number - two.number) == 1:
            yield from ((*pair, other) for other in rack if other.colour != one.colour and not other.is_joker)


def in_order(tiles: Sequence[Tile]) -> Row:
    """Give tiles as a player lays them: by number, 13 before 1 where the row goes round, a joker in the gap or last."""
    row = sorted((tile for tile in tiles if not tile.is_joker), key=lambda tile: (tile.number, tile.colour))
    if row_fault(tuple(tiles)) is FaultCode.RUN_WRAPS:
        row = [tile for tile in row if tile.number >= HIGH_END] + [tile for tile in row if tile.number < HIGH_END]
    for _ in range(len(tiles) - len(row)):
        gaps = (k + 1 for k in range(len(row) - 1) if _gap(row[k], row[k + 1]))
        row.insert(next(gaps, len(row)), JOKER)
    return tuple(row)


def _gap(one: Tile, other: Tile) -> bool:
    return one.colour == other.colour and other.number - one.number == 2 and not one.is_joker


def melds_of(rack: Row, *, naturals_outnumber: bool = False) -> tuple[Row, ...]:
    """Give the valid melds of up to five tiles in a hand."""
    return tuple(row for row in rows_of(rack) if is_meld(row, naturals_outnumber=naturals_outnumber))


def growths(row: Row, rack: Row) -> Iterator[tuple[Row, Row]]:
    """Give what a row of the table becomes with a tile or two of the hand, and the tiles added."""
    singles = sorted(set(rack))
    for tile in singles:
        yield (*row, tile), (tile,)
        yield (tile, *row), (tile,)
        if tile in row:
            place = row.index(tile)
            yield (*row[:place], tile, *row[place:]), (tile,)
    for one, two in combinations(rack, 2):
        if one.number == two.number:
            yield (*row, one, two), (one, two)


def spared(row: Row) -> Iterator[tuple[Row, Tile]]:
    """Give what is left of a meld without a tile that it can spare, and the tile."""
    for place, tile in enumerate(row):
        rest = row[:place] + row[place + 1 :]
        if len(rest) >= 3 and is_meld(rest):
            yield rest, tile


def reads_as_melds(row: Row) -> bool:
    """Whether a row that lies unbroken is read as valid melds: as one, or as several (RULEBOOK 3.8)."""
    return is_meld(row) or any(is_meld(row[:k]) and reads_as_melds(row[k:]) for k in range(3, len(row) - 2))


def with_row(rows: tuple[Row, ...], i: int, row: Row) -> tuple[Row, ...]:
    """Give rows with another in the place of the i-th."""
    return (*rows[:i], row, *rows[i + 1 :])


def without(rack: Row, tiles: Sequence[Tile]) -> Row:
    """Give a hand without some of its tiles."""
    left = list(rack)
    for tile in tiles:
        left.remove(tile)
    return tuple(left)
