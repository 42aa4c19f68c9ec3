"""The camera that is looked through, and the part of its picture that counts: chosen on the page, while all goes on."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from flask import current_app

from referee.table import Quad
from web.body import ApiError

if TYPE_CHECKING:
    from vision.lessons import Lesson

EXTENSION = "rummy-referee-camera"
SMALLEST_PART = 0.05
Area = Quad
"""Four corners as parts of the picture's width and height, clockwise from the top left one."""
log = logging.getLogger(__name__)


class KnownCamera(NamedTuple):
    """A camera of this machine: what to give as its source, and its name."""

    source: str
    name: str


class Eyepiece(Protocol):
    """What can be changed about the camera while the referee runs."""

    @property
    def source(self) -> str:
        """The present camera, empty where there is none."""
        ...

    @property
    def area(self) -> Area | None:
        """The playing area."""
        ...

    def cameras(self) -> list[KnownCamera]:
        """List the cameras of this machine."""
        ...

    def thumbnail(self, source: str) -> bytes:
        """Give a picture of a camera as a JPEG."""
        ...

    def choose(self, source: str) -> None:
        """Look through another camera from now on."""
        ...

    def set_area(self, area: Area | None) -> None:
        """Read only what lies in an area from now on; None: the whole picture."""
        ...

    def tilesets(self) -> list[str]:
        """List the sets of tiles that were taught."""
        ...

    def teach(self, name: str) -> "Lesson":
        """Learn from the newest picture, and read with what was learnt as soon as it is the whole set."""
        ...


def may_be_changed() -> bool:
    """Say whether there is a camera's set-up here to change; a demo has none."""
    return EXTENSION in current_app.extensions


def eyepiece() -> Eyepiece:
    """Give what the running program looks through.

    Raises:
        ApiError: 503, the camera cannot be changed here (a demo, say).
    """
    found = current_app.extensions.get(EXTENSION)
    if found is None:
        raise ApiError(503, "no_choice", "the camera cannot be changed here")
    return cast("Eyepiece", found)


def read_area(value: object) -> Area | None:
    """Read a playing area from a request; null is the whole picture.

    Raises:
        ApiError: 422, it is no area: not four corners, outside the picture, crossed, or next to nothing.
    """
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4 or not all(map(_is_point, value)):
        raise ApiError(422, "unfit", "the field 'corners' must be four points [x, y] with parts from 0 to 1, or null")
    one, two, three, four = ((float(x), float(y)) for x, y in value)
    area = (one, two, three, four)
    turns = [_turn(area[i - 2], area[i - 1], area[i]) for i in range(4)]
    if min(turns) <= 0 or sum(turns) / 4 < SMALLEST_PART**2:
        raise ApiError(422, "unfit", "the corners must go round a part of the picture clockwise, from the top left one")
    return area


def _is_point(value: object) -> bool:
    is_pair = isinstance(value, list) and len(value) == 2
    return is_pair and all(isinstance(part, int | float) and 0 <= part <= 1 for part in cast("list[object]", value))


def _turn(one: tuple[float, float], two: tuple[float, float], three: tuple[float, float]) -> float:
    """Twice the area of a triangle, above 0 where it goes clockwise (y downwards)."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


@dataclass
class KeptAreas:
    """The playing area of each camera, kept in a file of the owner's."""

    file: Path
    _lock: Lock = field(default_factory=Lock)

    def of(self, source: str) -> Area | None:
        """Give the area kept for a camera; None where there is none, or the file is damaged."""
        try:
            return read_area(self._all().get(source))
        except ApiError:
            return None

    def keep(self, source: str, area: Area | None) -> None:
        """Keep an area; a full disk costs the memory of it, not the area."""
        with self._lock:
            kept = {**self._all(), source: area}
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self.file.write_text(json.dumps(kept), encoding="utf-8")
            except OSError as error:
                log.warning("the playing area was not kept in %s: %s", self.file, error)

    def _all(self) -> dict[str, object]:
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


def listed(names: Callable[[], dict[str, int]], present: str) -> list[KnownCamera]:
    """List the cameras that the system names, and the present one where it is another."""
    found = [KnownCamera(str(number), name) for name, number in names().items()]
    known = {camera.source for camera in found}
    return found if not present or present in known else [KnownCamera(present, present), *found]
