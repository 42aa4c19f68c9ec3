"""Draw a scene: table-top, shadows, tiles one by one from far to near, then light and camera."""

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from models.render import clutter, racks
from models.render.camera import Camera
from models.render.light import lit, sensed
from models.render.pieces import SHIFT, Canvas, Finish, Pieces, draw_pieces, pieces_of, subpixels
from models.render.scene import Edge, Scene, TableTop
from models.render.tabletops import draw_tabletop
from models.render.truth import truth_of

TEXTURE_SIDES = (384, 1024)
FLOOR_DARKER = 0.6


class Rendered(NamedTuple):
    """A picture, BGR uint8 (h, w, 3), and its truth in the fields of `photos/*/truth`."""

    image: np.ndarray
    truth: dict[str, object]


def render_scene(scene: Scene) -> Rendered:
    """Draw a scene and work out its truth; the same scene gives the same bytes."""
    rng = np.random.default_rng([scene.seed, 1])
    canvas = draw_flat(scene, rng)
    picture = scene.camera.bend(lit(canvas.picture, scene.light, scene.sensor.exposure))
    return Rendered(sensed(picture, scene.sensor, rng), truth_of(scene, canvas.owner))


def draw_flat(scene: Scene, rng: np.random.Generator) -> Canvas:
    """Draw all things evenly lit, through a lens without distortion."""
    w, h = scene.camera.size
    canvas = Canvas(draw_bare(scene), np.zeros((h, w), np.int16))
    pieces = pieces_of(scene, Finish.draw(rng, len(scene.placements)))
    cast_shadows(canvas.picture, scene, pieces)
    racks.draw_bodies(canvas.picture, scene)
    draw_pieces(canvas, scene, pieces)
    for thing in scene.things:
        clutter.draw_above(canvas.picture, canvas.owner, thing, scene)
    return canvas


def draw_bare(scene: Scene) -> np.ndarray:
    """Draw the table with what lies on it besides tiles, and what is seen beyond its edge."""
    picture = draw_background(scene.tabletop, scene.camera).copy()
    if scene.edge:
        _draw_beyond(picture, scene.edge, scene.camera)
    for thing in scene.things:
        clutter.draw_below(picture, thing, scene)
    return np.asarray(picture)


@lru_cache(maxsize=2)
def draw_background(tabletop: TableTop, camera: Camera) -> np.ndarray:
    """Draw the bare table as the camera sees it; kept for the next frame, so treat as read-only."""
    side = int(np.clip(0.8 * max(camera.size), *TEXTURE_SIDES))
    texture = draw_tabletop(tabletop.kind, tabletop.seed, side)
    c, s = np.cos(tabletop.angle) / tabletop.scale, np.sin(tabletop.angle) / tabletop.scale
    m, (x, y) = side / 2, tabletop.middle or camera.target
    onto_table = np.array([[c, -s, x - c * m + s * m], [s, c, y - s * m - c * m], [0, 0, 1]])
    matrix = camera.plane @ onto_table
    return cv2.warpPerspective(texture, matrix, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)


def _draw_beyond(picture: np.ndarray, edge: Edge, camera: Camera) -> None:
    """Draw the floor beyond the table's edge, darker and out of focus."""
    outline = camera.beyond(edge.outward, edge.distance)
    if len(outline) < 3:
        return
    mask = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), subpixels(outline), 255, cv2.LINE_AA, SHIFT)
    floor = cv2.convertScaleAbs(cv2.blur(draw_background(edge.floor, camera), (9, 9)), alpha=FLOOR_DARKER)
    cv2.copyTo(floor, mask, picture)


def cast_shadows(picture: np.ndarray, scene: Scene, pieces: Pieces) -> None:
    """Darken the table where tiles keep the light off, and where they touch it."""
    light, camera = scene.light, scene.camera
    if not len(pieces.order) or light.shadow <= 0:
        return
    h, w = picture.shape[:2]
    mask = np.zeros((-(-h // 2), -(-w // 2)), np.uint8)
    for outline in _shadow_outlines(scene, pieces):
        cv2.fillConvexPoly(mask, subpixels(cv2.convexHull(outline)[:, 0] / 2), 255, cv2.LINE_AA, SHIFT)
    px = camera.focal / camera.distance
    soft = cv2.GaussianBlur(mask, (0, 0), max(light.blur * px / 2, 0.6))
    tight = cv2.GaussianBlur(mask, (0, 0), max(0.05 * px / 2, 0.5))
    clear = cv2.bitwise_not(cv2.addWeighted(soft, 0.6 * light.shadow, tight, 0.55 * light.shadow, 0))
    clear = cv2.resize(clear, (w, h))
    picture[:] = cv2.multiply(picture, cv2.merge([clear, clear, clear]), scale=1 / 255)


def _shadow_outlines(scene: Scene, pieces: Pieces) -> np.ndarray:
    """Give the points (m, 24, 2) whose hulls are the shadows of the tiles that lie flat."""
    light = scene.light
    reach = scene.edition.thickness / np.tan(max(light.elevation, 0.3))
    away = -np.array([np.cos(light.azimuth), np.sin(light.azimuth)]) * reach
    flat = np.array([i for i in pieces.order if not scene.placements[i].lean], int)
    foot = pieces.rims[flat, 1]
    middle = pieces.poses.middle[flat]
    moved = middle + np.append(away, 0.0)
    shift = scene.camera.project_ideal(moved) - scene.camera.project_ideal(middle)
    return np.concatenate([foot, foot + shift[:, None]], 1).astype(np.float32)
