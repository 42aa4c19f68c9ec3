"""What each event does to the position of a game (RULEBOOK sections 2, 7, 8, 9): `advance(event, position)`.

Undoing, and judging the past again, concern more than the position: they are in `game`.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from referee.clock import Clock, PauseReason
from referee.events import (
    ClockPaused,
    ClockResumed,
    DoubtAnswered,
    Event,
    FirstMoveSeen,
    GameEnded,
    GameStarted,
    HandSet,
    LookedAgain,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    RacksCounted,
    RulesChanged,
    ScoreSet,
    TableEntered,
    TableRestored,
    TileFound,
    TileLost,
    TimeAdded,
    TurnAsked,
    TurnCalled,
    TurnChosen,
    TurnEnded,
)
from referee.history import Turn
from referee.match import GameRecord, Match
from referee.position import Call, Entered, Phase, Player, Position
from referee.rules import EmptyPool, RuleSet, TimerStarts
from referee.table import Table
from referee.tiles import JOKER, NUMBERED, Tile
from referee.verdict import Ruling

LEAST_PLAYERS = 2
_ORDER = {tile: place for place, tile in enumerate((*NUMBERED, JOKER))}


E = TypeVar("E", bound=Event)
Handler = Callable[[E, Position], Position]
_HANDLERS: dict[type[Event], Handler[Any]] = {}


def _on(kind: type[E]) -> Callable[[Handler[E]], Handler[E]]:
    """Register what a kind of event does."""

    def register(handler: Handler[E]) -> Handler[E]:
        _HANDLERS[kind] = handler
        return handler

    return register


def advance(event: Event, at: Position) -> Position:
    """Give the position after an event.

    Raises:
        KeyError: the event is one of those that only `game.apply` handles.
    """
    return _HANDLERS[type(event)](event, at)


def tiles_played(before: Table, after: Table) -> tuple[Tile, ...]:
    """Give the tiles that came to the table, black, red, blue, orange, then jokers."""
    new: Counter[Tile] = after.tiles - before.tiles
    return tuple(sorted(new.elements(), key=_ORDER.__getitem__))


def same_melds(one: Table, other: Table) -> bool:
    """Whether two tables hold the same rows, wherever and whichever way round each lies."""
    if len(one.rows) != len(other.rows):
        return False
    return one.rows == other.rows or sorted(map(_either_way, one.rows)) == sorted(map(_either_way, other.rows))


def _either_way(row: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return min(row, row[::-1])


@_on(GameStarted)
def _game_started(event: GameStarted, at: Position) -> Position:
    given = zip(event.names, event.hands, event.scores, strict=True)
    return Position(
        rules=event.rules,
        match=Match(event.wall_ms) if event.number == 1 else at.match,
        game=event.number,
        players=tuple(Player(name, hand, score, event.opened) for name, hand, score in given),
        table=event.table,
        phase=Phase.PLAY,
        turn=1,
        seat=event.starter,
        starter=event.starter,
        clock=new_clock(event.rules, event.now_ms),
    )


def new_clock(rules: RuleSet, now: int) -> Clock:
    """Give the clock of a turn that begins."""
    return Clock.of(rules.turn_seconds, now, first_move=rules.timer_starts is TimerStarts.FIRST_MOVE)


def _next_seat(at: Position) -> int:
    """Give the seat after the present one, passing over those who left."""
    players, later = at.players, at.seat + 1
    seats: tuple[int, ...] = (*range(later, len(players)), *range(later))
    return next(seat for seat in seats if players[seat].present)


@_on(TurnEnded)
def _turn_ended(event: TurnEnded, at: Position) -> Position:
    pool = at.pool
    turn = _decided(event, at, pool)
    legal = turn.ruling is Ruling.LEGAL
    hand = max(0, turn.hand - len(turn.played)) if legal else turn.hand + turn.drawn
    name, _, score, opened, present = at.players[turn.seat]
    player = Player(name, hand, score, opened or legal, present)
    passes = 0 if legal or pool > 0 else at.passes + 1
    out = turn.seat if legal and hand == 0 else None
    over = out is not None or _pool_ends(at, pool - turn.drawn, passes)
    return at._replace(
        players=(*at.players[: turn.seat], player, *at.players[turn.seat + 1 :]),
        table=turn.after,
        passes=passes,
        verdict=event.verdict,
        turns=(*at.turns, turn),
        changes=(),
        out=out,
        **_after(turn, at, event.now_ms, over=over),
    )


def _pool_ends(at: Position, pool: int, passes: int) -> bool:
    """Whether the game is over because the pool is empty (9.3)."""
    if at.rules.empty_pool is EmptyPool.ENDS:
        return pool == 0
    return passes > 0 and passes >= sum(player.present for player in at.players)


def _after(turn: Turn, at: Position, now: int, *, over: bool) -> dict[str, Any]:
    """Give what the table waits for after a turn: the end, the old table (8.1), or the next turn."""
    if over:
        return _stopped(Phase.ENDED, at, turn.used_ms)
    if turn.ruling is Ruling.ILLEGAL and not same_melds(turn.before, turn.seen):
        return _stopped(Phase.RESTORE, at, turn.used_ms)
    return _begun(at.turn + 1, _next_seat(at), at, now)


def _stopped(phase: Phase, at: Position, used_ms: int) -> dict[str, Any]:
    """Give the changes to a position in which no turn runs."""
    clock = Clock(at.clock.limit_ms, used_ms, None, PauseReason.TURN_OVER)
    return {"phase": phase, "clock": clock, "undecided": None, "called": None, "entered": None}


def _begun(turn: int, seat: int, at: Position, now: int) -> dict[str, Any]:
    """Give the changes to a position in which a player's turn begins."""
    return {
        "phase": Phase.PLAY,
        "turn": turn,
        "seat": seat,
        "clock": new_clock(at.rules, now),
        "undecided": None,
        "called": None,
        "entered": None,
    }


def _decided(event: TurnEnded, at: Position, pool: int) -> Turn:
    """Make the record of a turn from what was decided, and from where the game stood."""
    player = at.players[at.seat]
    as_judged = event.ruling is event.verdict.ruling
    played = event.verdict.played if as_judged else tiles_played(at.table, event.table)
    back = event.ruling is Ruling.ILLEGAL or (event.ruling is Ruling.DRAW and bool(played))
    return Turn(
        number=at.turn,
        seat=at.seat,
        before=at.table,
        seen=event.table,
        after=at.table if back else event.table,
        verdict=event.verdict,
        ruling=event.ruling,
        played=played,
        drawn=min(_owed(event, at), pool),
        hand=player.hand,
        opened=player.opened,
        used_ms=event.used_ms,
        timed_out=event.timed_out,
        reason=event.reason,
    )


def _owed(event: TurnEnded, at: Position) -> int:
    """Count the tiles that the player draws, if the pool has as many (4.1, 7.3, 8.1)."""
    if event.ruling is Ruling.LEGAL:
        return 0
    if event.ruling is Ruling.DRAW:
        return 1
    return at.rules.timeout_draw if event.timed_out else at.rules.fault_draw


@_on(RulesChanged)
def _rules_changed(event: RulesChanged, at: Position) -> Position:
    return at._replace(rules=event.rules)


@_on(TableRestored)
def _table_restored(event: TableRestored, at: Position) -> Position:
    if at.phase is not Phase.RESTORE:
        return at
    return at._replace(**_begun(at.turn + 1, _next_seat(at), at, event.now_ms))


@_on(FirstMoveSeen)
def _first_move_seen(event: FirstMoveSeen, at: Position) -> Position:
    if at.called is None:
        return at._replace(clock=at.clock.run(event.now_ms))
    clock = at.clock._replace(used_ms=max(0, at.called.at_ms - event.now_ms))  # seen only after "done"
    return at._replace(called=replace(at.called, used_ms=clock.used_ms), clock=clock)


@_on(TableEntered)
def _table_entered(event: TableEntered, at: Position) -> Position:
    return at._replace(entered=Entered(event.table, event.instead_of))


@_on(TurnCalled)
def _turn_called(event: TurnCalled, at: Position) -> Position:
    clock = at.clock._replace(used_ms=event.used_ms, since_ms=None, pause=PauseReason.TURN_OVER)
    return at._replace(called=Call(event.used_ms, event.at_ms, event.timed_out), clock=clock)


@_on(TurnAsked)
def _turn_asked(event: TurnAsked, at: Position) -> Position:
    call = event.undecided.call
    clock = at.clock._replace(used_ms=call.used_ms, since_ms=None, pause=PauseReason.TURN_OVER)
    verdict = event.undecided.verdict
    return at._replace(phase=Phase.VERDICT, undecided=event.undecided, verdict=verdict, called=None, clock=clock)


@_on(DoubtAnswered)
def _doubt_answered(_event: DoubtAnswered, at: Position) -> Position:
    return at


@_on(LookedAgain)
def _looked_again(event: LookedAgain, at: Position) -> Position:
    """Give the turn back to the player, with the time that was left when its end was called."""
    over = at.undecided is not None and at.undecided.call.timed_out
    clock = at.clock if over else at.clock.run(event.now_ms)
    return at._replace(phase=Phase.PLAY, undecided=None, clock=clock, entered=None)


@_on(HandSet)
def _hand_set(event: HandSet, at: Position) -> Position:
    return _with_player(at, event.seat, at.players[event.seat]._replace(hand=event.count))


def _with_player(at: Position, seat: int, player: Player) -> Position:
    return at._replace(players=(*at.players[:seat], player, *at.players[seat + 1 :]))


@_on(ScoreSet)
def _score_set(event: ScoreSet, at: Position) -> Position:
    at = _with_player(at, event.seat, at.players[event.seat]._replace(score=event.score))
    if at.result is None:
        return at
    record = replace(at.match.games[-1], scores=tuple(player.score for player in at.players))
    return at._replace(match=at.match.with_game(record))


@_on(PlayerRenamed)
def _player_renamed(event: PlayerRenamed, at: Position) -> Position:
    return _with_player(at, event.seat, at.players[event.seat]._replace(name=event.name))


@_on(PlayerLeft)
def _player_left(event: PlayerLeft, at: Position) -> Position:
    """Take a player out: the pool is no longer empty, so the row of passes (9.3) is broken."""
    player = at.players[event.seat]._replace(hand=0, present=False)
    at = _with_player(at, event.seat, player)._replace(passes=0)
    if at.underway and sum(each.present for each in at.players) < LEAST_PLAYERS:
        return at._replace(**_stopped(Phase.ENDED, at, at.clock.used_ms))
    if event.seat == at.seat and at.phase in (Phase.PLAY, Phase.VERDICT):
        return at._replace(**_begun(at.turn, _next_seat(at), at, event.now_ms))
    return at


@_on(PlayerJoined)
def _player_joined(event: PlayerJoined, at: Position) -> Position:
    return at._replace(joining=(*at.joining, event.name))


@_on(TurnChosen)
def _turn_chosen(event: TurnChosen, at: Position) -> Position:
    return at._replace(**_begun(at.turn, event.seat, at, event.now_ms)) if at.phase is Phase.PLAY else at


@_on(TileLost)
def _tile_lost(event: TileLost, at: Position) -> Position:
    return at._replace(lost=(*at.lost, event.tile), table=event.table, entered=None)


@_on(TileFound)
def _tile_found(event: TileFound, at: Position) -> Position:
    place = at.lost.index(event.tile)
    return at._replace(lost=at.lost[:place] + at.lost[place + 1 :])


@_on(ClockPaused)
def _clock_paused(event: ClockPaused, at: Position) -> Position:
    clock = at.clock.stop(event.now_ms, event.reason)
    return at._replace(clock=clock if event.used_ms is None else clock._replace(used_ms=event.used_ms))


@_on(ClockResumed)
def _clock_resumed(event: ClockResumed, at: Position) -> Position:
    return at._replace(clock=at.clock.run(event.now_ms))


@_on(TimeAdded)
def _time_added(event: TimeAdded, at: Position) -> Position:
    return at._replace(clock=at.clock.add(event.seconds))


@_on(GameEnded)
def _game_ended(_event: GameEnded, at: Position) -> Position:
    return at._replace(**_stopped(Phase.ENDED, at, at.clock.used_ms))


@_on(RacksCounted)
def _racks_counted(event: RacksCounted, at: Position) -> Position:
    """Score the game; an earlier count of the same game counts no longer."""
    counted = at.result.points if at.result else (0,) * len(at.players)
    gains = zip(at.players, event.result.points, counted, strict=True)
    players = tuple(player._replace(score=player.score + points - before) for player, points, before in gains)
    record = GameRecord(
        number=at.game,
        rules=at.rules,
        names=tuple(player.name for player in players),
        scores=tuple(player.score for player in players),
        result=event.result,
        turns=at.turns,
        ended_ms=event.wall_ms,
    )
    return at._replace(players=players, result=event.result, match=at.match.with_game(record))
