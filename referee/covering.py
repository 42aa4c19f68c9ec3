"""Laying tiles out in melds, as an integer programme: every tile of the table in one, as many of the rack as can be.

After Den Hertog and Hulshof, "Solving Rummikub Problems by Integer Linear Programming" (The Computer Journal 49, 2006):
a column a meld, a row a tile. Theirs has a column for every choice of places that jokers take in a meld, 1,174 in all,
and these are what makes it slow. Here a joker is a further copy of the tile that it stands for: melds are laid of tiles
alone, 52 columns say how often a joker stands for which, and only when an answer is found are the jokers dealt out
to its melds. A second aim keeps rows of the table whole.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

from referee.melds import is_meld
from referee.programme import Cut, Entry, Programme, Rank, Values
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.tiles import COLOURS, HIGHEST, JOKER, LOWEST, NUMBERED, Tile, full_set
from referee.turn import sorted_row

TILE_ROW = {tile: row for row, tile in enumerate((*NUMBERED, JOKER))}
"""The rows of the programme that see to it that every tile, and every joker, lies in one meld."""
JOKER_ROW = TILE_ROW[JOKER]
_LONGEST_NEEDED = 5
"""A longer run is two runs; but for these, see `Layout.shapes`."""


class Shape(NamedTuple):
    """A meld of tiles without jokers, rising; its rows of the programme, and the same as entries of a column."""

    tiles: Row
    faces: frozenset[Tile]
    rows: tuple[int, ...]
    entries: tuple[Entry, ...]

    def row(self, jokers: Container[Tile] = ()) -> Row:
        """Give the meld with jokers for some of its tiles."""
        return tuple(JOKER if tile in jokers else tile for tile in self.tiles)


def _every_shape() -> Iterator[Shape]:
    spans = [(low, high) for low in range(LOWEST, HIGHEST - 1) for high in range(low + 2, HIGHEST + 1)]
    runs = [tuple(Tile(colour, n) for n in range(low, high + 1)) for colour in COLOURS for low, high in spans]
    choices = [colours for size in (3, 4) for colours in combinations(COLOURS, size)]
    groups = [tuple(Tile(colour, n) for colour in colours) for n in range(LOWEST, HIGHEST + 1) for colours in choices]
    for tiles in (*runs, *groups):
        rows = tuple(TILE_ROW[tile] for tile in tiles)
        yield Shape(tiles, frozenset(tiles), rows, tuple((row, 1) for row in rows))


SHAPES = tuple(_every_shape())
_SHORT_SHAPES = tuple(shape for shape in SHAPES if len(shape.tiles) <= _LONGEST_NEEDED)


def readings(row: Row) -> Iterator[Shape]:
    """Give every meld without jokers that a valid meld, its tiles in any order, can stand for."""
    numbered = frozenset(row) - {JOKER}
    return (shape for shape in SHAPES if len(shape.tiles) == len(row) and numbered <= shape.faces)


@dataclass(frozen=True)
class Layout:
    """What is to be laid out: the tiles that lie on the table, those of the rack that may join them, and the rules.

    `before` is the table at the start of the turn, where it is known: its tiles must lie there too (4.3).
    """

    table: Table
    rack: Row
    rules: RuleSet
    before: Table | None = None

    @property
    def old(self) -> Table:
        """The table at the start of the turn; where it is not known, the table as it lies."""
        return self.table if self.before is None else self.before

    @cached_property
    def due(self) -> Counter[Tile]:
        """Count the tiles that must lie on the table."""
        return self.table.tiles | self.old.tiles

    @cached_property
    def spare(self) -> Counter[Tile]:
        """Count the tiles that may be laid besides; never more than the set holds (1.3)."""
        left = self.table.tiles + Counter(self.rack) - self.due
        return left & (self._set - self.due)

    @cached_property
    def most(self) -> Counter[Tile]:
        """Count the tiles that can lie on the table."""
        return self.due + self.spare

    @cached_property
    def laid(self) -> Counter[Tile]:
        """Count the tiles of the hand that must lie on the table, because they lie there already."""
        return self.due - self.old.tiles

    @property
    def in_reach(self) -> bool:
        """Whether the tiles that must lie there are at hand, and are not more than the set holds."""
        return self.due <= self.table.tiles + Counter(self.rack) and self.due <= self._set

    @property
    def _set(self) -> Counter[Tile]:
        return full_set(self.rules.copies, self.rules.jokers)

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """Give the melds that the tiles at hand and the jokers can fill.

        A run of six or more is left out as two runs; but not where one of these might hold too few numbered tiles.
        """
        jokers = self.most[JOKER]
        shapes = SHAPES if jokers >= 3 or self.rules.naturals_outnumber else _SHORT_SHAPES
        missing = {TILE_ROW[tile] for tile in NUMBERED if tile not in self.most}
        return tuple(shape for shape in shapes if len(missing.intersection(shape.rows)) <= jokers)

    def is_meld(self, row: Row) -> bool:
        """Whether a row is a valid meld under the rules."""
        return is_meld(row, naturals_outnumber=self.rules.naturals_outnumber)

    def with_jokers(self, shape: Shape) -> Iterator[tuple[Row, frozenset[Tile]]]:
        """Give a meld with every choice of its tiles that jokers can stand for, and that choice."""
        room = min(self.joker_room(len(shape.tiles)), self.most[JOKER])
        for jokers in chain.from_iterable(combinations(shape.tiles, size) for size in range(room + 1)):
            if all(self.most[tile] for tile in shape.tiles if tile not in jokers):
                yield shape.row(jokers), frozenset(jokers)

    def joker_room(self, size: int) -> int:
        """Give how many of the tiles of a meld of that size may be jokers (3.6, 3.9)."""
        return (size - 1) // 2 if self.rules.naturals_outnumber else size - 1


class Meld(NamedTuple):
    """A meld that a column lays: `row` with its sure jokers; up to `room` of the tiles at `open` may be jokers too."""

    row: Row
    open: tuple[int, ...] = ()
    room: int = 0


@dataclass
class Covering:
    """The programme of a layout, and what its columns mean."""

    layout: Layout
    programme: Programme = field(default_factory=Programme)
    melds: dict[int, Meld] = field(default_factory=dict)
    played: int = field(init=False)
    """The column that counts them."""
    spare: dict[Tile, int] = field(default_factory=dict)
    """The columns that lay tiles of the rack."""
    roles: dict[Tile, int] = field(default_factory=dict)
    """The columns that say how many jokers stand for a tile, in melds with open places."""
    whole: dict[Row, int] = field(default_factory=dict)
    """The rows of the programme that count how often a meld of the table, sorted, is laid."""

    def __post_init__(self) -> None:
        """Set up the tiles, the jokers and the first aim."""
        for tile in TILE_ROW:
            self.programme.row(self.layout.due[tile], self.layout.due[tile])
        self._count_tiles()
        self._count_jokers()

    def _count_tiles(self) -> None:
        """The first aim: lay tiles of the rack; one of them counts for more than all rows of the table."""
        spare = self.layout.spare
        played = self.programme.row(0, 0)
        gain = 1 + len(self.layout.table.rows)
        self.played = self.programme.column([(played, 1)], upper=spare.total(), rank=Rank.PLAYED, gain=gain)
        for tile, count in spare.items():
            entries = [(TILE_ROW[tile], -1), (played, -1)]
            self.spare[tile] = self.programme.column(entries, upper=count, rank=Rank.RACK)

    def _count_jokers(self) -> None:
        jokers = self.layout.most[JOKER]
        for tile in NUMBERED if jokers else ():
            entries = [(TILE_ROW[tile], -1), (JOKER_ROW, 1)]
            self.roles[tile] = self.programme.column(entries, upper=jokers, rank=Rank.ROLE)

    def count_whole_rows(self) -> None:
        """Set up the second aim, to keep melds of the table whole, whatever columns lay them."""
        rows = Counter(sorted_row(row) for row in self.layout.table.rows if self.layout.is_meld(row))
        for row, count in rows.items():
            self.whole[row] = self.programme.row(highest=0)
            self.programme.column([(self.whole[row], 1)], upper=count, rank=Rank.KEPT, gain=1)

    def lay(self, meld: Meld, entries: Iterable[Entry] = (), *, upper: int) -> int:
        """Add a column that lays a meld, with further entries of its own."""
        tiles: Counter[int] = Counter(TILE_ROW[tile] for tile in meld.row)
        whole = None if meld.open else self.whole.get(sorted_row(meld.row))
        counted = [] if whole is None else [(whole, -1)]
        column = self.programme.column([*tiles.items(), *counted, *entries], upper=upper, rank=Rank.MELD)
        self.melds[column] = meld
        return column

    def lay_shapes(self, shapes: Iterable[Shape]) -> None:
        """Add a column for each of these melds; a joker may stand for any of its tiles."""
        jokers = self.layout.most[JOKER]
        upper = self.layout.rules.copies + jokers
        for shape in shapes:
            size = len(shape.tiles)
            room = self.layout.joker_room(size) if jokers else 0
            column = self.programme.column(shape.entries, upper=upper, rank=Rank.MELD)
            self.melds[column] = Meld(shape.tiles, tuple(range(size)), room)

    def lay_table_rows(self) -> None:
        """Add a column for every meld that lies on the table, as it lies, and the second aim with it."""
        for row, count in Counter(self.layout.table.rows).items():
            if self.layout.is_meld(row):
                tiles = Counter(TILE_ROW[tile] for tile in row)
                column = self.programme.column(tiles.items(), upper=count, rank=Rank.KEPT, gain=1)
                self.melds[column] = Meld(row)

    def rows(self, values: Values) -> tuple[Row, ...] | Cut:
        """Deal the jokers out to the melds of a solution; where that fails, say what every answer obeys."""
        seats = _Seats([_Seat(meld) for column, meld in self.melds.items() for _ in range(values[column])])
        for tile, column in self.roles.items():
            for _ in range(values[column]):
                if reached := seats.take(tile):
                    return self._too_many_jokers(reached)
        return tuple(seat.row() for seat in seats.all)

    def _too_many_jokers(self, tiles: frozenset[Tile]) -> Cut:
        """Say that no more jokers stand for these tiles than the melds that hold them have room for."""
        entries = [(self.roles[tile], 1) for tile in tiles]
        for column, meld in self.melds.items():
            places = sum(meld.row[place] in tiles for place in meld.open)
            if places and meld.room:
                entries.append((column, -min(places, meld.room)))
        return Cut(tuple(entries), 0)


class _Seat:
    """A meld of a solution, and the tiles of it that jokers stand for."""

    def __init__(self, meld: Meld) -> None:
        self.meld = meld
        self.open = {meld.row[place] for place in meld.open}
        self.jokers: set[Tile] = set()

    def row(self) -> Row:
        """Give the meld with its jokers."""
        return tuple(JOKER if tile in self.jokers else tile for tile in self.meld.row)


class _Seats(NamedTuple):
    """The melds of a solution; a joker that finds no place may send others on to their next one (augmenting paths)."""

    all: list[_Seat]

    def take(self, tile: Tile) -> frozenset[Tile]:
        """Seat a joker that stands for the tile; where that fails, give the tiles whose jokers are in the way."""
        reached: set[Tile] = set()
        return frozenset() if self._seated(tile, reached, []) else frozenset(reached)

    def _seated(self, tile: Tile, reached: set[Tile], tried: list[_Seat]) -> bool:
        reached.add(tile)
        for seat in self.all:
            if tile in seat.open - seat.jokers and seat not in tried:
                tried.append(seat)
                if len(seat.jokers) < seat.meld.room or self._sent_on(seat, reached, tried):
                    seat.jokers.add(tile)
                    return True
        return False

    def _sent_on(self, seat: _Seat, reached: set[Tile], tried: list[_Seat]) -> bool:
        for tile in sorted(seat.jokers):
            if self._seated(tile, reached, tried):
                seat.jokers.remove(tile)
                return True
        return False
