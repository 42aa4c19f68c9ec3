"""`score`: the end of a game, from the tiles left in the hands."""

import json
from typing import Any

import click

from referee.scoring import Scores, score_game
from referee.tiles import Tile, parse_tiles
from web.documents import Json
from web.options import as_json, rule_options, rules_of


@click.command("score", short_help="Count the end of a game.")
@click.option(
    "--rack",
    "racks",
    multiple=True,
    metavar="NAME=TILES",
    help="Tiles left in a hand; in turn order, the starter first.",
)
@click.option("--pool-empty", is_flag=True, help="The game ended because the pool was empty.")
@click.option("--hand-rummy", is_flag=True, help="The winner went out with the whole hand in the opening turn.")
@rule_options
@as_json
def command(*, racks: tuple[str, ...], as_json: bool, **flags: Any) -> None:  # noqa: ANN401
    """Count a game that is over: `--rack "Ana=" --rack "Ben=R7 J"`."""
    ends = {name: flags.pop(name) for name in ("pool_empty", "hand_rummy")}
    scores = score_game([_rack(text) for text in racks], rules_of(flags), **ends)
    click.echo(json.dumps(document(scores), ensure_ascii=False) if as_json else _printed(scores))


def _rack(text: str) -> tuple[str, tuple[Tile, ...]]:
    name, sign, tiles = text.partition("=")
    if not sign or not name.strip():
        msg = f"--rack {text!r} has no name: write NAME=TILES, such as 'Ben=R7 J', and 'Ana=' for an empty rack"
        raise click.UsageError(msg)
    return name.strip(), parse_tiles(tiles)


def document(scores: Scores) -> Json:
    """Give the scores as JSON values."""
    return {
        "winner": scores.winner,
        "winners": list(scores.winners),
        "totals": dict(scores.totals),
        "scores": dict(scores.scores),
    }


def _printed(scores: Scores) -> str:
    totals = dict(scores.totals)
    lines = [f"{name}: {points:+d} ({totals[name]} left)" for name, points in scores.scores]
    return "\n".join([" & ".join(scores.winners) + (" wins" if scores.winner else " share the victory"), *lines])
