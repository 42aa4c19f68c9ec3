"""The most probable table: what all tiles are, given what each looks like and what a table can be.

The model. A tile shows a face and lies one way up or the other; what it looks like gives the likelihood of each pair,
calibrated by the reader of faces. The prior of a whole table is a product of three kinds of factors:

- a row that is a valid meld as melds are laid is `legal` times as probable as any other row (a run laid from high to
  low 0.3 times as much of it), one that lay on the table before `remembered` times; rows of one, two or more than
  thirteen tiles have no preference;
- a row is read from one of two sides, and each of its tiles lies that way up with the probability `same_way_up`: this
  tells 6 from 9 where the tile itself does not, and so do the faces of a valid meld;
- each tile more than the set holds costs `excess`, each one missing that lay there before costs `missing`.

So the rules weigh, and weigh a bounded amount: no row's odds against another change by more than
`legal + remembered - 1` (15). Let the reading of an illegal row have the probability P when its tiles are taken alone:
it keeps P / (P + 15 (1 - P)) or more, 0.87 for 0.99. A player's mistake that is read well is told as it lies.

Inference. Within a row the sums over all valid melds and both sides are exact (`vision.row_belief`). Rows touch each
other through the counts of the faces alone; there messages are passed until nothing moves (sum-product; each count's
message is exact too, `vision.inventory`). Where no face is contested, which is nearly always, the first round is the
answer and exact. Where the tiles said in the end would break the inventory though their odds are against that, the most
probable table as a whole is found exactly, by an integer programme (`vision.best_table`).

One unbroken row may be several melds (RULEBOOK 3.8): a cut costs odds that fall with the gap at its place, and pays
where the parts are valid.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.table import Table
from vision.best_table import Candidates, most_probable
from vision.inventory import Counts, Inventory, count_messages
from vision.legal_rows import FACE_COUNT, Array
from vision.row_belief import Preference, RowBelief, RowPrior, pieces, row_counts
from vision.rows import Layout, RowOfIndices

_FLOOR = 1e-6
_ROUNDS = 12
_STILL = 2e-3


@dataclass(frozen=True, eq=False)
class Evidence:
    """What n tiles look like.

    `joint` (n, 2, 53): the probability of each way up (as the corners say, half-turned) with each face; sums to 1.
    `presence` (n,): the probability that there is a face-up tile at all.
    """

    joint: Array
    presence: Array

    @classmethod
    def of(cls, faces: ArrayLike, ways: ArrayLike | None = None, presence: ArrayLike | None = None) -> Self:
        """Join what the reader of faces says.

        Args:
            faces: (n, 2, 53) given each way up, or (n, 53) for the given way alone; what is missing to 1 is "cannot be
                read" and may be anything.
            ways: (n, 2) of each way up; the given way is certain where None.
            presence: (n,); certain where None.
        """
        given = np.asarray(faces, float)
        given = np.stack([given, given], axis=1) if given.ndim == 2 else given
        weights = np.tile([1.0, 0.0], (len(given), 1)) if ways is None else np.asarray(ways, float)
        unread = np.clip(1 - given.sum(axis=2, keepdims=True), 0, 1)
        joint = weights[:, :, None] * (given + unread / FACE_COUNT + _FLOOR)
        there = np.ones(len(given)) if presence is None else np.asarray(presence, float)
        return cls(joint / joint.sum(axis=(1, 2), keepdims=True), there)

    def __len__(self) -> int:
        """Count the tiles."""
        return len(self.presence)


class Part(NamedTuple):
    """A row of tiles as it is judged: `tiles` in the order of the layout's row, `of` the place of that row in it."""

    tiles: RowOfIndices
    of: int


@dataclass(frozen=True, eq=False)
class Decoded:
    """What the tiles are, all things weighed.

    `probabilities` (n, 53): of each face, for a tile that is there. `turned` (n,): the probability that a tile lies the
    other way up than its corners say. `said` (n,): the face of each tile in the table that is told.
    `rows` in reading order, sorted as in the layout. `cut`: rows of the layout that are read as several, as the places
    of these in `rows`.
    """

    probabilities: Array
    turned: Array
    said: NDArray[np.intp]
    rows: tuple[RowOfIndices, ...]
    cut: tuple[tuple[int, ...], ...] = ()


def decode(
    evidence: Evidence,
    layout: Layout,
    inventory: Inventory | None = None,
    last: Table | None = None,
    *,
    preference: Preference | None = None,
) -> Decoded:
    """Find the most probable table.

    Args:
        evidence: what the n tiles look like.
        layout: how these n tiles lie (`vision.rows.lay_out`, or `Layout.of` for known rows).
        inventory: what the set holds; 2 copies and 2 jokers where None.
        last: the table as it last was, where it is known.
        preference: how much the rules weigh.

    Raises:
        ValueError: the layout is of another number of tiles.
    """
    if len(layout.turned) != len(evidence):
        msg = f"the layout has {len(layout.turned)} tiles, the evidence {len(evidence)}"
        raise ValueError(msg)
    inventory, preference = inventory or Inventory(), preference or Preference()
    problem = _Problem.of(evidence, layout, RowPrior.of(preference, inventory.jokers, last))
    counts = Counts.of(inventory, last, preference.excess, preference.missing)
    return _decoded(problem, problem.settle(counts), counts)


class _Problem(NamedTuple):
    """The parts of the table, cut already, and the prior of each."""

    evidence: Evidence
    parts: tuple[Part, ...]
    turned: NDArray[np.bool_]
    prior: RowPrior

    @classmethod
    def of(cls, evidence: Evidence, layout: Layout, prior: RowPrior) -> Self:
        faces = evidence.joint.sum(axis=1)
        parts = [
            Part(tuple(row[i] for i in piece), k)
            for k, (row, gaps) in enumerate(zip(layout.rows, layout.gaps, strict=True))
            for piece in pieces(faces[list(row)], np.array(gaps), prior)
        ]
        return cls(evidence, tuple(parts), np.array(layout.turned, bool), prior)

    def believe(self, part: Part, messages: Array) -> RowBelief:
        """Weigh one row, given what the counts say of the faces (53,) in it."""
        tiles = list(part.tiles)
        return self.prior.believe(self.evidence.joint[tiles] * messages, self.turned[tiles])

    def settle(self, counts: Counts) -> list[RowBelief]:
        """Pass messages between rows and counts until the beliefs stay."""
        messages = np.ones((len(self.parts), FACE_COUNT))
        beliefs = [self.believe(part, told) for part, told in zip(self.parts, messages, strict=True)]
        for step in range(_ROUNDS):
            heard = self._counts(beliefs, messages, counts)
            fresh = heard if step == 0 else np.sqrt(messages * heard)
            moved = self._moved(beliefs, fresh / messages)
            if not moved.any():
                break
            messages[moved] = fresh[moved]
            for k in np.flatnonzero(moved):
                beliefs[k] = self.believe(self.parts[k], messages[k])
        return beliefs

    def _counts(self, beliefs: Sequence[RowBelief], messages: Array, counts: Counts) -> Array:
        """Ask the counts, each row telling them what it knows without them."""
        size = counts.odds.shape[1]
        there = [self.evidence.presence[list(part.tiles)] for part in self.parts]
        told = row_counts(beliefs, there, size)
        without = told * messages[:, :, None] ** -np.arange(size)
        return count_messages(without / without.sum(axis=2, keepdims=True), counts)

    def _moved(self, beliefs: Iterable[RowBelief], change: Array) -> NDArray[np.bool_]:
        """Say which rows hear something that matters to a face they may show."""
        shown = np.array([belief.ways.sum(axis=1).max(axis=0) for belief in beliefs])
        return np.asarray((shown * np.abs(np.log(change)) > _STILL).any(axis=1))

    def ways(self, beliefs: Iterable[RowBelief]) -> Array:
        """Give the beliefs of the rows as (n, 2, 53)."""
        ways = np.zeros_like(self.evidence.joint)
        for part, belief in zip(self.parts, beliefs, strict=True):
            ways[list(part.tiles)] = belief.ways
        return ways


def _decoded(problem: _Problem, beliefs: list[RowBelief], counts: Counts) -> Decoded:
    ways = problem.ways(beliefs)
    faces = ways.sum(axis=1)
    rows = tuple(
        part.tiles[::-1] if belief.backward > 0.5 else part.tiles
        for part, belief in zip(problem.parts, beliefs, strict=True)
    )
    cut: dict[int, list[int]] = {}
    for place, part in enumerate(problem.parts):
        cut.setdefault(part.of, []).append(place)
    several = tuple(tuple(places) for places in cut.values() if len(places) > 1)
    return Decoded(faces, ways[:, 1].sum(axis=1), _said(problem, faces, counts), rows, several)


def _said(problem: _Problem, faces: Array, counts: Counts) -> NDArray[np.intp]:
    """Take the best face of each tile, or of the whole table where those are more than the set holds."""
    best: NDArray[np.intp] = faces.argmax(axis=1)
    if counts.allow(best):
        return best
    untold = np.ones(FACE_COUNT)
    rows = [Candidates.of(problem.believe(part, untold).alone, problem.prior) for part in problem.parts]
    said = np.empty_like(best)
    for part, row in zip(problem.parts, most_probable(rows, counts).rows, strict=True):
        said[list(part.tiles)] = row
    return said
