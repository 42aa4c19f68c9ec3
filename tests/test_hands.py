import cv2
import numpy as np
import pytest

from vision.hands import all_moved, cells_of, changed, covers_table, small_of

RNG = np.random.default_rng(7)
SIZE = (540, 960)


def table():
    """A dark, grained table with thirty white tiles."""
    grain = cv2.GaussianBlur(RNG.normal(0, 25, SIZE).astype(np.float32), (0, 0), 4) * 4
    picture = np.clip(np.dstack([60 + grain, 80 + grain, 100 + grain]), 0, 255).astype(np.uint8)
    for row in range(5):
        for place in range(6):
            x, y = 150 + 90 * place, 70 + 80 * row
            cv2.rectangle(picture, (x, y), (x + 30, y + 44), (225, 230, 232), -1)
    return picture


TABLE = table()


def seen(picture, noise=4.0):
    noisy = picture.astype(np.float32) + RNG.normal(0, noise, picture.shape).astype(np.float32)
    return cells_of(small_of(np.clip(noisy, 0, 255).astype(np.uint8)))


def with_hand(picture, at=(820, 470)):
    return cv2.ellipse(picture.copy(), at, (230, 70), -35, 0, 360, (120, 150, 200), -1)


def with_tile(picture):
    return cv2.rectangle(picture.copy(), (60, 300), (92, 346), (225, 230, 232), -1)


def lit(picture, low, high):
    return (picture * np.linspace(low, high, SIZE[1])[None, :, None]).astype(np.uint8)


GROUND = seen(TABLE)


@pytest.mark.parametrize(
    "picture",
    [
        TABLE,
        lit(TABLE, 0.5, 0.5),
        lit(TABLE, 0.45, 1.0),
        (255 * (TABLE / 255.0) ** 1.3).astype(np.uint8),
    ],
    ids=["nothing", "half the light", "a lamp at one side", "another exposure"],
)
def test_what_changes_the_light_for_all_is_no_change(picture):
    assert changed(GROUND, seen(picture)).sum() == 0


def test_much_noise_is_no_change():
    assert changed(seen(TABLE, 14), seen(TABLE, 14)).sum() == 0


def nearly_black(picture):
    """Show little light: a table-top of 9 to 11 levels of 256, of which each is a large part, and tiles of 80."""
    small = small_of(picture)
    levels = np.repeat(RNG.normal(10, 0.45, small.shape[:2]).round()[..., None], 3, axis=2)
    return np.where(small > 200, 80, np.where(small > 190, 40, levels)).astype(np.uint8)


def test_on_a_nearly_black_table_a_level_is_no_change_but_a_tile_and_a_hand_are():
    still = [cells_of(nearly_black(TABLE)) for _ in range(2)]
    assert changed(*still).sum() == 0
    assert changed(still[0], cells_of(nearly_black(with_tile(TABLE)))).sum() >= 20
    hand = cv2.ellipse(TABLE.copy(), (820, 470), (230, 70), -35, 0, 360, (196, 196, 196), -1)
    assert covers_table(changed(still[0], cells_of(nearly_black(hand))))


@pytest.mark.parametrize("light", [1.0, 0.6])
def test_a_tile_put_down_is_a_change_but_no_hand(light):
    new = changed(GROUND, seen(lit(with_tile(TABLE), light, light)))
    assert new.sum() > 10
    assert not covers_table(new)


def test_an_arm_from_the_edge_is_a_hand_whatever_its_colour():
    for colour in (1.0, 0.3, 1.4):
        arm = np.clip(with_hand(TABLE) * 1.0, 0, 255).astype(np.uint8)
        arm = np.where((arm != TABLE).any(axis=2, keepdims=True), np.clip(arm * colour, 0, 255), arm).astype(np.uint8)
        assert covers_table(changed(GROUND, seen(arm))), colour


def test_a_thing_that_lies_in_the_middle_is_no_hand():
    assert not covers_table(changed(GROUND, seen(with_hand(TABLE, at=(480, 270)))))


def test_a_hand_outside_the_playing_area_does_not_count():
    new = changed(GROUND, seen(with_hand(TABLE)))
    area = np.zeros(new.shape, bool)
    area[:, : new.shape[1] // 3] = True
    assert not covers_table(new & area, area)


def test_a_knocked_camera_moves_everything():
    moved, hand = seen(np.roll(TABLE, (25, 40), (0, 1))), seen(with_hand(TABLE))
    assert all_moved(GROUND, moved)
    assert not all_moved(GROUND, hand)


def test_small_pictures_keep_their_shape():
    assert small_of(np.zeros((1920, 1080, 3), np.uint8)).shape == (240, 135, 3)
    assert small_of(np.zeros((120, 160, 3), np.uint8)).shape == (180, 240, 3)
