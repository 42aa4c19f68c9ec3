"""The tables that a look may have been at: what each doubtful tile may be, and the most probable tables first.

Tiles are taken as independent of each other, and tables with more copies of a tile than the set holds as impossible
(RULEBOOK 1.3).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import chain
from math import prod
from typing import NamedTuple

from referee.rules import RuleSet
from referee.table import Doubt, DoubtCode, Row, SeenTile, Table, TableReading
from referee.tiles import JOKER, NUMBERED, Tile, full_set
from referee.turn import exceeds
from referee.verdict import Side

Seen = Table | TableReading
_NEGLIGIBLE = 0.002
"""A smaller chance that a tile is something else than all its choices is left out."""
NO_TILE = "-"
_OF_ROWS = (DoubtCode.ONE_MELD, DoubtCode.WHICH_MELD)

Lines = tuple[tuple[int, ...], ...]
"""Rows of tile indices of a reading."""


class Option(NamedTuple):
    """One answer to a doubt: `label` in notation, its probability, and the tile or the change of rows it stands for.

    `joined`: the rows of these tiles are one; else `lines` lie `in_place_of` the rows that were read.
    """

    label: str
    probability: float
    tile: Tile | None = None
    lines: Lines = ()
    in_place_of: Lines = ()
    joined: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Variable:
    """One thing of a reading that is not certain: what a tile is, or in which rows tiles lie; most probable first.

    Each is a thing of its own: two that say the same are not equal.
    """

    side: Side
    index: int
    said: str
    code: DoubtCode
    options: tuple[Option, ...]

    @property
    def of_rows(self) -> bool:
        """Whether it asks for rows, not for a tile."""
        return self.code in _OF_ROWS


Choices = tuple[Option, ...]
"""An answer to each variable of a look, in their order."""


@dataclass(frozen=True)
class Look:
    """One side of the turn, as it was seen."""

    side: Side
    seen: Seen
    rules: RuleSet

    @cached_property
    def lines(self) -> Lines:
        """The rows as tile indices; of a table that is known, its tiles counted row by row."""
        if isinstance(self.seen, TableReading):
            return self.seen.melds
        starts = [sum(map(len, self.seen.rows[:place])) for place in range(len(self.seen.rows))]
        return tuple(tuple(range(start, start + len(row))) for start, row in zip(starts, self.seen.rows, strict=True))

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """What is not certain."""
        if isinstance(self.seen, Table):
            return ()
        tiles = (self._tile_variable(index) for index, options in self._options.items() if len(options) > 1)
        rows = (self._row_variable(doubt) for doubt in self.seen.doubts)
        return tuple(variable for variable in chain(tiles, rows) if variable)

    @cached_property
    def certain(self) -> dict[int, Tile]:
        """The tiles that can be only one thing, by index; those that can be nothing else than no tile are left out."""
        if isinstance(self.seen, Table):
            return dict(enumerate(chain.from_iterable(self.seen.rows)))
        doubtful = {variable.index for variable in self.variables if not variable.of_rows}
        known = ((index, options[0].tile) for index, options in self._options.items() if index not in doubtful)
        return {index: tile for index, tile in known if tile}

    @cached_property
    def certain_rows(self) -> dict[tuple[int, ...], Row]:
        """The rows that nothing is doubtful of, by their indices."""
        doubtful = {line for variable in self.variables for one in variable.options for line in one.in_place_of}
        lines = (line for line in self.lines if line not in doubtful and all(index in self.certain for index in line))
        return {line: tuple(self.certain[index] for index in line) for line in lines}

    def rows(self, choices: Choices, lines: Lines) -> tuple[Row, ...]:
        """Give some of the rows under some answers; rows of no tile are left out."""
        chosen: dict[int, Tile] = {}
        for variable, option in zip(self.variables, choices, strict=True):
            if option.joined:
                lines = _joined(lines, set(option.joined))
            elif option.lines and set(option.in_place_of) <= set(lines):
                lines = (*(line for line in lines if line not in option.in_place_of), *option.lines)
            if option.tile:
                chosen[variable.index] = option.tile
        known = self.certain_rows
        rows = [known.get(line) or self._row(line, chosen) for line in lines]
        return tuple(row for row in rows if row)

    def _row(self, line: tuple[int, ...], chosen: Mapping[int, Tile]) -> Row:
        certain = self.certain
        return tuple(tile for index in line if (tile := chosen.get(index) or certain.get(index)))

    def fits(self, choices: Choices) -> bool:
        """Whether there are no more copies of any tile than the set holds."""
        whole = full_set(self.rules.copies, self.rules.jokers)
        chosen = Counter(option.tile for option in choices if option.tile)
        return self._certain_fit and all(self._counts[tile] + count <= whole[tile] for tile, count in chosen.items())

    @cached_property
    def _counts(self) -> Counter[Tile]:
        return Counter(self.certain.values())

    @cached_property
    def _certain_fit(self) -> bool:
        return not exceeds(self._counts, full_set(self.rules.copies, self.rules.jokers))

    def _tile_variable(self, index: int) -> Variable:
        options = self._options[index]
        tile = self._reading.tiles[index]
        return Variable(self.side, index, str(tile.best or "?"), self._code(index, tile, options), options)

    @property
    def _reading(self) -> TableReading:
        return self.seen if isinstance(self.seen, TableReading) else TableReading()

    @cached_property
    def _options(self) -> dict[int, tuple[Option, ...]]:
        """What each tile of the rows may be."""
        return {index: _options(self._reading.tiles[index]) for index in chain.from_iterable(self.lines)}

    def _code(self, index: int, tile: SeenTile, options: Sequence[Option]) -> DoubtCode:
        """Say why the tile is doubtful: as the reading says, else by what it may be."""
        said = (doubt.code for doubt in self._reading.doubts if index in doubt.tiles)
        for code in said:
            if code not in _OF_ROWS:
                return code
        if not tile.best:
            return DoubtCode.UNREADABLE
        numbers = {option.tile.number for option in options if option.tile}
        colours = {option.tile.colour for option in options if option.tile}
        if numbers == {6, 9} and len(colours) == 1:
            return DoubtCode.SIX_OR_NINE
        return DoubtCode.EXTRA if len(numbers) == len(colours) == 1 else DoubtCode.TWO_READINGS

    def _row_variable(self, doubt: Doubt) -> Variable | None:
        """Read a doubt about rows: two short pieces that may be one meld, or a tile between two rows."""
        if doubt.code not in _OF_ROWS:
            return None
        touched = tuple(line for line in self.lines if set(line) & set(doubt.tiles))
        if len(touched) < 2:
            return None
        one = doubt.code is DoubtCode.ONE_MELD
        ways = [(tuple(chain.from_iterable(touched)),)] if one else _other_rows(touched, doubt.tiles[0])
        chance = 1 / (len(ways) + 1)
        said = self._notation(touched)
        joined = doubt.tiles if one else ()
        changes = (Option(self._notation(way), chance, None, way, touched, joined) for way in ways)
        return Variable(self.side, doubt.tiles[0], said, doubt.code, (Option(said, chance), *changes))

    def _notation(self, lines: Lines) -> str:
        tiles = self._reading.tiles
        return " / ".join(" ".join(str(tiles[index].best or "?") for index in line) for line in lines)


def _options(tile: SeenTile) -> tuple[Option, ...]:
    """Say what a tile may be, the most probable first; choices that promise more than its presence are scaled down."""
    named = sum(choice.probability for choice in tile.choices)
    scale = tile.presence / max(named, tile.presence) if tile.presence else 0.0
    chances = {choice.tile: scale * choice.probability for choice in tile.choices}
    options = [Option(str(face), chance, face) for face, chance in chances.items() if chance > 0]
    options += _something_else(tile.presence - scale * named, chances)
    if tile.presence < 1:
        options.append(Option(NO_TILE, 1 - tile.presence))
    return _normalised(options)


def _joined(lines: Lines, tiles: set[int]) -> Lines:
    """Put the rows that hold one of the tiles end to end."""
    apart = tuple(line for line in lines if not tiles & set(line))
    return (*apart, tuple(chain.from_iterable(line for line in lines if tiles & set(line))))


def _other_rows(touched: Lines, tile: int) -> list[Lines]:
    """Give the rows with the tile moved to the end of another of them that it may belong to, on the nearer side."""
    home = next(line for line in touched if tile in line)
    rest = tuple(index for index in home if index != tile)
    ways = []
    for line in touched:
        if line != home:
            others = tuple(one for one in touched if one not in (home, line))
            grown = (tile, *line) if home.index(tile) else (*line, tile)
            ways.append((*others, *((rest,) if rest else ()), grown))
    return ways


def _something_else(chance: float, named: Mapping[Tile, float]) -> Iterator[Option]:
    """Spread the chance of being none of the named tiles evenly over the others."""
    if chance >= _NEGLIGIBLE:
        others = [face for face in (*NUMBERED, JOKER) if face not in named]
        yield from (Option(str(face), chance / len(others), face) for face in others)


def _normalised(options: Iterable[Option]) -> tuple[Option, ...]:
    """Sort options, the most probable first, and let their probabilities add up to 1."""
    ranked = sorted(options, key=lambda option: -option.probability)
    total = sum(option.probability for option in ranked)
    return tuple(option._replace(probability=option.probability / total) for option in ranked)


class Case(NamedTuple):
    """One way in which all doubts may be answered, with its probability."""

    choices: Choices
    probability: float


def by_probability(variables: Sequence[Variable]) -> Iterator[Case]:
    """Give every way to answer the doubts, the most probable first."""
    heap = [(-_chance(variables, start), start, 0) for start in [(0,) * len(variables)]]
    while heap:
        negative, picks, last = heappop(heap)
        yield Case(tuple(one.options[pick] for one, pick in zip(variables, picks, strict=True)), -negative)
        # each way is reached once: only doubts from the last one changed on may change further
        for place in range(last, len(variables)):
            if picks[place] + 1 < len(variables[place].options):
                after = (*picks[:place], picks[place] + 1, *picks[place + 1 :])
                heappush(heap, (-_chance(variables, after), after, place))


def _chance(variables: Sequence[Variable], picks: Sequence[int]) -> float:
    return prod(one.options[pick].probability for one, pick in zip(variables, picks, strict=True))
