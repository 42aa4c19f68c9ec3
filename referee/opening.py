"""A player's first melds (RULEBOOK 5): what they are worth, and whether the table was touched before it was free."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations

from referee.melds import is_meld, meld_points
from referee.rules import OpeningJokerPoints, RuleSet
from referee.table import Row
from referee.tiles import JOKER, Tile
from referee.turn import Turn, in_colour_order
from referee.verdict import Fault, FaultCode

_Tiles = tuple[Tile, ...]


@dataclass(frozen=True)
class Opening:
    """The turn of a player who has not opened yet."""

    turn: Turn
    rules: RuleSet

    @cached_property
    def points(self) -> int:
        """The worth of the opening melds (5.4); with `open_and_play_on`, of the best that can be formed."""
        if self.rules.open_and_play_on:
            return most_points(tuple(self.turn.played.elements()), self.rules)
        own = [row for row in self.turn.new if self._is_own_meld(row)]
        return self._most_points_of(own, self.turn.played)

    def faults(self) -> Iterator[Fault]:
        """Give the faults of paragraphs 5.1 and 5.3."""
        needed = self.rules.opening_points
        played = self.turn.played
        enough = bool(played) and self.points >= needed
        if played and not enough:
            tiles = in_colour_order(played.elements())
            yield Fault(FaultCode.OPENING_TOO_LOW, tiles=tiles, points=self.points, needed=needed)
        if self.turn.changed and not (enough and self.rules.open_and_play_on):
            yield Fault(FaultCode.OPENING_TOUCHES_TABLE, tiles=tuple(chain.from_iterable(self.turn.changed)))

    def _is_own_meld(self, row: Row) -> bool:
        return is_meld(row, naturals_outnumber=self.rules.naturals_outnumber) and Counter(row) <= self.turn.played

    def _most_points_of(self, melds: Sequence[Row], played: Counter[Tile]) -> int:
        """Give the most points of melds that can be made of played tiles together.

        All of them count, but where the turn takes copies of the table too: then a camera cannot see which copy lies in
        which meld, and what is best for the player counts.
        """
        if Counter(chain.from_iterable(melds)) <= played:
            return sum(_points(meld, self.rules) for meld in melds)
        first, rest = melds[0], melds[1:]
        without = self._most_points_of(rest, played)
        if not Counter(first) <= played:
            return without
        return max(without, _points(first, self.rules) + self._most_points_of(rest, played - Counter(first)))


def most_points(tiles: Sequence[Tile], rules: RuleSet) -> int:
    """Give the most points of valid melds that can be formed of some of the tiles at once (exact)."""
    numbered = sorted((tile for tile in tiles if tile.number), key=lambda tile: (tile.number, tile.colour))
    jokers = len(tiles) - len(numbered)
    # a run of six or more is two runs, unless a part of it might be short of numbered tiles
    longest = 13 if rules.naturals_outnumber or jokers > 2 else 5
    return _Former(rules, longest).most(tuple(numbered), jokers)


@dataclass(frozen=True)
class _Former:
    """Forms melds of tiles sorted by number: the first tile is left out, or is the lowest of a meld."""

    rules: RuleSet
    longest: int
    known: dict[tuple[_Tiles, int], int] = field(default_factory=dict)

    def most(self, tiles: _Tiles, jokers: int) -> int:
        if not tiles:
            return 0
        if (tiles, jokers) not in self.known:
            ways = (self._worth(row, tiles, jokers) for row in self._melds_of_first(tiles, jokers))
            self.known[tiles, jokers] = max(self.most(tiles[1:], jokers), max(ways, default=0))
        return self.known[tiles, jokers]

    def _worth(self, row: Row, tiles: _Tiles, jokers: int) -> int:
        rest = _without(tiles, row)
        return _points(row, self.rules) + self.most(rest, jokers - row.count(JOKER))

    def _melds_of_first(self, tiles: _Tiles, jokers: int) -> Iterator[Row]:
        for numbered in chain(_same_number(tiles), self._same_colour(tiles, jokers)):
            for count in range(min(jokers, self.longest - len(numbered)) + 1):
                row = (*numbered, *(JOKER,) * count)
                if is_meld(row, naturals_outnumber=self.rules.naturals_outnumber):
                    yield row

    def _same_colour(self, tiles: _Tiles, jokers: int) -> Iterator[_Tiles]:
        """Give the first tile with higher ones of its colour, at least one, whose gaps the jokers can fill."""
        first = tiles[0]
        higher = dict.fromkeys(tile for tile in tiles if tile.colour == first.colour and tile.number > first.number)
        grown: list[_Tiles] = [(first,)]
        for tile in higher:
            longer = [(*part, tile) for part in grown if tile.number - first.number - len(part) <= jokers]
            yield from longer
            grown += longer


def _same_number(tiles: _Tiles) -> Iterator[_Tiles]:
    """Give the first tile alone and with others of its number, each colour once."""
    first = tiles[0]
    others = dict.fromkeys(tile for tile in tiles if tile.number == first.number and tile.colour != first.colour)
    return ((first, *more) for size in range(len(others) + 1) for more in combinations(others, size))


def _without(tiles: _Tiles, used: Row) -> _Tiles:
    left = list(tiles)
    for tile in used:
        if tile.number:
            left.remove(tile)
    return tuple(left)


def _points(row: Row, rules: RuleSet) -> int:
    return meld_points(row, jokers_count=rules.opening_joker_points is OpeningJokerPoints.TILE)
