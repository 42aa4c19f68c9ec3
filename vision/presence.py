"""How surely a tile lies face up where one was found.

The aligner says whether the place looks like a tile, the reader how surely it shows one face; and what lies in line
with a sure tile, side by side with it, is hardly ever anything but the next tile of the row. The weights are a logistic
regression over the places found in 150 rendered tables with clutter (10,000 tiles; docs/vision.md), taking it that in a
house there is a third of that clutter.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.patches import Quads

LEAST_PRESENCE = 0.3
"""What is there with less than this is taken for no tile."""
FIRM_PRESENCE = 0.98
"""What is there with more than this is a tile for sure."""
_LOOKS, _READS, _BESIDE, _CLUTTER = 0.73, 0.71, 0.8, -0.1
_ILLEGIBLE, _MANY = 0.35, 4.0
"""A table-top that shows many places with no face that can be read, alone, shows no tile in them."""
_MOST = 10.0
_SURE, _SURELY_READ = 0.99, 0.9
_PITCH, _ASIDE, _ASKEW = (0.85, 1.25), 0.35, 0.35
"""Neighbours in a row: how far apart along it, how far aside, and how unlike their sides may be, in tile sides."""

Chances = NDArray[np.float64]


class _Sides(NamedTuple):
    """The middles (n, 2) of quads, and what they span across and down (n, 2)."""

    middles: Chances
    across: Chances
    down: Chances

    @classmethod
    def of(cls, quads: Quads) -> "_Sides":
        a, b, c, d = np.moveaxis(np.asarray(quads, float), 1, 0)
        return cls((a + b + c + d) / 4, (b - a + c - d) / 2, (d - a + c - b) / 2)


def presence(up: NDArray[np.floating], surest: NDArray[np.floating], quads: Quads) -> NDArray[np.float32]:
    """Give the probabilities (n,) that there are tiles face up.

    Args:
        up: what the aligner says of that (n,).
        surest: the probability of the face that it most probably is, says the reader (n,).
        quads: the places (n, 4, 2) in pixels.
    """
    beside = beside_sure(up, surest, quads)
    empty = (surest < _ILLEGIBLE) & ~beside
    odds = _LOOKS * log_odds(up) + _READS * log_odds(surest) + _BESIDE * beside + _CLUTTER
    odds -= np.log1p(empty.sum() / _MANY) * empty
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def beside_sure(up: NDArray[np.floating], surest: NDArray[np.floating], quads: Quads) -> NDArray[np.bool_]:
    """Say which places (n,) lie in line with a sure tile, side by side with it; arguments as for `presence`."""
    return _beside(quads, (up > _SURE) & (surest > _SURELY_READ))


def log_odds(chances: NDArray[np.floating]) -> Chances:
    """Give log-odds, held within what networks can know."""
    held = np.clip(np.asarray(chances, float), 1e-9, 1 - 1e-9)
    return np.asarray(np.clip(np.log(held / (1 - held)), -_MOST, _MOST))


def _beside(quads: Quads, sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say which quads (n, 4, 2) lie side by side with a sure one, in line with it."""
    all_, mine = _Sides.of(quads), _Sides.of(quads[sure])
    into = np.linalg.pinv(np.stack([mine.across, mine.down], axis=2))
    along, aside = np.einsum("kij,nkj->ink", into, all_.middles[:, None] - mine.middles)
    across, down = (np.einsum("kij,nj->nki", into, side) for side in (all_.across, all_.down))
    unlike = [np.abs(across - way * np.array([1, 0])).max(2) + np.abs(down - way * np.array([0, 1])).max(2)
              for way in (1, -1)]  # fmt: skip
    near, far = _PITCH
    next_to = (np.abs(along) > near) & (np.abs(along) < far) & (np.abs(aside) < _ASIDE)
    found: NDArray[np.bool_] = (next_to & (np.minimum(*unlike) < _ASKEW)).any(axis=1)
    return found
