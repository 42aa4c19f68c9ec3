import numpy as np
import pytest
from table_layouts import HEIGHT, camera, jittered, seen, tile

from vision.racks import on_racks
from vision.rows import lay_out

LINE = [(1.03 * k, 0.0) for k in range(6)]


def laid(rack: int, lean: float, pitch: float, jitter: float = 0.03) -> np.ndarray:
    """Two rows of six and a crossing one on a table, below them tiles on a rack that are seen `lean` times as long."""
    flat = [tile(x - 3, y) for y in (-2.0, 0.0) for x, _ in LINE] + [tile(6, x - 5, np.pi / 2) for x, _ in LINE]
    racked = [tile(1.03 * k - 3, 3.5, height=HEIGHT * lean) for k in range(rack)]
    return jittered(seen(np.array(flat + racked), camera(pitch, 0.1)), jitter, np.random.default_rng(rack))


@pytest.mark.parametrize("lean", [0.7, 1.35], ids=["seen from above", "seen from the side"])
@pytest.mark.parametrize("pitch", [0.0, 0.6])
@pytest.mark.parametrize("rack", [3, 8])
def test_a_row_that_leans_is_on_a_rack(lean: float, pitch: float, rack: int):
    quads = laid(rack, lean, pitch)
    assert on_racks(quads, lay_out(quads)).tolist() == [False] * 18 + [True] * rack


@pytest.mark.parametrize("jitter", [0.0, 0.05])
def test_nothing_on_the_table_leans(jitter: float):
    quads = laid(8, 1.0, 0.6, jitter)
    assert not on_racks(quads, lay_out(quads)).any()


def test_two_crooked_boxes_are_no_rack():
    quads = laid(2, 0.7, 0.3)
    assert not on_racks(quads, lay_out(quads)).any()


def test_most_tiles_lie_on_the_table():
    quads = np.array([tile(1.03 * k - 3, 3.5, height=HEIGHT * (1.4 if k > 2 else 1.0)) for k in range(9)]) * 50 + 300
    assert not on_racks(quads, lay_out(quads)).any()


def test_no_tiles_lean_nowhere():
    none = np.zeros((0, 4, 2))
    assert on_racks(none, lay_out(none)).shape == (0,)
