"""What runs beside the pages: the camera's threads and the clock's, or without a camera the clock's alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from flask import Flask

from referee.desk import Desk
from web import camera_setup
from web.camera_choice import CameraChoice
from web.events import Broadcaster
from web.feed import Feed
from web.live import Clockwork
from web.services import EXTENSION
from web.settings import Settings


@dataclass
class Running:
    """The threads of one running referee; `make` is called once the pages are wired.

    With `camera` the page may change what is looked through.
    """

    feed: Feed
    make: Callable[[Broadcaster], Clockwork]
    camera: CameraChoice | None = None
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
        camera = CameraChoice.open(settings, desk)
        return cls(camera.feed, camera.make, camera)

    def start(self, app: Flask) -> None:
        """Start the threads for an app."""
        self._broadcaster = app.extensions[EXTENSION].broadcaster
        if self.camera:
            app.extensions[camera_setup.EXTENSION] = self.camera
        self._works = self.make(self._broadcaster)
        self._works.start()

    def end_streams(self) -> None:
        """End the streams of all pages, so that the server's threads come free."""
        if self._broadcaster:
            self._broadcaster.shut()

    def stop(self) -> None:
        """End everything."""
        self.end_streams()
        works = self.camera.works if self.camera else self._works
        if works:
            works.stop()
