"""A simulated game as `replay` takes it: a video, or a folder with one picture a turn, and the script of its turns."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import cv2

from models.simulate.errors import RecordingError
from models.simulate.game import FRAME_MS, Moment, Plan, SimulatedGame, TurnTruth
from vision.frames import Picture

CODES = {".avi": "MJPG", ".mp4": "mp4v"}
REFEREE_MS = 3000
"""So long the players of a recorded game give the referee, after each call and each time the table was put back."""
JPEG_QUALITY = 92
SCRIPT_NAME = "script.json"

Told = Callable[[TurnTruth], None]
Script = dict[str, object]


class _Keeper(Protocol):
    """Keeps the pictures of a game."""

    def take(self, moment: Moment) -> None:
        """Take in a moment."""
        ...

    def close(self, script: Script) -> None:
        """Write the script, and finish."""
        ...


def record(plan: Plan, out: Path, told: Told) -> Script:
    """Play a game and write it down; gives its script. `told` hears of every turn.

    Args:
        plan: the game.
        out: a video (.avi, .mp4), whose script gets the same name with .json; else a folder for a picture a turn.
        told: called at the end of each turn.

    Raises:
        RecordingError: it cannot be written there.
    """
    game = SimulatedGame(plan)
    keeper = _keeper(out, plan.size)
    turns: list[TurnTruth] = []
    for moment in _refereed(game):
        keeper.take(moment)
        if moment.turn:
            turns.append(moment.turn)
            told(moment.turn)
    script = script_of(game, turns)
    keeper.close(script)
    return script


def _keeper(out: Path, size: tuple[int, int]) -> "_Keeper":
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        return _Video(out, size) if out.suffix.lower() in CODES else _Pictures(out)
    except OSError as error:
        msg = f"{str(out)!r} cannot be written: give a video (.avi, .mp4) or a folder in a place of yours"
        raise RecordingError(msg) from error


def _refereed(game: SimulatedGame) -> Iterator[Moment]:
    """Give a game's moments, the players going on when the referee has had his time."""
    waited = 0
    for moment in game.moments():
        yield moment
        waited = waited + FRAME_MS if moment.waits else 0
        if waited > REFEREE_MS:
            game.go_on()
            waited = 0


def script_of(game: SimulatedGame, turns: list[TurnTruth]) -> Script:
    """Give the script of a game as `replay` takes it; `timed_out` says that the clock ended the turn."""
    return {
        "rules": game.rules.preset,
        "options": game.rules.changes(),
        "players": list(game.players),
        "start": "-",
        "turns": [
            {
                "player": turn.player,
                "done_s": (turn.began_ms + turn.used_ms if turn.said_done_ms is None else turn.said_done_ms) / 1000,
                "verdict": turn.ruling.value,
                "codes": list(turn.codes),
                "table": str(turn.after),
                "timed_out": turn.timed_out,
            }
            for turn in turns
        ],
    }


def _write_script(path: Path, script: Script) -> None:
    path.write_text(json.dumps(script, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


class _Video:
    """Writes every picture, ten a second; while nothing moves the last one stands."""

    def __init__(self, path: Path, size: tuple[int, int]) -> None:
        self._path = path
        self._last: Picture | None = None
        code = cv2.VideoWriter.fourcc(*CODES[path.suffix.lower()])
        self._writer = cv2.VideoWriter(str(path), code, 1000 / FRAME_MS, size)
        if not self._writer.isOpened():
            msg = f"the video {str(path)!r} cannot be opened"
            raise OSError(msg)

    def take(self, moment: Moment) -> None:
        if not moment.restful or self._last is None:
            self._last = moment.frame()
        self._writer.write(self._last)

    def close(self, script: Script) -> None:
        self._writer.release()
        _write_script(self._path.with_suffix(".json"), script)


class _Pictures:
    """Writes the table at the end of each turn, once no hand is over it any more."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._turn: TurnTruth | None = None

    def take(self, moment: Moment) -> None:
        self._turn = moment.turn or self._turn
        if self._turn is not None and not moment.hands:
            path = self._folder / f"turn-{self._turn.n:03}.jpg"
            cv2.imwrite(str(path), moment.frame(), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
            self._turn = None

    def close(self, script: Script) -> None:
        _write_script(self._folder / SCRIPT_NAME, script)
