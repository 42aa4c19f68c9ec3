"""`demo`: a simulated game at a rendered table, through the same eyes as a camera's."""

import json
import logging
import time
from typing import Any

import click

from web.options import as_json, common_options, settings_of
from web.rules_choice import started_rules
from web.sentences import spoken_here
from web.settings import Settings

TURNS = 20


@click.command("demo", short_help="Watch a simulated game being refereed.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same game.")
@click.option("--turns", type=click.IntRange(1), help=f"Stop after so many turns ({TURNS} with --no-serve).")
@click.option("--players", "people", type=click.IntRange(2, 6), help="How many play.")
@click.option("--serve/--no-serve", default=True, help="Serve the pages, or play as fast as the machine can.")
@click.option("--host", metavar="H", help="Address to serve on.")
@click.option("--port", metavar="P", help="Port to serve on; 0 takes a free one.")
@click.option("--browser/--no-browser", default=None, help="Open the page in the browser at the start.")
@common_options
@as_json
def command(*, seed: int, turns: int | None, people: int | None, serve: bool, as_json: bool, **flags: Any) -> int:  # noqa: ANN401
    """Play a simulated game before the referee: exit 1 where it said something wrong."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    settings = settings_of(flags)
    from models.simulate.game import Plan  # noqa: PLC0415 -- the workshop is opened for this command alone

    rules = started_rules(settings) if flags["rules"] or flags["set"] else None
    if not serve:
        return _play(Plan(seed, rules, people, turns or TURNS), settings, as_json=as_json)
    from web.demo_table import serve_demo  # noqa: PLC0415

    serve_demo(Plan(seed, rules, people, turns or 10_000), settings)
    return 0


def _play(plan: Any, settings: Settings, *, as_json: bool) -> int:  # noqa: ANN401
    """Play on a clock of the game's own, telling the progress on standard error."""
    from models.simulate.game import SimulatedGame  # noqa: PLC0415
    from web.demo import Bout  # noqa: PLC0415
    from web.eyes import MotionGate, load_eyes  # noqa: PLC0415
    from web.told import game_document, line, printed  # noqa: PLC0415
    from web.trial import Trial  # noqa: PLC0415
    from web.watch import MOST_LOOKS  # noqa: PLC0415

    game = SimulatedGame(plan)
    start = time.monotonic()
    with Trial.open(load_eyes(settings), MotionGate(), MOST_LOOKS) as trial:
        bout = Bout(
            game, trial, told=lambda turn: click.echo(f"{time.monotonic() - start:6.1f} s {line(turn)}", err=True)
        )
        bout.play()
    document = game_document(bout.turns, bout.counts, bout.scores, spoken_here())
    if as_json:
        click.echo(json.dumps({"seed": plan.seed, "preset": game.rules.preset, **document}, ensure_ascii=False))
    else:
        click.echo(printed(bout.turns, document))
    return int(any(turn.wrong for turn in bout.turns))
