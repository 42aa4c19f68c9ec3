"""`teach` and `--tileset` on rendered pictures, with the bundled networks."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.render.camera import camera_for
from models.render.drawing import render_scene
from models.render.edition import draw_edition
from models.render.inks import bgr_of
from models.render.layouts import RowStyle, moved, row_of
from models.render.ranges import training_ranges
from models.render.scene import Scene, TableTop
from referee.tiles import parse_tiles
from web.cli import main

GREEN = bgr_of(125, 0.8, 0.45)
ROWS = [" ".join(f"{ink}{number}" for number in range(1, 14)) for ink in "KRBO"]
LEFT_OUT = [ROWS[0], ROWS[1].replace(" R7", ""), ROWS[2], ROWS[3], "J"]
SWAPPED = [ROWS[0], ROWS[1].replace("R7", "X").replace("R12", "R7").replace("X", "R12"), ROWS[2], ROWS[3], "J J"]


def picture(file, rows):
    """Draw rows of a set with a green ink for blue, even light, from above."""
    edition = draw_edition(np.random.default_rng(12), training_ranges())
    edition = replace(edition, inks=replace(edition.inks, blue=GREEN))
    placed = []
    for place, row in enumerate(rows):
        laid = row_of(np.random.default_rng(place), list(parse_tiles(row)), RowStyle(), edition.ratio)
        at = np.array([0.0, (place - len(rows) / 2) * (edition.ratio + 0.5)])
        placed += [replace(tile, row=place, which=k) for k, tile in enumerate(moved(laid, at, 0.0))]
    scene = Scene(edition, camera_for((1280, 960), 96, edition.ratio, tilt=0.1), tuple(placed), TableTop(), seed=1)
    cv2.imwrite(str(file), render_scene(scene).image)
    return file


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("set")
    laid = {"part": LEFT_OUT, "rest": ["R7", "J"], "swapped": SWAPPED, "table": ["B7 R7 K7", "B3 B4 B5 B6"]}
    (folder / "broken.png").write_text("no picture")
    return {name: picture(folder / f"{name}.png", rows) for name, rows in laid.items()} | {
        "broken": folder / "broken.png"
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "en")

    def call(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(one) for one in arguments])
        said = capsys.readouterr()
        return left.value.code, said.out, said.err

    return call


def test_a_set_is_begun_finished_read_with_listed_and_forgotten(run, photos, data):
    begun, out, _ = run("teach", "ours", photos["part"], "--ink", "B=green", "--data", data)
    assert begun == 4
    assert "red 7 and one joker" in out
    assert "another photo" in out

    finished, out, err = run("teach", "ours", photos["rest"], "--data", data, "--json")
    document = json.loads(out)
    assert (finished, err, document["finished"], document["missing"]) == (0, "", True, [])
    assert document["inks"]["B"] == {"name": "green", "looks": "green"}
    assert sorted(tile["tile"] for tile in document["photos"][0]["tiles"]) == ["J", "R7"]

    code, out, _ = run("read", photos["table"], "--tileset", "Ours", "--data", data, "--json")
    rows = sorted(json.loads(out)["readings"][0]["table"].split(" / "))
    assert (code, rows) == (0, ["B3 B4 B5 B6", "B7 R7 K7"])

    assert run("teach", "--list", "--data", data)[:2] == (0, "ours: finished\n")
    assert run("teach", "--forget", "ours", "--data", data)[0] == 0
    assert json.loads(run("teach", "--list", "--data", data, "--json")[1]) == {"tilesets": []}


def test_tiles_in_each_others_places_are_named_and_not_learnt(run, photos, tmp_path):
    code, out, _ = run("teach", "swapped", photos["swapped"], "--data", tmp_path, "--json")
    document = json.loads(out)
    assert (code, document["missing"]) == (4, ["R7", "R12"])
    said = [one["message"] for one in document["photos"][0]["remarks"]]
    assert said[0] == "Where the red 7 should lie I see the red 12: put the row in order."


def test_a_bad_photo_does_not_stop_the_others(run, photos, tmp_path):
    code, out, err = run("teach", "ours", photos["broken"], photos["part"], "--data", tmp_path, "--json")
    document = json.loads(out)
    assert (code, err.count("\n"), len(document["photos"])) == (2, 1, 1)
    assert [one["code"] for one in document["errors"]] == ["not_a_picture"]
    assert document["missing"] == ["R7", "J"]


WRONG = [
    pytest.param(["teach"], "what the set is called", id="nothing said"),
    pytest.param(["teach", "ours"], "photos", id="no photo"),
    pytest.param(["teach", "a/b", "x.png"], "a/b", id="no name"),
    pytest.param(["teach", "ours", "x.png", "--ink", "green"], "B=green", id="no ink"),
    pytest.param(["teach", "--forget", "theirs"], "theirs", id="nothing to forget"),
    pytest.param(["read", "x.png", "--tileset", "theirs"], "teach it first", id="never taught"),
]


@pytest.mark.parametrize(("arguments", "quoted"), WRONG)
def test_what_cannot_be_is_one_line(run, tmp_path, arguments, quoted):
    code, out, err = run(*arguments, "--data", tmp_path)
    assert (code, out, err.count("\n"), quoted in err) == (2, "", 1, True)


def test_a_corrupt_set_is_named_with_the_remedy(run, photos, tmp_path):
    (tmp_path / "tilesets").mkdir()
    (tmp_path / "tilesets" / "ours.tiles").write_bytes(b"PK")
    code, _, err = run("read", photos["table"], "--tileset", "ours", "--data", tmp_path)
    assert (code, "--forget 'ours'" in err) == (2, True)
    listed = json.loads(run("teach", "--list", "--data", tmp_path, "--json")[1])
    assert listed["tilesets"][0]["error"]["code"] == "corrupt"
