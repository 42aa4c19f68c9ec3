"""What the camera last gave, as the pages need it; the live thread fills it, requests only read it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from referee.table import SeenTile, TableReading
from referee.verdict import Verdict

Picture = Any
"""A picture as OpenCV has it: uint8 BGR, (height, width, 3). This module never looks into it."""


class Camera(StrEnum):
    """How it stands with the camera."""

    NONE = "none"
    STARTING = "starting"
    MOVING = "moving"
    HAND = "hand"
    SETTLING = "settling"
    STILL = "still"
    CAMERA_MOVED = "camera_moved"
    TOO_DARK = "too_dark"
    LOST = "lost"
    ENDED = "ended"
    TROUBLE = "trouble"


@dataclass(frozen=True)
class Sight:
    """One moment of the camera: `number` counts the pictures shown, `reading` and `verdict` are of the last one read.

    `verdict` is what it would be now; `why` a sentence on what is wrong with the camera, empty where nothing is.
    """

    camera: Camera = Camera.NONE
    number: int = 0
    reading: TableReading | None = None
    verdict: Verdict | None = None
    why: str = ""


@dataclass
class Feed:
    """The newest sight and its pictures: the newest of all, and the last one that was read.

    Whoever asks for a picture pays for drawing it, once for each picture.

    `draw` makes a JPEG of a picture, with the reading drawn into it where there is one, and what a verdict says of it;
    `cut` one of a single tile.
    """

    draw: Callable[[Picture, TableReading | None, Verdict | None], bytes]
    cut: Callable[[Picture, SeenTile], bytes] | None = None
    sight: Sight = field(default_factory=Sight)
    _newest: Picture = None
    _read: Picture = None
    _drawn: dict[bool, tuple[int, Verdict | None, bytes]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def show(self, picture: Picture, reading: TableReading, verdict: Verdict | None) -> None:
        """Take a picture that was read."""
        with self._lock:
            self._newest = self._read = picture
            self.sight = replace(self.sight, number=self.sight.number + 1, reading=reading, verdict=verdict)

    def glance(self, picture: Picture) -> None:
        """Take a picture that was not read: hands over the table, say."""
        with self._lock:
            self._newest = picture
            self.sight = replace(self.sight, number=self.sight.number + 1)

    def turn(self, camera: Camera, why: str = "") -> bool:
        """Take a new state of the camera; tells whether it is another one."""
        with self._lock:
            changed = (camera, why) != (self.sight.camera, self.sight.why)
            self.sight = replace(self.sight, camera=camera, why=why)
            return changed

    @property
    def picture(self) -> Picture:
        """The newest picture, None before the first."""
        return self._newest

    @property
    def read_picture(self) -> Picture:
        """The last picture that was read, None before the first."""
        return self._read

    def jpeg(self, *, overlay: bool, verdict: Verdict | None = None) -> bytes | None:
        """Give the newest picture as a JPEG, None before the first; where it was read, with what was read and judged.

        Without `overlay` it is bare in any case.
        """
        with self._lock:
            picture, sight = self._newest, self.sight
            reading = sight.reading if overlay and picture is self._read else None
            number, drawn_for, drawn = self._drawn.get(overlay, (0, None, b""))
        if picture is None:
            return None
        if number != sight.number or drawn_for is not verdict:
            drawn = self.draw(picture, reading, verdict if reading else None)
            self._drawn[overlay] = (sight.number, verdict, drawn)
        return drawn

    def read_jpeg(self, verdict: Verdict | None = None) -> bytes | None:
        """Give the last picture that was read, with what was read and judged; None before the first."""
        with self._lock:
            picture, reading = self._read, self.sight.reading
        return None if picture is None else self.draw(picture, reading, verdict)

    def tile_jpeg(self, index: int) -> bytes | None:
        """Give one tile of the newest reading as a JPEG; None where there is none of that index."""
        with self._lock:
            picture, reading = self._read, self.sight.reading
        if picture is None or reading is None or self.cut is None or not 0 <= index < len(reading.tiles):
            return None
        return self.cut(picture, reading.tiles[index])
