"""The room in which a game is played: table, set, light and camera, the same all the game until somebody bumps it."""

from dataclasses import dataclass, replace

import numpy as np

from models.render.camera import Camera, camera_for
from models.render.conditions import draw_tabletop
from models.render.edition import Edition, draw_edition
from models.render.layouts import Ground, hull
from models.render.light import Light, Sensor, Spot
from models.render.placement import Placement
from models.render.racks import draw_rack
from models.render.ranges import training_ranges
from models.render.scene import RackBody, Scene
from models.render.scenes import view
from models.simulate.hands import Look, draw_look
from models.simulate.moves import Seat
from models.simulate.plan import Plan
from referee.table import Where
from referee.tiles import JOKER

TILE_PX = (45.0, 60.0)
"""A tile's long side at the picture's middle, for pictures as wide as USUAL_WIDTH."""
USUAL_WIDTH = 1280
SMALLEST_TILE_PX = 14.0
TILES_A_PLACE = 2.6
"""The ground has room for so many times the tiles of the whole set, so that rows can lie apart."""
SHRINK = 0.95
KEPT_CLEAR = 1.3
"""So far from the picture's edge nobody lays tiles, in tile widths: a bumped camera still sees them."""
RACKS, POOLS = 0.4, 0.35
"""How often racks peep into the picture, and the pool does."""
RACK_BACK, RACK_SHOWS = 0.7, (1.4, 2.5)
"""How far a rack's back is behind its uppermost tier, and how much of it reaches into the picture."""
POOL_SIDE = 6.0
POOL_TRIES = (20, 70)
BEYOND = 7.0
"""How far a shoulder is from the edge of the picture, in tile widths."""


@dataclass(frozen=True)
class Room:
    """What a game's pictures have in common: an empty scene, the ground for tiles, the seats, the arms, the pool."""

    scene: Scene
    ground: Ground
    seats: tuple[Seat, ...]
    looks: tuple[Look, ...]
    pool: tuple[Placement, ...] = ()


def furnish(plan: Plan, players: int, tiles: int) -> Room:
    """Draw the room of a game, with room for all tiles of the set."""
    rng = np.random.default_rng([plan.seed, 71])
    ranges = training_ranges()
    edition = draw_edition(rng, ranges)
    camera = _camera(rng, plan.size, edition, tiles)
    scene = Scene(
        edition,
        camera,
        tabletop=replace(draw_tabletop(rng, ranges, camera), middle=camera.target),
        light=living_room(rng),
        sensor=webcam(rng),
        seed=plan.seed,
        layout="game",
        ranges=f"{ranges.name}-{ranges.version}",
    )
    looks = tuple(draw_look(rng) for _ in range(players))
    ground = _ground(rng, camera, edition)
    if rng.random() < RACKS:
        scene = replace(scene, racks=_racks(rng, camera, players))
        for rack in scene.racks:
            ground.cover(_foot(rack))
    return Room(scene, ground, seats(camera, players), looks, _pool(rng, ground) if rng.random() < POOLS else ())


def _camera(rng: np.random.Generator, size: tuple[int, int], edition: Edition, tiles: int) -> Camera:
    """Hang the camera over the table, so high that the whole set has room."""
    pose = {
        "tilt": float(rng.uniform(0.0, 0.3)),
        "azimuth": float(rng.normal(0, 0.12)),
        "roll": float(rng.normal(0, 0.03)),
        "zoom": float(rng.uniform(0.9, 1.4)),
    }
    px = float(rng.uniform(*TILE_PX)) * max(size) / USUAL_WIDTH
    while True:
        camera = camera_for(size, px, edition.ratio, **pose)
        ground = _ground(np.random.default_rng(0), camera, edition)
        if ground.room >= tiles * TILES_A_PLACE / 1.35 or px < SMALLEST_TILE_PX:
            return camera
        px *= SHRINK


def _ground(rng: np.random.Generator, camera: Camera, edition: Edition) -> Ground:
    """Give the table in view, a little inside the picture."""
    margin = KEPT_CLEAR * camera.focal / camera.distance
    return Ground(rng, view(camera, margin), edition.ratio, turn=camera.right_on_table, thickness=edition.thickness)


def _pool(rng: np.random.Generator, ground: Ground) -> tuple[Placement, ...]:
    """Strew some face-down tiles in a corner of the table, and keep the place free."""
    corner = ground.frame[int(rng.integers(len(ground.frame)))]
    area = ground.middle + (corner - ground.middle) * (1 - POOL_SIDE / np.hypot(*(corner - ground.middle)))
    out: list[Placement] = []
    for _ in range(int(rng.integers(*POOL_TRIES))):
        x, y = (area + rng.uniform(-POOL_SIDE / 2, POOL_SIDE / 2, 2)).tolist()
        tile = Placement(JOKER, x, y, float(rng.uniform(-np.pi, np.pi)), back=True, where=Where.POOL)
        if ground.claim(hull([tile], ground.ratio, 0.05)):
            out.append(tile)
    if out:
        ground.cover(hull(out, ground.ratio, 0.4))
    return tuple(out)


def _racks(rng: np.random.Generator, camera: Camera, players: int) -> tuple[RackBody, ...]:
    """Stand the players' racks at the picture's edges, so that little more than their backs is in sight."""
    outline = view(camera, 0.0)
    middle, half = outline.mean(0), (outline.max(0) - outline.min(0)) / 2
    out = []
    for place in range(players):
        facing = camera.right_on_table + 2 * np.pi * place / players
        towards = np.array([-np.sin(facing), np.cos(facing)])
        along = np.array([np.cos(facing), np.sin(facing)]) * rng.normal(0, 2.0)
        rack = draw_rack(rng, np.zeros(2), float(facing + rng.normal(0, 0.05)), thickness=0.2)
        reach = float(np.abs(half * towards).sum()) + _depth(rack) - rng.uniform(*RACK_SHOWS)
        x, y = (middle + towards * reach + along).tolist()
        out.append(replace(rack, x=x, y=y))
    return tuple(out)


def _depth(rack: RackBody) -> float:
    return rack.step * (rack.tiers - 1) + RACK_BACK


def _foot(rack: RackBody) -> np.ndarray:
    """Give the outline (4, 2) of the table that a rack takes, with some room before it."""
    half, back = rack.length / 2 + 0.5, -_depth(rack) - 0.8
    c, s = np.cos(rack.angle), np.sin(rack.angle)
    outline = np.array([[-half, back], [half, back], [half, 1.0], [-half, 1.0]])
    return np.asarray(outline @ np.array([[c, s], [-s, c]]) + (rack.x, rack.y))


def seats(camera: Camera, players: int) -> tuple[Seat, ...]:
    """Seat the players round the table, clockwise as seen from above, the first at the picture's lower edge."""
    outline = view(camera, 0.0)
    middle, half = outline.mean(0), (outline.max(0) - outline.min(0)) / 2 + BEYOND
    turn = camera.right_on_table
    out = []
    for place in range(players):
        angle = turn + np.pi / 2 + 2 * np.pi * place / players
        x, y = (middle + half * (np.cos(angle), np.sin(angle))).tolist()
        out.append(Seat(x, y))
    return tuple(out)


def living_room(rng: np.random.Generator) -> Light:
    """Draw the light of a usual room: daylight or a lamp, sometimes with a soft shadow or a little glare."""
    warm = rng.normal(0, 0.05) if rng.random() < 0.5 else rng.uniform(0.05, 0.28)
    glaring = rng.random() < 0.2
    return Light(
        azimuth=rng.uniform(-np.pi, np.pi),
        elevation=rng.uniform(0.8, 1.35),
        relief=rng.uniform(0.25, 0.8),
        shadow=rng.uniform(0.25, 0.6),
        blur=rng.uniform(0.08, 0.35),
        gains=(float(1 - warm), float(1 - 0.12 * max(warm, 0)), float(1 + 0.3 * warm)),
        falloff=rng.uniform(0, 0.45),
        falloff_angle=rng.uniform(-np.pi, np.pi),
        vignette=rng.uniform(0, 0.25),
        shadows=(_spot(rng, rng.uniform(0.1, 0.3), 1.0),) if rng.random() < 0.3 else (),
        glares=(_spot(rng, rng.uniform(0.04, 0.14), 1.2),) if glaring else (),
        sheen=rng.uniform(0.05, 0.3) if glaring else 0.0,
    )


def _spot(rng: np.random.Generator, strength: float, softness: float) -> Spot:
    return Spot(
        rng.uniform(0, 1), rng.uniform(0, 0.75), rng.uniform(0.08, 0.35), rng.uniform(0.7, 2.5), rng.uniform(0, np.pi),
        softness, strength,
    )  # fmt: skip


def webcam(rng: np.random.Generator) -> Sensor:
    """Draw a camera as people have it: a little noise, a little soft."""
    return Sensor(
        exposure=float(np.exp(rng.normal(0.0, 0.12))),
        gamma=rng.uniform(0.9, 1.15),
        contrast=rng.uniform(-0.05, 0.2),
        saturation=rng.uniform(0.85, 1.2),
        focus_px=rng.uniform(0.2, 0.8),
        noise=rng.uniform(0.8, 3.0),
    )
