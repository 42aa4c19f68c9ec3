"""The HTTP interface for scripts and for our own pages (CONTRACT, docs/http.md): JSON in, JSON out."""

import json
from collections.abc import Callable
from typing import TypedDict

from flask import Blueprint, Response, jsonify, request, session

from referee.decisions import Setup
from referee.desk import Desk
from referee.ledger import State
from referee.rules import RuleSet, preset
from referee.table import Table
from referee.verdict import Ruling
from web.access import Role
from web.archive import kept_picture
from web.body import ApiError, Body
from web.events import Message, Stream
from web.evidence import Side
from web.guard import check_role, csrf_token, present_role, requires
from web.rules_choice import started_rules
from web.sentences import sentences
from web.services import services
from web.session import may_see_pictures, reader
from web.state import camera_part, clock_document, reading_part, shown_verdict

MOST_PLAYERS = 6
MOST_SECONDS = 3600
MOST_TILES = 200
api = Blueprint("api", __name__)


# --- reading ---


@api.get("/healthz")
def healthz() -> Response:
    """Tell that the program answers."""
    return jsonify({"ok": True, "version": services().desk.version})


@api.get("/api/state")
def state() -> Response:
    """Give the whole state."""
    return jsonify(services().writer.document(reader()))


@api.get("/api/events")
def events() -> Response:
    """Give the stream of what happens; 503 when too many pages are open, they then ask for the state."""
    own = services()
    subscriber = own.broadcaster.subscribe()
    if subscriber is None:
        raise ApiError(503, "too_many_pages", "too many pages are open at once: ask for /api/state every few seconds")
    if request.headers.get("Last-Event-ID", "") != str(own.desk.version):
        subscriber.put(Message("state", own.desk.state, own.desk.version))
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    answer = Response(Stream(subscriber, message_writer(), gone), mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(lambda: own.broadcaster.leave(subscriber))
    return answer


def message_writer() -> Callable[[Message], str]:
    """Give what turns messages into JSON text for who asks now; it is used when the request is long over."""
    own, who = services(), reader()
    words = sentences(who.language)

    def write(message: Message) -> str:
        look = own.writer.look()
        match message.kind:
            case "state" if isinstance(message.body, State):
                return own.writer.text(who, message.body)
            case "clock":
                return json.dumps(clock_document(look.at, look.now_ms))
            case "reading":
                return json.dumps(reading_part(look, words))
        return json.dumps(camera_part(look.sight))

    return write


@api.get("/api/frame.jpg")
def frame() -> Response:
    """Give the newest picture with the reading drawn into it, bare with `overlay=0`, or the last one read."""
    if not may_see_pictures(present_role()):
        check_role(Role.PLAYER)
    feed, overlay = services().feed, request.args.get("overlay") != "0"
    verdict = shown_verdict(services().writer.look()) if overlay else None
    of_reading = request.args.get("of") == "reading"
    picture = feed.read_jpeg(verdict) if of_reading else feed.jpeg(overlay=overlay, verdict=verdict)
    if picture is None:
        raise ApiError(404, "no_picture", "the camera has given no picture yet")
    return Response(picture, mimetype="image/jpeg")


@api.get("/api/tile.jpg")
def tile() -> Response:
    """Give one tile of the newest reading, large: `index` is its place in the reading."""
    if not may_see_pictures(present_role()):
        check_role(Role.PLAYER)
    picture = services().feed.tile_jpeg(request.args.get("index", -1, int))
    if picture is None:
        raise ApiError(404, "no_picture", "there is no such tile in the newest picture")
    return Response(picture, mimetype="image/jpeg")


@api.get("/api/turns/<int:turn>/<any(before, after):side>.jpg")
def turn_picture(turn: int, side: Side) -> Response:
    """Give the picture that was kept of a turn of the present game."""
    return kept_picture(turn, side)


# --- who asks ---


@api.get("/api/session")
def present_session() -> Response:
    """Give the present role and the token that every change must carry."""
    return jsonify({"role": str(present_role()), "csrf": csrf_token()})


@api.post("/api/session")
def open_session() -> Response:
    """Take a PIN, and give the role that it opens."""
    own, body = services(), Body.of(request)
    if own.settings.is_loopback:
        return present_session()
    address = request.remote_addr or ""
    pin = body.text("pin", longest=64)
    wait = own.limiter.enter(address)
    if wait > 0:
        raise ApiError(
            429, "too_many_tries", f"too many wrong PINs: try again in {wait:.0f} seconds", (("retry_s", round(wait)),)
        )
    role = own.keys.role_of(pin)
    if role is Role.WATCH:
        raise ApiError(401, "wrong_pin", "this PIN is wrong")
    own.limiter.forgive(address)
    kept = {name: session[name] for name in ("language",) if name in session}
    session.clear()
    session.update({**kept, "role": str(role), "stamp": own.keys.stamp(role)})
    return present_session()


@api.delete("/api/session")
@requires(Role.WATCH)
def close_session() -> Response:
    """Give the role back."""
    session.pop("role", None)
    session.pop("stamp", None)
    return present_session()


# --- changing ---


class When(TypedDict):
    """The two words that every action of the desk takes: the version that was seen, and the time."""

    version: int
    now: int


Action = Callable[[Desk, Body, When], State]


def change(path: str, role: Role) -> Callable[[Action], Action]:
    """Make a function that changes the game a POST route for `role` and above.

    The function gets the desk, the body, and when it is asked.
    """

    def decorate(action: Action) -> Action:
        @requires(role)
        def route() -> Response:
            own, body = services(), Body.of(request)
            new = action(own.desk, body, {"version": body.version, "now": own.now_ms()})
            return jsonify({"version": new.version, "state": own.writer.document(reader(), new)})

        api.add_url_rule(path, action.__name__, route, methods=["POST"])
        return action

    return decorate


@change("/api/done", Role.PLAYER)
def done(desk: Desk, body: Body, when: When) -> State:
    """The player says that the turn is over; `table` where it is given by hand."""
    table = Table.parse(body.text("table")) if "table" in body.fields else None
    return desk.end_turn(table=table, **when)


@change("/api/answer", Role.PLAYER)
def answer(desk: Desk, body: Body, when: When) -> State:
    """Answer a doubt: its number, and one of its answers in notation."""
    return desk.answer(body.whole("doubt", 0, MOST_TILES), body.text("tile"), **when)


@change("/api/undo", Role.REFEREE)
def undo(desk: Desk, body: Body, when: When) -> State:
    """Take back the last decision, or everything since the start of `turn`."""
    turn = body.whole("turn", 1) if "turn" in body.fields else None
    return desk.undo(turn=turn, **when)


@change("/api/redo", Role.REFEREE)
def redo(desk: Desk, _body: Body, when: When) -> State:
    """Do again what was undone."""
    return desk.redo(**when)


@change("/api/correct", Role.REFEREE)
def correct(desk: Desk, body: Body, when: When) -> State:
    """Say what lay on the table at the end of a turn, or what lies there now for the present turn."""
    return desk.correct(body.whole("turn", 0), Table.parse(body.text("table", longest=2000)), **when)


@change("/api/overrule", Role.REFEREE)
def overrule(desk: Desk, body: Body, when: When) -> State:
    """Decide otherwise than the referee."""
    ruling = Ruling(body.choice("verdict", (Ruling.LEGAL, Ruling.DRAW, Ruling.ILLEGAL)))
    return desk.overrule(body.whole("turn", 1), ruling, body.text("reason", ""), **when)


@change("/api/restored", Role.REFEREE)
def restored(desk: Desk, _body: Body, when: When) -> State:
    """Say that the table is again as it was."""
    return desk.restored(**when)


@change("/api/again", Role.REFEREE)
def again(desk: Desk, _body: Body, when: When) -> State:
    """Drop the open question: the table is put right and judged once more."""
    return desk.look_again(**when)


@change("/api/clock", Role.REFEREE)
def clock(desk: Desk, body: Body, when: When) -> State:
    """Pause, resume, or add (take, where negative) seconds."""
    match body.choice("do", ("pause", "resume", "add")):
        case "pause":
            return desk.pause(**when)
        case "resume":
            return desk.resume(**when)
    return desk.add_time(body.whole("seconds", -MOST_SECONDS, MOST_SECONDS), **when)


@change("/api/hand", Role.REFEREE)
def hand(desk: Desk, body: Body, when: When) -> State:
    """Set the number of tiles in a hand."""
    return desk.set_hand(body.text("player"), body.whole("count", 0, MOST_TILES), **when)


@change("/api/score", Role.REFEREE)
def score(desk: Desk, body: Body, when: When) -> State:
    """Set a player's score of the match."""
    return desk.set_score(body.text("player"), body.whole("score", -(10**6), 10**6), **when)


@change("/api/game", Role.REFEREE)
def game(desk: Desk, body: Body, when: When) -> State:
    """Start a game; one under way is given up."""
    players = body.texts("players", MOST_PLAYERS)
    starter = body.whole("starter", 0, max(0, len(players) - 1), default=0)
    setup = Setup(starter=starter, new_match=body.flag("new_match"), abandon=True)
    return desk.start(players, rules_of(body), setup=setup, **when)


def rules_of(body: Body) -> RuleSet:
    """Read the rules of a body: a preset's name (without one those the program was started with), and options."""
    base = preset(body.text("rules")) if "rules" in body.fields else started_rules(services().settings)
    return base.with_options(body.options("options"))


@change("/api/end", Role.REFEREE)
def end(desk: Desk, _body: Body, when: When) -> State:
    """End the game: the racks are counted next."""
    return desk.end_game(**when)
