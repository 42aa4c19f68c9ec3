"""What the tiles of one row are, given that they lie in one row: the exact sums of `vision.decode`'s row factor."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from referee.table import Table
from vision.inventory import count_distribution
from vision.legal_rows import (
    FACE_COUNT,
    FACES,
    JOKER_INDEX,
    LEAST_MELD,
    Array,
    Sequences,
    legal_sequences,
    neighbours,
)

_NEGLIGIBLE = 1e-6


@dataclass(frozen=True)
class Preference:
    """How much the rules weigh against the eyes, as odds; `vision.decode` says what each means.

    `cut_touching`, `cut_apart`: the odds that a row is cut between two tiles that lie as near as its others, and
    between two that lie `FAR` widths further apart.
    """

    legal: float = 12.0
    remembered: float = 4.0
    same_way_up: float = 0.97
    excess: float = 1e-3
    missing: float = 0.1
    cut_touching: float = 0.03
    cut_apart: float = 0.5


FAR = 0.35


class RowBelief(NamedTuple):
    """`ways` (length, 2, 53): the probability of each way up with each face, for each tile in the order given.

    `alone` (length, 53): of each face if the row is not favoured. `favoured`: the probability that it is one of the
    favoured rows by their gain. `backward`: the probability that it is read the other way round.
    """

    ways: Array
    alone: Array
    favoured: float
    backward: float


class _Side(NamedTuple):
    """A row seen from one side, in the reading order of that side; `log_weight` compares the two sides."""

    ways: Array
    alone: Array
    favoured: float
    log_weight: float


@dataclass(frozen=True, eq=False)
class RowPrior:
    """How probable a row's faces are beforehand; `remembered`: the rows of the last table by length."""

    preference: Preference = Preference()
    jokers: int = 2
    remembered: dict[int, Sequences] = field(default_factory=dict)
    _favoured: dict[int, Sequences] = field(default_factory=dict)

    @classmethod
    def of(cls, preference: Preference, jokers: int, last: Table | None) -> Self:
        """Make the prior for a set with so many jokers and the table as it last was."""
        rows: dict[int, set[tuple[int, ...]]] = {}
        for row in last.rows if last else ():
            faces = tuple(FACES.index(tile) for tile in row)
            rows.setdefault(len(row), set()).update({faces, faces[::-1]})
        extra = preference.remembered - 1
        known = {n: Sequences(np.array(sorted(r), np.intp), np.full(len(r), extra)) for n, r in rows.items()}
        return cls(preference, jokers, known)

    def favoured(self, length: int) -> Sequences:
        """Give the favoured rows of this length, each with its odds less 1."""
        if length not in self._favoured:
            legal = legal_sequences(length, self.jokers).scaled(self.preference.legal - 1)
            known = self.remembered.get(length)
            self._favoured[length] = legal.joined(known) if known else legal
        return self._favoured[length]

    def believe(self, joint: Array, turned: NDArray[np.bool_]) -> RowBelief:
        """Weigh a row.

        Args:
            joint: (length, 2, 53) of each tile's two ways up (as its corners say, half-turned) and faces, in the
                order in which the row is read from its front.
            turned: (length,), whether a tile's corners say that it lies the other way up than the row read so.
        """
        front, back = self._tilt(joint, turned), self._tilt(joint, ~turned)
        lead = np.log(front.sum(axis=(1, 2)) / back.sum(axis=(1, 2))).sum()
        most = np.log(self.preference.legal + self.preference.remembered) - np.log(_NEGLIGIBLE)
        if lead > most:
            return self._one_way(self._weigh(front), 0.0)
        if lead < -most:
            return self._one_way(self._weigh(back[::-1]), 1.0)
        return self._both_ways(self._weigh(front), self._weigh(back[::-1]))

    def _tilt(self, joint: Array, turned: NDArray[np.bool_]) -> Array:
        """Weigh the ways up by how most of a row lies, if it is read so that these are turned."""
        same = self.preference.same_way_up
        return np.where(turned[:, None], [1 - same, same], [same, 1 - same])[:, :, None] * joint

    def _weigh(self, ways: Array) -> _Side:
        faces = ways.sum(axis=1)
        totals = faces.sum(axis=1, keepdims=True)
        alone = faces / totals
        gain, parts = self.favoured(len(ways)).mass(alone)
        share = (alone + parts) / (1 + gain) / np.maximum(faces, np.finfo(float).tiny)
        return _Side(ways * share[:, None], alone, gain / (1 + gain), float(np.log(totals).sum() + np.log1p(gain)))

    def _one_way(self, side: _Side, backward: float) -> RowBelief:
        order = -1 if backward else 1
        return RowBelief(side.ways[::order], side.alone[::order], side.favoured, backward)

    def _both_ways(self, front: _Side, back: _Side) -> RowBelief:
        backward = float(1 / (1 + np.exp(np.clip(front.log_weight - back.log_weight, -700, 700))))
        forward = 1 - backward
        return RowBelief(
            forward * front.ways + backward * back.ways[::-1],
            forward * front.alone + backward * back.alone[::-1],
            forward * front.favoured + backward * back.favoured,
            backward,
        )

    def gain(self, faces: Array) -> float:
        """Say how much more probable a row (length, 53) taken alone is by being favoured; 1 for nothing gained."""
        return 1 + self.favoured(len(faces)).mass(faces)[0]


def row_counts(beliefs: Sequence[RowBelief], presence: Sequence[Array], size: int) -> Array:
    """Give the distributions (rows, 53, size) of how many tiles of each row, there or not, show each face.

    In a favoured row a numbered face is shown once or not at all, wherever it lies.
    """
    alone = _padded([belief.alone * there[:, None] for belief, there in zip(beliefs, presence, strict=True)])
    shown = _padded([b.ways.sum(axis=1) * there[:, None] for b, there in zip(beliefs, presence, strict=True)])
    share = np.array([belief.favoured for belief in beliefs])[:, None, None]
    plain = count_distribution(alone, size)
    melded = np.maximum(shown - (1 - share) * alone, 0) / np.maximum(share, _NEGLIGIBLE)
    once = np.zeros_like(plain)
    once[..., 1] = np.minimum(melded.sum(axis=1), 1)
    once[..., 0] = 1 - once[..., 1]
    once[:, JOKER_INDEX] = count_distribution(np.minimum(melded, 1), size)[:, JOKER_INDEX]
    mixed: Array = share * once + (1 - share) * plain
    return mixed


def _padded(rows: Sequence[Array]) -> Array:
    """Stack rows (length, 53) of different lengths as (rows, longest, 53)."""
    padded = np.zeros((len(rows), max(map(len, rows), default=0), FACE_COUNT))
    for place, row in zip(padded, rows, strict=True):
        place[: len(row)] = row
    return padded


def bonds(faces: Array) -> Array:
    """Give the probability (n - 1,) that two neighbours of a row (n, 53) can lie side by side in a valid meld."""
    bound: Array = np.einsum("if,fg,ig->i", faces[:-1], neighbours(), faces[1:])
    return bound


def pieces(faces: Array, gaps: Array, prior: RowPrior) -> list[range]:
    """Cut a row (n, 53) where that makes it most probable (RULEBOOK 3.8); `gaps` (n - 1,) in tile widths.

    A dynamic programme over the places of cuts. A piece that holds two tiles which go with no valid meld gains nothing.
    """
    count = len(faces)
    if count <= LEAST_MELD or prior.gain(faces) > prior.preference.legal / 2:
        return [range(count)]
    odds, weak = _cut_odds(gaps, prior.preference), bonds(faces) * (prior.preference.legal - 1) < 0.05
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, count + 1):
        options = []
        for start in range(end):
            gain = 1.0 if weak[start : end - 1].any() else prior.gain(faces[start:end])
            options.append((best[start][0] + np.log(gain) + (np.log(odds[start - 1]) if start else 0.0), -start))
        best.append((max(options)[0], -max(options)[1]))
    return _walk_back(best)


def _cut_odds(gaps: Array, preference: Preference) -> Array:
    usual = np.quantile(gaps, 0.25, method="lower")
    apart = np.clip((gaps - usual - 0.05) / (FAR - 0.05), 0, 1)
    odds: Array = preference.cut_touching ** (1 - apart) * preference.cut_apart**apart
    return odds


def _walk_back(best: list[tuple[float, int]]) -> list[range]:
    found, end = [], len(best) - 1
    while end > 0:
        found.append(range(best[end][1], end))
        end = best[end][1]
    return found[::-1]
