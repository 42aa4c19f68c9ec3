"""How near tiles of one meld lie, on this table: some players push them together, some leave room.

The gaps along all chains of tiles are a mixture: inside melds they scatter about a usual gap, a few sloppy ones widely;
between melds that lie end to end they may be anything. The usual gap and its scatter are fitted to the table
(expectation maximisation), and every gap then has odds that two melds part there. What a parting of such odds means is
weighed with what the tiles say (`vision.cutting`).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

import numpy as np

from vision.tabletop import Array

_SLOPPY, _SLOPPY_REACH = 0.07, 0.3
_LEAST_PARTING, _MOST_PARTING = 0.05, 0.8
_AT_FIRST = 4
"""The spacing that is taken for granted counts as so many gaps, for tables with few tiles."""
_LEAST_SCATTER, _MOST_SCATTER = 0.02, 0.08
_ROOMIEST = 0.5
_ROUNDS, _NEAR = 6, 2.5


class Spacing(NamedTuple):
    """The usual gap inside melds and its scatter, in tile widths, and the share of gaps at which melds part."""

    usual: float = 0.03
    scatter: float = 0.03
    parted: float = 0.1

    @classmethod
    def of(cls, gaps: Iterable[float]) -> Self:
        """Fit them to all gaps along chains."""
        seen = np.array(list(gaps), float)
        if not len(seen):
            return cls()
        low, middle = np.quantile(seen, [0.05, 0.33])
        found = cls(float(middle), float(np.clip(middle - low, cls().scatter, _MOST_SCATTER)))
        for _ in range(_ROUNDS):
            found = found._fitted(seen)
        return found

    def _fitted(self, seen: Array) -> Self:
        """Fit once more, each gap counting as far as it lies inside a meld."""
        inside, first = 1 / (1 + self._odds(seen, self.usual)), type(self)()
        parted = (len(seen) - inside.sum() + _AT_FIRST * first.parted) / (len(seen) + _AT_FIRST)
        inside *= np.abs(seen - self.usual) < _NEAR * self.scatter
        total = inside.sum() + _AT_FIRST
        mean = (inside @ seen + _AT_FIRST * first.usual) / total
        square = (inside @ (seen - mean) ** 2 + _AT_FIRST * first.scatter**2) / total
        return type(self)(float(mean), float(np.clip(np.sqrt(square), _LEAST_SCATTER, _MOST_SCATTER)), float(parted))

    def partings(self, gaps: Sequence[float]) -> tuple[float, ...]:
        """Give the odds that melds part at each gap of one chain; a chain whose gaps are all wide is laid so."""
        own = max(self.usual, min(*gaps, _ROOMIEST)) if len(gaps) > 1 else self.usual
        return tuple(self._odds(np.array(gaps, float), own).tolist())

    def _odds(self, gaps: Array, usual: float) -> Array:
        over = np.maximum(gaps - usual, 0)
        near = np.exp(-((over / self.scatter) ** 2) / 2) / (self.scatter * np.sqrt(2 * np.pi))
        sloppy = 1 / _SLOPPY_REACH / (1 + np.exp(np.minimum((over - _SLOPPY_REACH) / 0.04, 50)))
        inside = (1 - _SLOPPY) * near + _SLOPPY * sloppy
        apart = np.clip((over - _LEAST_PARTING) / 0.1, 0.02, 1) / (_MOST_PARTING - _LEAST_PARTING)
        odds: Array = self.parted * apart / ((1 - self.parted) * np.maximum(inside, 1e-9))
        return odds
