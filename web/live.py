"""The live referee: one thread looks at the table, one at the time. The only place where everything is caught.

source -> reader -> desk.observe -> pages
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from referee.clock import wall_clock_ms
from referee.desk import Desk
from referee.sight import notation
from referee.table import Table, TableReading
from vision.errors import CameraError
from vision.frames import Frame
from web.app import now_ms
from web.events import Broadcaster, Message
from web.feed import Camera, Feed

TICK_S = 0.2
TICKS_BETWEEN_CLOCKS = 25
LOOK_S = 0.5
PAUSES_S = (1.0, 2.0, 4.0, 8.0)
log = logging.getLogger(__name__)


class Source(Protocol):
    """A camera, or what stands for one."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        ...

    def newest(self, timeout_s: float) -> Frame | None:
        """Give the newest picture not given yet, None where none came in time; CameraError where the camera is lost."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


class Reader(Protocol):
    """Reads a picture."""

    def read(self, frame: Frame, last: Table | None = None) -> TableReading:
        """Give what lies on the table, which was `last` when the turn began."""
        ...


class Gate(Protocol):
    """Tells from one picture to the next how it stands with the table, cheaply."""

    def judge(self, frame: Frame) -> Camera:
        """Give `still` for a picture worth reading, else what is going on."""
        ...


class Recorder(Protocol):
    """Keeps every picture."""

    def take(self, frame: Frame) -> None:
        """Take in a picture."""
        ...

    def close(self) -> None:
        """Finish."""
        ...


@dataclass
class Watcher:
    """Looks at the table for a desk: each picture that lies still is read once."""

    desk: Desk
    feed: Feed
    broadcaster: Broadcaster
    reader: Reader
    gate: Gate
    recorder: Recorder | None = None
    _read: str = ""

    def take(self, frame: Frame) -> None:
        """Take in one picture."""
        if self.recorder:
            self.recorder.take(frame)
        camera = self.gate.judge(frame)
        self.desk.watch(captured=frame.captured_ms, still=camera is Camera.STILL, now=now_ms())
        if camera is Camera.STILL:
            self._take_still(frame)
        self.turn(camera)

    def _take_still(self, frame: Frame) -> None:
        before = self.desk.game.now.table
        reading = self.reader.read(frame, before)
        verdict = self.desk.observe(reading, captured=frame.captured_ms, now=now_ms())
        if notation(reading) != self._read:
            self._read = notation(reading)
            if reading.table() != before:
                self.desk.first_move(now=now_ms())
        self.feed.show(frame.image, reading, verdict)
        self.broadcaster.publish(Message("reading", None))

    def turn(self, camera: Camera, why: str = "") -> None:
        """Take in how it stands with the camera, and tell the pages where that is new."""
        if self.feed.turn(camera, why):
            self.broadcaster.publish(Message("camera", None))


@dataclass
class Clockwork:
    """Tells the time to the desk and the pages until `stop`; all that runs where there is no camera."""

    desk: Desk
    broadcaster: Broadcaster
    _stopping: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Start the thread."""
        self._begin(self._tell_time)

    def stop(self) -> None:
        """End what was started."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def _begin(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=self._guarded, args=(work,), name=work.__name__.strip("_"), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Run a thread's work for good: whatever breaks is logged, shown, and tried again."""
        while not self._stopping.is_set():
            try:
                work()
            except Exception as error:
                log.exception("%s broke off", work.__name__)
                self.tell_trouble(error)
                self._stopping.wait(PAUSES_S[0])

    def tell_trouble(self, error: Exception) -> None:
        """Show what broke; without a camera the log is all there is."""

    def _tell_time(self) -> None:
        """Tell the desk the time five times a second, and the pages every five seconds."""
        count = 0
        while not self._stopping.wait(TICK_S):
            self.desk.tick(now=now_ms(), wall_ms=wall_clock_ms())
            count += 1
            if count % TICKS_BETWEEN_CLOCKS == 0:
                self.broadcaster.publish(Message("clock", None))


class Live(Clockwork):
    """Keeps the referee going: follows a source, opening it anew when it is lost, and tells the time."""

    def __init__(self, watcher: Watcher, open_source: Callable[[], Source], source: Source | None = None) -> None:
        """Take what looks at the pictures, and where they come from; `source` is one that is open already."""
        super().__init__(watcher.desk, watcher.broadcaster)
        self.watcher = watcher
        self.open_source = open_source
        self.source = source

    def start(self) -> None:
        """Start both threads."""
        super().start()
        self._begin(self._follow)

    def stop(self) -> None:
        """End both threads and let the camera go."""
        super().stop()
        if self.watcher.recorder:
            self.watcher.recorder.close()
        if self.source:
            self.source.close()

    def tell_trouble(self, error: Exception) -> None:
        """Show on the pages what broke."""
        self.watcher.turn(Camera.TROUBLE, str(error))

    def _follow(self) -> None:
        """Look at the source's pictures; a lost one is opened again after growing pauses."""
        losses = 0
        while not self._stopping.is_set():
            try:
                self.source = self.source or self.open_source()
                losses = 0 if self._look(self.source) else losses
            except CameraError as error:
                self.watcher.turn(Camera.LOST, str(error))
                self._drop_source()
                self._stopping.wait(PAUSES_S[min(losses, len(PAUSES_S) - 1)])
                losses += 1

    def _look(self, source: Source) -> bool:
        """Look at one picture, if one comes; tells whether it did."""
        frame = source.newest(LOOK_S)
        if frame is not None:
            self.watcher.take(frame)
        elif source.ended:
            self.watcher.turn(Camera.ENDED)
            self._stopping.wait(LOOK_S)
        return frame is not None

    def _drop_source(self) -> None:
        if self.source:
            self.source.close()
        self.source = None
