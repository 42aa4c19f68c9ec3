import numpy as np
import pytest

from referee.tiles import Tile
from vision.faces import FACES, Aligned, Calibration, FaceNetworks, Faces, the_likelier_way_up

IMAGE = np.zeros((100, 100, 3), np.uint8)
BOX = np.array([[[20, 20], [50, 20], [50, 60], [20, 60]]], np.float32)
UNIT = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


class FixedNetwork:
    """Answers each call with the next of its answers, the last one for ever."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def run(self, batch):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return tuple(np.repeat(np.asarray(part, np.float32)[None], len(batch), 0) for part in answer)


def aligner(turn, corners=UNIT):
    return FixedNetwork((corners, np.eye(4)[turn] * 9, [9, 0, 0]))


def says(number, ink, upright):
    return np.eye(15)[number - 1] * 12, np.eye(4)[ink] * 12, [upright]


@pytest.mark.parametrize("turn", range(4))
def test_corners_come_top_left_first_as_the_tile_is_read(turn):
    networks = FaceNetworks(aligner(turn), None)
    aligned = networks.align(IMAGE, BOX)
    assert aligned.quads[0] == pytest.approx(np.roll(BOX[0], -turn, axis=0), abs=1e-3)
    assert aligned.upright[0] > 0.99
    assert aligned.kinds[0].argmax() == 0


def test_corners_of_the_box_are_corrected():
    networks = FaceNetworks(aligner(0, UNIT * 0.9), None)
    aligned = networks.align(IMAGE, networks.align(IMAGE, BOX).quads)
    assert aligned.quads[0, 2] == pytest.approx([20 + 30 * 0.81, 20 + 40 * 0.81], abs=1e-2)


def test_number_and_ink_make_a_face():
    faces = FaceNetworks(None, FixedNetwork(says(7, 1, 6.0))).read(IMAGE, Aligned(BOX, np.array([0.999]), None))
    assert FACES[faces.faces[0].argmax()] == Tile.parse("R7")
    assert faces.faces[0].max() > 0.99


def test_a_tile_that_may_lie_either_way_is_read_both_ways():
    reader = FixedNetwork(says(6, 1, 0.0), says(9, 1, 0.0))
    faces = FaceNetworks(None, reader).read(IMAGE, Aligned(BOX, np.array([0.5], np.float32), None))
    assert faces.ways[0] == pytest.approx([0.5, 0.5])
    assert [str(FACES[i]) for i in np.argsort(-faces.faces[0])[:2]] in (["R6", "R9"], ["R9", "R6"])


def test_the_reader_may_overrule_the_aligner_on_the_way_up():
    reader = FixedNetwork(says(6, 1, -6.0), says(9, 1, 6.0))
    before = Aligned(BOX, np.array([0.7], np.float32), np.array([[1, 0, 0]]))
    aligned, faces = the_likelier_way_up(before, FaceNetworks(None, reader).read(IMAGE, before))
    assert aligned.quads[0, 0].tolist() == [50, 60]
    assert faces.ways[0, 0] > 0.9
    assert FACES[faces.given_way[0, 0].argmax()] == Tile.parse("R9")


def test_a_high_temperature_makes_less_sure():
    one, many = (
        FaceNetworks(None, FixedNetwork(says(7, 1, 6.0)), Calibration(t, t)).read(
            IMAGE, Aligned(BOX, np.array([1.0]), None)
        )
        for t in (1.0, 4.0)
    )
    assert many.faces[0].max() < one.faces[0].max()


def test_no_tiles_are_no_faces():
    networks = FaceNetworks(aligner(0), FixedNetwork(says(1, 0, 1.0)))
    aligned = networks.align(IMAGE, np.empty((0, 4, 2), np.float32))
    assert networks.read(IMAGE, aligned).faces.shape == (0, 53)
    assert isinstance(networks.read(IMAGE, aligned), Faces)
