"""What runs beside the pages: the camera's thread and the clock's, or without a camera the clock's alone."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from flask import Flask

from referee.desk import Desk
from web.events import Broadcaster
from web.feed import Feed
from web.live import Live, Watcher, tell_time
from web.services import EXTENSION
from web.settings import Settings


@dataclass
class Running:
    """The threads of one running referee; `make_live` is called once the pages are wired."""

    feed: Feed
    make_live: Callable[[Broadcaster], Live] | None
    desk: Desk
    _live: Live | None = None
    _stopping: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def open(cls, settings: Settings, desk: Desk) -> Self:
        """Open the camera and load the networks, where a camera is chosen.

        Raises:
            CameraError: there is no such camera.
            ModelError: the networks cannot be loaded.
        """
        if not settings.camera:
            return cls(Feed(draw=lambda _picture, _reading: b""), None, desk)
        from web.eyes import cut_jpeg, draw_jpeg, gate_for, load_eyes, open_camera  # noqa: PLC0415 -- a second to load

        reader, source = load_eyes(settings), open_camera(settings)
        feed = Feed(draw=draw_jpeg, cut=cut_jpeg)

        def make_live(broadcaster: Broadcaster) -> Live:
            watcher = Watcher(desk, feed, broadcaster, reader, gate_for(source))
            return Live(watcher, lambda: open_camera(settings), source)

        return cls(feed, make_live, desk)

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Let everything go."""
        self._stopping.set()
        if self._live:
            self._live.stop()

    def start(self, app: Flask) -> None:
        """Start the threads for an app."""
        broadcaster: Broadcaster = app.extensions[EXTENSION].broadcaster
        if self.make_live:
            self._live = self.make_live(broadcaster)
            self._live.start()
        else:
            arguments = (self.desk, broadcaster, self._stopping)
            threading.Thread(target=tell_time, args=arguments, name="tell_time", daemon=True).start()

    def stop(self, app: Flask) -> None:
        """End the streams of all pages, so that the server's threads come free, then our own threads."""
        app.extensions[EXTENSION].broadcaster.shut()
        self.__exit__()
