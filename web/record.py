"""Recording a real game: a video of what the camera saw, and the script of its turns beside it, for `replay`."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from referee.desk import Desk
from referee.ledger import State
from vision.errors import CameraError
from vision.frames import Frame, Picture
from web.app import now_ms
from web.settings import SettingsError

PICTURES_A_SECOND = 5
WIDEST = 1280
SUFFIXES = {".mp4": "mp4v", ".avi": "MJPG"}


@dataclass
class Recorder:
    """Writes a video at a steady pace, whatever the camera's own; its script is written when it closes.

    `done_ms`: when each turn's end was last seen, by its number, since the first picture.
    """

    file: Path
    desk: Desk
    _writer: cv2.VideoWriter | None = None
    _size: tuple[int, int] = (0, 0)
    _start_ms: int = 0
    _written: int = 0
    _last: Picture | None = None
    _done_ms: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the place.

        Raises:
            SettingsError: no video can be written there.
        """
        if self.file.suffix.lower() not in SUFFIXES or not self.file.absolute().parent.is_dir():
            msg = f"cannot record into {str(self.file)!r}: name a .mp4 or .avi file in a folder that exists"
            raise SettingsError(msg)
        self.desk.subscribe(self.note)

    def take(self, frame: Frame) -> None:
        """Take in a picture: the one before it is repeated for as long as it stood.

        Raises:
            CameraError: the video cannot be written.
        """
        if self._writer is None:
            self._open(frame)
        picture = np.asarray(cv2.resize(frame.image, self._size, interpolation=cv2.INTER_AREA), np.uint8)
        due = (frame.captured_ms - self._start_ms) * PICTURES_A_SECOND // 1000
        self._repeat(until=due)
        self._last = picture

    def _open(self, frame: Frame) -> None:
        height, width = frame.image.shape[:2]
        scale = min(1.0, WIDEST / width)
        self._size = (round(width * scale) // 2 * 2, round(height * scale) // 2 * 2)
        self._start_ms = frame.captured_ms
        code = cv2.VideoWriter.fourcc(*SUFFIXES[self.file.suffix.lower()])
        self._writer = cv2.VideoWriter(str(self.file), code, PICTURES_A_SECOND, self._size)
        if not self._writer.isOpened():
            msg = f"the video {str(self.file)!r} cannot be written: choose another place with --record"
            raise CameraError(msg)

    def _repeat(self, until: int) -> None:
        while self._writer is not None and self._last is not None and self._written < until:
            self._writer.write(self._last)
            self._written += 1

    def note(self, state: State) -> None:
        """Take in a new state: when a turn ended."""
        for turn in state.game.now.turns[len(self._done_ms) :]:
            self._done_ms[turn.number] = now_ms() - self._start_ms

    def close(self) -> None:
        """Finish the video, and write its script."""
        if self._writer is None:
            return
        self._repeat(until=(now_ms() - self._start_ms) * PICTURES_A_SECOND // 1000 + 1)
        self._writer.release()
        self.file.with_suffix(".json").write_text(
            json.dumps(self.script(), indent=1, ensure_ascii=False), encoding="utf-8"
        )

    def script(self) -> dict[str, object]:
        """Give the script of the game: its turns as they stand now, corrections included."""
        at = self.desk.game.now
        turns = [
            {
                "player": at.players[turn.seat].name,
                "done_s": round(self._done_ms.get(turn.number, 0) / 1000, 1),
                "verdict": turn.ruling.value,
                "codes": [code.value for code in turn.verdict.codes],
                "table": str(turn.seen),
                "timed_out": turn.timed_out,
            }
            for turn in at.turns
        ]
        return {
            "rules": at.rules.preset,
            "options": at.rules.changes(),
            "players": [player.name for player in at.players],
            "start": str(at.turns[0].before if at.turns else at.table),
            "turns": turns,
        }
