"""Pictures on which no rummy tile lies, though some things look like one."""

import cv2
import numpy as np

Picture = np.ndarray
SIZE = (720, 960)
_WOOD = (70, 105, 150)
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX)
_RED, _BLACK, _GREEN = (30, 30, 200), (25, 25, 25), (60, 130, 40)


def table(seed: int = 0) -> Picture:
    """Give an empty table with some grain."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 26, (SIZE[0], 1)), (1, 9), 0) + rng.normal(0, 3, SIZE)
    return np.clip(np.array(_WOOD) + grain[..., None], 0, 255).astype(np.uint8)


def piece(image: Picture, at: tuple[int, int], size: tuple[int, int], colour: tuple[int, int, int]) -> Picture:
    """Lay a flat piece with a shadow; gives the part of the picture that shows it."""
    (x, y), (w, h) = at, size
    cv2.rectangle(image, (x + 3, y + 4), (x + w + 3, y + h + 4), (30, 45, 60), -1)
    cv2.rectangle(image, (x, y), (x + w, y + h), colour, -1)
    cv2.rectangle(image, (x, y), (x + w, y + h), tuple(int(0.8 * c) for c in colour), 1, cv2.LINE_AA)
    return image[y : y + h, x : x + w]


def write(part: Picture, text: str, at: tuple[float, float], high: float, colour: tuple[int, int, int]) -> None:
    """Write with the middle at a place of the part, both in shares of its size."""
    scale = high * part.shape[0] / 22
    (w, h), _ = cv2.getTextSize(text, _FONTS[1], scale, 2)
    x, y = int(at[0] * part.shape[1] - w / 2), int(at[1] * part.shape[0] + h / 2)
    cv2.putText(part, text, (x, y), _FONTS[1], scale, colour, 2, cv2.LINE_AA)


def playing_cards() -> Picture:
    """Two rows of cards with corner figures and pips."""
    image, words = table(1), ["A", "K", "Q", "J", "9", "7", "5", "3", "8", "2"]
    for k, word in enumerate(words):
        card = piece(image, (60 + 170 * (k % 5), 60 + 300 * (k // 5)), (140, 200), (245, 245, 245))
        colour = _RED if k % 2 else _BLACK
        write(card, word, (0.14, 0.12), 0.11, colour)
        card[-50:, -40:] = card[50:0:-1, 40:0:-1]
        for spot in range(min(6, k + 1)):
            cv2.circle(card, (45 + 50 * (spot % 2), 50 + 45 * (spot // 2)), 12, colour, -1, cv2.LINE_AA)
    return image


def dominoes() -> Picture:
    """A line of upright dominoes."""
    image = table(2)
    for k in range(10):
        half = 50
        stone = piece(image, (50 + 88 * k, 260), (half, 2 * half), (235, 240, 240))
        cv2.line(stone, (4, half), (half - 4, half), _BLACK, 2)
        for part, pips in ((0, k % 7), (1, (k * 3) % 7)):
            for p in range(pips):
                cv2.circle(stone, (12 + 13 * (p % 3), 12 + 13 * (p // 3) + half * part), 4, _BLACK, -1, cv2.LINE_AA)
    return image


def scrabble() -> Picture:
    """A word of letter tiles with small values."""
    image = table(3)
    for k, letter in enumerate("RUMMYTILES"):
        tile = piece(image, (60 + 62 * k, 300), (58, 62), (170, 215, 240))
        write(tile, letter, (0.46, 0.46), 0.5, _BLACK)
        write(tile, str(k % 4 + 1), (0.86, 0.84), 0.18, _BLACK)
    return image


def mahjong() -> Picture:
    """Tiles with circles, bamboos and characters."""
    image = table(4)
    for k in range(12):
        tile = piece(image, (60 + 70 * k, 280), (60, 82), (228, 238, 240))
        for p in range(k % 9 + 1):
            at = (14 + 16 * (p % 3), 16 + 22 * (p // 3))
            if k % 2:
                cv2.circle(tile, at, 7, (_RED, _GREEN, (150, 60, 20))[p % 3], 2, cv2.LINE_AA)
            else:
                cv2.line(tile, (at[0], at[1] - 8), (at[0], at[1] + 8), _GREEN, 4, cv2.LINE_AA)
    return image


def childs_drawing() -> Picture:
    """A house, a sun and a scribbled word on paper."""
    image = table(5)
    paper = piece(image, (120, 60), (720, 560), (250, 250, 248))
    cv2.rectangle(paper, (120, 260), (360, 480), (40, 40, 200), 5, cv2.LINE_AA)
    cv2.polylines(paper, [np.array([[100, 260], [240, 130], [380, 260]])], True, (160, 60, 30), 5, cv2.LINE_AA)
    cv2.rectangle(paper, (200, 360), (260, 480), (30, 120, 200), 4, cv2.LINE_AA)
    cv2.circle(paper, (580, 120), 55, (20, 190, 240), 5, cv2.LINE_AA)
    cv2.putText(paper, "MAMA 5", (420, 420), _FONTS[2], 2, (180, 80, 60), 4, cv2.LINE_AA)
    return image


def lens_cap() -> Picture:
    """Darkness with a little noise."""
    return np.random.default_rng(6).integers(0, 9, (*SIZE, 3), dtype=np.uint8)


def overexposed() -> Picture:
    """White all over."""
    return np.full((*SIZE, 3), 255, np.uint8)


STRANGE = (table, playing_cards, dominoes, scrabble, mahjong, childs_drawing, lens_cap, overexposed)
