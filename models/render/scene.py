"""A scene: everything that a picture is drawn from, as values."""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from models.render.camera import Camera
from models.render.edition import Edition
from models.render.light import Light, Sensor
from models.render.placement import Placement

Point = tuple[float, float]


@dataclass(frozen=True)
class TableTop:
    """A table-top: its kind (`models.render.tabletops`), seed, turn in radians, and pixels of it per tile width.

    `middle`: where on the table the middle of its picture lies; below the camera's target where None.
    """

    kind: str = "walnut"
    seed: int = 0
    angle: float = 0.0
    scale: float = 50.0
    middle: Point | None = None


@dataclass(frozen=True)
class Edge:
    """Where the table ends: `distance` from the camera's target towards `direction` (radians); beyond lies a floor."""

    direction: float
    distance: float
    floor: TableTop

    @property
    def outward(self) -> np.ndarray:
        """The unit vector on the table towards the edge."""
        return np.array([np.cos(self.direction), np.sin(self.direction)])

    def beyond(self, reach: float) -> np.ndarray:
        """Give the corners (4, 2) of the ground beyond the edge, up to `reach` away."""
        out = self.outward
        along = np.array([-out[1], out[0]]) * reach
        near = out * self.distance
        return np.array([near - along, near + along, near + along + out * reach, near - along + out * reach])


@dataclass(frozen=True)
class Thing:
    """Something else on the table: its kind (`models.render.clutter`), seed, place, turn and size in tile widths."""

    kind: str
    seed: int
    x: float
    y: float
    angle: float
    size: float


@dataclass(frozen=True)
class RackBody:
    """A rack: where its front edge's middle stands, its turn, length and tiers, in tile widths; its colour BGR."""

    x: float
    y: float
    angle: float
    length: float
    tiers: int
    lean: float
    step: float
    rise: float
    colour: tuple[float, float, float]


@dataclass(frozen=True)
class Scene:
    """All that is in one picture. `seed` makes the noise; `layout` and `ranges` say how it was drawn, for the truth."""

    edition: Edition
    camera: Camera
    placements: tuple[Placement, ...] = ()
    tabletop: TableTop = field(default_factory=TableTop)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    things: tuple[Thing, ...] = ()
    racks: tuple[RackBody, ...] = ()
    edge: Edge | None = None
    seed: int = 0
    layout: str = "given"
    melds_labelled: bool = True
    ranges: str = ""

    def record(self) -> dict[str, Any]:
        """Give all that was randomised, for the truth file; the tiles' poses are with the tiles."""
        out = asdict(replace(self, placements=()))
        del out["placements"]
        return out
