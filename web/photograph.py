"""The tiles of the last reading as places in its picture, for tapping on them."""

from referee.table import SeenTile, TableReading
from web.documents import Json
from web.feed import Feed


def editable_rows(reading: TableReading) -> list[list[str]]:
    """Give the rows as they were read, `?` for a tile that cannot be."""
    return [[str(reading.tiles[place].best or "?") for place in row] for row in reading.melds]


def tile_places(feed: Feed) -> list[Json]:
    """Give each tile of the table: its row, its place in it, its corners as parts of the picture's width and height."""
    picture, reading = feed.read_picture, feed.sight.reading
    if picture is None or reading is None:
        return []
    height, width = picture.shape[:2]
    return [
        {"row": row, "place": place, "corners": _parts(reading.tiles[index], width, height)}
        for row, meld in enumerate(reading.melds)
        for place, index in enumerate(meld)
    ]


def _parts(tile: SeenTile, width: int, height: int) -> list[list[float]]:
    return [[round(x / width, 4), round(y / height, 4)] for x, y in tile.corners]
