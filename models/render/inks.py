"""Colours of print and plastic: drawn in hue, saturation and value, used as BGR from 0 to 1."""

import colorsys
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from referee.tiles import Colour

Bgr = tuple[float, float, float]


class InkBox(NamedTuple):
    """A box of colours to draw from: hue in degrees, saturation and value from 0 to 1, and its weight."""

    hue_from: float
    hue_to: float
    saturation_from: float
    saturation_to: float
    value_from: float
    value_to: float
    weight: float


@dataclass(frozen=True)
class Inks:
    """The four inks of an edition."""

    black: Bgr
    red: Bgr
    blue: Bgr
    orange: Bgr

    def of(self, colour: Colour) -> Bgr:
        """Give the ink of a numbered tile's colour."""
        return {Colour.BLACK: self.black, Colour.RED: self.red, Colour.BLUE: self.blue, Colour.ORANGE: self.orange}[
            colour
        ]


def bgr_of(hue: float, saturation: float, value: float) -> Bgr:
    """Turn hue (degrees), saturation and value (0 to 1) into BGR from 0 to 1."""
    r, g, b = colorsys.hsv_to_rgb(hue % 360 / 360, saturation, value)
    return (b, g, r)


def colour_distance(a: Bgr, b: Bgr) -> float:
    """Give the CIE76 distance of two colours; under about 15 a person at the table confuses them."""
    pair = np.array([[a, b]], np.float32)
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB)[0]
    return float(np.linalg.norm(lab[0] - lab[1]))


def draw_ink(rng: np.random.Generator, boxes: tuple[InkBox, ...]) -> Bgr:
    """Draw one ink from weighted boxes."""
    weights = np.array([box.weight for box in boxes])
    box = boxes[int(rng.choice(len(boxes), p=weights / weights.sum()))]
    return bgr_of(
        rng.uniform(box.hue_from, box.hue_to),
        rng.uniform(box.saturation_from, box.saturation_to),
        rng.uniform(box.value_from, box.value_to),
    )
