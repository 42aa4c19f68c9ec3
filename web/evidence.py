"""The pictures before and after each turn, kept in a folder of the owner's, the oldest going first when it is full."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from referee.ledger import State
from referee.position import Phase

Side = Literal["before", "after"]
SIDES: tuple[Side, Side] = ("before", "after")
MEGABYTE = 1_000_000
log = logging.getLogger(__name__)


@dataclass
class Evidence:
    """Keeps pictures of the present game's turns; `picture` gives the newest one as a JPEG, None where there is none.

    `game` tells the present game's number in the log. Saving is done by a thread of its own: nobody waits for the disk.
    """

    folder: Path
    limit_mb: int
    game: Callable[[], int]
    picture: Callable[[], bytes | None]
    _last: State | None = None
    _disk: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "evidence"))

    def note(self, state: State) -> None:
        """Take in a new state: a turn that has ended, or one that begins, is worth a picture."""
        last, self._last = self._last, state
        at, was = state.game.now, last.game.now if last else None
        if was is not None and len(at.turns) > len(was.turns):
            self._take(at.turns[-1].number, "after")
        if at.phase is Phase.PLAY and (was is None or (was.phase, was.turn) != (at.phase, at.turn)):
            self._take(at.turn, "before")

    def _take(self, turn: int, side: Side) -> None:
        self._disk.submit(self._save, self.file(turn, side))

    def file(self, turn: int, side: Side, game: int | None = None) -> Path:
        """Give the place of a turn's picture, in the present game where none is named; it may not exist."""
        return self.folder / f"{_beginning(self.game() if game is None else game)}{turn:04d}-{side}.jpg"

    def of_game(self, game: int) -> list[Path]:
        """Give the pictures that were kept of a game, in the order of its turns."""
        return sorted(self.folder.glob(f"{_beginning(game)}*.jpg"))

    def _save(self, file: Path) -> None:
        """Write the newest picture, and make room; a full disk costs the picture, never the game."""
        picture = self.picture()
        if picture is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file.write_bytes(picture)
            make_room(self.folder, self.limit_mb * MEGABYTE)
        except OSError as error:
            log.warning("the picture %s was not kept: %s", file, error)

    def load(self, turn: int, side: Side, game: int | None = None) -> bytes | None:
        """Give a kept picture, of the present game where none is named; None where there is none."""
        try:
            return self.file(turn, side, game).read_bytes()
        except OSError:
            return None

    def close(self) -> None:
        """Finish what is being written."""
        self._disk.shutdown()


def _beginning(game: int) -> str:
    """How the names of a game's pictures begin."""
    return f"game-{game:05d}-turn-"


def make_room(folder: Path, limit: int) -> None:
    """Delete the oldest pictures of a folder until it holds no more than `limit` bytes."""
    kept = sorted((file.stat().st_mtime_ns, file.stat().st_size, file) for file in folder.glob("game-*.jpg"))
    total = sum(size for _, size, _ in kept)
    for _, size, file in kept:
        if total <= limit:
            return
        file.unlink(missing_ok=True)
        total -= size
