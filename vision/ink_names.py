"""Words for inks, in the languages of the pages, and the hues they mean."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
_WORDS = {
    "black": "black schwarz zwart negro",
    "grey": "grey gray grau grijs gris",
    "red": "red rot rood rojo",
    "pink": "pink rosa roze magenta",
    "orange": "orange oranje naranja amber",
    "yellow": "yellow gelb geel amarillo",
    "brown": "brown braun bruin marrón marron",
    "green": "green grün gruen groen verde",
    "teal": "teal turquoise türkis turkoois turquesa cyan",
    "blue": "blue blau blauw azul",
    "purple": "purple violet lila violett paars morado violeta",
}
_BGR: dict[str, tuple[tuple[float, float, float], ...]] = {
    "black": ((0.1, 0.1, 0.1),),
    "grey": ((0.45, 0.45, 0.45),),
    "red": ((0.15, 0.1, 0.8), (0.3, 0.15, 0.85)),
    "pink": ((0.6, 0.35, 0.9),),
    "orange": ((0.1, 0.5, 0.95), (0.1, 0.62, 0.95)),
    "yellow": ((0.1, 0.8, 0.95),),
    "brown": ((0.1, 0.24, 0.42), (0.15, 0.3, 0.5)),
    "green": ((0.2, 0.5, 0.1), (0.35, 0.6, 0.05), (0.1, 0.45, 0.15)),
    "teal": ((0.6, 0.6, 0.05),),
    "blue": ((0.75, 0.3, 0.05), (0.6, 0.15, 0.15)),
    "purple": ((0.45, 0.1, 0.35), (0.5, 0.2, 0.4)),
}
_NAME_OF = {word: name for name, words in _WORDS.items() for word in words.split()}
_WIDE = 30.0


@dataclass(frozen=True)
class Hue:
    """A named colour: some of the shades that are called so, in Lab."""

    name: str
    shades: tuple[tuple[float, ...], ...]

    def fits(self, swallowed: ArrayLike) -> float:
        """Say how well an ink that swallows so much blue, green and red is called so: 0 wholly, -1 and less hardly."""
        return -self.distance(swallowed) / _WIDE

    def distance(self, swallowed: ArrayLike) -> float:
        """Give the distance in Lab to the nearest shade, lightness counting half."""
        seen = _lab(1 - np.asarray(swallowed, float))
        return float(min(np.linalg.norm((seen - shade) * (0.5, 1, 1)) for shade in self.shades))


def _lab(bgr: ArrayLike) -> Array:
    pixel = np.asarray(bgr, np.float32).reshape(1, 1, 3)
    return np.asarray(cv2.cvtColor(np.clip(pixel, 0, 1), cv2.COLOR_BGR2LAB)[0, 0], float)


_HUES = {name: Hue(name, tuple(tuple(_lab(bgr)) for bgr in shades)) for name, shades in _BGR.items()}


def hue_named(word: str) -> Hue | None:
    """Give the hue that a word means (`green`, `groen`, `dark green`), None where it is no colour known here."""
    return next((_HUES[_NAME_OF[part]] for part in reversed(word.lower().split()) if part in _NAME_OF), None)


def name_of(swallowed: ArrayLike) -> str:
    """Name an ink by what it swallows of blue, green and red."""
    return min(_HUES.values(), key=lambda hue: hue.distance(swallowed)).name
