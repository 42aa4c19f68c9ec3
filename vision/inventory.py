"""How many of each tile there can be: what the set holds, and what lay on the table last.

Each face has a factor over all tiles, on how many of them show it: any number the set holds is as good as another, one
more than that costs `excess`, one fewer than lay there last costs `missing`. Both are odds, not walls: three strongly
read R7 stay three R7, and are told as a doubt (RULEBOOK 1.3).

The message of such a factor to a row is exact: the distribution of the count in all other rows is a product of
polynomials, taken from the left and from the right (cf. Tarlow and others, "Fast exact inference for recursive
cardinality models", UAI 2012). It goes to rows, not to tiles: which of two tiles of a group is the red one changes
no count, and a tile that heard of its neighbours through the counts would be told twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from referee.table import Table
from referee.tiles import Tile
from vision.legal_rows import FACE_COUNT, FACES, JOKER_INDEX, Array

_BEYOND = 2
_UNCONTESTED = 1e-3


@dataclass(frozen=True)
class Inventory:
    """A set of tiles: `copies` of every numbered one and so many `jokers` (RULEBOOK 1.1, 1.2)."""

    copies: int = 2
    jokers: int = 2

    @property
    def counts(self) -> NDArray[np.intp]:
        """How many there are of each of the 53 faces."""
        counts = np.full(FACE_COUNT, self.copies)
        counts[JOKER_INDEX] = self.jokers
        return counts


@dataclass(frozen=True, eq=False)
class Counts:
    """What is known of the counts of faces: `held` by the set, `before`: on the table as it last was; both (53,).

    A tile more than held costs the odds `excess`, one fewer than before `missing`.
    """

    held: NDArray[np.intp]
    before: NDArray[np.intp]
    excess: float
    missing: float

    @classmethod
    def of(cls, inventory: Inventory, last: Table | None, excess: float, missing: float) -> Self:
        """Count the tiles of the set and of the last table, where there is one."""
        tiles: Mapping[Tile, int] = last.tiles if last else {}
        before = np.array([tiles.get(face, 0) for face in FACES])
        return cls(inventory.counts, before, excess, missing)

    @property
    def wanted(self) -> NDArray[np.intp]:
        """How many of each face there should be at least (53,)."""
        return np.minimum(self.before, self.held)

    @cached_property
    def odds(self) -> Array:
        """Give the odds (53, k) of every count of a face: 1, times `excess` or `missing` for each too many or few."""
        counts = np.arange(self.held.max() + _BEYOND + 1)
        over = np.maximum(counts - self.held[:, None], 0)
        under = np.maximum(self.wanted[:, None] - counts, 0)
        odds: Array = self.excess**over * self.missing**under
        return odds

    def log_odds(self, shown: Array) -> Array:
        """Give the logarithmic odds of counts (…, 53)."""
        over = np.maximum(shown - self.held, 0).sum(axis=-1) * np.log(self.excess)
        under = np.maximum(self.wanted - shown, 0).sum(axis=-1) * np.log(self.missing)
        return np.asarray(over + under)

    def allow(self, faces: NDArray[np.intp]) -> bool:
        """Whether the set holds all these faces (n,)."""
        return bool((np.bincount(faces, minlength=FACE_COUNT) <= self.held).all())


def count_messages(shown: Array, counts: Counts) -> Array:
    """Say for each row and face how much more probable it is, by the other rows, that a tile of the row shows the face.

    Args:
        shown: (rows, 53, k), the distribution of how many tiles of each row show each face, as far as everything but
            the counts themselves tells.
        counts: what is known of the counts.

    Returns:
        (rows, 53) factors; 1 is "nothing to say".
    """
    messages = np.ones(shown.shape[:2])
    asked = _contested(shown, counts)
    odds, others = counts.odds[asked], _of_other_rows(shown[:, asked])
    one_more = np.append(odds[:, 1:], odds[:, -1:], axis=1)
    messages[:, asked] = (others * one_more).sum(axis=2) / (others * odds).sum(axis=2)
    return messages


def count_distribution(chances: Array, size: int) -> Array:
    """Give (rows, 53, size): how many of the independent tiles (rows, length, 53) of a row show each face.

    The last entry stands for that many or more.
    """
    counts = np.zeros((len(chances), FACE_COUNT, size))
    counts[..., 0] = 1
    for place in range(chances.shape[1]):
        one_more = counts * chances[:, place, :, None]
        counts -= one_more
        counts[..., 1:] += one_more[..., :-1]
        counts[..., -1] += one_more[..., -1]
    return counts


def _contested(shown: Array, counts: Counts) -> NDArray[np.intp]:
    """Find the faces that as many as the set holds may be shown in two rows or more, and those known to be there."""
    some = 1 - shown[:, :, 0]
    two_rows = (some.sum(axis=0) ** 2 - (some**2).sum(axis=0)) / 2
    many = shown[:, :, 2:].sum(axis=2).sum(axis=0)
    return np.flatnonzero((two_rows > _UNCONTESTED) | (many > _UNCONTESTED) | (counts.before > 0) | (counts.held < 2))


def _of_other_rows(shown: Array) -> Array:
    """Join the distributions (rows, faces, k) of all rows but one, for each one."""
    adders = _adders(shown)
    before, after = _running(adders), _running(adders[::-1])[::-1]
    joined: Array = np.matmul(before[:-1, :, None], _adders(after[1:]))[:, :, 0]
    return joined


def _running(adders: Array) -> Array:
    """Join the first 0, 1, … rows: (rows + 1, faces, k)."""
    joined = np.zeros((len(adders) + 1, *adders.shape[1:3]))
    joined[0, :, 0] = 1
    for k, adder in enumerate(adders):
        joined[k + 1] = np.matmul(joined[k, :, None], adder)[:, 0]
    return joined


def _adders(shown: Array) -> Array:
    """Give matrices (…, k, k) that add counts of these distributions (…, k) to others; the last entry catches more."""
    size = shown.shape[-1]
    adders = np.zeros((*shown.shape, size))
    for count in range(size):
        adders[..., count, count:] = shown[..., : size - count]
        adders[..., count, -1] += shown[..., size - count :].sum(axis=-1)
    return adders
