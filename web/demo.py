"""A simulated game before the referee, on a clock of its own: every turn's verdict beside its truth.

Pictures that cannot matter are not drawn: of a table at rest that was read, and most of those that only show a hand at
work. Everything else goes the way of a live camera's pictures.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from referee.laid_open import drawn, laid_open
from referee.position import Phase, Undecided
from referee.rules import TimerStarts
from referee.table import Row, TableReading
from web.stage_play import Moment, Shown, StagePlay, TurnTruth
from web.told import Counts, Said, Told, Truth, asks_about
from web.trial import Trial

HANDS_EVERY = 3
"""Of pictures in which a hand is at work, every third is looked at (the first of each visit in any case).

Where the clock waits for the first move, every one is: it is told by them.
"""
START = "start"
"""The occasion on which tiles are drawn to see who starts."""
PATIENCE_MS = 15_000
"""After so long without a word a person steps in."""


@dataclass
class Bout:
    """One simulated game before the referee."""

    game: StagePlay
    trial: Trial
    told: Callable[[Told], None] = lambda _turn: None
    turns: list[Told] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    _last: Moment | None = None
    _hands: int = 0
    _pending: TurnTruth | None = None
    _called: Moment | None = None
    _worked_s: float = 0.0
    _waited_ms: int = 0
    _turn: int = 0
    _announced_ms: int = 0
    _racks: dict[str, Row] = field(default_factory=dict)

    def play(self) -> None:
        """Play the whole game; what is left on the racks is counted as the camera reads it."""
        if not self.game.draws_for_start:
            self.trial.start(self.game.players, self.game.rules)
        for moment in self.game.moments():
            self._count(moment)
            self._take(moment)
            self._answer(moment)
            self._last = moment
        if not self.trial.count(self._racks):
            self.counts.helped += 1
            self.trial.count({name: self.game.hand(name) for name in self.game.players})

    def _answer(self, moment: Moment) -> None:
        """Do what the players wait for, and start the game once the tiles drawn for it are back in the pool."""
        if moment.shown is not None:
            self._read(moment.shown, moment)
        elif not self.trial.at.players and self.counts.shown and not moment.hands:
            self.trial.start(self.game.players, self.game.rules)
        elif moment.waits:
            self._wait(moment)

    @property
    def scores(self) -> dict[str, int]:
        """The scores by the referee."""
        return self.trial.scores

    def _take(self, moment: Moment) -> None:
        """Let the referee see what matters, and hear who is done."""
        self.trial.pass_to(moment.at_ms)
        if moment.turn is not None:
            self._pending, self._called = moment.turn, moment
            self._worked_s = self.trial.worked_s
        if moment.done_by is not None and self.trial.at.phase is Phase.PLAY:
            self.trial.done(moment.done_by)
        if self._matters(moment):
            self.trial.look(self.trial.frame(moment.frame(), moment.at_ms))
        if self._pending is None and self.trial.at.turn != self._turn:
            self._turn, self._announced_ms = self.trial.at.turn, moment.at_ms

    def _read(self, shown: Shown, moment: Moment) -> None:
        """Read the tiles that were laid open, once they lie still; the next player's are laid beside them."""
        if not self.trial.watcher.at_rest or moment.hands:
            return
        self.counts.shown += 1
        self.counts.shown_right += (
            self._start_is_read(shown) if shown.occasion == START else self._racks_are_read(shown)
        )
        self.game.go_on()

    def _start_is_read(self, shown: Shown) -> bool:
        """Read the tiles that were drawn; the first player named has the highest."""
        tiles = [tile for _, row in shown.tiles for tile in row]
        found = drawn(self.trial.desk.sight.seen, self.game.rules)
        return found.highest == tiles[0] and Counter(found.laid.tiles) == Counter(tiles)

    def _racks_are_read(self, shown: Shown) -> bool:
        """Read the racks that were laid open beside the melds and the racks before."""
        laid = Counter(laid_open(self.trial.desk.sight.seen, self.trial.at.table).tiles)
        laid.subtract(tile for rack in self._racks.values() for tile in rack)
        self._racks |= {name: tuple(laid.elements()) for name, _ in shown.tiles}
        return all(Counter(self._racks[name]) == Counter(rack) for name, rack in shown.tiles)

    def _matters(self, moment: Moment) -> bool:
        """Whether the referee has to see this moment."""
        last = self._last
        if last is None or moment.turn is not None or self.trial.at.called:
            return True
        if moment.bumped or moment.lit or last.bumped or last.lit:
            return True
        if moment.hands:
            every = 1 if self.game.rules.timer_starts is TimerStarts.FIRST_MOVE else HANDS_EVERY
            return not last.hands or self._hands % every == 0
        return last.hands or not self.trial.watcher.at_rest

    def _count(self, moment: Moment) -> None:
        """Count what gets in the camera's way, each time anew."""
        last = self._last
        self._hands = self._hands + 1 if moment.hands else 0
        self.counts.occlusions += moment.hands and not (last and last.hands)
        self.counts.bumps += moment.bumped and not (last and last.bumped)
        self.counts.light_changes += moment.lit and not (last and last.lit)

    def _wait(self, moment: Moment) -> None:
        """See whether the referee has spoken, or has seen that the table is put back; then the players go on."""
        self._waited_ms += moment.at_ms - (self._last.at_ms if self._last else moment.at_ms)
        if self._pending is not None:
            self._hear(self._pending, moment)
            return
        if self.trial.at.phase is Phase.RESTORE and self._waited_ms > PATIENCE_MS:
            self.counts.helped += 1
            self.trial.restored()
        if self.trial.at.phase is not Phase.RESTORE:
            self._go_on()

    def _hear(self, truth: TurnTruth, moment: Moment) -> None:
        said = self.trial.said_of(truth.n)
        if said is None and self._waited_ms > PATIENCE_MS:
            self.counts.helped += 1
            self.trial.put_right(truth.n, truth.after, truth.ruling)
            said = self.trial.said_of(truth.n)
        if said is None:
            return
        turn = self._note(truth, said, moment)
        if turn.open or turn.wrong:
            self.trial.put_right(truth.n, truth.after, truth.ruling)
        self._go_on()

    def _note(self, truth: TurnTruth, said: Said, moment: Moment) -> Told:
        """Keep what was said of a turn."""
        passed_ms = moment.at_ms - max(truth.said_done_ms or self._began_ms, truth.last_hand_ms)
        seconds = max(0, passed_ms) / 1000 + self.trial.worked_s - self._worked_s
        said = replace(said, seconds=seconds, named=self._named())
        known = Truth(truth.ruling, truth.codes, truth.planted)
        turn = Told(truth.n, truth.player, said, known, self._should_be_charged(truth))
        if truth.planted:
            self.counts.planted[truth.planted] += 1
        self.turns.append(turn)
        self.told(turn)
        return turn

    def _should_be_charged(self, truth: TurnTruth) -> int:
        """Give the time that the player had from the moment the referee announced the turn, or from the first move.

        The simulated players begin a little after the referee's word: the last hand is still on its way out.
        """
        if truth.timed_out or self.game.rules.timer_starts is TimerStarts.FIRST_MOVE:
            return truth.used_ms
        return truth.used_ms + max(0, truth.began_ms - self._announced_ms)

    @property
    def _began_ms(self) -> int:
        """When the end of the turn was called."""
        return self._called.at_ms if self._called else 0

    def _named(self) -> bool | None:
        """Whether an open verdict asks about a tile that was misread."""
        undecided = self.trial.at.undecided
        return (
            None
            if undecided is None or self._called is None
            else asks_about(undecided, misread(undecided, self._called))
        )

    def _go_on(self) -> None:
        self._pending, self._waited_ms = None, 0
        if self.trial.at.turn != self._turn:
            self._turn, self._announced_ms = self.trial.at.turn, self.trial.clock()
        self.game.go_on()


def misread(undecided: Undecided, moment: Moment) -> set[int]:
    """Say which tiles of a reading are others than those that lie there, by their index."""
    reading = undecided.seen
    if not isinstance(reading, TableReading):
        return set()
    truth = moment.corners()
    places = np.array([quad for _, quad in truth], float).reshape(-1, 4, 2).mean(axis=1)
    wrong = set()
    for index in (index for row in reading.melds for index in row):
        seen = np.array(reading.tiles[index].corners, float)
        distances = np.linalg.norm(places - seen.mean(axis=0), axis=1)
        near = int(distances.argmin()) if len(distances) else -1
        if (
            near < 0
            or distances[near] > np.linalg.norm(seen[1] - seen[0]) / 2
            or truth[near][0] != reading.tiles[index].best
        ):
            wrong.add(index)
    return wrong
