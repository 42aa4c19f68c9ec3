from dataclasses import dataclass

import numpy as np
import pytest

from vision.changes import Seen, look_again
from vision.detector import Boxes
from vision.faces import FACES, Aligned, Faces
from vision.reader import TableReader

WIDE, HIGH = 30, 42
SIZE = (480, 640)
SPOTS = [(60 + 40 * (k % 12), 60 + 60 * (k // 12)) for k in range(36)]


def picture(faces, light=1.0, noise=0.0, seed=0):
    """A grey table with a white tile at each of the first spots that has a face; the face is the shade of its print."""
    image = np.full((*SIZE, 3), 90.0)
    for (x, y), face in zip(SPOTS, faces, strict=False):
        if face is not None:
            image[y : y + HIGH, x : x + WIDE] = 220
            image[y + 8 : y + 30, x + 6 : x + 24] = 4 * face
    image = image * light + np.random.default_rng(seed).normal(0, noise, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def face_at(image, x, y):
    """The face of the tile whose corner is here, whatever the light: its print against its white."""
    x, y = round(float(x)), round(float(y))
    print_, white = image[y + 12 : y + 26, x + 10 : x + 20], image[y + 33 : y + 40, x + 4 : x + 26]
    return round(print_.mean() / white.mean() * 220 / 4)


class ShadeFinder:
    """Finds the white tiles, and keeps how many pixels it was shown."""

    def __init__(self):
        self.pixels = 0

    def find(self, image):
        self.pixels += image.shape[0] * image.shape[1]
        scale = self.scale(image)
        white = image[..., 0] > 190
        rows = np.flatnonzero(white.any(1))
        quads = []
        while len(rows):
            top = rows[0]
            columns = np.flatnonzero(white[top + 2])
            for left in columns[np.diff(columns, prepend=-9) > 1]:
                width = int(np.argmin(np.append(white[top + 2, left:], False)))
                quads.append(_quad(left, top, width, HIGH * scale))
            rows = rows[rows > top + HIGH * scale]
        found = np.array(quads, np.float32).reshape(-1, 4, 2)
        return Boxes(found, np.full(len(found), 0.9, np.float32), np.zeros(len(found), bool))

    @staticmethod
    def scale(image):
        columns = np.flatnonzero((image[..., 0] > 190).any(0))
        runs = np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1)
        return len(runs[0]) / WIDE if len(columns) else 1.0


def _quad(x, y, w, h):
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


@dataclass
class ShadeNetworks:
    """Reads the shade of the print; keeps how many tiles it read."""

    sure: float = 0.999
    read_tiles: int = 0

    def align(self, _image, quads):
        return Aligned(quads, np.full(len(quads), 0.999, np.float32), np.tile([1.0, 0, 0], (len(quads), 1)))

    def read(self, image, aligned):
        self.read_tiles += len(aligned.quads)
        given = np.zeros((len(aligned.quads), 2, len(FACES)), np.float32)
        for k, quad in enumerate(aligned.quads):
            given[k, :, face_at(image, *quad[0])] = self.sure
        ways = np.tile(np.array([0.99, 0.01], np.float32), (len(given), 1))
        return Faces(ways, given)


def reader(**options):
    return TableReader(ShadeFinder(), ShadeNetworks(**options))


def shown(seen: Seen):
    """The faces by the spots where they were seen."""
    faces = seen.look.faces.faces.argmax(1).tolist()
    corners = seen.look.aligned.quads[:, 0]
    spots = [int(np.abs(np.array(SPOTS) - corner).sum(1).argmin()) for corner in corners]
    return dict(zip(spots, faces, strict=True))


FIRST = [k % 26 for k in range(12)] + [None] * 24


def test_the_first_picture_is_looked_at_as_a_whole():
    seen = look_again(reader(), picture(FIRST), None)
    assert seen.changed == 1
    assert shown(seen) == dict(enumerate(FIRST[:12]))


@pytest.mark.parametrize("light", [1.0, 0.85, 1.1], ids=["same light", "darker", "brighter"])
def test_where_nothing_changed_nothing_is_looked_at(light):
    eyes = reader()
    seen = look_again(eyes, picture(FIRST, noise=3), None)
    pixels, tiles = eyes.finder.pixels, eyes.networks.read_tiles
    again = look_again(eyes, picture(FIRST, light, noise=3, seed=1), seen)
    assert (eyes.finder.pixels, eyes.networks.read_tiles) == (pixels, tiles)
    assert again.look is seen.look
    assert again.changed == 0


@pytest.mark.parametrize(
    "changes",
    [{3: 20}, {20: 9}, {5: None}, {3: 20, 20: 9, 5: None}, {}],
    ids=["another face in one place", "a new tile", "a tile gone", "all three", "nothing"],
)
def test_what_changed_is_seen(changes):
    eyes = reader()
    seen = look_again(eyes, picture(FIRST, noise=2), None)
    pixels, tiles = eyes.finder.pixels, eyes.networks.read_tiles
    then = [changes.get(k, face) for k, face in enumerate(FIRST)]
    assert shown(look_again(eyes, picture(then, noise=2, seed=1), seen)) == {
        k: face for k, face in enumerate(then) if face is not None
    }
    assert eyes.finder.pixels - pixels < 0.3 * SIZE[0] * SIZE[1]
    assert eyes.networks.read_tiles - tiles <= 4


def test_changes_add_up_over_many_pictures():
    eyes, seen, faces = reader(), None, list(FIRST)
    for turn in range(6):
        faces[12 + turn], faces[turn] = faces[turn], None
        seen = look_again(eyes, picture(faces, 1 - 0.02 * turn, noise=2, seed=turn), seen)
    assert shown(seen) == {k: face for k, face in enumerate(faces) if face is not None}


def test_slow_drift_is_seen():
    eyes, seen = reader(), None
    for step in range(9):
        image = picture(FIRST)
        image[68:90, 66:84] = 4 * step
        seen = look_again(eyes, image, seen)
    assert shown(seen)[0] == 8


@pytest.mark.parametrize(
    ("image", "area"),
    [
        (np.roll(picture(FIRST), 8, axis=1), None),
        (picture(FIRST)[:400], None),
        (picture(FIRST), ((0, 0), (300, 0), (300, 300), (0, 300))),
    ],
    ids=["a camera that was bumped", "another size", "another playing area"],
)
def test_all_is_looked_at_anew(image, area):
    eyes = reader()
    assert look_again(eyes, image, look_again(eyes, picture(FIRST), None), area).changed == 1


def test_what_lies_outside_the_playing_area_is_left_out():
    eyes, area = reader(), ((0, 0), (640, 0), (640, 110), (0, 110))
    seen = look_again(eyes, picture(FIRST), None, area)
    then = look_again(eyes, picture([*FIRST[:20], 9]), seen, area)
    assert shown(then) == dict(enumerate(FIRST[:12]))


def test_an_unsure_tile_that_lies_still_is_read_again_and_grows_surer():
    eyes = reader(sure=0.7)
    seen = look_again(eyes, picture(FIRST), None)
    before = seen.look.faces.faces.max(1)
    for k in range(40):
        seen = look_again(eyes, picture(FIRST, noise=1, seed=k), seen)
    assert (seen.look.faces.faces.max(1) > before).all()
    assert (seen.look.faces.faces.max(1) < 0.99).all()
    assert seen.looks.tolist() == [8] * 12
