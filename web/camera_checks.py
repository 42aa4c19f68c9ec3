"""What the page about the camera says of the picture: traffic lights with advice."""

from statistics import median
from typing import NamedTuple

import cv2

from referee.table import SeenTile, TableReading
from vision.frames import Picture
from web.sentences import Sentences

ENOUGH_PIXELS = 40
LEAST_PIXELS = 28
SURE = 0.9
MOST_UNSURE = 0.05
FAR_TOO_UNSURE = 0.2
DARK, BRIGHT = 45.0, 225.0
DIM, GLARING = 70.0, 205.0
SHARP = 60.0
CRISP = 120.0


class Check(NamedTuple):
    """One light: its name, whether all is well, `green`, `amber` or `red`, and what it says."""

    name: str
    ok: bool
    light: str
    message: str


def camera_checks(reading: TableReading | None, picture: Picture | None, words: Sentences) -> tuple[Check, ...]:
    """Judge a picture by its light and sharpness, a reading by the size and sureness of its tiles.

    A picture whose tiles are read well is sharp enough: a plain table has few edges, however sharp it is.
    """
    reads_well = reading is not None and bool(reading.tiles) and _unsure(reading) <= MOST_UNSURE
    return (*_of_picture(picture, words, reads_well=reads_well), *_of_tiles(reading, words))


def _of_picture(picture: Picture | None, words: Sentences, *, reads_well: bool) -> tuple[Check, ...]:
    if picture is None:
        return ()
    light, sharpness = light_and_sharpness(picture)
    in_light = "green" if DIM <= light <= GLARING else "amber" if DARK <= light <= BRIGHT else "red"
    in_focus = "green" if reads_well or sharpness >= CRISP else "amber" if sharpness >= SHARP else "red"
    return (
        _check("light", in_light, words.light(in_light, dark=light < DIM)),
        _check("focus", in_focus, words.focus(in_focus)),
    )


def _of_tiles(reading: TableReading | None, words: Sentences) -> tuple[Check, ...]:
    if reading is None or not reading.tiles:
        return (_check("tiles", "amber", words.no_tiles()),)
    height = median(map(tile_height, reading.tiles))
    unsure = _unsure(reading)
    size = "green" if height >= ENOUGH_PIXELS else "amber" if height >= LEAST_PIXELS else "red"
    sure = "green" if unsure <= MOST_UNSURE else "amber" if unsure <= FAR_TOO_UNSURE else "red"
    return (
        _check("tiles", "green", words.tiles_seen(len(reading.tiles))),
        _check("pixels", size, words.tile_pixels(round(height), enough=height >= ENOUGH_PIXELS)),
        _check("sure", sure, words.unsure_tiles(round(100 * unsure), few=unsure <= MOST_UNSURE)),
    )


def _unsure(reading: TableReading) -> float:
    """Give the part of the tiles that are not sure."""
    return sum(tile.confidence < SURE for tile in reading.tiles) / len(reading.tiles)


def _check(name: str, light: str, message: str) -> Check:
    return Check(name, light == "green", light, message)


def light_and_sharpness(picture: Picture) -> tuple[float, float]:
    """Give the mean brightness (0 to 255) and the variance of the Laplacian of a picture (h, w, 3), BGR."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return float(grey.mean()), float(cv2.Laplacian(grey, cv2.CV_64F).var())


def tile_height(tile: SeenTile) -> float:
    """Give the longer side of a tile in pixels."""
    corners = tile.corners
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 for (ax, ay), (bx, by) in pairs)
