"""A table that is known in part, read again: what is read where a known tile lies."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from referee.table import Table
from referee.tiles import Tile
from vision.detector import Boxes
from vision.faces import FACES, Aligned, Faces
from vision.frames import JudgedPicture
from vision.reader import TableReader
from vision.rereading import Game, Memory, read_again, remember_table

WIDE, HIGH = 36, 50
SPOTS = [(60 + 37 * (i % 3) + 180 * (i // 3), 100) for i in range(5)]
QUADS = np.array([[[x, y], [x + WIDE, y], [x + WIDE, y + HIGH], [x, y + HIGH]] for x, y in SPOTS], np.float32)
TABLE = "R7 R8 R9 / K4 B4"


@dataclass
class Eyes:
    """Finds tiles in all spots, and reads there what it is told to."""

    says: list[str]
    sure: float = 0.995

    def find(self, _image):
        return Boxes(QUADS, np.full(len(QUADS), 0.9, np.float32), np.zeros(len(QUADS), bool))

    def align(self, _image, quads):
        return Aligned(quads, np.full(len(quads), 0.999, np.float32), np.tile([0.999, 0, 0.001], (len(quads), 1)))

    def read(self, _image, aligned):
        given = np.zeros((len(aligned.quads), 2, len(FACES)), np.float32)
        for k, quad in enumerate(aligned.quads):
            spot = int(np.linalg.norm(QUADS[:, 0] - quad[0], axis=1).argmin())
            given[k, :, FACES.index(Tile.parse(self.says[spot]))] = self.sure
        return Faces(np.tile(np.array([0.99, 0.01], np.float32), (len(given), 1)), given)


def picture(seed):
    rng = np.random.default_rng(3)
    shown = np.full((300, 640, 3), (50, 80, 110), np.uint8) + rng.integers(0, 12, (300, 640, 1), np.uint8)
    for x, y in SPOTS:
        shown[y : y + HIGH, x : x + WIDE] = 225
        shown[y + 8 : y + 30, x + 8 : x + 28] = rng.integers(20, 220, (22, 20, 1))
    shown[200:250, 520:556] = rng.integers(90, 220, (50, 36, 1))
    noisy = shown + np.random.default_rng(seed).normal(0, 2, shown.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def judged(said_then, table=TABLE):
    """Read a table, and remember that it was judged to be this one."""
    eyes = Eyes(said_then.replace("/", " ").split())
    reader = TableReader(eyes, eyes)
    reread = read_again(reader, picture(1), Memory(), Game())
    known = Table.parse(table)
    memory = remember_table(reader, reread.memory, JudgedPicture(picture(1), reread.reading, known), corrected=False)
    return reader, eyes, memory, known


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        pytest.param(TABLE, TABLE, True, id="as ever"),
        pytest.param(TABLE.replace("R9", "R6"), TABLE.replace("R9", "R6"), True, id="misread then and now"),
        pytest.param(TABLE, TABLE.replace("R9", "R5"), False, id="it reads otherwise now"),
    ],
)
def test_a_tile_that_lies_as_it_lay_is_what_it_was_unless_it_reads_otherwise_now(then, now, same):
    reader, eyes, memory, table = judged(then)
    eyes.says[:] = now.replace("/", " ").split()
    reading = read_again(reader, picture(2), memory.afresh(), Game(table)).reading
    chances = [sum(c.probability for c in t.choices if c.tile == Tile.parse("R9")) for t in reading.tiles]
    assert (max(chances) > 0.999) == same
    doubted = {str(choice.tile) for tile in reading.tiles for choice in tile.choices if choice.probability < 0.5}
    assert doubted == (set() if same else {"R5"})


def test_a_weak_reading_says_nothing_against_a_known_tile():
    reader, eyes, memory, table = judged(TABLE)
    eyes.says[:], eyes.sure = TABLE.replace("R9", "R5").replace("/", " ").split(), 0.9
    reading = read_again(reader, picture(2), memory.afresh(), Game(table)).reading
    assert str(reading.table()) == TABLE


MARK = np.array([[[520, 200], [556, 200], [556, 250], [520, 250]]], np.float32)
KNOCK = np.float32([25, 30])


class Knocked(Eyes):
    """Finds all tiles elsewhere in the picture, and takes a mark of the table for a K6."""

    @property
    def quads(self):
        return np.concatenate([QUADS, MARK]) + KNOCK

    def find(self, _image):
        return Boxes(self.quads, np.full(len(QUADS) + 1, 0.9, np.float32), np.zeros(len(QUADS) + 1, bool))

    def read(self, image, aligned):
        faces = super().read(image, replace(aligned, quads=aligned.quads - KNOCK))
        mark = aligned.quads[:, 0, 1] > MARK[0, 0, 1]
        faces.given_way[mark] = 0.9 * np.eye(len(FACES))[FACES.index(Tile.parse("K6"))]
        return faces


def test_a_mark_of_the_table_is_no_tile_after_a_knock_of_the_camera_either():
    _, _, memory, table = judged(TABLE)
    eyes = Knocked(TABLE.replace("/", " ").split())
    knocked = np.roll(picture(2), KNOCK.astype(int)[::-1], (0, 1))
    reread = read_again(TableReader(eyes, eyes), knocked, memory.afresh(), Game(table))
    assert str(reread.reading.table()) == TABLE
