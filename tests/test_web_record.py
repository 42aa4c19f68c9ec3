import json

import cv2
import numpy as np
import pytest
from web_world import begin, make_world

from referee.table import Table
from vision.frames import Frame
from web.app import now_ms
from web.record import PICTURES_A_SECOND, Recorder
from web.settings import SettingsError


@pytest.fixture
def world(tmp_path):
    made = make_world(tmp_path)
    yield made
    made.desk.close()


def grey(level, captured_ms):
    return Frame(np.full((90, 160, 3), level, np.uint8), (160, 90), captured_ms)


def levels(file):
    """Give the brightness of each picture of a video."""
    video, found = cv2.VideoCapture(str(file)), []
    while (read := video.read())[0]:
        found.append(round(float(read[1].mean()) / 50) * 50)
    video.release()
    return found


def test_a_picture_stays_as_long_as_it_stood_and_the_script_lies_beside(world, tmp_path):
    recorder = Recorder(tmp_path / "game.avi", world.desk)
    begin(world)
    start = now_ms() - 2000
    recorder.take(grey(50, start))
    recorder.take(grey(200, start + 1000))
    world.desk.end_turn(table=Table.parse("R10 R11 R13"), version=None, now=now_ms())
    recorder.close()
    seen = levels(tmp_path / "game.avi")
    assert seen[: PICTURES_A_SECOND + 1] == [50] * PICTURES_A_SECOND + [200]
    assert len(seen) >= 2 * PICTURES_A_SECOND
    script = json.loads((tmp_path / "game.json").read_text())
    (turn,) = script["turns"]
    assert (script["rules"], script["players"], script["start"]) == ("rrrummy", ["Ana", "Ben"], "-")
    assert turn.pop("done_s") >= 2
    codes = ["run_has_gap", "opening_too_low"]
    assert turn == {"player": "Ana", "verdict": "illegal", "codes": codes, "table": "R10 R11 R13", "timed_out": False}


def test_without_a_picture_nothing_is_written(world, tmp_path):
    Recorder(tmp_path / "game.avi", world.desk).close()
    assert not list(tmp_path.glob("game.*i*"))


@pytest.mark.parametrize("name", ["game.txt", "none/game.mp4"])
def test_a_place_where_no_video_can_be_is_refused(world, tmp_path, name):
    with pytest.raises(SettingsError, match="cannot record"):
        Recorder(tmp_path / name, world.desk)
