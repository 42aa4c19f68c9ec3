"""Which faults of an illegal turn are named: those that nearly all plausible tables have (RULEBOOK 3.8, 4.3, 8.2).

A turn may be illegal however it is read, and yet one of its faults be there only because a tile was misread.
"""

from collections import Counter
from collections.abc import Sequence

from referee.table import Row
from referee.verdict import Fault

NEARLY_ALL = 0.8
"""A fault is named where the tables that have it hold this share of the plausible tables' probability."""


def certain_faults(tables: Sequence[tuple[Sequence[Fault], float]]) -> tuple[Fault, ...]:
    """Give those of the most probable table's faults that are there on nearly all plausible tables.

    Where none is, those that most have: the turn is illegal in any case, and something must be said of why.

    Args:
        tables: the faults of each plausible table and its probability, the most probable first.
    """
    likeliest = tuple(tables[0][0])
    enough = NEARLY_ALL * sum(probability for _, probability in tables)
    held = {fault: _held(fault, tables) for fault in likeliest}
    enough = min(enough, max(held.values(), default=0.0))
    return tuple(fault for fault in likeliest if held[fault] >= enough)


def _held(fault: Fault, tables: Sequence[tuple[Sequence[Fault], float]]) -> float:
    """Give the probability of the tables that have a fault."""
    return sum(probability for faults, probability in tables if any(_is_like(fault, one) for one in faults))


def _is_like(fault: Fault, other: Fault) -> bool:
    """Whether two tables have the same fault: one of the turn, or of a row that is the same but for tiles misread."""
    if fault.code is not other.code or (fault.meld is None) != (other.meld is None):
        return False
    return fault.meld is None or other.meld is None or _mostly_same(fault.meld, other.meld)


def _mostly_same(row: Row, other: Row) -> bool:
    shared = (Counter(row) & Counter(other)).total()
    return 2 * shared >= max(len(row), len(other))
