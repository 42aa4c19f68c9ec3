"""Rows that lie in one line without a gap, read as several melds (RULEBOOK 3.8)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, product

from referee.melds import is_meld
from referee.table import Row, Table
from referee.turn import sorted_row
from referee.verdict import Note, NoteCode

_MOST_READINGS = 64
"""So many ways to cut the rows of one table are tried; a table of real size has a handful."""

Reading = tuple[tuple[Row, ...], ...]
"""For each row of a table, the melds that it is read as; one, the row itself, where it is not cut."""


@lru_cache(1 << 12)
def cuts(row: Row) -> tuple[tuple[Row, ...], ...]:
    """Give every way to cut a row into two melds or more, side by side."""
    halves = ((row[:at], row[at:]) for at in range(3, len(row) - 2) if is_meld(row[:at]))
    return tuple(
        (first, *more) for first, rest in halves for more in chain([(rest,)] if is_meld(rest) else [], cuts(rest))
    )


def readings(rows: Sequence[Row], there: Table) -> Iterator[Reading]:
    """Give the ways to read rows that may be several melds each, the plainest first.

    A row that is a meld is read whole first; one that is none but can be cut is never read whole. Of several cuts those
    come first that show melds of the other table, `there`. A meld that lies in `there` as it is, is not asked.
    """
    known = Counter(map(sorted_row, there.rows))
    yield tuple((row,) if is_meld(row) else _options(row, known)[0] for row in rows)
    options = [_options(row, known) for row in rows]
    most_shown = tuple(
        max(some, key=lambda melds: sum(known[sorted_row(one)] > 0 for one in melds)) for some in options
    )
    yield most_shown
    yield from islice(product(*options), 1, _MOST_READINGS)


def _options(row: Row, known: Counter[Row]) -> list[tuple[Row, ...]]:
    whole: list[tuple[Row, ...]] = [(row,)]
    ways = cuts(row)
    if not ways or (is_meld(row) and known[sorted_row(row)]):
        return whole
    parts = sorted(ways, key=lambda melds: (sum(not known[sorted_row(one)] for one in melds), len(melds)))
    return whole + parts if is_meld(row) else parts


def table_of(reading: Reading) -> Table:
    """Give the table as it is read."""
    return Table.of(chain.from_iterable(reading))


def notes_of(rows: Iterable[Row], reading: Reading) -> tuple[Note, ...]:
    """Give a note for each row that is read as several melds."""
    cut = ((row, melds) for row, melds in zip(rows, reading, strict=True) if len(melds) > 1)
    return tuple(Note(NoteCode.READ_AS_MELDS, row, melds) for row, melds in cut)
