"""Tiles of the table that are not seen: gone, or there all the same, covered or fallen (RULEBOOK 4.3)."""

from collections.abc import Callable, Iterator, Sequence

from referee.melds import is_meld
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.tiles import HIGHEST, JOKER, Tile
from referee.unbroken import cuts
from referee.verdict import Ruling

Rows = tuple[Row, ...]
_PLACED = 2
"""So many unseen tiles are tried in every place; of more, only whether each bad row can be completed."""


def if_there(missing: Sequence[Tile], table: Table, rules: RuleSet, rule: Callable[[Table], Ruling]) -> Ruling:
    """Give the best ruling that there can be if all the missing tiles lie somewhere on the table.

    `illegal` is only said if that is certain; where more tiles are missing than can be tried in every place, `unsure`
    stands for a turn that may be in order.
    """
    if len(missing) > _PLACED:
        hopeless = any(not _completable(row, missing, rules) for row in table.rows)
        return Ruling.ILLEGAL if hopeless else Ruling.UNSURE
    bad = sum(not _is_meld(row, rules) for row in table.rows)
    rulings = (rule(Table(rows)) for rows in _placed(missing, table.rows, bad, rules))
    return next((ruling for ruling in rulings if ruling in (Ruling.LEGAL, Ruling.DRAW)), Ruling.ILLEGAL)


def hopeless(missing: Sequence[Tile], rows: Rows, rules: RuleSet) -> bool:
    """Whether there are more rows that can only be read as they are, and are no melds, than missing tiles can mend."""
    bad = [row for row in rows if not _is_meld(row, rules) and not cuts(row)]
    if len(missing) > _PLACED:
        return any(not _completable(row, missing, rules) for row in bad)
    return len(bad) > len(missing)


def _completable(row: Row, missing: Sequence[Tile], rules: RuleSet) -> bool:
    """Whether the row may be a part of a meld that some missing tiles complete, whatever they are."""
    return any(_is_meld((*row, *(JOKER,) * count), rules) for count in range(min(len(missing), HIGHEST) + 1))


def _placed(missing: Sequence[Tile], rows: Rows, bad: int, rules: RuleSet) -> Iterator[Rows]:
    """Give the rows with the missing tiles in some of them, so that all are melds; `bad` of them are none so far."""
    if not missing:
        yield rows
        return
    tile, *rest = missing
    for place, old in enumerate(rows):
        others = bad - (not _is_meld(old, rules))
        for new in _with(old, tile) if others <= len(rest) else ():
            still_bad = others + (not _is_meld(new, rules))
            if still_bad <= len(rest):
                yield from _placed(rest, (*rows[:place], new, *rows[place + 1 :]), still_bad, rules)


def _with(row: Row, tile: Tile) -> Iterator[Row]:
    """Give the row with the tile in it; where there are jokers in every place, since it tells what they stand for."""
    if tile == JOKER or JOKER in row:
        yield from ((*row[:at], tile, *row[at:]) for at in range(len(row)))
    yield (*row, tile)


def _is_meld(row: Row, rules: RuleSet) -> bool:
    return is_meld(row, naturals_outnumber=rules.naturals_outnumber)
