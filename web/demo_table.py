"""A simulated table that plays at its own speed, for the served demo: to the referee a camera, and its players."""

import logging
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from referee.desk import Desk
from referee.errors import GameError
from referee.log import Log
from referee.position import Phase
from referee.table import Table, TableReading
from vision.capture import frame_of
from vision.frames import Frame, JudgedPicture
from vision.rereading import Memory, Reread
from web.access import load_keys
from web.app import now_ms
from web.commands.run import serve_until_told
from web.events import Broadcaster
from web.eyes import Eyes, MotionGate, cut_jpeg, draw_jpeg, load_eyes
from web.feed import Feed
from web.live import Live
from web.running import Running
from web.settings import Settings
from web.stage_play import Moment, StagePlay, TurnTruth
from web.trial import put_right, said_of
from web.watch import Watcher

LATE_MS = 80
"""A picture that is later than this is left out: the newest one only, as from a camera."""
ANSWER_MS = 5000
"""So long people have to answer a question or to overrule; then the players do."""
log = logging.getLogger(__name__)


@dataclass
class SimulatedCamera:
    """A camera above a simulated game: gives its pictures when they are due, and lets its players speak to the desk."""

    game: StagePlay
    desk: Desk
    ended: bool = False
    patient: bool = True
    _moments: Iterator[Moment] | None = None
    _next: Moment | None = None
    _start_ms: int = 0
    _number: int = 0
    _truth: TurnTruth | None = None
    _decided_ms: int | None = None

    def newest(self, timeout_s: float) -> Frame | None:
        """Give the picture that is due, None where none is in time."""
        until = now_ms() + round(timeout_s * 1000)
        while (moment := self._due(until)) is not None:
            self._next = None
            self._hear(moment)
            due = self._start_ms + moment.at_ms
            if now_ms() - due < LATE_MS:
                self._number += 1
                return frame_of(moment.frame(), due, self._number)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _due(self, until_ms: int) -> Moment | None:
        """Wait for the next moment, no longer than until then."""
        if self._moments is None:
            self._moments, self._start_ms = self.game.moments(), now_ms()
        if self._next is None:
            self._next = next(self._moments, None)
            self.ended = self._next is None
        if self._next is None:
            return None
        due = self._start_ms + self._next.at_ms
        time.sleep(max(0, min(due, until_ms) - now_ms()) / 1000)
        return self._next if due <= until_ms else None

    def _hear(self, moment: Moment) -> None:
        """Let the players speak, and let them go on where the referee has spoken."""
        try:
            if moment.turn is not None:
                self._truth, self._decided_ms = moment.turn, None
            if moment.done_by and self.desk.game.now.phase is Phase.PLAY:
                self.desk.end_turn(version=None, now=now_ms(), player=moment.done_by)
            if moment.waits:
                self._wait()
        except GameError as error:  # somebody at the pages was faster
            log.info("not heard: %s", error)

    def _wait(self) -> None:
        truth = self._truth
        if truth is None:
            if self.desk.game.now.phase is not Phase.RESTORE:
                self.game.go_on()
            return
        said = said_of(self.desk, truth.n)
        if said is None:
            return
        self._decided_ms = self._decided_ms or now_ms()
        if said.verdict.ruling is truth.ruling:
            self._go_on()
        elif now_ms() - self._decided_ms > ANSWER_MS:
            log.info("turn %d put right: %s was %s", truth.n, said.verdict.ruling, truth.ruling)
            put_right(self.desk, (truth.n, truth.after, truth.ruling), now_ms())
            self._go_on()

    def _go_on(self) -> None:
        self._truth = None
        self.game.go_on()


@dataclass
class LateEyes:
    """Eyes whose networks are loaded at their first look, so that the table is shown at once."""

    settings: Settings

    @cached_property
    def _eyes(self) -> Eyes:
        return load_eyes(self.settings)

    def look(self, frame: Frame, last: Table, memory: Memory | None) -> Reread:
        """Read a picture, see `Eyes.look`."""
        return self._eyes.look(frame, last, memory)

    def remember(self, memory: Memory, judged: JudgedPicture, *, corrected: bool) -> Memory:
        """Remember a reading, see `Eyes.remember`."""
        return self._eyes.remember(memory, judged, corrected=corrected)

    def certain(self, reading: TableReading, table: Table) -> TableReading:
        """Give a reading with known faces, see `Eyes.certain`."""
        return self._eyes.certain(reading, table)


def serve_demo(game: StagePlay, settings: Settings) -> None:
    """Serve a simulated game until told to stop; nothing of it is kept."""
    with tempfile.TemporaryDirectory(prefix="rummy-referee-") as folder:
        settings = replace(settings, data=folder, database="", camera="simulated", evidence=False)
        desk = Desk(Log.open(settings.database_file, who="rummy-referee demo"), now=now_ms(), watched=True)
        try:
            serve_until_told(settings, desk, _running(game, settings, desk), load_keys(Path(folder)))
        finally:
            desk.close()


def _running(game: StagePlay, settings: Settings, desk: Desk) -> Running:
    reader, feed = LateEyes(settings), Feed(draw=draw_jpeg, cut=cut_jpeg)

    def make(broadcaster: Broadcaster) -> Live:
        camera = SimulatedCamera(game, desk)
        desk.start(game.players, game.rules, version=None, now=now_ms())
        watcher = Watcher(desk, feed, broadcaster, reader, MotionGate())
        return Live(watcher, lambda: camera, camera)

    return Running(feed, make)
