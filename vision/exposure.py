"""A webcam's own adjustments: found by itself, then held, so that a hand in the picture does not change the light.

A camera that goes on adjusting makes every sleeve a change of light. So it may adjust for a moment, and is then told to
keep its exposure, white balance and focus as they are, as far as its driver can; where the room becomes much brighter
or darker it may adjust again. Let go, it adjusts by itself as before.
"""

from typing import NamedTuple, Protocol

import cv2
import numpy as np

from vision.frames import Picture

ADJUSTING_MS = 3000
"""So long a camera may adjust before it is held."""
TOO_LONG_MS = 3000
"""So long the room may be much brighter or darker before it may adjust again: an arm is not there for so long."""
_BRIGHTER = 1.6
_SAMPLED = 16
_HELD_EXPOSURE = {3.0: 1.0, 0.75: 0.25}
"""What drivers call exposure by themselves, and what a kept one (V4L2; DirectShow)."""


class Controls(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def get(self, prop: int) -> float:
        """Give a property; 0 or -1 where there is none."""
        ...

    def set(self, prop: int, value: float) -> bool:
        """Set a property; False where that cannot be."""
        ...


class _Held(NamedTuple):
    """A property that was changed, and its value before."""

    prop: int
    before: float


class Exposure:
    """Holds what a camera has found; tell it of every picture that is looked at, and let go in the end."""

    def __init__(self, controls: Controls) -> None:
        """Take a camera that has just been opened."""
        self._controls = controls
        self._held: list[_Held] | None = None
        self._since_ms: int | None = None
        self._level = 0.0

    def mind(self, picture: Picture, at_ms: int) -> None:
        """Take in a picture (h, w, 3) and the moment it was taken, in milliseconds."""
        level = float(np.median(picture[::_SAMPLED, ::_SAMPLED])) + 1
        if self._held is not None and 1 / _BRIGHTER < level / self._level < _BRIGHTER:
            self._since_ms = None
            return
        self._since_ms = at_ms if self._since_ms is None else self._since_ms
        passed = at_ms - self._since_ms
        if self._held is None and passed >= ADJUSTING_MS:
            self._hold(level)
        elif self._held is not None and passed >= TOO_LONG_MS:
            self.let_go()

    def let_go(self) -> None:
        """Let the camera adjust by itself again."""
        for held in self._held or ():
            self._controls.set(held.prop, held.before)
        self._held = self._since_ms = None

    def _hold(self, level: float) -> None:
        self._held, self._since_ms, self._level = [], None, level
        kept = _HELD_EXPOSURE.get(self._controls.get(cv2.CAP_PROP_AUTO_EXPOSURE))
        if kept is not None:
            self._keep(cv2.CAP_PROP_AUTO_EXPOSURE, kept, cv2.CAP_PROP_EXPOSURE)
        for automatic, found in (
            (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE),
            (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS),
        ):
            if self._controls.get(automatic) == 1:
                self._keep(automatic, 0, found)

    def _keep(self, automatic: int, kept: float, found: int) -> None:
        """Switch an adjustment off, and keep the value that it has found."""
        before, value = self._controls.get(automatic), self._controls.get(found)
        if self._controls.set(automatic, kept) and self._held is not None:
            self._held.append(_Held(automatic, before))
            self._controls.set(found, value)
