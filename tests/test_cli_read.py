"""`read` and `judge` on rendered pictures, with the bundled networks."""

import json
from pathlib import Path

import cv2
import pytest

from models.render.tables import Style, render_table
from referee.table import Table
from web.cli import main

TABLE = "R3 R4 R5 / K7 B7 O7"


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """A table before and after a turn, as pictures."""
    folder = tmp_path_factory.mktemp("photos")
    for name, text in (("before", TABLE), ("after", TABLE.replace("R5", "R5 R6"))):
        rendered = render_table(Table.parse(text), 11, (1280, 960), 70, style=Style(calm=True))
        cv2.imwrite(str(folder / f"{name}.png"), rendered.image)
    (folder / "broken.jpg").write_text("no picture")
    return folder


@pytest.fixture
def run(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(one) for one in arguments])
        said = capsys.readouterr()
        return left.value.code, said.out, said.err

    return call


def rows(table):
    return sorted(table.split(" / "))


def test_a_photo_is_read_as_the_contract_says(run, photos):
    code, out, err = run("read", photos / "before.png", "--json")
    document = json.loads(out)
    (reading,) = document["readings"]
    assert (code, err, document["errors"]) == (0, "", [])
    fields = ["image", "width", "height", "tiles", "melds", "table", "doubts", "notes", "seconds"]
    assert list(reading) == fields
    assert (reading["image"], reading["width"], reading["height"]) == (str(photos / "before.png"), 1280, 960)
    assert list(reading["tiles"][0]) == ["corners", "where", "tile", "confidence", "alternatives"]
    assert sorted(place for meld in reading["melds"] for place in meld) == list(range(6))
    assert rows(reading["table"]) == rows(TABLE)


def test_of_several_photos_a_bad_one_does_not_stop_the_others(run, photos):
    code, out, err = run("read", photos / "broken.jpg", photos / "none.jpg", photos / "before.png", "--json")
    document = json.loads(out)
    assert (code, len(document["readings"]), err.count("\n")) == (2, 1, 2)
    assert [error["code"] for error in document["errors"]] == ["not_a_picture", "no_such_file"]


def test_a_photo_that_cannot_be_read_prints_nothing_but_its_error(run, photos):
    code, out, err = run("read", photos / "broken.jpg")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_reading_is_drawn_into_a_file_or_a_folder(run, photos, tmp_path):
    assert run("read", photos / "before.png", "--overlay", tmp_path / "one.jpg")[0] == 0
    assert run("read", photos / "before.png", photos / "after.png", "--overlay", tmp_path / "all")[0] == 0
    assert cv2.imread(str(tmp_path / "one.jpg")).shape == (960, 1280, 3)
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["after.jpg", "before.jpg"]


def test_corners_leave_out_what_lies_outside(run, photos):
    _, out, _ = run("read", photos / "before.png", "--corners", "0,0", "1,0", "1,1", "0,1", "--json")
    assert json.loads(out)["readings"][0]["table"] == "-"


def test_a_turn_is_judged_from_photos(run, photos):
    code, out, _ = run("judge", "--before", photos / "before.png", "--after", photos / "after.png", "--json")
    assert (code, json.loads(out)["played"]) == (0, ["R6"])


def test_several_photos_of_one_table_are_taken_together(run, photos):
    sides = ["--before", photos / "before.png", "--before", photos / "before.png", "--after", TABLE]
    assert json.loads(run("judge", *sides, "--json")[1])["verdict"] == "draw"


WRONG = [
    pytest.param(["--corners", "0,0", "1,0", "1,1", "x"], 2, "corners", id="no corners"),
    pytest.param(["--tileset", "grandmas"], 2, "grandmas", id="no such set"),
    pytest.param(["--weights", "none.onnx"], 3, "none.onnx", id="no weights"),
]


@pytest.mark.parametrize(("options", "code", "quoted"), WRONG)
def test_what_cannot_be_is_one_line(run, photos, options, code, quoted):
    left, out, err = run("read", photos / "before.png", *options)
    assert (left, out, err.count("\n"), quoted in err) == (code, "", 1, True)


def test_a_camera_that_is_none_is_exit_3(run, tmp_path):
    code, _, err = run("run", "--camera", tmp_path / "none", "--data", tmp_path, "--port", "0", "--no-browser")
    assert (code, err.count("\n"), "none" in err) == (3, 1, True)


def test_doctor_checks_and_says_what_to_do(run, photos, tmp_path):
    code, out, _ = run("doctor", "--camera", photos / "before.png", "--data", tmp_path, "--json")
    checks = {check["name"]: check for check in json.loads(out)["checks"]}
    assert code in {0, 1}
    assert all(check.keys() == {"name", "ok", "value", "remedy"} for check in checks.values())
    assert checks.keys() >= {"camera", "light", "focus", "pixels per tile", "model", "tesseract", "database"}
    assert checks["model"]["ok"]


def test_doctor_on_a_camera_that_is_none_fails_with_a_remedy(run, tmp_path):
    code, out, _ = run("doctor", "--camera", tmp_path / "none", "--data", tmp_path, "--json")
    camera = next(check for check in json.loads(out)["checks"] if check["name"] == "camera")
    assert (code, camera["ok"], bool(camera["remedy"])) == (1, False, True)


def test_the_two_pictures_of_the_docs_are_judged_without_a_doubt(run):
    pictures = Path(__file__).parents[1] / "docs" / "pictures"
    code, out, _ = run("judge", "--before", pictures / "before.jpg", "--after", pictures / "after.jpg", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "legal")
