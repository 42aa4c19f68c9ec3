"""What scenes may be drawn from: the training ranges and the hold-out's, read from the versioned `ranges.toml`."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from models.render.glyphs import font_names
from models.render.inks import InkBox


@dataclass(frozen=True)
class Ranges:
    """One side of the separation: nothing named here is named in the other's."""

    name: str
    version: int
    fonts: tuple[str, ...]
    jokers: tuple[str, ...]
    tabletops: tuple[str, ...]
    inks: tuple[tuple[str, tuple[InkBox, ...]], ...]

    def ink_boxes(self, colour: str) -> tuple[InkBox, ...]:
        """Give the boxes of one ink by its name: black, red, blue, orange."""
        return dict(self.inks)[colour]


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads(files("models.render").joinpath("ranges.toml").read_text(encoding="utf-8"))


def _read(name: str) -> Ranges:
    part = _document()[name]
    fonts = part.get("fonts") or [f for f in font_names() if f not in part["fonts_except"]]
    inks = tuple((ink, tuple(InkBox(*box) for box in boxes)) for ink, boxes in part["inks"].items())
    return Ranges(name, _document()["version"], tuple(fonts), tuple(part["jokers"]), tuple(part["tabletops"]), inks)


@cache
def training_ranges() -> Ranges:
    """Give what pictures for training are drawn from."""
    return _read("train")


@cache
def holdout_ranges() -> Ranges:
    """Give what pictures for measuring are drawn from; never train on them."""
    return _read("holdout")
