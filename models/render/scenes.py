"""Draw whole scenes at random from ranges, or round a given table."""

from dataclasses import dataclass, replace

import numpy as np

from models.render.camera import Camera, camera_for
from models.render.clutter import SIZES
from models.render.dealing import Bag, new_bag
from models.render.drawing import Rendered, render_scene
from models.render.edition import Edition, draw_edition
from models.render.inks import Bgr, bgr_of
from models.render.layouts import CELLS, LAYOUTS, Ground, draw_row_style, hull, moved, place_row, row_of
from models.render.light import Light, Sensor, Spot
from models.render.placement import Placement
from models.render.racks import draw_rack, tiles_on
from models.render.ranges import Ranges, training_ranges
from models.render.scene import RackBody, Scene, TableTop, Thing
from referee.table import Table, Where
from referee.tiles import Tile

Size = tuple[int, int]
Rng = np.random.Generator
STEEPEST = np.radians(82)

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


def view(camera: Camera) -> tuple[float, float]:
    """Give half the width and height of the table's part to lay tiles on, about the target, in tile widths."""
    w, h = camera.size
    edge = np.array([[0, h / 2], [w, h / 2], [w / 2, 0], [w / 2, h]])
    on = camera.on_table(edge)
    reach = np.abs(on - camera.target).max(1)
    corners = np.abs(camera.on_table(np.array([[0, 0], [w, 0], [w, h], [0, h]])) - camera.target)
    half = np.minimum(corners.max(0), reach.max() * 1.2)
    scale = max(w, h) / (2 * camera.focal) * camera.distance
    return tuple(float(v) for v in np.clip(half, 1.0, 1.6 * scale))  # type: ignore[return-value]


def _temperature(rng: Rng) -> Bgr:
    """Draw the colour of the light, from warm lamp to blue sky."""
    kind = rng.random()
    if kind < 0.45:
        warm = rng.normal(0, 0.05)
    elif kind < 0.8:
        warm = rng.uniform(0.05, 0.4)
    else:
        warm = -rng.uniform(0.05, 0.22)
    tint = rng.normal(0, 0.02)
    return (float(1 - warm), float(1 + tint - 0.15 * max(warm, 0)), float(1 + 0.35 * warm))


def _spot(rng: Rng, strength: float, radii: tuple[float, float], softness: float = 0.05) -> Spot:
    return Spot(
        rng.uniform(0, 1), rng.uniform(0, 0.9), rng.uniform(*radii), rng.uniform(0.7, 4), rng.uniform(0, np.pi),
        rng.uniform(softness, 1.8), strength,
    )  # fmt: skip


def draw_light(rng: Rng) -> Light:
    """Draw the light of a scene, from soft daylight to one warm lamp."""
    hard = rng.random()
    shades = rng.integers(1, 4) if rng.random() < 0.4 else 0
    glaring = rng.random() < 0.22
    return Light(
        azimuth=rng.uniform(-np.pi, np.pi),
        elevation=rng.uniform(0.45, 1.4),
        relief=rng.uniform(0.25, 1.3),
        shadow=rng.uniform(0.2, 0.85),
        blur=0.04 + 0.4 * (1 - hard) * rng.random(),
        gains=_temperature(rng),
        falloff=rng.uniform(0, 0.9) * rng.random(),
        falloff_angle=rng.uniform(-np.pi, np.pi),
        vignette=rng.uniform(0, 0.8) if rng.random() < 0.35 else rng.uniform(0, 0.15),
        shadows=tuple(_spot(rng, rng.uniform(0.15, 0.6), (0.05, 0.5)) for _ in range(shades)),
        glares=tuple(_spot(rng, rng.uniform(0.04, 0.3), (0.08, 0.4), 0.9) for _ in range(rng.integers(1, 4)))
        if glaring
        else (),
        glare_colour=bgr_of(rng.uniform(20, 60) if rng.random() < 0.6 else 210, rng.uniform(0, 0.25), 1.0),
        sheen=rng.uniform(0.1, 0.75) if rng.random() < (0.6 if glaring else 0.15) else 0.0,
        sheen_colour=bgr_of(rng.uniform(15, 50), rng.uniform(0.05, 0.5), rng.uniform(0.35, 0.9)),
    )


def draw_sensor(rng: Rng, tile_px: float) -> Sensor:
    """Draw a camera's faults, blur in proportion to the tiles so that a person could still read them."""
    blurred, poor = rng.random() < 0.35, rng.random() < 0.3
    return Sensor(
        exposure=float(np.exp(rng.normal(-0.02, 0.22))) * (rng.uniform(0.35, 0.8) if rng.random() < 0.12 else 1.0),
        gamma=rng.uniform(0.8, 1.3),
        contrast=rng.uniform(-0.1, 0.3),
        saturation=rng.uniform(0.7, 1.3),
        focus_px=rng.uniform(0.3, 0.028 * tile_px + 0.4) if blurred else rng.uniform(0.0, 0.5),
        motion_px=rng.uniform(1.5, 0.09 * tile_px + 1.6) if rng.random() < 0.12 else 0.0,
        motion_angle=rng.uniform(0, np.pi),
        noise=rng.uniform(1, 10) if poor else rng.uniform(0, 2.5),
        coarse_noise=rng.uniform(0, 7) if poor else 0.0,
        sharpen=rng.uniform(0.2, 1.2) if rng.random() < 0.4 else 0.0,
        jpeg=int(rng.integers(35, 96)) if rng.random() < 0.6 else 0,
    )


def draw_tabletop_of(rng: Rng, ranges: Ranges, camera: Camera) -> TableTop:
    """Draw a table-top, its pattern about as fine as the picture."""
    px = camera.focal / camera.distance
    return TableTop(
        str(rng.choice(np.array(ranges.tabletops))),
        int(rng.integers(1 << 30)),
        rng.uniform(-np.pi, np.pi) if rng.random() < 0.4 else rng.normal(0, 0.1),
        px * rng.uniform(0.5, 1.1),
    )


def draw_things(rng: Rng, ground: Ground) -> tuple[Thing, ...]:
    """Draw what else lies about: in free places, sometimes under the tiles, and hands over them."""
    out = []
    still = [kind for kind in SIZES if kind not in ("hand", "arm")]
    for _ in range(int(rng.poisson(1.1))):
        kind = still[int(rng.integers(len(still)))]
        size = rng.uniform(*SIZES[kind])
        for _ in range(8):
            at = ground.spot(0)
            around = at + size * 0.6 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
            if (kind == "paper" and rng.random() < 0.2) or ground.claim(around):
                out.append(Thing(kind, int(rng.integers(1 << 30)), *map(float, at), rng.uniform(-np.pi, np.pi), size))
                break
    if rng.random() < 0.1:
        kind = "hand" if rng.random() < 0.8 else "arm"
        side = rng.uniform(-np.pi, np.pi)
        reach = rng.uniform(0.4, 1.0)
        at = reach * np.array([-np.sin(side), np.cos(side)]) * ground.half
        out.append(
            Thing(
                kind, int(rng.integers(1 << 30)), *map(float, at), side + rng.normal(0, 0.3), rng.uniform(*SIZES[kind])
            )
        )
    return tuple(out)


@dataclass(frozen=True)
class Stage:
    """An edition and a camera: what must be known before anything is laid down."""

    edition: Edition
    camera: Camera
    tile_px: float
    oblique: bool


def draw_stage(rng: Rng, size: Size, tile_px: float, ranges: Ranges, *, oblique: bool = False) -> Stage:
    """Draw an edition and a camera."""
    edition = draw_edition(rng, ranges)
    return Stage(edition, draw_camera(rng, size, tile_px, edition.ratio, oblique=oblique), tile_px, oblique)


def _dressed(rng: Rng, stage: Stage, ranges: Ranges, ground: Ground, scene: Scene) -> Scene:
    """Add what is not tiles."""
    return replace(
        scene,
        tabletop=draw_tabletop_of(rng, ranges, stage.camera),
        light=draw_light(rng),
        sensor=draw_sensor(rng, stage.tile_px),
        things=draw_things(rng, ground),
        ranges=f"{ranges.name}-{ranges.version}",
    )


def draw_scene(
    seed: int, size: Size = (640, 640), tile_px: tuple[float, float] = (24, 110), ranges: Ranges | None = None
) -> Scene:
    """Draw a scene: any layout, 0 to 106 tiles, within the ranges (the training's unless told).

    Args:
        seed: the same seed and sizes give the same scene.
        size: the picture's (width, height).
        tile_px: the long side of a tile at the picture's middle is drawn between these, small ones more often.
        ranges: what fonts, inks, jokers and table-tops are drawn from.
    """
    rng, ranges = np.random.default_rng([seed, 0]), ranges or training_ranges()
    kind = str(rng.choice(list(WEIGHTS), p=np.array(list(WEIGHTS.values())) / sum(WEIGHTS.values())))
    px = float(np.exp(rng.uniform(*np.log(tile_px))))
    stage = draw_stage(rng, size, px, ranges, oblique=kind == "rack" or (kind == "mixed" and rng.random() < 0.5))
    ground = Ground(rng, view(stage.camera), stage.edition.ratio)
    racks = _lay(rng, kind, ground, stage)
    scene = Scene(
        stage.edition,
        stage.camera,
        tuple(ground.placed),
        racks=tuple(racks),
        seed=seed,
        layout=kind,
        melds_labelled=kind in ("melds", "lines", "mixed", "empty", "rack"),
    )
    return _dressed(rng, stage, ranges, ground, scene)


def _lay(rng: Rng, kind: str, ground: Ground, stage: Stage) -> list[RackBody]:
    """Lay tiles out; gives the racks that hold some of them."""
    bag = new_bag(rng)
    count = int(np.clip(rng.uniform(0.15, 1.1) * ground.room, 1, bag.size))
    if kind == "empty":
        return []
    if kind in LAYOUTS:
        LAYOUTS[kind](rng, ground, bag, count)
        return []
    racks = [_rack(rng, ground, bag, stage)]
    if kind == "mixed" or rng.random() < 0.3:
        LAYOUTS["melds"](rng, ground, bag, count // 2)
        if rng.random() < 0.5:
            LAYOUTS["pool"](rng, ground, bag, count // 4)
    if kind == "mixed" and rng.random() < 0.4:
        LAYOUTS["scatter"](rng, ground, bag, 4)
    return racks


def _rack(rng: Rng, ground: Ground, bag: Bag, stage: Stage) -> RackBody:
    """Stand a rack with tiles somewhere in view, facing the camera more or less."""
    at = ground.spot(3) * (0.4, 0.5)
    facing = -stage.camera.azimuth + rng.normal(0, 0.2)
    rack = draw_rack(rng, at, float(facing), stage.edition.thickness)
    tiles = tiles_on(rng, rack, bag, int(rng.integers(3, 30)), stage.edition.ratio)
    c, s = np.cos(rack.angle), np.sin(rack.angle)
    deep = rack.step * rack.tiers + 2.2
    local = np.array([[-0.5, -deep / rack.length], [0.5, -deep / rack.length], [0.5, 0.1], [-0.5, 0.1]]) * (
        rack.length + 0.5
    )
    ground.claim(local @ np.array([[c, s], [-s, c]]) + at)
    ground.put(tiles)
    return rack


def random_scene(
    seed: int, size: Size = (640, 640), tile_px: tuple[float, float] = (24, 110), ranges: Ranges | None = None
) -> Rendered:
    """Draw a random scene's picture and truth (see `draw_scene`)."""
    return render_scene(draw_scene(seed, size, tile_px, ranges))
