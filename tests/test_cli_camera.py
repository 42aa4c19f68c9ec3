"""The whole way: a folder as a camera, the bundled networks, the desk, the page's interface."""

import http.cookiejar
import json
import subprocess
import sys
import time
import urllib.request

import cv2
import pytest

from models.render.tables import Style, render_table
from referee.table import Table

RUN = [sys.executable, "-c", "from web.cli import main; main()"]
PATIENCE_S = 300
TABLES = ["R10 R11 R12", "R10 R11 R12 / K10 B10 O10", "R10 R11 R12 / K10 B10 O10 / K1 K2"]
pytestmark = pytest.mark.slow


class Page:
    """Speaks to a running referee as a page does."""

    def __init__(self, address):
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.token = self.ask("/api/session")["csrf"]

    def ask(self, path, body=None):
        headers = {} if body is None else {"Content-Type": "application/json", "X-CSRF-Token": self.token}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers)  # noqa: S310 -- our own server
        with self.opener.open(request) as answer:
            return json.loads(answer.read())

    def say(self, path):
        return self.ask(path, {"version": self.ask("/api/state")["version"]})["state"]

    def wait(self, true):
        until = time.monotonic() + PATIENCE_S
        while not true(state := self.ask("/api/state")) and time.monotonic() < until:
            time.sleep(0.05)
        assert true(state), state
        return state


@pytest.fixture(scope="module")
def pictures():
    """The tables as pictures; the last one has a fault."""
    return [
        render_table(Table.parse(text), 5 + i, (1280, 960), 90, style=Style(calm=True)).image
        for i, text in enumerate(TABLES)
    ]


@pytest.fixture
def folder(tmp_path):
    camera = tmp_path / "camera"
    camera.mkdir()
    return camera


@pytest.fixture
def page(tmp_path, folder, pictures):
    cv2.imwrite(str(folder / "1.png"), pictures[0])
    options = ["--camera", str(folder), "--players", "Ana,Ben", "--port", "0", "--no-browser", "--data", str(tmp_path)]
    with subprocess.Popen([*RUN, "run", *options], stdout=subprocess.PIPE, text=True) as process:
        yield Page(process.stdout.readline().strip().removeprefix("Serving on "))
        process.terminate()


def test_a_game_is_refereed_from_a_folder_of_pictures(page, folder, pictures):
    page.wait(lambda state: state["played"] == ["R10", "R11", "R12"])
    state = page.say("/api/done")
    assert (state["verdict"]["verdict"], state["player"]) == ("legal", "Ben")
    assert page.say("/api/undo")["player"] == "Ana"
    assert page.say("/api/redo")["player"] == "Ben"
    cv2.imwrite(str(folder / "2.png"), pictures[1])
    page.wait(lambda state: len(state["played"]) == 3)
    assert page.say("/api/done")["player"] == "Ana"
    cv2.imwrite(str(folder / "3.png"), pictures[2])
    page.wait(lambda state: state["played"] == ["K1", "K2"])
    state = page.say("/api/done")
    assert (state["phase"], [fault["code"] for fault in state["verdict"]["faults"]]) == ("restore", ["meld_too_short"])
    cv2.imwrite(str(folder / "4.png"), pictures[1])
    assert page.wait(lambda state: state["phase"] == "play")["player"] == "Ben"
    with page.opener.open(page.address + "/api/frame.jpg") as answer:
        assert answer.read(2) == b"\xff\xd8"
