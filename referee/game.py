"""A game as the fold of its events: `apply(game, event)`, `replay(events)`.

A game holds where it stands, the steps that led there (so that a past turn can be judged again), and what "undo" and
"redo" go back to. Undoing is by decisions: a turn, an overruling, a count set by hand, each takes one "undo". Verdicts
are facts in the events: a fold never judges.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from referee.clock import PauseReason
from referee.course import advance, new_clock
from referee.events import (
    Event,
    GameStarted,
    Judged,
    RacksCounted,
    Redone,
    Rejudgement,
    RulesChanged,
    TableRestored,
    TileLost,
    TurnAsked,
    TurnCalled,
    TurnCorrected,
    TurnEnded,
    TurnOverruled,
    Undone,
)
from referee.history import carry, changes
from referee.position import Phase, Position

Decide = Callable[[TurnEnded, Position], TurnEnded]
"""Decides a past turn anew, from where the game now stood when it was played."""


class Step(NamedTuple):
    """An event that counts, and where the game stood before it."""

    event: Event
    before: Position


class Saved(NamedTuple):
    """What an undone decision goes back to: where the game stood before it, and the steps up to there."""

    decision: Event
    position: Position
    steps: tuple[Step, ...]


class Shelved(NamedTuple):
    """What a redone decision goes forward to, and when it was undone."""

    saved: Saved
    position: Position
    steps: tuple[Step, ...]
    at_ms: int


NO_GAME = Position()


class Game(NamedTuple):
    """A game and the match around it: where it stands `now`, the steps that count, what can be undone and redone."""

    now: Position = NO_GAME
    steps: tuple[Step, ...] = ()
    past: tuple[Saved, ...] = ()
    undone: tuple[Shelved, ...] = ()

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision to take back."""
        return bool(self.past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a decision to bring back."""
        return bool(self.undone)


EMPTY_GAME = Game()


def replay(events: Iterable[Event], start: Game = EMPTY_GAME) -> Game:
    """Fold events into a game, from the beginning or from an earlier game."""
    return reduce(apply, events, start)


def apply(game: Game, event: Event) -> Game:
    """Give the game after an event.

    Raises:
        LookupError: nothing is left to undo or to redo, or a turn was not judged again that should be.
    """
    kind = type(event)
    if kind in _BEYOND_THE_POSITION:
        return _apply_to_all(game, event)
    now = advance(event, game.now)
    if event.UNDOABLE:
        return _decided(game, event, now)
    steps = (*game.steps, Step(event, game.now)) if kind is TableRestored else game.steps
    return Game(now, steps, game.past, game.undone)


_BEYOND_THE_POSITION = frozenset({GameStarted, Undone, Redone, TurnCorrected, TurnOverruled, RulesChanged})
_CALLS = frozenset({TurnCalled, TurnAsked})
_AFTER_CALLS = frozenset({TurnEnded, TurnAsked})


def _apply_to_all(game: Game, event: Event) -> Game:
    """Apply an event that changes more than where the game stands."""
    if isinstance(event, Undone):
        return _undo(game, event)
    if isinstance(event, Redone):
        return _redo(game, event)
    if isinstance(event, Rejudgement):
        return _judged_again(game, event)
    return Game(advance(event, game.now))


def _decided(game: Game, event: Event, now: Position) -> Game:
    """Take a decision in: what ended a turn also replaces the questions on the way there."""
    saved, past = Saved(event, game.now, game.steps), game.past
    kind = type(event)
    steps = game.steps if kind in _CALLS else (*game.steps, Step(event, game.now))
    while kind in _AFTER_CALLS and past and type(past[-1].decision) in _CALLS:
        saved, past = past[-1]._replace(decision=event), past[:-1]
    return Game(now, steps, (*past, saved))


def _undo(game: Game, event: Undone) -> Game:
    saved = game.past[-1]
    shelved = Shelved(saved, game.now, game.steps, event.now_ms)
    now = _as_people_are(_as_it_was(saved, game.now), game.now)
    return Game(now, saved.steps, game.past[:-1], (*game.undone, shelved))


def _as_it_was(saved: Saved, now: Position) -> Position:
    """Give the position before a decision; an undone turn begins again, its time whole, the clock standing (8.3)."""
    was = saved.position
    if isinstance(saved.decision, TurnEnded):
        clock = new_clock(was.rules, 0)._replace(since_ms=None, pause=PauseReason.UNDO)
        return was._replace(phase=Phase.PLAY, clock=clock, undecided=None, called=None, entered=None)
    if _same_moment(was, now):
        return was._replace(clock=now.clock)
    return was._replace(clock=was.clock.stop(saved.decision.now_ms, PauseReason.UNDO)) if was.clock.running else was


def _same_moment(one: Position, other: Position) -> bool:
    """Whether the same turn is under way in two positions, at the same stage."""
    return (one.turn, one.seat, one.phase, one.called) == (other.turn, other.seat, other.phase, other.called)


def _as_people_are(then: Position, now: Position) -> Position:
    """Keep what undoing does not touch: how players are called, and who joins with the next game."""
    if [player.name for player in then.players] != [player.name for player in now.players]:
        named = zip(then.players, now.players, strict=True)
        then = then._replace(players=tuple([player._replace(name=other.name) for player, other in named]))
    return then if then.joining == now.joining else then._replace(joining=now.joining)


def _redo(game: Game, event: Redone) -> Game:
    """Bring a decision back; a clock that ran when it was undone runs on, without the time in between."""
    shelved = game.undone[-1]
    clock = shelved.position.clock.shift(event.now_ms - shelved.at_ms)
    now = _as_people_are(shelved.position._replace(clock=clock), game.now)
    return Game(now, shelved.steps, (*game.past, shelved.saved), game.undone[:-1])


def _judged_again(game: Game, event: Rejudgement) -> Game:
    """Take in a decision about the past: its turn and all later ones as they were judged again."""
    judged = {each.turn: each for each in event.judged}
    changed = event if isinstance(event, RulesChanged) else None
    steps, now = retell(game, event.turn, lambda ended, at: _as_judged(ended, judged[at.turn]), changed)
    saved = Saved(event, game.now, game.steps)
    told = changes(game.now.turns, now.turns)
    now = _at_the_table(now, game.now, event.now_ms)._replace(changes=told)
    return Game(_as_people_are(now, game.now), steps, (*game.past, saved))


def _as_judged(ended: TurnEnded, judged: Judged) -> TurnEnded:
    return replace(ended, table=judged.table, verdict=judged.verdict, ruling=judged.ruling, reason=judged.reason)


def retell(
    game: Game, turn: int, decide: Decide, changed: RulesChanged | None = None
) -> tuple[tuple[Step, ...], Position]:
    """Tell the course of the game again from a turn on, each turn decided anew, under other rules where given.

    A turn that comes after the end of the game no longer counts; a table that has to go back does so before the next
    turn; a count of the racks holds only where the game ends as it did.
    """
    kept = next((i for i in reversed(range(len(game.steps))) if _ends(game.steps[i], turn)), len(game.steps))
    steps = list(game.steps[:kept])
    now = game.steps[kept].before if kept < len(game.steps) else game.now
    told = game.steps[kept:]
    if changed is not None:
        told = (Step(changed, now), *(step for step in told if not isinstance(step.event, RulesChanged)))
    for step in told:
        for event in _retold(step, now, decide):
            steps.append(Step(event, now))
            now = advance(event, now)
    return tuple(steps), now


def _ends(step: Step, turn: int) -> bool:
    return isinstance(step.event, TurnEnded) and step.before.turn == turn


def _retold(step: Step, now: Position, decide: Decide) -> Iterable[Event]:
    """Give the events that a step becomes, told from another position."""
    event = step.event
    if now.phase is Phase.RESTORE and step.before.phase in (Phase.PLAY, Phase.VERDICT):
        restored = TableRestored(now_ms=event.now_ms)
        return (restored, *_retold(step, advance(restored, now), decide))
    if isinstance(event, RacksCounted):
        return (event,) if _ending(step.before) == _ending(now) else ()
    if isinstance(event, TileLost):
        return (replace(event, table=carry(now.table, step.before.table, event.table) or now.table),)
    if isinstance(event, TurnEnded):
        return () if now.phase is Phase.ENDED else (decide(event, now),)
    return (event,)


def _ending(at: Position) -> tuple[object, ...]:
    """Say how a game ended, as far as its scores hang on it."""
    return at.phase, at.out, len(at.turns), at.out is not None and at.turns[-1].whole_hand


def _at_the_table(told: Position, now: Position, now_ms: int) -> Position:
    """Fit a retold position to the present: the time of the turn that is under way goes on."""
    if not (told.underway and now.underway and (told.turn, told.seat) == (now.turn, now.seat)):
        return told._replace(clock=new_clock(told.rules, now_ms)) if told.phase is Phase.PLAY else told
    limit = told.rules.turn_seconds
    clock = now.clock if limit == now.rules.turn_seconds else now.clock.limited(limit)
    called = now.undecided.call if now.undecided else now.called
    return told._replace(clock=clock, called=called, entered=now.entered)
