"""Pictures, as files bring them: rotated as EXIF says, very large ones decoded reduced, broken ones refused.

Live sources (cameras, streams, videos, watched folders) are in `vision.sources`.
"""

import re
import struct
import time
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.table import Table, TableReading
from vision.errors import PictureError

LARGEST_SIDE = 2500
"""Pictures with a longer side than this are made smaller, in pixels; a table then has more than enough of them."""
_FINE_SIDE = 2000
PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
_REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
_REDUCED[8] = cv2.IMREAD_REDUCED_COLOR_8

Picture = NDArray[np.uint8]


class JudgedPicture(NamedTuple):
    """A picture (h, w, 3), what was read in it, and the table that it was judged to be."""

    picture: Picture
    reading: TableReading
    table: Table


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture. `image`: uint8 BGR (h, w, 3), perhaps smaller than the original, whose size is `full_size` (w, h).

    `captured_ms`: when it was taken, on the program's monotonic clock. `number` counts the pictures of its source,
    from 0.
    """

    image: Picture
    full_size: tuple[int, int]
    captured_ms: int = 0
    number: int = 0

    @property
    def scale(self) -> tuple[float, float]:
        """How many pixels of the original one pixel of `image` stands for, across and down."""
        height, width = self.image.shape[:2]
        return self.full_size[0] / width, self.full_size[1] / height

    def to_full(self, points: ArrayLike) -> NDArray[np.float64]:
        """Bring points (..., 2) in pixels of `image` to pixels of the original (with its EXIF rotation applied)."""
        return (np.asarray(points, float) + 0.5) * self.scale - 0.5

    def from_full(self, points: ArrayLike) -> NDArray[np.float64]:
        """Bring points (..., 2) in pixels of the original to pixels of `image`."""
        return (np.asarray(points, float) + 0.5) / self.scale - 0.5


class Header(NamedTuple):
    """What a file says of its picture before it is decoded: width and height, and whether its end is there."""

    width: int
    height: int
    complete: bool = True


def monotonic_ms() -> int:
    """Give the program's monotonic clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


def load_picture(path: str | PathLike[str], number: int = 0) -> Frame:
    """Read a picture from a file.

    Raises:
        PictureError: there is no such file, it cannot be read, or it is no whole picture.
    """
    data = _bytes_of(Path(path))
    header = read_header(data)
    if header and not header.complete:
        raise PictureError("not_a_picture", path, "the file is cut short; copy it again")
    image = _decoded(data, _reduction(header))
    if image is None:
        raise PictureError("not_a_picture", path, "this is no picture that can be read; give a JPEG, PNG or WebP file")
    size = _full_size(image, header)
    return Frame(_at_most(image, LARGEST_SIDE), size, monotonic_ms(), number)


def natural_order(path: Path) -> tuple[tuple[int, int | str], ...]:
    """Sort key of file names that puts `look9.jpg` before `look10.jpg`."""
    parts = re.findall(r"\d+|\D+", path.name)
    return tuple((0, int(part)) if part.isdecimal() else (1, part.lower()) for part in parts)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise PictureError("no_such_file", path, "there is no such file") from error
    except IsADirectoryError as error:
        raise PictureError("not_a_picture", path, "this is a folder; give the pictures in it") from error
    except OSError as error:
        raise PictureError("not_a_picture", path, f"it cannot be read ({error.strerror})") from error


def read_header(data: bytes) -> Header | None:
    """Read the header of a JPEG or PNG file; None for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) > 24:
        width, height = struct.unpack(">II", data[16:24])
        return Header(width, height, b"IEND" in data[-64:])
    return _jpeg_header(data) if data.startswith(b"\xff\xd8\xff") else None


def _jpeg_header(data: bytes) -> Header:
    """Walk the segments up to the picture's own data; the thumbnail's end must not pass for the picture's."""
    place, size = 2, (0, 0)
    while place + 9 < len(data) and data[place] == 0xFF:
        marker, (length,) = data[place + 1], struct.unpack(">H", data[place + 2 : place + 4])
        if marker == 0xFF:
            place += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            size = (width, height)
        if marker == 0xDA:
            return Header(*size, complete=data.rfind(b"\xff\xd9") > place)
        place += 2 + length
    return Header(*size, complete=False)


def _reduction(header: Header | None) -> int:
    """Say by how much to reduce while decoding: as far as leaves more pixels than needed, and none for small ones."""
    side = max(header.width, header.height) if header else 0
    return max((factor for factor in _REDUCED if side / factor >= _FINE_SIDE), default=1) if side > LARGEST_SIDE else 1


def _decoded(data: bytes, reduction: int) -> Picture | None:
    if not data:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[reduction])
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _full_size(image: Picture, header: Header | None) -> tuple[int, int]:
    """Give width and height of the original as it is to be looked at: EXIF may turn it by a quarter."""
    height, width = image.shape[:2]
    if not header:
        return width, height
    turned = (width > height) != (header.width > header.height)
    return (header.height, header.width) if turned else (header.width, header.height)


def _at_most(image: Picture, side: int) -> Picture:
    scale = side / max(image.shape[:2])
    if scale >= 1:
        return image
    width, height = (max(1, round(length * scale)) for length in image.shape[1::-1])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
