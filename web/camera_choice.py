"""The camera of a running referee: opened, looked through, and changed for another while the game goes on."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from referee.desk import Desk
from vision.errors import CameraError
from web.camera_setup import Area, KeptAreas, KnownCamera, listed
from web.events import Broadcaster
from web.feed import Feed
from web.live import Clockwork, Live
from web.settings import Settings
from web.watch import MOST_LOOKS, Watcher

if TYPE_CHECKING:
    from vision.lessons import Lesson

FIRST_PICTURE_S = 4.0


@dataclass
class CameraChoice:
    """What a running referee looks through (a `camera_setup.Eyepiece`).

    `first`: the source that was opened at the start; `eyes` (`web.eyes.Eyes`): what reads, once it is loaded.
    """

    settings: Settings
    desk: Desk
    feed: Feed
    areas: KeptAreas
    first: Any = None
    eyes: Any = None
    works: Clockwork | None = None
    _broadcaster: Broadcaster | None = None

    @classmethod
    def open(cls, settings: Settings, desk: Desk) -> Self:
        """Open the camera and load the networks, where a camera is chosen.

        Raises:
            CameraError: there is no such camera.
            ModelError: the networks cannot be loaded.
            SettingsError: no video can be recorded where that was asked for.
        """
        areas = KeptAreas(settings.data_folder / "areas.json")
        choice = cls(settings, desk, Feed(draw=lambda _picture, _reading, _verdict: b""), areas)
        if settings.camera:
            from web.eyes import open_camera  # noqa: PLC0415 -- a second to load

            choice.first = open_camera(settings)
            choice._load()
        return choice

    def _load(self) -> None:
        """Load what looks at pictures."""
        from web.eyes import cut_jpeg, draw_jpeg, load_eyes  # noqa: PLC0415

        self.eyes = replace(load_eyes(self.settings), parts=self.area)
        self.feed.draw, self.feed.cut = draw_jpeg, cut_jpeg

    def make(self, broadcaster: Broadcaster) -> Clockwork:
        """Make the threads, of the camera or of the clock alone."""
        self._broadcaster = broadcaster
        self.works = self._live(broadcaster) if self.settings.camera else Clockwork(self.desk, broadcaster)
        return self.works

    def _live(self, broadcaster: Broadcaster) -> Live:
        from web.eyes import gate_for, open_camera  # noqa: PLC0415
        from web.record import Recorder  # noqa: PLC0415

        recorder = Recorder(Path(self.settings.record), self.desk) if self.settings.record else None
        source, self.first = self.first or open_camera(self.settings), None
        looks = 1 if source.patient else MOST_LOOKS
        watcher = Watcher(self.desk, self.feed, broadcaster, self.eyes, gate_for(source), recorder, looks=looks)
        return Live(watcher, self._opener(self.settings), source)

    @staticmethod
    def _opener(settings: Settings) -> Callable[[], Any]:
        from web.eyes import open_camera  # noqa: PLC0415

        return lambda: open_camera(settings)

    # --- what the page may change ---

    @property
    def source(self) -> str:
        """The present camera, empty where there is none."""
        return self.settings.camera

    @property
    def area(self) -> Area | None:
        """The playing area that was chosen on the page; one given on the command line is not asked about here."""
        return None if self.settings.corners else self.areas.of(self.source)

    def cameras(self) -> list[KnownCamera]:
        """List the cameras of this machine."""
        from vision.sources import camera_names  # noqa: PLC0415

        return listed(camera_names, self.source)

    def thumbnail(self, source: str) -> bytes:
        """Give a picture of a camera as a JPEG.

        Raises:
            CameraError: it gives none.
        """
        from web.eyes import encode, open_camera  # noqa: PLC0415

        if source == self.source:
            return self.feed.jpeg(overlay=False) or b""
        opened = open_camera(replace(self.settings, camera=source))
        try:
            frame = opened.newest(FIRST_PICTURE_S)
        finally:
            opened.close()
        if frame is None:
            msg = f"the camera {source!r} gives no picture"
            raise CameraError(msg)
        return encode(frame.image)

    def choose(self, source: str) -> None:
        """Look through another camera from now on.

        Raises:
            CameraError: it cannot be opened; the present one goes on.
            ModelError: the networks cannot be loaded.
        """
        if source == self.source:
            return
        if isinstance(self.works, Live):
            self.settings = replace(self.settings, camera=source, corners="")
            self.works.follow_another(self._opener(self.settings))
            self._use(self.area)
        else:
            self._begin_with(replace(self.settings, camera=source, corners=""))

    def _begin_with(self, settings: Settings) -> None:
        """Begin to look where there was no camera before."""
        from web.eyes import open_camera  # noqa: PLC0415

        self.first = open_camera(settings)
        self.settings = settings
        self._load()
        self.desk.use_camera(on=True)
        if self.works and self._broadcaster:
            self.works.stop()
            self.works = self._live(self._broadcaster)
            self.works.start()

    def set_area(self, area: Area | None) -> None:
        """Read only what lies in an area from now on, and keep that for this camera."""
        self.settings = replace(self.settings, corners="")
        self.areas.keep(self.source, area)
        self._use(area)

    def _use(self, area: Area | None) -> None:
        if isinstance(self.works, Live):
            self.eyes = replace(self.eyes, parts=area, area=None)
            self.works.watcher.reader = self.eyes

    # --- teaching ---

    def tilesets(self) -> list[str]:
        """List the sets of tiles that were taught."""
        from web.tilesets import shelf_of  # noqa: PLC0415

        return list(shelf_of(self.settings).names())

    def teach(self, name: str) -> "Lesson":
        """Learn from the newest picture, and read with what was learnt as soon as it is the whole set.

        Raises:
            CameraError: there is no picture.
            ModelError: the networks cannot be loaded.
            TileSetError: the name is none, or the set cannot be kept.
        """
        from web.eyes import bare_reader  # noqa: PLC0415
        from web.tilesets import begun, shelf_of, teach_picture  # noqa: PLC0415

        if self.feed.picture is None:
            raise CameraError("the camera has given no picture yet")
        shelf = shelf_of(self.settings)
        lesson = teach_picture(shelf, begun(shelf, name), self.feed.picture, bare_reader(self.settings))
        if lesson.tileset.finished:
            self._load()
            self._use(self.area)
        return lesson
