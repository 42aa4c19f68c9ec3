"""The turns that were played, as the game remembers them, and what a correction changes in them."""

from collections import Counter
from itertools import zip_longest
from typing import NamedTuple

from referee.table import Row, Table
from referee.tiles import Tile
from referee.verdict import FaultCode, Ruling, Verdict


class Turn(NamedTuple):
    """A turn that was played.

    `before` lay when it began and `seen` when it ended, as read or as corrected; `after` is what stands. `verdict` is
    what the referee said and `ruling` what counts: another one where a person overruled it, and `reason` says why.
    `drawn` tiles were taken from the pool; the player held `hand` tiles before, and had `opened` or not.
    """

    number: int
    seat: int
    before: Table
    seen: Table
    after: Table
    verdict: Verdict
    ruling: Ruling
    played: tuple[Tile, ...]
    drawn: int
    hand: int
    opened: bool
    used_ms: int
    timed_out: bool = False
    reason: str = ""

    @property
    def overruled(self) -> bool:
        """Whether a person decided otherwise than the referee."""
        return self.ruling is not self.verdict.ruling

    @property
    def whole_hand(self) -> bool:
        """Whether the player went out in the opening turn, with the whole hand at once (10.5)."""
        return self.ruling is Ruling.LEGAL and not self.opened and self.hand == len(self.played)


class Change(NamedTuple):
    """What a correction, an overruling or a changed rule did to one turn.

    `now` is None where the turn no longer counts, because the game was over before it.
    """

    turn: int
    seat: int
    was: Ruling
    now: Ruling | None
    codes_were: tuple[FaultCode, ...] = ()
    codes_now: tuple[FaultCode, ...] = ()


def changes(was: tuple[Turn, ...], now: tuple[Turn, ...]) -> tuple[Change, ...]:
    """Compare the turns of a game before and after a change: those whose ruling, faults, player or draws differ."""
    pairs = zip_longest(was, now[: len(was)])
    return tuple(
        _change(old, new) for old, new in pairs if new is not old and (new is None or _gist(old) != _gist(new))
    )


def _gist(turn: Turn) -> tuple[object, ...]:
    return turn.ruling, turn.seat, turn.verdict.codes, turn.drawn


def _change(old: Turn, new: Turn | None) -> Change:
    ruling, codes = (None, ()) if new is None else (new.ruling, new.verdict.codes)
    return Change(old.number, old.seat, old.ruling, ruling, old.verdict.codes, codes)


def carry(table: Table, was: Table, now: Table) -> Table | None:
    """Make the change from one table to another in a third one; None where that has not the rows that change."""
    gone, come = Counter(was.rows) - Counter(now.rows), Counter(now.rows) - Counter(was.rows)
    if not gone <= Counter(table.rows):
        return None
    new = iter(come.elements())
    rows: list[Row] = []
    for row in table.rows:
        gone[row] -= 1
        rows.append(next(new, ()) if gone[row] >= 0 else row)
    return Table.of((*rows, *new))
