"""Reading with a taught set: what the networks say, weighed with how like each tile is to the owner's own.

Three things are learnt from the taught tiles. What the networks are wont to say of each face of this set: what they
mistake there weighs nothing, what they read right weighs as ever. The print of each number and joker, which also tells
the way up. The colours of the four inks, all tiles of a table together (`vision.ink_colours`). On a usual set all three
say what the networks say; the more a set is unlike those, the more its own pictures decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import Tile
from vision.faces import Aligned, FaceNetworks, Faces
from vision.ink_colours import INKS, InkColours
from vision.patches import FACE, Picture, Quads
from vision.prints import balanced, correlations, flat_faces, half_turned, ink_colours, print_maps, templates_of
from vision.tileset import KEPT, TaughtTile, TileSet, ink_index

Array = NDArray[np.float64]
NUMBERS, JOKER, NO_FACE = 13, 13, 14
"""Classes of numbers: 1 to 13 at 0 to 12, the joker, and no face (a back, a hand)."""
_CLASSES = 15
_SHARPNESS = 22.0
"""How much a print's correlation weighs: 0.1 more makes a number nine times as likely."""
_LEAST_ALIKE, _NO_PRINT, _NOT_TAUGHT = 0.5, 0.72, 0.7
"""How like a tile is at least to every number; to a tile that is none; to a number whose print is not known yet."""
_TRUST = 8.0
"""So many pictures of a face must be misread before its own tiles count for more than what is usual."""
_USUAL_NUMBER, _USUAL_INK = 0.985, 0.96
_LEAST_WAY = 0.003
_MOSAIC_COLUMNS = 12
_UNUSED = 1e-9
FEWEST_TILES, SURELY_LIKE, FEW_STRANGE = 5, 0.94, 0.15
"""A table is read with a set that was not named if it shows so many tiles, so like it, so few of them in other inks."""
_HARDLY_A_NUMBER, _A_NUMBER = 0.7, 0.85
_FITTING_INK, _OTHER_INKS = np.exp(-7.5), 0.3


class Prints(NamedTuple):
    """What is measured on n tiles, each way up: `shapes` two of (n, 32, 26), and what their inks swallow (n, 3)."""

    upright: NDArray[np.float32]
    turned: NDArray[np.float32]
    colours: NDArray[np.float32]

    @classmethod
    def of(cls, faces: NDArray[np.float32]) -> Self:
        """Measure white-balanced patches (n, h, w, 3) BGR."""
        return cls(print_maps(faces), print_maps(half_turned(faces)), ink_colours(faces))


class Likeness(NamedTuple):
    """How like a table is to a set: the median of its prints' best correlations, and the share in strange inks."""

    prints: float
    strange: float

    @property
    def clear(self) -> bool:
        """Whether the table may be read with the set though nobody named it."""
        return self.prints >= SURELY_LIKE and self.strange <= FEW_STRANGE

    @property
    def rank(self) -> float:
        """The higher, the more alike."""
        return self.prints - _OTHER_INKS * self.strange


@dataclass(frozen=True, eq=False)
class Prototypes:
    """What is known of one set.

    `templates` (k, d) of classes `of_class` (k,); `inks`: their colours; `numbers` (15, 15) and `ink_names` (4, 4): how
    often the networks say each class (column) of a tile of a class (row).
    """

    name: str
    templates: NDArray[np.float32]
    of_class: NDArray[np.intp]
    inks: InkColours
    numbers: Array
    ink_names: Array

    @classmethod
    def of(cls, tileset: TileSet, networks: FaceNetworks) -> Self:
        """Look at a set's tiles with these networks.

        Raises:
            ValueError: the set has no tile yet.
        """
        if not tileset.tiles:
            msg = f"the set of tiles {tileset.name!r} is empty: teach it first"
            raise ValueError(msg)
        tiles = tileset.tiles
        prints = print_maps(kept_faces(tiles))
        classes = np.array([class_of(tile.face) for tile in tiles])
        inks = np.array([-1 if tile.face is None else ink_index(tile.face) for tile in tiles])
        templates, of_class = _templates(prints, classes)
        photos, coloured = np.array([tile.photo for tile in tiles]), inks >= 0
        colours = ink_colours(kept_faces(tiles))[coloured]
        said, said_inks = split(_read_kept(tiles, networks))
        return cls(
            tileset.name,
            templates,
            of_class,
            InkColours.of(colours, inks[coloured], photos[coloured]),
            _wont(said, classes, _usual(_CLASSES, _USUAL_NUMBER)),
            _wont(said_inks[coloured], inks[coloured], _usual(INKS, _USUAL_INK)),
        )

    def alike(self, maps: NDArray[np.float32]) -> Array:
        """Give how like n prints are to each class of the set, (n, 15), from -1 to 1."""
        found = correlations(maps, self.templates)
        return np.array(
            [found[:, self.of_class == k].max(1) if (self.of_class == k).any() else np.full(len(maps), -1.0)
             for k in range(_CLASSES)], float
        ).T  # fmt: skip

    def best_alike(self, prints: Prints) -> Array:
        """Give how like n tiles are to the number of the set that they are most like, whichever way up: (n,)."""
        both = np.maximum(self.alike(prints.upright), self.alike(prints.turned))
        return np.asarray(both[:, :JOKER].max(1))

    def weigh(self, faces: Faces, prints: Prints) -> Faces:
        """Weigh what the networks say of n tiles of one table with how like they are to this set."""
        said = [split(given) for given in faces.given_way.transpose(1, 0, 2)]
        same = (faces.given_way[:, 0] == faces.given_way[:, 1]).all(1)
        said[1][0][same] = 1 / _CLASSES  # nobody looked at it that way up
        colours = self.inks.likelihoods(prints.colours, _are_numbers(self.best_alike(prints)))
        given, chances = [], []
        for (numbers, inks), maps in zip(said, (prints.upright, prints.turned), strict=True):
            likely = numbers @ self.numbers.T * self._shapes(maps)
            ink = colours * (inks @ self.ink_names.T)
            total = likely.sum(1)
            given.append(_joint(likely / total[:, None], ink / ink.sum(1, keepdims=True)))
            chances.append(total)
        ways = np.maximum(faces.ways, _LEAST_WAY) * np.array(chances).T
        ways /= ways.sum(1, keepdims=True)
        return Faces(ways.astype(np.float32), np.stack(given, 1).astype(np.float32))

    def _shapes(self, maps: NDArray[np.float32]) -> Array:
        alike = np.maximum(self.alike(maps), _LEAST_ALIKE)
        alike[:, NO_FACE] = np.maximum(alike[:, NO_FACE], _NO_PRINT)
        alike[:, np.setdiff1d(np.arange(NO_FACE), self.of_class)] = _NOT_TAUGHT
        return np.asarray(np.exp(_SHARPNESS * (alike - 1)))

    def likeness(self, prints: Prints) -> Likeness:
        """Say how like a table's tiles are to this set."""
        if not len(prints.upright):
            return Likeness(0.0, 1.0)
        best = self.best_alike(prints)
        fits = self.inks.likelihoods(prints.colours, _are_numbers(best)).max(1)[best > _A_NUMBER] >= _FITTING_INK
        return Likeness(float(np.median(best)), 1 - float(fits.mean()) if len(fits) else 1.0)


@dataclass(frozen=True)
class TaughtFaces(FaceNetworks):
    """The networks with taught sets: one that was `named` is read with always, else the one that a table is like."""

    sets: tuple[Prototypes, ...] = ()
    named: bool = field(default=False, kw_only=True)

    @classmethod
    def of(cls, networks: FaceNetworks, sets: Sequence[Prototypes], *, named: bool = False) -> Self:
        """Add sets to networks."""
        return cls(networks.aligner, networks.reader, networks.calibration, tuple(sets), named=named)

    def read(self, image: Picture, aligned: Aligned) -> Faces:
        """Read number and ink of aligned tiles in a picture (h, w, 3) BGR."""
        faces = super().read(image, aligned)
        if not self.sets or not len(aligned.quads):
            return faces
        prints = Prints.of(flat_faces(image, aligned.quads))
        chosen = self.sets[0] if self.named else choose(self.sets, prints)
        return chosen.weigh(faces, prints) if chosen else faces


def choose(sets: Sequence[Prototypes], prints: Prints) -> Prototypes | None:
    """Give the set that a table's tiles are clearly like, and more than any other; None where there is none."""
    if len(prints.upright) < FEWEST_TILES:
        return None
    found = [(one.likeness(prints), place) for place, one in enumerate(sets)]
    alike = [(likeness.rank, place) for likeness, place in found if likeness.clear]
    return sets[max(alike)[1]] if alike else None


def _are_numbers(alike: Array) -> Array:
    """Say how surely tiles show a number of the set, by how like they are to one: a pattern of the table-top is not."""
    return np.asarray(np.clip((alike - _HARDLY_A_NUMBER) / (_A_NUMBER - _HARDLY_A_NUMBER), 0.01, 1))


def class_of(face: Tile | None) -> int:
    """Give the class of a face's number; a tile face down has none."""
    return NO_FACE if face is None else JOKER if face.is_joker else face.number - 1


def split(given: NDArray[np.float32]) -> tuple[Array, Array]:
    """Split faces (n, 53) into numbers (n, 15), what is missing to 1 being no face, and inks (n, 4)."""
    joint = given[:, : INKS * NUMBERS].reshape(-1, INKS, NUMBERS).astype(float)
    numbers = np.column_stack([joint.sum(1), given[:, -1], np.clip(1 - given.sum(1), 0, 1)])
    inks = joint.sum(2) + _UNUSED
    return numbers / numbers.sum(1, keepdims=True), inks / inks.sum(1, keepdims=True)


def _joint(numbers: Array, inks: Array) -> Array:
    coloured = inks[:, :, None] * numbers[:, None, :NUMBERS]
    return np.column_stack([coloured.reshape(len(numbers), -1), numbers[:, JOKER]])


def kept_faces(tiles: Sequence[TaughtTile]) -> NDArray[np.float32]:
    """Cut the patches of taught tiles as the reader of faces sees them, white-balanced: (n, h, w, 3) BGR."""
    warp = cv2.getPerspectiveTransform(KEPT.corners() - 0.5, FACE.corners() - 0.5)
    return balanced(np.stack([np.asarray(cv2.warpPerspective(t.pixels, warp, FACE[:2]), np.uint8) for t in tiles]))


def _read_kept(tiles: Sequence[TaughtTile], networks: FaceNetworks) -> NDArray[np.float32]:
    """Let the networks read taught tiles, all known to lie upright: (n, 53)."""
    image, quads = mosaic(tiles)
    sure = np.full(len(tiles), 1 - 1e-6, np.float32)
    kinds = np.tile(np.array([1, 0, 0], np.float32), (len(tiles), 1))
    return networks.read(image, Aligned(quads, sure, kinds)).given_way[:, 0]


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


def _templates(maps: NDArray[np.float32], classes: NDArray[np.intp]) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Give one template for each number, its tiles averaged, and one for each picture of a joker or a back."""
    found, of_class = [], []
    for k in np.unique(classes):
        mine = templates_of(maps[classes == k])
        found.append(mine if k >= JOKER else _unit_mean(mine))
        of_class += [k] * len(found[-1])
    return np.concatenate(found), np.array(of_class)


def _unit_mean(templates: NDArray[np.float32]) -> NDArray[np.float32]:
    mean = templates.mean(0, keepdims=True)
    return np.asarray(mean / np.linalg.norm(mean), np.float32)


def _usual(count: int, right: float) -> Array:
    """Say how often networks say each class of a usual set's tiles."""
    return np.asarray(
        np.full((count, count), (1 - right) / (count - 1)) + np.eye(count) * (right - (1 - right) / (count - 1))
    )


def _wont(said: Array, truth: NDArray[np.intp], usual: Array) -> Array:
    """Add what is said (n, k) of tiles of known classes (n,) to what is usual."""
    counts = _TRUST * usual
    np.add.at(counts, truth, said)
    return np.asarray(counts / counts.sum(1, keepdims=True))
