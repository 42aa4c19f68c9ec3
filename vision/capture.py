"""One picture after the other out of OpenCV: taken, and decoded only where somebody wants it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import cv2

from vision.frames import Frame, Picture

_SAMPLED = 8
_SHOWS_NOTHING = 8
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
