"""Rows weighed together: they touch each other through the counts of faces alone.

Every row has candidates, each with a weight and with the number of times it shows each face. The weight of a table is
the product of the weights of one candidate a row and of the odds of all counts. Sums and maxima over all tables are
taken exactly, row by row, over the counts so far of the faces that matter (variable elimination): a face matters only
where its count may be too high or too low, and counts are one where they cost the same whatever the rows behind show,
so a state is a handful of numbers and there are few of them. Should there ever be more than `MOST_STATES`, the least
probable go.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from vision.inventory import Counts, Numbers
from vision.legal_rows import FACE_COUNT, Array

MOST_STATES = 400
_NEVER = 1e-3
"""A face matters where its count is too high or too low with more than this probability, the rows taken alone."""
_FAINT = 1e-12
_HASH = np.random.default_rng(53).integers(1 << 62, size=FACE_COUNT).astype(np.uint64) * np.uint64(2) + np.uint64(1)


class Candidates(NamedTuple):
    """What one row may be: how often each candidate shows each face (m, 53), and the weights (m,)."""

    counts: Numbers
    weights: Array


class _Step(NamedTuple):
    """One row in the elimination, its candidates joined into groups of the same counts of the faces that matter.

    `group` (m,): the group of each candidate; `after` (states, groups): the state that each state becomes by a group;
    `odds` (states, groups) of the counts that are complete with it.
    """

    row: int
    group: Numbers
    after: Numbers
    odds: Array

    def only(self, kept: Numbers) -> Self:
        """Keep some of the states that come out, given by their rising indices."""
        place = np.minimum(np.searchsorted(kept, self.after), len(kept) - 1)
        return self._replace(after=place, odds=np.where(kept[place] == self.after, self.odds, 0.0))


@dataclass(frozen=True, eq=False)
class Tables:
    """All tables that rows can be together, each row one of its candidates."""

    rows: Sequence[Candidates]
    _steps: Sequence[_Step]

    @classmethod
    def of(cls, rows: Sequence[Candidates], counts: Counts) -> Self:
        """Weigh them by the odds of how often they show each face."""
        return cls(rows, _Elimination.of(rows, counts).steps() if rows else ())

    def marginals(self) -> list[Array]:
        """Give the probabilities (m,) of each row's candidates, with everything else summed over."""
        found = [row.weights / row.weights.sum() for row in self.rows]
        weights: list[Array] = [np.bincount(s.group, self.rows[s.row].weights).astype(float) for s in self._steps]
        forward: Array = np.ones(1)
        for step, weight, ahead in zip(self._steps, weights, _ahead(self._steps, weights, np.sum), strict=True):
            fit = (forward[:, None] * step.odds * ahead[step.after]).sum(axis=0)
            told = fit[step.group] * self.rows[step.row].weights
            found[step.row] = told / told.sum()
            passed = np.bincount(step.after.ravel(), (forward[:, None] * step.odds * weight).ravel(), len(ahead))
            forward = passed / passed.sum()
        return found

    def best(self) -> list[int]:
        """Choose one candidate for each row so that the table as a whole is the most probable one."""
        picks = [int(row.weights.argmax()) for row in self.rows]
        weights = [_highest(self.rows[step.row].weights, step.group) for step in self._steps]
        state = 0
        for step, weight, ahead in zip(self._steps, weights, _ahead(self._steps, weights, np.max), strict=True):
            group = int((weight * step.odds[state] * ahead[step.after[state]]).argmax())
            picks[step.row] = int(np.where(step.group == group, self.rows[step.row].weights, -1).argmax())
            state = int(step.after[state, group])
        return picks


@dataclass(frozen=True, eq=False)
class _Elimination:
    """The order in which rows are taken in.

    `faces` are those that matter; `ranges` (rows, faces): how many of each a row may show beyond the least it shows.
    """

    rows: Sequence[Candidates]
    counts: Counts
    faces: Numbers
    ranges: Numbers

    @classmethod
    def of(cls, rows: Sequence[Candidates], counts: Counts) -> Self:
        """Find the faces that matter."""
        least = np.array([row.counts.min(axis=0) for row in rows])
        most = np.array([row.counts.max(axis=0) for row in rows])
        faces = np.flatnonzero(counts.at_odds(_totals(rows)) > _NEVER)
        return cls(rows, counts, faces, (most - least)[:, faces])

    @cached_property
    def varies(self) -> NDArray[np.bool_]:
        """Which of the faces a row may show more often or less (rows, faces)."""
        return self.ranges > 0

    def steps(self) -> list[_Step]:
        """Take in the rows that matter one by one."""
        states = np.sum([row.counts.min(axis=0)[self.faces] for row in self.rows], axis=0)[None]
        steps, forward = list[_Step](), np.ones(1)
        order = self._order()
        for place, row in enumerate(order):
            states, step = self._taken_in(states, row, self.ranges[order[place + 1 :]].sum(axis=0))
            weight = forward[:, None] * step.odds * np.bincount(step.group, self.rows[row].weights)
            forward = np.bincount(step.after.ravel(), weight.ravel(), len(states)).astype(float)
            kept = _likely(forward)
            steps.append(step if len(kept) == len(states) else step.only(kept))
            states, forward = states[kept], forward[kept] / forward.sum()
        return steps

    def _taken_in(self, states: Numbers, row: int, left: Numbers) -> tuple[Numbers, _Step]:
        """Join the row's candidates into groups, and add each group to each of the states (n, faces).

        `left` (faces,): how many more of each face the rows behind may show.
        """
        varied = np.flatnonzero(self.varies[row])
        mine = self.rows[row].counts[:, self.faces[varied]]
        added, group = _distinct(mine - mine.min(axis=0))
        kept = np.delete(np.arange(len(left)), varied)
        logs = np.zeros((len(states), len(added)))
        hashes = (states[:, kept].astype(np.uint64) @ _HASH[kept])[:, None] + np.zeros(logs.shape, np.uint64)
        same = []
        for place, face in enumerate(varied):
            shown = states[:, face, None] + added[:, place]
            stands, costs = self.counts.settled(self.faces[face], int(shown.max()), int(left[face]))
            hashes += (stands.astype(np.uint64) * _HASH[face])[shown]
            logs += costs[shown]
            same.append(stands)
        _, first, after = np.unique(hashes, return_index=True, return_inverse=True)
        state, joined = np.divmod(first, len(added))
        grown = states[state]
        for place, face in enumerate(varied):
            grown[:, face] = same[place][grown[:, face] + added[joined, place]]
        odds = np.exp(logs - logs.max())  # those of hundreds too many are smaller than any number
        return grown, _Step(row, group, after.reshape(odds.shape), odds)

    def _order(self) -> list[int]:
        """Order the rows so that those that share a face come soon after each other, and few faces are open at once."""
        left = set(np.flatnonzero(self.varies.any(axis=1)).tolist())
        known, order = np.zeros(len(self.faces), bool), []
        while left:
            shared, new = (self.varies & known).sum(axis=1), (self.varies & ~known).sum(axis=1)
            row = max(left, key=lambda k: (shared[k] > 0, shared[k] - new[k], -k))
            left.remove(row)
            order.append(row)
            known = (known | self.varies[row]) & self.varies[sorted(left)].any(axis=0)
        return order


def _ahead(steps: Sequence[_Step], weights: Sequence[Array], total: Callable[..., Array]) -> list[Array]:
    """Give for every state after each step the sum, or the maximum, over all that follows, up to a factor."""
    ahead = [np.ones(1)]
    for step, weight in zip(reversed(steps), reversed(weights), strict=True):
        value = total(weight * step.odds * ahead[-1][step.after], axis=1)
        ahead.append(value / value.max())
    return ahead[-2::-1]


def _totals(rows: Sequence[Candidates]) -> Array:
    """Give the distribution (53, k) of how often the independent rows show each face in all."""
    each = [_distribution(row) for row in rows]
    totals = np.zeros((FACE_COUNT, sum(one.shape[1] - 1 for one in each) + 1))
    totals[:, 0] = 1
    for one in each:
        before = totals.copy()
        totals *= one[:, :1]
        for count in range(1, one.shape[1]):
            totals[:, count:] += one[:, count : count + 1] * before[:, :-count]
    return totals


def _distribution(row: Candidates) -> Array:
    size = int(row.counts.max()) + 1
    likely = row.weights / row.weights.sum()
    return np.stack([((row.counts == count) * likely[:, None]).sum(axis=0) for count in range(size)], axis=1)


def _likely(weights: Array) -> Numbers:
    """Give the indices of the weights that are not faint beside the others, at most `MOST_STATES`, rising."""
    kept = np.flatnonzero(weights > _FAINT * weights.sum())
    return np.sort(kept[np.argsort(-weights[kept], kind="stable")[:MOST_STATES]])


def _highest(weights: Array, group: Numbers) -> Array:
    highest = np.zeros(group.max() + 1)
    np.maximum.at(highest, group, weights)
    return highest


def _distinct(rows: Numbers) -> tuple[Numbers, Numbers]:
    """Give the different rows of (m, k), k at most 53, and which of them each one is (m,).

    Rows are told apart by a hash of 64 bits: sorting whole rows is ten times slower.
    """
    _, first, which = np.unique(rows.astype(np.uint64) @ _HASH[: rows.shape[1]], return_index=True, return_inverse=True)
    return rows[first], which
