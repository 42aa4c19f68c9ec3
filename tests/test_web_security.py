import io
import json
import zipfile

import pytest
from web_world import KEYS, begin, make_world

from web.app import program_version

PLAYER_ROUTES = ["/api/done", "/api/answer"]
REFEREE_ROUTES = [
    *("/api/undo", "/api/redo", "/api/correct", "/api/overrule", "/api/restored", "/api/again", "/api/clock"),
    *("/api/hand", "/api/score", "/api/game", "/api/end", "/api/rename", "/api/leave", "/api/join", "/api/turn"),
    *("/api/lost", "/api/found", "/api/racks", "/api/delete"),
    *("/api/camera", "/api/area", "/api/teach"),
]
CHANGING = PLAYER_ROUTES + REFEREE_ROUTES
PAGES = [
    "/",
    "/game/new",
    "/correct",
    "/history",
    "/racks",
    "/table",
    "/camera",
    "/rules",
    "/join",
    "/help",
    "/turns/1",
    "/turns/1/correct",
    "/games",
    "/games/1",
    "/games/1/turns/1",
]


def played_world(folder):
    """Give a world in which one turn was played."""
    made = make_world(folder)
    begin(made)
    made.client().post("/api/done", {"table": "R10 R11 R12"})
    return made


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A world for tests that change nothing in it."""
    made = played_world(tmp_path_factory.mktemp("world"))
    yield made
    made.desk.close()


@pytest.fixture
def fresh(tmp_path):
    """A world of one test alone."""
    made = played_world(tmp_path)
    yield made
    made.desk.close()


def test_the_lists_here_name_every_changing_route(world):
    rules = {rule.rule for rule in world.app.url_map.iter_rules() if "POST" in rule.methods}
    assert rules == {*CHANGING, "/api/session"}


@pytest.mark.parametrize("path", CHANGING)
def test_without_a_role_nothing_changes(world, path):
    version = world.desk.version
    assert world.client("watch").post(path).status_code == 401
    assert world.desk.version == version


@pytest.mark.parametrize("path", REFEREE_ROUTES)
def test_a_player_may_not_do_what_the_referee_does(world, path):
    assert world.client("player").post(path).status_code == 403


@pytest.mark.parametrize("path", CHANGING)
def test_without_the_token_nothing_changes(world, path):
    version = world.desk.version
    answer = world.client().post(path, {}, **{"X-CSRF-Token": "guess"})
    assert (answer.status_code, answer.json["error"]["code"], world.desk.version) == (403, "csrf", version)


@pytest.mark.parametrize("path", [*CHANGING, "/api/session"])
def test_from_another_origin_nothing_changes(world, path):
    version = world.desk.version
    answer = world.client().post(path, {}, Origin="http://evil.example")
    assert (answer.status_code, answer.json["error"]["code"], world.desk.version) == (403, "bad_origin", version)


def test_our_own_origin_is_taken(fresh):
    assert fresh.client().post("/api/undo", {}, Origin="http://localhost").status_code == 200


@pytest.mark.parametrize("path", CHANGING)
@pytest.mark.parametrize(
    "text", ["{", "", "[" * 60000, '{"version": NaN', "\xff"], ids=["cut", "empty", "deep", "nan", "latin"]
)
def test_broken_json_is_400(world, path, text):
    client = world.client()
    headers = {"X-CSRF-Token": client.session["csrf"], "Content-Type": "application/json"}
    assert client.http.post(path, data=text.encode("latin-1"), headers=headers).status_code == 400


@pytest.mark.parametrize("path", CHANGING)
def test_json_that_is_no_object_is_422_and_a_form_is_415(world, path):
    client = world.client()
    headers = {"X-CSRF-Token": client.session["csrf"]}
    assert client.http.post(path, json=[1], headers=headers).status_code == 422
    assert client.http.post(path, data={"version": "1"}, headers=headers).status_code == 415


@pytest.mark.parametrize("path", CHANGING)
def test_a_missing_version_is_422_and_a_stale_one_409_with_the_new_state(world, path):
    client = world.client()
    headers = {"X-CSRF-Token": client.session["csrf"]}
    assert client.http.post(path, json={}, headers=headers).status_code == 422


STALE = {
    "/api/done": {},
    "/api/undo": {},
    "/api/end": {},
    "/api/clock": {"do": "pause"},
    "/api/hand": {"player": "Ana", "count": 3},
}


@pytest.mark.parametrize("path", STALE)
def test_a_stale_version_is_409_with_the_new_state(world, path):
    answer = world.client().post(path, {"version": 1, **STALE[path]})
    assert (answer.status_code, answer.json["state"]["version"]) == (409, world.desk.version)


def test_a_body_that_is_too_large_is_413(world):
    client = world.client()
    answer = client.post("/api/game", {"players": ["Ana", "Ben"], "x": "y" * 100_000})
    assert answer.status_code == 413


def test_a_cookie_of_an_old_pin_has_lost_its_role(world):
    client = world.client()
    with client.http.session_transaction() as session:
        session["stamp"] = "0" * 24
    assert client.post("/api/undo").status_code == 401


def test_a_cookie_cannot_be_raised_to_a_higher_role(world):
    client = world.client("player")
    with client.http.session_transaction() as session:
        session["role"] = "referee"
    assert client.post("/api/undo").status_code == 401


def test_a_cookie_with_another_signature_is_nobody(world):
    client = world.client()
    cookie = client.http.get_cookie("referee")
    client.http.set_cookie("referee", cookie.value[:-2] + "xx")
    assert client.http.get("/api/session").json["role"] == "watch"


def test_the_cookie_is_for_our_pages_alone(world):
    header = world.app.test_client().get("/api/session").headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(header.split("; "))


def test_a_wrong_pin_is_401_and_many_are_429(fresh):
    client = fresh.client("watch")
    statuses = [client.http.post("/api/session", json={"pin": "000000"}).status_code for _ in range(5)]
    assert statuses == [401, 401, 401, 429, 429]
    right = client.http.post("/api/session", json={"pin": KEYS.referee_pin})
    assert (right.status_code, int(right.headers["Retry-After"]) > 0) == (429, True)


def test_leaving_gives_the_role_back(world):
    client = world.client()
    headers = {"X-CSRF-Token": client.session["csrf"]}
    assert client.http.delete("/api/session", headers=headers).json["role"] == "watch"


def test_on_a_loopback_address_everybody_is_referee_but_needs_the_token(tmp_path):
    world = make_world(tmp_path, host="127.0.0.1")
    begin(world)
    client = world.client("watch")
    assert client.session["role"] == "referee"
    assert client.post("/api/done", {}, **{"X-CSRF-Token": ""}).status_code == 403
    assert client.post("/api/done").status_code == 200
    world.desk.close()


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/events", "/healthz", "/rules"])
def test_a_foreign_host_is_refused(world, path):
    assert world.app.test_client().get(path, headers={"Host": "evil.example"}).status_code == 400


def test_the_picture_is_for_players_unless_the_owner_allows_it(fresh):
    fresh.feed.show("picture", None, None)
    assert fresh.client("watch").http.get("/api/frame.jpg").status_code == 401
    assert fresh.client("player").http.get("/api/frame.jpg").data == b"picture False"


def test_the_picture_is_for_all_where_the_owner_allows_it(tmp_path):
    world = make_world(tmp_path, pictures=True)
    assert world.client("watch").http.get("/api/frame.jpg").status_code == 404
    world.feed.show("picture", None, None)
    assert world.client("watch").http.get("/api/frame.jpg").status_code == 200
    world.desk.close()


TRICKS = [
    "/assets/x/../../settings.py",
    "/../web/settings.py",
    "/assets/%2e%2e/settings.py",
    "/etc/passwd",
    "/api/..%2fkeys.json",
    "//etc/passwd",
    "/turns/-1",
    "/turns/99999999999999999999",
    "/turns/1/../2",
]


@pytest.mark.parametrize("path", TRICKS)
def test_paths_lead_nowhere_they_are_not_meant_to(world, path):
    answer = world.app.test_client().get(path)
    assert answer.status_code in {308, 400, 404}
    assert "import" not in answer.text


def test_assets_do_not_leave_their_folder(world):
    from web.app import fingerprint  # noqa: PLC0415

    client = world.app.test_client()
    with client.get(f"/assets/{fingerprint()}/js/dom.js") as answer:
        assert answer.status_code == 200
    for name in ("../settings.py", "..%2fsettings.py", "js/../../settings.py", "%2e%2e/settings.py", "/etc/passwd"):
        assert client.get(f"/assets/{fingerprint()}/{name}").status_code in {404, 308}


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_strict_policy_and_nothing_inline(world, path):
    answer = world.client().http.get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status_code == 200
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'self'")
    assert " style=" not in answer.text
    assert " onclick=" not in answer.text
    assert all(' src="/' in tag or "application/json" in tag for tag in answer.text.split("<script")[1:])


@pytest.mark.parametrize("path", PAGES)
def test_every_page_names_the_running_version(world, path):
    assert f"Rummy Referee {program_version()}," in world.client().http.get(path).text


@pytest.mark.parametrize("path", PAGES)
def test_every_page_links_to_the_source_of_the_running_version(world, path):
    assert 'href="/source.zip"' in world.client("watch").http.get(path).text


def test_the_source_is_whole_and_holds_no_secret(world):
    packed = zipfile.ZipFile(io.BytesIO(world.client("watch").http.get("/source.zip").data))
    names = set(packed.namelist())
    assert {"web/app.py", "referee/judge.py", "vision/reader.py", "web/static/js/scoreboard.js"} <= names
    assert not any("keys.json" in name or name.endswith(".db") for name in names)


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_choosing_a_language_leads_to_our_own_pages_only(world, back):
    place = world.app.test_client().get("/language", query_string={"to": "de", "back": back}).headers["Location"]
    assert place.startswith("/")
    assert not place.startswith(("//", "/\\"))


def test_a_method_that_is_none_is_405_and_names_those_that_are(world):
    answer = world.app.test_client().get("/api/done")
    assert (answer.status_code, "POST" in answer.headers["Allow"]) == (405, True)
    assert json.loads(answer.text)["error"]["code"] == "method_not_allowed"
