"""One picture after the other out of OpenCV: taken, and decoded only where somebody wants it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import cv2
import numpy as np

from vision.frames import Frame, Picture

_SAMPLED = 8
_SHOWS_NOTHING = 8
_BROKEN_OFF, _ROWS = 0.12, 4
"""A picture that broke off lacks this share of its rows, or more; every so many of them are looked at."""
_GREEN, _GREY, _NO_MORE_THAN_CODING = 60, 128, 4
"""What is filled in: chroma 0 (green) or 128 (grey), the same to a few levels; a camera's own noise is more."""
log = logging.getLogger(__name__)


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def grab(self) -> bool:
        """Take the next picture without decoding it."""
        ...

    def retrieve(self) -> tuple[bool, Any]:
        """Decode the picture taken last."""
        ...

    def get(self, prop: int) -> float:
        """Give a property."""
        ...

    def set(self, prop: int, value: float) -> bool:
        """Set a property; False where that cannot be."""
        ...

    def release(self) -> None:
        """Let go."""
        ...


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """Keep OpenCV from writing its own complaints: ours says what is wrong in one line."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)


def taken(capture: Capture) -> bool:
    """Take the next picture; a driver that fails has missed one."""
    try:
        return capture.grab()
    except cv2.error as error:
        log.info("a picture was lost: %s", error)
        return False


def decoded(capture: Capture) -> Picture | None:
    """Decode the picture taken last; None where that fails."""
    try:
        done, image = capture.retrieve()
    except cv2.error as error:
        log.info("a picture was lost: %s", error)
        return None
    return image if done else None


def frame_of(image: Picture, captured_ms: int, number: int) -> Frame:
    """Make a frame of a picture in full size."""
    return Frame(image, (image.shape[1], image.shape[0]), captured_ms, number)


def is_whole(picture: Picture) -> bool:
    """Tell whether a picture (h, w, 3) came whole: of one that broke off, a decoder fills the rest green or grey."""
    rows = picture[-max(1, int(len(picture) * _BROKEN_OFF)) :: _ROWS, ::_SAMPLED].reshape(-1, 3).astype(int)
    if int(np.ptp(rows, axis=0).max()) > _NO_MORE_THAN_CODING:
        return True
    blue, green, red = rows.mean(axis=0)
    is_green = green > _GREEN and max(blue, red) < green / 3
    is_grey = max(abs(blue - _GREY), abs(green - _GREY), abs(red - _GREY)) < _NO_MORE_THAN_CODING
    return not (is_green or is_grey)


class Alike:
    """Tells for how long a camera has given the very same picture; one that shows nothing may be any."""

    def __init__(self) -> None:
        self._sample, self._since_ms = b"", 0

    def for_s(self, image: Picture, now_ms: int) -> float:
        """Take in a picture; give for how many seconds it has been the same."""
        few = image[::_SAMPLED, ::_SAMPLED]
        sample = few.tobytes()
        if sample != self._sample or int(few.max()) - int(few.min()) < _SHOWS_NOTHING:
            self._sample, self._since_ms = sample, now_ms
        return (now_ms - self._since_ms) / 1000
