"""A line of tiles read as a row from 1 to 13, with tiles missing here and there, and jokers among them.

Which tile has which number is found by dynamic programming: numbers rise along the line, each tile fits its number as
well as it reads so, and a number is left out rather where there is a gap. Both directions are tried, and both ways up.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.lines import Line
from vision.specimens import JOKER, NUMBERS

Array = NDArray[np.float64]
_LEAST_NUMBER, _LEAST_JOKER = 0.004, 0.015
_SKIP, _GAP = 0.8, 2.0
_MOST_FOR_A_GAP = 4.0
_FALLING = 3.0
"""A row laid from 13 to 1 is less likely by this much, in natural logarithms."""
_LEAST_FIT = -2.5
"""A line whose tiles fit their numbers worse than this on average is no row."""


@dataclass(frozen=True)
class Rising:
    """How a line is read: places of tiles with their numbers, places of jokers, and which tiles must be half-turned.

    `score`: how well it fits, a natural logarithm.
    """

    numbered: tuple[tuple[int, int], ...] = ()
    jokers: tuple[int, ...] = ()
    turned: dict[int, bool] = field(default_factory=dict)
    score: float = -np.inf


def rising(line: Line, numbers: Array) -> Rising:
    """Read a line; the empty reading where it is no row.

    Args:
        line: its tiles in the order they lie, and the gaps between them.
        numbers: (n, 2, 15) probabilities of the classes of numbers of all n tiles, for both ways up.
    """
    return max(
        (_read(line, numbers, over=over, falling=f) for over in (False, True) for f in (False, True)), key=_score
    )


def _score(reading: Rising) -> float:
    return reading.score


def _read(line: Line, numbers: Array, *, over: bool, falling: bool) -> Rising:
    """Read a line one way: `over` as seen from its other side, `falling` from its end to its beginning."""
    backward = over != falling
    tiles, gaps = (line.tiles[::-1], line.gaps[::-1]) if backward else (line.tiles, line.gaps)
    turned = {tile: bool(way) != over for tile, way in zip(line.tiles, line.turned, strict=True)}
    said = np.array([numbers[tile, int(turned[tile])] for tile in tiles])
    score, labels = _best_path(said, gaps)
    if score / len(tiles) < _LEAST_FIT:
        return Rising()
    numbered = tuple((tile, label + 1) for tile, label in zip(tiles, labels, strict=True) if label != JOKER)
    jokers = tuple(tile for tile, label in zip(tiles, labels, strict=True) if label == JOKER)
    return Rising(numbered, jokers, turned, score - _FALLING * falling)


def _best_path(said: Array, gaps: tuple[float, ...]) -> tuple[float, list[int]]:
    """Label tiles (k, 15) with rising numbers (0 to 12) or the joker: the best score, and the labels.

    The state is the last number so far, 0 for none: column m of `score` stands for number m.
    """
    fit = np.log(np.maximum(said[:, :NUMBERS], _LEAST_NUMBER))
    joker = np.log(np.maximum(said[:, JOKER], _LEAST_JOKER))
    score = np.append(0.0, np.full(NUMBERS, -np.inf))
    back: list[NDArray[np.intp]] = []
    for place, (numbers, wild) in enumerate(zip(fit, joker, strict=True)):
        step = score[:, None] + _steps(gaps[place - 1] if place else None)
        came = step.argmax(0)
        as_number = np.append(-np.inf, step.max(0)[1:] + numbers)
        as_joker = score + wild
        back.append(np.where(as_joker >= as_number, -1, came))
        score = np.maximum(as_joker, as_number)
    return float(score.max()), _labels(back, int(score.argmax()))


def _labels(back: list[NDArray[np.intp]], state: int) -> list[int]:
    labels = []
    for came in reversed(back):
        if came[state] < 0:
            labels.append(JOKER)
        else:
            labels.append(state - 1)
            state = int(came[state])
    return labels[::-1]


def _steps(gap: float | None) -> Array:
    """Give what it costs to go from each last number (14, 0 for none) to each next (14), as a logarithm."""
    cost = np.full((NUMBERS + 1, NUMBERS + 1), -np.inf)
    for last in range(NUMBERS + 1):
        for new in range(last + 1, NUMBERS + 1):
            left_out = new - last - 1
            unlike = 0.0 if gap is None or last == 0 else _GAP * abs(gap - left_out)
            cost[last, new] = -_SKIP * left_out * (last > 0) - min(unlike, _MOST_FOR_A_GAP)
    return cost
