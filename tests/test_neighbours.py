import numpy as np
import pytest

from vision.neighbours import a_tile_further

TILE = np.array([[[0, 0], [30, 0], [30, 42], [0, 42]]], np.float32)


@pytest.mark.parametrize(
    ("place", "moved", "far"),
    [((30, 21), (30, 0), 0.5), ((-15, 25), (-30, 0), 1.0), ((16, 63), (0, 42), 1.0)],
    ids=["right", "left", "below"],
)
def test_a_tile_is_moved_by_one_towards_a_place(place, moved, far):
    found, tiles = a_tile_further(TILE, np.array([place], float))
    assert found[0] == pytest.approx(TILE[0] + moved)
    assert tiles[0] == pytest.approx(far)


def test_a_turned_tile_is_moved_along_its_own_side():
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]], np.float32)
    found, tiles = a_tile_further(TILE @ turn, np.array([[39, 21]]) @ turn)
    assert found[0] == pytest.approx((TILE[0] + (30, 0)) @ turn, abs=1e-4)
    assert tiles[0] == pytest.approx(0.8, abs=1e-5)
