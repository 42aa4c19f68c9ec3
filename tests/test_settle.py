import numpy as np
import pytest
from test_hands import TABLE, lit, with_hand, with_tile

from vision.hands import small_of
from vision.settle import ABSORBED_MS, Rest, Settler

RNG = np.random.default_rng(3)
STEP_MS = 100
KNOCKED = np.roll(TABLE, (25, 40), (0, 1))


def show(settler, *pictures, start=0, step=STEP_MS):
    """Show pictures one after the other, each with noise of its own; give what is said of each."""
    told = []
    for i, picture in enumerate(pictures):
        noisy = np.clip(picture + RNG.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
        told.append(settler.look(small_of(noisy), start + i * step))
    return told


def rests(told):
    return [each.rest for each in told]


def test_a_table_is_still_once_some_pictures_agree_over_some_time():
    told = show(Settler(), *[TABLE] * 5)
    assert rests(told) == [Rest.MOVING, Rest.SETTLING, Rest.SETTLING, Rest.STILL, Rest.STILL]
    assert {each.since_ms for each in told} == {0}


def test_at_three_pictures_a_second_three_of_them_are_enough():
    assert rests(show(Settler(), *[TABLE] * 3, step=333)) == [Rest.MOVING, Rest.SETTLING, Rest.STILL]


def test_7_4_it_has_lain_still_since_the_first_picture_without_a_hand():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    told = show(settler, *[with_hand(TABLE)] * 4, *[with_tile(TABLE)] * 5, start=500)
    assert rests(told)[:4] == [Rest.HAND] * 4
    assert (told[-1].rest, told[-1].since_ms) == (Rest.STILL, 900)


def test_7_2_a_turn_is_touched_when_the_hand_first_reaches_to_what_it_changes():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    far, near = with_hand(TABLE), with_tile(with_hand(TABLE))
    told = show(settler, *[far] * 3, *[near] * 2, *[with_tile(TABLE)] * 5, start=500)
    assert told[-1].touched_ms == 900  # it slows down from the picture of 800 on


def test_7_2_a_hand_that_passed_over_the_place_before_did_not_touch_it():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    far, near = with_hand(TABLE), with_tile(with_hand(TABLE))
    passing = [near, far, far]
    told = show(settler, *passing, *[near] * 3, *[with_tile(TABLE)] * 5, start=500)
    assert told[-1].touched_ms == 900


def test_7_2_the_touch_is_when_the_hand_has_arrived():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    whole = with_tile(with_hand(TABLE))
    coming = with_hand(TABLE)
    changed = np.argwhere((with_tile(TABLE) != TABLE).any(axis=-1))
    for y, x in changed[: len(changed) // 2]:
        coming[y, x] = whole[y, x]
    told = show(settler, with_hand(TABLE), coming, *[whole] * 3, *[with_tile(TABLE)] * 5, start=500)
    assert told[-1].touched_ms == 800


def test_7_2_with_few_pictures_a_second_the_touch_is_no_later_than_0_1_s_after_the_hand_came_to_rest():
    settler = Settler()
    show(settler, *[TABLE] * 5, step=333)
    near = with_tile(with_hand(TABLE))
    told = show(settler, *[near] * 3, *[with_tile(TABLE)] * 5, start=2000, step=333)
    assert told[-1].touched_ms == 2100


def test_7_2_a_hand_that_changes_nothing_touches_nothing():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    assert show(settler, *[with_hand(TABLE)] * 3, *[TABLE] * 5, start=500)[-1].touched_ms is None


def test_a_hand_that_rests_over_the_table_is_a_hand_and_no_still_table():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    assert rests(show(settler, *[with_hand(TABLE)] * 20, start=500)) == [Rest.HAND] * 20


def test_what_has_not_stirred_for_long_is_a_thing_and_no_hand():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    told = show(settler, *[with_hand(TABLE)] * 12, start=500, step=ABSORBED_MS // 10)
    assert told[-1].rest is Rest.STILL


def test_a_tile_that_moves_on_every_picture_never_settles():
    told = show(Settler(), *(np.roll(with_tile(TABLE), 12 * i, axis=1) for i in range(6)))
    assert set(rests(told)) == {Rest.MOVING}


def test_the_light_may_change_over_a_still_table():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    told = show(settler, *(lit(TABLE, 1 - 0.1 * i, 1) for i in range(5)), start=500)
    assert set(rests(told)) == {Rest.STILL}
    assert told[-1].since_ms == 0


def test_a_knocked_camera_is_said_so_until_it_rests_again():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    told = rests(show(settler, *[KNOCKED] * 9, start=500))
    assert told[0] is Rest.CAMERA_MOVED
    assert (told.count(Rest.CAMERA_MOVED), told[-1]) == (6, Rest.STILL)


@pytest.mark.parametrize("level", [0, 4], ids=["black", "night"])
def test_in_the_dark_nothing_is_still(level):
    assert set(rests(show(Settler(), *[np.full_like(TABLE, level)] * 6))) == {Rest.TOO_DARK}


def test_a_green_picture_shows_no_table():
    green = np.full_like(TABLE, (0, 200, 0))
    settler = Settler()
    assert {settler.look(small_of(green), i * STEP_MS).rest for i in range(5)} == {Rest.TOO_DARK}


def test_a_plain_empty_table_lies_still():
    plain = np.full_like(TABLE, (60, 70, 66))
    assert rests(show(Settler(), *[plain] * 5))[-1] is Rest.STILL


def test_another_resolution_begins_anew():
    settler = Settler()
    show(settler, *[TABLE] * 5)
    portrait = np.ascontiguousarray(TABLE.transpose(1, 0, 2))
    assert rests(show(settler, *[portrait] * 5, start=500))[0] is Rest.MOVING
