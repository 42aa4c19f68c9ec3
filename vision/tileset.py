"""One owner's tiles, as they were taught: flat patches of each face, and what the owner calls the inks.

The patches themselves are kept, not what some network made of them: newer weights look at them anew.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from referee.tiles import COLOURS, JOKER, NUMBERED, Colour, Tile
from vision.errors import TileSetError
from vision.patches import PatchShape

KEPT = PatchShape(108, 144, 1.8)
"""How taught tiles are kept: upright, with a wide margin, so that they can be cut anew."""
JOKERS = 2
MOST_LOOKS = 6
"""So many pictures of each face are kept, the newest."""
_LONGEST_NAME = 40


@dataclass(frozen=True, eq=False)
class TaughtTile:
    """One tile in one picture.

    `face`: what it is, None for a tile face down. `pixels`: uint8 BGR (144, 108, 3), the tile upright in the middle.
    `photo`: the number of its picture, so that tiles seen in one light are known to be.
    """

    face: Tile | None
    pixels: NDArray[np.uint8]
    photo: int


class InkName(NamedTuple):
    """What the owner calls the ink of a colour of the notation: B is green."""

    colour: Colour
    name: str

    def __str__(self) -> str:
        """Give the notation, `B=green`."""
        return f"{self.colour.value}={self.name}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `B=green`.

        Raises:
            TileSetError: it is none; the message quotes it.
        """
        letter, _, name = text.partition("=")
        name = " ".join(name.split()).lower()
        if letter.strip().upper() not in list("KRBO") or not name or len(name) > _LONGEST_NAME:
            msg = f"the ink {text!r} is none: write K, R, B or O and what you call it, such as B=green"
            raise TileSetError(msg)
        return cls(Colour(letter.strip().upper()), name)


@dataclass(frozen=True, eq=False)
class TileSet:
    """A taught set, perhaps unfinished: its tiles in the order they were seen, and names of inks that are not usual."""

    name: str
    tiles: tuple[TaughtTile, ...] = ()
    inks: Mapping[Colour, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse names that are none."""
        if self.name != checked_name(self.name):
            msg = f"the name {self.name!r} of a set of tiles has spaces at its ends"
            raise TileSetError(msg)

    @property
    def faces(self) -> Counter[Tile]:
        """Count the pictures of each face."""
        return Counter(tile.face for tile in self.tiles if tile.face)

    @property
    def missing(self) -> tuple[Tile, ...]:
        """The faces that no picture shows, black first; jokers were seen as often as pictures show them."""
        seen = self.faces
        return (*(face for face in NUMBERED if not seen[face]), *[JOKER] * max(0, JOKERS - seen[JOKER]))

    @property
    def finished(self) -> bool:
        """Whether every face was seen."""
        return not self.missing

    @property
    def photos(self) -> int:
        """How many pictures it was taught from so far; the next one has this number."""
        return 1 + max((tile.photo for tile in self.tiles), default=-1)

    def named(self, names: Iterable[InkName]) -> "TileSet":
        """Call inks by other names."""
        return replace(self, inks={**self.inks, **{one.colour: one.name for one in names}})

    def seen(self, tiles: Iterable[TaughtTile]) -> "TileSet":
        """Add tiles; of each face the newest `MOST_LOOKS` are kept."""
        left: Counter[Tile | None] = Counter()
        kept = []
        for tile in reversed((*self.tiles, *tiles)):
            left[tile.face] += 1
            if left[tile.face] <= MOST_LOOKS * (JOKERS if tile.face == JOKER else 1):
                kept.append(tile)
        return replace(self, tiles=tuple(kept[::-1]))


def checked_name(name: str) -> str:
    """Give a set's name without spaces around it.

    Raises:
        TileSetError: it is empty, too long, or has signs that no file name should have.
    """
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST_NAME or not all(c.isalnum() or c in " -_'." for c in name) or name[0] == ".":
        msg = f"{name!r} cannot name a set of tiles: take up to {_LONGEST_NAME} letters, digits and spaces"
        raise TileSetError(msg)
    return name


def ink_index(tile: Tile) -> int:
    """Give the place of a tile's ink in every array of inks; -1 for a joker."""
    return -1 if tile.is_joker else COLOURS.index(tile.colour)
