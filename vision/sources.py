"""Where pictures come from while a game is played: a camera, a stream, a video file, a folder that is watched.

All give the newest picture only: a reader that takes its time never works through a queue of old ones.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import cv2

from vision.capture import Alike, Capture, decoded, frame_of, is_whole, quiet_opencv, taken
from vision.errors import CameraError, PictureError
from vision.exposure import Exposure
from vision.frames import PICTURE_SUFFIXES, Frame, load_picture, monotonic_ms, natural_order

POLL_S = 0.1
BROKEN_AFTER_S = 5.0
LOST_AFTER_S = 5.0
FROZEN_AFTER_S = 1.5
_USUAL_RATE = 25.0
_OPEN_TIMEOUT_MS = 8000
_WEBCAM_SIZE = (1920, 1080)
_STREAMS = ("rtsp://", "rtsps://", "http://", "https://", "rtmp://", "udp://")
log = logging.getLogger(__name__)

Clock = Callable[[], float]


class Source(Protocol):
    """A camera, or what stands for one."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come; the last picture stays."""
        ...

    @property
    def patient(self) -> bool:
        """Whether it is no matter how long no new picture comes: a folder gives one when somebody puts it there."""
        ...

    def newest(self, timeout_s: float) -> Frame | None:
        """Give the newest picture not given yet; None where none came in time.

        Raises:
            CameraError: the camera is lost.
        """
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


def open_source(text: str) -> Source:
    """Open what a user names: a camera's number or name, a video, a picture or a folder, an rtsp or http address.

    Raises:
        CameraError: there is no such thing, or it gives no picture; the message says what to do.
    """
    text, path = text.strip(), Path(text.strip()).expanduser()
    if text.isdecimal():
        return camera(int(text))
    if text.startswith(_STREAMS):
        return stream(text)
    if path.is_dir() or (path.is_file() and path.suffix.lower() in PICTURE_SUFFIXES):
        return WatchedPictures(path)
    return video(path) if path.is_file() else camera(_number_of(text))


class WatchedPictures:
    """A folder as a camera: its newest picture by name; one that is still being written is tried again.

    A single picture file is watched in the same way. Names are compared as people do: `look9.jpg` before `look10.jpg`.
    """

    ended = False
    patient = True

    def __init__(self, path: Path, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep) -> None:
        """Watch a folder or a file; the clock and sleep are given for tests."""
        self._path, self._clock, self._sleep = path, clock, sleep
        self._given: tuple[Path, int, int] | None = None
        self._broken: dict[tuple[Path, int, int], float] = {}
        self._number = 0

    def newest(self, timeout_s: float) -> Frame | None:
        """Give the newest picture where it is another one than before.

        Raises:
            CameraError: the folder is gone.
        """
        until = self._clock() + timeout_s
        while (frame := self._look()) is None and self._clock() < until:
            self._sleep(min(POLL_S, max(0.0, until - self._clock())))
        return frame

    def close(self) -> None:
        """Nothing is held open."""

    def _look(self) -> Frame | None:
        """Try the newest file; a broken one is passed over once it has not changed for a while."""
        for path in sorted(self._files(), key=natural_order, reverse=True):
            stamp = _stamp(path)
            if stamp is None or stamp == self._given:
                return None
            if self._clock() - self._broken.get(stamp, self._clock()) > BROKEN_AFTER_S:
                continue
            return self._load(path, stamp)
        return None

    def _load(self, path: Path, stamp: tuple[Path, int, int]) -> Frame | None:
        try:
            frame = load_picture(path, self._number)
        except PictureError as error:
            if stamp not in self._broken:
                log.info("not readable yet: %s", error)
            self._broken.setdefault(stamp, self._clock())
            return None
        self._given, self._number = stamp, self._number + 1
        self._broken.clear()
        return frame

    def _files(self) -> list[Path]:
        if self._path.is_file():
            return [self._path]
        try:
            return [path for path in self._path.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file()]
        except OSError as error:
            msg = f"the folder {self._path} is gone ({error.strerror}); put it back or choose another camera"
            raise CameraError(msg) from error


class Video:
    """A video file that plays at its own speed, whether or not somebody looks; its last picture stays."""

    patient = False

    def __init__(
        self, capture: Capture, name: str, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Play a capture; it starts with the first look."""
        self._capture, self._name, self._clock, self._sleep = capture, name, clock, sleep
        self._rate = _rate_of(capture)
        self._taken = 0
        self._start: float | None = None
        self.ended = False

    def newest(self, timeout_s: float) -> Frame | None:
        """Give the picture that is due now, waiting for the next one where it was given already."""
        if self._start is None:
            self._start = self._clock()
        due = self._start + self._taken / self._rate
        wait = due - self._clock()
        if self.ended or wait > timeout_s:
            self._sleep(timeout_s)
            return None
        if wait > 0:
            self._sleep(wait)
        return self._advance(self._start)

    def _advance(self, start: float) -> Frame | None:
        """Take all pictures up to the one that is due and decode that one alone."""
        wanted = int((self._clock() - start) * self._rate + 1e-6) + 1
        before = self._taken
        while self._taken < wanted and not self.ended:
            if self._capture.grab():
                self._taken += 1
            else:
                self.ended = True
        image = decoded(self._capture) if self._taken > before else None
        if image is None:
            return None
        passed = (self._clock() - start) * 1000 - (self._taken - 1) * 1000 / self._rate
        return frame_of(image, monotonic_ms() - max(0, round(passed)), self._taken - 1)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class LiveCamera:
    """A webcam or a stream: a thread of its own takes every picture, so that the newest is always at hand.

    Pictures that nobody waits for are taken, not decoded. A camera that gives one and the same picture again and again
    has frozen: real ones are never alike to the last bit. One that breaks off half-way is left out. A webcam is `held`
    to the exposure that it has found.
    """

    ended = False
    patient = False

    def __init__(self, capture: Capture, name: str, *, held: bool = False) -> None:
        """Start taking pictures."""
        self._capture, self._name = capture, name
        self._exposure = Exposure(capture) if held else None
        self._whole_s = time.monotonic()
        self._fresh = threading.Condition()
        self._wanted = threading.Event()
        self._frame: Frame | None = None
        self._error: CameraError | None = None
        self._closing = threading.Event()
        self._alike = Alike()
        self._thread = threading.Thread(target=self._take_all, name=f"camera {name}", daemon=True)
        self._thread.start()

    def newest(self, timeout_s: float) -> Frame | None:
        """Give the newest picture not given yet, waiting for one if need be.

        Raises:
            CameraError: the camera is gone, or its picture has frozen.
        """
        with self._fresh:
            self._wanted.set()
            self._fresh.wait_for(lambda: self._frame is not None or self._error is not None, timeout_s)
            frame, self._frame = self._frame, None
            if frame is None and self._error is not None:
                raise CameraError(str(self._error)) from self._error
            return frame

    def close(self) -> None:
        """Stop taking pictures and let the camera go."""
        self._closing.set()
        self._thread.join(LOST_AFTER_S)

    def _take_all(self) -> None:
        number, last = 0, time.monotonic()
        while not self._closing.is_set() and time.monotonic() - last < LOST_AFTER_S:
            if not taken(self._capture):
                self._closing.wait(POLL_S)
                continue
            last = time.monotonic()
            trouble = self._hand_over(number) if self._wanted.is_set() else ""
            if trouble:
                self._fail(trouble)
                break
            number += 1
        if self._exposure:
            self._exposure.let_go()
        self._capture.release()
        if not self._closing.is_set():
            self._fail("gives no more pictures")

    def _hand_over(self, number: int) -> str:
        """Decode the picture taken last for whoever waits; says what is wrong with the camera, if anything is."""
        captured_ms = monotonic_ms()
        image = decoded(self._capture)
        if image is None or not is_whole(image):
            broken_for = time.monotonic() - self._whole_s
            return "gives broken pictures" if image is not None and broken_for > BROKEN_AFTER_S else ""
        self._whole_s = time.monotonic()
        if self._alike.for_s(image, captured_ms) > FROZEN_AFTER_S:
            return "gives the same picture again and again"
        if self._exposure:
            self._exposure.mind(image, captured_ms)
        with self._fresh:
            self._wanted.clear()
            self._frame = frame_of(image, captured_ms, number)
            self._fresh.notify_all()
        return ""

    def _fail(self, how: str) -> None:
        with self._fresh:
            msg = f"{self._name} {how}; check its cable or network, then it is opened again"
            self._error = self._error or CameraError(msg)
            self._fresh.notify_all()


def camera(number: int) -> LiveCamera:
    """Open a webcam by its number.

    Raises:
        CameraError: there is none, or another program holds it.
    """
    with quiet_opencv():
        capture = cv2.VideoCapture(number)
    if not capture.isOpened():
        msg = f"camera {number} cannot be opened; {_advice()}"
        raise CameraError(msg)
    for prop, length in zip((cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT), _WEBCAM_SIZE, strict=True):
        capture.set(prop, length)
    return LiveCamera(capture, f"camera {number}", held=True)


def stream(address: str) -> LiveCamera:
    """Open an rtsp or http address.

    Raises:
        CameraError: nothing answers there.
    """
    timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _OPEN_TIMEOUT_MS]
    with quiet_opencv():
        capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, timeouts)
    if not capture.isOpened():
        msg = f"the stream {address} gives no picture; check the address, the password and that the camera is on"
        raise CameraError(msg)
    return LiveCamera(capture, f"the stream {address}")


def video(path: Path) -> Video:
    """Open a video file, to be played at its own speed.

    Raises:
        CameraError: it is no video.
    """
    return Video(open_video(path), str(path))


def open_video(path: Path) -> Capture:
    """Open a video file.

    Raises:
        CameraError: it is no video.
    """
    with quiet_opencv():
        capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        msg = f"{path} is no video that can be played; give a video, a folder of pictures or a camera's number"
        raise CameraError(msg)
    return capture


def video_pictures(capture: Capture) -> Iterator[Frame]:
    """Give every picture of a video, each at its own moment from 0 on, as fast as they are asked for."""
    rate = _rate_of(capture)
    number = 0
    while capture.grab():
        image = decoded(capture)
        if image is not None:
            yield frame_of(image, round(1000 * number / rate), number)
        number += 1
    capture.release()


def _rate_of(capture: Capture) -> float:
    rate = capture.get(cv2.CAP_PROP_FPS)
    return rate if 1 <= rate <= 1000 else _USUAL_RATE


def camera_names() -> dict[str, int]:
    """Give the names of the cameras with their numbers, where the system tells them (Linux does)."""
    found: dict[str, int] = {}
    for entry in sorted(Path("/sys/class/video4linux").glob("video*"), key=natural_order):
        try:
            name = (entry / "name").read_text(encoding="utf-8").strip()
        except OSError:
            continue
        found.setdefault(name, int(entry.name.removeprefix("video")))
    return found


def _number_of(name: str) -> int:
    """Find a camera by its name, upper or lower case, or a part of it.

    Raises:
        CameraError: there is none of that name, nor a file or folder.
    """
    numbers = [number for known, number in camera_names().items() if name and name.lower() in known.lower()]
    if not numbers:
        msg = f"{name!r} is no folder, video, address or camera; {_advice()}"
        raise CameraError(msg)
    return numbers[0]


def _advice() -> str:
    known = ", ".join(f"{number} ({name})" for name, number in camera_names().items())
    if known:
        return f"cameras here: {known}; close other programs that use it"
    return "no camera is known here; plug one in, or give its number (0 is the first), a folder, a video or an address"


def _stamp(path: Path) -> tuple[Path, int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return path, state.st_mtime_ns, state.st_size
