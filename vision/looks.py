"""Several looks at one thing: a tile that lies still in many pictures; rows that read the same before and after a turn.

What pictures say of one tile is joined by adding log-probabilities, but not as if all noise were independent: the
same print in the same light misleads twice. `SHARED` is the part of it that is taken to be the same between two
pictures, `SHARED_STILL` between two of one camera, one after the other: n looks then count as n / (1 + (n - 1) shared).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.table import Choice, Row, SeenTile, TableReading
from referee.tiles import Tile
from vision.faces import Faces

SHARED = 0.5
SHARED_STILL = 0.7
_FLOOR = 1e-4
_LEAST = 1e-6
_LEAST_CHOICE = 0.0005


def seen_twice(one: TableReading, other: TableReading) -> TableReading:
    """Give the first reading with its tiles made surer where a row of the second reads the same."""
    tiles = list(one.tiles)
    for mine, yours in _same_rows(one, other):
        for i, j in zip(mine, yours, strict=True):
            tiles[i] = _joined(one.tiles[i], other.tiles[j])
    return replace(one, tiles=tuple(tiles))


def _same_rows(one: TableReading, other: TableReading) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pair rows that read the same, each at most once."""
    left = list(other.melds)
    for row in one.melds:
        read = _read(one, row)
        match = next((candidate for candidate in left if read and _read(other, candidate) == read), None)
        if match:
            left.remove(match)
            yield row, match


def _read(reading: TableReading, row: tuple[int, ...]) -> Row:
    """The tiles of a row; none where one of them cannot be read."""
    said = [reading.tiles[i].best for i in row]
    return tuple(tile for tile in said if tile) if all(said) else ()


def _joined(one: SeenTile, other: SeenTile) -> SeenTile:
    weight = 1 - SHARED / 2
    first, second = _chances(one), _chances(other)
    product = {t: (first.get(t, _FLOOR) * second.get(t, _FLOOR)) ** weight for t in {*first, *second}}
    presence = 1 - ((1 - one.presence) * (1 - other.presence)) ** weight
    total = sum(product.values())
    ranked = sorted(product.items(), key=lambda item: -item[1])
    choices = (Choice(tile, presence * chance / total) for tile, chance in ranked)
    return replace(one, choices=tuple(c for c in choices if c.probability >= _LEAST_CHOICE), presence=presence)


def _chances(tile: SeenTile) -> dict[Tile, float]:
    return {choice.tile: choice.probability for choice in tile.choices}


def joined_faces(known: Faces, new: Faces, looks: NDArray[np.int64]) -> Faces:
    """Join what is known of n tiles from so many looks (n,) each with one more look at each."""
    before, now = _with_no_face(known), _with_no_face(new)
    mean = (np.log(before) * (looks / _worth(looks))[:, None, None] + np.log(now)) / (looks + 1)[:, None, None]
    told = mean * _worth(looks + 1)[:, None, None]
    joint = np.exp(told - told.max(axis=(1, 2), keepdims=True))
    joint /= joint.sum(axis=(1, 2), keepdims=True)
    ways = joint.sum(axis=2)
    given = joint[:, :, :-1] / np.maximum(ways, np.finfo(float).tiny)[:, :, None]
    return Faces(ways.astype(np.float32), given.astype(np.float32))


def _worth(looks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give how many independent looks so many are worth."""
    return looks / (1 + (looks - 1) * SHARED_STILL)


def _with_no_face(faces: Faces) -> NDArray[np.float64]:
    """Give (n, 2, 54): the probability of each way up with each face, and with none that can be read."""
    given = faces.given_way.astype(float)
    none = np.clip(1 - given.sum(axis=2, keepdims=True), 0, 1)
    joint: NDArray[np.float64] = faces.ways[:, :, None] * np.concatenate([given, none], axis=2)
    return np.maximum(joint, _LEAST)
