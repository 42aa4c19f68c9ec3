"""Players' racks: stepped bodies with tiles leaning on their tiers."""

from dataclasses import replace

import cv2
import numpy as np

from models.render.dealing import Bag
from models.render.inks import bgr_of
from models.render.placement import Placement
from models.render.scene import RackBody, Scene
from referee.table import Where
from referee.tiles import JOKER

SHIFT = 4
LIP = 0.16
FLOOR = 0.1


def draw_rack(rng: np.random.Generator, at: np.ndarray, angle: float, thickness: float) -> RackBody:
    """Draw a rack's shape: black plastic or wood, one to three tiers."""
    dark = bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.04, 0.2))
    wood = bgr_of(rng.uniform(12, 32), rng.uniform(0.3, 0.65), rng.uniform(0.25, 0.7))
    other = bgr_of(rng.uniform(0, 360), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.9))
    colour = (dark, wood, other)[int(rng.choice(3, p=[0.6, 0.27, 0.13]))]
    return RackBody(
        float(at[0]),
        float(at[1]),
        angle,
        length=rng.uniform(8, 14),
        tiers=int(rng.integers(1, 4)),
        lean=rng.uniform(0.75, 1.25),
        step=thickness + rng.uniform(0.15, 0.5),
        rise=rng.uniform(0.6, 1.35),
        colour=colour,
    )


def tiles_on(rack: RackBody, bag: Bag, count: int, ratio: float) -> list[Placement]:
    """Set tiles on a rack's tiers, sorted or not, tight or spaced."""
    rng = bag.rng
    tiles = bag.draw_many(min(count, rack.tiers * int(rack.length - 0.5)))
    tiles = sorted(tiles) if rng.random() < 0.6 else tiles
    gap = float(rng.choice([0.005, 0.02, rng.uniform(0.02, 0.6)]))
    hidden = bool(rng.random() < 0.06)
    out: list[Placement] = []
    for tier, share in enumerate(np.array_split(np.arange(len(tiles)), rack.tiers)):
        x = -rack.length / 2 + rng.uniform(0.6, 1.5)
        for k in share:
            if x > rack.length / 2 - 0.6:
                break
            which = int(rng.integers(2))
            out.append(replace(_spot(rack, tier, x, ratio), tile=tiles[k], back=hidden, which=which))
            x += 1.0 + gap * rng.uniform(0.3, 1.7) + (rng.uniform(0.5, 2) if rng.random() < 0.1 else 0)
    return out


def _spot(rack: RackBody, tier: int, x: float, ratio: float) -> Placement:
    """Give the pose of a tile on a tier, `x` from the rack's middle."""
    y = -rack.step * tier - ratio / 2 * np.cos(rack.lean)
    c, s = np.cos(rack.angle), np.sin(rack.angle)
    return Placement(
        JOKER,
        float(rack.x + c * x - s * y),
        float(rack.y + s * x + c * y),
        rack.angle,
        height=rack.rise * tier + FLOOR,
        lean=rack.lean,
        where=Where.RACK,
    )


def _quads(rack: RackBody, thickness: float, ratio: float) -> list[tuple[np.ndarray, float]]:
    """Give the body's faces from back to front: corners (4, 3) in its own axes, and brightness."""
    half, out = rack.length / 2, []
    top = ratio * 0.62
    for tier in range(rack.tiers - 1, -1, -1):
        y, z = -rack.step * tier, rack.rise * tier + FLOOR
        up = (y - top * np.cos(rack.lean), z + top * np.sin(rack.lean))
        lip = y + thickness + LIP
        floor = 0.0 if tier == 0 else z - rack.rise
        for (y0, z0), (y1, z1), bright in (
            ((up[0] - 0.2, up[1]), up, 1.25),
            (up, (y, z), 0.9),
            ((y, z), (lip, z), 1.1),
            ((lip, z), (lip + 0.03, floor), 0.7),
        ):
            out.append((np.array([[-half, y0, z0], [half, y0, z0], [half, y1, z1], [-half, y1, z1]]), bright))
    return out


def draw_bodies(picture: np.ndarray, scene: Scene) -> None:
    """Draw the racks of a scene, without tiles."""
    for rack in scene.racks:
        c, s = np.cos(rack.angle), np.sin(rack.angle)
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        _shadow(picture, scene, rack, turn)
        for corners, bright in _quads(rack, scene.edition.thickness, scene.edition.ratio):
            pixels = scene.camera.project_ideal(corners @ turn + (rack.x, rack.y, 0))
            colour = tuple(float(min(255.0, v * 255 * bright)) for v in rack.colour)
            cv2.fillConvexPoly(picture, np.round(pixels * 16).astype(np.int32), colour, cv2.LINE_AA, SHIFT)


def _shadow(picture: np.ndarray, scene: Scene, rack: RackBody, turn: np.ndarray) -> None:
    half = rack.length / 2 + 0.2
    back = -rack.step * rack.tiers - 0.8
    foot = np.array([[-half, back, 0], [half, back, 0], [half, 0.7, 0], [-half, 0.7, 0]])
    pixels = scene.camera.project_ideal(foot @ turn + (rack.x, rack.y, 0))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(pixels).astype(np.int32), round(110 * scene.light.shadow + 40))
    soft = cv2.blur(mask, (15, 15))
    picture[:] = cv2.multiply(picture, cv2.merge([255 - soft] * 3), scale=1 / 255)
