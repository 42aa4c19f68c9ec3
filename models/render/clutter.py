"""What else lies on a table: paper, cards, coasters, phones, pens, cups, dice, dominoes, coins, and hands above all."""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from models.render.glyphs import Contours, text_outline
from models.render.inks import Bgr, bgr_of
from models.render.scene import Scene, Thing

SHIFT = 4
ABOVE = ("hand", "arm")


class Stylus(NamedTuple):
    """Draws on the table's plane through the camera, in a thing's own axes (its size being 1)."""

    picture: np.ndarray
    thing: Thing
    scene: Scene
    owner: np.ndarray | None = None

    def pixels(self, points: np.ndarray, height: float = 0.0) -> np.ndarray:
        """Project points (n, 2) of the thing, `height` over the table in tile widths."""
        t = self.thing
        c, s = np.cos(t.angle), np.sin(t.angle)
        flat = np.asarray(points, float) * t.size @ np.array([[c, s], [-s, c]]) + (t.x, t.y)
        world = np.column_stack([flat, np.full(len(flat), height)])
        ideal = self.scene.camera.project_ideal(world)
        return np.asarray(np.round(np.clip(ideal, -4000, 8000) * (1 << SHIFT)).astype(np.int32))

    def area(self, points: np.ndarray, colour: Bgr, height: float = 0.0) -> None:
        """Fill a polygon."""
        pixels = self.pixels(points, height)
        cv2.fillPoly(self.picture, [pixels], tuple(float(c * 255) for c in colour), cv2.LINE_AA, SHIFT)
        if self.owner is not None:
            cv2.fillPoly(self.owner, [pixels >> SHIFT], 0)

    def line(self, points: np.ndarray, colour: Bgr, width: float) -> None:
        """Draw a line, `width` in the thing's own size."""
        px = self.scene.camera.focal / self.scene.camera.distance * self.thing.size
        thick = max(1, round(width * px))
        cv2.polylines(
            self.picture, [self.pixels(points)], False, tuple(float(c * 255) for c in colour), thick, cv2.LINE_AA, SHIFT
        )

    def text(self, outline: Contours, at: tuple[float, float], height: float, colour: Bgr) -> None:
        """Print outlines of letters."""
        parts = [self.pixels(c * height + at) for c in outline]
        cv2.fillPoly(self.picture, parts, tuple(float(c * 255) for c in colour), cv2.LINE_AA, SHIFT)

    def shadow(self, points: np.ndarray, reach: float, strength: float) -> None:
        """Darken what lies under and beside a thing, softly."""
        low = self.pixels(points) >> SHIFT
        x0, y0 = np.maximum(low.min(0) - 40, 0)
        x1, y1 = np.minimum(low.max(0) + 40, self.picture.shape[1::-1])
        if x0 >= x1 or y0 >= y1:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        towards = -self.scene.light.towards[:2] * reach * self.scene.camera.focal / self.scene.camera.distance
        cv2.fillPoly(mask, [(low - (x0, y0) + towards).astype(np.int32)], round(255 * strength))
        mask = cv2.blur(mask, (13, 13))
        part = self.picture[y0:y1, x0:x1]
        part[:] = cv2.multiply(part, cv2.merge([255 - mask] * 3), scale=1 / 255)


def rectangle(w: float, h: float, radius: float = 0.0) -> np.ndarray:
    """Give a rectangle's outline round (0, 0), its corners rounded."""
    if not radius:
        return np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    out = []
    for k, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        t = np.pi + np.pi / 2 * (k + np.linspace(0, 1, 5))
        out.append(np.column_stack([np.cos(t), np.sin(t)]) * radius + (sx * (w / 2 - radius), sy * (h / 2 - radius)))
    return np.vstack(out)


def disc(radius: float) -> np.ndarray:
    """Give a circle's outline round (0, 0)."""
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return np.column_stack([np.cos(t), np.sin(t)]) * radius


def _colour(rng: np.random.Generator) -> Bgr:
    return bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))


def _pale(rng: np.random.Generator) -> Bgr:
    return bgr_of(rng.uniform(20, 60), rng.uniform(0, 0.15), rng.uniform(0.85, 1.0))


def _font(pen: Stylus, rng: np.random.Generator) -> str:
    """Choose a font that the scene's edition has, so that what is held out stays out."""
    edition = pen.scene.edition
    return (edition.digits.font, edition.logo.font, edition.jokers.font)[int(rng.integers(3))]


def _word(rng: np.random.Generator) -> str:
    letters = np.array(list("abcdefghiklmnoprstuvwz" + "0123456789" * int(rng.integers(0, 3))))
    return "".join(rng.choice(letters, int(rng.integers(1, 8))))


def _paper(pen: Stylus, rng: np.random.Generator) -> None:
    w, h = 1.0, rng.uniform(0.6, 1.5)
    pen.shadow(rectangle(w, h), 0.03, 0.25)
    pen.area(rectangle(w, h), _pale(rng))
    font, ink, size = (
        _font(pen, rng),
        bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.05, 0.6)),
        rng.uniform(0.03, 0.12),
    )
    for y in np.arange(-h / 2 + 1.6 * size, h / 2 - size, 2.0 * size):
        outline = text_outline(font, _word(rng))
        width = np.ptp(np.vstack(outline)[:, 0]) * size
        if width < 0.9 * w:
            pen.text(outline, (-0.45 * w + width / 2, float(y)), size, ink)


def _card(pen: Stylus, rng: np.random.Generator) -> None:
    shape = rectangle(0.7, 1.0, 0.05)
    pen.shadow(shape, 0.03, 0.25)
    pen.area(shape, _pale(rng))
    if rng.random() < 0.4:
        pen.area(rectangle(0.6, 0.9, 0.02), _colour(rng))
        return
    ink = ((0.1, 0.1, 0.8), (0.1, 0.1, 0.1))[int(rng.integers(2))]
    for x, y in [(0.0, 0.0)] + [(sx * 0.15, sy * 0.25) for sx in (-1, 1) for sy in (-1, 1)]:
        pen.area(rectangle(0.12, 0.12) @ np.array([[0.7, 0.7], [-0.7, 0.7]]) + (x, y), ink)
    label = text_outline(_font(pen, rng), str(rng.choice(["2", "7", "10", "K", "Q", "A", "J"])))
    pen.text(label, (-0.26, -0.4), 0.11, ink)


def _coaster(pen: Stylus, rng: np.random.Generator) -> None:
    shape = disc(0.5) if rng.random() < 0.6 else rectangle(1, 1, 0.08)
    pen.shadow(shape, 0.08, 0.3)
    pen.area(shape, _colour(rng))
    pen.area(shape * 0.85, _colour(rng))


def _blank(pen: Stylus, rng: np.random.Generator) -> None:
    """Lay down a rectangle as large as a tile that is none: cardboard, wood, eraser."""
    shape = rectangle(1.0, rng.uniform(1.1, 2.4), 0.05)
    pen.shadow(shape, 0.1, 0.35)
    pen.area(shape, _colour(rng))


def _phone(pen: Stylus, rng: np.random.Generator) -> None:
    shape = rectangle(0.5, 1.0, 0.06)
    pen.shadow(shape, 0.15, 0.4)
    pen.area(shape, bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.05, 0.6)))
    pen.area(rectangle(0.45, 0.92, 0.04), bgr_of(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0.02, 0.5)))


def _pen(pen: Stylus, rng: np.random.Generator) -> None:
    pen.shadow(rectangle(0.06, 1.0), 0.08, 0.4)
    pen.line(np.array([[0, -0.5], [0, 0.42]]), _colour(rng), 0.05)
    pen.line(np.array([[0, 0.42], [0, 0.5]]), _colour(rng), 0.02)


def _cup(pen: Stylus, rng: np.random.Generator) -> None:
    colour = _colour(rng)
    height = pen.thing.size * rng.uniform(0.3, 0.9)
    pen.shadow(disc(0.5), 0.5, 0.45)
    darker: Bgr = (colour[0] * 0.7, colour[1] * 0.7, colour[2] * 0.7)
    for z in np.linspace(0, height, 6):
        pen.area(disc(0.42 + 0.08 * z / height), darker, float(z))
    pen.area(disc(0.5), colour, height)
    pen.area(disc(0.44), bgr_of(rng.uniform(10, 40), rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9)), height)


def _dice(pen: Stylus, rng: np.random.Generator) -> None:
    shape = rectangle(0.6, 0.6, 0.08)
    pen.shadow(shape, 0.3, 0.4)
    pen.area(shape, _pale(rng) if rng.random() < 0.6 else _colour(rng))
    ink = (0.1, 0.1, 0.1) if rng.random() < 0.6 else (0.1, 0.1, 0.8)
    for _ in range(int(rng.integers(1, 7))):
        pen.area(disc(0.06) + rng.integers(-1, 2, 2) * 0.17, ink)


def _domino(pen: Stylus, rng: np.random.Generator) -> None:
    shape = rectangle(1.0, 2.0, 0.1)
    pen.shadow(shape, 0.12, 0.4)
    pale = rng.random() < 0.6
    pen.area(shape, _pale(rng) if pale else (0.1, 0.1, 0.1))
    ink = (0.1, 0.1, 0.1) if pale else (0.9, 0.9, 0.9)
    pen.line(np.array([[-0.4, 0], [0.4, 0]]), ink, 0.05)
    for half in (-0.5, 0.5):
        for _ in range(int(rng.integers(0, 7))):
            pen.area(disc(0.08) + rng.integers(-1, 2, 2) * 0.26 + (0, half), ink)


def _coin(pen: Stylus, rng: np.random.Generator) -> None:
    pen.shadow(disc(0.4), 0.05, 0.4)
    metal = bgr_of(rng.uniform(20, 50), rng.uniform(0.1, 0.6), rng.uniform(0.4, 0.85))
    pen.area(disc(0.4), (metal[0] * 0.8, metal[1] * 0.8, metal[2] * 0.8))
    pen.area(disc(0.35), metal)


def _skin(rng: np.random.Generator) -> Bgr:
    return bgr_of(rng.uniform(8, 28), rng.uniform(0.25, 0.6), rng.uniform(0.25, 0.95))


def _limb(pen: Stylus, line: tuple[float, float, float, float], radii: tuple[float, float], skin: Bgr) -> None:
    """Draw a rounded limb along a line (x, y, x, y) with light along its middle."""
    start, end = np.array(line[:2]), np.array(line[2:])
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    across = np.array([-along[1], along[0]])
    bend = np.linspace(-np.pi / 2, np.pi / 2, 9)[:, None]
    for share, bright in ((1.0, 0.74), (0.84, 0.9), (0.5, 1.0)):
        near = start + radii[0] * share * (np.sin(bend) * across - np.cos(bend) * along)
        far = end + radii[1] * share * (np.sin(-bend) * across + np.cos(bend) * along)
        pen.area(np.vstack([near, far]), (skin[0] * bright, skin[1] * bright, skin[2] * bright), 0.6)


def _hand(pen: Stylus, rng: np.random.Generator) -> None:
    """Draw a forearm, a palm and five fingers, pointing up."""
    skin, sleeve, spread = _skin(rng), _colour(rng), rng.uniform(0.1, 0.45)
    pen.shadow(rectangle(1.2, 2.4), 0.6, 0.35)
    _limb(pen, (0, 5.0, 0, 1.4), (0.5, 0.4), sleeve if rng.random() < 0.6 else skin)
    _limb(pen, (0, 1.6, 0, 0.75), (0.3, 0.36), skin)
    for k in range(4):
        x, lean, reach = 0.22 * (k - 1.5), (k - 1.5) * spread, rng.uniform(0.6, 0.95)
        _limb(pen, (x, 0.65, x + lean * reach, 0.35 - reach), (0.14, 0.1), skin)
    _limb(pen, (-0.2, 1.0, -0.75, 0.35), (0.18, 0.12), skin)
    _limb(pen, (0, 0.85, 0, 0.7), (0.4, 0.42), skin)


def _arm(pen: Stylus, rng: np.random.Generator) -> None:
    _limb(pen, (0, 5.0, 0, 0.2), (0.55, 0.4), _colour(rng) if rng.random() < 0.5 else _skin(rng))


KINDS: dict[str, Callable[[Stylus, np.random.Generator], None]] = {
    "paper": _paper,
    "card": _card,
    "coaster": _coaster,
    "blank": _blank,
    "phone": _phone,
    "pen": _pen,
    "cup": _cup,
    "dice": _dice,
    "domino": _domino,
    "coin": _coin,
    "hand": _hand,
    "arm": _arm,
}
SIZES = {
    "paper": (3.0, 9.0), "card": (2.2, 3.2), "coaster": (2.5, 4.5), "blank": (0.7, 1.5), "phone": (4.0, 6.0),
    "pen": (4.0, 6.0), "cup": (2.0, 4.0), "dice": (0.5, 1.1), "domino": (0.7, 1.2), "coin": (0.6, 1.3),
    "hand": (2.6, 3.8), "arm": (2.6, 3.8),
}  # fmt: skip


def draw_below(picture: np.ndarray, thing: Thing, scene: Scene) -> None:
    """Draw a thing that lies on the table, under the tiles."""
    if thing.kind not in ABOVE:
        KINDS[thing.kind](Stylus(picture, thing, scene), np.random.default_rng(thing.seed))


def draw_above(picture: np.ndarray, owner: np.ndarray, thing: Thing, scene: Scene) -> None:
    """Draw a hand or an arm over the tiles; what it hides is hidden in `owner` too."""
    if thing.kind in ABOVE:
        KINDS[thing.kind](Stylus(picture, thing, scene, owner), np.random.default_rng(thing.seed))
