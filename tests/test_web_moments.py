"""What the pages show at special moments: a pause for dinner, the end of a match, a table corrected in its picture."""

import re

import pytest
from web_stage import BEFORE, GOOD, at_pause, at_play, at_results, show, staged, started

from referee.table import Table
from web.app import now_ms
from web.state import since_pause


@pytest.fixture
def server(tmp_path):
    with staged(tmp_path) as one:
        yield one


def test_after_a_pause_the_page_says_what_is_gone_and_new(server):
    at_pause(server.world)
    client = server.world.client()
    assert client.state["since_pause"] == {"come": [], "gone": ["B6"]}
    assert client.state["clock"]["pause"] == "person"
    client.post("/api/clock", {"do": "resume"})
    assert client.state["since_pause"] is None


def test_a_second_pause_begins_with_the_table_as_it_lies_then(server):
    at_pause(server.world)
    client = server.world.client()
    client.post("/api/clock", {"do": "resume"})
    client.post("/api/clock", {"do": "pause"})
    assert client.state["since_pause"] == {"come": [], "gone": []}


@pytest.mark.parametrize(
    ("paused", "lies", "come", "gone"),
    [
        ("R3 R4 R5", "R5 R4 R3", [], []),
        ("R3 R4 R5", "R3 R4 R5 R6", ["R6"], []),
        ("R3 R4 R5", "-", [], ["R3", "R4", "R5"]),
    ],
    ids=["moved", "came", "gone"],
)
def test_tables_are_compared_by_their_tiles(paused, lies, come, gone):
    assert since_pause(Table.parse(paused), Table.parse(lies)) == {"come": come, "gone": gone}


def test_the_end_of_a_match_tells_every_game_and_who_has_won(server):
    at_results(server.world)
    state = server.world.client().state
    assert (state["match_over"], [one["number"] for one in state["results"]]) == (True, [1, 2])
    assert all(sum(one["points"]) == 0 for one in state["results"])
    best = max(state["players"], key=lambda player: player["score"])
    assert state["match_winners"] == [best["name"]]


def edit_of(client, path):
    page = client.http.get(path).text
    return client.http.application.json.loads(re.search(r'id="edit">(.*?)</script>', page)[1])


def test_every_tile_of_the_picture_has_its_place_for_tapping(server):
    at_play(server.world)
    edit = edit_of(server.world.client(), "/correct")
    assert sorted(map(" ".join, edit["rows"])) == sorted(GOOD.split(" / "))
    assert sorted((one["row"], one["place"]) for one in edit["places"]) == [
        (row, place) for row, tiles in enumerate(edit["rows"]) for place in range(len(tiles))
    ]
    assert all(0 <= part <= 1 for one in edit["places"] for corner in one["corners"] for part in corner)


def test_a_table_that_was_entered_by_hand_has_no_places_in_the_picture(server):
    at_play(server.world)
    client = server.world.client()
    client.post("/api/correct", {"turn": 2, "table": BEFORE})
    assert edit_of(client, "/correct")["places"] == []


def test_without_a_camera_the_turn_itself_is_entered(tmp_path):
    with staged(tmp_path, camera=False) as server:
        started(server.world)
        assert edit_of(server.world.client(), "/correct")["by_hand"]


def test_the_picture_that_was_read_stays_while_the_table_is_corrected(server):
    at_play(server.world)
    client = server.world.client()
    read = client.http.get("/api/frame.jpg?of=reading").data
    server.world.feed.glance(server.world.feed.picture[::2, ::2].copy())
    assert client.http.get("/api/frame.jpg?of=reading").data == read
    assert client.http.get("/api/frame.jpg").data != read


def test_racks_laid_open_are_read_from_the_picture_once_the_game_is_over(server):
    at_play(server.world)
    client = server.world.client()
    assert client.http.get("/api/racks").json == {"tiles": [], "doubtful": [], "unread": 0}
    server.world.desk.end_game(version=None, now=now_ms())
    lies = str(server.world.desk.game.now.table)
    show(server.world, f"{lies} / K5 O6")
    assert client.http.get("/api/racks").json == {"tiles": ["K5", "O6"], "doubtful": [], "unread": 0}


def test_drawn_tiles_are_read_while_no_turn_is_played_and_the_highest_is_named(server):
    at_play(server.world)
    client = server.world.client()
    assert client.http.get("/api/drawn").json["tiles"] == []
    server.world.desk.end_game(version=None, now=now_ms())
    show(server.world, "K5 / O6 / B12")
    found = client.http.get("/api/drawn?rules=classic-2009").json
    assert (found["tiles"], found["highest"], found["again"]) == (["B12", "K5", "O6"], "B12", [])
    show(server.world, "J / O6 / B12")
    assert client.http.get("/api/drawn").json["again"] == ["J"]
    assert 'id="see-drawn"' in client.http.get("/game/new").text


def test_the_rulebook_has_its_sections_and_a_way_to_each(server):
    page = server.world.client().http.get("/rules", headers={"Accept-Language": "nl"}).text
    assert [f'href="#s{number}"' in page and f'id="s{number}"' in page for number in range(1, 12)] == [True] * 11
    assert "Combinaties" in page
