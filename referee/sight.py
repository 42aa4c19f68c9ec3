"""What the camera has last made of the table, and what of it counts when the end of a turn is called (RULEBOOK 7.4)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Self

from referee.position import Call
from referee.table import Row, SeenTile, Table, TableReading

_SURE = 0.9
GRACE_MS = 2000
"""A camera that has shown nothing new for this long is not waited for when the time is up."""

Seen = Table | TableReading
"""A table as it was seen: given by a person, or read by a camera with its doubts."""


def notation(seen: Seen | None) -> str:
    """Give the notation of what was seen, with `?` for a tile that cannot be read; empty where nothing was."""
    if seen is None:
        return ""
    return str(seen) if isinstance(seen, Table) else seen.notation


def best_table(seen: Seen) -> Table:
    """Give the table that was most probably seen."""
    return seen if isinstance(seen, Table) else seen.table()


@dataclass(frozen=True, slots=True)
class Sight:
    """The last still look at the table.

    `seen` has lain so since `since_ms`; `still`: nothing has moved since. Pictures up to `looked_ms` were looked at.
    """

    seen: Seen | None = None
    since_ms: int = 0
    looked_ms: int = 0
    still: bool = False

    def observe(self, seen: Seen, since: int) -> Self:
        """Take in a reading of the table that has lain still since a moment."""
        return replace(self, seen=seen, since_ms=since, looked_ms=max(since, self.looked_ms), still=True)

    def look(self, captured: int, *, still: bool) -> Self:
        """Take in a picture without a new reading: the table lies as it lay, or moves, or a hand is over it.

        What has moved is still again only when it is read anew.
        """
        return replace(self, looked_ms=max(captured, self.looked_ms), still=self.still and still)

    def at_call(self, call: Call, now: int) -> Seen | None:
        """Give what counts for a turn whose end was called, None where the camera has yet to see it.

        For "done" it is what lies still now. When the time is up it is what lay still last at that moment: known once a
        later picture shows it still, or once the camera has been silent for `GRACE_MS`.
        """
        if not call.timed_out:
            return self.seen if self.still else None
        known = self.still and self.looked_ms >= call.at_ms
        silent = now - max(self.looked_ms, call.at_ms) > GRACE_MS
        return self.seen if known or silent else None


def surely_moved(seen: Seen, table: Table) -> bool:
    """Whether a table surely lies otherwise than it did: a mark that may be a tile, or a tile in doubt, is no move."""
    if isinstance(seen, Table):
        return seen != table
    come = Counter(tile.best for tile in _sure(seen, chain.from_iterable(seen.melds)) if tile.best) - table.tiles
    hidden = table.tiles if seen.unseen is None else Counter(seen.unseen)
    gone = table.tiles - seen.table().tiles - hidden
    known = Counter(map(_either_way, table.rows))
    rows = [[seen.tiles[i] for i in row] for row in seen.melds if len(_sure(seen, row)) == len(row)]
    other = Counter(_either_way(tuple(tile.best for tile in row if tile.best)) for row in rows) - known
    return bool(come or gone or other)


def _sure(seen: TableReading, tiles: Iterable[int]) -> list[SeenTile]:
    lying = (seen.tiles[i] for i in tiles)
    return [tile for tile in lying if min(tile.confidence, tile.presence) >= _SURE]


def lies_as(seen: Seen, table: Table) -> bool:
    """Whether what was seen is the same melds as a table, wherever they lie, also pushed together in one row."""
    wanted = Counter(map(_either_way, table.rows))
    rest = []
    for row in best_table(seen).rows:
        if wanted[_either_way(row)] > 0:
            wanted[_either_way(row)] -= 1
        else:
            rest.append(row)
    return _made_of(rest, tuple(wanted.elements()))


def _either_way(row: Row) -> Row:
    return min(row, row[::-1])


def _made_of(rows: Sequence[Row], melds: Sequence[Row]) -> bool:
    """Whether rows, put end to end, are just these melds, each either way round."""
    if not rows:
        return not melds
    row, *others = rows
    if not row:
        return _made_of(others, melds)
    return any(
        row[: len(meld)] in (meld, meld[::-1]) and _made_of([row[len(meld) :], *others], (*melds[:i], *melds[i + 1 :]))
        for i, meld in enumerate(melds)
    )
