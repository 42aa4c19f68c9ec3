"""From the evenly lit picture to the camera's: light, blur and tone of a part at a time, and noise that is always new.

The same camera as `models.render.light` draws, in whole numbers and with what does not change worked out once.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from models.render.light import KNEE, Light, Sensor, glare, illumination, tone
from models.simulate.still import Rect

SPAN = 1.5
"""Light up to so many times full white is told apart before it is rounded off."""


@dataclass(frozen=True, eq=False)
class Developer:
    """Develops pictures under one light. `gain` (h, w, 3) float32; `glare` the same, None where there is none."""

    sensor: Sensor
    gain: np.ndarray
    glare: np.ndarray | None
    curve: np.ndarray
    colours: np.ndarray

    @classmethod
    def of(cls, light: Light, sensor: Sensor, size: tuple[int, int]) -> "Developer":
        """Work out what stays the same from picture to picture."""
        coarse = np.sqrt(illumination(light, size) * sensor.exposure) / SPAN
        shine = _finer(np.sqrt(glare(light, size)) * 255 / SPAN, size) if light.glares else None
        return cls(sensor, _finer(coarse, size), shine, _curve(sensor), _colours(sensor.saturation))

    @property
    def reach_px(self) -> int:
        """How far a pixel's light spreads."""
        return int(np.ceil(3 * self.sensor.focus_px)) + 1

    def develop(self, flat: np.ndarray, rect: Rect) -> np.ndarray:
        """Develop a part of the picture, BGR uint8; its outermost `reach_px` pixels lack what lies beyond."""
        light = cv2.multiply(flat, self.gain[rect.part], dtype=cv2.CV_32F)
        if self.glare is not None:
            light = cv2.magnitude(light, self.glare[rect.part])
        out = cv2.convertScaleAbs(light)
        if self.sensor.focus_px > 0.15:
            out = cv2.GaussianBlur(out, (0, 0), self.sensor.focus_px)
        if self.sensor.saturation != 1.0:
            out = cv2.transform(out, self.colours)
        return np.asarray(cv2.LUT(out, self.curve))


def _finer(field: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return cv2.resize(field.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)


def _curve(sensor: Sensor) -> np.ndarray:
    """Give what becomes of each value: the shoulder of what is too bright, then the camera's tone."""
    linear = (np.arange(256) / 255 * SPAN) ** 2
    over = np.maximum(linear - KNEE, 0)
    held = np.sqrt(linear - over + (1 - KNEE) * over / (over + 1 - KNEE))
    table = tone(sensor)
    return np.asarray(table[np.clip(np.round(held * 255), 0, 255).astype(int)])


def _colours(saturation: float) -> np.ndarray:
    """Give the matrix (3, 3) that makes colours stronger or paler."""
    grey = np.array([0.114, 0.587, 0.299], np.float32)
    return np.asarray(saturation * np.eye(3, dtype=np.float32) + (1 - saturation) * np.tile(grey, (3, 1)))


class Noise:
    """The sensor's noise out of a bank: normal, `strength` grey levels."""

    def __init__(self, strength: float, size: tuple[int, int], seed: int) -> None:
        w, h = size
        self._shape = (h, w, 3)
        self._needed = w * h * 3
        rng = np.random.default_rng([seed, 73])
        bank = rng.standard_normal(self._needed + (1 << 20), np.float32) * strength
        self._bank = np.clip(np.round(bank), -127, 127).astype(np.int8)

    def added(self, picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Give a picture with noise."""
        start = int(rng.integers(len(self._bank) - self._needed))
        noise = self._bank[start : start + self._needed].reshape(self._shape)
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U))
