"""Brute force for `arrange`: every table that some tiles can form, and the best of those that the judge calls legal."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from referee.judge import Situation, judge_turn
from referee.melds import is_meld
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.tiles import COLOURS, HIGHEST, JOKER, NUMBERED, Tile, full_set
from referee.turn import sorted_row
from referee.verdict import Ruling


class Task(NamedTuple):
    table: Table
    rack: Row
    rules: RuleSet
    before: Table | None = None
    opened: bool = True

    @property
    def old(self) -> Table:
        return self.table if self.before is None else self.before

    @property
    def judged_by(self) -> RuleSet:
        relaxed = {"joker_swap": "-", "joker_meld_locked": False}
        return self.rules.with_options(relaxed) if self.before is None else self.rules

    def legal(self, table: Table) -> bool:
        verdict = judge_turn(self.old, table, self.judged_by, Situation(opened=self.opened))
        return verdict.ruling in (Ruling.LEGAL, Ruling.DRAW)


def best_by_brute_force(task: Task) -> tuple[int, int] | None:
    """Give how many tiles are played and how many melds changed in the best answer; None where there is none."""
    at_hand, whole = task.table.tiles + Counter(task.rack), full_set(task.rules.copies, task.rules.jokers)
    due = task.table.tiles | task.old.tiles
    if not (due <= at_hand and due <= whole):
        return None
    lying = Counter(map(sorted_row, task.table.rows))
    tables = [Table(rows) for rows in every_table(due, at_hand & whole, task.rules)]
    if due == task.old.tiles:
        tables.append(task.old)
    scores = []
    for table in tables:
        played = table.tiles.total() - task.table.tiles.total()
        kept = (lying & Counter(map(sorted_row, table.rows))).total()
        scores.append((played, kept, table))
    for played, kept, table in sorted(scores, key=lambda score: score[:2], reverse=True):
        if task.legal(table):
            return played, len(task.table.rows) - kept
    return None


def every_table(due: Counter[Tile], most: Counter[Tile], rules: RuleSet) -> Iterator[tuple[Row, ...]]:
    """Give every table, its rows rising, that holds at least the tiles `due` and at most the tiles `most`."""
    melds = [row for row in every_meld(most[JOKER], rules) if Counter(row) <= most]
    holding = {tile: [i for i, row in enumerate(melds) if tile in row] for tile in (*NUMBERED, JOKER)}
    seen = set()

    def grow(rows: tuple[Row, ...], left: Counter[Tile], first: int) -> Iterator[tuple[Row, ...]]:
        laid = most - left
        lacking = next((tile for tile in (*NUMBERED, JOKER) if laid[tile] < due[tile]), None)
        if lacking is None and tuple(sorted(rows)) not in seen:
            seen.add(tuple(sorted(rows)))
            yield rows
        for i in holding[lacking] if lacking else range(first, len(melds)):
            if Counter(melds[i]) <= left:
                yield from grow((*rows, melds[i]), left - Counter(melds[i]), 0 if lacking else i)

    yield from grow((), most, 0)


def every_meld(jokers: int, rules: RuleSet) -> Iterator[Row]:
    """Give every meld of one to all numbers and up to so many jokers, rising, once for each reading of its jokers."""
    for shape in every_shape():
        for count in range(min(jokers, len(shape) - 1) + 1):
            for meant in combinations(shape, count):
                row = tuple(JOKER if tile in meant else tile for tile in shape)
                if is_meld(row, naturals_outnumber=rules.naturals_outnumber):
                    yield row


def every_shape() -> Iterator[Row]:
    for colour in COLOURS:
        for low in range(1, HIGHEST - 1):
            for high in range(low + 2, HIGHEST + 1):
                yield tuple(Tile(colour, number) for number in range(low, high + 1))
    for number in range(1, HIGHEST + 1):
        for size in (3, 4):
            for colours in combinations(COLOURS, size):
                yield tuple(Tile(colour, number) for colour in colours)
