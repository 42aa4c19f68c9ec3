"""`judge`: is this turn legal? From notation, from photographs, or a whole file of cases."""

import json
from pathlib import Path
from typing import Any

import click

from referee.doubts import judge_reading
from referee.judge import Situation
from referee.rules import RuleSet
from referee.verdict import Ruling, Verdict
from web.cases import judge_cases
from web.documents import verdict_document
from web.options import as_json, common_options, settings_of
from web.rules_choice import started_rules
from web.sentences import Sentences, spoken_here
from web.tables import compared, table_of

EXITS = {Ruling.LEGAL: 0, Ruling.DRAW: 0, Ruling.ILLEGAL: 1, Ruling.UNSURE: 4, Ruling.IMPOSSIBLE: 4}
TABLE = "notation such as 'R3 R4 R5 / K7 B7 O7', or a photo"


@click.command("judge", short_help="Say whether a turn is legal.")
@click.option("--before", multiple=True, metavar="TABLE", help=f"The table when the turn began: {TABLE}.")
@click.option(
    "--after", multiple=True, metavar="TABLE", help="The table now; both may be repeated with photos of one table."
)
@click.option("--not-opened", is_flag=True, help="The player has not opened yet.")
@click.option("--hand", type=click.IntRange(0, 500), help="How many tiles the player held.")
@click.option("--timed-out", is_flag=True, help="The time was up.")
@click.option("--cases", type=click.Path(path_type=Path), help="Judge a JSON file of cases instead.")
@common_options
@as_json
def command(*, cases: Path | None, as_json: bool, **flags: Any) -> int:  # noqa: ANN401
    """Judge a turn from the table before and after it: exit 0 legal or draw, 1 illegal, 4 cannot tell."""
    if cases is not None:
        document = judge_cases(cases, spoken_here())
        click.echo(json.dumps(document, ensure_ascii=False, indent=None if as_json else 1))
        return 0
    verdict, rules = _judged(flags)
    words = spoken_here()
    click.echo(
        json.dumps(verdict_document(verdict, words), ensure_ascii=False) if as_json else printed(verdict, words, rules)
    )
    return EXITS[verdict.ruling]


def _judged(flags: dict[str, Any]) -> tuple[Verdict, RuleSet]:
    sides = {side: flags.pop(side) for side in ("before", "after")}
    for side, given in sides.items():
        if not given:
            msg = f"--{side} is missing: give the table as {TABLE}"
            raise click.UsageError(msg)
    situation = Situation(not flags.pop("not_opened"), flags.pop("hand"), flags.pop("timed_out"))
    settings = settings_of(flags)
    rules = started_rules(settings)
    before, after = compared(*(table_of(given, side, settings) for side, given in sides.items()))
    return judge_reading(before, after, rules, situation), rules


def printed(verdict: Verdict, words: Sentences, rules: RuleSet) -> str:
    """Give a verdict as text for people."""
    lines = [f"{verdict.ruling.value.upper()}  {words.verdict(verdict)}"]
    lines += [
        _fault_line(words.fault(one), one.paragraph, " ".join(map(str, one.meld or ()))) for one in verdict.faults
    ]
    lines += [f"  ? {words.question(one)}" for one in verdict.doubts]
    lines += [f"  {words.note(one)}" for one in verdict.notes]
    if verdict.consequence.restore:
        lines.append(words.consequence(verdict.consequence))
    return "\n".join([*lines, f"({rules.name})"])


def _fault_line(message: str, paragraph: str, meld: str) -> str:
    return f"  - {meld + ': ' if meld else ''}{message} [{paragraph}]"
