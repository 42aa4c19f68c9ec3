"""Draws the pictures of a game."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from models.render.camera import Camera
from models.render.drawing import render_scene
from models.render.light import Light
from models.render.placement import Poses, corners
from models.render.scene import Scene, Thing
from models.simulate.floor import Lying
from models.simulate.moves import Posture, Seat
from referee.table import Quad
from referee.tiles import Tile
from vision.frames import Picture


class View(NamedTuple):
    """All that is in one picture: what lies, moves and covers, the camera's pose, the light, and the moment."""

    posture: Posture
    camera: Camera
    light: Light
    at_ms: int


class Stage:
    """Draws one game's pictures."""

    def __init__(self, scene: Scene, seats: tuple[Seat, ...]) -> None:
        self._scene = scene
        self._seats = seats

    def draw(self, view: View) -> Picture:
        """Draw a picture: BGR uint8 (h, w, 3)."""
        posture = view.posture
        scene = replace(
            self._scene,
            camera=view.camera,
            light=view.light,
            placements=tuple(lying.at for lying in (*posture.lying, *posture.moving)),
            things=(*self._scene.things, *(self._hand(hand.seat, hand.x, hand.y) for hand in posture.hands)),
            seed=self._scene.seed + view.at_ms,
        )
        return np.asarray(render_scene(scene).image, np.uint8)

    def _hand(self, seat: int, x: float, y: float) -> Thing:
        shoulder = self._seats[seat]
        angle = float(np.arctan2(y - shoulder.y, x - shoulder.x) + np.pi / 2)
        return Thing("hand", seat, x, y, angle, 3.2)


def truth_corners(scene: Scene, view: View) -> tuple[tuple[Tile, Quad], ...]:
    """Give where each face-up tile of the table lies in a picture, top-left first and clockwise as it is read."""
    lying = [one.at for one in (*view.posture.lying, *view.posture.moving) if not one.at.back]
    outlines = Poses.of(lying, scene.edition.ratio).outlines(corners(scene.edition.ratio), scene.edition.thickness)
    quads = view.camera.project(outlines)
    return tuple((at.tile, _quad(quad)) for at, quad in zip(lying, quads, strict=True))


def _quad(corners_: np.ndarray) -> Quad:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners_.tolist()
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)
