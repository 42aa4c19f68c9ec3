"""What an answer to a doubt makes of a reading: the reading with that one thing known. Pure."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from referee.doubts import judge_reading
from referee.errors import GameError, Refusal
from referee.judge import Situation
from referee.melds import is_meld
from referee.plausible import NO_TILE, Look
from referee.position import Position
from referee.rules import RuleSet
from referee.table import Choice, DoubtCode, Row, SeenTile, Table, TableReading
from referee.tiles import Tile
from referee.unbroken import cuts
from referee.verdict import Question, Ruling

_OF_ROWS = (DoubtCode.ONE_MELD, DoubtCode.WHICH_MELD)
_TRIED = 16
"""Of so many places for a tile that lies there unseen the first is taken with which the turn is in order."""
_NOWHERE = ((0.0, 0.0),) * 4


def answered(reading: TableReading, question: Question, answer: str, at: Position) -> TableReading:
    """Give the reading in which a question is answered.

    Args:
        reading: what was seen.
        question: one of those that the verdict on it asks.
        answer: one of its answers, in notation.
        at: where the game stands in the turn that was seen.

    Raises:
        GameError: the question has no such answer.
    """
    if answer not in (one.tile for one in question.answers):
        answers = ", ".join(one.tile for one in question.answers)
        raise GameError(Refusal.NO_ANSWER, answer=answer, tile=question.tile, answers=answers)
    if question.code in _OF_ROWS:
        return _rows_answered(reading, question, answer, at.rules)
    if question.index >= 0:
        return _tile_answered(reading, question.index, answer)
    tile = Tile.parse(question.tile)
    return _gone(reading, tile, at.table) if answer == NO_TILE else _there(reading, tile, at)


def _tile_answered(reading: TableReading, index: int, answer: str) -> TableReading:
    """Say what a seen tile is, or that there is none."""
    seen = list(reading.tiles)
    doubts = tuple(doubt for doubt in reading.doubts if doubt.code in _OF_ROWS or index not in doubt.tiles)
    if answer != NO_TILE:
        seen[index] = replace(seen[index], choices=(Choice(Tile.parse(answer), 1.0),), presence=1.0)
        return replace(reading, tiles=tuple(seen), doubts=doubts)
    seen[index] = replace(seen[index], choices=(), presence=0.0)
    rows = (tuple(each for each in row if each != index) for row in reading.melds)
    return replace(reading, tiles=tuple(seen), melds=tuple(row for row in rows if row), doubts=doubts)


def _rows_answered(reading: TableReading, question: Question, answer: str, rules: RuleSet) -> TableReading:
    """Say in which rows tiles lie."""
    doubts = tuple(d for d in reading.doubts if d.code is not question.code or d.tiles[0] != question.index)
    variables = (v for v in Look("after", reading, rules).variables if v.of_rows and v.index == question.index)
    option = next(option for variable in variables for option in variable.options if option.label == answer)
    rows = reading.melds
    if option.lines:
        rows = (*(row for row in rows if row not in option.in_place_of), *option.lines)
    return replace(reading, melds=rows, doubts=doubts)


def _gone(reading: TableReading, tile: Tile, before: Table) -> TableReading:
    """Say that a tile that is not seen does not lie there."""
    unseen = reading.unseen
    if unseen is None:
        unseen = tuple((before.tiles - reading.table().tiles).elements())
    return replace(reading, unseen=tuple((Counter(unseen) - Counter([tile])).elements()))


def _there(reading: TableReading, tile: Tile, at: Position) -> TableReading:
    """Say that a tile that is not seen lies there all the same: in the row where it fits best."""
    index = len(reading.tiles)
    added = replace(reading, tiles=(*reading.tiles, SeenTile(_NOWHERE, (Choice(tile, 1.0),))))
    placed = (replace(added, melds=rows) for rows in _places(reading.melds, index))
    fitting = sorted(placed, key=lambda one: _fit(one, index, at), reverse=True)
    player = at.players[at.seat]
    situation = Situation(opened=player.opened, hand=player.hand)
    in_order = (
        one
        for one in fitting[:_TRIED]
        if judge_reading(at.table, one, at.rules, situation).ruling is not Ruling.ILLEGAL
    )
    return next(in_order, fitting[0])


def _places(rows: tuple[tuple[int, ...], ...], index: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Give the rows with one more tile in every place, or between two of them, at last in a row of its own."""
    for number, row in enumerate(rows):
        for place in range(len(row), -1, -1):
            yield (*rows[:number], (*row[:place], index, *row[place:]), *rows[number + 1 :])
    for left, right in permutations(rows, 2):
        yield (*(row for row in rows if row not in (left, right)), (*left, index, *right))
    yield (*rows, (index,))


def _fit(reading: TableReading, index: int, at: Position) -> tuple[bool, int, bool, bool, bool]:
    """Say how well a tile fits where it was put.

    Its row lay there before, how few rows are bad, its row holds one of before, completes a bad row, is a meld at all.
    """
    row = next(row for row in reading.melds if index in row)
    tiles = tuple(reading.tiles[each].best for each in row)
    whole: Row = tuple(tile for tile in tiles if tile is not None)
    rest: Row = tuple(t for each, t in zip(row, tiles, strict=True) if t is not None and each != index)
    outnumber = at.rules.naturals_outnumber
    meld = is_meld(whole, naturals_outnumber=outnumber)
    bad = sum(not (is_meld(row, naturals_outnumber=outnumber) or cuts(row)) for row in reading.table().rows)
    holds = any(Counter(old) <= Counter(whole) for old in at.table.rows)
    mends = meld and not is_meld(rest, naturals_outnumber=outnumber)
    return whole in at.table.rows, -bad, holds, mends, meld
