"""Several looks at one thing: rows that read the same before and after a turn are the same tiles, seen twice.

What two pictures say of one tile is joined by adding log-probabilities, but not as if all noise were independent: the
same print in the same light misleads twice. `SHARED` is the part of it that is taken to be the same.
"""

from collections.abc import Iterator
from dataclasses import replace

from referee.table import Choice, Row, SeenTile, TableReading
from referee.tiles import Tile

SHARED = 0.5
_FLOOR = 1e-4
_LEAST_CHOICE = 0.0005


def seen_twice(one: TableReading, other: TableReading) -> TableReading:
    """Give the first reading with its tiles made surer where a row of the second reads the same."""
    tiles = list(one.tiles)
    for mine, yours in _same_rows(one, other):
        for i, j in zip(mine, yours, strict=True):
            tiles[i] = _joined(one.tiles[i], other.tiles[j])
    return replace(one, tiles=tuple(tiles))


def _same_rows(one: TableReading, other: TableReading) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pair rows that read the same, each at most once."""
    left = list(other.melds)
    for row in one.melds:
        read = _read(one, row)
        match = next((candidate for candidate in left if read and _read(other, candidate) == read), None)
        if match:
            left.remove(match)
            yield row, match


def _read(reading: TableReading, row: tuple[int, ...]) -> Row:
    """The tiles of a row; none where one of them cannot be read."""
    said = [reading.tiles[i].best for i in row]
    return tuple(tile for tile in said if tile) if all(said) else ()


def _joined(one: SeenTile, other: SeenTile) -> SeenTile:
    weight = 1 - SHARED / 2
    first, second = _chances(one), _chances(other)
    product = {t: (first.get(t, _FLOOR) * second.get(t, _FLOOR)) ** weight for t in {*first, *second}}
    presence = 1 - ((1 - one.presence) * (1 - other.presence)) ** weight
    total = sum(product.values())
    ranked = sorted(product.items(), key=lambda item: -item[1])
    choices = (Choice(tile, presence * chance / total) for tile, chance in ranked)
    return replace(one, choices=tuple(c for c in choices if c.probability >= _LEAST_CHOICE), presence=presence)


def _chances(tile: SeenTile) -> dict[Tile, float]:
    return {choice.tile: choice.probability for choice in tile.choices}
