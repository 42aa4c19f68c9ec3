"""Pictures of a refereed game with their truth beside them, as training and `models.evaluate photos` read them."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2

from referee.table import Table, TableReading
from vision.frames import Picture
from vision.remembered import faces_of
from web.documents import Json
from web.errors import InputError

QUALITY = 95


@dataclass
class LabelledPictures:
    """A folder of labelled pictures: `images/turn-003.jpg` with `truth/turn-003.json`; `count` were written so far.

    Only tables that a person stands behind are worth keeping: whoever calls says what lay there.
    """

    folder: Path
    count: int = 0

    def __post_init__(self) -> None:
        """Make the folder.

        Raises:
            InputError: it cannot be made, or holds something already.
        """
        try:
            for part in ("images", "truth"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            held = any((self.folder / "truth").iterdir())
        except OSError as error:
            msg = f"the folder {str(self.folder)!r} cannot be made ({error.strerror}): choose another with --labelled"
            raise InputError(msg) from error
        if held:
            msg = f"the folder {str(self.folder)!r} holds labelled pictures already: choose another with --labelled"
            raise InputError(msg)

    def add(self, number: int, picture: Picture, reading: TableReading, table: Table) -> None:
        """Keep the picture (h, w, 3) of a turn with what lay there, where that tells which tile is which."""
        tiles = labelled_tiles(reading, table)
        if tiles is None:
            return
        name = f"turn-{number:03}"
        height, width = picture.shape[:2]
        truth = {
            "image": f"{name}.jpg",
            "width": width,
            "height": height,
            "source": "rummy-referee replay --labelled",
            "tiles": tiles,
            "melds": [list(row) for row in reading.melds],
            "melds_labelled": True,
        }
        cv2.imwrite(str(self.folder / "images" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        text = json.dumps(truth, indent=1)
        (self.folder / "truth" / f"{name}.json").write_text(text, encoding="utf-8")
        self.count += 1


def labelled_tiles(reading: TableReading, table: Table) -> list[Json] | None:
    """Give corners and face of every tile of a reading, None where a face-up tile of it is not known from the table."""
    faces = faces_of(reading, table)
    lying = {index for row in reading.melds for index in row}
    if lying != faces.keys() or len(lying) != table.tiles.total():
        return None
    unknown = ("back" if tile.back else "?" for tile in reading.tiles)
    names = [str(faces.get(index, name)) for index, name in enumerate(unknown)]
    return [
        {"corners": [[round(x, 1), round(y, 1)] for x, y in tile.corners], "tile": name}
        for tile, name in zip(reading.tiles, names, strict=True)
    ]
