import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import sources
from vision.capture import is_whole
from vision.errors import CameraError
from vision.frames import monotonic_ms
from vision.sources import LiveCamera, Video, WatchedPictures, open_source


class Hands:
    """A clock that only moves when somebody sleeps."""

    def __init__(self):
        self.now = 100.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 1e-3)


class Film:
    """A capture of grey pictures 0, 1, 2, … that says how often it decoded one."""

    def __init__(self, length: int, rate: float = 10.0):
        self.length, self.rate, self.place, self.decoded, self.released = length, rate, -1, 0, False

    def grab(self) -> bool:
        self.place += 1
        return self.place < self.length

    def retrieve(self):
        self.decoded += 1
        return True, np.full((4, 6, 3), min(self.place, self.length - 1) % 256, np.uint8)

    def get(self, _prop: int) -> float:
        return self.rate

    def release(self) -> None:
        self.released = True


def picture(path: Path, grey: int) -> None:
    path.write_bytes(cv2.imencode(".png", np.full((8, 8, 3), grey, np.uint8))[1].tobytes())


def grey(frame) -> int | None:
    return None if frame is None else int(frame.image[0, 0, 0])


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def folder(tmp_path: Path, hands: Hands) -> WatchedPictures:
    return WatchedPictures(tmp_path, hands.clock, hands.sleep)


def test_a_folder_gives_its_newest_picture_by_name_once(tmp_path: Path, folder: WatchedPictures):
    picture(tmp_path / "look9.png", 9)
    picture(tmp_path / "look10.png", 10)
    assert grey(folder.newest(1)) == 10
    assert folder.newest(1) is None
    picture(tmp_path / "look11.png", 11)
    frame = folder.newest(1)
    assert (grey(frame), frame.number) == (11, 1)
    assert not folder.ended


def test_a_file_written_over_is_a_new_picture(tmp_path: Path, folder: WatchedPictures):
    picture(tmp_path / "now.png", 1)
    assert grey(folder.newest(0)) == 1
    (tmp_path / "now.png").write_bytes(cv2.imencode(".png", np.full((9, 9, 3), 2, np.uint8))[1].tobytes())
    assert grey(folder.newest(0)) == 2


def test_a_half_written_picture_is_tried_again(tmp_path: Path, folder: WatchedPictures):
    picture(tmp_path / "whole.png", 5)
    data = (tmp_path / "whole.png").read_bytes()
    (tmp_path / "whole.png").unlink()
    (tmp_path / "b.png").write_bytes(data[:-20])
    assert folder.newest(1) is None
    (tmp_path / "b.png").write_bytes(data)
    assert grey(folder.newest(0)) == 5


def test_a_picture_that_stays_broken_is_passed_over(tmp_path: Path, folder: WatchedPictures):
    picture(tmp_path / "a.png", 1)
    (tmp_path / "b.png").write_bytes(b"never a picture")
    assert folder.newest(1) is None
    assert grey(folder.newest(10)) == 1


def test_an_empty_folder_gives_nothing_and_waits_as_told(folder: WatchedPictures, hands: Hands):
    assert folder.newest(2) is None
    assert hands.now == pytest.approx(102, abs=0.2)


def test_a_folder_that_is_gone_is_a_lost_camera(tmp_path: Path, hands: Hands):
    with pytest.raises(CameraError, match="is gone"):
        WatchedPictures(tmp_path / "never", hands.clock, hands.sleep).newest(0)


def test_a_video_plays_at_its_own_speed_and_skips_what_nobody_had_time_for(hands: Hands):
    film = Film(30, rate=10)
    video = Video(film, "film", hands.clock, hands.sleep)
    assert grey(video.newest(1)) == 0
    hands.sleep(0.75)
    frame = video.newest(0)
    assert (grey(frame), frame.number, film.decoded) == (7, 7, 2)


def test_a_video_makes_a_quick_reader_wait(hands: Hands):
    video = Video(Film(30, rate=10), "film", hands.clock, hands.sleep)
    assert [grey(video.newest(1)) for _ in range(3)] == [0, 1, 2]
    assert hands.now == pytest.approx(100.2, abs=0.01)
    assert video.newest(0.01) is None


def test_a_video_ends_with_its_last_picture(hands: Hands):
    video = Video(Film(3, rate=10), "film", hands.clock, hands.sleep)
    hands.sleep(1)
    video.newest(0)
    hands.sleep(5)
    assert grey(video.newest(0)) == 2
    assert video.ended
    assert video.newest(0) is None


def test_a_real_video_file_is_played(tmp_path: Path):
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 20, (64, 48))
    for value in (10, 120, 240):
        writer.write(np.full((48, 64, 3), value, np.uint8))
    writer.release()
    video = open_source(str(path))
    assert grey(video.newest(1)) == pytest.approx(10, abs=4)
    video.close()


def test_a_live_camera_gives_the_newest_picture_only():
    film, going = Film(10**9), threading.Event()
    slow, film.grab = film.grab, lambda: going.wait(5) and slow()
    source = LiveCamera(film, "camera 0")
    assert source.newest(0.01) is None
    going.set()
    first = source.newest(5)
    second = source.newest(5)
    assert second.number > first.number
    assert second.captured_ms >= first.captured_ms
    source.close()
    assert film.released


def test_a_driver_that_fails_is_a_picture_missed_and_no_end(monkeypatch: pytest.MonkeyPatch):
    film = Film(10**9)
    pictures = iter([False, True])

    def retrieve():
        if next(pictures, True):
            return True, np.zeros((4, 6, 3), np.uint8)
        raise cv2.error("driver")

    monkeypatch.setattr(sources, "POLL_S", 0.001)
    monkeypatch.setattr(film, "retrieve", retrieve)
    source = LiveCamera(film, "camera 0")
    assert source.newest(5) is not None
    source.close()


def test_a_camera_that_stops_is_lost_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "LOST_AFTER_S", 0.05)
    monkeypatch.setattr(sources, "POLL_S", 0.01)
    source = LiveCamera(Film(0), "camera 7")
    with pytest.raises(CameraError, match=r"camera 7 gives no more pictures; check its cable"):
        source.newest(5)
    source.close()


def test_pictures_that_nobody_waits_for_are_not_decoded():
    film = Film(10**9)
    source = LiveCamera(film, "camera 0")
    assert source.newest(5) is not None
    while film.place < 100:
        pass
    assert film.decoded == 1
    source.close()


def broken_off(colour, rest=0.4):
    picture = np.random.default_rng(2).integers(0, 255, (60, 80, 3), np.uint8)
    picture[int(60 * (1 - rest)) :] = colour
    return picture


@pytest.mark.parametrize(
    ("picture", "whole"),
    [
        pytest.param(broken_off((0, 135, 0)), False, id="green half"),
        pytest.param(broken_off((128, 128, 128), 0.2), False, id="grey foot"),
        pytest.param(broken_off((0, 135, 0), 1.0), False, id="all green"),
        pytest.param(broken_off((0, 0, 0)), True, id="a film's black bar"),
        pytest.param(broken_off((255, 255, 255)), True, id="glare"),
        pytest.param(broken_off((0, 135, 0), 0.05), True, id="an edge"),
        pytest.param(broken_off((0, 0, 0), 0.0), True, id="noise"),
    ],
)
def test_a_picture_that_broke_off_is_told_from_a_whole_one(picture, *, whole: bool):
    assert is_whole(picture) == whole


def test_half_pictures_are_left_out_and_a_camera_that_gives_no_others_is_lost(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sources, "BROKEN_AFTER_S", 0.2)
    film, rng = Film(10**9), np.random.default_rng(1)
    pictures = iter([broken_off((0, 135, 0)), rng.integers(0, 255, (60, 80, 3), np.uint8)])
    monkeypatch.setattr(film, "retrieve", lambda: (True, next(pictures, broken_off((0, 135, 0)))))
    source = LiveCamera(film, "camera 0")
    assert is_whole(source.newest(5).image)
    with pytest.raises(CameraError, match="camera 0 gives broken pictures; check its cable"):
        source.newest(5)
    source.close()


@pytest.mark.parametrize(("picture", "frozen"), [("the same", True), ("noise", False), ("black", False)])
def test_a_camera_whose_picture_has_frozen_is_lost(monkeypatch: pytest.MonkeyPatch, picture: str, *, frozen: bool):
    monkeypatch.setattr(sources, "FROZEN_AFTER_S", 0.05)
    film, rng = Film(10**9), np.random.default_rng(1)
    still = {"the same": rng.integers(0, 255, (40, 60, 3), np.uint8), "black": np.zeros((40, 60, 3), np.uint8)}
    fresh = lambda: rng.integers(0, 255, (40, 60, 3), np.uint8)  # noqa: E731
    monkeypatch.setattr(film, "retrieve", lambda: (True, still.get(picture) if picture in still else fresh()))
    source, until = LiveCamera(film, "camera 0"), monotonic_ms() + 400
    try:
        while monotonic_ms() < until:
            source.newest(1)
        assert not frozen
    except CameraError as error:
        assert frozen
        assert "the same picture again and again" in str(error)  # noqa: PT017
    source.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("97", "camera 97 cannot be opened", id="number"),
        pytest.param("no/such/folder", "'no/such/folder' is no folder, video, address or camera", id="folder"),
        pytest.param("No such webcam", "'No such webcam' is no folder", id="name"),
    ],
)
def test_a_source_that_is_not_there_is_named_with_a_remedy(text: str, says: str, capfd: pytest.CaptureFixture):
    with pytest.raises(CameraError, match=says) as caught:
        open_source(text)
    assert ";" in str(caught.value)
    assert capfd.readouterr().err == ""


def test_a_file_that_is_no_video_is_named(tmp_path: Path):
    (tmp_path / "film.mp4").write_bytes(b"no film")
    with pytest.raises(CameraError, match=r"film\.mp4 is no video"):
        open_source(str(tmp_path / "film.mp4"))


def test_a_folder_and_a_picture_are_sources(tmp_path: Path):
    picture(tmp_path / "a.png", 3)
    assert grey(open_source(str(tmp_path)).newest(0)) == 3
    assert grey(open_source(str(tmp_path / "a.png")).newest(0)) == 3
