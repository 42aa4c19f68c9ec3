import pytest
from web_world import begin, make_world

from referee.rules import RuleSet

AT_LEAST = {
    *("schema", "version", "phase", "turn", "player", "players", "pool", "table", "played"),
    *("clock", "camera", "verdict", "doubts", "role"),
}


@pytest.fixture
def world(tmp_path):
    made = make_world(tmp_path)
    yield made
    made.desk.close()


@pytest.fixture
def referee(world):
    begin(world)
    return world.client()


def test_the_state_has_at_least_the_fields_of_the_contract(referee):
    state = referee.state
    assert state.keys() >= AT_LEAST
    assert state["players"][0].keys() >= {"name", "hand", "score", "opened"}
    assert state["clock"].keys() >= {"left_s", "running"}
    assert (state["phase"], state["player"], state["pool"], state["table"], state["camera"]) == (
        "play",
        "Ana",
        78,
        "-",
        "none",
    )


def test_before_any_game_the_phase_is_setup(world):
    state = world.client("watch").state
    assert (state["phase"], state["version"], state["player"], state["verdict"], state["role"]) == (
        "setup",
        0,
        None,
        None,
        "watch",
    )


def test_done_judges_the_table_and_gives_the_new_state(referee):
    answer = referee.post("/api/done", {"table": "R10 R11 R12"})
    state = answer.json["state"]
    assert (answer.status_code, answer.json["version"]) == (200, state["version"])
    assert (state["verdict"]["verdict"], state["verdict"]["points"], state["player"]) == ("legal", 33, "Ben")


def test_a_second_press_of_done_changes_nothing(referee):
    seen = referee.state["version"]
    first = referee.post("/api/done", {"version": seen})
    second = referee.post("/api/done", {"version": seen})
    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json["state"]["version"] == first.json["version"] == referee.state["version"]


def test_a_turn_that_is_not_allowed_says_every_reason_and_asks_to_put_the_table_back(referee):
    state = referee.post("/api/done", {"table": "R3 R4 R6 / B1 B2"}).json["state"]
    assert [fault["code"] for fault in state["verdict"]["faults"]] == [
        "run_has_gap",
        "meld_too_short",
        "opening_too_low",
    ]
    assert all(fault["message"] for fault in state["verdict"]["faults"])
    assert (state["phase"], state["guide"]["melds"]) == ("restore", [])
    assert state["guide"]["to_hand"] == ["B1", "B2", "R3", "R4", "R6"]
    assert referee.post("/api/restored").json["state"]["phase"] == "play"


def test_undo_and_redo_give_back_what_was(referee):
    before = referee.state
    referee.post("/api/done", {"table": "R10 R11 R12"})
    undone = referee.post("/api/undo").json["state"]
    same = ("phase", "turn", "player", "players", "pool", "table", "verdict")
    assert [undone[name] for name in same] == [before[name] for name in same]
    assert referee.post("/api/redo").json["state"]["player"] == "Ben"


def test_overruling_turns_the_verdict_and_is_said(referee):
    referee.post("/api/done", {"table": "R3 R4 R5"})
    state = referee.post("/api/overrule", {"turn": 1, "verdict": "legal", "reason": "birthday"}).json["state"]
    assert (state["table"], state["player"]) == ("R3 R4 R5", "Ben")
    assert "birthday" in state["overruled"]


def test_correcting_a_past_turn_judges_it_again_and_says_what_changed(referee):
    referee.post("/api/done", {"table": "R9 R10 R12"})
    referee.post("/api/restored")
    state = referee.post("/api/correct", {"turn": 1, "table": "R9 R10 R11"}).json["state"]
    assert (state["table"], len(state["changes"])) == ("R9 R10 R11", 1)


def test_correcting_the_present_turn_enters_its_table(referee):
    state = referee.post("/api/correct", {"turn": 1, "table": "R10 R11 R12"}).json["state"]
    assert (state["phase"], state["table"], state["played"]) == ("play", "R10 R11 R12", ["R10", "R11", "R12"])
    assert referee.post("/api/done").json["state"]["verdict"]["verdict"] == "legal"


def test_the_clock_is_paused_given_more_and_resumed(referee):
    paused = referee.post("/api/clock", {"do": "pause"}).json["state"]["clock"]
    more = referee.post("/api/clock", {"do": "add", "seconds": 30}).json["state"]["clock"]
    assert (paused["running"], more["total_s"]) == (False, 150)
    assert referee.post("/api/clock", {"do": "resume"}).json["state"]["clock"]["running"] is True


def test_hands_and_scores_are_set_by_hand(referee):
    referee.post("/api/hand", {"player": "Ben", "count": 3})
    ben = referee.post("/api/score", {"player": "Ben", "score": -7}).json["state"]["players"][1]
    assert (ben["hand"], ben["score"]) == (3, -7)


def test_a_game_is_started_with_its_rules_and_options(world):
    client = world.client()
    body = {"players": ["Ana", "Ben", "Zoë"], "rules": "tiles-50", "options": {"turn_seconds": None}, "starter": 2}
    state = client.post("/api/game", body).json["state"]
    assert (state["player"], state["clock"]["left_s"], state["rules"]) == ("Zoë", None, "tiles-50 + 1 change")


def test_a_game_is_ended_and_its_racks_are_counted(referee):
    referee.post("/api/done", {"table": "R10 R11 R12"})
    assert referee.post("/api/end").json["state"]["phase"] == "ended"
    doubted = referee.post("/api/racks", {"racks": {"Ana": "R1", "Ben": "J"}})
    assert (doubted.status_code, doubted.json["error"]["code"]) == (422, "racks")
    counted = referee.post("/api/racks", {"racks": {"Ana": "R1", "Ben": "J"}, "anyway": True}).json["state"]
    assert (counted["winners"], [one["score"] for one in counted["players"]]) == (["Ana"], [29, -29])


def test_a_game_and_its_scores_are_saved(referee):
    assert referee.http.get("/api/game.json").json
    assert referee.http.get("/api/scores.csv").text.splitlines() == ["game,Ana,Ben", "sum,0,0"]


def test_players_come_and_go(referee, world):
    referee.post("/api/rename", {"player": "Ben", "name": "Benno"})
    state = referee.post("/api/turn", {"player": "Benno"}).json["state"]
    assert state["player"] == "Benno"
    state = referee.post("/api/leave", {"player": "Benno"}).json["state"]
    assert state["players"][1]["present"] is False


WRONG_BODIES = [
    pytest.param("/api/done", {"version": "1"}, 422, id="version no number"),
    pytest.param("/api/done", {"version": True}, 422, id="version a flag"),
    pytest.param("/api/done", {"table": "R14"}, 422, id="no tile"),
    pytest.param("/api/done", {"table": 5}, 422, id="table no text"),
    pytest.param("/api/answer", {"doubt": 0}, 422, id="no answer"),
    pytest.param("/api/answer", {"doubt": 0, "tile": "R6"}, 422, id="nothing was asked"),
    pytest.param("/api/undo", {"turn": 99}, 422, id="no such turn"),
    pytest.param("/api/correct", {"turn": 9, "table": "-"}, 422, id="no such turn to correct"),
    pytest.param("/api/overrule", {"turn": 1, "verdict": "unsure", "reason": ""}, 422, id="no ruling"),
    pytest.param("/api/restored", {}, 422, id="nothing to restore"),
    pytest.param("/api/clock", {"do": "stop"}, 422, id="no such word"),
    pytest.param("/api/clock", {"do": "add", "seconds": 10**12}, 422, id="too many seconds"),
    pytest.param("/api/hand", {"player": "Nobody", "count": 3}, 422, id="no such player"),
    pytest.param("/api/hand", {"player": "Ana", "count": -1}, 422, id="less than nothing"),
    pytest.param("/api/game", {"players": ["Ana"]}, 422, id="one player"),
    pytest.param("/api/game", {"players": "Ana"}, 422, id="players no list"),
    pytest.param("/api/game", {"players": ["Ana", ""]}, 422, id="a blank name"),
    pytest.param("/api/game", {"players": ["Ana", "Ben"], "rules": "poker"}, 422, id="no preset"),
    pytest.param("/api/game", {"players": ["Ana", "Ben"], "rules": "../secret.toml"}, 422, id="rules by path"),
    pytest.param(
        "/api/game", {"players": ["Ana", "Ben"], "options": {"turn_seconds": 5}}, 422, id="option out of range"
    ),
    pytest.param("/api/game", {"players": ["Ana", "\ud800"]}, 422, id="half a character"),
    pytest.param("/api/game", {"players": ["Ana", "B\u0000n"]}, 422, id="a control character"),
    pytest.param("/api/game", {"players": ["A" * 501, "Ben"]}, 422, id="a name too long"),
    pytest.param("/api/racks", {"racks": {"Ana": "R1"}}, 422, id="game not over"),
]


@pytest.mark.parametrize(("path", "body", "status"), WRONG_BODIES)
def test_what_cannot_be_is_answered_with_its_error_and_changes_nothing(referee, path, body, status):
    before = referee.state["version"]
    answer = referee.post(path, body)
    assert answer.status_code == status
    assert answer.json["error"].keys() == {"code", "message"}
    assert referee.state["version"] == before


NAMES = ["<script>alert(1)</script>", "N" * 500, "🎲🀄", "\u202eمريم", 'O\'Neil & "Söhne"', "{{7*7}}", "%(name)s {0}"]


@pytest.mark.parametrize("name", NAMES, ids=["script", "long", "emoji", "rtl", "quotes", "template", "formats"])
def test_any_name_is_shown_as_it_is(world, name):
    client = world.client()
    state = client.post("/api/game", {"players": [name, "Ben"]}).json["state"]
    assert state["player"] == name
    state = client.post("/api/done", {"table": "R10 R11 R12"}).json["state"]
    assert name in state["verdict"]["message"]
    for page in ("/", "/history", "/turns/1", "/game/new"):
        answer = client.http.get(page)
        assert answer.status_code == 200
        assert "<script>alert(1)" not in answer.text


def test_the_state_speaks_the_language_of_the_browser_and_of_the_choice(referee):
    referee.post("/api/done", {"table": "R3 R4 R5"})
    english = referee.state["verdict"]["message"]
    german = referee.http.get("/api/state", headers={"Accept-Language": "de"}).json["verdict"]["message"]
    referee.http.get("/language?to=es")
    spanish = referee.state["verdict"]["message"]
    assert len({english, german, spanish}) == 3


def test_reminders_follow_the_rules(world):
    begin(world, rules=RuleSet(swap_duplicates=True, last_tile_call=True))
    client = world.client()
    assert len(client.state["reminders"]) == 1
    assert len(client.post("/api/hand", {"player": "Ben", "count": 1}).json["state"]["reminders"]) == 2


def test_health_is_answered(world):
    assert world.app.test_client().get("/healthz").json["ok"] is True
