"""An edition: everything that is the same on all tiles of one boxed set."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models.render.inks import Bgr, Inks, bgr_of, colour_distance, draw_ink
from models.render.ranges import Ranges

CONSONANTS, VOWELS = "bcdfklmnprstvz", "aeiou"
RED_AND_ORANGE_APART = 24.0
BLUE_AND_BLACK_APART = 24.0
SHORTEST, LONGEST = 1.28, 1.5


class Mark(StrEnum):
    """What is printed under 6 and 9 to tell them apart."""

    NONE = "none"
    DOT = "dot"
    LINE = "line"


class Emblem(StrEnum):
    """A small sign under every number, in its ink."""

    NONE = "none"
    DISC = "disc"
    RING = "ring"
    DIAMOND = "diamond"


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
    """The number's print.

    `height` and `y` of its centre in tile heights; `squeeze` of its width; `tracking` between digits; `engraved`: its
    depth in tile widths; `wear`: the share of ink rubbed off; `loose`: how far prints miss their place, in tile
    heights.
    """

    font: str = "sans-01"
    height: float = 0.3
    y: float = 0.36
    squeeze: float = 1.0
    tracking: float = 0.0
    engraved: float = 0.0
    mark: Mark = Mark.NONE
    emblem: Emblem = Emblem.NONE
    wear: float = 0.0
    loose: float = 0.0


@dataclass(frozen=True)
class JokerArt:
    """The joker's picture: its kind (`models.render.jokers`), a seed for its features, its inks, its letters' font."""

    kind: str = "moon"
    seed: int = 0
    inks: tuple[Bgr, ...] = ((0.1, 0.1, 0.85),)
    size: float = 0.62
    y: float = 0.36
    font: str = "sans-01"


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
    if kind < 0.82:
        return bgr_of(rng.uniform(20, 60), rng.uniform(0.0, 0.05), rng.uniform(0.86, 1.0))
    if kind < 0.86:
        return bgr_of(rng.uniform(30, 55), rng.uniform(0.2, 0.42), rng.uniform(0.78, 0.95))
    return bgr_of(rng.uniform(195, 225), rng.uniform(0.01, 0.09), rng.uniform(0.85, 0.98))


class Make(StrEnum):
    """Families of editions, with what is usual together in each."""

    CLASSIC = "classic"
    BIG = "big"
    FREE = "free"


def _font(rng: np.random.Generator, ranges: Ranges, styles: tuple[str, ...] = ()) -> str:
    fonts = [f for f in ranges.fonts if not styles or f.startswith(styles)]
    return fonts[int(rng.integers(len(fonts)))]


def _either(rng: np.random.Generator, kinds: type[StrEnum], shares: tuple[float, ...]) -> str:
    return str(rng.choice(np.array(list(kinds)), p=shares))


def _draw_digits(rng: np.random.Generator, ranges: Ranges, make: Make) -> Digits:
    smallest, largest, middle, spread = {
        Make.CLASSIC: (0.24, 0.36, 0.36, 0.02),
        Make.BIG: (0.46, 0.62, 0.42, 0.03),
        Make.FREE: (0.2, 0.56, 0.4, 0.06),
    }[make]
    height, y = rng.uniform(smallest, largest), rng.normal(middle, spread)
    upper = 0.14 + height / 2
    signed = make is Make.FREE and y < 0.42 and rng.random() < 0.2
    styles = () if make is Make.FREE else ("sans", "narrow", "geometric")
    return Digits(
        font=_font(rng, ranges, styles),
        height=height,
        y=float(np.clip(y, min(upper, 0.46), 0.52)),
        squeeze=rng.uniform(0.82, 1.1),
        tracking=rng.uniform(-0.03, 0.06),
        engraved=rng.uniform(0.006, 0.022) if rng.random() < (0.7 if make is Make.BIG else 0.25) else 0.0,
        mark=Mark(_either(rng, Mark, (0.6, 0.2, 0.2))),
        emblem=Emblem(_either(rng, Emblem, (0.0, 0.4, 0.3, 0.3))) if signed else Emblem.NONE,
        wear=rng.uniform(0.05, 0.3) if rng.random() < 0.15 else 0.0,
        loose=rng.uniform(0.0, 0.012),
    )


def _draw_dish(rng: np.random.Generator, digits: Digits, make: Make) -> Dish:
    """Draw the dish, as near to the number's middle as the tile's edge lets it be."""
    shares = {Make.CLASSIC: (0.1, 0.85, 0.05), Make.BIG: (1.0, 0.0, 0.0), Make.FREE: (0.45, 0.4, 0.15)}[make]
    radius = rng.uniform(0.33, 0.45)
    return Dish(
        kind=DishKind(_either(rng, DishKind, shares)),
        radius=radius,
        depth=rng.uniform(0.01, 0.04),
        softness=rng.uniform(0.6, 1.5),
        y=max(digits.y + rng.normal(0, 0.012), (radius + 0.05) / SHORTEST),
    )


def _draw_logo(rng: np.random.Generator, ranges: Ranges, make: Make, digits: Digits) -> Logo:
    """Draw the logo, below the number where there is room."""
    below = digits.y + digits.height / 2
    if below > 0.8 or digits.emblem is not Emblem.NONE or rng.random() < (0.4 if make is Make.FREE else 0.08):
        return Logo()
    return Logo(
        text=invented_word(rng),
        font=_font(rng, ranges),
        width=rng.uniform(0.45, 0.8),
        y=rng.uniform(0.84, 0.9) if below > 0.64 else rng.uniform(0.74, 0.86),
        relief=rng.uniform(0.003, 0.014) * (1 if rng.random() < 0.6 else -1),
        ink=rng.uniform(0.1, 0.6) if make is Make.FREE and rng.random() < 0.2 else rng.uniform(0, 0.08),
        above=invented_word(rng) if rng.random() < 0.55 else "",
    )


def _draw_jokers(rng: np.random.Generator, ranges: Ranges, inks: Inks, dish: Dish) -> JokerArt:
    usual = [kind for kind in ("moon", "ringed") if kind in ranges.jokers]
    kind = str(rng.choice(np.array(usual if usual and rng.random() < 0.35 else ranges.jokers)))
    any_ink = bgr_of(rng.uniform(0, 360), rng.uniform(0.6, 1), rng.uniform(0.3, 0.9))
    black, red = inks.black, inks.red
    pairs = ((black, red), (red, black), (red,), (black,), (any_ink,), (inks.blue, inks.orange))
    chosen = pairs[int(rng.choice(6, p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1]))]
    dished = dish.kind is not DishKind.NONE
    size = 2 * dish.radius * rng.uniform(0.75, 1.0) if dished else rng.uniform(0.5, 0.85)
    y = dish.y if dished else rng.uniform(0.36, 0.46)
    return JokerArt(kind, int(rng.integers(1 << 30)), chosen, size, y, _font(rng, ranges))


def draw_edition(rng: np.random.Generator, ranges: Ranges) -> Edition:
    """Draw a whole edition."""
    make = Make(_either(rng, Make, (0.4, 0.15, 0.45)))
    face, inks, digits = draw_face_colour(rng), draw_inks(rng, ranges), _draw_digits(rng, ranges, make)
    dish, dim = _draw_dish(rng, digits, make), rng.uniform(0.78, 0.97)
    return Edition(
        ratio=rng.uniform(SHORTEST, LONGEST),
        thickness=rng.uniform(0.09, 0.26) if make is Make.CLASSIC else rng.uniform(0.12, 0.4),
        corner=rng.uniform(0.03, 0.13),
        bevel=rng.uniform(0.03, 0.1),
        bevel_depth=rng.uniform(0.008, 0.05),
        face=face,
        side=(face[0] * dim, face[1] * dim, face[2] * dim),
        digits=digits,
        inks=inks,
        dish=dish,
        logo=_draw_logo(rng, ranges, make, digits),
        jokers=_draw_jokers(rng, ranges, inks, dish),
        back_logo=bool(rng.random() < 0.3),
    )
