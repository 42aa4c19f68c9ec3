"""`arrange`: can these tiles be put in order?"""

import json
from typing import Any

import click

from referee.arrange import Arrangement, arrange
from referee.table import Table
from referee.tiles import parse_tiles
from web.documents import Json, texts
from web.options import as_json, rule_options, rules_of


@click.command("arrange", short_help="Put tiles in order, where that can be done.")
@click.option("--table", required=True, metavar="TABLE", help="The tiles that must all lie in melds.")
@click.option("--rack", default="", metavar="TILES", help="Tiles of which as many as can be are played.")
@click.option("--before", metavar="TABLE", help="The table when the turn began: the answer is then a legal turn.")
@click.option("--not-opened", is_flag=True, help="The player has not opened yet.")
@rule_options
@as_json
def command(*, table: str, rack: str, as_json: bool, **flags: Any) -> int:  # noqa: ANN401
    """Place all tiles of the table and as many of the rack as can be, changing few melds: exit 1 if impossible."""
    before, not_opened = flags.pop("before"), flags.pop("not_opened")
    answer = arrange(
        Table.parse(table),
        parse_tiles(rack),
        rules_of(flags),
        before=None if before is None else Table.parse(before),
        opened=not not_opened,
    )
    click.echo(json.dumps(document(answer)) if as_json else _printed(answer))
    return 0 if answer.possible else 1


def document(answer: Arrangement) -> Json:
    """Give the answer as JSON values."""
    return {
        "possible": answer.possible,
        "table": str(answer.table) if answer.possible else None,
        "played": texts(answer.played),
        "left": texts(answer.left),
        "changed_melds": answer.changed_melds,
    }


def _printed(answer: Arrangement) -> str:
    if not answer.possible:
        return "These tiles cannot be put in order."
    lines = [str(answer.table)]
    if answer.played or answer.left:
        lines.append(f"played: {' '.join(texts(answer.played)) or '-'}   left: {' '.join(texts(answer.left)) or '-'}")
    return "\n".join([*lines, f"melds changed: {answer.changed_melds}"])
