import numpy as np
import pytest
from drawn_table import look, other_ink, table

from models.evaluate import NONE
from vision.detector import Boxes
from vision.faces import FACES, Aligned
from vision.likeness import TaughtFaces
from vision.one_set import FEWEST, weighed_together
from vision.reader import TableReader

FIRST_OF_EACH = [i for i, face in enumerate(table()[2]) if face not in table()[2][:i]]
TWINS = [i for i, face in enumerate(table()[2]) if face in table()[2][:i] and not face.is_joker]


def seen(sure, doubtful, instead):
    """Look at tiles of the drawn table: the first ones are read for sure, the others rather as something else."""
    image, quads, faces = table()
    of_sure = look(quads[sure], [faces[i] for i in sure], 0.995)
    of_others = look(quads[doubtful], [faces[i] for i in doubtful], 0.4, instead)
    return image, np.concatenate([quads[sure], quads[doubtful]]), of_sure.faces.joined(of_others.faces)


def told(image, quads, faces, *, there=True):
    return weighed_together(image, quads, faces, np.full(len(quads), there))


def right(faces, places, doubtful, what):
    said = [FACES[i] for i in faces.given_way[places, 0].argmax(axis=1)]
    return np.mean([what(a) == what(table()[2][i]) for a, i in zip(said, doubtful, strict=True)])


def test_inks_that_are_hardly_told_are_told_by_the_sure_tiles_of_the_table():
    picture = seen(FIRST_OF_EACH, TWINS, [other_ink(table()[2][i]) for i in TWINS])
    places = np.arange(len(FIRST_OF_EACH), len(FIRST_OF_EACH) + len(TWINS))
    assert right(picture[2], places, TWINS, lambda face: face.colour) == 0
    assert right(told(*picture), places, TWINS, lambda face: face.colour) > 0.95


def test_numbers_that_are_hardly_told_are_told_by_the_sure_tiles_of_the_table():
    other = [FACES[(FACES.index(table()[2][i]) + 1) % 13 + FACES.index(table()[2][i]) // 13 * 13] for i in TWINS]
    picture = seen(FIRST_OF_EACH, TWINS, other)
    places = np.arange(len(FIRST_OF_EACH), len(FIRST_OF_EACH) + len(TWINS))
    assert right(picture[2], places, TWINS, lambda face: face.number) == 0
    assert right(told(*picture), places, TWINS, lambda face: face.number) > 0.9


def test_sure_tiles_and_ways_up_and_legibility_stay_as_they_were():
    image, quads, faces = seen(FIRST_OF_EACH, TWINS, [other_ink(table()[2][i]) for i in TWINS])
    after = told(image, quads, faces)
    assert (after.given_way[: len(FIRST_OF_EACH)] == faces.given_way[: len(FIRST_OF_EACH)]).all()
    assert (after.ways == faces.ways).all()
    assert after.given_way.sum(axis=2) == pytest.approx(faces.given_way.sum(axis=2), abs=1e-5)


@pytest.mark.parametrize(("sure", "there"), [(FIRST_OF_EACH[: FEWEST - 1], True), (FIRST_OF_EACH, False)])
def test_from_few_tiles_or_from_what_is_perhaps_none_nothing_is_learnt(sure, there):
    picture = seen(sure, TWINS, [other_ink(table()[2][i]) for i in TWINS])
    assert told(*picture, there=there) is picture[2]


def test_a_table_that_is_read_for_sure_is_left_alone():
    picture = seen(FIRST_OF_EACH, [], [])
    assert told(*picture) is picture[2]


class Given:
    """Finds the drawn tiles, and reads of them what it was told to."""

    def __init__(self, quads, faces):
        self.quads, self.faces = quads, faces

    def find(self, _image):
        count = len(self.quads)
        return Boxes(self.quads, np.full(count, 0.9, np.float32), np.zeros(count, bool))

    def align(self, _image, quads):
        sure = np.full(len(quads), 0.999, np.float32)
        return Aligned(quads, sure, np.tile(np.array([0.999, 0, 0.001], np.float32), (len(quads), 1)))

    def read(self, _image, aligned):
        return self.faces.take(np.linalg.norm(aligned.quads[:, None] - self.quads, axis=(2, 3)).argmin(axis=1))


class Taught(Given, TaughtFaces):
    """The same, with a set that its owner named."""

    def __init__(self, quads, faces):
        Given.__init__(self, quads, faces)
        TaughtFaces.__init__(self, None, None, sets=(None,), named=True)


@pytest.mark.parametrize(("networks", "helped"), [(Given, True), (Taught, False)])
def test_a_picture_is_read_so_unless_a_taught_set_says_more(networks, helped):
    image, quads, faces = seen(FIRST_OF_EACH, TWINS, [other_ink(table()[2][i]) for i in TWINS])
    reading = TableReader(Given(quads, faces), networks(quads, faces), NONE).read(image)
    said = {tuple(np.round(tile.corners[0])): tile.best for tile in reading.tiles}
    inks = [said[tuple(np.round(table()[1][i][0]))].colour == table()[2][i].colour for i in TWINS]
    assert bool(np.mean(inks) > 0.9) is helped
