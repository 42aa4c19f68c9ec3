"""Which tiles to ask about: the smallest set of doubts whose answers decide a verdict."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple

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
    columns = {doubt: tuple(finding.label(doubt) for finding in findings) for doubt in doubts}
    open_ones = _Doubts({doubt: labels for doubt, labels in columns.items() if len(set(labels)) > 1}, findings)
    return tuple(_question(doubt, findings) for doubt in open_ones.deciding())


class _Doubts(NamedTuple):
    """Doubts with the answer that each finding gives them, in the order of the findings."""

    labels: Mapping[Variable, Sequence[str]]
    findings: Sequence[Finding]

    def deciding(self) -> Sequence[Variable]:
        """Give the smallest set that decides, or nearly the smallest where there are too many to try."""
        doubts = tuple(self.labels)
        for size in range(1, len(doubts)):
            if comb(len(doubts), size) > _MOST_SETS:
                return self._left_out_one_by_one()
            for some in combinations(doubts, size):
                if self._decide(some):
                    return some
        return doubts

    def _left_out_one_by_one(self) -> Sequence[Variable]:
        """Leave out doubts, the surest first, while those left still decide."""
        kept = list(self.labels)
        for doubt in sorted(kept, key=lambda one: -one.options[0].probability):
            fewer = [one for one in kept if one is not doubt]
            if self._decide(fewer):
                kept = fewer
        return kept

    def _decide(self, some: Sequence[Variable]) -> bool:
        """Whether findings that answer these doubts alike have the same ruling."""
        rulings: dict[tuple[str, ...], Ruling] = {}
        for finding, *key in zip(self.findings, *(self.labels[doubt] for doubt in some), strict=True):
            if rulings.setdefault(tuple(key), finding.ruling) is not finding.ruling:
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
