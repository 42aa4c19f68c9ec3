"""From what was seen to the events that decide a turn, and the past judged again. Pure: a game in, events out."""

from dataclasses import dataclass, replace

from referee.errors import GameError
from referee.events import Event, Judged, RulesChanged, TurnAsked, TurnEnded
from referee.game import Game, retell
from referee.history import carry
from referee.judge import Situation, judge_turn
from referee.position import Call, Position, Undecided
from referee.sight import Seen, best_table
from referee.table import Table
from referee.verdict import Note, Ruling, Verdict

OPEN_RULINGS = (Ruling.UNSURE, Ruling.IMPOSSIBLE)
"""Rulings that need a person; they never stand."""


def judge_seen(at: Position, seen: Seen, *, timed_out: bool = False) -> Verdict:
    """Judge what was seen as the end of the present turn."""
    player = at.players[at.seat]
    situation = Situation(opened=player.opened, hand=player.hand, timed_out=timed_out)
    return judge_turn(at.table, best_table(seen), at.rules, situation)


def decide(at: Position, seen: Seen, call: Call, now: int) -> Event:
    """Decide the present turn by what was seen, or ask."""
    verdict = judge_seen(at, seen, timed_out=call.timed_out)
    if verdict.ruling in OPEN_RULINGS:
        return TurnAsked(now_ms=now, undecided=Undecided(seen, verdict, call))
    return ended(verdict, seen, call, now)


def ended(verdict: Verdict, seen: Seen, call: Call, now: int) -> TurnEnded:
    """Make the event of a turn that is decided as judged."""
    return TurnEnded(
        now_ms=now,
        table=as_melds(best_table(seen), verdict.notes),
        verdict=verdict,
        ruling=verdict.ruling,
        used_ms=call.used_ms,
        timed_out=call.timed_out,
    )


def as_melds(table: Table, notes: tuple[Note, ...]) -> Table:
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
    certain keeps its ruling. A row that was corrected is corrected too where it lies there still in later turns.

    Raises:
        GameError: the corrected table cannot be.
    """
    judged: list[Judged] = []
    old = {turn.number: turn for turn in game.now.turns}

    def decide_again(event: TurnEnded, at: Position) -> TurnEnded:
        was = old[at.turn]
        same = changed is None and (was.before, was.hand, was.opened) == _circumstances(at)
        new = _anew(event, at, again, was=old[again.turn].seen if again.table else None, same=same)
        judged.append(Judged(at.turn, new.table, new.verdict, new.ruling, new.reason))
        return new

    retell(game, again.turn, decide_again, changed)
    return tuple(judged)


def _circumstances(at: Position) -> tuple[Table, int, bool]:
    """Give what a verdict hangs on besides the table at the end: the table before, the hand, whether opened."""
    player = at.players[at.seat]
    return at.table, player.hand, player.opened


def _anew(event: TurnEnded, at: Position, again: Again, *, was: Table | None, same: bool) -> TurnEnded:
    """Decide a turn of the past again; `was` is the table that is corrected, and `same`: nothing before has changed."""
    table = event.table
    if again.table is not None and was is not None:
        table = again.table if at.turn == again.turn else carry(table, was, again.table)
    unchanged = same and table == event.table
    verdict = event.verdict if unchanged else judge_seen(at, table, timed_out=event.timed_out)
    ruling, reason = _ruling(event, at, again, verdict)
    return replace(event, table=table, verdict=verdict, ruling=ruling, reason=reason)


def _ruling(event: TurnEnded, at: Position, again: Again, verdict: Verdict) -> tuple[Ruling, str]:
    """Say what counts of a turn that was judged again, and why."""
    if at.turn == again.turn and again.ruling is not None:
        return again.ruling, again.reason if again.ruling is not verdict.ruling else ""
    if at.turn == again.turn and again.table is not None:
        if verdict.ruling in OPEN_RULINGS:
            msg = f"{again.table} cannot be: more tiles than the set holds, or than {_name(at)} had in hand"
            raise GameError(msg)
        return verdict.ruling, ""
    if event.ruling is not event.verdict.ruling or verdict.ruling in OPEN_RULINGS:
        return event.ruling, event.reason
    return verdict.ruling, ""


def _name(at: Position) -> str:
    return at.players[at.seat].name
