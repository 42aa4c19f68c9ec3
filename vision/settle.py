"""When the table lies still, and since when: a state machine that is shown pictures made small and told their times.

The table lies still once some pictures in a row, over some time, agree with the first of them, and no hand reaches over
it. It has lain so since the moment of that first picture, however long it took to be sure (RULEBOOK 7.4).
"""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.hands import Cells, Mask, all_moved, cells_of, changed, covers_table

SETTLE_MS = 250
MOVED_SETTLE_MS = 600
ABSORBED_MS = 8000
"""What reaches in from the edge and has not stirred for so long is a thing on the table, no hand."""
_DARK = 8.0
_FLAT = 0.4
"""A picture whose levels differ by less, in every colour, is none: a plain table has at least a camera's noise."""
_FOLLOW = 0.03
_SMALLEST_MOVE = 3
_NO_MORE = 1.5
"""A hand that covers no more than so many times what it covered a picture before is about to touch what is there."""
_SLOWING_MS = 100
"""A hand slows down before it touches: so much later than the first of those two pictures."""
_FIRST_OF_MANY = 0.02
"""The first thing that was moved is at least so much of all that was; what is less may be a shadow."""
MOST_REACHES = 3000
"""Of so many pictures it is kept where they showed a hand: five minutes of them."""


class Rest(StrEnum):
    """How it stands with the table in the camera's picture."""

    MOVING = "moving"
    HAND = "hand"
    """A hand is over the table, moving or not."""
    SETTLING = "settling"
    STILL = "still"
    CAMERA_MOVED = "camera_moved"
    """Everything lies elsewhere in the picture, and has yet to come to rest."""
    TOO_DARK = "too_dark"


class Stillness(NamedTuple):
    """How it stands, and the moment since which the picture has been as it is now, in the program's milliseconds.

    `touched_ms`: when a hand first reached to where something lies otherwise than it did at the rest before; None where
    nothing does, or no hand was seen.
    """

    rest: Rest
    since_ms: int
    touched_ms: int | None = None


class _Reach(NamedTuple):
    """What a picture showed that the table at rest did not: its cells, packed eight to a byte."""

    at_ms: int
    new: NDArray[np.uint8]


@dataclass
class Settler:
    """Tells from one picture to the next how it stands with the table.

    `pictures`: so many agree, over `settle_ms` at least, before the table lies still. `area` masks the playing area.
    """

    settle_ms: int = SETTLE_MS
    pictures: int = 3
    area: Mask | None = None
    _first: Cells | None = None
    _since_ms: int = 0
    _agreeing: int = 0
    _resting: bool = False
    _touched_ms: int | None = None
    _grounds: deque[Cells] = field(default_factory=lambda: deque(maxlen=2))
    _reaches: deque[_Reach] = field(default_factory=lambda: deque(maxlen=MOST_REACHES))

    def look(self, small: Picture, at_ms: int) -> Stillness:
        """Take in a picture (h, w, 3) made small (`hands.small_of`), and the moment it was taken."""
        if float(small.mean()) < _DARK or float(small.std(axis=(0, 1)).max()) < _FLAT:
            self._first, self._resting = None, False
            return Stillness(Rest.TOO_DARK, at_ms)
        cells = cells_of(small)
        self._compare(cells, at_ms)
        return Stillness(self._rest(cells, at_ms), self._since_ms, self._touched_ms)

    def _compare(self, cells: Cells, at_ms: int) -> None:
        """Count the picture in with the ones before, or begin anew with it where something moved."""
        first = self._first
        if first is None or first.shape != cells.shape or self._moves(first, cells):
            self._first, self._since_ms, self._agreeing, self._resting = cells, at_ms, 1, False
            return
        self._agreeing += 1
        self._first = first + _FOLLOW * (cells - first)  # shadows creep, and are no move

    def _moves(self, first: Cells, cells: Cells) -> bool:
        return int(np.count_nonzero(self._inside(changed(first, cells)))) >= _SMALLEST_MOVE

    def _inside(self, new: Mask) -> Mask:
        return new if self.area is None or self.area.shape != new.shape else new & self.area

    def _rest(self, cells: Cells, at_ms: int) -> Rest:
        if self._resting:
            self._grounds[0] = cells
            return Rest.STILL
        seen = self._seen_over_grounds(cells, at_ms)
        passed = at_ms - self._since_ms
        if seen is Rest.HAND and passed < ABSORBED_MS:
            return Rest.HAND
        needed = MOVED_SETTLE_MS if seen is Rest.CAMERA_MOVED else self.settle_ms
        if self._agreeing >= self.pictures and passed >= needed:
            self._touched_ms = self._first_touch(at_ms)
            self._stand_on(cells, anew=seen is not None)
            self._resting = True
            return Rest.STILL
        if seen is Rest.CAMERA_MOVED:
            return seen
        return Rest.MOVING if self._agreeing == 1 else Rest.SETTLING

    def _seen_over_grounds(self, cells: Cells, at_ms: int) -> Rest | None:
        """Say what the picture shows that the table at rest does not; None where one of the last tables explains it."""
        found = None
        for ground in self._grounds:
            if ground.shape != cells.shape:
                continue
            new = self._inside(changed(ground, cells))
            if ground is self._grounds[0]:  # a hand, what it moves, what it has left
                self._reaches.append(_Reach(at_ms, np.packbits(new)))
            if all_moved(ground, cells):
                found = Rest.CAMERA_MOVED
            elif covers_table(new, self.area):
                return Rest.HAND
            else:
                return None
        return found

    def _first_touch(self, at_ms: int) -> int | None:
        """Say when a hand first reached to where the table lies otherwise in the picture of this moment than before.

        What is laid or taken there leaves the place changed from then on, under the hand and after it; a hand that
        passes by does not. And it has arrived when it covers hardly more of the place than a picture before.
        """
        if not self._reaches or self._reaches[-1].at_ms != at_ms:
            return None
        from_then_on = accumulate((reach.new for reach in reversed(self._reaches)), np.bitwise_and)
        met = [int(np.unpackbits(cells).sum()) for cells in from_then_on][::-1]
        least = max(_SMALLEST_MOVE, _FIRST_OF_MANY * met[-1])
        arriving = [(reach.at_ms, n) for reach, n in zip(self._reaches, met, strict=True) if n >= least]
        stops = (min(at + _SLOWING_MS, later) for (at, n), (later, m) in pairwise(arriving) if m <= _NO_MORE * n)
        return next(stops, arriving[0][0] if arriving else None)

    def _stand_on(self, cells: Cells, *, anew: bool) -> None:
        """Take the picture as the table at rest; the one before is kept where all is new, for it may come back."""
        self._reaches.clear()
        if not anew and self._grounds:
            self._grounds.popleft()
        self._grounds.appendleft(cells)
