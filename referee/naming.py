"""Which faults of an illegal turn are named: those that every plausible table has (RULEBOOK 3.8, 4.3, 8.2).

A turn may be illegal however it is read, and yet one of its faults be there only because a tile was misread.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.table import Row
from referee.verdict import Fault


def certain_faults(faults: Sequence[Fault], others: Iterable[Sequence[Fault]]) -> tuple[Fault, ...]:
    """Give those of the most probable table's faults that the other plausible tables have too.

    All of them where no fault is common to all: the turn is illegal in any case, and something must be said of why.
    """
    certain = tuple(faults)
    for other in others:
        certain = tuple(fault for fault in certain if any(_is_like(fault, one) for one in other))
    return certain or tuple(faults)


def _is_like(fault: Fault, other: Fault) -> bool:
    """Whether two tables have the same fault: one of the turn, or of a row that is the same but for tiles misread."""
    if fault.code is not other.code or (fault.meld is None) != (other.meld is None):
        return False
    return fault.meld is None or other.meld is None or _mostly_same(fault.meld, other.meld)


def _mostly_same(row: Row, other: Row) -> bool:
    shared = (Counter(row) & Counter(other)).total()
    return len(row) == len(other) and 2 * shared >= len(row)
