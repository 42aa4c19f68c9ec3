"""The tiles of the set (RULEBOOK section 1) and their notation.

A tile is written as its colour's letter and its number, `R7`; the joker is `J`. Tiles are a multiset of faces:
two copies of `R7` are equal, a camera cannot tell them apart.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import NamedTuple, Self

from referee.errors import NotationError

LOWEST, HIGHEST = 1, 13


class Colour(StrEnum):
    """The ink of a tile, by its letter in the notation; a joker's face has none of the four."""

    BLACK = "K"
    RED = "R"
    BLUE = "B"
    ORANGE = "O"
    JOKER = "J"


COLOURS = (Colour.BLACK, Colour.RED, Colour.BLUE, Colour.ORANGE)


class Tile(NamedTuple):
    """One face: a colour and a number from 1 to 13, or the joker (`JOKER`, number 0)."""

    colour: Colour
    number: int

    @property
    def is_joker(self) -> bool:
        """Whether this is the joker."""
        return self.number == 0

    def __str__(self) -> str:
        """Give the notation: `R7`, or `J`."""
        return "J" if self.is_joker else f"{self.colour.value}{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read one tile, `R7` or `J`, upper or lower case.

        Raises:
            NotationError: `text` is no tile of the set; the message quotes it.
        """
        tile = _BY_NOTATION.get(text.strip().upper())
        if tile is None:
            msg = f"{text!r} is no tile: write a colour K, R, B or O and a number 1 to 13 (R7), or J for a joker"
            raise NotationError(msg)
        return cls(*tile)


JOKER = Tile(Colour.JOKER, 0)
NUMBERED = tuple(Tile(c, n) for c in COLOURS for n in range(LOWEST, HIGHEST + 1))
_BY_NOTATION = {str(t): t for t in (*NUMBERED, JOKER)}


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read tiles separated by spaces, in order; the empty text and `-` are no tiles.

    Raises:
        NotationError: a word is no tile; the message quotes it.
    """
    return () if text.strip() in ("", "-") else tuple(Tile.parse(word) for word in text.split())


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Give tiles separated by spaces, in the order given."""
    return " ".join(map(str, tiles))


@cache
def full_set(copies: int = 2, jokers: int = 2) -> Counter[Tile]:
    """Count every tile of a set (RULEBOOK 1.1, 1.2); treat the result as read-only, it is shared."""
    return Counter({**dict.fromkeys(NUMBERED, copies), JOKER: jokers})
