"""Putting a table in order: can all its tiles lie in melds, how many of the rack besides, and with how little change?

Exact, by an integer programme (`referee.covering`): the answer has the most tiles of the rack and, among such answers,
the most melds of the table that stay whole. Where more is asked than melds, of a turn from a given table or of a player
who has not opened, the answer is one that `referee.judge` calls legal, and the best of those.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from referee.arrange_search import best_answer
from referee.covering import Covering, Layout
from referee.covering_blocks import lay_growing_rows
from referee.covering_hand import ask_opening, lay_beside_table
from referee.covering_jokers import lay_by_joker_rules
from referee.judge import Situation, judge_turn
from referee.melds import joker_roles
from referee.programme import Cut, Values
from referee.rules import JokerSwap, RuleSet
from referee.table import Row, Table
from referee.tiles import JOKER, Tile
from referee.turn import sorted_row
from referee.verdict import Ruling

_Rows = tuple[Row, ...]


@dataclass(frozen=True)
class Arrangement:
    """The answer: whether there is one, the table in order, and which tiles of the rack were played and left.

    `changed_melds` counts the rows of the given table that do not lie in the answer whole, whatever the order of their
    tiles; a row that lies there twice must do so in the answer too. Where there is no answer, `table` is empty and the
    whole rack is left.
    """

    possible: bool
    table: Table
    played: tuple[Tile, ...]
    left: tuple[Tile, ...]
    changed_melds: int


class Skill(StrEnum):
    """How a simulated player plays."""

    OWN = "own"
    """Lays new melds of the own tiles and leaves the table alone."""
    ADD = "add"
    """Also adds to melds of the table, without taking one apart or joining two."""
    REARRANGE = "rearrange"
    """Finds the most tiles that can be played at all."""


def arrange(
    table: Table, rack: Row, rules: RuleSet, *, before: Table | None = None, opened: bool = True
) -> Arrangement:
    """Put a table in order with as many tiles of the rack as can be, and among those answers the fewest melds changed.

    `before`: the table when the turn began. The answer is then a turn from there that the judge calls legal, or a draw
    where nothing is played; without it, `table` is where the turn begins and section 6 is not asked. `opened`: whether
    the player had opened before this turn (5).
    """
    layout = Layout(table, rack, rules, before)
    rows = _answer(layout, opened=opened) if layout.in_reach else None
    return _arrangement(layout, rows, opened=opened)


def best_play(
    table: Table, rack: Row, rules: RuleSet, *, opened: bool = True, skill: Skill = Skill.REARRANGE
) -> Arrangement:
    """Give the turn of a player of that skill who plays all that he can find; the judge calls it legal, or a draw.

    A player who has not opened lays own melds only, one of the skill `REARRANGE` what the rules allow.
    """
    if skill is Skill.REARRANGE:
        return arrange(table, rack, rules, before=table, opened=opened)
    layout = Layout(table, rack, rules, table)
    covering = Covering(layout)
    if opened and skill is Skill.ADD:
        lay_growing_rows(covering)
    else:
        lay_beside_table(covering, opening=not opened)
    rows = _best(covering, opened=opened) or _unplayed(layout, opened=opened)
    return _arrangement(layout, rows, opened=opened)


def _answer(layout: Layout, *, opened: bool) -> _Rows | None:
    if opened:
        return _best(_free(layout), opened=True)
    covering = _free(layout) if layout.rules.open_and_play_on else Covering(layout)
    if layout.rules.open_and_play_on:
        ask_opening(covering)
    else:
        lay_beside_table(covering, opening=True)
    return _best(covering, opened=False) or _unplayed(layout, opened=False)


def _free(layout: Layout) -> Covering:
    """Give the covering of a player to whom the table is free, but for the joker rules."""
    covering = Covering(layout)
    asked = layout.before is not None and layout.rules.joker_swap is not JokerSwap.FREE
    if asked and JOKER in layout.old.tiles:
        lay_by_joker_rules(covering)
    else:
        covering.lay_shapes(layout.shapes)
        covering.lay_table_rows()
    return covering


def _best(covering: Covering, *, opened: bool) -> _Rows | None:
    """Search the best rows that the judge, where he is asked, calls legal."""
    legal = _legality(covering.layout, opened=opened)

    def check(values: Values) -> _Rows | Cut | None:
        rows = covering.rows(values)
        return rows if isinstance(rows, Cut) or legal(rows) else None

    return best_answer(covering.programme, check)


def _legality(layout: Layout, *, opened: bool) -> Callable[[_Rows], bool]:
    """Give what the judge says of a turn to certain rows; without a table of before, he is not asked about jokers."""
    rules, situation = layout.rules, Situation(opened=opened)
    if layout.before is None:
        rules = rules.with_options({"joker_swap": JokerSwap.FREE, "joker_meld_locked": False})
        if opened:
            return lambda _: True
    return lambda rows: judge_turn(layout.old, Table(rows), rules, situation).ruling in (Ruling.LEGAL, Ruling.DRAW)


def _unplayed(layout: Layout, *, opened: bool) -> _Rows | None:
    """Give the table as it was when the turn began, if nothing that lies there now must be played."""
    rows = layout.old.rows
    return rows if not layout.laid and _legality(layout, opened=opened)(rows) else None


def _arrangement(layout: Layout, rows: _Rows | None, *, opened: bool) -> Arrangement:
    if rows is None:
        return Arrangement(possible=False, table=Table(), played=(), left=layout.rack, changed_melds=0)
    lying = tuple(_in_place(layout.table.rows, rows))
    if not _legality(layout, opened=opened)(lying):
        lying = tuple(_in_place(layout.table.rows, rows, mind_jokers=True))
    table = Table(lying)
    kept = Counter(map(sorted_row, layout.table.rows)) & Counter(map(sorted_row, rows))
    played, left = _dealt(layout.rack, table.tiles - layout.table.tiles)
    changed = len(layout.table.rows) - kept.total()
    return Arrangement(possible=True, table=table, played=played, left=left, changed_melds=changed)


def _dealt(rack: Row, played: Counter[Tile]) -> tuple[Row, Row]:
    """Part the rack into the tiles that were played and those that are left, each in the rack's order."""
    due = Counter(played)
    parts: tuple[list[Tile], list[Tile]] = ([], [])
    for tile in rack:
        parts[due[tile] <= 0].append(tile)
        due[tile] -= 1
    return tuple(parts[0]), tuple(parts[1])


def _in_place(table: _Rows, rows: _Rows, *, mind_jokers: bool = False) -> Iterator[Row]:
    """Give the rows, those of the table first and as they lie; but not where their jokers would stand for others."""
    left = list(rows)
    for row in table:
        alike = (found for found in left if sorted_row(found) == sorted_row(row))
        same = row if row in left else next(alike, None)
        if same:
            left.remove(same)
            yield same if mind_jokers and not set(joker_roles(same)) <= set(joker_roles(row)) else row
    yield from left
