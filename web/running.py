"""What runs beside the pages: the camera's thread and the clock's, or without a camera the clock's alone."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from flask import Flask

from referee.desk import Desk
from web.events import Broadcaster
from web.feed import Feed
from web.live import Clockwork, Live
from web.services import EXTENSION
from web.settings import Settings
from web.watch import MOST_LOOKS, Watcher


@dataclass
class Running:
    """The threads of one running referee; `make` is called once the pages are wired."""

    feed: Feed
    make: Callable[[Broadcaster], Clockwork]
    _works: Clockwork | None = None
    _broadcaster: Broadcaster | None = None

    @classmethod
    def open(cls, settings: Settings, desk: Desk) -> Self:
        """Open the camera and load the networks, where a camera is chosen.

        Raises:
            CameraError: there is no such camera.
            ModelError: the networks cannot be loaded.
            SettingsError: no video can be recorded where that was asked for.
        """
        if not settings.camera:
            return cls(
                Feed(draw=lambda _picture, _reading, _verdict: b""), lambda broadcaster: Clockwork(desk, broadcaster)
            )
        from web.eyes import cut_jpeg, draw_jpeg, gate_for, load_eyes, open_camera  # noqa: PLC0415 -- a second to load
        from web.record import Recorder  # noqa: PLC0415

        recorder = Recorder(Path(settings.record), desk) if settings.record else None
        source = open_camera(settings)
        reader, feed = load_eyes(settings), Feed(draw=draw_jpeg, cut=cut_jpeg)

        def make(broadcaster: Broadcaster) -> Live:
            looks = 1 if source.patient else MOST_LOOKS
            watcher = Watcher(desk, feed, broadcaster, reader, gate_for(source), recorder, looks=looks)
            return Live(watcher, lambda: open_camera(settings), source)

        return cls(feed, make)

    def start(self, app: Flask) -> None:
        """Start the threads for an app."""
        self._broadcaster = app.extensions[EXTENSION].broadcaster
        self._works = self.make(self._broadcaster)
        self._works.start()

    def end_streams(self) -> None:
        """End the streams of all pages, so that the server's threads come free."""
        if self._broadcaster:
            self._broadcaster.shut()

    def stop(self) -> None:
        """End everything."""
        self.end_streams()
        if self._works:
            self._works.stop()
