"""What the referee says of a turn: a ruling, every fault with its code and paragraph, and what follows from it.

There are no sentences here: the codes and their numbers are put into words by the catalogue of a language in `web/`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from referee.table import DoubtCode, Row
from referee.tiles import Tile

Side = Literal["before", "after"]


class Ruling(StrEnum):
    """The verdict in one word."""

    LEGAL = "legal"
    """At least one tile was played, and there is no fault."""
    DRAW = "draw"
    """Nothing was played, the table is valid: the player draws one tile (4.1, 4.4)."""
    ILLEGAL = "illegal"
    UNSURE = "unsure"
    """It hangs on a doubt of the reading."""
    IMPOSSIBLE = "impossible"
    """No turn can lead here: the camera's error or a foreign tile, never a player's fault (1.3, 4.7)."""


class FaultCode(StrEnum):
    """Every fault of the rulebook, in the order in which faults are named."""

    LOOSE_TILE = "loose_tile"
    MELD_TOO_SHORT = "meld_too_short"
    GROUP_TOO_LONG = "group_too_long"
    GROUP_REPEATS_COLOUR = "group_repeats_colour"
    RUN_REPEATS_NUMBER = "run_repeats_number"
    RUN_WRAPS = "run_wraps"
    RUN_HAS_GAP = "run_has_gap"
    NOT_A_MELD = "not_a_meld"
    TOO_MANY_JOKERS = "too_many_jokers"
    TILE_TAKEN_BACK = "tile_taken_back"
    OPENING_TOO_LOW = "opening_too_low"
    OPENING_TOUCHES_TABLE = "opening_touches_table"
    JOKER_MOVED = "joker_moved"
    JOKER_SWAP_NOT_FROM_HAND = "joker_swap_not_from_hand"
    JOKER_MELD_BROKEN = "joker_meld_broken"
    JOKER_REUSE = "joker_reuse"
    TIME_OUT = "time_out"

    @property
    def paragraph(self) -> str:
        """The paragraph of the rulebook that is broken; of `not_a_meld` both, `3.1, 3.2`."""
        return _PARAGRAPHS[self]


_PARAGRAPHS = {
    FaultCode.LOOSE_TILE: "3.4",
    FaultCode.MELD_TOO_SHORT: "3.4",
    FaultCode.GROUP_TOO_LONG: "3.1",
    FaultCode.GROUP_REPEATS_COLOUR: "3.1",
    FaultCode.RUN_REPEATS_NUMBER: "3.2",
    FaultCode.RUN_WRAPS: "3.3",
    FaultCode.RUN_HAS_GAP: "3.2",
    FaultCode.NOT_A_MELD: "3.1, 3.2",
    FaultCode.TOO_MANY_JOKERS: "3.9",
    FaultCode.TILE_TAKEN_BACK: "4.3",
    FaultCode.OPENING_TOO_LOW: "5.1",
    FaultCode.OPENING_TOUCHES_TABLE: "5.3",
    FaultCode.JOKER_MOVED: "6.1",
    FaultCode.JOKER_SWAP_NOT_FROM_HAND: "6.1",
    FaultCode.JOKER_MELD_BROKEN: "6.3",
    FaultCode.JOKER_REUSE: "6.4",
    FaultCode.TIME_OUT: "7.3",
}


@dataclass(frozen=True)
class Fault:
    """One breach of the rules.

    `meld` is the row that is no valid meld, as it lies, and None for faults of the turn as a whole; `tiles` are those
    that it is about. `points` were laid and `needed` were asked, for `opening_too_low` alone.
    """

    code: FaultCode
    meld: Row | None = None
    tiles: tuple[Tile, ...] = ()
    points: int = 0
    needed: int = 0

    @property
    def paragraph(self) -> str:
        """The paragraph of the rulebook that is broken."""
        return self.code.paragraph


class NoteCode(StrEnum):
    """What the referee remarks without ruling on it."""

    READ_AS_MELDS = "read_as_melds"
    """One unbroken row was read as several melds (3.8)."""


@dataclass(frozen=True)
class Note:
    """A remark on a row of the table: `row` as it lies, `melds` as it was read."""

    code: NoteCode
    row: Row
    melds: tuple[Row, ...] = ()


class Answer(NamedTuple):
    """One answer to a question about a reading, and the ruling that it leads to (`unsure` where more must be asked).

    `tile` is in notation: a tile, `-` for no tile at all; for `one_meld` and `which_meld` rows, as `Table` prints them.
    """

    tile: str
    ruling: Ruling


@dataclass(frozen=True)
class Question:
    """A tile whose answer the verdict hangs on.

    `index` is the tile's place in the reading of that side; in a table given in notation, its place counted from the
    first tile of the first row; -1 for a tile that is not seen. `tile` is what it is said to be, in notation, `?` where
    it cannot be read.
    """

    side: Side
    index: int
    tile: str
    code: DoubtCode
    answers: tuple[Answer, ...]


class Consequence(NamedTuple):
    """What the turn costs: whether the table is put back as it was (8.1), and how many tiles the player draws."""

    restore: bool
    draw: int


NO_CONSEQUENCE = Consequence(restore=False, draw=0)


@dataclass(frozen=True)
class Verdict:
    """The referee's word on one turn.

    `played` and `removed` are the tiles that came to the table and left it, black, red, blue, orange, then jokers.
    `points`: the value of the opening melds where the player had not opened (also when illegal), else 0; `opens` only
    when legal. `faults`: rows in table order, then in the order of `FaultCode`. `doubts`: what an `unsure` verdict
    asks, and nothing otherwise.
    """

    ruling: Ruling
    played: tuple[Tile, ...] = ()
    removed: tuple[Tile, ...] = ()
    points: int = 0
    opens: bool = False
    faults: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()
    doubts: tuple[Question, ...] = ()
    consequence: Consequence = NO_CONSEQUENCE

    @property
    def codes(self) -> tuple[FaultCode, ...]:
        """The codes of the faults, each once, in the order in which they are first named."""
        return tuple(dict.fromkeys(fault.code for fault in self.faults))
