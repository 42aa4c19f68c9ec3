"""The camera's set-up: its traffic lights, which camera it is, and where in its picture the table lies."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from web_world import begin, make_world

from referee.table import Choice, SeenTile, TableReading
from referee.tiles import Tile
from vision.errors import CameraError, TileSetError
from vision.lessons import Lesson, Remark, RemarkCode, SeenInLesson, Status
from vision.tileset import TileSet
from web.body import ApiError
from web.camera_checks import camera_checks
from web.camera_setup import EXTENSION, KeptAreas, KnownCamera, listed, read_area
from web.sentences import Sentences

AREA = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]


@dataclass
class FakeEyepiece:
    """Two cameras; the second is broken."""

    source: str = "0"
    area: tuple | None = None
    asked: list = field(default_factory=list)

    def cameras(self):
        return [KnownCamera("0", "Over the table"), KnownCamera("1", "In the lid")]

    def thumbnail(self, source):
        if source == "1":
            raise CameraError("no picture")
        return b"jpeg"

    def choose(self, source):
        self.asked.append(source)
        self.source = source

    def set_area(self, area):
        self.area = area

    def tilesets(self):
        return ["Grandma's"]

    def teach(self, name):
        if name == "..":
            raise TileSetError("no name")
        known = TileSet(name)
        tile = SeenInLesson(((0, 0), (1, 0), (1, 1), (0, 1)), Tile.parse("R7"), Status.LEARNT)
        return Lesson(known, (tile,), (Remark(RemarkCode.TOO_SMALL, count=20),))


@pytest.fixture
def world(tmp_path):
    made = make_world(tmp_path)
    begin(made)
    made.app.extensions[EXTENSION] = FakeEyepiece()
    yield made
    made.desk.close()


def test_the_cameras_are_listed_for_the_referee_alone(world):
    answer = world.client().http.get("/api/cameras").json
    assert [one["name"] for one in answer["cameras"]] == ["Over the table", "In the lid"]
    assert (answer["present"], answer["corners"]) == ("0", None)
    assert world.client("player").http.get("/api/cameras").status_code == 403
    assert world.client("watch").http.get("/api/cameras/thumbnail.jpg?source=0").status_code == 401


def test_a_camera_is_shown_and_chosen_and_the_game_goes_on(world):
    client = world.client()
    version = world.desk.version
    assert client.http.get("/api/cameras/thumbnail.jpg?source=0").data == b"jpeg"
    assert client.http.get("/api/cameras/thumbnail.jpg?source=1").status_code == 404
    assert client.post("/api/camera", {"source": "1"}).json["present"] == "1"
    assert world.desk.version == version


@pytest.mark.parametrize("source", ["/etc/passwd", "rtsp://elsewhere", "2", "../games.db"])
def test_nothing_is_opened_that_is_not_in_the_list(world, source):
    client = world.client()
    assert client.post("/api/camera", {"source": source}).status_code == 404
    assert client.http.get("/api/cameras/thumbnail.jpg", query_string={"source": source}).status_code == 404
    assert world.app.extensions[EXTENSION].asked == []


def test_the_playing_area_is_set_and_taken_away(world):
    client = world.client()
    assert client.post("/api/area", {"corners": AREA}).json["corners"] == AREA
    assert client.post("/api/area", {"corners": None}).json["corners"] is None


def test_who_saw_another_state_changes_no_camera(world):
    assert world.client().post("/api/camera", {"source": "1", "version": 0}).status_code == 409
    assert world.client().post("/api/area", {"corners": AREA, "version": 0}).status_code == 409


def test_a_picture_teaches_a_set_and_what_is_missing_is_said(world):
    lesson = world.client().post("/api/teach", {"name": "Grandma's"}, **{"Accept-Language": "de"}).json
    assert (lesson["name"], lesson["finished"], lesson["learnt"], len(lesson["missing"])) == ("Grandma's", False, 1, 54)
    assert [remark for remark in lesson["remarks"] if "20 Pixel" in remark]


def test_a_name_that_is_none_teaches_nothing(world):
    answer = world.client().post("/api/teach", {"name": ".."})
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "tileset")


def test_where_no_camera_can_be_chosen_that_is_said(world):
    del world.app.extensions[EXTENSION]
    assert world.client().http.get("/api/cameras").status_code == 503


NO_AREAS = {
    "three corners": AREA[:3],
    "a text": "0,0 1,0 1,1 0,1",
    "outside": [[-0.1, 0], *AREA[1:]],
    "crossed": [AREA[0], AREA[2], AREA[1], AREA[3]],
    "the other way round": AREA[::-1],
    "next to nothing": [[0.5, 0.5], [0.51, 0.5], [0.51, 0.51], [0.5, 0.51]],
    "not numbers": [[None, 0], *AREA[1:]],
}


@pytest.mark.parametrize("value", NO_AREAS.values(), ids=NO_AREAS)
def test_what_is_no_area_is_refused(value):
    with pytest.raises(ApiError):
        read_area(value)


def test_each_camera_keeps_its_area(tmp_path):
    areas = KeptAreas(tmp_path / "data" / "areas.json")
    areas.keep("0", read_area(AREA))
    areas.keep("1", None)
    again = KeptAreas(tmp_path / "data" / "areas.json")
    assert (again.of("0"), again.of("1"), again.of("2")) == (read_area(AREA), None, None)


def test_a_damaged_file_of_areas_is_as_none(tmp_path):
    file = tmp_path / "areas.json"
    file.write_text('{"0": [[1]]}')
    assert KeptAreas(file).of("0") is None
    file.write_text("{")
    assert KeptAreas(file).of("0") is None


@pytest.mark.parametrize(
    ("present", "sources"), [("", ["0", "2"]), ("2", ["0", "2"]), ("evening.mp4", ["evening.mp4", "0", "2"])]
)
def test_the_present_camera_is_in_the_list(present, sources):
    assert [one.source for one in listed(lambda: {"A": 0, "B": 2}, present)] == sources


def noise(mean, spread):
    return np.clip(np.random.default_rng(1).normal(mean, spread, (90, 160, 3)), 0, 255).astype(np.uint8)


PICTURES = {
    "good": (noise(130, 20), "green", "green"),
    "dark": (noise(20, 2), "red", "red"),
    "dim": (noise(60, 2.1), "amber", "red"),
    "glaring": (noise(240, 20), "red", "green"),
}


@pytest.mark.parametrize(("picture", "light", "focus"), PICTURES.values(), ids=PICTURES)
def test_light_and_focus_are_traffic_lights(picture, light, focus):
    lights = {check.name: check.light for check in camera_checks(None, picture, Sentences())}
    assert lights == {"light": light, "focus": focus, "tiles": "amber"}


def test_a_blurred_table_whose_tiles_are_read_well_is_sharp_enough():
    seen = SeenTile(((0, 0), (30, 0), (30, 42), (0, 42)), (Choice(Tile.parse("R7"), 0.99),))
    checks = camera_checks(TableReading((seen,), ((0,),)), noise(130, 1), Sentences())
    lights = {check.name: check.light for check in checks}
    assert (lights["focus"], lights["pixels"], lights["sure"]) == ("green", "green", "green")


def test_every_light_that_is_not_green_says_what_to_do():
    seen = (camera_checks(None, picture, Sentences()) for picture in (noise(20, 2), noise(240, 2)))
    said = {check.message for checks in seen for check in checks}
    assert len(said) == 4
    assert all(":" in message or "Lay some" in message for message in said)
