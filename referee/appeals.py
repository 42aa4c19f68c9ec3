"""What people say about a verdict: an answer, another ruling, what really lay there. Pure: a game in, events out.

Every function raises `GameError` where the game does not allow it at this moment; the message says why. No event at all
means that everything is already as it is asked to be.
"""

from dataclasses import replace

from referee.answers import answered
from referee.course import tiles_played
from referee.decisions import Events, clean_text
from referee.errors import GameError, Refusal
from referee.events import (
    DoubtAnswered,
    LookedAgain,
    TableEntered,
    TableRestored,
    TurnCorrected,
    TurnOverruled,
)
from referee.game import Game, apply, replay
from referee.history import Turn, carry
from referee.judging import OPEN_RULINGS, Again, decide, ended, judge_again
from referee.position import Phase, Position, Undecided
from referee.sight import Sight, best_table, notation
from referee.table import Row, Table, TableReading
from referee.verdict import Ruling


def _asking(at: Position) -> Undecided:
    if at.undecided is None:
        raise GameError(Refusal.NOT_ASKED)
    return at.undecided


def _past(at: Position, turn: int) -> Turn:
    found = at.past(turn)
    if found is None:
        raise GameError(Refusal.NOT_PLAYED, turn=turn)
    return found


def answer(game: Game, doubt: int, answer: str, *, now: int) -> Events:
    """Answer a doubt of the open question: the turn is decided by it, or the next question asked."""
    at, undecided = game.now, _asking(game.now)
    questions, seen = undecided.verdict.doubts, undecided.seen
    if isinstance(seen, Table) or not 0 <= doubt < len(questions):
        raise GameError(Refusal.NO_DOUBT, doubt=doubt, count=len(questions))
    known = answered(seen, questions[doubt], answer, at)
    said = DoubtAnswered(now_ms=now, doubt=doubt, answer=answer)
    misread = _misread_before(game, known, now)
    then = replay(misread, game).now
    return (said, *misread, decide(then, known, undecided.call, now))


def _misread_before(game: Game, seen: TableReading, now: int) -> Events:
    """Correct the turn in which a row was misread that lies there still, and is now known to have another tile.

    That is so where one tile alone is gone, and its row is there but for another tile in its place.
    """
    at, table = game.now, seen.table()
    gone = tuple((at.table.tiles - table.tiles).elements())
    rows = [(old, new) for old in at.table.rows for new in table.rows if _one_tile_differs(old, new, gone)]
    for old, new in rows:
        first = next((turn for turn in at.turns if old in turn.seen.rows and old not in turn.before.rows), None)
        right = carry(first.seen, Table((old,)), Table((new,))) if first else None
        if first and right and all(old in turn.after.rows for turn in at.turns[first.number - 1 :]):
            judged = judge_again(game, Again(first.number, table=right))
            return (TurnCorrected(now_ms=now, turn=first.number, judged=judged),)
    return ()


def _one_tile_differs(old: Row, new: Row, gone: Row) -> bool:
    different = [tile for tile, other in zip(old, new, strict=False) if tile != other]
    return len(old) == len(new) and tuple(different) == gone


def overrule(game: Game, turn: int, ruling: Ruling, reason: str, *, now: int) -> Events:
    """Decide a turn otherwise than the referee did; also one that the referee could not decide."""
    if ruling in OPEN_RULINGS:
        raise GameError(Refusal.NO_RULING)
    at, reason = game.now, clean_text(reason)
    if at.undecided and turn == at.turn:
        seen = at.undecided.seen
        _check_ruling(at.table, best_table(seen), ruling)
        event = ended(at, at.undecided, now)
        return (replace(event, ruling=ruling, reason=reason),)
    past = _past(at, turn)
    if past.ruling is ruling:
        return ()
    _check_ruling(past.before, past.seen, ruling)
    judged = judge_again(game, Again(turn, ruling=ruling, reason=reason))
    return _and_the_open_question(game, TurnOverruled(now_ms=now, turn=turn, judged=judged), now)


def _and_the_open_question(game: Game, decided: TurnOverruled | TurnCorrected, now: int) -> Events:
    """Judge the turn whose question is open again too, by the table that was seen."""
    undecided, then = game.now.undecided, apply(game, decided).now
    if undecided is None or then.called is None:
        return (decided,)
    return (decided, decide(then, undecided.seen, undecided.call, now))


def _check_ruling(before: Table, after: Table, ruling: Ruling) -> None:
    if ruling is Ruling.LEGAL and not tiles_played(before, after):
        raise GameError(Refusal.NOT_LEGAL)


def correct(game: Game, turn: int, table: Table, sight: Sight, *, now: int) -> Events:
    """Say what lies on the table at the end of the present turn, or what lay there at the end of a past one."""
    at = game.now
    if at.undecided and turn == at.turn:
        return (decide(at, table, at.undecided.call, now),)
    if at.phase is Phase.PLAY and turn == at.turn:
        entered = TableEntered(now_ms=now, table=table, instead_of=notation(sight.seen))
        return (entered, decide(at, table, at.called, now)) if at.called else (entered,)
    if _past(at, turn).seen == table:
        return ()
    judged = judge_again(game, Again(turn, table=table))
    return _and_the_open_question(game, TurnCorrected(now_ms=now, turn=turn, judged=judged), now)


def look_again(game: Game, *, now: int) -> Events:
    """Drop the open question: the table is put right, and judged at the next "done"."""
    _asking(game.now)
    return (LookedAgain(now_ms=now),)


def restored(game: Game, *, now: int) -> Events:
    """Say that the table is again as it was; the next turn begins."""
    if game.now.phase is not Phase.RESTORE:
        raise GameError(Refusal.NOT_RESTORING)
    return (TableRestored(now_ms=now),)
