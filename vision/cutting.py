"""Unbroken rows that are several melds (RULEBOOK 3.8): gaps first, then what the tiles say."""

import numpy as np

from vision.legal_rows import LEAST_MELD, Array, neighbours
from vision.row_belief import RowPrior

_LEAST_ODDS = 1e-9
_HARDLY_ANY_GAIN = 0.05


def pieces(faces: Array, partings: Array, prior: RowPrior) -> list[range]:
    """Cut a row where that makes it most probable.

    A cut has the odds that melds part at its gap, but never less than `touching`; a piece gains by being valid, and a
    cut loses that again where the tiles on both sides of it go together, for one long run is as good as two. A dynamic
    programme over the places of cuts finds the best ones; a piece that holds two tiles that no meld has side by side
    gains nothing.

    Args:
        faces: (n, 53) what each tile may be.
        partings: (n - 1,) odds that melds part between the tiles (`vision.spacing`).
        prior: what rows are favoured.
    """
    count = len(faces)
    floor = max(prior.preference.touching, _LEAST_ODDS)
    if count == 1 or (max(partings) <= floor and count < 2 * LEAST_MELD):
        return [range(count)]
    gains = np.log(prior.gains(faces))
    together = [gains[max(k - 2, 0), min(k + 2, count)] for k in range(1, count)]
    costs = np.append(0.0, np.log(np.maximum(partings, floor)) - together)
    broken = np.einsum("if,fg,ig->i", faces[:-1], neighbours(), faces[1:]) * prior.preference.legal < _HARDLY_ANY_GAIN
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, count + 1):
        whole = [0.0 if broken[s : end - 1].any() else gains[s, end] for s in range(end)]
        best.append(max((best[start][0] + whole[start] + costs[start], -start) for start in range(end)))
    return _walk_back(best)


def _walk_back(best: list[tuple[float, int]]) -> list[range]:
    """Read the pieces out of the best score of each beginning and the start, negative, of its last piece."""
    found, end = [], len(best) - 1
    while end > 0:
        found.append(range(-best[end][1], end))
        end = -best[end][1]
    return found[::-1]
