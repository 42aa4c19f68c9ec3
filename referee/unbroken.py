"""Rows that lie in one line without a gap, read as several melds (RULEBOOK 3.8)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, product

from referee.melds import is_meld
from referee.table import Row, Table
from referee.turn import sorted_row
from referee.verdict import Note, NoteCode

_MOST_READINGS = 64
"""So many ways to cut the rows of one table are tried; a table of real size has a handful."""

Reading = tuple[tuple[Row, ...], ...]
"""For each row of a table, the melds that it is read as; one, the row itself, where it is not cut."""


def cuts(row: Row) -> Iterator[tuple[Row, ...]]:
    """Give every way to cut a row into two melds or more, side by side."""
    for at in range(3, len(row) - 2):
        first, rest = row[:at], row[at:]
        if is_meld(first):
            yield from ((first, *more) for more in chain([(rest,)] if is_meld(rest) else [], cuts(rest)))


def readings(rows: Iterable[Row], there: Table) -> Iterator[Reading]:
    """Give the ways to read rows that may be several melds each, the plainest first.

    A row that is a meld is read whole first; one that is none but can be cut is never read whole. Of several cuts those
    come first that show melds of the other table, `there`. A row that lies in `there` as it is, is not asked.
    """
    known = Counter(map(sorted_row, there.rows))
    options = [_options(row, known) for row in rows]
    return islice(product(*options), _MOST_READINGS)


def _options(row: Row, known: Counter[Row]) -> list[tuple[Row, ...]]:
    whole: list[tuple[Row, ...]] = [(row,)]
    if known[sorted_row(row)] or len(row) < 6:
        return whole
    parts = sorted(cuts(row), key=_strangers(known))
    return whole + parts if is_meld(row) or not parts else parts


def _strangers(known: Counter[Row]) -> Callable[[tuple[Row, ...]], tuple[int, int]]:
    """Rank cuts: few melds that were not there, then few melds."""
    return lambda melds: (sum(not known[sorted_row(meld)] for meld in melds), len(melds))


def table_of(reading: Reading) -> Table:
    """Give the table as it is read."""
    return Table.of(chain.from_iterable(reading))


def notes_of(rows: Iterable[Row], reading: Reading) -> tuple[Note, ...]:
    """Give a note for each row that is read as several melds."""
    cut = ((row, melds) for row, melds in zip(rows, reading, strict=True) if len(melds) > 1)
    return tuple(Note(NoteCode.READ_AS_MELDS, row, melds) for row, melds in cut)
