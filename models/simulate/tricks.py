"""The tables that break one paragraph of the rulebook each: `TRICKS`; the judge says what they really break."""

import random
from collections.abc import Callable, Iterator

from referee.position import Position
from referee.table import Row, Table
from referee.verdict import FaultCode

Trick = Callable[[Position, Row, random.Random], Iterator[Table]]


def loose_tile(at: Position, rack: Row, _dice: random.Random) -> Iterator[Table]:
    """Lay one tile alone."""
    yield from (Table((*at.table.rows, (tile,))) for tile in rack)


def _none(_at: Position, _rack: Row, _dice: random.Random) -> Iterator[Table]:
    yield from ()


TRICKS: dict[FaultCode, Trick] = dict.fromkeys(FaultCode, _none) | {FaultCode.LOOSE_TILE: loose_tile}
