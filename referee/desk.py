"""The referee at the table: the one place where a game changes.

The desk holds one immutable game. Whatever happens is made into events, written to the log, and only then seen. It may
be called from any thread; it never asks what time it is, but is told.
"""

from collections.abc import Callable, Sequence

from referee import appeals, decisions
from referee.clock import JUMP_MS, PauseReason, Tick, wall_clock_ms
from referee.decisions import USUAL_SETUP, Events, Moment, Setup
from referee.ending import Racks, count_racks
from referee.errors import GameError, Refusal
from referee.events import ClockPaused, FirstMoveSeen, TableRestored, TurnCalled
from referee.game import Game
from referee.judging import decide, judge_seen
from referee.ledger import Ledger, Listener, State
from referee.log import Log
from referee.position import Call, Phase, Position
from referee.rules import RuleSet, TimerStarts
from referee.sight import Seen, Sight, lies_as, notation
from referee.table import Table
from referee.tiles import Tile
from referee.verdict import Ruling, Verdict

Decide = Callable[[Game], Events]


class Desk:
    """The referee at the table.

    Every action takes `now`, milliseconds of one monotonic clock, and `version`, the state's version that it was
    decided upon (None where nobody looked); it returns the new state. With an old version it raises `StaleError`,
    where the game does not allow it `GameError`, and `LogError` where it could not be written; then nothing changed.
    A clock that ran when the program was ended stands at the time saved last.
    """

    def __init__(self, log: Log, *, now: int, watched: bool = False, wall: Callable[[], int] = wall_clock_ms) -> None:
        """Open the desk on a log; `watched` where a camera looks on, without which tables are given by hand.

        Raises:
            LogError: the log cannot be read.
        """
        self.log = log
        self._ledger = Ledger(log, now=now, wall=wall)
        self._sight = Sight()
        self._watched = watched
        self._tick: Tick | None = None

    @property
    def state(self) -> State:
        """The present state."""
        return self._ledger.state

    @property
    def game(self) -> Game:
        """The present game."""
        return self.state.game

    @property
    def version(self) -> int:
        """The present state's version."""
        return self.state.version

    @property
    def game_id(self) -> int:
        """The present game's number in the log, 0 before the first."""
        return self._ledger.game_id

    @property
    def sight(self) -> Sight:
        """What the camera has last made of the table."""
        return self._sight

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have a function called with every new state, from the thread that made it; give a function that ends this."""
        return self._ledger.subscribe(listener)

    def close(self) -> None:
        """Close the log."""
        self._ledger.close()

    # What the camera and the time tell.

    def observe(self, seen: Seen, *, captured: int, now: int) -> Verdict | None:
        """Take in what the camera reads of a table that has lain still since `captured`.

        Returns:
            What the verdict would be if the turn ended now, which is not kept; None where no turn is played.
        """
        with self._ledger.changing():
            self._watched = True
            self._end_when_time_is_up(now)
            before, self._sight = self._sight, self._sight.observe(seen, captured)
            called = self.game.now.called
            if called and called.timed_out:
                late = before.seen if captured > called.at_ms else None
                self._decide(self._unless_entered(seen if late is None else late), called, now)
            self._settle(now)
            if self.game.now.phase is Phase.RESTORE and lies_as(seen, self.game.now.table):
                self._ledger.commit((TableRestored(now_ms=now),), now)
        at = self.game.now
        return judge_seen(at, seen) if at.phase is Phase.PLAY else None

    def watch(self, *, captured: int, still: bool, now: int) -> None:
        """Take in that a picture was looked at, and whether the table lay still in it with no hand over it."""
        with self._ledger.changing():
            self._watched = True
            self._sight = self._sight.look(captured, still=still)
            self._end_when_time_is_up(now)
            self._settle(now)

    def use_camera(self, *, on: bool) -> None:
        """Say whether a camera looks on; without one, tables are given by hand."""
        with self._ledger.changing():
            self._watched = on
            self._sight = Sight()

    def first_move(self, *, now: int) -> State:
        """Take in that a tile was moved: a clock that waits for it starts (7.2)."""
        return self._act(lambda game: _first_move(game.now, now), None, now)

    def tick(self, *, now: int, wall_ms: int) -> None:
        """Take in the time, about five times a second: saves what is used, ends a turn whose time is up.

        After more than five seconds unseen the clock stands at what it was before them.
        """
        with self._ledger.changing():
            last, tick = self._tick, Tick(now, wall_ms)
            if self.game.now.clock.running:
                self._pass_time(last, tick)
            self._tick = tick
            self._settle(now)

    # What players and the referee say about a turn.

    def end_turn(
        self, *, version: int | None, now: int, player: str | None = None, table: Table | None = None
    ) -> State:
        """Take in "done": the turn is judged by the table given, or as it lies still, or as soon as it does.

        Said again it changes nothing, unless an open question can be judged by a new look at the table.

        Args:
            version: the state's version that was seen.
            now: when it was said.
            player: who said it, where that is known.
            table: the table as it lies, given by hand.

        Raises:
            GameError: no turn is played, or it is another player's.
        """
        with self._ledger.changing(version):
            self._mind_the_silence(now)
            at = self.game.now
            _check_done(at, player)
            call = _call_of(at, now)
            seen = self._lying(call, now) if table is None else table
            if seen is None and not at.called and not at.undecided:
                event = TurnCalled(now_ms=now, used_ms=call.used_ms, at_ms=call.at_ms, timed_out=call.timed_out)
                self._ledger.commit((event,), now)
            elif seen is not None and not (at.undecided and at.undecided.seen == seen):
                self._decide(seen, call, now)
        return self.state

    def answer(self, doubt: int, answer: str, *, version: int | None, now: int) -> State:
        """Answer a doubt: its place in the verdict that asks, and one of its answers."""
        return self._act(lambda game: appeals.answer(game, doubt, answer, now=now), version, now)

    def overrule(self, turn: int, ruling: Ruling, reason: str, *, version: int | None, now: int) -> State:
        """Decide a turn otherwise than the referee did; later turns are judged again."""
        return self._act(lambda game: appeals.overrule(game, turn, ruling, reason, now=now), version, now)

    def correct(self, turn: int, table: Table, *, version: int | None, now: int) -> State:
        """Say what lies on the table in the present turn, or what lay there at the end of a past one."""
        return self._act(lambda game: appeals.correct(game, turn, table, self._sight, now=now), version, now)

    def look_again(self, *, version: int | None, now: int) -> State:
        """Drop the open question; the turn goes on."""
        return self._act(lambda game: appeals.look_again(game, now=now), version, now)

    def restored(self, *, version: int | None, now: int) -> State:
        """Say that the table has been put back; the next turn begins."""
        return self._act(lambda game: appeals.restored(game, now=now), version, now)

    # What people decide about the game.

    def start(
        self, names: Sequence[str], rules: RuleSet, *, version: int | None, now: int, setup: Setup = USUAL_SETUP
    ) -> State:
        """Start a game."""
        when = Moment(now, self._ledger.wall())
        return self._act(lambda game: decisions.start(game, names, rules, when=when, setup=setup), version, now)

    def undo(self, *, version: int | None, now: int, turn: int | None = None) -> State:
        """Take back the last decision, or all of them back to the beginning of a turn."""
        return self._act(lambda game: decisions.undo(game, turn, now), version, now)

    def redo(self, *, version: int | None, now: int) -> State:
        """Bring back the last decision that was taken back."""
        return self._act(lambda game: decisions.redo(game, now), version, now)

    def set_hand(self, player: str, count: int, *, version: int | None, now: int) -> State:
        """Set how many tiles a player holds."""
        return self._act(lambda game: decisions.set_hand(game, player, count, now), version, now)

    def set_score(self, player: str, score: int, *, version: int | None, now: int) -> State:
        """Set a player's score of the match."""
        return self._act(lambda game: decisions.set_score(game, player, score, now), version, now)

    def rename(self, player: str, name: str, *, version: int | None, now: int) -> State:
        """Call a player otherwise."""
        return self._act(lambda game: decisions.rename(game, player, name, now), version, now)

    def set_rules(self, rules: RuleSet, *, version: int | None, now: int, whole_game: bool = False) -> State:
        """Change the rules, from the present turn on or for the whole game."""
        return self._act(lambda game: decisions.set_rules(game, rules, now, whole_game=whole_game), version, now)

    def leave(self, player: str, *, version: int | None, now: int) -> State:
        """Let a player leave the game."""
        return self._act(lambda game: decisions.leave(game, player, now), version, now)

    def join(self, name: str, *, version: int | None, now: int) -> State:
        """Let somebody play from the next game on."""
        return self._act(lambda game: decisions.join(game, name, now), version, now)

    def choose_turn(self, player: str, *, version: int | None, now: int) -> State:
        """Give the present turn to a player."""
        return self._act(lambda game: decisions.choose_turn(game, player, now), version, now)

    def play_without(self, tile: Tile, *, version: int | None, now: int, table: Table | None = None) -> State:
        """Go on without a missing tile; `table` is what lies from now on, where more than the tile changes."""
        return self._act(lambda game: decisions.play_without(game, tile, table, now), version, now)

    def found(self, tile: Tile, *, version: int | None, now: int) -> State:
        """Put a lost tile that was found into the pool."""
        return self._act(lambda game: decisions.found(game, tile, now), version, now)

    def pause(self, *, version: int | None, now: int, reason: PauseReason = PauseReason.PERSON) -> State:
        """Stop the clock."""
        return self._act(lambda game: decisions.pause(game, reason, now), version, now)

    def resume(self, *, version: int | None, now: int) -> State:
        """Let the clock run on."""
        return self._act(lambda game: decisions.resume(game, now), version, now)

    def add_time(self, seconds: int, *, version: int | None, now: int) -> State:
        """Give the present turn more time, or less."""
        return self._act(lambda game: decisions.add_time(game, seconds, now), version, now)

    def end_game(self, *, version: int | None, now: int) -> State:
        """End the game before its time."""
        return self._act(lambda game: decisions.end_game(game, now), version, now)

    def count_racks(self, racks: Racks, *, version: int | None, now: int, anyway: bool = False) -> State:
        """Score a game that has ended by the tiles left (`RackError` where they do not fit)."""
        when = Moment(now, self._ledger.wall())
        return self._act(lambda game: count_racks(game, racks, when, anyway=anyway), version, now)

    # How it is done.

    def _act(self, decide: Decide, version: int | None, now: int) -> State:
        with self._ledger.changing(version):
            self._ledger.commit(decide(self.game), now)
        return self.state

    def _decide(self, seen: Seen, call: Call, now: int) -> None:
        self._ledger.commit((decide(self.game.now, seen, call, now),), now)

    def _settle(self, now: int) -> None:
        """Decide a turn whose end was called, as soon as its table is seen."""
        called = self.game.now.called
        seen = self._watching(called, now) if called and self._watched else None
        if called and seen is not None:
            self._decide(seen, called, now)

    def _lying(self, call: Call, now: int) -> Seen | None:
        """Give what lies on the table: as entered, as seen, or without a camera as it lay before."""
        at = self.game.now
        if self._watched:
            return self._watching(call, now)
        return at.entered.table if at.entered else at.table

    def _watching(self, call: Call, now: int) -> Seen | None:
        """Give what the camera sees, or what a person entered in place of just that."""
        entered, seen = self.game.now.entered, self._sight.at_call(call, now)
        if entered and entered.instead_of == notation(self._sight.seen) and (seen or not self._sight.seen):
            return entered.table
        return seen

    def _unless_entered(self, seen: Seen) -> Seen:
        """Give what a person entered in place of just this reading, else the reading."""
        entered = self.game.now.entered
        return entered.table if entered and entered.instead_of == notation(seen) else seen

    def _pass_time(self, last: Tick | None, tick: Tick) -> None:
        if last is not None and last.jumps_to(tick):
            self._ledger.commit((ClockPaused(now_ms=last.now_ms, reason=PauseReason.JUMP),), tick.now_ms)
        else:
            self._ledger.save_time(tick.now_ms)
            self._end_when_time_is_up(tick.now_ms)

    def _mind_the_silence(self, now: int) -> None:
        """Stop the clock before a silence of the time, where something else than the next tick comes first after it."""
        last = self._tick
        if last is not None and self.game.now.clock.running and now - last.now_ms > JUMP_MS:
            self._ledger.commit((ClockPaused(now_ms=last.now_ms, reason=PauseReason.JUMP),), now)

    def _end_when_time_is_up(self, now: int) -> None:
        self._mind_the_silence(now)
        at = self.game.now
        deadline = at.clock.deadline_ms
        if at.phase is Phase.PLAY and deadline is not None and now >= deadline:
            used = at.clock.used(deadline)
            self._ledger.commit((TurnCalled(now_ms=now, used_ms=used, at_ms=deadline, timed_out=True),), now)


def _first_move(at: Position, now: int) -> Events:
    return (FirstMoveSeen(now_ms=now),) if at.clock.pause is PauseReason.FIRST_MOVE or _waited(at, now) else ()


def _waited(at: Position, now: int) -> bool:
    """Whether the turn's end was called before the first move was seen, which was made earlier (7.2)."""
    if at.called is None or at.rules.timer_starts is not TimerStarts.FIRST_MOVE:
        return False
    return not at.called.used_ms and now < at.called.at_ms


def _check_done(at: Position, player: str | None) -> None:
    if at.phase not in (Phase.PLAY, Phase.VERDICT):
        raise GameError(Refusal.NO_TURN)
    if player is not None and player != at.players[at.seat].name:
        raise GameError(Refusal.OTHERS_TURN, name=at.players[at.seat].name, other=player)


def _call_of(at: Position, now: int) -> Call:
    """Give the call of a turn's end: the one that was made, or one made now."""
    if at.undecided:
        return at.undecided.call
    return at.called or Call(at.clock.used(now), now, timed_out=at.clock.left_ms(now) == 0)
