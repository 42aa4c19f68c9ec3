"""The most probable table as a whole, where the tiles taken one by one would be more than the set holds.

Each row has candidates: its most probable rows of faces taken alone, and its most probable favoured ones. One is chosen
for every row so that the product of their probabilities and of the odds of all counts is greatest: an integer programme
in which a count costs by how far it is over or under (both are linear), solved by scipy's HiGHS.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

from vision.inventory import Counts
from vision.legal_rows import FACE_COUNT, Array
from vision.row_belief import RowPrior

_KEPT = 48
_FACES_EACH = 8
_SWEEPS = 3

Faces = NDArray[np.intp]


class Candidates(NamedTuple):
    """What one row may be: rows of faces (m, length) with their logarithmic scores (m,), best first.

    `beyond`: no row that is not among them scores more than this.
    """

    faces: Faces
    scores: Array
    beyond: float

    @classmethod
    def of(cls, alone: Array, prior: RowPrior) -> Self:
        """List them for a row whose tiles taken alone have the probabilities (length, 53)."""
        plain, scores = _best_products(alone)
        favoured = prior.favoured(len(alone))
        terms = np.log(np.maximum(alone[np.arange(len(alone)), favoured.faces], 1e-30)).sum(axis=1)
        gained = terms + np.log1p(favoured.weights)
        order = np.argsort(-gained, kind="stable")
        best = order[:_KEPT]
        rest = float(gained[order[_KEPT]]) if len(order) > _KEPT else -np.inf
        known = dict(zip(map(tuple, plain.tolist()), scores.tolist(), strict=True))
        known.update(zip(map(tuple, favoured.faces[best].tolist()), gained[best].tolist(), strict=True))
        ranked = sorted(known.items(), key=lambda item: -item[1])
        faces = np.array([faces for faces, _ in ranked], np.intp)
        return cls(faces, np.array([score for _, score in ranked]), max(rest, _left_out(alone, scores)))

    def at_least(self, score: float) -> Self:
        """Keep those that score this much; the best one always does."""
        kept = self.scores >= min(score, self.scores[0]) - 1e-9
        return self._replace(faces=self.faces[kept], scores=self.scores[kept])


class BestTable(NamedTuple):
    """The faces of each row; `gap`: by how much, in logarithms, a table of other candidates might beat it (0: none)."""

    rows: tuple[Faces, ...]
    gap: float


def most_probable(rows: Sequence[Candidates], counts: Counts) -> BestTable:
    """Choose one candidate for each row so that the table is the most probable one."""
    first = _improved(rows, counts)
    best = sum(float(row.scores[0]) for row in rows)
    rivals = [row.at_least(float(row.scores[0]) - (best - first)) for row in rows]
    picks, score = _solve(rivals, counts)
    loss = min((float(row.scores[0]) - row.beyond for row in rows), default=np.inf)
    faces = tuple(row.faces[pick] for row, pick in zip(rivals, picks, strict=True))
    return BestTable(faces, max(0.0, best - loss - score))


def _improved(rows: Sequence[Candidates], counts: Counts) -> float:
    """Give the score of a good table: every row in turn takes what is best beside the others."""
    held = [_counted(row.faces) for row in rows]
    picks = [0] * len(rows)
    total = sum((row[0] for row in held), np.zeros(FACE_COUNT))
    for _ in range(_SWEEPS):
        for k, row in enumerate(rows):
            others = total - held[k][picks[k]]
            picks[k] = int(np.argmax(row.scores + counts.log_odds(others + held[k])))
            total = others + held[k][picks[k]]
    return sum(float(row.scores[pick]) for row, pick in zip(rows, picks, strict=True)) + float(counts.log_odds(total))


def _best_products(alone: Array) -> tuple[Faces, Array]:
    """Give the most probable rows of independent faces, exactly: a best row begins with a best beginning."""
    logs = np.log(np.maximum(alone, 1e-30))
    faces, scores = np.empty((1, 0), np.intp), np.zeros(1)
    for place in logs:
        best = np.argsort(-place, kind="stable")[:_FACES_EACH]
        totals = (scores[:, None] + place[best]).ravel()
        kept = np.argsort(-totals, kind="stable")[:_KEPT]
        before, which = np.divmod(kept, len(best))
        faces, scores = np.column_stack([faces[before], best[which]]), totals[kept]
    return faces, scores


def _left_out(alone: Array, scores: Array) -> float:
    """Bound the rows of independent faces that were not kept: after the last one, or with a face that is rare there."""
    logs = np.sort(np.log(np.maximum(alone, 1e-30)), axis=1)[:, ::-1]
    rare = logs[:, 0].sum() + (logs[:, _FACES_EACH] - logs[:, 0]).max()
    full = len(scores) == _KEPT
    return max(float(rare), float(scores[-1]) if full else -np.inf)


def _counted(faces: Faces) -> Array:
    counts = np.zeros((len(faces), FACE_COUNT))
    for place in faces.T:
        counts[np.arange(len(faces)), place] += 1
    return counts


def _solve(rows: Sequence[Candidates], counts: Counts) -> tuple[list[int], float]:
    """Solve over [choice of each candidate, tiles over, tiles missing]; costs are negative logarithms."""
    sizes, held = [len(row.scores) for row in rows], np.concatenate([_counted(row.faces) for row in rows])
    choices, slack = len(held), np.eye(FACE_COUNT)
    none, odds = np.zeros((FACE_COUNT, FACE_COUNT)), np.array([[counts.excess], [counts.missing]])
    costs = np.concatenate([*(-row.scores for row in rows), *np.tile(-np.log(odds), FACE_COUNT)])
    one_each = np.hstack([np.repeat(np.eye(len(sizes)), sizes, axis=1), np.zeros((len(sizes), 2 * FACE_COUNT))])
    limits = [
        LinearConstraint(csr_matrix(one_each), 1, 1),
        LinearConstraint(csr_matrix(np.hstack([held.T, -slack, none])), -np.inf, counts.held),
        LinearConstraint(csr_matrix(np.hstack([held.T, none, slack])), counts.wanted, np.inf),
    ]
    whole = np.repeat([1, 0], [choices, 2 * FACE_COUNT])
    upper = np.where(whole, 1, np.inf)
    found = milp(costs, integrality=whole, bounds=Bounds(0, upper), constraints=limits)
    ends = np.cumsum(sizes)
    return [int(part.argmax()) for part in np.split(found.x[:choices], ends[:-1])], -float(found.fun)
