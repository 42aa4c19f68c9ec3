import cv2
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


class SeesWhite:
    """Finds every white spot: half sure of one that is less than 12 pixels high, sure of a larger one."""

    def __init__(self):
        self.shown = []

    def run(self, batch):
        self.shown.append(batch.shape)
        white = (batch[0].mean(axis=0) > 0.5).astype(np.uint8)
        spots = cv2.connectedComponentsWithStats(white)[2][1:]
        rows = [(x + w / 2, y + h / 2, w, h, 0.5 if h < 12 else 0.9, 0, 0) for x, y, w, h, _ in spots]
        return (np.array(rows, np.float32).reshape(-1, 7).T[None],)


class SeesAPattern(FixedNetwork):
    """Sees six tiles and eight half ones, and from near hundreds on a chequered cloth."""

    def __init__(self, sure):
        tiles = [anchor(k / 8, 0.5, w=0.03, h=0.06, up=sure) for k in range(1, 7)]
        super().__init__(*tiles, *(anchor(k / 10, 0.8, w=0.03, h=0.06, up=0.3) for k in range(1, 9)))

    def run(self, batch):
        (tiles,) = super().run(batch)
        if batch.shape[3] < 1280:
            return (tiles,)
        cloth = [(x, y, 20, 30, 0.95, 0, 0) for x in range(20, 1260, 40) for y in range(20, 940, 40)]
        return (np.concatenate([tiles, np.array(cloth, np.float32).T[None]], axis=2),)


def table_with(*tiles):
    """A dark picture, 1280 by 960, with white tiles given by their centres and the height of each."""
    picture = np.zeros((960, 1280, 3), np.uint8)
    for x, y, high in tiles:
        cv2.rectangle(picture, (x - high * 3 // 8, y - high // 2), (x + high * 3 // 8, y + high // 2), (255,) * 3, -1)
    return picture


NEAR = [(x, y, 60) for x in range(100, 1200, 100) for y in (600, 700, 800)]
"""Tiles at the near end of a table, none of them small."""
FAR = [(x, 80, 16) for x in range(500, 700, 40)]


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


@pytest.mark.parametrize(("sure", "found"), [(0.95, 14), (0.4, 300)], ids=["tiles in another look", "none"])
def test_a_pattern_with_more_tiles_than_two_sets_is_believed_only_where_no_look_shows_tiles(sure, found):
    picture = np.zeros((960, 1280, 3), np.uint8)
    assert len(Detector(SeesAPattern(sure)).find(picture)) == found


def test_small_tiles_at_the_far_end_are_looked_at_from_nearer():
    network = SeesWhite()
    boxes = Detector(network).find(table_with(*NEAR, *FAR))
    assert len(boxes) == len(NEAR) + len(FAR)
    assert boxes.scores == pytest.approx(0.9)
    assert sorted(boxes.quads.mean(axis=1)[boxes.sizes < 30, 0].tolist()) == pytest.approx(
        [x for x, _, _ in FAR], abs=1
    )
    assert len(network.shown) == 2


def test_a_tile_that_both_looks_see_is_said_once():
    boxes = Detector(SeesWhite()).find(table_with(*NEAR, *FAR, (600, 150, 60)))
    assert len(boxes) == len(NEAR) + len(FAR) + 1


def test_no_look_from_nearer_where_no_tile_is_small():
    network = SeesWhite()
    Detector(network).find(table_with(*NEAR))
    assert len(network.shown) == 1


def test_boxes_can_be_picked():
    boxes = Detector(FixedNetwork(anchor(0.2, 0.5), anchor(0.7, 0.5))).find_at(BLANK, 1.0)
    assert isinstance(boxes.take(np.array([1])), Boxes)
    assert len(boxes.take(boxes.quads[:, 0, 0] > 320)) == 1
