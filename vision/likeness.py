"""Reading with a taught set: what the networks say, weighed with how like each tile is to the owner's own.

Three things are learnt from the taught tiles. What the networks are wont to say of each face of this set: what they
mistake there weighs nothing, what they read right weighs as ever. The print of each number and joker, which also tells
the way up. The colours of the four inks, all tiles of a table together (`vision.ink_colours`). On a usual set all three
say what the networks say; the more a set is unlike those, the more its own pictures decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from vision.faces import Aligned, FaceNetworks, Faces
from vision.ink_colours import INKS, InkColours
from vision.patches import Picture, Quads
from vision.prints import correlations, flat_faces, half_turned, ink_colours, print_maps, templates_of
from vision.specimens import CLASSES, JOKER, NO_FACE, NUMBERS, Specimens, read_kept, split
from vision.tileset import TileSet

Array = NDArray[np.float64]
_SHARPNESS, _GRAIN = 4.0, 0.01
"""How much a print's likeness weighs: a number is sixteen times as likely where half as much is missing to 1."""
_ONE_LOOK = 1.0
"""The same for prints of one picture: twice as likely."""
_LEAST_ALIKE, _NO_PRINT, _NOT_TAUGHT = 0.3, 0.78, 0.7
"""How like a tile is at least to every number; to a tile that is none; to a number whose print is not known yet."""
_NOT_MET, _UNSEEN_INK = 0.965, 0.1
"""How like a tile is to a number that was not met yet, and how likely an ink: hardly less than to its own."""
_TRUST = 8.0
"""So many pictures of a face must be misread before its own tiles count for more than what is usual."""
_USUAL_NUMBER, _USUAL_INK = 0.985, 0.96
_LEAST_WAY = 0.003
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
        maps = print_maps(faces)
        return cls(maps, half_turned(maps), ink_colours(faces))

    def take(self, index: slice) -> Self:
        """Give some of them."""
        return type(self)(*(part[index] for part in self))


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
    often the networks say each class (column) of a tile of a class (row). `not_taught`: how like a tile is to a number
    whose print is not known yet; `sharpness`: how much likeness weighs.
    """

    name: str
    templates: NDArray[np.float32]
    of_class: NDArray[np.intp]
    inks: InkColours
    numbers: Array
    ink_names: Array
    not_taught: float = _NOT_TAUGHT
    sharpness: float = _SHARPNESS

    @classmethod
    def of(cls, tileset: TileSet, networks: FaceNetworks) -> Self:
        """Look at a set's tiles with these networks.

        Raises:
            ValueError: the set has no tile yet.
        """
        if not tileset.tiles:
            msg = f"the set of tiles {tileset.name!r} is empty: teach it first"
            raise ValueError(msg)
        known = Specimens.taught(tileset.tiles)
        said, said_inks = read_kept(tileset.tiles, networks)
        coloured = known.inks >= 0
        return cls(
            tileset.name,
            *_templates(known.maps, known.classes),
            InkColours.of(known.colours[coloured], known.inks[coloured], known.photos[coloured]),
            _wont(said, known.classes, _usual(CLASSES, _USUAL_NUMBER)),
            _wont(said_inks[coloured], known.inks[coloured], _usual(INKS, _USUAL_INK)),
        )

    @classmethod
    def met(cls, known: Specimens) -> Self:
        """Learn from tiles that were met in a game: of what was not met yet nothing is assumed."""
        coloured = known.inks >= 0
        return cls(
            "",
            *_templates(known.maps, known.classes),
            InkColours.of(known.colours[coloured], known.inks[coloured], known.photos[coloured], unseen=_UNSEEN_INK),
            np.eye(CLASSES),
            np.eye(INKS),
            _NOT_MET,
        )

    @classmethod
    def on_one_table(cls, known: Specimens) -> Self:
        """Learn from the sure tiles of one picture: one look in one light tells less than many do."""
        return replace(cls.met(known), sharpness=_ONE_LOOK)

    def alike(self, maps: NDArray[np.float32]) -> Array:
        """Give how like n prints are to each class of the set, (n, 15), from -1 to 1."""
        found = correlations(maps, self.templates)
        return np.array(
            [found[:, self.of_class == k].max(1) if (self.of_class == k).any() else np.full(len(maps), -1.0)
             for k in range(CLASSES)], float
        ).T  # fmt: skip

    def best_alike(self, prints: Prints) -> Array:
        """Give how like n tiles are to the number of the set that they are most like, whichever way up: (n,)."""
        return np.asarray(self._either_way(prints)[:, :JOKER].max(1))

    def like_a_face(self, prints: Prints) -> Array:
        """Give how like n tiles are to the number or joker of the set that they are most like: (n,)."""
        return np.asarray(self._either_way(prints)[:, :NO_FACE].max(1))

    def _either_way(self, prints: Prints) -> Array:
        return np.maximum(self.alike(prints.upright), self.alike(prints.turned))

    def weigh(self, faces: Faces, prints: Prints) -> Faces:
        """Weigh what the networks say of n tiles of one table with how like they are to this set."""
        said = [split(given) for given in faces.given_way.transpose(1, 0, 2)]
        same = (faces.given_way[:, 0] == faces.given_way[:, 1]).all(1)
        said[1][0][same] = 1 / CLASSES  # nobody looked at it that way up
        alike = self.alike(prints.upright), self.alike(prints.turned)
        colours = self.inks.likelihoods(prints.colours, _are_numbers(np.maximum(*alike)[:, :JOKER].max(1)))
        given, chances = [], []
        for (numbers, inks), likeness in zip(said, alike, strict=True):
            likely = numbers @ self.numbers.T * self._shapes(likeness)
            ink = colours * (inks @ self.ink_names.T)
            total = likely.sum(1)
            given.append(_joint(likely / total[:, None], ink / ink.sum(1, keepdims=True)))
            chances.append(total)
        ways = np.maximum(faces.ways, _LEAST_WAY) * np.array(chances).T
        ways /= ways.sum(1, keepdims=True)
        return Faces(ways.astype(np.float32), np.stack(given, 1).astype(np.float32))

    def tell_apart(self, faces: Faces, prints: Prints) -> Faces:
        """Weigh as `weigh` does, but leave which way up each tile lies, and whether it shows a face at all."""
        given = self.weigh(faces, prints).given_way
        shown = np.maximum(given.sum(2, keepdims=True), np.finfo(np.float32).tiny)
        return Faces(faces.ways, given * (faces.given_way.sum(2, keepdims=True) / shown))

    def _shapes(self, alike: Array) -> Array:
        alike = np.maximum(alike, _LEAST_ALIKE)
        alike[:, NO_FACE] = np.maximum(alike[:, NO_FACE], _NO_PRINT)
        alike[:, np.setdiff1d(np.arange(NO_FACE), self.of_class)] = self.not_taught
        return weight_of(alike, self.sharpness)

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
        chosen = self._set_of(prints)
        return chosen.weigh(faces, prints) if chosen else faces

    def know(self, image: Picture, quads: Quads) -> bool:
        """Say whether the tiles at quads (n, 4, 2) of a picture (h, w, 3) BGR are read with one of the sets."""
        return bool(self.sets) and (self.named or self._set_of(Prints.of(flat_faces(image, quads))) is not None)

    def _set_of(self, prints: Prints) -> Prototypes | None:
        return self.sets[0] if self.named else choose(self.sets, prints)


def choose(sets: Sequence[Prototypes], prints: Prints) -> Prototypes | None:
    """Give the set that a table's tiles are clearly like, and more than any other; None where there is none."""
    if len(prints.upright) < FEWEST_TILES:
        return None
    found = [(one.likeness(prints), place) for place, one in enumerate(sets)]
    alike = [(likeness.rank, place) for likeness, place in found if likeness.clear]
    return sets[max(alike)[1]] if alike else None


def weight_of(alike: Array, sharpness: float = _SHARPNESS) -> Array:
    """Say how much prints so like a number speak for it, up to a factor."""
    return np.asarray(((1 + _GRAIN - alike) / _GRAIN) ** -sharpness)


def _are_numbers(alike: Array) -> Array:
    """Say how surely tiles show a number of the set, by how like they are to one: a pattern of the table-top is not."""
    return np.asarray(np.clip((alike - _HARDLY_A_NUMBER) / (_A_NUMBER - _HARDLY_A_NUMBER), 0.01, 1))


def _joint(numbers: Array, inks: Array) -> Array:
    coloured = inks[:, :, None] * numbers[:, None, :NUMBERS]
    return np.column_stack([coloured.reshape(len(numbers), -1), numbers[:, JOKER]])


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
