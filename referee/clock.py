"""The clock of a turn (RULEBOOK section 7): a value, told what time it is.

Times are whole milliseconds of one monotonic clock of the running program; they mean nothing to another run.
"""

import time
from enum import StrEnum
from typing import NamedTuple, Self

JUMP_MS = 5000
"""A silence, or a leap of the clock on the wall, longer than this pauses the game."""


class PauseReason(StrEnum):
    """Why a clock stands."""

    FIRST_MOVE = "first_move"
    """It waits for the first move on the table (7.2)."""
    PERSON = "person"
    CAMERA = "camera"
    JUMP = "jump"
    """The computer slept, or its clock leapt."""
    RESTART = "restart"
    """The program was ended in the middle of a turn, and came back."""
    UNDO = "undo"
    TURN_OVER = "turn_over"
    """The player has said "done", or no turn is being played."""


def wall_clock_ms() -> int:
    """Give the time on the wall, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Clock(NamedTuple):
    """How much of a turn's time is used.

    `limit_ms`: the time of the turn, None for no limit. `used_ms` was used up to `since_ms`, from which moment it runs;
    it stands where that is None, and `pause` says why.
    """

    limit_ms: int | None = None
    used_ms: int = 0
    since_ms: int | None = None
    pause: PauseReason | None = PauseReason.TURN_OVER

    @classmethod
    def of(cls, limit_s: int | None, now: int, *, first_move: bool = False) -> Self:
        """Start the clock of a new turn, or have it wait for the first move."""
        limit = None if limit_s is None else limit_s * 1000
        return cls(limit, 0, None, PauseReason.FIRST_MOVE) if first_move else cls(limit, 0, now, None)

    @property
    def running(self) -> bool:
        """Whether time passes."""
        return self.since_ms is not None

    @property
    def deadline_ms(self) -> int | None:
        """The moment at which the time is up if nothing happens; None where that is never."""
        if self.since_ms is None or self.limit_ms is None:
            return None
        return self.since_ms + self.limit_ms - self.used_ms

    def used(self, now: int) -> int:
        """Give the milliseconds used."""
        return self.used_ms if self.since_ms is None else self.used_ms + max(0, now - self.since_ms)

    def left_ms(self, now: int) -> int | None:
        """Give the milliseconds left, never below 0; None where the turn has no limit."""
        return None if self.limit_ms is None else max(0, self.limit_ms - self.used(now))

    def is_up(self, now: int) -> bool:
        """Whether it runs and the time is up."""
        return self.deadline_ms is not None and now >= self.deadline_ms

    def stop(self, now: int, reason: PauseReason) -> Self:
        """Stop at a moment; a clock that stands keeps what it has used and takes the new reason."""
        return self._replace(used_ms=self.used(now), since_ms=None, pause=reason)

    def run(self, now: int) -> Self:
        """Run on from a moment; no change where it runs."""
        return self if self.running else self._replace(since_ms=now, pause=None)

    def add(self, seconds: int) -> Self:
        """Give the turn more time (less, where negative; no less than none)."""
        return self if self.limit_ms is None else self._replace(limit_ms=max(0, self.limit_ms + seconds * 1000))

    def limited(self, limit_s: int | None) -> Self:
        """Change the limit, keeping what is used."""
        return self._replace(limit_ms=None if limit_s is None else limit_s * 1000)

    def shift(self, by_ms: int) -> Self:
        """Leave time out: what passed in `by_ms` milliseconds is not counted."""
        return self if self.since_ms is None else self._replace(since_ms=self.since_ms + by_ms)


class Tick(NamedTuple):
    """One look at the time: on the program's monotonic clock, and on the wall (milliseconds since 1970)."""

    now_ms: int
    wall_ms: int

    def jumps_to(self, later: Self) -> bool:
        """Whether more than `JUMP_MS` passed unseen between two looks, on either clock (a closed lid, a new date)."""
        passed = later.now_ms - self.now_ms
        on_the_wall = later.wall_ms - self.wall_ms
        return not 0 <= passed <= JUMP_MS or abs(on_the_wall - passed) > JUMP_MS
