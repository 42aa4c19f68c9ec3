"""What lies on the table: the rows of tiles, as known for certain or as read by a camera with its doubts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

from referee.errors import NotationError
from referee.tiles import Tile, format_tiles, parse_tiles

Row = tuple[Tile, ...]
"""Tiles side by side, in the order they lie; a valid row is a meld."""
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Table:
    """Rows of tiles in a known order; `R3 R4 R5 / K7 B7 O7`, the empty table `-`."""

    rows: tuple[Row, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a table from its notation.

        Raises:
            NotationError: a tile is none, or a row is empty; the message quotes it.
        """
        if text.strip() in ("", "-"):
            return cls()
        rows = tuple(parse_tiles(part) for part in text.split("/"))
        if not all(rows):
            msg = f"{text!r} has an empty row: write melds with ' / ' between them, or - for the empty table"
            raise NotationError(msg)
        return cls(rows)

    @classmethod
    def of(cls, rows: Iterable[Iterable[Tile]]) -> Self:
        """Make a table of any rows, leaving empty ones out."""
        return cls(tuple(row for row in map(tuple, rows) if row))

    def __str__(self) -> str:
        """Give the notation."""
        return " / ".join(map(format_tiles, self.rows)) or "-"

    @cached_property
    def tiles(self) -> Counter[Tile]:
        """Count the tiles of all rows; treat as read-only."""
        return Counter(chain.from_iterable(self.rows))


class Where(StrEnum):
    """The place of a seen tile: played on the table, on a player's rack, or in the pool."""

    TABLE = "table"
    RACK = "rack"
    POOL = "pool"


class DoubtCode(StrEnum):
    """Why a reading is not certain."""

    SIX_OR_NINE = "six_or_nine"
    UNREADABLE = "unreadable"
    TWO_READINGS = "two_readings"
    WHICH_MELD = "which_meld"
    ONE_MELD = "one_meld"
    MISSING = "missing"
    EXTRA = "extra"
    TOO_MANY = "too_many"


class Choice(NamedTuple):
    """One thing a seen tile may be, with its probability from 0 to 1."""

    tile: Tile
    probability: float


@dataclass(frozen=True)
class SeenTile:
    """A tile as the camera sees it.

    `corners`: four (x, y) in pixels of the picture, top-left first and clockwise as the tile itself is read.
    `choices`: what it may be, most probable first; their probabilities sum to at most 1, the rest is "something else".
    `back`: it lies face down. `presence`: the probability that a tile lies here at all.
    """

    corners: Quad
    choices: tuple[Choice, ...] = ()
    where: Where = Where.TABLE
    back: bool = False
    presence: float = 1.0

    @property
    def best(self) -> Tile | None:
        """The tile it is said to be, or None where the most probable one is under 0.5 (or it lies face down)."""
        return self.choices[0].tile if not self.back and self.choices and self.confidence >= SURE_ENOUGH else None

    @property
    def confidence(self) -> float:
        """The probability of the most probable tile; of lying face down where it does; 0 where nothing is known."""
        if self.back:
            return self.presence
        return self.choices[0].probability if self.choices else 0.0


SURE_ENOUGH = 0.5


@dataclass(frozen=True)
class Doubt:
    """A question about a reading: `tiles` are indices into it, `answers` in notation, most probable first.

    Of `one_meld` the tiles are those of both pieces (one of each will do); of `which_meld` the tile, then one tile of
    each row that it may belong to.
    """

    code: DoubtCode
    tiles: tuple[int, ...]
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableReading:
    """What one look at the table gave.

    `melds` hold the indices of the face-up tiles of the table, each in exactly one row, in reading order; rows go from
    top to bottom, then left to right by their first tile. `unseen`: tiles of the last table that are not seen but may
    lie there all the same (covered, fallen: RULEBOOK 4.3); None where nobody knows, and any tile may.
    """

    tiles: tuple[SeenTile, ...] = ()
    melds: tuple[tuple[int, ...], ...] = ()
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = field(default=())
    unseen: tuple[Tile, ...] | None = None

    @property
    def notation(self) -> str:
        """The table in notation; a tile that cannot be read is `?`."""
        rows = (" ".join(str(self.tiles[i].best or "?") for i in row) for row in self.melds)
        return " / ".join(rows) or "-"

    def table(self) -> Table:
        """Give the most probable table; tiles that cannot be read are left out."""
        return Table.of(tuple(t for i in row if (t := self.tiles[i].best)) for row in self.melds)
