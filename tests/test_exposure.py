"""A webcam that finds its exposure by itself, and keeps it while a game is played."""

import cv2
import numpy as np
import pytest

from vision.exposure import ADJUSTING_MS, TOO_LONG_MS, Exposure

AUTO, WHITE, FOCUS = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS
BY_ITSELF = {AUTO: 3.0, cv2.CAP_PROP_EXPOSURE: 157.0, WHITE: 1.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, FOCUS: 1.0}


class Webcam(dict):
    """Properties of a driver; one that is not there is 0 and cannot be set."""

    def get(self, prop):
        return super().get(prop, 0.0)

    def set(self, prop, value):
        if prop in self:
            self[prop] = value
        return prop in self


def grey(level):
    return np.full((48, 64, 3), level, np.uint8)


def shown(exposure, level, start, length, step=100):
    for at in range(start, start + length + 1, step):
        exposure.mind(grey(level), at)


def test_what_was_found_is_held_after_a_moment():
    webcam = Webcam(BY_ITSELF)
    exposure = Exposure(webcam)
    shown(exposure, 90, 0, ADJUSTING_MS - 100)
    assert webcam == BY_ITSELF
    exposure.mind(grey(90), ADJUSTING_MS)
    assert (webcam[AUTO], webcam[WHITE], webcam[FOCUS]) == (1.0, 0, 0)
    assert (webcam[cv2.CAP_PROP_EXPOSURE], webcam[cv2.CAP_PROP_WB_TEMPERATURE]) == (157.0, 4600.0)


def test_a_camera_that_is_let_go_adjusts_by_itself_as_before():
    webcam = Webcam(BY_ITSELF)
    exposure = Exposure(webcam)
    shown(exposure, 90, 0, ADJUSTING_MS)
    exposure.let_go()
    assert webcam == BY_ITSELF


def test_an_arm_in_the_picture_changes_nothing_and_a_lamp_that_is_turned_off_does():
    webcam = Webcam(BY_ITSELF)
    exposure = Exposure(webcam)
    shown(exposure, 90, 0, ADJUSTING_MS)
    shown(exposure, 30, 10_000, TOO_LONG_MS - 500)
    exposure.mind(grey(90), 13_000)
    shown(exposure, 30, 14_000, TOO_LONG_MS - 500)
    assert webcam[AUTO] == 1.0
    shown(exposure, 30, 17_000, 1000)
    assert webcam == BY_ITSELF
    shown(exposure, 80, 18_100, ADJUSTING_MS)
    assert webcam[AUTO] == 1.0


@pytest.mark.parametrize("own", [{}, {AUTO: -1.0}, {AUTO: 1.0, WHITE: 0.0, FOCUS: 0.0}])
def test_what_a_driver_does_not_know_or_people_have_set_stays(own):
    webcam = Webcam(own)
    shown(Exposure(webcam), 90, 0, 10_000)
    assert webcam == own
