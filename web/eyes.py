"""The camera's side of the program, loaded only where pictures are read: networks, sources, overlays."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from referee.table import Quad, SeenTile, Table, TableReading
from referee.verdict import Verdict
from vision.frames import Frame, JudgedPicture, Picture, load_picture
from vision.hands import small_of
from vision.overlay import draw_overlay
from vision.patches import as_quad
from vision.reader import TableReader, load_reader
from vision.remembered import as_judged
from vision.rereading import Game, Memory, Reread, read_again, remember_table
from vision.settle import Settler
from vision.sources import Source, WatchedPictures, open_source
from web.camera_checks import light_and_sharpness
from web.close_up import close_up
from web.errors import InputError
from web.feed import Camera
from web.marks import marks_of
from web.settings import Settings, SettingsError
from web.tilesets import with_taught_sets
from web.watch import Gate, Glance

JPEG_QUALITY = 82
SHOWN_WIDTH = 1280
FIRST_PICTURE_S = 8.0


class OverlayError(InputError):
    """A picture that cannot be written; the message names it."""


@dataclass(frozen=True)
class Eyes:
    """The reader with what the settings say about every picture: the playing area, in pixels of the original.

    `parts`: the playing area as parts of the picture's width and height; it wins.
    """

    reader: TableReader
    area: Quad | None
    parts: Quad | None = None

    def read(self, frame: Frame, last: Table | None = None) -> TableReading:
        """Read a picture; corners are in pixels of the frame's image, the playing area in those of the original."""
        return self.reader.read(frame.image, last=last, area=self._area_in(frame))

    def look(self, frame: Frame, last: Table, memory: Memory | None) -> Reread:
        """Read the next picture of a table; see `vision.rereading`."""
        return read_again(self.reader, frame.image, memory or Memory(), Game(last, self._area_in(frame)))

    def remember(self, memory: Memory, judged: JudgedPicture, *, corrected: bool) -> Memory:
        """Remember a reading as the table that it was judged to be; see `vision.rereading`."""
        return remember_table(self.reader, memory, judged, corrected=corrected)

    def certain(self, reading: TableReading, table: Table) -> TableReading:
        """Give the reading with the faces of the table that it was judged to be."""
        return as_judged(reading, table)

    def _area_in(self, frame: Frame) -> Quad | None:
        if self.parts is not None:
            height, width = frame.image.shape[:2]
            return as_quad([(x * width, y * height) for x, y in self.parts])
        return None if self.area is None else as_quad(frame.from_full(self.area))


def load_eyes(settings: Settings) -> Eyes:
    """Load the reader that the settings ask for.

    Raises:
        ModelError: its weights are missing or corrupt.
        SettingsError: the playing area is none.
        TileSetError: there is no such taught set of tiles, or its file is corrupt.
    """
    area = parse_corners(settings.corners) if settings.corners else None
    return Eyes(with_taught_sets(bare_reader(settings), settings), area)


def bare_reader(settings: Settings) -> TableReader:
    """Load the reader as it is without any taught set.

    Raises:
        ModelError: its weights are missing or corrupt.
    """
    return _reader(Path(settings.weights) if settings.weights else None)


def _reader(weights: Path | None) -> TableReader:
    """Load the bundled networks, with another detector where one is given: an ONNX file, or a `.pt` of ultralytics."""
    if weights is None or weights.suffix != ".pt":
        return load_reader(weights)
    from models.engine import UltralyticsDetector  # noqa: PLC0415  an extra, for those who train

    return load_reader(finder=UltralyticsDetector(weights))


def parse_corners(text: str) -> Quad:
    """Read four corners, `x,y x,y x,y x,y`, in pixels.

    Raises:
        SettingsError: they are none.
    """
    try:
        points = [[float(number) for number in point.split(",")] for point in text.split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 for point in points):
        msg = f"corners {text!r}: write four points as x,y x,y x,y x,y"
        raise SettingsError(msg)
    return as_quad(points)


def read_together(photos: Sequence[Path], settings: Settings) -> TableReading:
    """Read several photos of one table, and give the reading that is surest of its tiles.

    Raises:
        PictureError: one of them is no picture.
    """
    eyes = load_eyes(settings)
    return max((eyes.read(load_picture(photo)) for photo in photos), key=_sureness)


def _sureness(reading: TableReading) -> tuple[int, float]:
    """Rank readings: more tiles of the table first, then the mean confidence in them."""
    seen = [reading.tiles[place].confidence for row in reading.melds for place in row]
    return len(seen), sum(seen) / max(1, len(seen))


def open_camera(settings: Settings) -> Source:
    """Open the camera of the settings.

    Raises:
        CameraError: there is no such camera, file or folder.
    """
    return open_source(settings.camera)


def gate_for(source: Source) -> Gate:
    """Give what tells whether the table lies still: every picture of a folder is a still one."""
    return PictureGate() if isinstance(source, WatchedPictures) else MotionGate()


class PictureGate:
    """Takes every picture as one of a table at rest."""

    def judge(self, frame: Frame) -> Glance:
        """Give `still`."""
        return Glance(Camera.STILL, frame.captured_ms)


@dataclass
class MotionGate:
    """Tells by the settler how it stands with the table; see `vision.settle`."""

    settler: Settler = field(default_factory=Settler)

    def judge(self, frame: Frame) -> Glance:
        """Give how it stands, in the words of the pages."""
        stillness = self.settler.look(small_of(frame.image), frame.captured_ms)
        return Glance(Camera(stillness.rest.value), stillness.since_ms, stillness.touched_ms)


def draw_jpeg(picture: Picture, reading: TableReading | None, verdict: Verdict | None = None) -> bytes:
    """Make a JPEG for the pages, with the reading drawn into it where there is one, and the verdict's faults."""
    drawn = picture if reading is None else draw_overlay(picture, reading, marks_of(reading, verdict))
    return encode(drawn)


def cut_jpeg(picture: Picture, tile: SeenTile) -> bytes:
    """Make a JPEG of one tile, upright and large."""
    return encode(close_up(picture, tile))


def encode(picture: Picture) -> bytes:
    """Make a JPEG, no wider than the pages show it."""
    scale = SHOWN_WIDTH / max(1, picture.shape[1])
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    encoded, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes() if encoded else b""


def save_overlay(file: Path, done: "TimedReading") -> None:
    """Draw a reading into its picture, and write it.

    Raises:
        OverlayError: the file cannot be written.
    """
    drawn = draw_overlay(done.frame.image, done.reading)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        encoded, data = cv2.imencode(file.suffix or ".jpg", drawn)
        file.write_bytes(data.tobytes() if encoded else b"")
    except (OSError, cv2.error) as error:
        msg = f"the overlay {str(file)!r} cannot be written: give a .jpg or .png file in a folder of yours"
        raise OverlayError(msg) from error


@dataclass(frozen=True)
class TimedReading:
    """A picture's reading, its frame, and how long it took in seconds."""

    frame: Frame
    reading: TableReading
    seconds: float


def read_photo(photo: Path, eyes: Eyes) -> TimedReading:
    """Read one photo.

    Raises:
        PictureError: it is no picture.
    """
    frame = load_picture(photo)
    start = time.perf_counter()
    reading = eyes.read(frame)
    return TimedReading(frame, reading, time.perf_counter() - start)


@dataclass(frozen=True)
class CameraLook:
    """What a few seconds at a camera gave: its last picture, pictures a second (None where it is no moving one).

    `light` is the mean brightness from 0 to 255, `sharpness` the variance of the Laplacian of the grey picture.
    """

    frame: Frame
    rate: float | None
    light: float
    sharpness: float


def look_at(source: Source, seconds: float) -> CameraLook | None:
    """Watch a source for a while; None where it gives no first picture within eight seconds.

    Raises:
        CameraError: the camera is lost.
    """
    first = source.newest(FIRST_PICTURE_S)
    if first is None:
        return None
    frames = [first]
    until = time.monotonic() + seconds
    while time.monotonic() < until and not source.ended and not isinstance(source, WatchedPictures):
        frame = source.newest(until - time.monotonic())
        frames = [first, frame] if frame else frames
    return CameraLook(frames[-1], _rate(frames[0], frames[-1]), *light_and_sharpness(frames[-1].image))


def _rate(first: Frame, last: Frame) -> float | None:
    passed_ms = last.captured_ms - first.captured_ms
    return None if passed_ms <= 0 else 1000 * (last.number - first.number) / passed_ms
