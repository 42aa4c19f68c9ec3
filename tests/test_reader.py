import numpy as np
import pytest
from strange_pictures import childs_drawing, dominoes, lens_cap, mahjong, overexposed, playing_cards, table

from vision.detector import Boxes
from vision.faces import FACES, Aligned, Faces
from vision.reader import TableReader, load_reader

IMAGE = np.zeros((400, 400, 3), np.uint8)


def box(x: float, y: float = 100) -> list[list[float]]:
    return [[x, y], [x + 30, y], [x + 30, y + 42], [x, y + 42]]


class Finder:
    def __init__(self, *places: float):
        self.places = places

    def find(self, _image):
        quads = np.array([box(x) for x in self.places], np.float32).reshape(-1, 4, 2)
        return Boxes(quads, np.linspace(0.9, 0.8, len(quads), dtype=np.float32), np.zeros(len(quads), bool))


class Networks:
    """Draws boxes to places that lie every 40 pixels; tiles lie in some. Keeps how many boxes it looked at."""

    def __init__(self, *tiles: float):
        self.looked, self.tiles = [], tiles

    def align(self, _image, quads):
        self.looked.append(len(quads))
        moved = quads.copy()
        moved[..., 0] += (np.round(quads[:, :1, 0] / 40) * 40) - quads[:, :1, 0]
        sure = np.full(len(quads), 0.999, np.float32)
        there = np.isin(moved[:, 0, 0], self.tiles)[:, None]
        return Aligned(moved, sure, np.where(there, [0.99, 0.005, 0.005], [0.01, 0.01, 0.98]).astype(np.float32))

    def read(self, _image, aligned):
        given = np.zeros((len(aligned.quads), 2, len(FACES)), np.float32)
        given[:, :, 5] = 0.99
        return Faces(np.tile(np.array([0.99, 0.01], np.float32), (len(given), 1)), given)


def looked(*places: float, tiles: tuple[float, ...] = (40, 80)):
    networks = Networks(*tiles)
    return TableReader(Finder(*places), networks).look(IMAGE), networks.looked


def test_boxes_drawn_to_one_tile_are_one():
    look, boxes = looked(40, 52, 80)
    assert look.aligned.quads[:, 0, 0].tolist() == [40, 80]
    assert boxes[0] == 3


def test_a_box_around_two_tiles_that_is_drawn_to_one_leads_to_the_other():
    look, _ = looked(80, 98, tiles=(80, 120))
    assert look.aligned.quads[:, 0, 0].tolist() == [80, 120]


@pytest.mark.parametrize(("off", "again"), [(0, 0), (2, 0), (9, 1)], ids=["exact", "near", "far"])
def test_a_box_far_off_is_looked_at_twice(off, again):
    assert looked(40 + off, 80)[1][:2] == [2, again]


def test_a_tile_that_no_box_found_is_found_beside_another():
    look, _ = looked(40, 80, tiles=(40, 80, 120))
    assert look.aligned.quads[:, 0, 0].tolist() == [40, 80, 120]


class Halves(Networks):
    """Takes the fourth box for half a tile, unless it is as large as the others."""

    def align(self, image, quads):
        aligned = super().align(image, quads)
        half = np.abs(quads[:, 0, 0] - 160) < 12
        half &= quads[:, 2, 1] - quads[:, 0, 1] < 40
        moved = np.where(half[:, None, None], [[0, 0], [0, 0], [0, -21], [0, -21]], 0)
        return Aligned(aligned.quads + moved.astype(np.float32), aligned.upright, aligned.kinds)


class HalfABox(Finder):
    def find(self, image):
        boxes = super().find(image)
        boxes.quads[3, 2:, 1] -= 20
        return boxes


def test_half_a_tile_among_whole_ones_is_looked_at_as_a_whole_one():
    look = TableReader(HalfABox(40, 80, 120, 160, 200), Halves(40, 80, 120, 160, 200)).look(IMAGE)
    assert len(look) == 5
    assert np.ptp(look.long_sides) < 1


def test_no_boxes_make_no_tiles():
    assert len(looked()[0]) == 0


@pytest.fixture(scope="module")
def eyes():
    return load_reader()


@pytest.mark.parametrize("strange", [table, childs_drawing, dominoes, mahjong, playing_cards, lens_cap, overexposed])
def test_no_tile_is_sure_where_there_is_none(eyes, strange):
    assert [tile for tile in eyes.read(strange()).tiles if tile.best and tile.confidence >= 0.9] == []


@pytest.mark.parametrize(("strange", "note"), [(lens_cap, "too dark"), (overexposed, "too bright")])
def test_what_is_wrong_with_the_picture_is_noted(eyes, strange, note):
    assert eyes.read(strange()).notes[0].startswith(note)
