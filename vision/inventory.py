"""How many of each tile there can be: what the set holds, and what lay on the table last.

Any number that the set holds is as good as another; one more than that costs `excess`, one fewer than lay there last
costs `missing`. Both are odds, not walls: three strongly read R7 stay three R7, and are told as a doubt (RULEBOOK 1.3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from referee.table import Table
from referee.tiles import Tile
from vision.legal_rows import FACE_COUNT, FACES, JOKER_INDEX, Array

Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class Inventory:
    """A set of tiles: `copies` of every numbered one and so many `jokers` (RULEBOOK 1.1, 1.2)."""

    copies: int = 2
    jokers: int = 2

    @property
    def counts(self) -> Numbers:
        """How many there are of each of the 53 faces."""
        counts = np.full(FACE_COUNT, self.copies)
        counts[JOKER_INDEX] = self.jokers
        return counts


@dataclass(frozen=True, eq=False)
class Counts:
    """What is known of the counts of faces: `held` by the set, `wanted` as on the table before; both (53,).

    A tile more than held costs the odds `excess`, one fewer than wanted `missing`.
    """

    held: Numbers
    wanted: Numbers
    excess: float
    missing: float

    @classmethod
    def of(cls, inventory: Inventory, last: Table | None, excess: float, missing: float) -> Self:
        """Count the tiles of the set and of the last table, where there is one."""
        tiles: Mapping[Tile, int] = last.tiles if last else {}
        before = np.array([tiles.get(face, 0) for face in FACES])
        return cls(inventory.counts, np.minimum(before, inventory.counts), excess, missing)

    def at_odds(self, chances: Array) -> Array:
        """Give the probability (53,) that a count is too high or too low, for distributions of the counts (53, k)."""
        shown = np.arange(chances.shape[1])
        wrong = (shown > self.held[:, None]) | (shown < self.wanted[:, None])
        impossible: Array = np.where(wrong, chances, 0).sum(axis=1)
        return impossible

    def settled(self, face: int, most: int, left: int) -> tuple[Numbers, Array]:
        """Tell what 0 to `most` of a face cost, where up to `left` more of it may still be shown.

        Gives for each count (most + 1,) the one that stands for all that cost the same whatever comes, and the
        logarithm of the odds that are certain by now; with none left these are the whole cost.
        """
        shown, held, wanted = np.arange(most + 1), self.held[face], self.wanted[face]
        over, under = np.maximum(shown - held, 0), np.maximum(wanted - left - shown, 0)
        open_ones = np.clip(shown, wanted - left, held)
        free = (open_ones >= wanted) & (open_ones <= held - left)
        return np.where(free, held - left, open_ones), over * np.log(self.excess) + under * np.log(self.missing)

    def allow(self, faces: Numbers) -> bool:
        """Whether the set holds all these faces (n,)."""
        return bool((np.bincount(faces, minlength=FACE_COUNT) <= self.held).all())
