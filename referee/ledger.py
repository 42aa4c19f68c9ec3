"""The game and its log, held together: nothing is seen before it is written."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import NamedTuple

from referee.clock import PauseReason
from referee.database import WAY_OUT
from referee.decisions import Events
from referee.errors import GameError, LogError, Refusal
from referee.events import ClockPaused
from referee.game import Game, replay
from referee.log import Log, SavedTime, Stamp

SYNC_MS = 1000
"""How much of a turn's time a power cut may lose."""


class State(NamedTuple):
    """A game at one moment: `version` is the sequence number of its last event in the log, 0 before the first."""

    version: int
    game: Game


class StaleError(GameError):
    """An action was asked for by someone who saw another state; `state` is the present one."""

    def __init__(self, state: State, seen: int) -> None:
        self.state = state
        super().__init__(Refusal.STALE, present=state.version, seen=seen)


Listener = Callable[[State], None]


class Ledger:
    """The one game that is played, the fold of its log; swapped whole under a lock."""

    def __init__(self, log: Log, *, now: int, wall: Callable[[], int]) -> None:
        """Fold the log; a clock that ran when the program was ended stands at the time saved last.

        Raises:
            LogError: the log cannot be read.
        """
        self.log = log
        self.wall = wall
        self._lock = RLock()
        self._listeners: tuple[Listener, ...] = ()
        self._synced_ms = now
        logged = log.present()
        self._game_id = logged.game
        try:
            self.state = State(logged.version, replay(logged.events))
        except (LookupError, ValueError) as error:
            msg = f"{log.path}: its events contradict each other ({error!r}); it is left as it is: {WAY_OUT}"
            raise LogError(msg) from error
        self._stop_clock(now)

    @property
    def game(self) -> Game:
        """The present game."""
        return self.state.game

    @property
    def game_id(self) -> int:
        """The present game's number in the log, 0 before the first."""
        return self._game_id

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have a function called with every new state, from the thread that made it; give a function that ends this."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def end() -> None:
            with self._lock:
                self._listeners = tuple(each for each in self._listeners if each is not listener)

        return end

    @contextmanager
    def changing(self, version: int | None = None) -> Iterator[None]:
        """Hold the game while it changes, and tell the listeners afterwards.

        Raises:
            StaleError: `version` is not the present one (None: nobody looked).
        """
        told: tuple[Listener, ...] = ()
        try:
            with self._lock:
                before = self.state
                if version is not None and version != before.version:
                    raise StaleError(before, version)
                try:
                    yield
                finally:
                    after = self.state
                    told = self._listeners if after is not before else ()
        finally:
            for listener in told:
                listener(after)

    def commit(self, events: Events, now: int) -> None:
        """Write events, then let them be seen; only while `changing`.

        Raises:
            GameError: they would make tiles out of nothing.
            LogError: they could not be written.
        """
        if not events:
            return
        game = replay(events, self.game)
        if game.now.pool < 0:
            raise GameError(Refusal.OUT_OF_NOTHING, count=-game.now.pool)
        stamp = Stamp(self.wall(), game.now.turn, game.now.clock.used(now))
        logged = self.log.append(events, stamp, after=self.state.version)
        self._game_id = logged.game
        self.state = State(logged.version, game)

    def save_time(self, now: int) -> None:
        """Write over the time used, once a second so that a power cut does not lose it."""
        synced = now - self._synced_ms >= SYNC_MS
        at = self.game.now
        self.log.save_time(SavedTime(self._game_id, at.turn, at.clock.used(now)), synced=synced)
        if synced:
            self._synced_ms = now

    def close(self) -> None:
        """Close the log."""
        with self._lock:
            self.log.close()

    def _stop_clock(self, now: int) -> None:
        """Stop a clock that ran when the program was ended, at what was saved of it last."""
        at = self.game.now
        if at.clock.running:
            saved = self.log.saved_time()
            known = saved is not None and (saved.game, saved.turn) == (self._game_id, at.turn)
            used = saved.used_ms if saved is not None and known else at.clock.used_ms
            self.commit((ClockPaused(now_ms=now, reason=PauseReason.RESTART, used_ms=used),), now)
