"""What the tiles of one row are, given that they lie in one row: the exact sums of `vision.decode`'s row factor."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from referee.table import Table
from vision.inventory import Numbers
from vision.legal_rows import FACES, Array, Sequences, legal_sequences, legal_sums, legal_weights

_NEGLIGIBLE = 1e-6
_RARE, _SCARCE = 1e-5, 1e-4
_MOST_PLAIN, _MOST_FAVOURED = 160, 80


@dataclass(frozen=True)
class Preference:
    """How much the rules weigh against the eyes, as odds; `vision.decode` says what each means.

    `touching`: the least odds that two melds part between two tiles that lie side by side (`vision.cutting`).
    """

    legal: float = 12.0
    remembered: float = 4.0
    same_way_up: float = 0.9
    excess: float = 1e-3
    missing: float = 0.1
    touching: float = 0.03


class _Side(NamedTuple):
    """A row read from one of its two sides; tiles stand in the order given, read forward (`order` 1) or backward (-1).

    `ways` (length, 2, 53): each way up with each face; `alone` (length, 53): the faces before the row is weighed;
    `plain`: how probable this side is if the row is not favoured, `gain` times more by that it may be.
    `best` (m, length): the most probable favoured rows.
    """

    order: int
    ways: Array
    alone: Array
    plain: float
    gain: float
    best: Numbers

    def scores(self, rows: Numbers, prior: "RowPrior") -> Array:
        """Give the probability of this side together with each of some rows of faces (m, length)."""
        odds = prior.odds(rows[:, :: self.order])
        scores: Array = self.plain * odds * self.alone[np.arange(rows.shape[1]), rows].prod(axis=1)
        return scores


@dataclass(frozen=True, eq=False)
class RowBelief:
    """What a row of tiles is, before the counts of faces are asked.

    `ways` (length, 2, 53): the probability of each way up with each face, for each tile in the order given.
    `rows` (m, length): the most probable rows of faces, with their probabilities `chances` (m,), and those that the row
    then is read the other way round, `backward` (m,).
    """

    ways: Array
    rows: Numbers
    chances: Array
    backward: Array

    @property
    def read_backward(self) -> float:
        """The probability that the row is read the other way round."""
        return float(self.chances @ self.backward) / max(float(self.chances.sum()), _NEGLIGIBLE)

    @property
    def rest(self) -> float:
        """The probability that the row is none of `rows`."""
        return max(0.0, 1 - float(self.chances.sum()))

    def reweighed(self, weights: Array) -> Array:
        """Give `ways` for other probabilities of `rows`, and of what is none of them as the last (m + 1,)."""
        old, new = Sequences(self.rows, self.chances).parts(), Sequences(self.rows, weights[:-1]).parts()
        faces = self.ways.sum(axis=1)
        others = np.maximum(faces - old, 0) * (weights[-1] / max(self.rest, _NEGLIGIBLE))
        changed = new + others
        scale = changed / changed.sum(axis=1, keepdims=True) / np.maximum(faces, np.finfo(float).tiny)
        ways: Array = self.ways * scale[:, None]
        return ways


@dataclass(frozen=True, eq=False)
class RowPrior:
    """How probable a row's faces are beforehand; `remembered`: the rows of the last table by length."""

    preference: Preference = Preference()
    jokers: int = 2
    remembered: dict[int, Sequences] = field(default_factory=dict)

    @classmethod
    @lru_cache(maxsize=4)
    def of(cls, preference: Preference, jokers: int, last: Table | None) -> Self:
        """Make the prior for a set with so many jokers and the table as it last was; the same for the same ones."""
        rows: dict[int, set[tuple[int, ...]]] = {}
        for row in last.rows if last else ():
            faces = tuple(FACES.index(tile) for tile in row)
            rows.setdefault(len(row), set()).update({faces, faces[::-1]})
        extra = preference.remembered - 1
        known = {n: Sequences(np.array(sorted(r), np.intp), np.full(len(r), extra)) for n, r in rows.items()}
        return cls(preference, jokers, known)

    def favoured(self, length: int) -> Sequences:
        """Give the favoured rows of this length, each with its odds less 1."""
        legal = legal_sequences(length, self.jokers).scaled(self.preference.legal - 1)
        return legal.joined(self.remembered[length]) if length in self.remembered else legal

    def gains(self, faces: Array) -> Array:
        """Say how much more probable each stretch of a row (n, 53) is by that it may be favoured; 1 for nothing gained.

        Returns:
            (n + 1, n + 1), by where the stretch begins and where it ends; treat as read-only.
        """
        return self._gained(np.ascontiguousarray(faces, float).tobytes())

    @lru_cache(maxsize=128)  # noqa: B019  see `_believed`
    def _gained(self, seen: bytes) -> Array:
        faces = np.frombuffer(seen).reshape(-1, len(FACES))
        gains = np.ones((len(faces) + 1, len(faces) + 1))
        legal = {n: (self.preference.legal - 1) * sums for n, sums in legal_sums(faces, self.jokers).items()}
        last = {n: rows.in_windows(faces) for n, rows in self.remembered.items() if n <= len(faces)}
        for sums in (legal, last):
            for length, more in sums.items():
                starts = np.arange(len(more))
                gains[starts, starts + length] += more
        return gains

    def odds(self, rows: Numbers) -> Array:
        """Give the odds of rows of faces (m, length) against a row that is not favoured."""
        legal = legal_weights(rows.shape[1], self.jokers)
        last = self.remembered[rows.shape[1]].by_row() if rows.shape[1] in self.remembered else {}
        more = self.preference.legal - 1
        keys = list(map(tuple, rows.tolist()))
        return np.array([1 + more * legal.get(row, 0.0) + last.get(row, 0.0) for row in keys])

    def believe(self, joint: Array, turned: NDArray[np.bool_], lead: float = 0.0) -> RowBelief:
        """Weigh a row.

        Args:
            joint: (length, 2, 53) of each tile's two ways up (as its corners say, half-turned) and faces, in the
                order in which the row is read from its front.
            turned: (length,), whether a tile's corners say that it lies the other way up than the row read so.
            lead: the log-odds beforehand that the row is read from its front.
        """
        return self._believed(np.ascontiguousarray(joint, float).tobytes(), tuple(turned.tolist()), lead)

    @lru_cache(maxsize=128)  # noqa: B019  priors are few, and most rows lie as they lay in the last picture
    def _believed(self, seen: bytes, upside_down: tuple[bool, ...], beforehand: float) -> RowBelief:
        turned = np.array(upside_down, bool)
        joint = np.frombuffer(seen).reshape(len(turned), 2, len(FACES))
        front, back = self._tilt(joint, turned), self._tilt(joint, ~turned)
        front[0] *= np.exp(beforehand)
        lead = np.log(front.sum(axis=(1, 2)) / back.sum(axis=(1, 2))).sum()
        most = np.log(self.preference.legal + self.preference.remembered) - np.log(_NEGLIGIBLE)
        sides = [self._weigh(ways, order) for ways, order in ((front, 1), (back, -1)) if order * lead > -most]
        return self._joined(sides)

    def _tilt(self, joint: Array, turned: NDArray[np.bool_]) -> Array:
        """Weigh the ways up by how most of a row lies, if it is read so that these are turned."""
        same = self.preference.same_way_up
        return np.where(turned[:, None], [1 - same, same], [same, 1 - same])[:, :, None] * joint

    def _weigh(self, ways: Array, order: int) -> _Side:
        """Sum over all rows of faces, read in the order given (1) or from the other end (-1)."""
        faces = ways.sum(axis=1)
        totals = faces.sum(axis=1, keepdims=True)
        alone = faces / totals
        favoured = self.favoured(len(ways)).under(alone[::order])
        gain = float(favoured.weights.sum())
        believed = (alone + favoured.parts()[::order]) / (1 + gain)
        ways = ways * (believed / np.maximum(faces, np.finfo(float).tiny))[:, None]
        best = np.argsort(-favoured.weights, kind="stable")[:_MOST_FAVOURED]
        return _Side(order, ways, alone, float(totals.prod()), 1 + gain, favoured.faces[best, ::order])

    def _joined(self, sides: Sequence[_Side]) -> RowBelief:
        total = sum(side.plain * side.gain for side in sides)
        ways = np.sum([side.ways * (side.plain * side.gain / total) for side in sides], axis=0)
        candidates = [rows for side in sides for rows in (_plain_rows(side.alone), side.best)]
        rows = np.unique(np.concatenate(candidates), axis=0)
        scores = np.array([side.scores(rows, self) / total for side in sides])
        chances = scores.sum(axis=0)
        kept = chances > _SCARCE * chances.max()
        backward = scores[[side.order < 0 for side in sides]].sum(axis=0)
        return RowBelief(ways, rows[kept], chances[kept], (backward / chances)[kept])


def _plain_rows(alone: Array) -> Numbers:
    """Give the most probable rows of independent faces (length, 53): a best row begins with a best beginning."""
    rows, scores = np.empty((1, 0), np.intp), np.ones(1)
    for place in alone:
        likely = np.flatnonzero(place > _RARE * place.max())
        totals = (scores[:, None] * place[likely]).ravel()
        kept = np.flatnonzero(totals > _RARE * totals.max())
        kept = kept[np.argsort(-totals[kept], kind="stable")[:_MOST_PLAIN]]
        before, which = np.divmod(kept, len(likely))
        rows, scores = np.column_stack([rows[before], likely[which]]), totals[kept]
    return rows
