"""Tiles of one set whose faces are known, and what is measured on each.

They come from the pictures that a set was taught with, or from the turns of a game that were judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import Tile
from vision.faces import Aligned, FaceNetworks
from vision.ink_colours import INKS
from vision.patches import FACE, Picture, Quads
from vision.prints import balanced, flat_faces, ink_colours, print_maps
from vision.tileset import KEPT, TaughtTile, ink_index

Array = NDArray[np.float64]
NUMBERS, JOKER, NO_FACE = 13, 13, 14
"""Classes of numbers: 1 to 13 at 0 to 12, the joker, and no face (a back, a hand)."""
CLASSES = 15
_MOSAIC_COLUMNS = 12
_UNUSED = 1e-9


@dataclass(frozen=True, eq=False)
class Specimens:
    """n known tiles.

    `classes` (n,): of their numbers; `inks` (n,): -1 for a joker or a back. `maps` (n, 32, 26): their prints;
    `colours` (n, 3): what their inks swallow. `photos` (n,): the number of the picture of each.
    """

    classes: NDArray[np.intp]
    inks: NDArray[np.intp]
    maps: NDArray[np.float32]
    colours: NDArray[np.float32]
    photos: NDArray[np.intp]

    @classmethod
    def taught(cls, tiles: Sequence[TaughtTile]) -> Self:
        """Look at the tiles of a taught set."""
        return cls._of([tile.face for tile in tiles], kept_faces(tiles), np.array([tile.photo for tile in tiles]))

    @classmethod
    def lying(cls, picture: Picture, quads: Quads, faces: Sequence[Tile], photo: int) -> Self:
        """Look at tiles of known faces that lie upright at quads (n, 4, 2) in a picture (h, w, 3) BGR."""
        return cls._of(faces, flat_faces(picture, quads), np.full(len(quads), photo))

    @classmethod
    def printed(cls, faces: Sequence[Tile], maps: NDArray[np.float32], colours: NDArray[np.float32]) -> Self:
        """Take tiles of one picture of which all is measured already."""
        return cls._known(faces, maps, colours, np.zeros(len(faces), np.intp))

    @classmethod
    def _of(cls, faces: Sequence[Tile | None], flat: NDArray[np.float32], photos: NDArray[np.intp]) -> Self:
        return cls._known(faces, print_maps(flat), ink_colours(flat), photos)

    @classmethod
    def _known(
        cls,
        faces: Sequence[Tile | None],
        maps: NDArray[np.float32],
        colours: NDArray[np.float32],
        photos: NDArray[np.intp],
    ) -> Self:
        classes = np.array([class_of(face) for face in faces], np.intp)
        inks = np.array([-1 if face is None else ink_index(face) for face in faces], np.intp)
        return cls(classes, inks, maps, colours, photos)

    def __len__(self) -> int:
        """Count the tiles."""
        return len(self.classes)

    def joined(self, other: Self) -> Self:
        """Put others behind these."""
        return type(self)(*map(np.concatenate, zip(vars(self).values(), vars(other).values(), strict=True)))


def class_of(face: Tile | None) -> int:
    """Give the class of a face's number; a tile face down has none."""
    return NO_FACE if face is None else JOKER if face.is_joker else face.number - 1


def split(given: NDArray[np.float32]) -> tuple[Array, Array]:
    """Split faces (n, 53) into numbers (n, 15), what is missing to 1 being no face, and inks (n, 4)."""
    joint = given[:, : INKS * NUMBERS].reshape(-1, INKS, NUMBERS).astype(float)
    numbers = np.column_stack([joint.sum(1), given[:, -1], np.clip(1 - given.sum(1), 0, 1)])
    inks = joint.sum(2) + _UNUSED
    return numbers / numbers.sum(1, keepdims=True), inks / inks.sum(1, keepdims=True)


def kept_faces(tiles: Sequence[TaughtTile]) -> NDArray[np.float32]:
    """Cut the patches of taught tiles as the reader of faces sees them, white-balanced: (n, h, w, 3) BGR."""
    warp = cv2.getPerspectiveTransform(KEPT.corners() - 0.5, FACE.corners() - 0.5)
    return balanced(np.stack([np.asarray(cv2.warpPerspective(t.pixels, warp, FACE[:2]), np.uint8) for t in tiles]))


def read_kept(tiles: Sequence[TaughtTile], networks: FaceNetworks) -> tuple[Array, Array]:
    """Let the networks read taught tiles, all known to lie upright: numbers (n, 15) and inks (n, 4)."""
    image, quads = mosaic(tiles)
    sure = np.full(len(quads), 1 - 1e-6, np.float32)
    kinds = np.tile(np.array([1, 0, 0], np.float32), (len(quads), 1))
    return split(networks.read(image, Aligned(quads, sure, kinds)).given_way[:, 0])


def mosaic(tiles: Sequence[TaughtTile]) -> tuple[Picture, Quads]:
    """Put taught tiles into one picture, and say where each lies: (n, 4, 2)."""
    rows = -(-len(tiles) // _MOSAIC_COLUMNS)
    image = np.zeros((rows * KEPT.height, _MOSAIC_COLUMNS * KEPT.width, 3), np.uint8)
    quads = np.empty((len(tiles), 4, 2), np.float32)
    for place, tile in enumerate(tiles):
        row, column = divmod(place, _MOSAIC_COLUMNS)
        y, x = row * KEPT.height, column * KEPT.width
        image[y : y + KEPT.height, x : x + KEPT.width] = tile.pixels
        quads[place] = KEPT.corners() + np.array([x, y], np.float32)
    return image, quads
