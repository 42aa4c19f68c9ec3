"""The most probable table: what all tiles are, given what each looks like and what a table can be.

The model. A tile shows a face and lies one way up or the other; what it looks like gives the likelihood of each pair,
calibrated by the reader of faces. The prior of a whole table is a product of three kinds of factors:

- a row that is a valid meld as melds are laid is `legal` times as probable as any other row (a run laid from high to
  low 0.3 times as much of it), one that lay on the table before `remembered` times; rows of one, two or more than
  thirteen tiles have no preference;
- a row is read from one of two sides, mostly as the other rows of the table are (`same_way`), and each of its tiles
  lies that way up with the probability `same_way_up`: this tells 6 from 9 where the tile itself does not, and so do
  the faces of a valid meld. What several 6, 8, 9 say of their way up is hardly more than what one says (`one_witness`);
- each tile more than the set holds costs `excess`, each one missing that lay there before costs `missing`.

So the rules weigh, and weigh a bounded amount: no row's odds against another change by more than
`legal + remembered - 1` (15). Let the reading of an illegal row have the probability P when its tiles are taken alone:
it keeps P / (P + 15 (1 - P)) or more, 0.87 for 0.99. A player's mistake that is read well is told as it lies.

Inference. Within a row the sums over all valid melds and both sides are exact (`vision.row_belief`). Rows touch each
other through the counts of the faces alone; there the sum over all tables, or the most probable table, is exact over
the rows' candidates (`vision.counting`), which hold all but a negligible part of each row's probability. A tile is said
to be its own most probable face; where those together are more than the set holds, it is what it is in the most
probable table.

One unbroken row may be several melds (RULEBOOK 3.8): a cut has the odds that its gap gives it (`vision.spacing`), and
pays where the parts are valid (`vision.cutting`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from referee.table import Table
from vision.counting import Candidates, Tables
from vision.cutting import pieces
from vision.inventory import Counts, Inventory, Numbers
from vision.legal_rows import FACE_COUNT, FACES, Array
from vision.row_belief import Preference, RowBelief, RowPrior
from vision.rows import Layout, RowOfIndices

_FLOOR = 1e-6
_ALONG = 0.8
"""Rows whose directions have a larger cosine than this are laid for the same side, or for opposite ones."""
_SHARED_WAY = 0.7
"""How much of what such faces say of their way up is the same for all of a row."""
_EITHER_WAY = np.array([face.number in (1, 6, 8, 9, 11) or face.is_joker for face in FACES])
_SURE_WAY = 1e-4
"""Of a row that is sure of its way to this much the others are not asked."""


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
    said: Numbers
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
    return _decoded(problem, counts)


class _Problem(NamedTuple):
    """The parts of the table, cut already, and what each is when it is taken alone."""

    evidence: Evidence
    parts: tuple[Part, ...]
    beliefs: tuple[RowBelief, ...]

    @classmethod
    def of(cls, evidence: Evidence, layout: Layout, prior: RowPrior) -> Self:
        """Cut the rows and weigh each."""
        faces, turned = evidence.joint.sum(axis=1), np.array(layout.turned, bool)
        parts = [
            Part(tuple(row[i] for i in piece), k)
            for k, (row, partings) in enumerate(zip(layout.rows, layout.partings, strict=True))
            for piece in pieces(faces[list(row)], np.array(partings), prior)
        ]
        seen = [(one_witness(evidence.joint[list(p.tiles)]), turned[list(p.tiles)]) for p in parts]
        beliefs = [prior.believe(joint, ways) for joint, ways in seen]
        facing = np.array([layout.facing[part.of] for part in parts]).reshape(-1, 2)
        leads = same_way(facing, np.array([belief.read_backward for belief in beliefs]))
        beliefs = [prior.believe(*row, lead) for row, lead in zip(seen, leads, strict=True)]
        return cls(evidence, tuple(parts), tuple(beliefs))

    def candidates(self) -> list[Candidates]:
        """Give what each row may show; whatever it is but its known candidates counts as its least."""
        found = []
        for part, belief in zip(self.parts, self.beliefs, strict=True):
            shown = np.zeros((len(belief.rows), FACE_COUNT), np.intp)
            for place, there in enumerate(self.evidence.presence[list(part.tiles)]):
                shown[np.arange(len(shown)), belief.rows[:, place]] += int(there > 0.5)
            counts = np.vstack([shown, shown.min(axis=0)])
            found.append(Candidates(counts, np.append(belief.chances, belief.rest)))
        return found

    def weighed(self, posteriors: Sequence[Array]) -> tuple[Array, list[float]]:
        """Give (n, 2, 53) and the probabilities that rows are read backward, for new weights of the candidates."""
        ways, backward = np.zeros_like(self.evidence.joint), []
        for part, belief, weights in zip(self.parts, self.beliefs, posteriors, strict=True):
            ways[list(part.tiles)] = belief.reweighed(weights)
            backward.append(float(weights[:-1] @ belief.backward))
        return ways, backward


def one_witness(joint: Array) -> Array:
    """Weigh down what the tiles of a row (n, 2, 53) say of their way up, where they are faces the other way up too.

    A number that stands low on the tiles of a set makes all its 6, 8 and 9 look as if they lay upside down. They err
    together; a 4, which is no number the other way up, does not.
    """
    ways, either = joint.sum(axis=2), joint[:, :, _EITHER_WAY].sum(axis=(1, 2))
    each = 1 / (1 + _SHARED_WAY * max(float(either.sum()) - 1, 0))
    tempered = ways ** (1 - either * (1 - each))[:, None]
    tempered /= tempered.sum(axis=1, keepdims=True)
    weighed: Array = joint * (tempered / np.maximum(ways, np.finfo(float).tiny))[:, :, None]
    return weighed


def same_way(facing: Array, backward: Array) -> list[float]:
    """Give the log-odds beforehand that rows are read as they face, from how the others on the table lie.

    Some families lay all rows for one side of the table, some each for himself: how often one way, and how often the
    other, is learnt from the rows that are sure of it (Laplace's rule of succession).

    Args:
        facing: unit vectors (n, 2) to the right of each row's tiles, as it is read.
        backward: the probabilities (n,) that it is read the other way round.
    """
    along = facing @ facing.T
    along = np.where(np.abs(along) > _ALONG, np.sign(along), 0.0)
    np.fill_diagonal(along, 0)
    votes = along * (1 - 2 * backward)
    pro, contra = np.maximum(votes, 0).sum(axis=1), np.maximum(-votes, 0).sum(axis=1)
    leads = np.log((pro + 1) / (contra + 1))
    leads[(backward < _SURE_WAY) | (backward > 1 - _SURE_WAY)] = 0.0
    return [float(lead) for lead in leads.round(2)]


def _decoded(problem: _Problem, counts: Counts) -> Decoded:
    tables = Tables.of(problem.candidates(), counts)
    ways, backward = problem.weighed(tables.marginals())
    faces = ways.sum(axis=1)
    said: Numbers = faces.argmax(axis=1)
    if not counts.allow(said):
        for part, belief, pick in zip(problem.parts, problem.beliefs, tables.best(), strict=True):
            said[list(part.tiles)] = belief.rows[min(pick, len(belief.rows) - 1)]
    rows = tuple(p.tiles[::-1] if turned > 0.5 else p.tiles for p, turned in zip(problem.parts, backward, strict=True))
    cut: dict[int, list[int]] = {}
    for place, part in enumerate(problem.parts):
        cut.setdefault(part.of, []).append(place)
    several = tuple(tuple(places) for places in cut.values() if len(places) > 1)
    return Decoded(faces, ways[:, 1].sum(axis=1), said, rows, several)
