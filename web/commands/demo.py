"""`demo`: a simulated game at a rendered table, through the same eyes as a camera's."""

import logging
import time
from typing import Any

import click

from referee.rules import RuleSet
from web.commands.outcome import conclude
from web.options import as_json, common_options, settings_of
from web.rules_choice import started_rules
from web.settings import Settings
from web.stage_play import StagePlay
from web.told import Told, line
from web.trial import Trial
from web.watch import MOST_LOOKS

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
    rules = started_rules(settings) if flags["rules"] or flags["set"] else None
    game = _game(seed, people, turns or (10_000 if serve else TURNS), rules, counted=not serve)
    if not serve:
        return _play(game, seed, settings, as_json=as_json)
    from web.demo_table import serve_demo  # noqa: PLC0415 -- a second to load

    serve_demo(game, settings)
    return 0


def _game(seed: int, people: int | None, turns: int, rules: RuleSet | None, *, counted: bool) -> StagePlay:
    """Make the game; the workshop is opened here alone. `counted`: in the end the racks are laid open to be counted."""
    from models.simulate.errors import PlanError  # noqa: PLC0415
    from models.simulate.game import Plan, SimulatedGame  # noqa: PLC0415

    try:
        return SimulatedGame(Plan(seed, rules, people, turns, counting=counted))
    except PlanError as error:
        raise click.UsageError(str(error)) from error


def _play(game: StagePlay, seed: int, settings: Settings, *, as_json: bool) -> int:
    """Play on a clock of the game's own, telling the progress on standard error."""
    from web.demo import Bout  # noqa: PLC0415
    from web.eyes import MotionGate, load_eyes  # noqa: PLC0415

    start = time.monotonic()

    def tell(turn: Told) -> None:
        click.echo(f"{time.monotonic() - start:6.1f} s {line(turn)}", err=True)

    with Trial.open(load_eyes(settings), MotionGate(), MOST_LOOKS) as trial:
        bout = Bout(game, trial, told=tell)
        bout.play()
    return conclude(bout, {"seed": seed, "preset": game.rules.preset}, as_json=as_json)
