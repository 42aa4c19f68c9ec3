import json

import numpy as np
import pytest
from table_layouts import HEIGHT, camera, jittered, random_table, seen, tile

from vision.tabletop import Plane, plane_from_tiles, sideways, within


def spread_apart(rng: np.random.Generator, count: int, turns: float) -> np.ndarray:
    """Tiles all over a table, turned by up to so many radians."""
    places = rng.uniform(-8, 8, (count, 2))
    return np.array([tile(x, y, rng.uniform(-turns, turns)) for x, y in places])


def distances(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points[:, None] - points, axis=2)


@pytest.mark.parametrize("pitch", [0.0, 0.4, 0.8, 1.0], ids=lambda pitch: f"{np.degrees(pitch):.0f} degrees")
@pytest.mark.parametrize("turns", [np.pi, 0.05], ids=["all directions", "one direction"])
def test_tiles_become_equal_rectangles_and_distances_come_out(pitch: float, turns: float):
    flat = spread_apart(np.random.default_rng(3), 24, turns)
    pixels = seen(flat, camera(pitch, 0.3))
    plane = plane_from_tiles(pixels)
    assert plane.misfits(pixels).max() < 0.03
    assert plane.aspect == pytest.approx(HEIGHT, abs=0.03)
    found, true = distances(plane.to_plane(pixels).mean(axis=1)), distances(flat.mean(axis=1))
    assert np.abs(found - true)[true > 1].max() / true.max() < 0.04


def test_boxes_that_are_no_tiles_do_not_bend_the_plane():
    flat = spread_apart(np.random.default_rng(4), 20, np.pi)
    pixels = seen(flat, camera(0.7, 0.2))
    wrong = pixels.copy()
    wrong[[3, 9, 15]] = pixels[[3, 9, 15]] * [1.0, 2.2] - [0, 400]
    plane = plane_from_tiles(wrong)
    others = np.delete(np.arange(20), [3, 9, 15])
    assert plane.misfits(wrong)[others].max() < 0.06
    assert plane.misfits(wrong)[[3, 9, 15]].min() > 0.15


def test_bad_corners_are_averaged_out():
    rng = np.random.default_rng(5)
    flat = spread_apart(rng, 40, np.pi)
    plane = plane_from_tiles(jittered(seen(flat, camera(0.7, 0.0)), 0.05, rng))
    exact = plane.to_plane(seen(flat, camera(0.7, 0.0)))
    widths = np.linalg.norm(exact[:, 1] - exact[:, 0], axis=1)
    assert widths.std() / widths.mean() < 0.04


def test_one_tile_is_enough_for_a_plane():
    pixels = seen(np.array([tile(0, 0)]), camera(0.0, 0.4))
    plane = plane_from_tiles(pixels)
    assert plane.misfits(pixels) == pytest.approx([0], abs=0.02)


def test_the_plane_is_not_mirrored():
    plane = plane_from_tiles(seen(spread_apart(np.random.default_rng(6), 9, np.pi), camera(0.6, 0.0)))
    a, b, c = plane.to_plane([[600, 400], [700, 400], [700, 500]])
    assert np.linalg.det([b - a, c - b]) > 0
    assert (b - a)[0] > abs((b - a)[1])


def test_there_and_back():
    plane = plane_from_tiles(seen(spread_apart(np.random.default_rng(7), 9, np.pi), camera(0.6, 0.0)))
    points = np.array([[10.0, 20.0], [640.0, 480.0]])
    assert plane.to_pixels(plane.to_plane(points)) == pytest.approx(points)


def test_a_tile_that_begins_with_a_long_side_is_found():
    pixels = seen(spread_apart(np.random.default_rng(8), 12, np.pi), camera(0.9, 0.0))
    pixels[[2, 5]] = np.roll(pixels[[2, 5]], 1, axis=1)
    assert np.flatnonzero(sideways(plane_from_tiles(pixels), pixels)).tolist() == [2, 5]


@pytest.mark.parametrize("quads", [np.zeros((0, 4, 2)), np.zeros((3, 2))], ids=["none", "wrong shape"])
def test_no_tiles_are_refused(quads: np.ndarray):
    with pytest.raises(ValueError, match="the plane needs corners"):
        plane_from_tiles(quads)


def test_a_playing_area_keeps_what_has_its_middle_in_it():
    quads = np.array([tile(1, 1), tile(4, 1), tile(9.9, 5)])
    area = [[0, 0], [10, 0], [10, 4], [0, 4]]
    assert within(quads, area).tolist() == [True, True, False]
    assert within(quads, area[::-1]).tolist() == [True, True, False]


def test_random_tables_lie_flat():
    rng = np.random.default_rng(9)
    for _ in range(5):
        quads = random_table(rng).quads
        assert plane_from_tiles(quads).misfit < 0.03


@pytest.mark.shared
def test_real_photographs_lie_flat(shared):
    for path in sorted((shared / "photos" / "dev" / "truth").glob("*.json")):
        tiles = json.loads(path.read_text())["tiles"]
        quads = np.array([one["corners"] for one in tiles if not one.get("cut_by_frame")])
        plane = plane_from_tiles(quads)
        assert plane.misfit < 0.03, path.name
        assert 1.3 < plane.aspect < 1.5, path.name


def test_a_plane_without_perspective_is_a_scale():
    plane = Plane(np.diag([0.1, 0.1, 1.0]))
    assert plane.to_plane([30.0, 50.0]) == pytest.approx([3.0, 5.0])
