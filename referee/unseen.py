"""Tiles of the table that are not seen: gone, or there all the same, covered or fallen (RULEBOOK 4.3).

One that lies there unseen may be in a row, or be what holds two rows together: around the hole they are read as two.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, permutations

from referee.melds import is_meld
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.tiles import HIGHEST, JOKER, Tile
from referee.unbroken import cuts
from referee.verdict import Ruling

Rows = tuple[Row, ...]
_PLACED = 2
"""So many unseen tiles are tried in every place; of more, only whether each bad row can be completed."""
_MENDED = 2
"""So many bad rows one tile can mend: those on both sides of it."""
_LEAST_CUT = 4
"""A longer row may be two melds when a tile more is in it."""
_TRIED = 12
"""Of so many ways to place unseen tiles the one with the fewest faults is looked for."""


def if_there(missing: Sequence[Tile], table: Table, rules: RuleSet, rule: Callable[[Table], Ruling]) -> Ruling:
    """Give the best ruling that there can be if all the missing tiles lie somewhere on the table.

    `illegal` is only said if that is certain; where more tiles are missing than can be tried in every place, `unsure`
    stands for a turn that may be in order.
    """
    if len(missing) > _PLACED:
        hopeless = any(not completable(row, missing, rules) for row in table.rows)
        return Ruling.ILLEGAL if hopeless else Ruling.UNSURE
    rulings = (rule(_cut(rows)) for rows in _placed(missing, table.rows, 0, rules))
    return next((ruling for ruling in rulings if ruling in (Ruling.LEGAL, Ruling.DRAW)), Ruling.ILLEGAL)


def hopeless(missing: Sequence[Tile], rows: Rows, rules: RuleSet) -> bool:
    """Whether there are more rows that can only be read as they are, and are no melds, than missing tiles can mend."""
    bad = [row for row in rows if not _is_sound(row, rules)]
    if len(missing) > _PLACED:
        return any(not completable(row, missing, rules) for row in bad)
    return len(bad) > _MENDED * len(missing)


def best_placed(missing: Sequence[Tile], table: Table, rules: RuleSet) -> Iterator[Table]:
    """Give the tables with the missing tiles in place that leave the fewest rows bad; the table itself of too many."""
    if len(missing) > _PLACED:
        yield table
        return
    for bad in range(len(table.rows) + 1):
        placed = list(islice(_placed(missing, table.rows, bad, rules), _TRIED))
        if placed:
            yield from map(_cut, placed)
            return


def _cut(rows: Rows) -> Table:
    """Give the table whose rows that are no melds are read as several, where they can be (3.8)."""
    return Table.of(chain.from_iterable(cuts(row)[0] if not is_meld(row) and cuts(row) else (row,) for row in rows))


def completable(row: Row, missing: Sequence[Tile], rules: RuleSet) -> bool:
    """Whether the row may be a part of a meld, or of several, that some missing tiles complete."""
    jokers_alone = all(tile == JOKER for tile in row)
    if jokers_alone or _mended(row, len(missing), rules):
        return True
    halves = ((row[:at], row[at:]) for at in range(1, len(row)))
    return any(all(_mended(half, _akin(half, missing), rules) for half in some) for some in halves)


def _mended(row: Row, count: int, rules: RuleSet) -> bool:
    """Whether so many tiles, whatever they are, make a meld of the row."""
    return any(_is_meld((*row, *(JOKER,) * more), rules) for more in range(min(count, HIGHEST) + 1))


def _akin(row: Row, missing: Sequence[Tile]) -> int:
    """Count the missing tiles that may lie in a meld with the tiles of the row."""
    colours, numbers = {tile.colour for tile in row}, {tile.number for tile in row}
    return sum(tile == JOKER or JOKER in row or tile.colour in colours or tile.number in numbers for tile in missing)


def _placed(missing: Sequence[Tile], rows: Rows, most_bad: int, rules: RuleSet) -> Iterator[Rows]:
    """Give the rows with the missing tiles in or between some of them, so that at most so many are no melds."""
    bad = [place for place, row in enumerate(rows) if not _is_sound(row, rules)]
    if len(bad) > most_bad + _MENDED * len(missing):
        return
    if not missing:
        yield rows
        return
    tile, *rest = missing
    allowed = most_bad + _MENDED * len(rest)
    for place, old in enumerate(rows):
        others = len(bad) - (place in bad)
        for new in _with(old, tile) if others <= allowed else ():
            if others + (not _is_sound(new, rules)) <= allowed:
                yield from _placed(rest, (*rows[:place], new, *rows[place + 1 :]), most_bad, rules)
    ends = [place for place, row in enumerate(rows) if place in bad or _may_go_on(row, tile)]
    for left, right in permutations(ends, _MENDED):
        if len(bad) - (left in bad) - (right in bad) > allowed:
            continue
        whole = (*rows[left], tile, *rows[right])
        # Sound rows on both sides of the hole are joined as well: they may be locked, or not be touched (5.3, 6.3).
        if (left in bad and right in bad) or _is_meld(whole, rules):
            apart = (row for place, row in enumerate(rows) if place not in (left, right))
            yield from _placed(rest, (whole, *apart), most_bad, rules)


def _may_go_on(row: Row, tile: Tile) -> bool:
    """Whether the row is part of one colour, as a run is, that the tile may go on with."""
    colours = {one.colour for one in row if one.number}
    return len(colours) == 1 and (tile == JOKER or tile.colour in colours)


def _with(row: Row, tile: Tile) -> Iterator[Row]:
    """Give the row with the tile in it: in every place where jokers are, or where it may be several melds (3.8)."""
    if tile == JOKER or JOKER in row or (len(row) > _LEAST_CUT and not is_meld(row)):
        yield from ((*row[:at], tile, *row[at:]) for at in range(len(row)))
    yield (*row, tile)


def _is_meld(row: Row, rules: RuleSet) -> bool:
    return is_meld(row, naturals_outnumber=rules.naturals_outnumber)


def _is_sound(row: Row, rules: RuleSet) -> bool:
    """Whether the row is a meld, or several."""
    return _is_meld(row, rules) or bool(cuts(row))
