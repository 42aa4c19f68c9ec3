"""Unbroken rows that are several melds (RULEBOOK 3.8): gaps first, then what the tiles say."""

import numpy as np

from vision.legal_rows import LEAST_MELD, Array, neighbours
from vision.row_belief import Preference, RowPrior

_AS_NEAR, _FAR = 0.05, 0.35
_HARDLY_ANY_GAIN = 0.05


def pieces(faces: Array, gaps: Array, prior: RowPrior) -> list[range]:
    """Cut a row where that makes it most probable.

    A cut costs `cut_touching` to `cut_apart`, as far apart as the tiles lie there; a piece gains by being valid. A
    dynamic programme over the places of cuts finds the best ones; a piece that holds two tiles that no meld has side by
    side gains nothing, so few pieces are weighed.

    Args:
        faces: (n, 53) what each tile may be.
        gaps: (n - 1,) between the tiles, in widths.
        prior: what rows are favoured.
    """
    count = len(faces)
    if count <= LEAST_MELD or _gain(faces, prior) > prior.preference.legal / 2:
        return [range(count)]
    costs = np.append(0.0, np.log(_cut_odds(gaps, prior.preference)))
    broken = np.einsum("if,fg,ig->i", faces[:-1], neighbours(), faces[1:]) * prior.preference.legal < _HARDLY_ANY_GAIN
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, count + 1):
        gains = [0.0 if broken[s : end - 1].any() else np.log(_gain(faces[s:end], prior)) for s in range(end)]
        best.append(max((best[start][0] + gains[start] + costs[start], -start) for start in range(end)))
    return _walk_back(best)


def _gain(faces: Array, prior: RowPrior) -> float:
    """Say how much more probable a row of tiles (length, 53) is by that it may be favoured; 1 for nothing gained."""
    return 1 + float(prior.favoured(len(faces)).under(faces).weights.sum())


def _cut_odds(gaps: Array, preference: Preference) -> Array:
    usual = np.quantile(gaps, 0.25, method="lower")
    apart = np.clip((gaps - usual - _AS_NEAR) / (_FAR - _AS_NEAR), 0, 1)
    odds: Array = preference.cut_touching ** (1 - apart) * preference.cut_apart**apart
    return odds


def _walk_back(best: list[tuple[float, int]]) -> list[range]:
    """Read the pieces out of the best score of each beginning and the start, negative, of its last piece."""
    found, end = [], len(best) - 1
    while end > 0:
        found.append(range(-best[end][1], end))
        end = -best[end][1]
    return found[::-1]
