"""The table with what lies on it, evenly lit, kept from picture to picture and drawn anew where tiles changed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np

from models.render import racks
from models.render.drawing import cast_shadows, draw_bare
from models.render.pieces import Canvas, Finish, draw_pieces, pieces_of
from models.render.placement import Placement
from models.render.scene import Scene
from models.simulate.floor import Lying
from models.simulate.hidden import Piece


class Rect(NamedTuple):
    """A part of a picture: columns from `x0` up to but without `x1`, lines from `y0` to `y1`."""

    x0: int
    y0: int
    x1: int
    y1: int

    @classmethod
    def around(cls, points: np.ndarray, margin: float) -> Self:
        """Give the part round points (..., 2)."""
        flat = points.reshape(-1, 2)
        (x0, y0), (x1, y1) = np.floor(flat.min(0) - margin).tolist(), np.ceil(flat.max(0) + margin).tolist()
        return cls(int(x0), int(y0), int(x1), int(y1))

    @property
    def part(self) -> tuple[slice, slice]:
        """The slices of an array (h, w, ...)."""
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.x0 >= self.x1 or self.y0 >= self.y1

    def meets(self, other: "Rect") -> bool:
        """Whether they have a pixel in common."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def joined(self, other: "Rect") -> "Rect":
        """Give the smallest part that holds both."""
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def wider(self, by: int, size: tuple[int, int]) -> "Rect":
        """Give it with a margin, inside a picture of a size (w, h); from and to even pixels, as shadows are halved."""
        w, h = size
        x0, y0 = max(0, self.x0 - by) // 2 * 2, max(0, self.y0 - by) // 2 * 2
        return Rect(x0, y0, min(w, -(-(self.x1 + by) // 2) * 2), min(h, -(-(self.y1 + by) // 2) * 2))

    def inside(self, outer: "Rect") -> tuple[slice, slice]:
        """Give the slices of this part in an array of the outer one."""
        return slice(self.y0 - outer.y0, self.y1 - outer.y0), slice(self.x0 - outer.x0, self.x1 - outer.x0)


def merged(rects: Iterable[Rect]) -> list[Rect]:
    """Join parts that meet, until none do."""
    out: list[Rect] = []
    for rect in rects:
        meeting = [other for other in out if other.meets(rect)]
        while meeting:
            for other in meeting:
                out.remove(other)
                rect = rect.joined(other)  # noqa: PLW2901 # it grows while it meets others
            meeting = [other for other in out if other.meets(rect)]
        out.append(rect)
    return out


class Still:
    """The picture of what lies, through one camera, before any light: `flat`, BGR uint8 (h, w, 3)."""

    def __init__(self, scene: Scene, finish: Finish) -> None:
        self._scene, self._finish = scene, finish
        self._bare = draw_bare(scene)
        racks.draw_bodies(self._bare, scene)
        self.flat = self._bare.copy()
        self._places: dict[Piece, Placement] = {}
        self._rects: dict[Piece, Rect] = {}
        light, px = scene.light, scene.camera.focal / scene.camera.distance
        self.soft_px = round(3 * max(light.blur, 0.05) * px) + 4
        self._reach_px = scene.edition.thickness / np.tan(max(light.elevation, 0.3)) * px

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self._scene.camera.size

    def show(self, lying: Sequence[Lying]) -> list[Rect]:
        """Bring the picture up to date; gives the parts that changed."""
        new = dict(lying)
        gone = [piece for piece, at in self._places.items() if new.get(piece) != at]
        come = [one for one in lying if self._places.get(one.piece) != one.at]
        if not gone and not come:
            return []
        dirty = [self._rects.pop(piece) for piece in gone]
        self._places = new
        self._rects |= dict(zip((one.piece for one in come), self.rects_of(come), strict=True))
        dirty += [self._rects[one.piece] for one in come]
        changed = [rect.wider(0, self.size) for rect in merged(dirty)]
        changed = [rect for rect in changed if not rect.empty]
        for rect in changed:
            self._redraw(rect)
        return changed

    def rects_of(self, lying: Sequence[Lying]) -> list[Rect]:
        """Give the parts of the picture that tiles and their shadows take."""
        scene = replace(self._scene, placements=tuple(one.at for one in lying))
        rims = pieces_of(scene, self._own(lying)).rims
        return [Rect.around(rim, self._reach_px + self.soft_px) for rim in rims]

    def _own(self, lying: Sequence[Lying]) -> Finish:
        return self._finish.take(np.array([one.piece for one in lying], int))

    def _redraw(self, rect: Rect) -> None:
        outer = rect.wider(self.soft_px, self.size)
        near = [Lying(piece, at) for piece, at in self._places.items() if self._rects[piece].meets(outer)]
        part = self._bare[outer.part].copy()
        self.draw_tiles(part, outer, sorted(near))
        self.flat[rect.part] = part[rect.inside(outer)]

    def draw_tiles(self, part: np.ndarray, rect: Rect, lying: Sequence[Lying], *, lifted: bool = False) -> None:
        """Draw tiles and their shadows into a part of the picture; those of lifted ones fall farther away."""
        scene = replace(self._scene, placements=tuple(one.at for one in lying))
        pieces = pieces_of(scene, self._own(lying)).seen_from(rect.x0, rect.y0)
        if lifted:
            below = replace(scene, placements=tuple(self._shadow_place(one.at) for one in lying))
            cast_shadows(part, below, pieces_of(below, self._own(lying)).seen_from(rect.x0, rect.y0))
        else:
            cast_shadows(part, scene, pieces)
        draw_pieces(Canvas(part, np.zeros(part.shape[:2], np.int16)), scene, pieces)

    def _shadow_place(self, at: Placement) -> Placement:
        """Give where on the table the shadow of a lifted tile falls."""
        light = self._scene.light
        away = at.height / np.tan(max(light.elevation, 0.3))
        return replace(
            at,
            x=at.x - float(np.cos(light.azimuth) * away),
            y=at.y - float(np.sin(light.azimuth) * away),
            height=0.0,
        )
