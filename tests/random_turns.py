"""Random turns at whose end all melds are valid and no tile is missing, many of them with jokers on the move."""

import random
from collections import Counter
from functools import cache
from itertools import combinations

from referee.melds import is_meld
from referee.table import Row, Table
from referee.tiles import COLOURS, JOKER, Tile, full_set


@cache
def small_melds(lowest: int, highest: int, colours: int, jokers: int) -> tuple[Row, ...]:
    """Every meld of a small world, in running order, with every choice of its tiles made jokers."""
    inks = COLOURS[:colours]
    span = range(lowest, highest + 1)
    whole = [tuple(Tile(c, n) for c in some) for n in span for k in (3, 4) for some in combinations(inks, k)]
    whole += [
        tuple(Tile(c, n) for n in range(low, high))
        for c in inks
        for low in span
        for high in range(low + 3, highest + 2)
    ]
    return tuple(
        tuple(JOKER if i in places else tile for i, tile in enumerate(meld))
        for meld in whole
        if len(meld) <= 6
        for count in range(min(jokers, len(meld) - 1) + 1)
        for places in combinations(range(len(meld)), count)
    )


def _shuffled(row: Row, rng: random.Random) -> Row:
    kind = rng.random()
    if kind < 0.7:
        return row
    return row[::-1] if kind < 0.85 else tuple(rng.sample(row, len(row)))


def _pick(melds: list[Row], left: Counter[Tile], rows: int, rng: random.Random) -> list[Row]:
    """Choose melds that can all be made of the tiles left, those with jokers rather."""
    chosen: list[Row] = []
    while len(chosen) < rows:
        fitting = [meld for meld in melds if Counter(meld) <= left]
        if not fitting:
            break
        jokered = [meld for meld in fitting if JOKER in meld]
        meld = rng.choice(jokered if jokered and rng.random() < 0.6 else fitting)
        chosen.append(meld)
        left = left - Counter(meld)
    return chosen


def small_turn(rng: random.Random, jokers: int = 2, rows: int = 4) -> tuple[Table, Table]:
    """Make a turn of a few rows: the table after, and of its tiles the melds that lay there before."""
    low = rng.randint(1, 10)
    high = min(13, low + rng.randint(2, 5))
    melds = list(small_melds(low, high, rng.randint(3, 4), min(jokers, 3)))
    after = _pick(melds, full_set(2, jokers), rng.randint(1, rows), rng)
    kept = [row for row in after if rng.random() < 0.25]
    tiles = Counter(t for row in after for t in row) - Counter(t for row in kept for t in row)
    near = [row for row in melds if is_meld(row) and Counter(row) <= tiles]
    before = kept + _pick(near, tiles, rng.randint(1, rows), rng)
    rng.shuffle(before)
    return Table.of(_shuffled(r, rng) for r in before), Table.of(_shuffled(r, rng) for r in after)
