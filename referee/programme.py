"""An integer programme in the making: columns with a gain, an upper bound and coefficients, and rows with limits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import inf
from typing import NamedTuple

Entry = tuple[int, int]
"""Where a coefficient stands, and the coefficient: of a column's entries the row, of a row's the column."""
Values = Sequence[int]
"""The value of every column, in their order."""


class Rank(IntEnum):
    """What a column stands for, in the order in which the search decides columns with a fraction.

    Once it is settled how many tiles are played, what becomes of the jokers and which rows stay, little is left open.
    """

    PLAYED = 0
    FATE = 1
    RACK = 2
    KEPT = 3
    ROLE = 4
    MELD = 5


class Cut(NamedTuple):
    """A row that every answer obeys: the sum over its columns is at most `highest`."""

    entries: tuple[Entry, ...]
    highest: int


@dataclass
class Programme:
    """Maximise the gains of non-negative integer columns within the limits of the rows."""

    gains: list[int] = field(default_factory=list)
    uppers: list[int] = field(default_factory=list)
    ranks: list[Rank] = field(default_factory=list)
    entries: list[list[Entry]] = field(default_factory=list)
    limits: list[tuple[float, float]] = field(default_factory=list)

    def row(self, lowest: float = -inf, highest: float = inf) -> int:
        """Add a row with its limits, both included, and give its index."""
        self.limits.append((lowest, highest))
        return len(self.limits) - 1

    def column(self, entries: Iterable[Entry], *, upper: int, rank: Rank, gain: int = 0) -> int:
        """Add a column, its entries being (row, coefficient), and give its index."""
        self.gains.append(gain)
        self.uppers.append(upper)
        self.ranks.append(rank)
        self.entries.append(list(entries))
        return len(self.entries) - 1

    def put(self, row: int, column: int, coefficient: int) -> None:
        """Set a coefficient that the column does not have yet."""
        self.entries[column].append((row, coefficient))
