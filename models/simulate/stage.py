"""Draws the pictures of a game, each out of the one before: what lies, what moves, hands above, light, noise."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from models.render.camera import Camera
from models.render.light import Light
from models.render.pieces import Finish
from models.render.placement import Poses, corners
from models.render.scene import Scene
from models.simulate.develop import Developer, Noise
from models.simulate.hands import BOTTOM, LEFT, RIGHT, SHADOW_SCALE, TOP, Look, Sprite, draw_arm
from models.simulate.moves import HandPose, Posture, Seat
from models.simulate.still import Rect, Still
from referee.table import Quad
from referee.tiles import Tile
from vision.frames import Picture
from vision.patches import as_quad

HAND_SHADOW = 0.75
"""How dark a hand's shadow is, of the darkness of a tile's."""


class View(NamedTuple):
    """All that is in one picture: what lies, moves and covers, the camera's pose, the light, and the moment."""

    posture: Posture
    camera: Camera
    light: Light
    at_ms: int


class Stage:
    """Draws one game's pictures, in any order; fastest in the order of the game. Not for several threads at once."""

    def __init__(self, scene: Scene, seats: Sequence[Seat], looks: Sequence[Look], pieces: int) -> None:
        self._scene, self._seats, self._looks = scene, seats, looks
        self._finish = Finish.draw(np.random.default_rng([scene.seed, 74]), pieces)
        self._noise = Noise(scene.sensor.noise, scene.camera.size, scene.seed)
        self._sprites: dict[tuple[int, bool], Sprite] = {}
        self._camera: Camera | None = None
        self._light: Light | None = None

    def draw(self, view: View) -> Picture:
        """Draw a picture: BGR uint8 (h, w, 3)."""
        self._bring_up_to_date(view)
        picture = self._developed
        if view.posture.moving or view.posture.hands:
            picture = self._developed.copy()
            self._draw_above(picture, view)
        rng = np.random.default_rng([self._scene.seed, view.at_ms, 75])
        return np.asarray(self._noise.added(picture, rng), np.uint8)

    def _bring_up_to_date(self, view: View) -> None:
        """Draw anew what lies otherwise than in the last picture, or is lit or seen otherwise."""
        whole = Rect(0, 0, *view.camera.size)
        if view.camera != self._camera:
            self._still = Still(replace(self._scene, camera=view.camera), self._finish)
        if view.light != self._light:
            self._developer = Developer.of(view.light, self._scene.sensor, view.camera.size)
        changed = self._still.show(view.posture.lying)
        if (view.camera, view.light) != (self._camera, self._light):
            self._developed = self._developer.develop(self._still.flat, whole)
            self._camera, self._light = view.camera, view.light
            return
        for rect in changed:
            self._develop(self._developed, rect, self._still.flat)

    def _develop(self, into: np.ndarray, rect: Rect, flat: np.ndarray) -> None:
        """Develop a part of the whole flat picture, and what its light spreads to."""
        size, reach = self._still.size, self._developer.reach_px
        inner = rect.wider(reach, size)
        outer = inner.wider(reach, size)
        into[inner.part] = self._developer.develop(flat[outer.part], outer)[inner.inside(outer)]

    def _draw_above(self, picture: np.ndarray, view: View) -> None:
        """Draw tiles on the move and hands over what lies."""
        posture, still, size = view.posture, self._still, self._still.size
        warps = [self._warp(hand, view.camera) for hand in posture.hands]
        rects = still.rects_of(posture.moving) if posture.moving else []
        lifted = max((one.at.height for one in posture.moving), default=0.0) * still.soft_px
        rects = [rect.wider(round(lifted), size) for rect in rects]
        rects += [self._covered(hand, warp) for hand, warp in zip(posture.hands, warps, strict=True)]
        rect = rects[0]
        for other in rects[1:]:
            rect = rect.joined(other)
        inner = rect.wider(self._developer.reach_px, size)
        outer = inner.wider(self._developer.reach_px, size)
        if inner.empty:
            return
        part = still.flat[outer.part].copy()
        if posture.moving:
            still.draw_tiles(part, outer, posture.moving, lifted=True)
        for hand, warp in zip(posture.hands, warps, strict=True):
            self._draw_hand(part, outer, hand, warp)
        picture[inner.part] = self._developer.develop(part, outer)[inner.inside(outer)]

    # Hands.

    def _warp(self, hand: HandPose, camera: Camera) -> np.ndarray:
        """Give the matrix (2, 3) from a sprite's axes, in tile widths, to pixels."""
        seat = self._seats[hand.seat]
        back = np.array([seat.x - hand.x, seat.y - hand.y])
        back = back / max(float(np.hypot(*back)), 1e-6)
        right = np.array([back[1], -back[0]])
        at = np.array([hand.x, hand.y])
        points = np.array([[*at, hand.height], [*(at + right), hand.height], [*(at + back), hand.height]])
        origin, across, along = camera.project_ideal(points)
        return np.column_stack([across - origin, along - origin, origin])

    def _covered(self, hand: HandPose, warp: np.ndarray) -> Rect:
        """Give the part of the picture that a hand and its shadow take."""
        frame = np.array([[LEFT, TOP, 1], [RIGHT, TOP, 1], [RIGHT, BOTTOM, 1], [LEFT, BOTTOM, 1]])
        points = frame @ warp.T
        return Rect.around(np.vstack([points, points + self._shadow_shift(hand)]), 4)

    def _shadow_shift(self, hand: HandPose) -> np.ndarray:
        """Give how far a hand's shadow falls from it, in pixels."""
        light, camera = self._scene.light, self._still_camera
        away = (hand.height + 0.5) / np.tan(max(light.elevation, 0.3))
        direction = -np.array([np.cos(light.azimuth), np.sin(light.azimuth), 0.0]) * away
        at = np.array([hand.x, hand.y, hand.height])
        moved, here = camera.project_ideal(np.array([at + direction, at]))
        return np.asarray(moved - here)

    @property
    def _still_camera(self) -> Camera:
        return self._camera or self._scene.camera

    def _sprite(self, hand: HandPose) -> Sprite:
        key = (hand.seat, hand.holds)
        if key not in self._sprites:
            camera = self._scene.camera
            self._sprites[key] = draw_arm(
                self._looks[hand.seat],
                holds=hand.holds,
                scale=camera.focal / camera.distance,
                light=self._light_from(hand.seat),
            )
        return self._sprites[key]

    def _light_from(self, seat: int) -> np.ndarray:
        """Give the direction of the light in the axes of a player's arm."""
        back = np.array(self._seats[seat]) - np.array(self._scene.camera.target)
        back = back / np.hypot(*back)
        x, y, up = self._scene.light.towards
        return np.array([x * back[1] - y * back[0], x * back[0] + y * back[1], up])

    def _draw_hand(self, part: np.ndarray, rect: Rect, hand: HandPose, warp: np.ndarray) -> None:
        sprite, size = self._sprite(hand), (part.shape[1], part.shape[0])
        half = (size[0] // 2, size[1] // 2)
        shadowed = np.column_stack([warp[:, :2], warp[:, 2] + self._shadow_shift(hand)])
        onto_half = _from_sprite(shadowed, sprite.scale * SHADOW_SCALE, rect) * 0.5
        shadow = cv2.warpAffine(sprite.shadow, onto_half, half, flags=cv2.INTER_LINEAR)
        clear = cv2.convertScaleAbs(shadow, alpha=-self._scene.light.shadow * HAND_SHADOW, beta=255)
        clear = cv2.resize(clear, size, interpolation=cv2.INTER_LINEAR)
        drawn = cv2.warpAffine(sprite.picture, _from_sprite(warp, sprite.scale, rect), size, flags=cv2.INTER_LINEAR)
        alpha = cv2.bitwise_not(drawn[..., 3])
        left = cv2.multiply(clear, alpha, scale=1 / 255)
        part[:] = cv2.add(cv2.multiply(part, cv2.merge([left] * 3), scale=1 / 255), drawn[..., :3])


def _from_sprite(warp: np.ndarray, scale: float, rect: Rect) -> np.ndarray:
    """Give the matrix from a sprite's pixels to those of a part of the picture."""
    onto_axes = np.array([[1 / scale, 0, LEFT], [0, 1 / scale, TOP], [0, 0, 1]])
    return np.asarray(warp @ onto_axes - np.array([[0, 0, rect.x0], [0, 0, rect.y0]]))


def truth_corners(scene: Scene, view: View) -> tuple[tuple[Tile, Quad], ...]:
    """Give where the face-up tiles in a picture lie in it, top-left first and clockwise as they are read."""
    lying = [one.at for one in (*view.posture.lying, *view.posture.moving) if not one.at.back]
    outlines = Poses.of(lying, scene.edition.ratio).outlines(corners(scene.edition.ratio), scene.edition.thickness)
    quads = view.camera.project(outlines)
    return tuple(
        (at.tile, as_quad(quad)) for at, quad in zip(lying, quads, strict=True) if _in_sight(quad, view.camera)
    )


def _in_sight(quad: np.ndarray, camera: Camera) -> bool:
    """Whether some of a tile may be in the picture."""
    return bool((quad.max(0) >= 0).all() and (quad.min(0) < np.array(camera.size)).all())
