"""Judging what a camera saw: a verdict where all plausible tables agree, else the question that decides.

`illegal` is only said where every plausible table is illegal (RULEBOOK 3.8, 4.3): nobody is accused because a camera
blinked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, count, product

from referee.asking import Finding, questions
from referee.errors import NotationError
from referee.judge import USUAL, Situation, judge_turn
from referee.melds import is_meld
from referee.plausible import NO_TILE, Case, Look, Option, Seen, Variable, by_probability
from referee.rules import JokerReuse, RuleSet
from referee.table import Choice, DoubtCode, Row, SeenTile, Table, TableReading
from referee.tiles import JOKER, Tile
from referee.unbroken import Reading, notes_of, readings, table_of
from referee.unseen import if_there
from referee.verdict import NO_CONSEQUENCE, Ruling, Verdict

PLAUSIBLE = 0.99
"""The share of the probability that the plausible tables hold together."""
MOST_TABLES = 1024
"""So many tables are looked at; where that is not enough, the verdict stays open."""


def judge_reading(before: Seen, after: Seen, rules: RuleSet, situation: Situation = USUAL) -> Verdict:
    """Judge a turn between tables that are known, or were read with doubts.

    Plausible tables are the smallest set that holds 99 % of the probability, none with more tiles than the set has. If
    all of them get the same ruling, the verdict on the most probable one is given. Else the verdict is `unsure`, and
    its `doubts` are the smallest set of tiles that decides, each with the ruling that each answer leads to; `played`,
    `removed`, `points` and `notes` are those of the most probable table.
    """
    if isinstance(before, Table) and isinstance(after, Table):
        return judge_turn(before, after, rules, situation)
    return _Bench(Look("before", before, rules), Look("after", after, rules), rules, situation).verdict()


def parse_seen(text: str) -> Seen:
    """Read a table from notation in which a tile may be doubtful: `?`, or `R6|R9` for one of these, equally likely.

    Nothing else lies there unseen. Without a doubtful tile it is a known table.

    Raises:
        NotationError: a tile is none, or a row is empty; the message quotes it.
    """
    if "?" not in text and "|" not in text:
        return Table.parse(text)
    rows = [[_seen(word) for word in part.split()] for part in text.split("/")]
    if not all(rows):
        msg = f"{text!r} has an empty row: write melds with ' / ' between them, or - for the empty table"
        raise NotationError(msg)
    places = count()
    melds = tuple(tuple(next(places) for _ in row) for row in rows)
    return TableReading(tuple(chain.from_iterable(rows)), melds, unseen=())


def _seen(word: str) -> SeenTile:
    faces = () if word == "?" else tuple(map(Tile.parse, word.split("|")))
    choices = tuple(Choice(face, 1 / len(faces)) for face in dict.fromkeys(faces))
    return SeenTile(_NOWHERE, choices)


_NOWHERE = ((0.0, 0.0),) * 4


@dataclass(frozen=True)
class _Judged:
    """One plausible table: its verdict, and the best ruling if the tiles that are not seen lie there all the same."""

    case: Case
    verdict: Verdict
    if_there: Ruling | None = None


@dataclass
class _Plausible:
    """The tables judged so far, the most probable first, and their share of the probability."""

    judged: list[_Judged] = field(default_factory=list)
    looked_at: int = 0
    possible: float = 0.0
    impossible: float = 0.0

    def add(self, case: Case, judged: _Judged | None) -> None:
        self.looked_at += 1
        if judged is None:
            self.impossible += case.probability
        else:
            self.possible += case.probability
            self.judged.append(judged)

    @property
    def whole(self) -> bool:
        """Whether what was not looked at is the part that may be left out."""
        return self.possible > 0 and self.possible >= PLAUSIBLE * (1 - self.impossible) - 1e-9


@dataclass(frozen=True)
class _Bench:
    """Judges every plausible table of one turn."""

    before: Look
    after: Look
    rules: RuleSet
    situation: Situation

    def verdict(self) -> Verdict:
        """Give the verdict on the turn."""
        variables = (*self.before.variables, *self.after.variables)
        plausible = _Plausible()
        for case in by_probability(variables):
            plausible.add(case, self._judged(case))
            if plausible.whole or plausible.looked_at == MOST_TABLES:
                break
        if not plausible.judged:
            return self._nothing_possible(variables)
        findings = [finding for one in plausible.judged for finding in self._findings(one, variables)]
        best = plausible.judged[0].verdict
        if plausible.whole and len({finding.ruling for finding in findings}) == 1:
            return best
        doubts = questions(findings)
        return replace(best, ruling=Ruling.UNSURE, opens=False, faults=(), doubts=doubts, consequence=NO_CONSEQUENCE)

    def _nothing_possible(self, variables: tuple[Variable, ...]) -> Verdict:
        """Say that no plausible table can be, with what the most probable one would have played."""
        best = next(by_probability(variables))
        before, after = self._rows(best)
        verdict = judge_turn(Table(before), Table(after), self.rules, self.situation)
        return Verdict(Ruling.IMPOSSIBLE, verdict.played, verdict.removed)

    def _rows(self, case: Case) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        cut = len(self.before.variables)
        return self.before.rows(case.choices[:cut]), self.after.rows(case.choices[cut:])

    def _judged(self, case: Case) -> _Judged | None:
        """Judge one table; None if it cannot be."""
        cut = len(self.before.variables)
        if not (self.before.fits(case.choices[:cut]) and self.after.fits(case.choices[cut:])):
            return None
        before, after = (self._without_common(rows) for rows in self._rows(case))
        verdicts = []
        for old, new in self._readings(before, after):
            verdict = self._judge(table_of(old), table_of(new))
            verdicts.append(replace(verdict, notes=notes_of(after, new)))
            if verdict.ruling is not Ruling.ILLEGAL:
                break
        best = verdicts[-1] if verdicts[-1].ruling is not Ruling.ILLEGAL else verdicts[0]
        if best.ruling is Ruling.IMPOSSIBLE:
            return None
        return _Judged(case, best, self._if_there(before, after, best) if best.removed else None)

    def _judge(self, before: Table, after: Table) -> Verdict:
        return judge_turn(before, after, self.rules, self.situation)

    def _readings(self, before: tuple[Row, ...], after: tuple[Row, ...]) -> Iterator[tuple[Reading, Reading]]:
        """Give the ways to read unbroken rows of what was seen; what is known is read as it is (3.8)."""
        old = readings(before, Table(after)) if isinstance(self.before.seen, TableReading) else [_as_known(before)]
        new = readings(after, Table(before)) if isinstance(self.after.seen, TableReading) else [_as_known(after)]
        return product(old, new)

    def _if_there(self, before: tuple[Row, ...], after: tuple[Row, ...], verdict: Verdict) -> Ruling | None:
        """Give the best ruling if all tiles that are gone lie there unseen; None if one of them cannot (4.3)."""
        if not isinstance(self.after.seen, TableReading):
            return None
        missing, unseen = Counter(verdict.removed), self.after.seen.unseen
        if unseen is not None and not missing <= Counter(unseen):
            return None
        rulings = {
            if_there(verdict.removed, table_of(new), self.rules, partial(self._judge, table_of(old)))
            for old, new in self._readings(before, after)
        }
        return next((one for one in (Ruling.LEGAL, Ruling.DRAW, Ruling.UNSURE) if one in rulings), Ruling.ILLEGAL)

    def _without_common(self, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        left = self._common.copy()
        kept = []
        for row in rows:
            if left[row]:
                left[row] -= 1
            else:
                kept.append(row)
        return tuple(kept)

    @cached_property
    def _common(self) -> Counter[Row]:
        """Count the melds without jokers that lie on both sides for certain; they change no verdict, and are left out.

        They are valid, cancel out in what was played and changed, and replace no joker (6.1). For a new meld of
        `new_meld_two_own` it may matter that another meld of before lies in one of them; so there none is left out.
        """
        if self.rules.joker_reuse is JokerReuse.NEW_MELD_TWO_OWN:
            return Counter()
        return Counter(self._plain_melds(self.before)) & Counter(self._plain_melds(self.after))

    def _plain_melds(self, look: Look) -> Iterator[Row]:
        return (
            row
            for row in look.certain_rows
            if JOKER not in row and is_meld(row, naturals_outnumber=self.rules.naturals_outnumber)
        )

    def _findings(self, judged: _Judged, variables: tuple[Variable, ...]) -> Iterator[Finding]:
        """Give the ruling of one table, or the rulings, where tiles are not seen that may be there."""
        answers = dict(zip(variables, judged.case.choices, strict=True))
        if judged.if_there in (None, Ruling.ILLEGAL):
            yield Finding(answers, judged.verdict.ruling, judged.case.probability)
            return
        yield Finding(answers, judged.if_there, judged.case.probability)
        for tile in dict.fromkeys(judged.verdict.removed):
            gone = {_missing(str(tile)): Option(NO_TILE, 0.5)}
            yield Finding(answers | gone, Ruling.ILLEGAL, judged.case.probability)


def _as_known(rows: Iterable[Row]) -> Reading:
    return tuple((row,) for row in rows)


@cache
def _missing(tile: str) -> Variable:
    """The doubt whether a tile that is not seen lies there all the same; unless answered, it does."""
    return Variable("after", -1, tile, DoubtCode.MISSING, (Option(tile, 0.5), Option(NO_TILE, 0.5)))
