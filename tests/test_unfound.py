import cv2
import numpy as np
import pytest

from vision.faces import Aligned
from vision.unfound import missing_beside, unfound

TILE = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
NOTHING = np.empty((0, 4, 2), np.float32)
SURE = np.array([1, 0, 0], np.float32)


def row(*places: tuple[float, float], turned: float = 0.0) -> np.ndarray:
    """Give tiles with their first corners at so many widths and heights, all turned about the origin (radians)."""
    turn = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
    return np.float32([(TILE + np.array(place) * [30, 42]) @ turn for place in places]).reshape(-1, 4, 2)


def wanted(quads: np.ndarray, sure: np.ndarray | None = None) -> set[tuple[int, int]]:
    places = missing_beside(quads, np.ones(len(quads), bool) if sure is None else sure, NOTHING).quads
    return {(round(float(x) / 30), round(float(y) / 42)) for x, y in places[:, 0]}


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ([(2, 0)], {(1, 0), (3, 0)}),
        ([(2, 0), (3, 0)], {(1, 0), (4, 0)}),
        ([(2, 0), (3, 0), (4, 0)], set()),
        ([(2, 0), (3, 0), (5, 0), (6, 0), (7, 0)], {(1, 0), (4, 0)}),
        ([(2, 0), (3, 0), (4, 0), (6, 0), (7, 0), (8, 0)], {(5, 0)}),
        ([(2, 0), (3, 0), (3.9, 0.2), (4.9, 0)], set()),
        ([], set()),
    ],
    ids=["one", "two", "three", "a gap beside two", "a gap between three", "askew", "none"],
)
def test_a_tile_is_wanted_beside_a_short_row_and_in_a_gap(tiles, expected):
    assert wanted(row(*tiles)) == expected


def test_what_lies_in_the_way_leaves_no_place():
    assert wanted(row((2, 0), (3, 0), (4.3, 0.5), (5.3, 0.5), (6.3, 0.5))) == {(1, 0)}


def test_a_row_that_is_known_but_for_one_tile_wants_no_more():
    assert not len(missing_beside(row((4, 0)), np.array([True]), row((2, 0), (3, 0))).quads)


def test_nothing_is_wanted_beside_what_is_hardly_a_tile():
    assert wanted(row((2, 0), (3, 0)), np.array([False, False])) == set()


class Networks:
    """An aligner that takes every place for a tile that it is asked about, and draws no box nearer."""

    def align(self, _: np.ndarray, quads: np.ndarray) -> Aligned:
        return aligned(quads)


def aligned(quads: np.ndarray) -> Aligned:
    return Aligned(quads, np.ones(len(quads), np.float32), np.tile(SURE, (len(quads), 1)))


def picture_of(quads: np.ndarray) -> np.ndarray:
    picture = np.full((300, 300, 3), (40, 70, 30), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(picture, np.round(quad).astype(int), (225, 235, 230))
    return picture


def test_a_tile_that_no_box_found_is_found_beside_a_row_of_two():
    tiles = row((2, 1), (3, 1), (4, 1), turned=0.3)
    _, found = unfound(picture_of(tiles), aligned(tiles[:2]), Networks(), NOTHING)
    assert found.quads.reshape(-1, 2) == pytest.approx(tiles[2], abs=0.1)


def test_what_is_not_as_white_as_the_tile_beside_it_is_none():
    tiles = row((2, 1), (3, 1))
    assert not len(unfound(picture_of(tiles), aligned(tiles), Networks(), NOTHING)[0])


def test_a_picture_without_tiles_is_asked_nothing():
    assert not len(unfound(picture_of(row()), aligned(row()), Networks(), NOTHING)[0])
