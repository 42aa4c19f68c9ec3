"""The pages on a real server, with games in every state that a person may meet: for browser tests and screenshots."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
from waitress import wasyncore
from web_world import KEYS, PINS, World, make_world

from models.render.tables import Style, render_table
from referee.ledger import State
from referee.rules import RuleSet
from referee.table import Choice, Doubt, DoubtCode, SeenTile, Table, TableReading
from referee.tiles import Tile
from referee.verdict import Verdict
from vision.overlay import draw_overlay
from web.app import create_app, now_ms
from web.close_up import close_up
from web.events import Broadcaster
from web.feed import Camera, Feed
from web.marks import marks_of
from web.serve import address_of, make_server
from web.services import EXTENSION
from web.settings import Settings

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
NAMES = ("Ana", "Grandpa Joe", "Ben", "Zoë")
BEFORE = (
    "R3 R4 R5 R6 / K7 B7 O7 / B10 B11 B12 B13 / O1 O2 J O4 / R9 K9 B9 O9 / K1 K2 K3 / R11 R12 R13 / K10 B10 O10 R10"
)
GOOD = BEFORE.replace("R5 R6", "R5 R6 R7") + " / B4 B5 B6"
BAD = BEFORE.replace("R5 R6", "R5 R6 R8") + " / B4 B5"
DOUBTFUL = BEFORE + " / R6 K6 B6"


class Server:
    """An app served on a port of its own, which can be stopped and started again on the same port."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def broadcaster(self) -> Broadcaster:
        return self.world.app.extensions[EXTENSION].broadcaster

    def start(self) -> None:
        settings = self.world.app.extensions[EXTENSION].settings
        self.world.app = create_app(settings, self.world.desk, self.world.feed, KEYS)
        server = make_server(self.world.app, Settings(port=self.port, clients=16))
        self.port = address_of(server)[1]
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=_serve, args=(server, self._stopping), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.broadcaster.shut()
        self._stopping.set()
        self._thread.join(30)


def _serve(server: Any, stopping: threading.Event) -> None:
    """Serve as waitress does, until told to stop; then let every connection go, as a program that ends does."""
    while not stopping.is_set():
        wasyncore.loop(timeout=0.05, map=server._map, count=1)
    server.task_dispatcher.shutdown()
    for channel in list(server.active_channels.values()):
        channel.handle_close()
    server.close()


def started(world: World, table: str = BEFORE, rules: RuleSet | None = None, names: tuple[str, ...] = NAMES) -> None:
    """Start a game in the middle, so that there is something to look at."""
    from referee.decisions import Setup  # noqa: PLC0415

    setup = Setup(table=Table.parse(table), hands=(9, 12, 14, 7), opened=True, abandon=True)
    world.desk.start(names, rules or RuleSet(), setup=setup, version=None, now=now_ms())


def end_turn(world: World, table: str) -> State:
    """Say done with a table given by hand."""
    return world.desk.end_turn(table=Table.parse(table), version=None, now=now_ms())


def show(world: World, table: str, doubt: str = "", seed: int = 7) -> TableReading:
    """Have the camera see a rendered table; with `doubt`, that tile may as well be the 9 or 6."""
    rendered = render_table(Table.parse(table), seed, (1280, 960), 66, style=Style(calm=True))
    reading = reading_of(rendered.truth, doubt)
    verdict = world.desk.observe(reading, captured=now_ms(), now=now_ms())
    world.feed.show(rendered.image, reading, verdict)
    world.feed.turn(Camera.STILL)
    return reading


def reading_of(truth: dict[str, Any], doubt: str) -> TableReading:
    """Make the reading that a perfect reader gives, but for one doubtful tile."""
    tiles, doubts = [], []
    for place, tile in enumerate(truth["tiles"]):
        corners = tuple(map(tuple, tile["corners"]))
        face = Tile.parse(tile["tile"])
        if tile["tile"] == doubt and not doubts:
            other = Tile(face.colour, 15 - face.number)
            tiles.append(SeenTile(corners, (Choice(face, 0.55), Choice(other, 0.45))))
            doubts.append(Doubt(DoubtCode.SIX_OR_NINE, (place,), (str(face), str(other))))
        else:
            tiles.append(SeenTile(corners, (Choice(face, 0.999),)))
    return TableReading(tuple(tiles), tuple(map(tuple, truth["melds"])), tuple(doubts))


def _jpeg(picture: Any, reading: TableReading | None, verdict: Verdict | None = None) -> bytes:
    drawn = draw_overlay(picture, reading, marks_of(reading, verdict)) if reading else picture
    return cv2.imencode(".jpg", drawn)[1].tobytes()


def _cut(picture: Any, tile: SeenTile) -> bytes:
    return cv2.imencode(".jpg", close_up(picture, tile))[1].tobytes()


@contextmanager
def staged(folder: Path, host: str = "127.0.0.1", *, camera: bool = True, **options: Any) -> Iterator[Server]:
    """Give a server with a desk of its own; with `camera` the desk waits for what is shown to it."""
    world = make_world(folder, host=host, **options)
    if camera:
        world.desk.use_camera(on=True)
        world.feed.draw, world.feed.cut = _jpeg, _cut
    server = Server(world)
    try:
        yield server
    finally:
        server.stop()
        world.desk.close()


def at_play(world: World) -> None:
    """A turn under way, the one before it well played."""
    started(world, BEFORE.removesuffix(" / K10 B10 O10 R10"))
    show(world, BEFORE)
    world.desk.end_turn(version=None, now=now_ms())
    show(world, GOOD)


def at_fault(world: World) -> None:
    """A turn that is not allowed, and a table to put back."""
    started(world)
    show(world, BAD)
    world.desk.end_turn(version=None, now=now_ms())


def at_doubt(world: World) -> None:
    """A turn that hangs on a 6 or 9."""
    started(world)
    show(world, DOUBTFUL, doubt="R6")
    world.desk.end_turn(version=None, now=now_ms())


def at_pause(world: World) -> None:
    """A game that was paused for dinner, and from whose table a tile has gone since."""
    at_play(world)
    world.desk.pause(version=None, now=now_ms())
    show(world, GOOD.replace(" / B4 B5 B6", " / B4 B5"))


def at_end(world: World) -> None:
    """A game that is over and not yet counted."""
    at_play(world)
    world.desk.end_game(version=None, now=now_ms())


RACKS = ("R7 J", "B3 B4", "K5 O6", "R1")


def count(world: World, racks: tuple[str, ...] = RACKS) -> None:
    """Count the racks of a game that is over, by seat."""
    tiles = {name: tuple(map(Tile.parse, text.split())) for name, text in zip(NAMES, racks, strict=True)}
    world.desk.count_racks(tiles, anyway=True, version=None, now=now_ms())


def at_results(world: World) -> None:
    """The end of the second game of a match of two."""
    started(world, rules=RuleSet(games=2))
    world.desk.end_game(version=None, now=now_ms())
    count(world, ("R1", "B3 B4", "K13 O6", "R7 J"))
    started(world, rules=RuleSet(games=2))
    world.desk.end_game(version=None, now=now_ms())
    count(world)


SCENES: dict[str, Callable[[World], None]] = {
    "setup": lambda _world: None,
    "play": at_play,
    "guest": at_play,
    "fault": at_fault,
    "doubt": at_doubt,
    "pause": at_pause,
    "end": at_end,
    "results": at_results,
}
__all__ = ["CHROMIUM", "FLAGS", "PINS", "SCENES", "Feed", "staged"]
