"""The rules that an owner chose: a preset or a rules file, and options on top of it."""

from collections.abc import Iterable
from pathlib import Path

from referee.errors import RuleError
from referee.rules import PRESETS, RuleSet, preset
from web.settings import Settings


def chosen_rules(name: str, changes: Iterable[str] = ()) -> RuleSet:
    """Give the rules of a preset or of a rules file (`.toml`), with changes written `OPTION=VALUE`.

    Raises:
        RuleError: there is no such preset, file or option, or a value cannot be; the message quotes it.
    """
    base = RuleSet.load(Path(name)) if name.lower().endswith(".toml") and name not in PRESETS else preset(name)
    return base.with_options(dict(map(_split, changes)))


def started_rules(settings: Settings) -> RuleSet:
    """Give the rules that the program was started with."""
    return chosen_rules(settings.rules, settings.set)


def _split(change: str) -> tuple[str, str]:
    option, sign, value = change.partition("=")
    if not sign or not option.strip():
        msg = f"{change!r} changes no rule: write OPTION=VALUE, such as turn_seconds=90"
        raise RuleError(msg)
    return option.strip(), value.strip()
