"""A game refereed on a clock that is set from outside: what `demo --no-serve` and `replay` have in common.

The same watcher and desk as at a live table, called one picture after the other; a second may pass in a millisecond.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.decisions import USUAL_SETUP, Setup
from referee.desk import Desk
from referee.ending import RackError
from referee.log import Log
from referee.position import Phase, Position
from referee.rules import RuleSet
from referee.sight import best_table
from referee.table import Row, Table
from referee.verdict import Ruling, Verdict
from vision.capture import frame_of
from vision.frames import Frame, Picture
from web.events import Broadcaster
from web.feed import Feed
from web.told import Said
from web.watch import Gate, Reader, Watcher

TICK_MS = 1000


@dataclass
class SetClock:
    """A clock that stands where it was set, in milliseconds."""

    now_ms: int = 0

    def __call__(self) -> int:
        """Give the time."""
        return self.now_ms


@dataclass
class Trial:
    """A desk, a watcher, and the clock that both go by."""

    desk: Desk
    watcher: Watcher
    clock: SetClock
    _worked_s: float = 0.0
    _numbered: int = 0

    @classmethod
    @contextmanager
    def open(cls, reader: Reader, gate: Gate, looks: int) -> Iterator["Trial"]:
        """Open a trial on a log that is thrown away."""
        with tempfile.TemporaryDirectory(prefix="rummy-referee-") as folder:
            clock = SetClock()
            log = Log.open(Path(folder) / "game.db", who="rummy-referee")
            desk = Desk(log, now=0, watched=True, wall=clock)
            feed = Feed(draw=lambda _picture, _reading, _verdict: b"")
            watcher = Watcher(desk, feed, Broadcaster(1), reader, gate, now=clock, looks=looks)
            try:
                yield cls(desk, watcher, clock)
            finally:
                desk.close()

    @property
    def at(self) -> Position:
        """Where the game stands."""
        return self.desk.game.now

    @property
    def scores(self) -> dict[str, int]:
        """The scores by the referee."""
        return {player.name: player.score for player in self.at.players}

    @property
    def worked_s(self) -> float:
        """The seconds of work that the referee has done so far."""
        return self._worked_s

    def start(self, players: tuple[str, ...], rules: RuleSet, setup: Setup = USUAL_SETUP) -> None:
        """Start the game."""
        self.desk.start(players, rules, version=None, now=self.clock(), setup=setup)

    def pass_to(self, at_ms: int) -> None:
        """Let time pass, as a desk wants to hear it: a second at most at once."""
        while self.clock.now_ms < at_ms:
            self.clock.now_ms = min(at_ms, self.clock.now_ms + TICK_MS)
            self.desk.tick(now=self.clock(), wall_ms=self.clock())

    def look(self, frame: Frame) -> None:
        """Show the referee a picture."""
        with self._working():
            self.watcher.take(frame)

    def done(self, player: str | None) -> None:
        """Have a player say "done"; somebody else's word is not heard."""
        with self._working():
            self.desk.end_turn(version=None, now=self.clock(), player=player)

    def said_of(self, number: int) -> Said | None:
        """Give what was said of a turn, None where nothing has been yet."""
        return said_of(self.desk, number)

    def put_right(self, number: int, table: Table, ruling: Ruling) -> None:
        """Have a person say what really lay there, and what it was."""
        put_right(self.desk, (number, table, ruling), self.clock())

    def accept(self, number: int) -> None:
        """Have a person go on from an open verdict with what was most probably seen."""
        undecided = self.at.undecided
        if undecided is None:
            return
        self.desk.correct(number, best_table(undecided.seen), version=None, now=self.clock())
        if self.at.phase is Phase.VERDICT:
            self.desk.overrule(number, _as_far_as_can_be(undecided.verdict), "", version=None, now=self.clock())

    def restored(self) -> None:
        """Have a person say that the table has been put back."""
        if self.at.phase is Phase.RESTORE:
            self.desk.restored(version=None, now=self.clock())

    def count(self, racks: dict[str, Row]) -> bool:
        """Score the game by the tiles left, where it has ended; say whether they can be what was left."""
        if self.at.phase is Phase.ENDED:
            try:
                self.desk.count_racks(racks, version=None, now=self.clock(), anyway=True)
            except RackError:
                return False
        return True

    def frame(self, image: Picture, at_ms: int) -> Frame:
        """Make a picture of an array (h, w, 3)."""
        self._numbered += 1
        return frame_of(image, at_ms, self._numbered)

    @contextmanager
    def _working(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self._worked_s += time.perf_counter() - start


def said_of(desk: Desk, number: int) -> Said | None:
    """Give what a desk said of a turn, None where it has said nothing yet."""
    at = desk.game.now
    if at.undecided and at.turn == number:
        return Said(at.undecided.verdict, at.undecided.seen, charged_ms=at.undecided.call.used_ms)
    past = at.past(number)
    return None if past is None else Said(past.verdict, past.seen, charged_ms=past.used_ms)


def put_right(desk: Desk, truth: tuple[int, Table, Ruling], now: int) -> None:
    """Tell a desk what really lay there at the end of a turn, and what the turn was."""
    number, table, ruling = truth
    desk.correct(number, table, version=None, now=now)
    past = desk.game.now.past(number)
    if past is None or past.ruling is not ruling:
        desk.overrule(number, ruling, "as it was", version=None, now=now)


def _as_far_as_can_be(verdict: Verdict) -> Ruling:
    return Ruling.LEGAL if verdict.played else Ruling.DRAW
