import numpy as np
import pytest

from vision.detector import Boxes, Detector, boxes_to_quads

BLANK = np.zeros((480, 640, 3), np.uint8)


class FixedNetwork:
    """Gives the same anchors for every picture, as a share of the picture's size, and keeps what it was shown."""

    def __init__(self, *anchors):
        self.anchors, self.shown = np.array(anchors, np.float32).reshape(-1, 7), []

    def run(self, batch):
        self.shown.append(batch.shape)
        out = self.anchors.copy()
        out[:, [0, 2]] *= batch.shape[3]
        out[:, [1, 3]] *= batch.shape[2]
        return (out.T[None],)


def anchor(x, y, *, w=0.05, h=0.09, up=0.9, down=0.0, angle=0.0):
    return (x, y, w, h, up, down, angle)


def test_a_box_comes_back_in_pixels_of_the_picture():
    boxes = Detector(FixedNetwork(anchor(0.5, 0.5))).find_at(BLANK, 1.0)
    assert boxes.quads[0].mean(0) == pytest.approx([320, 240], abs=0.5)


@pytest.mark.parametrize(
    ("w", "h", "angle"), [(3, 5, 0.0), (5, 3, np.pi / 2), (3, 5, np.pi)], ids=["up", "lying", "turned"]
)
def test_the_first_side_is_a_short_one_and_the_corners_go_clockwise(w, h, angle):
    quad = boxes_to_quads(np.array([[10, 20, w, h]], np.float32), np.array([angle], np.float32))[0]
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(3)
    assert np.linalg.norm(quad[2] - quad[1]) == pytest.approx(5)
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    assert ax * by - ay * bx > 0


def test_of_two_boxes_on_one_tile_the_stronger_stays():
    boxes = Detector(FixedNetwork(anchor(0.5, 0.5, up=0.7), anchor(0.501, 0.5, up=0.9))).find_at(BLANK, 1.0)
    assert boxes.scores.tolist() == pytest.approx([0.9])


def test_touching_tiles_both_stay():
    assert len(Detector(FixedNetwork(anchor(0.5, 0.5), anchor(0.55, 0.5))).find_at(BLANK, 1.0)) == 2


def test_weak_anchors_are_left_out():
    assert len(Detector(FixedNetwork(anchor(0.5, 0.5, up=0.1))).find_at(BLANK, 1.0)) == 0


def test_face_down_is_the_second_class():
    boxes = Detector(FixedNetwork(anchor(0.2, 0.5), anchor(0.7, 0.5, up=0.1, down=0.8))).find_at(BLANK, 1.0)
    assert boxes.face_down.tolist() == [False, True]


def test_an_empty_table_has_no_boxes():
    boxes = Detector(FixedNetwork(anchor(0.5, 0.5, up=0.0))).find(BLANK)
    assert len(boxes) == 0
    assert boxes.quads.shape == (0, 4, 2)


def test_one_look_is_enough_where_it_convinces():
    network = FixedNetwork(anchor(0.3, 0.5, h=0.06))
    assert len(Detector(network).find(BLANK)) == 1
    assert len(network.shown) == 1


@pytest.mark.parametrize(("high", "best"), [(0.14, 320), (0.02, 1280)], ids=["too large", "too small"])
def test_the_size_of_picture_is_looked_for_at_which_tiles_suit_the_network(high, best):
    network = FixedNetwork(anchor(0.3, 0.5, w=high / 2, h=high))
    Detector(network).find(np.zeros((960, 1280, 3), np.uint8))
    assert [shape[3] for shape in network.shown[:3]] == [640, 320, 1280]
    assert abs(np.log(network.shown[3][3] / best)) < 0.4


def test_boxes_can_be_picked():
    boxes = Detector(FixedNetwork(anchor(0.2, 0.5), anchor(0.7, 0.5))).find_at(BLANK, 1.0)
    assert isinstance(boxes.take(np.array([1])), Boxes)
    assert len(boxes.take(boxes.quads[:, 0, 0] > 320)) == 1
