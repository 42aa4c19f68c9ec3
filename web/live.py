"""The live referee: one thread looks at the table, one reads it, one tells the time. Here everything is caught.

source → watcher (glance, read) → desk → pages
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from referee.clock import wall_clock_ms
from referee.desk import Desk
from vision.errors import CameraError
from vision.frames import Frame
from web.app import now_ms
from web.events import Broadcaster, Message
from web.feed import Camera
from web.watch import Watcher

TICK_S = 0.1
TICKS_BETWEEN_CLOCKS = 50
LOOK_S = 0.5
STILL_PACE_S = 0.2
"""A table that lies still is glanced at so often; one that is played on as often as pictures come."""
STALE_S = 2.0
"""A camera that has given nothing for so long is lost, as far as the game goes."""
PAUSES_S = (1.0, 2.0, 4.0, 8.0)
log = logging.getLogger(__name__)


class Source(Protocol):
    """A camera, or what stands for one."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        ...

    @property
    def patient(self) -> bool:
        """Whether it is no matter how long no new picture comes: a folder gives one when somebody puts it there."""
        ...

    def newest(self, timeout_s: float) -> Frame | None:
        """Give the newest picture not given yet, None where none came in time; CameraError where the camera is lost."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


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
        """Tell the desk the time ten times a second, and the pages every five seconds."""
        count = 0
        while not self._stopping.wait(TICK_S):
            self.desk.tick(now=now_ms(), wall_ms=wall_clock_ms())
            count += 1
            if count % TICKS_BETWEEN_CLOCKS == 0:
                self.broadcaster.publish(Message("clock", None))


class Live(Clockwork):
    """Keeps the referee going: follows a source, opening it anew when it is lost, reads, and tells the time."""

    def __init__(self, watcher: Watcher, open_source: Callable[[], Source], source: Source | None = None) -> None:
        """Take what looks at the pictures, and where they come from; `source` is one that is open already."""
        super().__init__(watcher.desk, watcher.broadcaster)
        self.watcher = watcher
        self.open_source = open_source
        self.source = source
        self._other: Callable[[], Source] | None = None
        self._waiting = threading.Event()
        self._last_s = time.monotonic()

    def start(self) -> None:
        """Start the threads."""
        super().start()
        self._begin(self._follow)
        self._begin(self._read)

    def stop(self) -> None:
        """End the threads and let the camera go."""
        super().stop()
        if self.watcher.recorder:
            self.watcher.recorder.close()
        if self.source:
            self.source.close()

    def follow_another(self, open_source: Callable[[], Source]) -> None:
        """Let the source go and follow another one, from the next picture on."""
        self._other = open_source

    def _change_over(self) -> None:
        other, self._other = self._other, None
        if other is not None:
            self._drop_source()
            self.open_source = other

    def tell_trouble(self, error: Exception) -> None:
        """Show on the pages what broke."""
        self.watcher.turn(Camera.TROUBLE, str(error))

    def _read(self) -> None:
        """Read what waits to be read, while other pictures are glanced at."""
        while not self._stopping.is_set():
            if self._waiting.wait(LOOK_S):
                self._waiting.clear()
                self.watcher.read()

    def _follow(self) -> None:
        """Look at the source's pictures; a lost one is opened again after growing pauses."""
        losses = 0
        while not self._stopping.is_set():
            try:
                self._change_over()
                self.source = self.source or self.open_source()
                losses = 0 if self._look(self.source) else losses
            except CameraError as error:
                self.watcher.lose(Camera.LOST, str(error))
                self._drop_source()
                self._stopping.wait(PAUSES_S[min(losses, len(PAUSES_S) - 1)])
                losses += 1

    def _look(self, source: Source) -> bool:
        """Look at one picture, if one comes; tells whether it did."""
        frame = source.newest(LOOK_S)
        if frame is not None:
            self._last_s = time.monotonic()
            self.watcher.glance(frame)
            if self.watcher.busy:
                self._waiting.set()
            elif self.watcher.at_rest:
                self._stopping.wait(STILL_PACE_S)
        elif source.ended:
            self.watcher.finish()
            self.watcher.turn(Camera.ENDED)
            self._stopping.wait(LOOK_S)
        elif time.monotonic() - self._last_s > STALE_S and not source.patient:
            self.watcher.lose(Camera.LOST, "the camera gives no picture")
        return frame is not None

    def _drop_source(self) -> None:
        if self.source:
            self.source.close()
        self.source = None
