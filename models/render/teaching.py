"""A boxed set laid out to be taught, and tables of unusual sets: what `models.taught` measures on.

The owner lays four rows of 1 to 13, one for each ink in any order, and the jokers, and takes a photo of them.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from models.render.camera import camera_for
from models.render.conditions import draw_light, draw_sensor, draw_tabletop
from models.render.dealing import deal_row, new_bag
from models.render.edition import Edition, draw_edition, draw_inks
from models.render.inks import InkBox, colour_distance, draw_ink
from models.render.layouts import RowStyle, moved, row_of
from models.render.placement import Placement
from models.render.ranges import Ranges
from models.render.scene import Scene
from models.render.tables import Style, table_scene
from referee.table import Table
from referee.tiles import COLOURS, HIGHEST, JOKER, LOWEST, Colour, Tile

SIZE = (1600, 1200)
ODD_INKS = {
    Colour.BLUE: ("green", InkBox(100, 150, 0.55, 1.0, 0.32, 0.65, 1)),
    Colour.BLACK: ("purple", InkBox(268, 298, 0.50, 0.90, 0.25, 0.50, 1)),
    Colour.ORANGE: ("brown", InkBox(18, 30, 0.55, 0.85, 0.30, 0.50, 1)),
}
"""What an unusual set prints instead of an ink: its name and where it is drawn from."""
LEAST_APART = 24.0
_TEACHING_LONG_SIDES = (70.0, 105.0)
_TABLE_LONG_SIDES = (45.0, 85.0)
_ROW_GAP = 0.35
_JOKER_ROW_GAP = 0.7


@dataclass(frozen=True)
class OddSet:
    """An edition with some inks that no usual set has, and what their owner calls them."""

    edition: Edition
    names: tuple[tuple[Colour, str], ...]


def odd_set(rng: np.random.Generator, ranges: Ranges) -> OddSet:
    """Draw a set of which one to three inks are odd, the rest as the ranges have it; no two are confused by eye."""
    edition = draw_edition(rng, ranges)
    odd = [c for c in ODD_INKS if rng.random() < 0.6] or [Colour.BLUE]
    while True:
        changed = {c.name.lower(): draw_ink(rng, (ODD_INKS[c][1],)) for c in odd}
        inks = replace(draw_inks(rng, ranges), **changed)
        if min(colour_distance(inks.of(a), inks.of(b)) for a, b in combinations(COLOURS, 2)) >= LEAST_APART:
            return OddSet(replace(edition, inks=inks), tuple((c, ODD_INKS[c][0]) for c in odd))


def spread_out(rng: np.random.Generator, ratio: float) -> list[Placement]:
    """Lay the four rows and the jokers round (0, 0); now and then the jokers end a row, or rows lie upside down."""
    style = RowStyle(gap=float(rng.uniform(0, 0.12)), gap_spread=0.02, stagger=0.03, turn=0.012)
    rows = [[Tile(COLOURS[i], n) for n in range(LOWEST, HIGHEST + 1)] for i in rng.permutation(4)]
    jokers = [JOKER, JOKER]
    if rng.random() < 0.25:
        rows[int(rng.integers(4))] += jokers
    else:
        rows.append(jokers)
    upside_down = np.pi if rng.random() < 0.25 else 0.0
    placed: list[Placement] = []
    y = -2.3 * (ratio + _ROW_GAP)
    for number, row in enumerate(rows):
        y += ratio + (_JOKER_ROW_GAP if row == jokers else _ROW_GAP)
        turn = rng.normal(0, 0.015) + upside_down
        laid = moved(row_of(rng, row, style, ratio), np.array([rng.normal(0, 0.2), y - ratio]), float(turn))
        placed += [replace(p, row=number) for p in laid]
    return _both_jokers(placed)


def _both_jokers(placed: list[Placement]) -> list[Placement]:
    which = iter(range(len(placed)))
    return [replace(p, which=next(which)) if p.tile == JOKER else p for p in placed]


def teaching_scene(seed: int, edition: Edition, ranges: Ranges, tiles: list[Placement] | None = None) -> Scene:
    """Photograph a set laid out to be taught, in any light, from above or somewhat aslant.

    Args:
        seed: the same seed gives the same picture.
        edition: the set.
        ranges: what table-tops are drawn from.
        tiles: what is laid out; the whole set where None.
    """
    rng = np.random.default_rng([seed, 5])
    px = float(rng.uniform(*_TEACHING_LONG_SIDES))
    placed = spread_out(rng, edition.ratio) if tiles is None else tiles
    camera = camera_for(
        SIZE, px, edition.ratio, tilt=float(rng.uniform(0, 0.45)), azimuth=float(rng.normal(0, 0.15)),
        roll=float(rng.normal(0, 0.05)), zoom=float(rng.uniform(0.9, 1.4)),
    )  # fmt: skip
    top = draw_tabletop(rng, ranges, camera)
    light, sensor = draw_light(rng), draw_sensor(rng, px)
    return Scene(edition, camera, tuple(placed), top, light, sensor, seed=seed, layout="teaching", ranges=ranges.name)


def random_table(rng: np.random.Generator, count: int) -> Table:
    """Deal a table of about `count` tiles: melds, some of them illegal, and jokers."""
    bag, rows = new_bag(rng), list[tuple[Tile, ...]]()
    while sum(map(len, rows)) < count and bag.size:
        rows.append(tuple(deal_row(rng, bag, illegal=0.25, joker=0.2)))
    return Table.of(rows)


def table_of_set(seed: int, edition: Edition, ranges: Ranges) -> Scene:
    """Draw a table of 20 to 60 tiles of a set under any light, as it is read in a game."""
    rng = np.random.default_rng([seed, 6])
    table, px = random_table(rng, int(rng.integers(20, 61))), float(rng.uniform(*_TABLE_LONG_SIDES))
    return table_scene(table, seed, SIZE, px, style=Style(edition, ranges, tilt=(0.0, 0.6)))
