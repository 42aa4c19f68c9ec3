"""What becomes of a picture: it is glanced at (does the table lie still, and since when?), and where it is new, read.

frame → gate → desk.watch; a still table that is not known yet → reader → desk.observe → pages

Glancing is cheap and done to every picture; reading takes its time, and may be done by another thread meanwhile. A
reading counts for the stillness that it was made in: if the table has been touched since, it is dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple, Protocol

from referee.clock import PauseReason
from referee.desk import Desk
from referee.judging import judge_seen
from referee.position import Phase, Position
from referee.sight import surely_moved
from referee.table import Table, TableReading
from referee.verdict import Ruling
from vision.frames import Frame, JudgedPicture
from web.app import now_ms
from web.events import Broadcaster, Message
from web.feed import Camera, Feed

if TYPE_CHECKING:
    from vision.rereading import Memory, Reread

MOST_LOOKS = 4
"""A still table is looked at so often where a look leaves the verdict open."""
SHOWN_EVERY_MS = 250
"""Pictures of a table that is being played on are shown so often."""
DARK_MS = 2000


class Glance(NamedTuple):
    """How it stands with the table, since when the picture has been as it is, and when a hand first changed it."""

    camera: Camera
    since_ms: int
    touched_ms: int | None = None


class Gate(Protocol):
    """Tells from one picture to the next how it stands with the table, cheaply."""

    def judge(self, frame: Frame) -> Glance:
        """Give `still` for a picture worth reading, else what is going on."""
        ...


class Reader(Protocol):
    """Reads pictures of a table of which something is known."""

    def look(self, frame: Frame, last: Table, memory: "Memory | None") -> "Reread":
        """Read a picture; `last` lay when the turn began, `memory` is what came of the pictures before."""
        ...

    def remember(self, memory: "Memory", judged: "JudgedPicture", *, corrected: bool) -> "Memory":
        """Remember a reading as the table that it was judged to be; `corrected`: it was thought to be another."""
        ...

    def certain(self, reading: TableReading, table: Table) -> TableReading:
        """Give the reading with the faces of the table that it was judged to be."""
        ...


class Recorder(Protocol):
    """Keeps every picture."""

    def take(self, frame: Frame) -> None:
        """Take in a picture."""
        ...

    def close(self) -> None:
        """Finish."""
        ...


class _Job(NamedTuple):
    """A picture to be read, and since when the table has lain as it shows."""

    frame: Frame
    since_ms: int


@dataclass(frozen=True)
class _Seen:
    """What was read last: the picture, the reading, since when it has lain so, how many looks it took.

    `open`: the verdict would hang on a doubt of it, which another picture of the same still table may answer.
    `lost`: the camera was knocked, and known tiles were not found.
    """

    frame: Frame
    reading: TableReading
    since_ms: int
    looks: int = 1
    open: bool = False
    lost: bool = False


@dataclass
class Watcher:
    """Looks at the table for a desk. `glance` and `read` may be called by two threads; `take` does one after the other.

    `now` is the clock that the desk is told, in milliseconds. A table is looked at `looks` times at most before what is
    doubtful about it is told.
    """

    desk: Desk
    feed: Feed
    broadcaster: Broadcaster
    reader: Reader
    gate: Gate
    recorder: Recorder | None = None
    now: Callable[[], int] = now_ms
    looks: int = MOST_LOOKS
    _lock: RLock = field(default_factory=RLock)
    _job: _Job | None = None
    _seen: _Seen | None = None
    _memory: "Memory | None" = None
    _turn: tuple[int, Table] | None = None
    _stirred_ms: int | None = None
    _touched_ms: int | None = None
    _shown_ms: int = 0
    _good_ms: int = 0

    @property
    def busy(self) -> bool:
        """Whether a picture waits to be read."""
        return self._job is not None

    @property
    def at_rest(self) -> bool:
        """Whether the table lies still, as it was read, and is remembered as the table of this turn."""
        at = self.desk.game.now
        return self.desk.sight.still and (at.phase is not Phase.PLAY or self._turn == (at.turn, at.table))

    def take(self, frame: Frame) -> None:
        """Take in one picture: glance at it, and read it where it is worth that."""
        self.glance(frame)
        self.read()

    def glance(self, frame: Frame) -> None:
        """Take in one picture, cheaply: how it stands with the table."""
        if self.recorder:
            self.recorder.take(frame)
        glance = self.gate.judge(frame)
        still = glance.camera is Camera.STILL
        with self._lock:
            self._mind_the_light(glance, frame)
            self._remember()
            self.desk.watch(captured=frame.captured_ms, still=still, now=self.now())
            self._job = _Job(frame, glance.since_ms) if still and self._is_worth_a_look(glance.since_ms) else None
            if still and self._touched_ms is None and self._stirred_ms is not None:
                self._touched_ms = _not_before(self._stirred_ms, glance.touched_ms)
            if not still and self._stirred_ms is None:
                self._stirred_ms = frame.captured_ms
        if not still:
            self._show_moving(frame)
        self.turn(glance.camera)

    def read(self) -> None:
        """Read the picture that waits, if one does, and tell what is on it: at once, or after more looks."""
        job = self._job
        if job is None:
            return
        try:
            seen = self._look(job)
        except Exception:
            self._job = None  # the next picture is tried, not this one again
            raise
        with self._lock:
            if self._job is not None and self._job.since_ms == job.since_ms:
                self._job, self._seen = None, seen
                if not seen.open:
                    self._tell(seen)

    def turn(self, camera: Camera, why: str = "") -> None:
        """Take in how it stands with the camera, and tell the pages where that is new."""
        if self.feed.turn(camera, why):
            self.broadcaster.publish(Message("camera", None))

    def lose(self, camera: Camera, why: str) -> None:
        """Take in that no pictures come: the clock stands from the last one on, and nothing old is judged."""
        with self._lock:
            self._job = self._seen = None
            self.desk.watch(captured=self._good_ms, still=False, now=self.now())
            self._pause(self._good_ms)
        self.turn(camera, why)

    def finish(self) -> None:
        """Take in that no more pictures will come: what was seen last has to do."""
        with self._lock:
            if self._seen is not None and self._seen.open:
                self._seen = replace(self._seen, open=False)
                self._tell(self._seen)

    # How it is done.

    def _is_worth_a_look(self, since_ms: int) -> bool:
        return self._seen is None or self._seen.since_ms != since_ms or self._seen.open

    def _look(self, job: _Job) -> _Seen:
        """Read a picture, with what came of those before."""
        at, before = self.desk.game.now, self._seen
        looks = before.looks + 1 if before is not None and before.since_ms == job.since_ms else 1
        memory = self._memory.afresh() if self._memory is not None and looks == 1 else self._memory
        reread = self.reader.look(job.frame, at.table, memory)
        self._memory = reread.memory
        is_open = looks < self.looks and _is_open(at, reread.reading)  # after the last look nobody asks
        return _Seen(job.frame, reread.reading, job.since_ms, looks, open=is_open, lost=reread.lost)

    def _tell(self, seen: _Seen) -> None:
        """Tell the desk and the pages what lies on the table."""
        before = self.desk.game.now.table
        stirred = self._stirred_ms if self._touched_ms is None else self._touched_ms
        if stirred is not None and surely_moved(seen.reading, before):
            self.desk.first_move(now=min(stirred, self.now()))
        if seen.reading.table() == before:
            self._stirred_ms = self._touched_ms = None
        verdict = self.desk.observe(seen.reading, captured=seen.since_ms, now=self.now())
        self.feed.show(seen.frame.image, seen.reading, verdict)
        if seen.lost:
            self.turn(Camera.CAMERA_MOVED, "")
        self.broadcaster.publish(Message("reading", None))

    def _remember(self) -> None:
        """When a turn begins, remember its table: what lies there was judged, and its faces are known from now on."""
        at = self.desk.game.now
        if at.phase is not Phase.PLAY or self._turn == (at.turn, at.table):
            return
        seen = self._seen
        if seen is None:
            return
        corrected = self._turn is not None and at.turn <= self._turn[0] and bool(at.table.rows)
        self._turn = (at.turn, at.table)
        self._stirred_ms = self._touched_ms = None
        if self._memory is not None:
            judged = JudgedPicture(seen.frame.image, seen.reading, at.table)
            self._memory = self.reader.remember(self._memory, judged, corrected=corrected)
        self._seen = replace(seen, reading=self.reader.certain(seen.reading, at.table), open=False)
        if self.desk.sight.still or seen.open:  # what was open has not been told yet
            self._tell(self._seen)

    def _show_moving(self, frame: Frame) -> None:
        if not 0 <= frame.captured_ms - self._shown_ms < SHOWN_EVERY_MS:
            self._shown_ms = frame.captured_ms
            self.feed.glance(frame.image)
            self.broadcaster.publish(Message("camera", None))

    def _mind_the_light(self, glance: Glance, frame: Frame) -> None:
        """Stop the clock while nothing can be seen, and let it run on afterwards."""
        if glance.camera is not Camera.TOO_DARK:
            self._good_ms = frame.captured_ms
            if self.desk.game.now.clock.pause is PauseReason.CAMERA and self.desk.game.now.phase is Phase.PLAY:
                self.desk.resume(version=None, now=self.now())
        elif frame.captured_ms - self._good_ms > DARK_MS:
            self._pause(self._good_ms)

    def _pause(self, since_ms: int) -> None:
        at = self.desk.game.now
        if at.phase is Phase.PLAY and at.clock.running:
            since = max(since_ms, at.clock.since_ms or 0)
            self.desk.pause(version=None, now=since, reason=PauseReason.CAMERA)


def _is_open(at: Position, reading: TableReading) -> bool:
    """Whether the verdict would hang on a doubt."""
    return at.phase is Phase.PLAY and judge_seen(at, reading).ruling in (Ruling.UNSURE, Ruling.IMPOSSIBLE)


def _not_before(start_ms: int, at_ms: int | None) -> int | None:
    """Give a moment, unless it was before another."""
    return None if at_ms is None or at_ms < start_ms else at_ms
