"""Which tiles to ask about: the smallest set of doubts whose answers decide a verdict."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from referee.plausible import Option, Variable
from referee.verdict import Answer, Question, Ruling

_MOST_SETS = 500
"""So many sets of doubts of one size are tried; beyond that, doubts are left out one by one while the rest decides."""


@dataclass(frozen=True)
class Finding:
    """What one plausible table leads to: how it answers the doubts, its ruling, its probability.

    A doubt that is not among the answers is answered by its first option.
    """

    answers: Mapping[Variable, Option]
    ruling: Ruling
    probability: float

    def label(self, doubt: Variable) -> str:
        """Give the answer to a doubt, in notation."""
        return self.answers.get(doubt, doubt.options[0]).label


def questions(findings: Sequence[Finding]) -> tuple[Question, ...]:
    """Give the smallest set of doubts that decides the ruling, each with what its answers lead to."""
    doubts = list(dict.fromkeys(doubt for finding in findings for doubt in finding.answers))
    open_ones = [doubt for doubt in doubts if len({finding.label(doubt) for finding in findings}) > 1]
    return tuple(_question(doubt, findings) for doubt in _deciding(open_ones, findings))


def _deciding(doubts: Sequence[Variable], findings: Sequence[Finding]) -> Sequence[Variable]:
    for size in range(1, len(doubts)):
        if comb(len(doubts), size) > _MOST_SETS:
            return _left_out_one_by_one(doubts, findings)
        for some in combinations(doubts, size):
            if _decides(some, findings):
                return some
    return doubts


def _left_out_one_by_one(doubts: Sequence[Variable], findings: Sequence[Finding]) -> Sequence[Variable]:
    """Leave out doubts, the surest first, while those left still decide."""
    kept = list(doubts)
    for doubt in sorted(doubts, key=lambda one: -one.options[0].probability):
        fewer = [one for one in kept if one is not doubt]
        if _decides(fewer, findings):
            kept = fewer
    return kept


def _decides(doubts: Iterable[Variable], findings: Iterable[Finding]) -> bool:
    """Whether findings that answer these doubts alike have the same ruling."""
    rulings: dict[tuple[str, ...], Ruling] = {}
    for finding in findings:
        key = tuple(finding.label(doubt) for doubt in doubts)
        if rulings.setdefault(key, finding.ruling) is not finding.ruling:
            return False
    return True


def _question(doubt: Variable, findings: Iterable[Finding]) -> Question:
    """Ask about one doubt: its plausible answers with the ruling of each, if that is one.

    The most probable comes first; of equals those that are not surely illegal, since most turns are in order.
    """
    rulings: dict[str, set[Ruling]] = defaultdict(set)
    chances: dict[str, float] = defaultdict(float)
    for finding in findings:
        rulings[finding.label(doubt)].add(finding.ruling)
        chances[finding.label(doubt)] += finding.probability
    leads_to = {label: next(iter(some)) if len(some) == 1 else Ruling.UNSURE for label, some in rulings.items()}
    ranked = sorted(chances, key=lambda label: (-round(chances[label], 9), leads_to[label] is Ruling.ILLEGAL))
    answers = tuple(Answer(label, leads_to[label]) for label in ranked)
    return Question(doubt.side, doubt.index, doubt.said, doubt.code, answers)
