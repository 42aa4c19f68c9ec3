"""Crops of things that are no rummy tile but look like one: playing cards, dominoes, letter tiles, mahjong, paper.

They teach the aligner that there is no tile, and the reader that there is no face, however plain the number on a card.
"""

from collections.abc import Callable

import cv2
import numpy as np

from models.render.glyphs import SUBPIXEL_BITS, text_outline
from models.render.ranges import training_ranges
from models.train.crops import STORED, Array, CropStore

Rng = np.random.Generator
Bgr = tuple[float, ...]
_RED, _BLACK = (35.0, 30.0, 190.0), (30.0, 28.0, 25.0)
_LETTERS = "ABCDEFGHIKLMNOPQRSTUVWXYZ"
"""All but J, which some sets print on their jokers."""
_RANKS = ("A", "K", "Q", "J", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_SCALE = 4
"""Things are drawn so many times larger than the crop, then averaged."""


def lookalikes(count: int, *, seed: int) -> CropStore:
    """Draw `count` crops, as many of each kind."""
    rng = np.random.default_rng([seed, 11])
    kinds: tuple[Callable[[Array, Rng], None], ...] = (_card, _domino, _letter, _mahjong, _paper)
    pixels = np.stack([_crop(kinds[k % len(kinds)], rng) for k in range(count)])
    return CropStore.of_no_tiles(pixels)


def _crop(draw: Callable[[Array, Rng], None], rng: Rng) -> Array:
    """One thing on a table, about as large in the crop as a tile would be, and perhaps others beside it."""
    size = np.array([STORED.width, STORED.height]) * _SCALE
    image = np.full((size[1], size[0], 3), rng.uniform(20, 235, 3), np.float32)
    image *= np.linspace(rng.uniform(0.7, 1), 1, size[0], dtype=np.float32)[None, :, None]
    unit = size / STORED.context * np.exp(rng.normal(0, 0.12, 2))
    for dx in (-1, 1, 0) if rng.random() < 0.5 else (0,):
        face = np.full((int(unit[1]), int(unit[0]), 3), _pale(rng), np.uint8)
        draw(face, rng)
        _lay(image, face, size / 2 + np.array([dx * unit[0] * rng.uniform(1.0, 1.2), 0]), rng)
    small = cv2.resize(image, (STORED.width, STORED.height), interpolation=cv2.INTER_AREA)
    grain = rng.normal(0, rng.uniform(0.5, 5), small.shape)
    return np.clip(small + grain, 0, 255).astype(np.uint8)


def _pale(rng: Rng) -> Array:
    """White, cream or a pale tint."""
    cream = np.array([rng.uniform(0.75, 1), rng.uniform(0.92, 1), 1])
    return rng.uniform(200, 255) * (cream if rng.random() < 0.8 else rng.uniform(0.8, 1, 3))


def _lay(image: Array, face: Array, centre: Array, rng: Rng) -> None:
    """Lay a face, a little turned, with a shadow."""
    h, w = face.shape[:2]
    warp = cv2.getRotationMatrix2D((w / 2, h / 2), rng.normal(0, 4), 1)
    warp[:, 2] += centre - [w / 2, h / 2]
    size = (image.shape[1], image.shape[0])
    shadow = warp + np.pad(rng.uniform(2, 14, (2, 1)), ((0, 0), (2, 0)))
    dark = cv2.GaussianBlur(cv2.warpAffine(np.ones((h, w), np.float32), shadow, size), (0, 0), 6)
    image *= 1 - 0.5 * dark[..., None]
    cv2.warpAffine(face.astype(np.float32), warp, size, image, borderMode=cv2.BORDER_TRANSPARENT)


def _write(face: Array, text: str, at: tuple[float, float], how: tuple[float, Bgr, Rng]) -> None:
    """Write with the middle at a place in shares of the face's size; `how`: height in faces, colour, chance."""
    height, colour, rng = how
    fonts = training_ranges().fonts
    place = np.array(at) * [face.shape[1], face.shape[0]]
    outline = text_outline(fonts[int(rng.integers(len(fonts)))], text)
    exact = [(part * height * face.shape[0] + place) * (1 << SUBPIXEL_BITS) for part in outline]
    cv2.fillPoly(face, [np.round(p).astype(np.int32) for p in exact], colour, cv2.LINE_AA, SUBPIXEL_BITS)


def _spot(face: Array, at: tuple[float, float], radius: float, colour: Bgr) -> None:
    h, w = face.shape[:2]
    cv2.circle(face, (int(at[0] * w), int(at[1] * h)), max(1, int(radius * w)), colour, -1, cv2.LINE_AA)


def _card(face: Array, rng: Rng) -> None:
    """A corner of rank and suit, once more upside down, and pips between."""
    ink, rank = (_RED, _BLACK)[int(rng.integers(2))], _RANKS[int(rng.integers(len(_RANKS)))]
    for half in range(2):
        high = rng.uniform(0.12, 0.2)
        _write(face, rank, (0.17, 0.13), (high, ink, rng))
        _spot(face, (0.17, 0.13 + high), 0.05, ink)
        if half == 0:
            face[:] = face[::-1, ::-1].copy()
    for _ in range(int(rng.integers(1, 9))):
        at = (float(rng.choice([0.35, 0.5, 0.65])), float(rng.choice([0.25, 0.4, 0.5, 0.6, 0.75])))
        _spot(face, at, rng.uniform(0.05, 0.09), ink)


def _domino(face: Array, rng: Rng) -> None:
    """Two fields of pips, or one of them as large as a tile."""
    if rng.random() < 0.3:
        face[:] = rng.uniform(15, 60)
    ink = (235.0, 235.0, 235.0) if face.mean() < 100 else (_BLACK, _RED)[int(rng.integers(2))]
    fields = ((0.0, 0.5), (0.5, 0.5)) if rng.random() < 0.6 else ((0.0, 1.0),)
    for top, height in fields:
        for _ in range(int(rng.integers(0, 7))):
            at = (float(rng.choice([0.25, 0.5, 0.75])), top + height * float(rng.choice([0.25, 0.5, 0.75])))
            _spot(face, at, rng.uniform(0.07, 0.1), ink)
    if len(fields) == 2:
        middle = face.shape[0] // 2
        cv2.line(face, (int(0.1 * face.shape[1]), middle), (int(0.9 * face.shape[1]), middle), ink, 2 * _SCALE)


def _letter(face: Array, rng: Rng) -> None:
    """A letter with a small value below it."""
    face[:] = face * np.array([rng.uniform(0.55, 1), rng.uniform(0.8, 1), 1])
    _write(face, _LETTERS[int(rng.integers(len(_LETTERS)))], (0.45, 0.45), (rng.uniform(0.35, 0.55), _BLACK, rng))
    _write(face, str(rng.integers(1, 11)), (0.82, 0.82), (rng.uniform(0.1, 0.16), _BLACK, rng))


def _mahjong(face: Array, rng: Rng) -> None:
    """Circles or bamboo sticks in green, red and blue."""
    inks: tuple[Bgr, ...] = ((60, 130, 40), _RED, (150, 70, 20))
    across, down = (int(rng.integers(1, 4)) for _ in range(2))
    for x in range(across):
        for y in range(down):
            at, ink = ((x + 1) / (across + 1), (y + 1) / (down + 1)), inks[int(rng.integers(3))]
            if rng.random() < 0.6:
                _spot(face, at, 0.35 / (across + 1), ink)
                _spot(face, at, 0.15 / (across + 1), tuple(map(float, face[2, 2])))
            else:
                px = (int(at[0] * face.shape[1]), int(at[1] * face.shape[0]))
                cv2.ellipse(face, px, (4 * _SCALE, 9 * _SCALE), 0, 0, 360, ink, -1, cv2.LINE_AA)


def _paper(face: Array, rng: Rng) -> None:
    """Lines of print, or a form's boxes."""
    for y in np.arange(0.12, 0.9, rng.uniform(0.08, 0.16)):
        start, end = sorted(rng.uniform(0.05, 0.95, 2))
        row, thick = int(y * face.shape[0]), int(rng.integers(1, 4)) * _SCALE
        cv2.line(face, (int(start * face.shape[1]), row), (int(end * face.shape[1]), row), _BLACK, thick)
    if rng.random() < 0.5:
        _write(face, str(rng.integers(10, 10_000)), (0.5, 0.5), (rng.uniform(0.1, 0.2), _BLACK, rng))
