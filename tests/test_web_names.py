"""Names as people (and pranksters) give them: shown as they are, and nothing breaks."""

import csv
import html
import io
import zipfile

import pytest
from web_world import begin, make_world

NAMES = {
    "script": "<script>alert(1)</script>",
    "long": "x" * 500,
    "emoji": "👩‍👩‍👧‍👦🎲",
    "right to left": "שרה وليد",
    "quotes": 'O\'Brien "the" `cat` & </script><!--',
    "database": "Robert'); DROP TABLE events;--",
    "template": "{{ 7 * 7 }} {% raw %}",
    "fields": "%(name)s {tile} {0}",
    "formula": '=HYPERLINK("http://evil.example")',
}
PAGES = [
    *("/", "/game/new", "/history", "/table", "/turns/1", "/turns/1/correct", "/games", "/games/1"),
    "/games/1/turns/1",
]


@pytest.fixture(scope="module", params=NAMES.values(), ids=NAMES)
def played(request, tmp_path_factory):
    """A game in which the first player has an odd name and has made a fault."""
    world = make_world(tmp_path_factory.mktemp("names"))
    begin(world, request.param, "Ben")
    client = world.client()
    client.post("/api/done", {"table": "R3 R4 R6"})
    yield client, request.param
    world.desk.close()


def test_the_state_tells_the_name_as_it_was_given(played):
    client, name = played
    state = client.state
    assert (state["players"][0]["name"], state["phase"]) == (name, "restore")
    assert name in state["verdict"]["message"]
    assert name in state["verdict"]["consequence_message"]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_shows_it_as_text_and_never_as_markup(played, path):
    client, name = played
    page = client.http.get(path)
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert page.text.count("<script") == page.text.count("</script>")
    written = html.escape(name, quote=False)
    known = {written, written.replace('"', "&#34;").replace("'", "&#39;")}
    assert path in {"/", "/game/new", "/turns/1/correct"} or any(one in page.text for one in known)


@pytest.mark.parametrize("language", ["en", "es", "de", "nl"])
def test_sentences_in_every_language_take_it(played, language):
    client, name = played
    state = client.http.get("/api/state", headers={"Accept-Language": language}).json
    assert name in state["verdict"]["message"]


def test_the_files_to_take_away_hold_it(played):
    client, name = played
    packed = zipfile.ZipFile(io.BytesIO(client.http.get("/api/games/1/game.zip").data))
    told = next(csv.DictReader(io.StringIO(packed.read("scores.csv").decode())))["player"]
    assert told in {name, f"'{name}"}
    assert not told.startswith("=")


@pytest.mark.parametrize("name", ["", "   ", "a\x00b", "a\nb", "x" * 501, "\ud800"], ids=repr)
def test_what_cannot_be_shown_is_refused_with_a_sentence(tmp_path, name):
    world = make_world(tmp_path)
    answer = world.client().post("/api/game", {"players": [name, "Ben"]})
    assert (answer.status_code, world.client().state["phase"]) == (422, "setup")
    assert answer.json["error"]["message"]
    world.desk.close()
