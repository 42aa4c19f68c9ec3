"""`replay`: a recorded game before the referee again."""

import logging
from pathlib import Path
from typing import Any

import click

from web.commands.outcome import conclude
from web.options import as_json, common_options, settings_of
from web.rules_choice import started_rules
from web.told import Told, line


@click.command("replay", short_help="Referee a recorded game again.")
@click.argument("recording", metavar="VIDEO|FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--script", "script_file", metavar="SCRIPT.json", type=click.Path(path_type=Path), help="What happened, when known."
)
@click.option(
    "--labelled",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Keep the picture of each turn with its tiles and corners there, for training; needs the script's tables.",
)
@common_options
@as_json
def command(
    *,
    recording: Path,
    script_file: Path | None,
    labelled: Path | None,
    as_json: bool,
    **flags: Any,  # noqa: ANN401
) -> int:
    """Referee a video, or a folder in which each picture by name is a turn: exit 1 where something wrong was said."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    settings = settings_of(flags)
    from web.eyes import load_eyes  # noqa: PLC0415 -- a second to load
    from web.labelled import LabelledPictures  # noqa: PLC0415
    from web.rerun import rerun  # noqa: PLC0415
    from web.script import Script  # noqa: PLC0415

    rules = started_rules(settings)
    script = Script(rules) if script_file is None else Script.load(script_file, rules)

    if labelled and not any(turn.table for turn in script.turns):
        msg = "--labelled needs a --script that says what lay on the table (run --record writes one)"
        raise click.UsageError(msg)
    kept = LabelledPictures(labelled) if labelled else None

    def tell(turn: Told) -> None:
        click.echo(line(turn), err=True)

    again = rerun(recording, script, load_eyes(settings), tell, labelled=kept)
    if kept:
        click.echo(f"{kept.count} of {len(again.turns)} turns labelled in {kept.folder}", err=True)
    return conclude(again, {"seed": None, "preset": script.rules.preset}, as_json=as_json)
