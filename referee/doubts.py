"""Judging what a camera saw: a verdict where all plausible tables agree, else the question that decides.

`illegal` is only said where every plausible table is illegal (RULEBOOK 3.8, 4.3): nobody is accused because a camera
blinked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, count, islice

from referee.asking import Finding, questions
from referee.errors import NotationError
from referee.judge import USUAL, Situation, judge_turn, rule_on
from referee.melds import is_meld
from referee.naming import certain_faults
from referee.plausible import NO_TILE, Case, Lines, Look, Option, Seen, Variable, by_probability
from referee.rules import JokerReuse, RuleSet
from referee.table import Choice, DoubtCode, Row, SeenTile, Table, TableReading
from referee.tiles import JOKER, Tile
from referee.unbroken import Reading, cuts, notes_of, readings, table_of
from referee.unseen import best_placed, completable, hopeless, if_there
from referee.verdict import NO_CONSEQUENCE, Fault, FaultCode, Ruling, Verdict

PLAUSIBLE = 0.99
"""The share of the probability that the plausible tables hold together."""
ENOUGH = 0.95
"""The share that is enough for a turn to be legal: asking in vain spoils a game, and nobody is accused."""
MOST_TABLES = 1024
"""So many tables are looked at; where that is not enough, the verdict stays open."""
_MOST_NAMED = 8
"""The faults of so many plausible tables are compared."""
_MOST_READINGS = 8
"""So many ways to read unbroken rows are tried where tiles are not seen as well."""


def judge_reading(before: Seen, after: Seen, rules: RuleSet, situation: Situation = USUAL) -> Verdict:
    """Judge a turn between tables that are known, or were read with doubts.

    Plausible tables are the smallest set that holds 99 % of the probability, none with more tiles than the set has. If
    all of them get the same ruling, or the most probable ones that hold 95 % are legal (or all a draw), the verdict on
    the most probable one is given, with those of its faults that nearly all of them have. Else the verdict is `unsure`,
    and its `doubts` are the smallest set of tiles that decides, each with the ruling that each answer leads to;
    `played`, `removed`, `points` and `notes` are those of the most probable table.
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
    unseen: Row = ()
    """The tiles that are taken to lie there unseen."""


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
        return self._hold(PLAUSIBLE)

    @property
    def enough(self) -> bool:
        """Whether these hold so much that a turn is legal where all of them are."""
        return self._hold(ENOUGH)

    def _hold(self, share: float) -> bool:
        return self.possible > 0 and self.possible >= share * (1 - self.impossible) - 1e-9


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
        plausible, findings, agreed = _Plausible(), list[Finding](), set[Ruling]()
        for case in by_probability(variables):
            judged = self._judged(case, in_full=not plausible.judged)
            plausible.add(case, judged)
            found = tuple(self._findings(judged, variables)) if judged else ()
            findings += found
            agreed |= {finding.ruling for finding in found}
            if plausible.whole or plausible.looked_at == MOST_TABLES:
                break
            if self._surely_bad and len(plausible.judged) >= _MOST_NAMED:
                break
            if plausible.enough and agreed in ({Ruling.LEGAL}, {Ruling.DRAW}):
                break
        if not plausible.judged:
            return self._nothing_possible(variables)
        best = plausible.judged[0].verdict
        surely = self._surely_bad or (plausible.enough and (plausible.whole or best.ruling is not Ruling.ILLEGAL))
        if len(agreed) == 1 and surely:
            return self._as_named(plausible.judged) if best.ruling is Ruling.ILLEGAL else best
        doubts = questions(findings)
        return replace(best, ruling=Ruling.UNSURE, opens=False, faults=(), doubts=doubts, consequence=NO_CONSEQUENCE)

    def _as_named(self, judged: list[_Judged]) -> Verdict:
        """Give the verdict on the most probable table, with those of its faults that nearly all plausible ones have."""
        # The likeliest one by one, and of the others each for some that are about as likely.
        (best, *likely), rest = judged[:_MOST_NAMED], judged[_MOST_NAMED:]
        step = -(-len(rest) // _MOST_NAMED) or 1
        strata = [*([one] for one in likely), *(rest[i : i + step] for i in range(0, len(rest), step))]
        verdict = self._without_the_unseen(best, best.verdict)
        named = [(verdict.faults, best.case.probability)]
        for one, *like in strata:
            in_full = self._read_in_full(*self._rows(one.case), one.verdict)
            share = sum(each.case.probability for each in (one, *like))
            named.append((self._without_the_unseen(one, in_full).faults, share))
        return replace(verdict, faults=certain_faults(named))

    def _without_the_unseen(self, judged: _Judged, verdict: Verdict) -> Verdict:
        """Give a verdict that names no fault which there is only because a tile is not seen (4.3)."""
        hidden = self._hidden(verdict.removed)
        if not hidden:
            return verdict
        before, after = map(table_of, next(self._readings(*self._rows(judged.case))))
        placed = best_placed(hidden, after, self.rules)
        verdicts = (judge_turn(before, table, self.rules, self.situation) for table in placed)
        named = (one for one in verdicts if one.ruling is Ruling.ILLEGAL)
        best = min(named, key=lambda one: len(one.faults), default=verdict)
        kept = tuple(fault for fault in best.faults if not self._only_unseen(fault, hidden, best.removed))
        return replace(best, faults=kept or best.faults)

    def _hidden(self, gone: Row) -> Row:
        """Give those of the tiles that are gone that may lie there all the same (4.3)."""
        seen = self.after.seen
        if not isinstance(seen, TableReading):
            return ()
        return gone if seen.unseen is None else tuple((Counter(gone) & Counter(seen.unseen)).elements())

    def _only_unseen(self, fault: Fault, hidden: Row, gone: Row) -> bool:
        """Whether a fault would not be there if tiles that are still missing, being too many to place, were seen."""
        if not Counter(hidden) <= Counter(gone):
            return False
        if fault.meld:
            return completable(fault.meld, hidden, self.rules)
        taken_back = fault.code is FaultCode.TILE_TAKEN_BACK and Counter(gone) == Counter(hidden)
        return taken_back or fault.code is FaultCode.OPENING_TOUCHES_TABLE

    def _nothing_possible(self, variables: tuple[Variable, ...]) -> Verdict:
        """Say that no plausible table can be, with what the most probable one would have played."""
        best = next(by_probability(variables))
        before, after = self._rows(best)
        verdict = judge_turn(Table(before), Table(after), self.rules, self.situation)
        return Verdict(Ruling.IMPOSSIBLE, verdict.played, verdict.removed)

    def _rows(self, case: Case) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        """Give the rows of before and after, but for those that lie on both sides for certain."""
        cut = len(self.before.variables)
        before = self.before.rows(case.choices[:cut], self._lines[0]) if cut else self._rows_before
        return before, self.after.rows(case.choices[cut:], self._lines[1])

    @cached_property
    def _rows_before(self) -> tuple[Row, ...]:
        """The rows of before where nothing is doubtful of them."""
        return self.before.rows((), self._lines[0])

    def _judged(self, case: Case, *, in_full: bool) -> _Judged | None:
        """Judge one table; None if it cannot be. Where not in full, its verdict says the ruling and what is gone."""
        cut = len(self.before.variables)
        if not (self.before.fits(case.choices[:cut]) and self.after.fits(case.choices[cut:])):
            return None
        before, after = self._rows(case)
        plain = self._plainly_illegal(case, after)
        verdict = self._read_in_full(before, after, plain) if in_full else plain or self._ruled_on(before, after)
        if verdict.ruling is Ruling.IMPOSSIBLE:
            return None
        if verdict.ruling is not Ruling.ILLEGAL:
            return _Judged(case, verdict)
        there = self._if_there(before, after, verdict.removed) if verdict.removed else None
        if there in (None, Ruling.ILLEGAL):
            for tile in self._perhaps_twice(before, verdict.removed):
                missing = (*verdict.removed, tile)
                ruling = self._if_there(before, after, missing)
                if ruling not in (None, Ruling.ILLEGAL):
                    return _Judged(case, verdict, ruling, missing)
        return _Judged(case, verdict, there, verdict.removed)

    def _perhaps_twice(self, before: tuple[Row, ...], gone: Row) -> Iterator[Tile]:
        """Give tiles that are seen elsewhere but whose place is hidden: what is seen may be another copy (4.3)."""
        seen = self.after.seen
        if not isinstance(seen, TableReading) or not seen.unseen or len(gone) > 1:
            return
        lay = Counter(chain.from_iterable(before))
        yield from (tile for tile in Counter(seen.unseen) - Counter(gone) if lay[tile])

    def _ruled_on(self, before: tuple[Row, ...], after: tuple[Row, ...]) -> Verdict:
        """Give the best ruling on a table that is not plainly illegal, its unbroken rows read in any way (3.8)."""
        rulings = (self._rule(*map(table_of, pair)) for pair in self._readings(before, after))
        return Verdict(next((ruling for ruling in rulings if ruling is not Ruling.ILLEGAL), Ruling.ILLEGAL))

    def _read_in_full(self, before: tuple[Row, ...], after: tuple[Row, ...], plain: Verdict | None) -> Verdict:
        """Give the verdict on a table, its unbroken rows read as is best for the player (3.8)."""
        pairs = self._readings(before, after)
        first = next(pairs)
        verdict = self._as_read(first, after)
        if plain or verdict.ruling is not Ruling.ILLEGAL:
            return verdict
        better = (pair for pair in pairs if self._rule(*map(table_of, pair)) is not Ruling.ILLEGAL)
        return next((self._as_read(pair, after) for pair in better), verdict)

    def _as_read(self, pair: tuple[Reading, Reading], after: tuple[Row, ...]) -> Verdict:
        verdict = judge_turn(table_of(pair[0]), table_of(pair[1]), self.rules, self.situation)
        return replace(verdict, notes=notes_of(after, pair[1]))

    def _plainly_illegal(self, case: Case, after: tuple[Row, ...]) -> Verdict | None:
        """Give a verdict without its faults where tiles are gone, or a row is no meld nor can be read as melds."""
        fewer = self._fewer.copy()
        cut = len(self.before.variables)
        fewer.update([option.tile for option in case.choices[:cut] if option.tile])
        fewer.subtract([option.tile for option in case.choices[cut:] if option.tile])
        gone = tuple(tile for tile, count in fewer.items() for _ in range(count))
        hand = self.situation.hand
        held = hand is None or len(gone) - fewer.total() <= hand
        if held and (gone or any(self._is_bad(row) for row in after)):
            return Verdict(Ruling.ILLEGAL, removed=gone)
        return None

    @cached_property
    def _fewer(self) -> Counter[Tile]:
        """Count how many fewer there are after than before of each tile that is certain."""
        fewer = Counter(self.before.certain.values())
        fewer.subtract(self.after.certain.values())
        return Counter({tile: count for tile, count in fewer.items() if count})

    @cached_property
    def _surely_bad(self) -> bool:
        """Whether a row that nothing is doubtful of is no meld, whatever the other tiles are, seen or not."""
        seen = self.after.seen
        unseen = (seen.unseen if isinstance(seen, TableReading) else ()) or ()
        if isinstance(seen, TableReading) and seen.unseen is None:
            unseen = tuple(self.before.certain.values())
        return any(
            self._is_bad(row) and not completable(row, unseen, self.rules) for row in self.after.certain_rows.values()
        )

    def _is_bad(self, row: Row) -> bool:
        return not (is_meld(row, naturals_outnumber=self.rules.naturals_outnumber) or cuts(row))

    def _may_lie_unseen(self, tiles: Counter[Tile]) -> bool:
        """Whether tiles that are not seen may lie on the table all the same (4.3)."""
        return isinstance(self.after.seen, TableReading) and (
            self.after.seen.unseen is None or tiles <= Counter(self.after.seen.unseen)
        )

    def _rule(self, before: Table, after: Table) -> Ruling:
        return rule_on(before, after, self.rules, self.situation)

    def _readings(self, before: tuple[Row, ...], after: tuple[Row, ...]) -> Iterator[tuple[Reading, Reading]]:
        """Give the ways to read unbroken rows of what was seen; what is known is read as it is (3.8)."""
        for old in self._read(self.before, before, after):
            for new in self._read(self.after, after, before):
                yield old, new

    def _read(self, look: Look, rows: tuple[Row, ...], there: tuple[Row, ...]) -> Iterable[Reading]:
        return readings(rows, Table(there)) if isinstance(look.seen, TableReading) else [tuple((row,) for row in rows)]

    def _if_there(self, before: tuple[Row, ...], after: tuple[Row, ...], missing: Row) -> Ruling | None:
        """Give the best ruling if all the missing tiles lie there unseen; None if one of them cannot (4.3)."""
        if not self._may_lie_unseen(Counter(missing)):
            return None
        if hopeless(missing, after, self.rules):
            return Ruling.ILLEGAL
        still = self._may_have_grown(missing)
        rulings = (
            if_there(
                missing,
                Table((*table_of(new).rows, *still)),
                self.rules,
                partial(self._rule, Table((*table_of(old).rows, *still))),
            )
            for old, new in islice(self._readings(before, after), _MOST_READINGS)
        )
        return next((ruling for ruling in rulings if ruling is not Ruling.ILLEGAL), Ruling.ILLEGAL)

    def _may_have_grown(self, missing: Row) -> tuple[Row, ...]:
        """Give the melds left out of the judging that a tile that is not seen may be at the end of (4.3)."""
        rows = self.after.certain_rows
        left_out = (row for line, row in rows.items() if line not in self._lines[1])
        return tuple(row for row in left_out if any(is_meld((*row, tile)) for tile in missing))

    @cached_property
    def _lines(self) -> tuple[Lines, Lines]:
        """Give the rows to judge: all but melds without jokers that lie on both sides for certain.

        These change no verdict: they are valid, cancel out in what was played and changed, and replace no joker (6.1).
        Only a new meld of `new_meld_two_own` is asked which melds of before lie elsewhere, be it as a part of one; so
        there a meld is kept that may hold another one.
        """
        common = Counter(self._plain_melds(self.before)) & Counter(self._plain_melds(self.after))
        if self.rules.joker_reuse is JokerReuse.NEW_MELD_TWO_OWN:
            common = Counter({row: count for row, count in common.items() if not self._may_hold_another(row)})
        return _left(self.before, common), _left(self.after, common)

    def _may_hold_another(self, row: Row) -> bool:
        others = self.before.certain_rows.values()
        return bool(self.before.variables) or any(set(other) < set(row) for other in others)

    def _plain_melds(self, look: Look) -> Iterator[Row]:
        return (
            row
            for row in look.certain_rows.values()
            if JOKER not in row and is_meld(row, naturals_outnumber=self.rules.naturals_outnumber)
        )

    def _findings(self, judged: _Judged, variables: tuple[Variable, ...]) -> Iterator[Finding]:
        """Give the ruling of one table, or the rulings, where tiles are not seen that may be there."""
        answers = dict(zip(variables, judged.case.choices, strict=True))
        if judged.if_there in (None, Ruling.ILLEGAL):
            yield Finding(answers, judged.verdict.ruling, judged.case.probability)
            return
        yield Finding(answers, judged.if_there, judged.case.probability)
        for tile in dict.fromkeys(judged.unseen):
            gone = {_missing(str(tile)): Option(NO_TILE, 0.5)}
            yield Finding(answers | gone, Ruling.ILLEGAL, judged.case.probability)


def _left(look: Look, common: Counter[Row]) -> Lines:
    """Give the rows of a look without the common ones."""
    left, lines = common.copy(), []
    for line in look.lines:
        row = look.certain_rows.get(line, ())
        if left[row]:
            left[row] -= 1
        else:
            lines.append(line)
    return tuple(lines)


@cache
def _missing(tile: str) -> Variable:
    """The doubt whether a tile that is not seen lies there all the same; unless answered, it does."""
    return Variable("after", -1, tile, DoubtCode.MISSING, (Option(tile, 0.5), Option(NO_TILE, 0.5)))
