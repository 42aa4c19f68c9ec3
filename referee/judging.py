"""From what was seen to the events that decide a turn, and the past judged again. Pure: a game in, events out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from referee.course import tiles_played
from referee.doubts import MOST_TABLES, judge_reading
from referee.errors import GameError, Refusal
from referee.events import Event, Judged, RulesChanged, TurnAsked, TurnEnded
from referee.game import Game, retell
from referee.history import Turn, carry
from referee.judge import Situation, judge_turn
from referee.plausible import Look, by_probability
from referee.position import Call, Position, Undecided
from referee.sight import Seen, best_table
from referee.table import Table, TableReading
from referee.verdict import Note, Ruling, Verdict

OPEN_RULINGS = (Ruling.UNSURE, Ruling.IMPOSSIBLE)
"""Rulings that need a person; they never stand."""


def judge_seen(at: Position, seen: Seen, *, timed_out: bool = False) -> Verdict:
    """Judge what was seen as the end of the present turn."""
    player = at.players[at.seat]
    situation = Situation(opened=player.opened, hand=player.hand, timed_out=timed_out)
    if isinstance(seen, Table):
        return judge_turn(at.table, seen, at.rules, situation)
    return judge_reading(at.table, seen, at.rules, situation)


def decide(at: Position, seen: Seen, call: Call, now: int) -> Event:
    """Decide the present turn by what was seen, or ask."""
    verdict = judge_seen(at, seen, timed_out=call.timed_out)
    if verdict.ruling in OPEN_RULINGS:
        return TurnAsked(now_ms=now, undecided=Undecided(seen, verdict, call))
    return ended(at, Undecided(seen, verdict, call), now)


def ended(at: Position, decided: Undecided, now: int) -> TurnEnded:
    """Make the event of a turn that is decided as judged."""
    verdict, call = decided.verdict, decided.call
    return TurnEnded(
        now_ms=now,
        table=judged_table(at, decided.seen, verdict),
        verdict=verdict,
        ruling=verdict.ruling,
        used_ms=call.used_ms,
        timed_out=call.timed_out,
    )


def judged_table(at: Position, seen: Seen, verdict: Verdict) -> Table:
    """Give the table that a verdict is about: of the plausible ones the first with the tiles that it names."""
    table = best_table(seen)
    if isinstance(seen, TableReading) and tiles_played(at.table, table) != verdict.played:
        look = Look("after", seen, at.rules)
        cases = islice(by_probability(look.variables), MOST_TABLES)
        tables = (Table(look.rows(case.choices, look.lines)) for case in cases if look.fits(case.choices))
        table = next((one for one in tables if tiles_played(at.table, one) == verdict.played), table)
    return _as_melds(table, verdict.notes)


def _as_melds(table: Table, notes: tuple[Note, ...]) -> Table:
    """Cut the rows that were read as several melds (3.8)."""
    cuts = {note.row: note.melds for note in notes}
    return Table.of(meld for row in table.rows for meld in cuts.get(row, (row,)))


@dataclass(frozen=True, slots=True)
class Again:
    """What is decided otherwise about a past turn: its table, or its ruling and why; neither where the rules change."""

    turn: int
    table: Table | None = None
    ruling: Ruling | None = None
    reason: str = ""


def judge_again(game: Game, again: Again, changed: RulesChanged | None = None) -> tuple[Judged, ...]:
    """Judge a past turn and all later ones again.

    What a person overruled stays so, but for the turn that is corrected. A later turn that can no longer be judged for
    certain keeps its ruling.

    Raises:
        GameError: the corrected table cannot be.
    """
    judged: list[Judged] = []
    old = {turn.number: turn for turn in game.now.turns}

    def decide_again(event: TurnEnded, at: Position) -> TurnEnded:
        known = changed is None and _circumstances(at) == _circumstances_of(old[at.turn])
        tables = _tables(event, at, again, old)
        table, verdict = (
            (event.table, event.verdict) if known and tables[0] == event.table else _judged(event, at, tables)
        )
        ruling, reason = _ruling(event, at, again, verdict)
        judged.append(Judged(at.turn, table, verdict, ruling, reason))
        return replace(event, table=table, verdict=verdict, ruling=ruling, reason=reason)

    retell(game, again.turn, decide_again, changed)
    return tuple(judged)


def _circumstances(at: Position) -> tuple[Table, int, bool]:
    """Give what a verdict hangs on besides the table at the end: the table before, the hand, whether opened."""
    player = at.players[at.seat]
    return at.table, player.hand, player.opened


def _circumstances_of(turn: Turn) -> tuple[Table, int, bool]:
    return turn.before, turn.hand, turn.opened


def _tables(event: TurnEnded, at: Position, again: Again, old: Mapping[int, Turn]) -> tuple[Table, ...]:
    """Give what may have lain there at the end of a turn that is judged again, the first the most believable.

    That is what was seen, with the rows put right that were corrected and lie there still; or what was done in the turn
    was done to another table than it seemed.
    """
    seen = event.table
    if at.turn == again.turn:
        return (seen if again.table is None else again.table,)
    moved = carry(at.table, old[at.turn].before, seen)
    if again.table is not None and Counter(old[again.turn].seen.rows) - Counter(again.table.rows):
        seen = carry(seen, old[again.turn].seen, again.table) or seen
    return (seen,) if moved is None else (seen, moved)


def _judged(event: TurnEnded, at: Position, tables: tuple[Table, ...]) -> tuple[Table, Verdict]:
    """Judge what may have lain there: the first table without a fault, or else the first of all."""
    verdicts = [(table, judge_seen(at, table, timed_out=event.timed_out)) for table in tables]
    return next((each for each in verdicts if each[1].ruling in (Ruling.LEGAL, Ruling.DRAW)), verdicts[0])


def _ruling(event: TurnEnded, at: Position, again: Again, verdict: Verdict) -> tuple[Ruling, str]:
    """Say what counts of a turn that was judged again, and why."""
    if at.turn == again.turn and again.ruling is not None:
        return again.ruling, again.reason if again.ruling is not verdict.ruling else ""
    if at.turn == again.turn and again.table is not None:
        if verdict.ruling in OPEN_RULINGS:
            raise GameError(Refusal.CANNOT_BE, table=again.table, name=_name(at))
        return verdict.ruling, ""
    if event.ruling is not event.verdict.ruling or verdict.ruling in OPEN_RULINGS:
        return event.ruling, event.reason
    return verdict.ruling, ""


def _name(at: Position) -> str:
    return at.players[at.seat].name
