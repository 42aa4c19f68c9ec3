"""Judging in notation, for the tests of the judge."""

from referee.judge import Situation, judge_turn
from referee.rules import RuleSet, preset
from referee.table import Table
from referee.verdict import Verdict

PUP = preset("pup-rummy")


def verdict_on(before: str, after: str, rules: str = "rrrummy", /, **options: object) -> Verdict:
    """Judge a turn; `opened`, `hand` and `timed_out` are the situation, other names are rule options."""
    situation = {name: options.pop(name) for name in ("opened", "hand", "timed_out") if name in options}
    return judge_turn(Table.parse(before), Table.parse(after), rules_of(rules, options), Situation(**situation))


def rules_of(name: str, options: dict[str, object]) -> RuleSet:
    return preset(name).with_options(options)


def said(before: str, after: str, rules: str = "rrrummy", /, **options: object) -> str:
    """Give the ruling, and of an illegal turn its codes instead."""
    verdict = verdict_on(before, after, rules, **options)
    return " ".join(verdict.codes) or verdict.ruling.value
