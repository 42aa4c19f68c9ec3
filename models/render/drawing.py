"""Draw a scene: table-top, shadows, tiles one by one from far to near, then light and camera."""

from typing import NamedTuple

import cv2
import numpy as np

from models.render import clutter, racks
from models.render.camera import Camera
from models.render.faces import blank, face_corners, face_of
from models.render.light import lit, sensed
from models.render.placement import Placement
from models.render.scene import Scene, TableTop
from models.render.tabletops import draw_tabletop
from models.render.truth import truth_of

SHIFT = 4
SMALLEST_FACE, LARGEST_FACE = 40, 220
TEXTURE_SIDES = (384, 1024)


class Rendered(NamedTuple):
    """A picture, BGR uint8 (h, w, 3), and its truth in the fields of `photos/*/truth`."""

    image: np.ndarray
    truth: dict[str, object]


class Canvas(NamedTuple):
    """The evenly lit picture so far, BGR uint8, and which tile shows where (0: none, i + 1: the i-th)."""

    picture: np.ndarray
    owner: np.ndarray


def render_scene(scene: Scene) -> Rendered:
    """Draw a scene and work out its truth; the same scene gives the same bytes."""
    rng = np.random.default_rng([scene.seed, 1])
    canvas = draw_flat(scene, rng)
    picture = scene.camera.bend(lit(canvas.picture, scene.light, scene.sensor.exposure))
    return Rendered(sensed(picture, scene.sensor, rng), truth_of(scene, canvas.owner))


def draw_flat(scene: Scene, rng: np.random.Generator) -> Canvas:
    """Draw all things evenly lit, through a lens without distortion."""
    w, h = scene.camera.size
    picture = draw_background(scene.tabletop, scene.camera)
    canvas = Canvas(picture, np.zeros((h, w), np.int16))
    for thing in scene.things:
        clutter.draw_below(canvas.picture, thing, scene)
    cast_shadows(canvas.picture, scene)
    racks.draw_bodies(canvas.picture, scene)
    depth = [scene.camera.in_camera(np.array([p.x, p.y, p.height]))[2] for p in scene.placements]
    for i in np.argsort(-np.array(depth), kind="stable"):
        draw_tile(canvas, scene, int(i), rng)
    for thing in scene.things:
        clutter.draw_above(canvas.picture, canvas.owner, thing, scene)
    return canvas


def draw_background(tabletop: TableTop, camera: Camera) -> np.ndarray:
    """Draw the bare table as the camera sees it."""
    side = int(np.clip(0.8 * max(camera.size), *TEXTURE_SIDES))
    texture = draw_tabletop(tabletop.kind, tabletop.seed, side)
    c, s = np.cos(tabletop.angle) / tabletop.scale, np.sin(tabletop.angle) / tabletop.scale
    m = side / 2
    onto_table = np.array([[c, -s, -c * m + s * m], [s, c, -s * m - c * m], [0, 0, 1]])
    matrix = camera.plane @ _shifted(camera) @ onto_table
    return cv2.warpPerspective(texture, matrix, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)


def _shifted(camera: Camera) -> np.ndarray:
    return np.array([[1, 0, camera.target[0]], [0, 1, camera.target[1]], [0, 0, 1.0]])


def _pixels(points: np.ndarray) -> np.ndarray:
    return np.round(np.clip(points, -4000, 8000) * (1 << SHIFT)).astype(np.int32)


def cast_shadows(picture: np.ndarray, scene: Scene) -> None:
    """Darken the table where tiles keep the light off, and where they touch it."""
    light, camera, edition = scene.light, scene.camera, scene.edition
    if not scene.placements or light.shadow <= 0:
        return
    h, w = picture.shape[:2]
    mask = np.zeros((-(-h // 2), -(-w // 2)), np.uint8)
    reach = edition.thickness / np.tan(max(light.elevation, 0.3))
    away = -np.array([np.cos(light.azimuth), np.sin(light.azimuth), 0.0]) * reach
    for p in scene.placements:
        if p.lean:
            continue
        foot = p.outline(edition.ratio, 0.0)
        points = camera.project_ideal(np.vstack([foot, foot + away])).astype(np.float32)
        cv2.fillConvexPoly(mask, _pixels(cv2.convexHull(points)[:, 0] / 2), 255, cv2.LINE_AA, SHIFT)
    px = camera.focal / camera.distance
    soft = cv2.GaussianBlur(mask, (0, 0), max(light.blur * px / 2, 0.6))
    tight = cv2.GaussianBlur(mask, (0, 0), max(0.05 * px / 2, 0.5))
    dark = cv2.resize(cv2.addWeighted(soft, 0.6 * light.shadow, tight, 0.55 * light.shadow, 0), (w, h))
    picture[:] = cv2.multiply(picture, cv2.merge([255 - dark] * 3), scale=1 / 255)


def face_pixels(scene: Scene) -> int:
    """Choose how large faces are drawn before they are warped into the picture."""
    long_px = scene.camera.focal / scene.camera.distance * scene.edition.ratio
    return int(np.clip(round(long_px * 1.25 / 8) * 8, SMALLEST_FACE, LARGEST_FACE))


def draw_tile(canvas: Canvas, scene: Scene, index: int, rng: np.random.Generator) -> None:
    """Draw one tile with its sides."""
    placement, edition, camera = scene.placements[index], scene.edition, scene.camera
    tone = 1 + 0.02 * rng.standard_normal()
    sheen = scene.light.sheen * rng.uniform(0.3, 1.0), rng.uniform(-1, 1, 2)
    right, down, normal = placement.axes()
    upper = placement.outline(edition.ratio, edition.thickness)
    if normal @ (camera.centre - upper.mean(0)) <= 0.02:
        return
    quad = camera.project_ideal(upper)
    if _out_of_view(quad, camera.size):
        return
    _draw_sides(canvas, scene, placement, tone)
    cv2.fillConvexPoly(canvas.owner, np.round(quad).astype(np.int32), index + 1)
    texture = _shaded(scene, placement, tone, sheen)
    _paste(canvas.picture, texture, face_corners(edition, face_pixels(scene)), quad)


def _out_of_view(quad: np.ndarray, size: tuple[int, int]) -> bool:
    low, high = quad.min(0), quad.max(0)
    return bool((high < -20).any() or (low > np.array(size) + 20).any())


def _draw_sides(canvas: Canvas, scene: Scene, placement: Placement, tone: float) -> None:
    edition, camera = scene.edition, scene.camera
    corner = edition.corner
    upper = placement.outline(edition.ratio, edition.thickness, corner)
    lower = placement.outline(edition.ratio, 0.02, corner)
    lower = lower.mean(0) + (lower - lower.mean(0)) * 0.985
    both = camera.project_ideal(np.stack([upper, lower]))
    body = cv2.convexHull(both.reshape(-1, 2).astype(np.float32))[:, 0]
    side = np.array(edition.side) * 255 * tone
    cv2.fillConvexPoly(canvas.owner, np.round(body).astype(np.int32), 0)
    cv2.fillConvexPoly(canvas.picture, _pixels(body), tuple(side * 0.66), cv2.LINE_AA, SHIFT)
    right, down, _ = placement.axes()
    for k, normal in enumerate((-down, right, down, -right)):
        if normal @ (camera.centre - upper[3 * k + 2]) > 0:
            a, b = 3 * k + 2, (3 * k + 3) % 12
            quad = np.array([both[0, a], both[0, b], both[1, b], both[1, a]])
            bright = 0.58 + 0.36 * max(0.0, float(normal @ scene.light.towards))
            cv2.fillConvexPoly(canvas.picture, _pixels(quad), tuple(side * bright), cv2.LINE_AA, SHIFT)


def _shaded(scene: Scene, placement: Placement, tone: float, sheen: tuple[float, np.ndarray]) -> np.ndarray:
    """Give a face under the scene's light, uint8 (h, w, 4), colours multiplied by coverage."""
    edition, light = scene.edition, scene.light
    long_px = face_pixels(scene)
    face = face_of(edition, None if placement.back else placement.tile, placement.which, long_px)
    coverage = blank(edition, long_px).outline
    right, down, normal = placement.axes()
    towards = light.towards
    across, along = float(right @ towards), float(down @ towards)
    level = tone * (1 + 0.35 * (float(normal @ towards) - float(towards[2])))
    shade = face.slope[..., 0] * (light.relief * across) + face.slope[..., 1] * (light.relief * along) + level
    colour = face.albedo * shade[..., None]
    if sheen[0] > 0.02:
        colour = _mirrored(colour, face.ink, sheen, light.sheen_colour)
    out = np.empty((*coverage.shape, 4), np.float32)
    out[..., :3] = np.clip(colour, 0, 1) * coverage[..., None]
    out[..., 3] = coverage
    return (out * 255 + 0.5).astype(np.uint8)


def _mirrored(
    colour: np.ndarray, ink: np.ndarray, sheen: tuple[float, np.ndarray], mirror: tuple[float, float, float]
) -> np.ndarray:
    """Let glossy ink, and a little the plastic, show the window."""
    h, w = ink.shape
    slant = np.linspace(-1, 1, w)[None] * sheen[1][0] + np.linspace(-1, 1, h)[:, None] * sheen[1][1]
    amount = np.clip(sheen[0] * (0.75 + 0.5 * slant), 0, 0.9) * (0.08 + 0.92 * ink)
    return colour + amount[..., None].astype(np.float32) * (np.array(mirror, np.float32) - colour)


def _paste(picture: np.ndarray, texture: np.ndarray, corners: np.ndarray, quad: np.ndarray) -> None:
    """Warp a face into its place."""
    h, w = picture.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, (w, h))
    if x0 >= x1 or y0 >= y1:
        return
    texture, corners = _reduced(texture, corners, quad)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), (quad - (x0, y0)).astype(np.float32))
    size = (int(x1 - x0), int(y1 - y0))
    warped = cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    part = picture[y0:y1, x0:x1]
    clear = cv2.merge([255 - warped[..., 3]] * 3)
    part[:] = cv2.add(cv2.multiply(part, clear, scale=1 / 255), warped[..., :3])


def _reduced(texture: np.ndarray, corners: np.ndarray, quad: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Halve a face whose short side in the picture is under 0.6 of its own, so that warping averages."""
    sides = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1)
    own = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1)
    while (sides / own).min() < 0.6 and min(texture.shape[:2]) > 12:
        h, w = texture.shape[0] // 2, texture.shape[1] // 2
        corners = (corners + 0.5) * (w / texture.shape[1], h / texture.shape[0]) - 0.5
        texture = cv2.resize(texture, (w, h), interpolation=cv2.INTER_AREA)
        own = own / 2
    return texture, corners
