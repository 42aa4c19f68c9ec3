"""The rows of a covering that hold its columns to the joker rules (RULEBOOK 6)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from typing import TypeVar

from referee.covering import Covering, Layout, Meld
from referee.melds import joker_roles
from referee.programme import Entry, Programme
from referee.rules import JokerReuse, JokerSwap
from referee.table import Row
from referee.tiles import JOKER, Tile

_Thing = TypeVar("_Thing")


def subsets(things: Collection[_Thing], least: int = 0, most: int | None = None) -> Iterator[frozenset[_Thing]]:
    """Give every choice of `least` to `most` of some things, all of them where no most is said."""
    sizes = range(least, len(things) + 1 if most is None else min(most, len(things)) + 1)
    return (frozenset(chosen) for size in sizes for chosen in combinations(things, size))


@dataclass
class JokerRows:
    """A row for each tile that a joker of before may have stood for, and for each that may come from the hand.

    `kept`: as many jokers stand for the tile as are kept as it; where melds are locked, blocks see to that.
    `replaced`: no more jokers are replaced by the tile than copies of it can do that. `own`: no more copies are claimed
    to come from the hand than do. `places`: the replaced jokers have places where 6.4 allows them.
    """

    covering: Covering
    kept: dict[Tile, int] = field(default_factory=dict)
    replaced: dict[Tile, int] = field(default_factory=dict)
    own: dict[Tile, int] = field(default_factory=dict)
    places: int = field(init=False)
    most_replaced: int = 0
    """How many jokers can be replaced at all."""

    def __post_init__(self) -> None:
        """Make the rows for the jokers of before."""
        anywhere = self.layout.rules.joker_reuse is JokerReuse.ANYWHERE
        self.places = self.programme.row(highest=inf if anywhere else 0)
        old = [row for row in self.layout.old.rows if JOKER in row]
        for tile in sorted({tile for row in old for roles in joker_roles(row) for tile in roles}):
            self.replaced[tile] = self._row_of_supply(tile, self._table_supply(tile) + self.layout.laid[tile])
            if not self.locked:
                self.kept[tile] = self.programme.row(highest=0)
                self.programme.put(self.kept[tile], self.covering.roles[tile], -1)

    @property
    def programme(self) -> Programme:
        """The programme of the covering."""
        return self.covering.programme

    @property
    def layout(self) -> Layout:
        """The layout of the covering."""
        return self.covering.layout

    @property
    def by_any(self) -> bool:
        """Whether a tile of the table may replace a joker (6.1)."""
        return self.layout.rules.joker_swap is JokerSwap.ANY

    @property
    def locked(self) -> bool:
        """Whether a meld stays together while a joker is in it (6.3)."""
        return self.layout.rules.joker_meld_locked

    def _table_supply(self, tile: Tile) -> int:
        """Count the copies of before that may replace a joker if their rows do not lie as they lay (6.1, 6.3)."""
        if not self.by_any:
            return 0
        return sum(tile in row for row in self.layout.old.rows if not (self.locked and self._holds_jokers(row)))

    @staticmethod
    def _holds_jokers(row: Row) -> bool:
        return JOKER in row and bool(joker_roles(row))

    def _row_of_supply(self, tile: Tile, supply: int) -> int:
        row = self.programme.row(highest=supply)
        if tile in self.covering.spare:
            self.programme.put(row, self.covering.spare[tile], -1)
        return row

    def can_replace(self, tile: Tile) -> bool:
        """Whether there can be a copy of the tile that replaces a joker."""
        old = 0 if self.by_any else self.layout.old.tiles[tile]
        return self.layout.most[tile] > old

    def keep(self, roles: Iterable[Tile], fate: int) -> None:
        """Under a fate, jokers are kept as these tiles."""
        for tile in roles:
            self.programme.put(self.kept[tile], fate, 1)

    def replace(self, roles: Collection[Tile], fate: int) -> None:
        """Under a fate, jokers are replaced by these tiles."""
        self.programme.put(self.places, fate, len(roles))
        for tile in roles:
            self.programme.put(self.replaced[tile], fate, 1)

    def set_free(self, numbered: Iterable[Tile], fate: int) -> None:
        """Under a fate, the tiles of a locked meld are free, and may replace jokers where any tile may."""
        for tile in self.replaced.keys() & numbered if self.by_any else ():
            self.programme.put(self.replaced[tile], fate, -1)

    def from_hand(self, tile: Tile) -> int:
        """Give the row that counts the claims that a tile, or a joker, came from the hand."""
        if tile not in self.own:
            idle = self.idle_jokers if tile.is_joker else 0
            self.own[tile] = self._row_of_supply(tile, self.layout.laid[tile] + idle)
        return self.own[tile]

    @property
    def idle_jokers(self) -> int:
        """How many jokers of before lay in no valid meld: they stood for nothing, and are as free as the hand's."""
        return sum(row.count(JOKER) for row in self.layout.old.rows if not joker_roles(row))

    def not_replacing(self, row: Row) -> Iterator[Entry]:
        """Give the entries of a row that lies as it lay: its tiles replace nothing (6.1)."""
        if not (self.locked and JOKER in row):
            yield from ((self.replaced[tile], 1) for tile in self.replaced.keys() & set(row))

    def lay(self, row: Row, roles: Iterable[Tile], entries: Iterable[Entry] = ()) -> int:
        """Add a column for a meld all of whose jokers are known, and what these stand for; they may be kept ones."""
        kept = [(self.kept[tile], -1) for tile in roles if tile in self.kept]
        return self.covering.lay(Meld(row), [*kept, *entries], upper=self.layout.rules.copies)
