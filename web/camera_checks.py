"""What the page about the camera says of the picture: traffic lights with advice."""

from statistics import median
from typing import NamedTuple

from referee.table import SeenTile, TableReading
from web.sentences import Sentences

ENOUGH_PIXELS = 40
SURE = 0.9
MOST_UNSURE = 0.05


class Check(NamedTuple):
    """One light: its name, whether it is green, and what it says."""

    name: str
    ok: bool
    message: str


def camera_checks(reading: TableReading | None, words: Sentences) -> tuple[Check, ...]:
    """Judge a reading by the size of its tiles and by how many of them are sure; nothing without tiles."""
    if reading is None or not reading.tiles:
        return (Check("tiles", ok=False, message=words.no_tiles()),)
    height = median(map(tile_height, reading.tiles))
    unsure = sum(tile.confidence < SURE for tile in reading.tiles) / len(reading.tiles)
    return (
        Check("tiles", ok=True, message=words.tiles_seen(len(reading.tiles))),
        Check("pixels", height >= ENOUGH_PIXELS, words.tile_pixels(round(height), enough=height >= ENOUGH_PIXELS)),
        Check("sure", unsure <= MOST_UNSURE, words.unsure_tiles(round(100 * unsure), few=unsure <= MOST_UNSURE)),
    )


def tile_height(tile: SeenTile) -> float:
    """Give the longer side of a tile in pixels."""
    corners = tile.corners
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 for (ax, ay), (bx, by) in pairs)
