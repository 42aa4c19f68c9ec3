"""The faces of an edition's tiles: print, relief and outline, drawn flat and upright before any light falls on them."""

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from models.render import jokers
from models.render.edition import Digits, Dish, DishKind, Edition, Emblem, Mark
from models.render.glyphs import Contours, fill, outline_size, text_outline
from models.render.inks import Bgr
from referee.tiles import Tile

PAD = 2
"""Clear pixels around a face, so that warping it smooths its edge."""
WIDEST_NUMBER = 0.84


class Blank(NamedTuple):
    """What all faces of an edition share, at one size.

    `scale`: pixels per tile width. `outline`: (h, w) coverage from 0 to 1. `slope`: (h, w, 2), how far the surface's
    normal leans right and down. `dish`: the dish's share of the height, for shine.
    """

    scale: float
    outline: np.ndarray
    slope: np.ndarray


class Face(NamedTuple):
    """One face: `print` (h, w, 4), BGR times coverage, and coverage, from 0 to 1; `ink` (h, w) coverage.

    `slope_x`, `slope_y` (h, w): how far the surface's normal leans right and down.
    """

    print: np.ndarray
    ink: np.ndarray
    slope_x: np.ndarray
    slope_y: np.ndarray


def _face(albedo: np.ndarray, ink: np.ndarray, slope: np.ndarray, outline: np.ndarray) -> Face:
    premultiplied = np.dstack([albedo * outline[..., None], outline]).astype(np.float32)
    across, along = (np.ascontiguousarray(slope[..., k], np.float32) for k in (0, 1))
    return Face(premultiplied, ink.astype(np.float32), across, along)


def face_corners(edition: Edition, long_px: int) -> np.ndarray:
    """Give the outline's corners (4, 2) in pixels of a face drawn with `long_px`, top-left first, clockwise."""
    w, h = long_px / edition.ratio, float(long_px)
    return np.array([[0, 0], [w, 0], [w, h], [0, h]]) + (PAD - 0.5)


@lru_cache(maxsize=8)
def blank(edition: Edition, long_px: int) -> Blank:
    """Make the plain tile of an edition, with dish and logo."""
    scale = long_px / edition.ratio
    x, y = _grid(edition, long_px)
    inside = _inside(edition, x, y)
    outline = np.clip(inside * scale + 0.5, 0, 1)
    height = _bevel(edition, inside) + _dish(edition.dish, x, y - (edition.dish.y - 0.5) * edition.ratio)
    height += _logo_mask(edition, long_px) * edition.logo.relief
    return Blank(scale, outline.astype(np.float32), _slope(height, scale))


def _grid(edition: Edition, long_px: int) -> tuple[np.ndarray, np.ndarray]:
    """Give x (1, w) and y (h, 1) from the tile's centre, in tile widths, at the pixels' centres."""
    scale = long_px / edition.ratio
    w, h = int(np.ceil(scale)) + 2 * PAD, long_px + 2 * PAD
    x = (np.arange(w, dtype=np.float32) - (PAD - 0.5)) / scale - 0.5
    y = (np.arange(h, dtype=np.float32) - (PAD - 0.5)) / scale - edition.ratio / 2
    return x[None], y[:, None]


def _inside(edition: Edition, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Give how far each point lies inside the rounded outline, in tile widths."""
    r = edition.corner
    dx, dy = np.abs(x) - 0.5 + r, np.abs(y) - edition.ratio / 2 + r
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0)
    return np.asarray(r - outside)


def _bevel(edition: Edition, inside: np.ndarray) -> np.ndarray:
    t = np.clip(inside / edition.bevel, 0, 1.15)
    return edition.bevel_depth * np.where(t < 1, t, 1).astype(np.float32)


def _dish(dish: Dish, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    t = np.hypot(x, y) / dish.radius
    if dish.kind is DishKind.DISH:
        return np.asarray(-dish.depth * np.maximum(1 - t**2, 0) ** dish.softness)
    if dish.kind is DishKind.RING:
        return np.asarray(-dish.depth * 0.4 * np.exp(-(((t - 1) / 0.06) ** 2)))
    return np.zeros(np.broadcast_shapes(x.shape, y.shape), np.float32)


def _slope(height: np.ndarray, scale: float) -> np.ndarray:
    """Turn heights into the lean of the surface's normal, right and down."""
    height = cv2.GaussianBlur(height.astype(np.float32), (3, 3), 0.6)
    dx = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, scale=scale / 8)
    dy = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, scale=scale / 8)
    lean = np.dstack([-dx, -dy])
    return np.asarray(lean / np.sqrt(1 + (lean**2).sum(-1, keepdims=True)))


def _place(contours: Contours, at: tuple[float, float], size: tuple[float, float]) -> Contours:
    return tuple(c * size + at for c in contours)


def _canvas(edition: Edition, long_px: int) -> np.ndarray:
    return np.zeros((long_px + 2 * PAD, int(np.ceil(long_px / edition.ratio)) + 2 * PAD), np.uint8)


def _spot(edition: Edition, long_px: int, y: float) -> tuple[float, float]:
    """Give the pixel in the middle of a tile's width at a share `y` of its height."""
    return (long_px / edition.ratio / 2 + PAD - 0.5, y * long_px + PAD - 0.5)


def _logo_mask(edition: Edition, long_px: int) -> np.ndarray:
    mask, logo = _canvas(edition, long_px), edition.logo
    if logo.text:
        size = logo.width * long_px / edition.ratio / outline_size(text_outline(logo.font, logo.text))[0]
        size = min(size, 0.14 * long_px)
        fill(mask, _place(text_outline(logo.font, logo.text), _spot(edition, long_px, logo.y), (size, size)))
        if logo.above:
            small = 0.45 * size
            spot = _spot(edition, long_px, logo.y - 0.95 * size / long_px)
            fill(mask, _place(text_outline(logo.font, logo.above), spot, (small, small)))
    return mask.astype(np.float32) / 255


def number_outline(edition: Edition, tile: Tile, long_px: int) -> Contours:
    """Give the outlines of a tile's number in pixels of its face, with the marks under it."""
    digits = edition.digits
    contours = text_outline(digits.font, str(tile.number), digits.tracking)
    height = digits.height * long_px
    wide = outline_size(contours)[0] * height * digits.squeeze
    narrow = min(1.0, WIDEST_NUMBER * long_px / edition.ratio / wide)
    miss = np.random.default_rng([tile.number, ord(tile.colour)]).normal(0, digits.loose, 2) * long_px
    spot = np.array(_spot(edition, long_px, digits.y)) + miss
    return (
        *_place(contours, tuple(spot), (height * digits.squeeze * narrow, height)),
        *_marks(digits, tile, spot, height),
    )


def _marks(digits: Digits, tile: Tile, spot: np.ndarray, height: float) -> Contours:
    """Give what is printed under a number: the mark of 6 and 9, or the edition's emblem."""
    below = spot + np.array([0, height * 0.68])
    if tile.number in (6, 9) and digits.mark is Mark.DOT:
        return (_ring(height * 0.09) + below,)
    if tile.number in (6, 9) and digits.mark is Mark.LINE:
        return (np.array([[-0.3, -0.05], [0.3, -0.05], [0.3, 0.05], [-0.3, 0.05]]) * height + below,)
    radius = height * 0.17
    signs = {
        Emblem.NONE: (),
        Emblem.DISC: (_ring(radius),),
        Emblem.RING: (_ring(radius), _ring(0.6 * radius)),
        Emblem.DIAMOND: (np.array([[0, -1], [0.8, 0], [0, 1], [-0.8, 0]]) * radius * 1.2,),
    }
    return tuple(c + below + (0, height * 0.16) for c in signs[digits.emblem])


def _ring(radius: float) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    return np.column_stack([np.cos(angle), np.sin(angle)]) * radius


def number_face(edition: Edition, tile: Tile, long_px: int) -> Face:
    """Draw a numbered tile."""
    mask = _canvas(edition, long_px)
    fill(mask, number_outline(edition, tile, long_px))
    ink = mask.astype(np.float32) / 255
    plain = blank(edition, long_px)
    slope = plain.slope
    if edition.digits.engraved:
        slope = slope + _slope(-edition.digits.engraved * ink, plain.scale)
    ink = _worn(ink, edition, tile)
    return _face(_mix(_paper(edition, long_px), ink, edition.inks.of(tile.colour)), ink, slope, plain.outline)


def _worn(ink: np.ndarray, edition: Edition, tile: Tile) -> np.ndarray:
    """Rub some ink off, in flakes that are each tile's own."""
    if not edition.digits.wear:
        return ink
    rng = np.random.default_rng([tile.number, ord(tile.colour), 1])
    flakes = cv2.resize(rng.random((22, 16), np.float32), ink.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(ink * np.clip(1 - 6 * np.maximum(flakes - 1 + edition.digits.wear * 0.6, 0), 0.1, 1))


def _paper(edition: Edition, long_px: int) -> np.ndarray:
    paper = np.full((*blank(edition, long_px).outline.shape, 3), edition.face, np.float32)
    if edition.logo.ink:
        paper *= (1 - edition.logo.ink * _logo_mask(edition, long_px))[..., None]
    return paper


def _mix(under: np.ndarray, coverage: np.ndarray, colour: Bgr) -> np.ndarray:
    return np.asarray(under + coverage[..., None] * (np.array(colour, np.float32) - under))


def joker_face(edition: Edition, which: int, long_px: int) -> Face:
    """Draw a joker; an edition may have several inks for it, `which` chooses."""
    art = edition.jokers
    ink = art.inks[which % len(art.inks)]
    coverage = _canvas(edition, long_px).astype(np.float32)
    side = round(art.size * long_px / edition.ratio)
    x, y = _spot(edition, long_px, art.y)
    left, top = round(x - side / 2), max(PAD, round(y - side / 2))
    coverage[top : top + side, left : left + side] = jokers.draw(art.kind, art.seed, art.font, side)
    plain = blank(edition, long_px)
    return _face(_mix(_paper(edition, long_px), coverage, ink), coverage, plain.slope, plain.outline)


def back_face(edition: Edition, long_px: int) -> Face:
    """Draw the back of a tile: plain plastic, with bevel, perhaps with the logo."""
    x, y = _grid(edition, long_px)
    height = _bevel(edition, _inside(edition, x, y))
    if edition.back_logo:
        height = height + _logo_mask(edition, long_px) * edition.logo.relief
    albedo = np.full((*height.shape, 3), edition.face, np.float32)
    slope = _slope(height, long_px / edition.ratio)
    return _face(albedo, np.zeros(height.shape), slope, blank(edition, long_px).outline)


@lru_cache(maxsize=512)
def face_of(edition: Edition, tile: Tile | None, which: int, long_px: int) -> Face:
    """Draw a tile's face, or its back for None; kept, since a scene draws most faces twice. Treat as read-only."""
    if tile is None:
        return back_face(edition, long_px)
    return joker_face(edition, which, long_px) if tile.is_joker else number_face(edition, tile, long_px)
