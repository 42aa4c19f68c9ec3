"""A recorded game refereed again: a video with its script, or a folder in which each picture by name is a turn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.decisions import Setup
from referee.position import Phase
from referee.sight import best_table
from vision.frames import PICTURE_SUFFIXES, Frame, load_picture, natural_order
from vision.sources import open_video, video_pictures
from web.errors import InputError
from web.eyes import Eyes, MotionGate, PictureGate
from web.labelled import LabelledPictures
from web.script import Script, ScriptTurn
from web.told import Counts, Told
from web.trial import Trial
from web.watch import MOST_LOOKS

PICTURE_MS = 1000
QUIET_MS = 2000
"""Without a script a table that has changed and lain still for so long is the end of a turn."""


@dataclass
class Rerun:
    """One recorded game before the referee."""

    script: Script
    trial: Trial
    told: Callable[[Told], None] = lambda _turn: None
    labelled: LabelledPictures | None = None
    turns: list[Told] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    _number: int = 0
    _worked_s: float = 0.0
    _called_ms: int = 0
    _pending: ScriptTurn | None = None

    @property
    def scores(self) -> dict[str, int]:
        """The scores by the referee."""
        return self.trial.scores

    def pictures(self, frames: Iterator[Frame]) -> None:
        """Take each picture as the table at the end of a turn."""
        scripted = iter(self.script.turns)
        for frame in frames:
            if not self.trial.at.players:
                self._start(frame)
            self.trial.pass_to(frame.captured_ms)
            self.trial.restored()
            turn = next(scripted, None) or ScriptTurn(self._next_player())
            if turn.timed_out:
                self._run_out()
            self.trial.look(replace(frame, captured_ms=self.trial.clock()))
            self._call(turn)
            self._hear(patient=False)

    def video(self, frames: Iterator[Frame]) -> None:
        """Let a video run, its players saying "done" when the script says so."""
        waiting = list(self.script.turns)
        for frame in frames:
            if not self.trial.at.players:
                self._start(frame)
            self.trial.pass_to(frame.captured_ms)
            if waiting and frame.captured_ms >= round(1000 * (waiting[0].done_s or 0)):
                self._hear(patient=False)
                self.trial.restored()
                self._call(waiting.pop(0))
            self.trial.look(frame)
            if not self.script.turns and self._has_changed(frame.captured_ms):
                self._call(ScriptTurn(self._next_player()))
            self._hear(patient=True)
        self.trial.watcher.finish()
        self._hear(patient=False)

    def _start(self, frame: Frame) -> None:
        """Start the game; where no script says what lies there, it is what the first picture shows."""
        start = self.script.start
        if start is None:
            start = self.trial.watcher.reader.look(frame, self.trial.at.table, None).reading.table()
        setup = Setup(table=start, opened=bool(start.rows))
        self.trial.start(self.script.players, self.script.rules, setup)

    def _next_player(self) -> str:
        return self.trial.at.players[self.trial.at.seat].name

    def _has_changed(self, at_ms: int) -> bool:
        """Whether the table lies otherwise than at the beginning of the turn, and has lain so for a while."""
        sight = self.trial.desk.sight
        if self._pending or self.trial.at.phase is not Phase.PLAY or not sight.still or sight.seen is None:
            return False
        return at_ms - sight.since_ms >= QUIET_MS and best_table(sight.seen) != self.trial.at.table

    def _run_out(self) -> None:
        """Let the player's time run out."""
        left = self.trial.at.clock.left_ms(self.trial.clock())
        if left is not None and self.trial.at.clock.running:
            self.trial.pass_to(self.trial.clock() + left + 1)

    def _call(self, turn: ScriptTurn) -> None:
        """End a turn, as the script has it."""
        at = self.trial.at
        self._pending, self._called_ms, self._worked_s = turn, self.trial.clock(), self.trial.worked_s
        if at.phase is Phase.PLAY:
            self._number = at.turn
            if not turn.timed_out:
                self.trial.done(None)

    def _hear(self, *, patient: bool) -> None:
        """Keep what was said of the turn that is over, where it was said; a person helps where it cannot be told."""
        turn = self._pending
        if turn is None:
            return
        said = self.trial.said_of(self._number)
        if said is None:
            if patient:
                return
            self.counts.helped += 1
            self.trial.done(None)
            said = self.trial.said_of(self._number)
        self._pending = None
        if said is None:
            return
        waited_s = (self.trial.clock() - self._called_ms) / 1000
        said = replace(said, seconds=waited_s + self.trial.worked_s - self._worked_s)
        told = Told(len(self.turns) + 1, turn.player, said, turn.truth)
        self.turns.append(told)
        self.told(told)
        self._label(turn)
        self._put_right(turn, told)

    def _label(self, turn: ScriptTurn) -> None:
        """Keep the picture of a turn of which the script knows what lay there."""
        feed = self.trial.watcher.feed
        if (
            self.labelled
            and turn.table is not None
            and feed.read_picture is not None
            and feed.sight.reading is not None
        ):
            self.labelled.add(len(self.turns), feed.read_picture, feed.sight.reading, turn.table)

    def _put_right(self, turn: ScriptTurn, told: Told) -> None:
        """Go on from what is known to have been, or from what was most probably seen."""
        if turn.truth and turn.table is not None and (told.open or told.wrong):
            self.trial.put_right(self._number, turn.table, turn.truth.ruling)
        elif told.open:
            self.trial.accept(self._number)


def rerun(
    path: Path,
    script: Script,
    eyes: Eyes,
    told: Callable[[Told], None],
    *,
    labelled: LabelledPictures | None = None,
) -> Rerun:
    """Referee a recording again, and keep its pictures `labelled` where the script knows what lay there.

    Raises:
        InputError: there is no such recording, or nothing in it.
        CameraError: it is no video that can be played.
        PictureError: a picture of the folder is none.
    """
    if path.is_dir():
        files = sorted((one for one in path.iterdir() if one.suffix.lower() in PICTURE_SUFFIXES), key=natural_order)
        if not files:
            msg = f"the folder {str(path)!r} holds no pictures: give one with a picture for each turn"
            raise InputError(msg)
        frames = (replace(load_picture(file, i), captured_ms=i * PICTURE_MS) for i, file in enumerate(files))
        with Trial.open(eyes, PictureGate(), 1) as trial:
            again = Rerun(script, trial, told, labelled)
            again.pictures(frames)
            return again
    if not path.is_file():
        msg = f"there is no recording {str(path)!r}: give a video or a folder of pictures"
        raise InputError(msg)
    with Trial.open(eyes, MotionGate(), MOST_LOOKS) as trial:
        again = Rerun(script, trial, told, labelled)
        again.video(video_pictures(open_video(path)))
        return again
