"""Options that several commands share, and what they have in common."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from referee.rules import RuleSet
from web.rules_choice import started_rules
from web.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

_RULES = (
    click.option("--rules", metavar="PRESET|FILE.toml", help="The rules; without it rrrummy."),
    click.option("--set", "set", multiple=True, metavar="OPTION=VALUE", help="Change a rule option; may be repeated."),
)
_EYES = (
    click.option("--tileset", metavar="NAME", help="The owner's taught tiles."),
    click.option("--weights", metavar="FILE", help="Other weights for the reader."),
    click.option(
        "--corners",
        nargs=4,
        metavar="x,y x,y x,y x,y",
        callback=lambda _context, _option, given: " ".join(given) if given else None,
        help="The playing area in the picture, four corners in pixels.",
    ),
)
_PLACES = (
    click.option("--data", metavar="DIR", help="Folder for games, pictures and secrets."),
    click.option("--database", metavar="FILE", help="The log's file."),
)
_FILE = click.option(
    "--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file; else referee.toml."
)


def _with(options: tuple[Callable[[Command], Command], ...]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


eye_options = _with((*_EYES, *_PLACES, _FILE))
rule_options = _with((*_RULES, *_PLACES, _FILE))
common_options = _with((*_RULES, *_EYES, *_PLACES, _FILE))


def settings_of(flags: dict[str, object], *others: str) -> Settings:
    """Read the settings: flags that were given win over environment and file.

    `flags` are a command's parameters; those that are no settings (`others` too) are left aside.

    Raises:
        SettingsError: an option's value cannot be.
    """
    file = flags.get("settings_file")
    given = {
        name: value
        for name, value in flags.items()
        if name not in {"settings_file", *others} and value not in (None, ())
    }
    return Settings.load(given, os.environ, file if isinstance(file, Path) else None)


def rules_of(flags: dict[str, object]) -> RuleSet:
    """Give the rules that the flags (and settings) choose.

    Raises:
        RuleError: no such preset, file or option.
    """
    return started_rules(settings_of(flags))
