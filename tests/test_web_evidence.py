import os

import pytest
from web_world import begin, make_world

from web.evidence import Evidence, make_room


@pytest.fixture
def world(tmp_path):
    made = make_world(tmp_path, camera="0", data=str(tmp_path))
    yield made
    made.desk.close()


def evidence_of(world):
    return world.app.extensions["rummy-referee"].evidence


def test_each_turn_keeps_its_pictures_before_and_after(world):
    world.feed.draw = lambda picture, _reading, _verdict: str(picture).encode()
    world.feed.show("empty table", None, None)
    begin(world)
    evidence_of(world)._disk.submit(int).result()
    world.feed.show("three tiles", None, None)
    client = world.client("player")
    client.post("/api/done", {"table": "R10 R11 R12"})
    evidence_of(world).close()
    shown = [client.http.get(f"/api/turns/1/{side}.jpg").data for side in ("before", "after")]
    assert shown == [b"empty table", b"three tiles"]
    assert 'id="slide"' in client.http.get("/turns/1").text
    assert world.client("watch").http.get("/api/turns/1/after.jpg").status_code == 401


def test_without_a_picture_nothing_is_kept(world):
    begin(world)
    evidence_of(world).close()
    assert world.client().http.get("/api/turns/1/before.jpg").status_code == 404
    assert not evidence_of(world).folder.exists()


@pytest.mark.parametrize(
    "options", [{"evidence": False, "camera": "0"}, {"camera": ""}], ids=["switched off", "no camera"]
)
def test_evidence_can_be_switched_off(tmp_path, options):
    world = make_world(tmp_path, **options)
    assert evidence_of(world) is None
    world.desk.close()


def test_the_oldest_pictures_go_first_and_nothing_else_does(tmp_path):
    for age, name in enumerate(["game-1-a.jpg", "game-1-b.jpg", "game-1-c.jpg", "mine.jpg"]):
        (tmp_path / name).write_bytes(b"x" * 10)
        os.utime(tmp_path / name, (age, age))
    make_room(tmp_path, 25)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game-1-b.jpg", "game-1-c.jpg", "mine.jpg"]


def test_a_disk_that_takes_nothing_costs_the_picture_only(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    evidence = Evidence(tmp_path / "file" / "pictures", 1, lambda: 1, lambda: b"picture")
    evidence._take(1, "after")
    evidence.close()
    assert "was not kept" in caplog.text
    assert evidence.load(1, "after") is None
