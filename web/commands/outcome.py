"""How `demo` and `replay` end: the whole game is told, and what was wrong decides the exit code."""

import json
from typing import Protocol

import click

from web.documents import Json
from web.sentences import spoken_here
from web.told import Counts, Told, game_document, printed


class Refereed(Protocol):
    """A game that was refereed."""

    turns: list[Told]
    counts: Counts

    @property
    def scores(self) -> dict[str, int]:
        """The scores by the referee."""
        ...


def conclude(game: Refereed, head: Json, *, as_json: bool) -> int:
    """Print a whole game, its JSON beginning with `head`; give the exit code, 1 where something wrong was said."""
    document = game_document(game.turns, game.counts, game.scores, spoken_here())
    click.echo(json.dumps({**head, **document}, ensure_ascii=False) if as_json else printed(game.turns, document))
    return int(any(turn.wrong for turn in game.turns))
