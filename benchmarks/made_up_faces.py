"""Tables with faces that are hard to read, whose probabilities are right by construction.

Every face, lying either way up, has a place in a small space in which what looks alike is near: 1 and 7, 3 and 8, 12
and 13, red and orange, black and blue, and 6 upside down is 9 but for a mark. A look at a tile is its place plus noise
of a known size, so the probability of every face given the look is exact, and what a decoder promises can be checked.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.decode import Evidence
from vision.legal_rows import FACE_COUNT, JOKER_INDEX
from vision.rows import Layout

Array = NDArray[np.float64]

INKS = np.array([[0.0, 0.0], [2.2, 0.0], [0.0, 0.75], [2.2, 0.75]])
"""Black, red, blue, orange."""
NUMBERS = np.array(
    [[0, 0], [4, 0], [8, 0], [12, 0], [4, 4], [5.3, 4], [1, 0], [9, 0], [16, 4], [0, 8], [2, 8], [6, 8], [7, 8]], float
)
UPSIDE_DOWN = np.array(
    [
        [0.3, 0],
        [4.4, 0.5],
        [8, 20],
        [12, 20],
        [4, 24],
        [16, 4],
        [1, 20],
        [9, 0.4],
        [5.3, 4],
        [0, 28],
        [1, 8.5],
        [6, 28],
        [7, 28],
    ],
    float,
)
JOKER_AT = np.array([20.0, 12.0])


class Look(NamedTuple):
    """A made-up table: the true faces (n,), its rows, which of them are illegal, and what was seen of them."""

    faces: NDArray[np.intp]
    layout: Layout
    illegal: tuple[int, ...]
    evidence: Evidence


def places(mark: float) -> Array:
    """Give the places (2, 53, 5) of all faces lying either way up: number, ink, and a mark that tells the way up."""
    found = np.zeros((2, FACE_COUNT, 5))
    for way, numbers in enumerate((NUMBERS, UPSIDE_DOWN)):
        found[way, :JOKER_INDEX, :2] = np.tile(numbers, (4, 1))
        found[way, JOKER_INDEX, :2] = JOKER_AT + np.array([0, 20 * way])
        found[way, :JOKER_INDEX, 2:4] = np.repeat(INKS, 13, axis=0)
        found[way, JOKER_INDEX, 2:4] = INKS.mean(axis=0)
        found[way, :, 4] = mark * way
    return found


class Conditions(NamedTuple):
    """How hard the tiles are to read: the `mark` that tells the way up, the `noise`, and how many lie `turned`."""

    mark: float = 2.0
    noise: float = 1.0
    turned: float = 0.03


def look_at(faces: NDArray[np.intp], conditions: Conditions, rng: np.random.Generator) -> Evidence:
    """Look at tiles: most are clear, some blurred, a few hardly to be read."""
    where, turned = places(conditions.mark), conditions.turned
    noise = conditions.noise * rng.choice([0.22, 0.45, 0.8], size=len(faces), p=[0.85, 0.12, 0.03])
    ways = (rng.random(len(faces)) < turned).astype(int)
    seen = where[ways, faces] + noise[:, None] * rng.normal(size=(len(faces), 5))
    far = ((seen[:, None, None] - where) ** 2).sum(axis=3) / noise[:, None, None] ** 2
    likely = np.exp(-0.5 * (far - far.min(axis=(1, 2), keepdims=True)))
    return Evidence(likely / likely.sum(axis=(1, 2), keepdims=True), np.ones(len(faces)))


def legal_row(rng: np.random.Generator) -> list[int]:
    """Make a run of 3 to 7 or a group, at times with a joker."""
    if rng.random() < 0.5:
        length = int(rng.choice([3, 3, 4, 4, 5, 7]))
        first = int(rng.integers(13 - length + 1)) + 13 * int(rng.integers(4))
        row = list(range(first, first + length))
    else:
        number = int(rng.integers(13))
        row = [13 * int(colour) + number for colour in rng.permutation(4)[: rng.integers(3, 5)]]
    if rng.random() < 0.08:
        row[rng.integers(len(row))] = JOKER_INDEX
    return row


def spoiled(row: list[int], rng: np.random.Generator) -> list[int]:
    """Make a player's mistake of a meld: another ink, another number, or a tile too few."""
    place, kind = int(rng.integers(len(row))), int(rng.integers(3))
    if kind == 2 and len(row) == 3:
        return row[:place] + row[place + 1 :]
    if row[place] == JOKER_INDEX or kind == 2:
        return [*row, int(rng.integers(52))]
    colour, number = divmod(row[place], 13)
    if kind == 0:
        return [*row[:place], 13 * ((colour + int(rng.integers(1, 4))) % 4) + number, *row[place + 1 :]]
    return [*row[:place], 13 * colour + (number + int(rng.integers(1, 13))) % 13, *row[place + 1 :]]


def look_at_table(rng: np.random.Generator, conditions: Conditions, illegal: float = 0.05) -> Look:
    """Make a table of 10 to 106 tiles that a set can lay, with a share of rows that are illegal, and look at it."""
    left = np.full(FACE_COUNT, 2)
    rows: list[list[int]] = []
    wrong = []
    wanted = int(rng.integers(10, 101))
    for _ in range(400):
        row = legal_row(rng)
        bad = bool(rng.random() < illegal)
        row = spoiled(row, rng) if bad else row
        if (np.bincount(row, minlength=FACE_COUNT) <= left).all():
            left -= np.bincount(row, minlength=FACE_COUNT)
            wrong += [len(rows)] if bad else []
            rows.append(row)
        if sum(map(len, rows)) >= wanted:
            break
    starts = np.cumsum([0, *map(len, rows)])
    layout = Layout.of(range(a, b) for a, b in pairwise(starts))
    faces = np.concatenate([np.array(row, np.intp) for row in rows])
    return Look(faces, layout, tuple(wrong), look_at(faces, conditions, rng))
