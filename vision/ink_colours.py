"""Which of a set's four inks each tile of one table has, from the colours alone.

An ink sends back a share of the light, per channel, beside the white of its own tile. A lamp or window that mirrors in
the print adds the same to every ink of a table, and somewhat more or less to each tile; haze, blur and a camera's dull
colours draw all inks nearer to white alike. So, in linear light, a tile of ink k shows `gain * mean[k] + added`, with
one gain and one addition for the table, estimated along with the inks of its tiles (expectation and maximisation, from
wide to narrow) and held near to "nothing" where few tiles tell.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
INKS = 4
_GRAIN, _SPREAD = 0.008, 0.05
"""Noise of one channel, in the dark and for each square root of its light."""
_MIRROR = 0.06
"""How far the light that mirrors in one tile differs from that of its table, all channels alike."""
_GAIN, _ADDED, _TINT = 0.25, 0.12, 0.03
"""How far a table's gain, addition and the addition's colour are usually from 1, 0 and grey."""
_WIDTHS = (4.0, 2.5, 1.5, 1.0)
_STRANGE = np.exp(-9.0)
"""The likelihood, beside a perfect fit, of any ink for a colour that is unlike them all: a finger, a joker."""
_ROUNDS = 6


class _Light(NamedTuple):
    """What one table's light does to all inks."""

    gain: float
    added: Array

    def on(self, means: Array) -> Array:
        return np.asarray(self.gain * means + self.added)

    def undone(self, seen: Array) -> Array:
        return np.asarray((seen - self.added) / self.gain)


_PLAIN = _Light(1.0, np.zeros(3))


def linear(swallowed: ArrayLike) -> Array:
    """Turn what inks swallow of blue, green and red (n, 3), as pictures have it, into what they send back."""
    return np.asarray(np.clip(1 - np.asarray(swallowed, float).reshape(-1, 3), 0, 1) ** 2)


@dataclass(frozen=True, eq=False)
class InkColours:
    """The inks of one set: `means` (4, 3), shares of blue, green and red light; NaN for an ink not known yet.

    `unseen`: the likelihood of an ink not known yet, beside a perfect fit of one that is.
    """

    means: Array
    unseen: float = 0.0

    @classmethod
    def of(cls, swallowed: ArrayLike, inks: NDArray[np.intp], photos: NDArray[np.intp], *, unseen: float = 0.0) -> Self:
        """Average tiles (n, 3) of known inks (n,) over photos (n,), each with a light of its own."""
        seen = linear(swallowed)
        plain = seen.copy()
        means = np.empty((INKS, 3))
        for _ in range(_ROUNDS):
            means = np.array([plain[inks == k].mean(0) if (inks == k).any() else [np.nan] * 3 for k in range(INKS)])
            for photo in np.unique(photos):
                mine = photos == photo
                belongs = np.eye(INKS)[inks[mine]]
                plain[mine] = _light(seen[mine], np.nan_to_num(means), belongs, 1.0).undone(seen[mine])
        return cls(np.clip(means, 0, 1), unseen)

    def likelihoods(self, swallowed: ArrayLike, weights: ArrayLike | None = None) -> Array:
        """Give the likelihood (n, 4) of each ink for the tiles (n, 3) of one table; what fits none fits all.

        `weights` (n,): how surely each is a tile at all; what is none may not tell the light. All are where None.
        """
        seen, known = linear(swallowed), np.flatnonzero(~np.isnan(self.means).any(1))
        likely = np.full((len(seen), INKS), _STRANGE)
        likely[:, np.setdiff1d(np.arange(INKS), known)] += self.unseen
        if len(known) and len(seen):
            sure = np.ones(len(seen)) if weights is None else np.asarray(weights, float)
            likely[:, known] += _fitted(seen, self.means[known], sure)
        return likely


def _fitted(seen: Array, means: Array, sure: Array) -> Array:
    """Give densities (n, k), up to a factor, at the best light."""
    light, fit = _PLAIN, np.empty((len(seen), len(means)))
    for width in _WIDTHS:
        fit = _densities(seen, light.on(means), width)
        belongs = sure[:, None] * fit / (fit.sum(1, keepdims=True) + _STRANGE)
        light = _light(seen, means, belongs, width)
    return fit


def _precisions(shown: Array, width: float) -> Array:
    """Give the inverse covariances (k, 3, 3) of colours shown (k, 3)."""
    noise = width * (_GRAIN + _SPREAD * np.sqrt(np.clip(shown, 0, 1)))
    covariance = np.einsum("kc,cd->kcd", noise**2, np.eye(3)) + (width * _MIRROR) ** 2
    return np.asarray(np.linalg.inv(covariance))


def _densities(seen: Array, shown: Array, width: float) -> Array:
    precision = _precisions(shown, width)
    off = seen[:, None] - shown
    distance = np.einsum("nkc,kcd,nkd->nk", off, precision, off)
    weight = np.sqrt(np.linalg.det(precision))
    return np.asarray(np.exp(-0.5 * distance) * weight / weight.max())


def _light(seen: Array, means: Array, belongs: Array, width: float) -> _Light:
    """Fit the light to tiles (n, 3) that belong to inks with weights (n, k): least squares with a prior."""
    precision = _precisions(means, width)
    design = np.concatenate([means[:, :, None], np.tile(np.eye(3), (len(means), 1, 1))], axis=2)
    prior = np.zeros((4, 4))
    prior[0, 0] = 1 / _GAIN**2
    prior[1:, 1:] = np.linalg.inv(_TINT**2 * np.eye(3) + _ADDED**2)
    weights = belongs.sum(0)
    normal = prior + np.einsum("k,kci,kcd,kdj->ij", weights, design, precision, design)
    target = prior[:, 0] + np.einsum("nk,kci,kcd,nd->i", belongs, design, precision, seen)
    gain, *added = np.linalg.solve(normal, target)
    return _Light(float(np.clip(gain, 0.3, 2.0)), np.array(added))
