"""Draw whole scenes at random from ranges."""

from dataclasses import dataclass, replace

import numpy as np

from models.render.camera import Camera, camera_for, clipped
from models.render.conditions import draw_edge, draw_hand, draw_light, draw_sensor, draw_tabletop, draw_things
from models.render.dealing import Bag, new_bag
from models.render.drawing import Rendered, render_scene
from models.render.edition import Edition, draw_edition
from models.render.layouts import LAYOUTS, Ground
from models.render.racks import draw_rack, tiles_on
from models.render.ranges import Ranges, training_ranges
from models.render.scene import RackBody, Scene

Size = tuple[int, int]
Rng = np.random.Generator
WITH_MELDS = ("melds", "lines", "mixed", "empty", "rack")
HANDS, EDGES, TURNED_RACKS = 0.1, 0.12, 0.1
STEEPEST = np.radians(82)
FARTHEST = 1.7
"""Tiles lie at most so much farther than the middle of the picture."""

WEIGHTS = {
    "melds": 0.34, "lines": 0.14, "scatter": 0.10, "cluster": 0.09, "grid": 0.06, "rack": 0.10, "pool": 0.03,
    "mixed": 0.11, "empty": 0.03,
}  # fmt: skip


def draw_camera(rng: Rng, size: Size, tile_px: float, ratio: float, *, oblique: bool = False) -> Camera:
    """Draw where the camera stands: overhead, a little aslant, or from a seat at the table."""
    zoom = float(rng.uniform(0.8, 1.6))
    kind = rng.random()
    tilt = rng.uniform(0, 0.12) if kind < 0.4 else rng.uniform(0.1, 0.5) if kind < 0.75 else rng.uniform(0.4, 0.9)
    if oblique:
        tilt = rng.uniform(0.35, 1.1)
    half_view = np.arctan(0.5 * min(size) / max(size) / zoom)
    roll = rng.normal(0, 0.05) if rng.random() < 0.6 or oblique else rng.uniform(-np.pi, np.pi)
    azimuth = (
        rng.normal(0, 0.25) if oblique else rng.uniform(-np.pi, np.pi) if rng.random() < 0.3 else rng.normal(0, 0.3)
    )
    return camera_for(
        size,
        tile_px,
        ratio,
        tilt=float(min(tilt, STEEPEST - half_view)),
        azimuth=float(azimuth),
        roll=float(roll),
        zoom=zoom,
        distortion=float(rng.normal(0, 0.04)) if rng.random() < 0.3 else 0.0,
    )


def view(camera: Camera, margin_px: float) -> np.ndarray:
    """Give the outline (n, 2), in tile widths, of the part of the table in view and not too far away.

    `margin_px`: how far inside the frame it stays (outside where negative).
    """
    w, h = camera.size
    m = margin_px
    frame = camera.on_table(np.array([[m, m], [w - m, m], [w - m, h - m], [m, h - m]], float))
    back = camera.rotation[2, :2]
    far = (FARTHEST - 1) * camera.distance
    relative = frame - camera.target
    return camera.target + clipped(relative, back, far)


@dataclass(frozen=True)
class Stage:
    """What must be known before anything is laid down: the edition, the camera, the ranges of the rest."""

    edition: Edition
    camera: Camera
    tile_px: float
    ranges: Ranges

    def ground(self, rng: Rng, margin_px: float) -> Ground:
        """Give the bare table in view, `margin_px` inside the frame."""
        turn, thickness = self.camera.right_on_table, self.edition.thickness
        return Ground(rng, view(self.camera, margin_px), self.edition.ratio, turn=turn, thickness=thickness)


def dressed(rng: Rng, stage: Stage, ground: Ground, scene: Scene) -> Scene:
    """Add to a scene what is not tiles."""
    things = draw_things(rng, ground)
    return replace(
        scene,
        tabletop=draw_tabletop(rng, stage.ranges, stage.camera),
        light=draw_light(rng),
        sensor=draw_sensor(rng, stage.tile_px),
        things=(*things, draw_hand(rng, ground)) if rng.random() < HANDS else things,
        ranges=f"{stage.ranges.name}-{stage.ranges.version}",
    )


def draw_scene(
    seed: int,
    size: Size = (640, 640),
    tile_px: tuple[float, float] = (24, 110),
    ranges: Ranges | None = None,
    *,
    layouts: tuple[str, ...] = tuple(WEIGHTS),
) -> Scene:
    """Draw a scene: any layout, 0 to 106 tiles, within the ranges (the training's unless told).

    Args:
        seed: the same seed and sizes give the same scene.
        size: the picture's (width, height).
        tile_px: the long side of a tile at the picture's middle is drawn between these, small ones more often.
        ranges: what fonts, inks, jokers and table-tops are drawn from.
        layouts: the kinds of layout to draw from, of `WEIGHTS`.
    """
    rng, ranges = np.random.default_rng([seed, 0]), ranges or training_ranges()
    weights = np.array([WEIGHTS[kind] for kind in layouts])
    kind = layouts[int(rng.choice(len(layouts), p=weights / weights.sum()))]
    px = float(np.exp(rng.uniform(*np.log(tile_px))))
    edition = draw_edition(rng, ranges)
    oblique = kind == "rack" or (kind == "mixed" and rng.random() < 0.5)
    stage = Stage(edition, draw_camera(rng, size, px, edition.ratio, oblique=oblique), px, ranges)
    margin = px * (rng.uniform(-0.7, -0.2) if rng.random() < 0.5 else rng.uniform(0.0, 0.4))
    ground = stage.ground(rng, float(margin))
    edge = draw_edge(rng, stage.ranges, stage.camera, ground) if rng.random() < EDGES else None
    racks = _lay(kind, ground, new_bag(rng, many_jokers=ranges.many_jokers), stage)
    scene = Scene(edition, stage.camera, tuple(ground.placed), racks=racks, edge=edge, seed=seed, layout=kind)
    return dressed(rng, stage, ground, replace(scene, melds_labelled=kind in WITH_MELDS))


def _lay(kind: str, ground: Ground, bag: Bag, stage: Stage) -> tuple[RackBody, ...]:
    """Lay tiles out; gives the racks that hold some of them."""
    rng = ground.rng
    count = int(np.clip(rng.uniform(0.15, 1.1) * ground.room, 1, bag.size))
    if kind == "empty":
        return ()
    if kind in LAYOUTS:
        LAYOUTS[kind](rng, ground, bag, count)
        return ()
    rack = stand_rack(rng, ground, bag, stage)
    if kind == "mixed" or rng.random() < 0.3:
        LAYOUTS["melds"](rng, ground, bag, count // 2)
        if rng.random() < 0.5:
            LAYOUTS["pool"](rng, ground, bag, count // 4)
    if kind == "mixed" and rng.random() < 0.4:
        LAYOUTS["scatter"](rng, ground, bag, 4)
    return (rack,)


def stand_rack(rng: Rng, ground: Ground, bag: Bag, stage: Stage) -> RackBody:
    """Stand a rack with tiles somewhere in view, facing the camera more or less."""
    at = ground.middle + (ground.spot(3) - ground.middle) * (0.4, 0.5)
    facing = stage.camera.right_on_table + rng.normal(0, 0.2) + (np.pi if rng.random() < TURNED_RACKS else 0)
    rack = draw_rack(rng, at, float(facing), stage.edition.thickness)
    tiles = tiles_on(rack, bag, int(rng.integers(3, 30)), stage.edition.ratio)
    c, s = np.cos(rack.angle), np.sin(rack.angle)
    wide, deep = (rack.length + 0.5) / 2, rack.step * rack.tiers + 2.2
    foot = np.array([[-wide, -deep], [wide, -deep], [wide, 1.0], [-wide, 1.0]])
    ground.cover(foot @ np.array([[c, s], [-s, c]]) + at)
    ground.put(tiles)
    return rack


def random_scene(
    seed: int, size: Size = (640, 640), tile_px: tuple[float, float] = (24, 110), ranges: Ranges | None = None
) -> Rendered:
    """Draw a random scene's picture and truth (see `draw_scene`)."""
    return render_scene(draw_scene(seed, size, tile_px, ranges))
