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
    many_jokers: bool = False
    """Every third tile is a joker: for those who learn what jokers look like."""

    def ink_boxes(self, colour: str) -> tuple[InkBox, ...]:
        """Give the boxes of one ink by its name: black, red, blue, orange."""
        return dict(self.inks)[colour]


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads(files("models.render").joinpath("ranges.toml").read_text(encoding="utf-8"))


def _read(name: str, *, dark_inks: bool = False) -> Ranges:
    part = _document()[name]
    fonts = part.get("fonts") or [f for f in font_names() if f not in part["fonts_except"]]
    more = part["dark_inks"] if dark_inks else {}
    boxes = {ink: usual + more.get(ink, []) for ink, usual in part["inks"].items()}
    inks = tuple((ink, tuple(InkBox(*box) for box in drawn)) for ink, drawn in boxes.items())
    return Ranges(name, _document()["version"], tuple(fonts), tuple(part["jokers"]), tuple(part["tabletops"]), inks)


@cache
def training_ranges(*, dark_inks: bool = False) -> Ranges:
    """Give what pictures for training are drawn from; `dark_inks`: with those that are nearly black or brown."""
    return _read("train", dark_inks=dark_inks)


@cache
def holdout_ranges() -> Ranges:
    """Give what pictures for measuring are drawn from; never train on them."""
    return _read("holdout")


@dataclass(frozen=True)
class HoldoutTables:
    """What tables the hold-out is made of.

    `tiles`: how many lie face up on the table, at least and at most. `tile_px`, `small_px`: the long side of a tile in
    the picture's middle, of the usual tables and of those with small tiles. `sizes` of the pictures; `layouts` as
    `draw_scene` knows them, in turn.
    """

    tiles: tuple[int, int]
    tile_px: tuple[float, float]
    small_px: tuple[float, float]
    sizes: tuple[tuple[int, int], ...]
    layouts: tuple[str, ...]


@cache
def holdout_tables() -> HoldoutTables:
    """Give what tables the hold-out is made of."""
    part = _document()["holdout"]["tables"]
    return HoldoutTables(
        tuple(part["tiles"]),
        tuple(part["tile_px"]),
        tuple(part["small_px"]),
        tuple((width, height) for width, height in part["sizes"]),
        tuple(part["layouts"]),
    )
