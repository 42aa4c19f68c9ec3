"""Which tiles lie together: rows that are melds, rows that are none, always within the set's inventory."""

from collections import Counter

import numpy as np

from referee.tiles import COLOURS, JOKER, Tile, full_set

BIG_SET = {"copies": 4, "jokers": 4}
JOKER_SET = {"copies": 1, "jokers": 26}
"""No set anybody plays with: every third tile is a joker, for those who learn what jokers look like."""


class Bag:
    """The tiles of a set that are not laid out yet."""

    def __init__(self, rng: np.random.Generator, tiles: Counter[Tile]) -> None:
        self.rng = rng
        self.left = Counter(tiles)

    @property
    def size(self) -> int:
        """How many tiles are left."""
        return self.left.total()

    def take(self, tile: Tile) -> bool:
        """Take one tile out if there is one."""
        if not self.left[tile]:
            return False
        self.left[tile] -= 1
        return True

    def draw(self) -> Tile | None:
        """Take any tile out, None when the bag is empty."""
        rest = sorted(self.left.elements())
        return self._taken(rest[int(self.rng.integers(len(rest)))]) if rest else None

    def _taken(self, tile: Tile) -> Tile:
        self.left[tile] -= 1
        return tile

    def draw_many(self, count: int) -> list[Tile]:
        """Take up to `count` tiles."""
        rest = sorted(self.left.elements())
        chosen = self.rng.permutation(len(rest))[:count]
        tiles = [rest[i] for i in chosen]
        self.left.subtract(tiles)
        return tiles


def new_bag(rng: np.random.Generator, *, many_jokers: bool = False) -> Bag:
    """Open a box: the usual set, now and then the big one; or one in which every third tile is a joker."""
    if many_jokers:
        return Bag(rng, full_set(**JOKER_SET))
    return Bag(rng, full_set(**BIG_SET) if rng.random() < 0.05 else full_set())


def _run(rng: np.random.Generator) -> list[Tile]:
    length = min(13, 3 + int(rng.geometric(0.5)) - (rng.random() < 0.5))
    start, colour = int(rng.integers(1, 15 - length)), COLOURS[int(rng.integers(4))]
    return [Tile(colour, n) for n in range(start, start + length)]


def _group(rng: np.random.Generator) -> list[Tile]:
    number = int(rng.integers(1, 14))
    return [Tile(COLOURS[i], number) for i in rng.permutation(4)[: rng.integers(3, 5)]]


def _spoil(rng: np.random.Generator, row: list[Tile]) -> list[Tile]:
    """Make a near-legal row: one tile swapped for a like one, a tile doubled, or two exchanged."""
    at, row = int(rng.integers(len(row))), list(row)
    old, kind = row[at], rng.integers(4)
    if kind == 0:
        row[at] = Tile(old.colour, int(rng.integers(1, 14)))
    elif kind == 1:
        row[at] = Tile(COLOURS[int(rng.integers(4))], old.number)
    elif kind == 2:
        row.insert(at, old)
    else:
        other = int(rng.integers(len(row)))
        row[at], row[other] = row[other], row[at]
    return row


def deal_row(rng: np.random.Generator, bag: Bag, illegal: float, joker: float = 0.12) -> list[Tile]:
    """Take a row out of the bag: a run or a group, near-legal or of any tiles with probability `illegal`."""
    if rng.random() < illegal * 0.6:
        return bag.draw_many(int(rng.integers(1, 9)))
    wanted = _run(rng) if rng.random() < 0.55 else _group(rng)
    if rng.random() < illegal:
        wanted = _spoil(rng, wanted)
    if rng.random() < joker:
        wanted[int(rng.integers(len(wanted)))] = JOKER
    return [tile for tile in wanted if bag.take(tile)]
