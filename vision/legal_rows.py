"""What a row of tiles may be: all valid melds as they are laid, and the probability that a row is one of them.

Faces are numbers here: K1 to K13, R1 to R13, B1 to B13, O1 to O13 and the joker, 0 to 52 (`FACES`).

The sums are exact, not over a few best candidates: a row of three can be laid as a valid meld in 1,192 ways, one of
four in 3,576, one of thirteen in 736, so a row is one product for each of them (RULEBOOK 3.1, 3.2, 3.3, 3.6).
"""

from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.tiles import COLOURS, HIGHEST, JOKER, NUMBERED, Tile

FACES: tuple[Tile, ...] = (*NUMBERED, JOKER)
FACE_COUNT = len(FACES)
JOKER_INDEX = FACE_COUNT - 1
LEAST_MELD = 3
FALLING = 0.3
"""How likely a run is laid from high to low, against low to high."""

_RARE = 1e-12
"""Sequences with a smaller weight are left out of sums; there are some thousands at most."""

Array = NDArray[np.float64]


class Sequences(NamedTuple):
    """Rows of faces (m, length) with the weight of each (m,)."""

    faces: NDArray[np.intp]
    weights: Array

    def under(self, beliefs: Array) -> "Sequences":
        """Multiply the weights by the probabilities of independent beliefs (length, 53); what is negligible goes."""
        faces, weights = self.faces, self.weights
        for place, belief in enumerate(beliefs):
            weights = weights * belief[faces[:, place]]
            kept = weights > _RARE
            faces, weights = faces[kept], weights[kept]
        return Sequences(faces, weights)

    def in_windows(self, beliefs: Array) -> Array:
        """Sum the weights under each stretch of this length in independent beliefs (n, 53): (n - length + 1,)."""
        length = self.faces.shape[1]
        sums = np.ones((len(beliefs) - length + 1, len(self.weights)))
        for place in range(length):
            sums *= beliefs[place : place + len(sums), self.faces[:, place]]
        return np.asarray(sums @ self.weights)

    def parts(self) -> Array:
        """Sum the weights by face for each place (length, 53)."""
        return np.array([np.bincount(place, self.weights, FACE_COUNT) for place in self.faces.T]).reshape(
            -1, FACE_COUNT
        )

    def by_row(self) -> dict[tuple[int, ...], float]:
        """Give the weights by row."""
        return dict(zip(map(tuple, self.faces.tolist()), self.weights.tolist(), strict=True))

    def joined(self, other: "Sequences") -> "Sequences":
        """Add sequences of the same length."""
        return Sequences(np.vstack([self.faces, other.faces]), np.append(self.weights, other.weights))

    def scaled(self, factor: float) -> "Sequences":
        """Multiply the weights."""
        return Sequences(self.faces, self.weights * factor)


@cache
def legal_sequences(length: int, jokers: int = 2) -> Sequences:
    """Give every valid meld of this length in the orders in which melds are laid; treat as read-only.

    Groups in any order and rising runs weigh 1, falling runs less. A run in disorder is valid too (RULEBOOK 3.7) but
    nobody lays one on purpose, so it is not favoured: it is not in the list.
    """
    rising = [[c * HIGHEST + s + k for k in range(length)] for c in range(4) for s in range(HIGHEST - length + 1)]
    plain = rising + _groups(length) if length >= LEAST_MELD else []
    falling = [row[::-1] for row in rising] if length >= LEAST_MELD else []
    weights = [1.0] * len(plain) + [FALLING] * len(falling)
    return _with_jokers(np.array(plain + falling, np.intp).reshape(-1, length), np.array(weights), jokers)


def legal_sums(beliefs: Array, jokers: int = 2) -> dict[int, Array]:
    """Sum the weights of `legal_sequences` under every stretch of a row of independent beliefs (n, 53).

    Gives by length (3 to 13) an array (n - length + 1,). Melds of five tiles and more are runs alone, and where two of
    their tiles are no jokers no two runs are the same row of faces: so they are counted tile by tile, not listed.
    """
    most = min(len(beliefs), HIGHEST)
    listed = [n for n in range(LEAST_MELD, most + 1) if n <= max(len(COLOURS), jokers + 1)]
    sums = {n: legal_sequences(n, jokers).in_windows(beliefs) for n in listed}
    rising, falling = _run_sums(beliefs, jokers, most), _run_sums(beliefs[::-1], jokers, most)
    return sums | {n: rising[n] + FALLING * falling[n][::-1] for n in range(LEAST_MELD, most + 1) if n not in sums}


def _run_sums(beliefs: Array, jokers: int, most: int) -> dict[int, Array]:
    """Sum the probabilities of all rising runs under every stretch, by their length up to `most`."""
    count = len(beliefs)
    numbered, joker = beliefs[:, :JOKER_INDEX].reshape(count, len(COLOURS), HIGHEST), beliefs[:, JOKER_INDEX]
    grown = np.zeros((count, len(COLOURS), HIGHEST, jokers + 1))
    grown[..., 0] = 1
    sums = {}
    for length in range(1, most + 1):
        starts, lowest, place = count - length + 1, HIGHEST - length + 1, length - 1
        before = grown[:starts, :, :lowest]
        grown = before * numbered[place:, :, place:, None]
        grown[..., 1:] += before[..., :-1] * joker[place:, None, None, None]
        sums[length] = np.asarray(grown.sum(axis=(1, 2, 3)))
    return sums


@cache
def legal_weights(length: int, jokers: int = 2) -> dict[tuple[int, ...], float]:
    """Give the weights of `legal_sequences` by row; treat as read-only."""
    return legal_sequences(length, jokers).by_row()


def _groups(length: int) -> list[list[int]]:
    if length > len(COLOURS):
        return []
    orders = list(permutations(range(len(COLOURS)), length))
    return [[c * HIGHEST + n for c in order] for n in range(HIGHEST) for order in orders]


def _with_jokers(faces: NDArray[np.intp], weights: Array, jokers: int) -> Sequences:
    """Put up to so many jokers at every place; the same row reached in two ways counts once."""
    length = faces.shape[1]
    found = []
    for count in range(min(jokers, length - 1) + 1):
        for places in combinations(range(length), count):
            found.append(faces.copy())
            found[-1][:, list(places)] = JOKER_INDEX
    rows, which = np.unique(np.concatenate(found), axis=0, return_inverse=True) if found else (faces, [])
    heaviest = np.zeros(len(rows))
    np.maximum.at(heaviest, np.asarray(which, np.intp).ravel(), np.tile(weights, len(found)))
    return Sequences(rows, heaviest)


@cache
def neighbours() -> Array:
    """Give (53, 53) of 0 and 1: which two faces may lie side by side in a valid meld."""
    found = np.zeros((FACE_COUNT, FACE_COUNT))
    for length in (LEAST_MELD, LEAST_MELD + 1):
        faces = legal_sequences(length).faces
        found[faces[:, :-1].ravel(), faces[:, 1:].ravel()] = 1
    return found
