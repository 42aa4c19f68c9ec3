"""Every game that was played: its page, its files, its end."""

import csv
import io
import json
import zipfile

import pytest
from web_world import begin, make_world

from referee.decisions import Setup
from referee.exchange import import_game
from referee.log import Log
from referee.rules import RuleSet
from web.app import now_ms


@pytest.fixture
def world(tmp_path):
    """A world with two matches: a game of one turn, and a present one that has just begun."""
    made = make_world(tmp_path, camera="0", data=str(tmp_path))
    begin(made, "=Ana", "Ben")
    made.client().post("/api/done", {"table": "R10 R11 R12"})
    folder = tmp_path / "pictures"
    folder.mkdir(exist_ok=True)
    for side in ("before", "after"):
        (folder / f"game-00001-turn-0001-{side}.jpg").write_bytes(side.encode())
    setup = Setup(abandon=True, new_match=True)
    made.desk.start(["Cleo", "Dan"], RuleSet(), setup=setup, version=None, now=now_ms())
    yield made
    made.desk.close()


def files(world, role="referee"):
    return zipfile.ZipFile(io.BytesIO(world.client(role).http.get("/api/games/1/game.zip").data))


def test_all_games_are_listed_the_newest_first(world):
    listed = world.client("watch").http.get("/api/games").json["games"]
    assert [one["players"] for one in listed] == [["Cleo", "Dan"], ["=Ana", "Ben"]]
    page = world.client("watch").http.get("/games").text
    assert page.index("Cleo") < page.index("=Ana")


def test_a_past_game_shows_its_turns_its_figures_and_its_pictures(world):
    http = world.client().http
    assert 'href="/games/1/turns/1"' in http.get("/games/1").text
    assert "/api/games/1/turns/1/before.jpg" in http.get("/games/1/turns/1").text
    assert http.get("/api/games/1/turns/1/after.jpg").data == b"after"
    assert "data-overrule" not in http.get("/games/1/turns/1").text


@pytest.mark.parametrize(
    "path", ["/games/99", "/games/1/turns/9", "/api/games/99/game.zip", "/api/games/99/scores.csv"]
)
def test_what_is_not_there_is_404(world, path):
    assert world.client().http.get(path).status_code == 404


def test_the_zip_holds_the_game_its_figures_and_its_pictures(world, tmp_path):
    packed = files(world)
    names = {"game.json", "scores.csv", "turns.csv", "pictures/0001-before.jpg", "pictures/0001-after.jpg"}
    assert set(packed.namelist()) == names
    other = Log.open(tmp_path / "other.db")
    assert import_game(other, packed.read("game.json").decode()) == 1
    other.close()


def test_a_watcher_gets_the_zip_without_pictures(world):
    assert not any(name.startswith("pictures/") for name in files(world, "watch").namelist())
    assert world.client("watch").http.get("/api/games/1/turns/1/after.jpg").status_code == 401


def test_no_spreadsheet_runs_a_name_as_a_formula(world):
    text = world.client().http.get("/api/games/1/scores.csv").text
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [(line["player"], line["turns"], line["tiles"]) for line in lines] == [
        ("'=Ana", "1", "3.0"),
        ("Ben", "0", "0.0"),
    ]
    turns = list(csv.DictReader(io.StringIO(files(world).read("turns.csv").decode())))
    assert (turns[0]["player"], turns[0]["verdict"], turns[0]["table"]) == ("'=Ana", "legal", "R10 R11 R12")


def test_a_past_game_is_deleted_with_its_pictures(world):
    client = world.client()
    assert client.post("/api/delete", {"game": 1}).json["deleted"] == 1
    assert [one["players"] for one in client.http.get("/api/games").json["games"]] == [["Cleo", "Dan"]]
    assert client.http.get("/api/games/1/turns/1/after.jpg").status_code == 404


def test_the_present_match_is_not_deleted(world):
    answer = world.client().post("/api/delete", {"game": world.desk.game_id})
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "present_match")
    assert len(world.desk.log.games()) == 2


def test_who_saw_another_state_deletes_nothing(world):
    assert world.client().post("/api/delete", {"game": 1, "version": 1}).status_code == 409
    assert len(world.desk.log.games()) == 2


def test_the_game_is_told_in_the_language_of_the_reader(world):
    told = world.client().http.get("/api/games/1/game.zip", headers={"Accept-Language": "de"}).data
    assert "eröffnet mit 33 Punkten" in zipfile.ZipFile(io.BytesIO(told)).read("turns.csv").decode()
    assert json.loads(zipfile.ZipFile(io.BytesIO(told)).read("game.json"))["events"]
