"""`rules`: the text and the options of a preset, or the list of presets."""

import json
from typing import Any

import click

from referee.rules import PRESETS, RuleSet
from web.options import as_json, rules_of
from web.sentences import language_here


@click.command("rules", short_help="Show the rules and their options.")
@click.argument("preset", required=False)
@click.option("--set", "set", multiple=True, metavar="OPTION=VALUE", help="Change a rule option; may be repeated.")
@as_json
def command(*, preset: str | None, as_json: bool, **flags: Any) -> None:  # noqa: ANN401
    """Show the text and options of PRESET (a name, or a rules file), or list the presets."""
    if preset is None:
        click.echo(json.dumps({"presets": list(PRESETS)}) if as_json else _listed())
        return
    rules = rules_of({**flags, "rules": preset})
    click.echo(json.dumps(document(rules), ensure_ascii=False) if as_json else _printed(rules))


def document(rules: RuleSet) -> dict[str, object]:
    """Give the rules as JSON values."""
    paragraphs = [{"number": one.number, "text": one.text} for one in rules.paragraphs(language_here())]
    return {"preset": rules.name, "options": rules.options(), "paragraphs": paragraphs}


def _listed() -> str:
    """Give the presets, each with what it does differently from the default."""
    usual = RuleSet().words()
    lines = []
    for name, rules in PRESETS.items():
        differs = ", ".join(f"{option} {word}" for option, word in rules.words().items() if usual[option] != word)
        lines.append(f"{name:14} {differs}".rstrip())
    return "\n".join(lines)


def _printed(rules: RuleSet) -> str:
    options = [f"{option} = {word}" for option, word in rules.words().items()]
    paragraphs = [f"{one.number:5} {one.text}" for one in rules.paragraphs(language_here())]
    return "\n".join([rules.name, "", *options, "", *paragraphs])
