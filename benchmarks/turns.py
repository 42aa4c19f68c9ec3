"""Random turns on a full table: every tile of the set lies there at the end, jokers on the move."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from referee.melds import is_meld
from referee.table import Choice, Row, SeenTile, Table, TableReading
from referee.tiles import COLOURS, JOKER, NUMBERED, Tile


def random_turn(rng: random.Random, copies: int = 2, jokers: int = 2) -> tuple[Table, Table]:
    """Make a turn of a few moved rows and up to eight tiles played onto a table that then holds the whole set."""
    after = _full_table(rng, copies, jokers)
    for _ in range(rng.randint(1, 4)):
        after = _rearranged(after, rng, jokery=rng.random() < 0.5)
    before = _fewer_tiles(after, rng)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        before = _rearranged(before, rng, jokery=rng.random() < 0.5)
    return Table.of(map(tuple, before)), Table.of(map(tuple, after))


def doubtful(table: Table, count: int, rng: random.Random) -> TableReading:
    """Read a table with so many tiles of two alternatives each, nothing else unseen."""
    tiles = [tile for row in table.rows for tile in row]
    unsure = set(rng.sample(range(len(tiles)), count))
    seen = tuple(
        SeenTile(_NOWHERE, _two_choices(tile, rng) if place in unsure else (Choice(tile, 1.0),))
        for place, tile in enumerate(tiles)
    )
    places = iter(range(len(tiles)))
    melds = tuple(tuple(next(places) for _ in row) for row in table.rows)
    return TableReading(seen, melds)


def _two_choices(tile: Tile, rng: random.Random) -> tuple[Choice, ...]:
    return Choice(tile, 0.7), Choice(rng.choice([other for other in NUMBERED if other != tile]), 0.3)


_NOWHERE = ((0.0, 0.0),) * 4


def _full_table(rng: random.Random, copies: int, jokers: int) -> list[list[Tile]]:
    rows = [row for _ in range(copies) for row in _layer(rng)]
    growing = [row for row in rows if is_meld((*row, JOKER))]
    if len(growing) < jokers:
        return _full_table(rng, copies, jokers)
    for row in rng.sample(growing, jokers):
        row.append(JOKER)
    rng.shuffle(rows)
    return rows


def _layer(rng: random.Random) -> Iterator[list[Tile]]:
    """Lay all tiles once: stretches of numbers, each in four runs or in groups of four."""
    low = 1
    while low <= 13:
        high = rng.choice([h for h in range(low + 2, 14) if h == 13 or (h <= 10 and h - low < 6)])
        numbers = range(low, high + 1)
        runs = [[Tile(colour, number) for number in numbers] for colour in COLOURS]
        yield from runs if rng.random() < 0.6 else map(list, zip(*runs, strict=True))
        low = high + 1


def _fewer_tiles(rows: list[list[Tile]], rng: random.Random) -> list[list[Tile]]:
    """Take away what the turn will play: whole rows, ends of runs, fourths of groups."""
    left = [list(row) for row in rows]
    for _ in range(rng.randint(0, 5)):
        row = rng.choice(left)
        if rng.random() < 0.2:
            left.remove(row)
        elif len(row) > 3:
            row.pop(rng.choice((0, -1)))
    return [row for row in left if is_meld(tuple(row))]


def _rearranged(rows: list[list[Tile]], rng: random.Random, *, jokery: bool) -> list[list[Tile]]:
    """Lay the tiles of two or three rows in another way, if there is one."""
    order = sorted(rows, key=lambda row: (jokery and JOKER in row, rng.random()), reverse=True)
    some = order[: rng.choice((2, 2, 3))]
    others = [row for row in rows if not any(row is one for one in some)]
    tiles = Counter(tile for row in some for tile in row)
    new = _cover(tiles, rng, [400])
    return others + (new or some)


def _cover(left: Counter[Tile], rng: random.Random, budget: list[int]) -> list[list[Tile]] | None:
    numbered = sorted(tile for tile in left if tile.number)
    if not numbered:
        return None if left[JOKER] else []
    budget[0] -= 1
    melds = list(_melds_with(numbered[0], left))
    rng.shuffle(melds)
    for meld in melds if budget[0] > 0 else ():
        rest = _cover(left - Counter(meld), rng, budget)
        if rest is not None:
            return [list(meld), *rest]
    return None


def _melds_with(tile: Tile, left: Counter[Tile]) -> Iterator[Row]:
    for shape in _shapes_with(tile):
        if sum(not left[one] for one in shape) <= left[JOKER]:
            yield from _affordable([one if left[one] else JOKER for one in shape], tile, left)


@cache
def _shapes_with(tile: Tile) -> tuple[Row, ...]:
    """Give every run and group that holds the tile."""
    spans = [(low, high) for low in range(1, tile.number + 1) for high in range(max(low + 2, tile.number), 14)]
    choices = [colours for size in (3, 4) for colours in combinations(COLOURS, size) if tile.colour in colours]
    runs = (tuple(Tile(tile.colour, number) for number in range(low, high + 1)) for low, high in spans)
    return (*runs, *(tuple(Tile(colour, tile.number) for colour in colours) for colours in choices))


def _affordable(row: list[Tile], tile: Tile, left: Counter[Tile]) -> Iterator[Row]:
    """Give the row, and with a spare joker the same with one more tile stood for."""
    spare = left[JOKER] - row.count(JOKER)
    if spare >= 0:
        yield tuple(row)
    if spare > 0:
        for place, one in enumerate(row):
            if one not in (tile, JOKER):
                yield (*row[:place], JOKER, *row[place + 1 :])
