"""`run`: the live referee and its pages."""

import logging
import signal
import webbrowser
from typing import Any

import click
import segno

from referee.desk import Desk
from referee.log import Log
from referee.position import Phase
from web.access import Keys, load_keys, own_address
from web.app import create_app, now_ms
from web.options import common_options, settings_of
from web.rules_choice import started_rules
from web.running import Running
from web.serve import address_of, can_show_a_browser, make_server, url_of, when_ready
from web.settings import Settings


@click.command("run", short_help="Referee a game live, and serve its pages.")
@click.option("--camera", metavar="SOURCE", help="A number, a name, a video file, a folder, or a stream's address.")
@click.option("--players", metavar="Ana,Ben", help="Start a game of these players.")
@click.option("--host", metavar="H", help="Address to serve on; 0.0.0.0 opens it to the home network.")
@click.option("--port", metavar="P", help="Port to serve on; 0 takes a free one.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="One more name of this machine.")
@click.option("--record", metavar="FILE", help="Record the picture and the turns.")
@click.option("--browser/--no-browser", default=None, help="Open the page in the browser at the start.")
@common_options
def command(**flags: Any) -> None:  # noqa: ANN401
    """Serve the live referee until ^C or SIGTERM."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    serve(settings_of(flags))


def serve(settings: Settings) -> None:
    """Open the log and the camera, and serve the pages until told to stop."""
    keys = load_keys(settings.data_folder)
    settings.database_file.parent.mkdir(parents=True, exist_ok=True)
    desk = Desk(Log.open(settings.database_file, who="rummy-referee run"), now=now_ms(), watched=bool(settings.camera))
    try:
        start_game(desk, settings)
        serve_until_told(settings, desk, Running.open(settings, desk), keys)
    finally:
        desk.close()


def start_game(desk: Desk, settings: Settings) -> None:
    """Start a game of the settings' players, unless any of them plays one already, or it is not counted yet.

    After a restart the game goes on, whatever they are called by now and wherever they sit.
    """
    at = desk.game.now
    open_ = at.underway or (at.phase is Phase.ENDED and at.result is None)
    if settings.players and not (open_ and {one.name for one in at.players} & {*settings.players}):
        from referee.decisions import Setup  # noqa: PLC0415

        desk.start(settings.players, started_rules(settings), setup=Setup(abandon=True), version=None, now=now_ms())


def serve_until_told(settings: Settings, desk: Desk, running: Running, keys: Keys) -> None:
    """Serve the pages of a desk until ^C or SIGTERM."""
    app = create_app(settings, desk, running.feed, keys)
    server = make_server(app, settings)
    host, port = address_of(server)
    url = url_of("127.0.0.1" if host in {"0.0.0.0", "::"} else host, port)  # noqa: S104 -- compared, not bound
    _leave_when_told(running)
    when_ready(url, lambda: _greet(settings, keys, url_of(host, port), port))
    running.start(app)
    try:
        server.run()
    finally:
        running.stop()
        server.close()


def _leave_when_told(running: Running) -> None:
    """Have ^C and SIGTERM end the streams and then the server's loop, which takes SystemExit as the word to stop."""

    def leave(_signal: int, _frame: object) -> None:
        running.end_streams()
        raise SystemExit(0)

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, leave)


def _greet(settings: Settings, keys: Keys, url: str, port: int) -> None:
    click.echo(f"Serving on {url}")
    if not settings.is_loopback:
        address = f"http://{own_address()}:{port}"
        click.echo(f"Tablets: {address}  player's PIN {keys.player_pin}, referee's PIN {keys.referee_pin}")
        click.echo(_code(address))
    if settings.browser and can_show_a_browser():
        webbrowser.open(url)


def _code(address: str) -> str:
    """Give the address as a QR code in text."""
    rows = [list(row) for row in segno.make(address, error="l").matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join(
        "".join("█▀▄ "[(1 if up else 0) * 2 + (1 if low else 0)] for up, low in zip(*pair, strict=True))
        for pair in pairs
    )
