"""Draw at random what tiles are seen under: light, the camera's faults, the table-top, other things lying about."""

from dataclasses import replace

import numpy as np

from models.render.camera import Camera
from models.render.clutter import ABOVE, SIZES
from models.render.inks import Bgr, bgr_of
from models.render.layouts import Ground
from models.render.light import Light, Sensor, Spot
from models.render.ranges import Ranges
from models.render.scene import Edge, TableTop, Thing

Rng = np.random.Generator
LIKELY_TABLES = {"walnut": 2.5, "planks": 2.0, "oak": 2.0, "white": 1.5, "marble": 1.3}
STILL = tuple(kind for kind in SIZES if kind not in ABOVE)


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
        relief=rng.uniform(0.15, 1.0),
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


def harder(light: Light, rng: Rng) -> Light:
    """Give a light with deep shadows and broad glare besides: what is left of print and edges is little."""
    deep = tuple(_spot(rng, rng.uniform(0.4, 0.85), (0.1, 0.6)) for _ in range(rng.integers(1, 4)))
    broad = tuple(_spot(rng, rng.uniform(0.1, 0.5), (0.1, 0.5), 0.9) for _ in range(rng.integers(0, 3)))
    return replace(light, shadows=light.shadows + deep, glares=light.glares + broad)


def draw_sensor(rng: Rng, tile_px: float) -> Sensor:
    """Draw a camera's faults, blur in proportion to the tiles so that a person could still read them."""
    blurred, poor = rng.random() < 0.35, rng.random() < 0.3
    return Sensor(
        exposure=float(np.exp(rng.normal(-0.02, 0.22))) * (rng.uniform(0.35, 0.8) if rng.random() < 0.12 else 1.0),
        gamma=rng.uniform(0.8, 1.3),
        contrast=rng.uniform(-0.1, 0.3),
        saturation=rng.uniform(0.7, 1.3),
        focus_px=rng.uniform(0.3, 0.022 * tile_px + 0.4) if blurred else rng.uniform(0.0, 0.5),
        motion_px=rng.uniform(1.5, 0.09 * tile_px + 1.6) if rng.random() < 0.12 else 0.0,
        motion_angle=rng.uniform(0, np.pi),
        noise=rng.uniform(1, 10) if poor else rng.uniform(0, 2.5),
        coarse_noise=rng.uniform(0, 7) if poor else 0.0,
        sharpen=rng.uniform(0.2, 1.2) if rng.random() < 0.4 else 0.0,
        jpeg=int(rng.integers(35, 96)) if rng.random() < 0.6 else 0,
    )


def draw_tabletop(rng: Rng, ranges: Ranges, camera: Camera) -> TableTop:
    """Draw a table-top, its pattern about as fine as the picture."""
    weights = np.array([LIKELY_TABLES.get(kind, 1.0) for kind in ranges.tabletops])
    return TableTop(
        ranges.tabletops[int(rng.choice(len(weights), p=weights / weights.sum()))],
        int(rng.integers(1 << 30)),
        rng.uniform(-np.pi, np.pi) if rng.random() < 0.4 else rng.normal(0, 0.1),
        camera.focal / camera.distance * rng.uniform(0.7, 1.4),
    )


def draw_edge(rng: Rng, ranges: Ranges, camera: Camera, ground: Ground) -> Edge:
    """Draw where the table ends and what is seen beyond; no tile may lie there."""
    reach = 2 * float(np.hypot(*ground.half))
    edge = Edge(
        rng.uniform(-np.pi, np.pi),
        rng.uniform(0.3, 1.0) * min(ground.half),
        draw_tabletop(rng, ranges, camera),
    )
    ground.cover(edge.beyond(2 * reach) + np.array(camera.target))
    return edge


def draw_things(rng: Rng, ground: Ground) -> tuple[Thing, ...]:
    """Draw what else lies about: in free places, sometimes under the tiles."""
    out = []
    for _ in range(int(rng.poisson(1.1))):
        kind = STILL[int(rng.integers(len(STILL)))]
        size = rng.uniform(*SIZES[kind])
        for _ in range(8):
            x, y = ground.spot(0).tolist()
            around = size * 0.6 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) + (x, y)
            if (kind == "paper" and rng.random() < 0.2) or ground.claim(around):
                out.append(Thing(kind, int(rng.integers(1 << 30)), x, y, rng.uniform(-np.pi, np.pi), size))
                break
    return tuple(out)


def draw_hand(rng: Rng, ground: Ground) -> Thing:
    """Draw a hand or an arm that reaches over the table from one side."""
    kind = "hand" if rng.random() < 0.8 else "arm"
    side, reach = rng.uniform(-np.pi, np.pi), rng.uniform(0.4, 1.0)
    x, y = (ground.middle + reach * np.array([-np.sin(side), np.cos(side)]) * ground.half).tolist()
    return Thing(kind, int(rng.integers(1 << 30)), x, y, side + rng.normal(0, 0.3), rng.uniform(*SIZES[kind]))
