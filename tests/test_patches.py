import cv2
import numpy as np
import pytest

from vision.patches import (
    ALIGN,
    FACE,
    PatchShape,
    as_balanced_batch,
    as_batch,
    cut_patch,
    cut_patches,
    one_each,
    unit_to_quads,
    white_balanced,
)

PLAIN = PatchShape(30, 40, 1.0)


def picture(quad, size=(200, 300)):
    """A dark table with a white tile whose upper half is red."""
    image = np.full((*size, 3), 30, np.uint8)
    cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (255, 255, 255))
    upper = np.array([quad[0], quad[1], (quad[1] + quad[2]) / 2, (quad[0] + quad[3]) / 2])
    cv2.fillConvexPoly(image, np.round(upper).astype(np.int32), (0, 0, 255))
    return image


def turned(angle, centre=(150, 100), size=(36, 50)):
    w, h = np.array(size) / 2
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    c, s = np.cos(angle), np.sin(angle)
    return (corners @ np.array([[c, s], [-s, c]]) + centre).astype(np.float32)


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2, np.pi, 4.0])
def test_a_tile_is_cut_out_upright_however_it_lies(angle):
    quad = turned(angle)
    patch = cut_patch(picture(quad), quad, PLAIN)
    assert patch.shape == (40, 30, 3)
    assert patch[5:15, 8:22, 1].mean() < 30
    assert patch[25:36, 8:22, 1].mean() > 225


def test_nothing_is_mirrored():
    quad = turned(0.0)
    image = picture(quad)
    image[:, :140] //= 2
    patch = cut_patch(image, quad, PLAIN)
    assert patch[30, 3].mean() < patch[30, 26].mean()


def test_a_large_tile_is_averaged_rather_than_sampled():
    quad = turned(0.0, centre=(500, 500), size=(600, 800))
    image = np.zeros((1000, 1000, 3), np.uint8)
    image[:, ::2] = 200
    assert np.abs(cut_patch(image, quad, PLAIN)[5:-5, 5:-5].astype(int) - 100).max() < 25


def test_the_tile_stands_in_the_middle_of_its_patch():
    assert ALIGN.corners().mean(0).tolist() == [ALIGN.width / 2, ALIGN.height / 2]
    assert np.ptp(FACE.corners(), axis=0) * FACE.context == pytest.approx([FACE.width, FACE.height])


def test_no_tiles_give_an_empty_batch():
    assert cut_patches(np.zeros((9, 9, 3), np.uint8), np.empty((0, 4, 2), np.float32), FACE).shape == (0, 80, 64, 3)


@pytest.mark.parametrize("light", [(1, 1, 1), (0.5, 0.6, 0.9), (0.2, 0.2, 0.2)], ids=["white", "warm", "dim"])
def test_the_light_falls_out_of_a_patch(light):
    patch = np.full((1, 80, 64, 3), 0.9, np.float32)
    patch[:, 20:35, 20:40] = (0.1, 0.1, 0.8)
    lit = patch * np.array(light, np.float32)
    assert white_balanced(lit, FACE)[0, 25, 30] == pytest.approx([0.111, 0.111, 0.889], abs=0.01)


def test_the_unit_square_is_taken_to_every_quad():
    quads = np.array([turned(0.4), [[0, 0], [9, 1], [12, 14], [-3, 8]]], np.float32)
    corners = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
    moved = corners @ unit_to_quads(quads).transpose(0, 2, 1)
    assert moved[..., :2] / moved[..., 2:] == pytest.approx(quads, abs=1e-4)


def test_batches_are_red_first_and_balanced_like_patches():
    patches = np.random.default_rng(0).integers(0, 256, (3, 80, 64, 3), dtype=np.uint8)
    plain = patches.astype(np.float32) / 255
    for batch, wanted in ((as_batch(patches), plain), (as_balanced_batch(patches, FACE), white_balanced(plain, FACE))):
        assert batch == pytest.approx(wanted[..., ::-1].transpose(0, 3, 1, 2), abs=1e-5)


@pytest.mark.parametrize(("aside", "kept"), [(0, [False, True]), (9, [False, True]), (36, [True, True])])
def test_of_quads_in_one_place_the_one_of_the_highest_rank_is_kept(aside, kept):
    quads = np.array([turned(0.0), turned(0.0, centre=(150 + aside, 100))])
    assert one_each(quads, np.array([0.6, 0.9], np.float32), 0.25).tolist() == kept


def test_of_two_equals_in_one_place_the_first_stays():
    quads = np.array([turned(0), turned(0), turned(0, centre=(250, 100))], np.float32)
    assert one_each(quads, np.full(3, 0.5, np.float32), 0.25).tolist() == [True, False, True]
