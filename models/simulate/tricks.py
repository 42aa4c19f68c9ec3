"""The tables that break a paragraph of the rulebook, as players come by them; the judge says what they really break."""

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from models.simulate.joker_tricks import joker_plays
from models.simulate.rows import growths, in_order, melds_of, mixed_rows, rows_of, spared, with_row
from referee.arrange import Skill, best_play
from referee.melds import is_meld, row_fault
from referee.position import Position
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.verdict import FaultCode

ROW_CODES = (
    FaultCode.LOOSE_TILE,
    FaultCode.MELD_TOO_SHORT,
    FaultCode.GROUP_TOO_LONG,
    FaultCode.GROUP_REPEATS_COLOUR,
    FaultCode.RUN_REPEATS_NUMBER,
    FaultCode.RUN_WRAPS,
    FaultCode.RUN_HAS_GAP,
    FaultCode.NOT_A_MELD,
    FaultCode.TOO_MANY_JOKERS,
)
JOKER_CODES = (
    FaultCode.JOKER_MOVED,
    FaultCode.JOKER_SWAP_NOT_FROM_HAND,
    FaultCode.JOKER_MELD_BROKEN,
    FaultCode.JOKER_REUSE,
)
HASTY = (FaultCode.LOOSE_TILE, FaultCode.MELD_TOO_SHORT, FaultCode.RUN_HAS_GAP, FaultCode.NOT_A_MELD)
"""What is left lying when the time is up."""


class Base(NamedTuple):
    """A table that is no fault yet, and the hand that is left."""

    rows: tuple[Row, ...]
    rack: Row


def tables_with(code: FaultCode, at: Position, rack: Row) -> Iterator[Table]:
    """Give tables that may have a fault, made by the present player out of his hand and the table."""
    if code in ROW_CODES:
        return _bad_rows(code, at, rack)
    if code in JOKER_CODES:
        return joker_plays(at.table.rows, rack)
    made = {
        FaultCode.TILE_TAKEN_BACK: _taken_back,
        FaultCode.OPENING_TOO_LOW: _low_openings,
        FaultCode.OPENING_TOUCHES_TABLE: _touching_openings,
    }
    return made.get(code, _hasty)(at, rack)


def _hasty(at: Position, rack: Row) -> Iterator[Table]:
    """Leave lying what nobody would, had there been more time."""
    return chain.from_iterable(_bad_rows(code, at, rack) for code in HASTY)


def _bases(at: Position, rack: Row) -> Iterator[Base]:
    """Give what a fault can be added to: the table as it lies, and the player's own legal play."""
    yield Base(at.table.rows, rack)
    yield from _played(at.table, rack, at.rules, at.players[at.seat].opened)


@lru_cache(8)
def _played(table: Table, rack: Row, rules: RuleSet, opened: bool) -> tuple[Base, ...]:  # noqa: FBT001 # a cached key
    skill = Skill.ADD if opened else Skill.OWN
    play = best_play(table, rack, rules, opened=opened, skill=skill)
    return (Base(play.table.rows, play.left),) if play.possible and play.played else ()


def _bad_rows(code: FaultCode, at: Position, rack: Row) -> Iterator[Table]:
    """Lay a bad row out of the hand, or spoil a row of the table."""
    strict = at.rules.naturals_outnumber
    for base in _bases(at, rack):
        rows = rows_of(base.rack) if code is not FaultCode.NOT_A_MELD else tuple(mixed_rows(base.rack))
        yield from (Table((*base.rows, row)) for row in rows if row_fault(row, naturals_outnumber=strict) is code)
        grown = ((i, longer) for i, row in enumerate(base.rows) for longer, _ in growths(row, base.rack))
        spoilt = ((i, row) for i, row in grown if row_fault(row, naturals_outnumber=strict) is code)
        laid = ((i, in_order(row) if code is FaultCode.RUN_WRAPS else row) for i, row in spoilt)
        yield from (Table(with_row(base.rows, i, row)) for i, row in laid)


def _taken_back(at: Position, rack: Row) -> Iterator[Table]:
    """Take a tile of the table into the hand, where a meld can spare one."""
    for base in _bases(at, rack):
        for i, row in enumerate(at.table.rows):
            if i < len(base.rows) and base.rows[i] == row:
                yield from (Table(with_row(base.rows, i, rest)) for rest, _ in spared(row))


def _low_openings(at: Position, rack: Row) -> Iterator[Table]:
    """Lay too few points."""
    if at.players[at.seat].opened:
        return
    melds = melds_of(rack, naturals_outnumber=at.rules.naturals_outnumber)
    yield from (Table((*at.table.rows, meld)) for meld in melds)


def _touching_openings(at: Position, rack: Row) -> Iterator[Table]:
    """Add to the table, or move a tile of it, without having opened."""
    if at.players[at.seat].opened:
        return
    for base in _bases(at, rack):
        for i, row in enumerate(base.rows):
            yield from (Table(with_row(base.rows, i, grown)) for grown, _ in growths(row, base.rack) if is_meld(grown))
        yield from _regrouped(base.rows)


def _regrouped(rows: tuple[Row, ...]) -> Iterator[Table]:
    """Split a long run, or move a tile from a meld that can spare it to another."""
    for i, row in enumerate(rows):
        halves = ((row[:cut], row[cut:]) for cut in range(3, len(row) - 2))
        yield from (Table((*rows[:i], *two, *rows[i + 1 :])) for two in halves if all(map(is_meld, two)))
    for (i, giver), (j, taker) in combinations(enumerate(rows), 2):
        for rest, tile in spared(giver):
            if is_meld((*taker, tile)):
                yield Table(with_row(with_row(rows, i, rest), j, in_order((*taker, tile))))


def shuffled(tables: Iterator[Table], dice: random.Random, most: int) -> list[Table]:
    """Give some of the tables, in any order."""
    found = list(dict.fromkeys(tables))
    return dice.sample(found, min(most, len(found)))
