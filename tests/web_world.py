"""A small world around the web app: a real desk on a log of its own, a feed without a camera, clients in every role."""

from dataclasses import dataclass
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from referee.desk import Desk
from referee.log import Log
from referee.rules import RuleSet
from web.access import Keys
from web.app import create_app, now_ms
from web.feed import Feed
from web.settings import Settings

KEYS = Keys("secret", "111111", "222222")
PINS = {"player": "111111", "referee": "222222"}
OPEN = "0.0.0.0"  # noqa: S104 -- what an owner gives to open the pages to the home network


@dataclass
class World:
    """One app and its desk."""

    app: Flask
    desk: Desk
    feed: Feed

    def client(self, role: str = "referee") -> "Client":
        """Give a client that has entered the PIN of a role."""
        return Client(self.app.test_client(), role)


class Client:
    """Speaks to the app as our pages do: with the session's token and the version last seen."""

    def __init__(self, flask_client: FlaskClient, role: str) -> None:
        self.http = flask_client
        if role in PINS:
            self.http.post("/api/session", json={"pin": PINS[role]})
        self.session = self.http.get("/api/session").json

    @property
    def state(self) -> dict[str, Any]:
        return self.http.get("/api/state").json

    def post(self, path: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
        """Post with token and present version, each replaced by what is given."""
        sent = {"version": self.state["version"], **(body or {})}
        return self.http.post(path, json=sent, headers={"X-CSRF-Token": self.session["csrf"], **headers})


def make_world(tmp_path, host: str = OPEN, **options: Any) -> World:
    """Open a log, a desk and an app."""
    desk = Desk(Log.open(tmp_path / "games.db"), now=now_ms())
    feed = Feed(draw=lambda picture, reading, _verdict: f"{picture} {reading is not None}".encode())
    return World(create_app(Settings(host=host, allow_host=("localhost",), **options), desk, feed, KEYS), desk, feed)


def begin(world: World, *names: str, rules: RuleSet | None = None) -> None:
    """Start a game."""
    world.desk.start(names or ("Ana", "Ben"), rules or RuleSet(), version=None, now=now_ms())
