"""Draw a given table: the inverse of reading, for tests, demos and simulated games."""

from dataclasses import dataclass, field, replace

import numpy as np

from models.render.camera import Camera, camera_for
from models.render.conditions import draw_tabletop
from models.render.drawing import Rendered, render_scene
from models.render.edition import Edition, draw_edition
from models.render.layouts import Ground, Lines, RowStyle, directions, draw_row_style, place_row, row_of
from models.render.light import Light, Sensor
from models.render.ranges import Ranges, training_ranges
from models.render.scene import Scene
from models.render.scenes import Stage, dressed
from referee.table import Table

Size = tuple[int, int]
SMALLEST_TILE_PX = 12.0
SHRINK = 0.93
PACKED = 1.35
"""How many times as many tiles as comfortably lie there cover the ground wholly."""
FREE_TABLE = 0.55
"""Up to this share of the ground rows are strewn about; fuller tables are laid in lines."""


@dataclass(frozen=True)
class Style:
    """How a given table is drawn.

    `edition`: the set, drawn from `ranges` where None. `tilt`: the camera's angle from straight down is drawn between
    these. `calm`: even light, a sharp camera and nothing else on the table, as for a manual's picture.
    """

    edition: Edition | None = None
    ranges: Ranges = field(default_factory=training_ranges)
    tilt: tuple[float, float] = (0.0, 0.5)
    calm: bool = False


class TableTooLargeError(ValueError):
    """A table does not fit into the picture even with tiles of SMALLEST_TILE_PX."""


def render_table(
    table: Table, seed: int, size: Size = (1280, 960), tile_px: float = 60, *, style: Style | None = None
) -> Rendered:
    """Draw a table in full view, every tile once; its rows lie where the seed puts them.

    Tiles are made smaller than `tile_px` (the long side, at the picture's middle) where they would not fit.

    Raises:
        TableTooLargeError: they do not fit at any size; the message quotes the table.
    """
    return render_scene(table_scene(table, seed, size, tile_px, style=style))


def table_scene(
    table: Table, seed: int, size: Size = (1280, 960), tile_px: float = 60, *, style: Style | None = None
) -> Scene:
    """Lay a table out as `render_table` draws it.

    Raises:
        TableTooLargeError: see `render_table`.
    """
    style = style or Style()
    rng = np.random.default_rng([seed, 2])
    edition = style.edition or draw_edition(rng, style.ranges)
    px, stand = tile_px, _stand(rng, style)
    while px >= SMALLEST_TILE_PX:
        stage = Stage(edition, stand.camera(size, px, edition.ratio), px, style.ranges)
        ground = stage.ground(rng, 0.2 * px)
        if table.tiles.total() <= PACKED * ground.room and lay(ground, table):
            scene = Scene(edition, stage.camera, tuple(ground.placed), seed=seed, layout="table")
            return _calm(rng, stage, scene) if style.calm else dressed(rng, stage, ground, scene)
        px *= SHRINK
    msg = f"the table {str(table)!r} does not fit into {size[0]}x{size[1]} pixels"
    raise TableTooLargeError(msg)


@dataclass(frozen=True)
class _Stand:
    """A camera's pose, drawn once, whatever the size of the tiles."""

    tilt: float
    azimuth: float
    roll: float
    zoom: float

    def camera(self, size: Size, px: float, ratio: float) -> Camera:
        return camera_for(size, px, ratio, tilt=self.tilt, azimuth=self.azimuth, roll=self.roll, zoom=self.zoom)


def _stand(rng: np.random.Generator, style: Style) -> _Stand:
    return _Stand(
        float(rng.uniform(*style.tilt)),
        float(rng.normal(0, 0.2)),
        float(rng.normal(0, 0.04)),
        float(rng.uniform(0.9, 1.4)),
    )


def _calm(rng: np.random.Generator, stage: Stage, scene: Scene) -> Scene:
    top = draw_tabletop(rng, stage.ranges, stage.camera)
    name = f"{stage.ranges.name}-{stage.ranges.version}"
    return replace(scene, tabletop=top, light=Light(), sensor=Sensor(), ranges=name)


def lay(ground: Ground, table: Table) -> bool:
    """Lay all rows of a table on bare ground: strewn about, or in lines where it is full; says whether they fitted."""
    rng, free = ground.rng, ground.taken.copy()
    rows = sorted(table.rows, key=len, reverse=True)
    if table.tiles.total() < FREE_TABLE * ground.room:
        style, angles = draw_row_style(rng), directions(rng, ground.turn)
        margin = rng.uniform(0.12, 0.4)
        if all(place_row(ground, row_of(rng, list(row), style, ground.ratio), angles, margin) for row in rows):
            return True
        ground.taken[:] = free
        ground.placed.clear()
    return _in_lines(ground, table)


def _in_lines(ground: Ground, table: Table) -> bool:
    tidy = RowStyle(gap=0.01, gap_spread=0.01, stagger=0.02, turn=0.006)
    pen, waiting = Lines(ground, tidy), list(table.rows)
    while waiting and not pen.full:
        if pen.lay(list(waiting[0])):
            waiting.pop(0)
    return not waiting
