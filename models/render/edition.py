"""An edition: everything that is the same on all tiles of one boxed set."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models.render.inks import Bgr, Inks, bgr_of, colour_distance, draw_ink
from models.render.ranges import Ranges

CONSONANTS, VOWELS = "bcdfklmnprstvz", "aeiou"
RED_AND_ORANGE_APART = 24.0
BLUE_AND_BLACK_APART = 24.0


class Mark(StrEnum):
    """What is printed under 6 and 9 to tell them apart."""

    NONE = "none"
    DOT = "dot"
    LINE = "line"


class DishKind(StrEnum):
    """The shallow round form behind the number."""

    NONE = "none"
    DISH = "dish"
    RING = "ring"


@dataclass(frozen=True)
class Dish:
    """A round form: radius and depth in tile widths; `y` of its centre in tile heights from the top."""

    kind: DishKind = DishKind.NONE
    radius: float = 0.4
    depth: float = 0.03
    softness: float = 0.7
    y: float = 0.36


@dataclass(frozen=True)
class Logo:
    """An invented word, embossed (`relief` in tile widths) and perhaps printed (`ink` from 0 to 1)."""

    text: str = ""
    font: str = "sans-01"
    width: float = 0.7
    y: float = 0.82
    relief: float = 0.012
    ink: float = 0.0
    above: str = ""


@dataclass(frozen=True)
class Digits:
    """The number's print: `height` and `y` of its centre in tile heights, `squeeze` of its width, `tracking`."""

    font: str = "sans-01"
    height: float = 0.3
    y: float = 0.36
    squeeze: float = 1.0
    tracking: float = 0.0
    engraved: float = 0.0
    mark: Mark = Mark.NONE


@dataclass(frozen=True)
class JokerArt:
    """The joker's picture: its kind (`models.render.jokers`), a seed for its features, its inks."""

    kind: str = "moon"
    seed: int = 0
    inks: tuple[Bgr, ...] = ((0.1, 0.1, 0.85),)
    size: float = 0.62
    y: float = 0.36


@dataclass(frozen=True)
class Edition:
    """One boxed set. Lengths are in tile widths; the tile is 1 wide and `ratio` long."""

    ratio: float
    thickness: float
    corner: float
    bevel: float
    bevel_depth: float
    face: Bgr
    side: Bgr
    digits: Digits
    inks: Inks
    dish: Dish
    logo: Logo
    jokers: JokerArt
    back_logo: bool
    gloss: float


def invented_word(rng: np.random.Generator) -> str:
    """Make up a word for a logo that is nobody's brand."""
    word = "".join(
        CONSONANTS[rng.integers(len(CONSONANTS))] + VOWELS[rng.integers(len(VOWELS))] for _ in range(rng.integers(2, 5))
    )
    word += CONSONANTS[rng.integers(len(CONSONANTS))] if rng.random() < 0.5 else ""
    return word.upper() if rng.random() < 0.15 else word.capitalize()


def draw_inks(rng: np.random.Generator, ranges: Ranges) -> Inks:
    """Draw four inks of which neither red and orange nor blue and black are confused by eye."""
    while True:
        inks = Inks(*(draw_ink(rng, ranges.ink_boxes(c)) for c in ("black", "red", "blue", "orange")))
        if (
            colour_distance(inks.red, inks.orange) >= RED_AND_ORANGE_APART
            and colour_distance(inks.blue, inks.black) >= BLUE_AND_BLACK_APART
        ):
            return inks


def draw_face_colour(rng: np.random.Generator) -> Bgr:
    """Draw a plastic from cream over neutral to bluish white."""
    kind = rng.random()
    if kind < 0.55:
        return bgr_of(rng.uniform(36, 56), rng.uniform(0.04, 0.24), rng.uniform(0.86, 0.99))
    if kind < 0.85:
        return bgr_of(rng.uniform(20, 60), rng.uniform(0.0, 0.05), rng.uniform(0.86, 1.0))
    return bgr_of(rng.uniform(195, 225), rng.uniform(0.01, 0.09), rng.uniform(0.85, 0.98))


def _draw_digits(rng: np.random.Generator, ranges: Ranges) -> Digits:
    big = rng.random() < 0.25
    height = rng.uniform(0.44, 0.6) if big else rng.uniform(0.2, 0.42)
    low = 0.30 if height < 0.3 else 0.36
    return Digits(
        font=str(rng.choice(np.array(ranges.fonts))),
        height=height,
        y=float(np.clip(rng.normal(0.42 if big else 0.37, 0.04), low - 0.02, 0.5)),
        squeeze=rng.uniform(0.82, 1.1),
        tracking=rng.uniform(-0.03, 0.06),
        engraved=rng.uniform(0.006, 0.02) if rng.random() < (0.6 if big else 0.25) else 0.0,
        mark=Mark(str(rng.choice(np.array(["none", "dot", "line"]), p=[0.6, 0.2, 0.2]))),
    )


def _draw_dish(rng: np.random.Generator, digits: Digits) -> Dish:
    if digits.height > 0.45:
        return Dish()
    kind = str(rng.choice(np.array(["none", "dish", "ring"]), p=[0.25, 0.62, 0.13]))
    return Dish(
        kind=DishKind(kind),
        radius=rng.uniform(0.33, 0.45),
        depth=rng.uniform(0.012, 0.055),
        softness=rng.uniform(0.5, 1.3),
        y=digits.y + rng.normal(0, 0.012),
    )


def _draw_logo(rng: np.random.Generator, ranges: Ranges) -> Logo:
    if rng.random() < 0.25:
        return Logo()
    return Logo(
        text=invented_word(rng),
        font=str(rng.choice(np.array(ranges.fonts))),
        width=rng.uniform(0.45, 0.8),
        y=rng.uniform(0.77, 0.87),
        relief=rng.uniform(0.004, 0.016) * (1 if rng.random() < 0.6 else -1),
        ink=rng.uniform(0.1, 0.6) if rng.random() < 0.1 else 0.0,
        above=invented_word(rng) if rng.random() < 0.4 else "",
    )


def _draw_jokers(rng: np.random.Generator, ranges: Ranges, inks: Inks, digits: Digits) -> JokerArt:
    kind = str(rng.choice(np.array(ranges.jokers)))
    any_ink = bgr_of(rng.uniform(0, 360), rng.uniform(0.6, 1), rng.uniform(0.3, 0.9))
    pair = (
        (inks.black, inks.red),
        (inks.red, inks.black),
        (inks.red,),
        (inks.black,),
        (any_ink,),
        (inks.blue, inks.orange),
    )
    chosen = pair[int(rng.choice(6, p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1]))]
    size = rng.uniform(0.55, 0.8)
    return JokerArt(kind, int(rng.integers(1 << 30)), chosen, size, float(np.clip(digits.y, 0.36, 0.48)))


def draw_edition(rng: np.random.Generator, ranges: Ranges) -> Edition:
    """Draw a whole edition."""
    face, inks, digits = draw_face_colour(rng), draw_inks(rng, ranges), _draw_digits(rng, ranges)
    dim = rng.uniform(0.78, 0.96)
    return Edition(
        ratio=rng.uniform(1.28, 1.5),
        thickness=rng.uniform(0.16, 0.42),
        corner=rng.uniform(0.03, 0.13),
        bevel=rng.uniform(0.03, 0.1),
        bevel_depth=rng.uniform(0.01, 0.06),
        face=face,
        side=(face[0] * dim, face[1] * dim, face[2] * dim),
        digits=digits,
        inks=inks,
        dish=_draw_dish(rng, digits),
        logo=_draw_logo(rng, ranges),
        jokers=_draw_jokers(rng, ranges, inks, digits),
        back_logo=bool(rng.random() < 0.3),
        gloss=rng.uniform(0.0, 1.0),
    )
