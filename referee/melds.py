"""Groups and runs (RULEBOOK 3): what is wrong with a row that is none, what its jokers stand for and its worth.

Everything here looks at one row alone; the answers are cached, since most rows of a table lie there turn after turn.
"""

from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from referee.table import Row
from referee.tiles import COLOURS, HIGHEST, LOWEST, Tile
from referee.verdict import FaultCode

Roles = tuple[Tile, ...]
"""The tiles that the jokers of one row stand for, all of them different, in no order of their own."""

_CACHED_ROWS = 1 << 15


class _Faces(NamedTuple):
    """A row's numbered tiles apart from its jokers."""

    numbered: tuple[Tile, ...]
    numbers: frozenset[int]
    colours: frozenset[str]
    length: int

    @property
    def jokers(self) -> int:
        return self.length - len(self.numbered)


def _faces(row: Row) -> _Faces:
    numbered = tuple(tile for tile in row if tile.number)
    return _Faces(numbered, frozenset(t.number for t in numbered), frozenset(t.colour for t in numbered), len(row))


def _is_group(faces: _Faces) -> bool:
    """Whether the tiles, in any order, are a group (3.1)."""
    return (
        faces.length in (3, 4) and len(faces.numbers) == 1 and len(faces.colours) == len(faces.numbered)  # none twice
    )


def _is_run(faces: _Faces) -> bool:
    """Whether the tiles, in any order, are a run (3.2, 3.3)."""
    return (
        3 <= faces.length <= HIGHEST
        and len(faces.colours) == 1
        and len(faces.numbers) == len(faces.numbered)
        and max(faces.numbers) - min(faces.numbers) < faces.length
    )


def is_meld(row: Row, *, naturals_outnumber: bool = False) -> bool:
    """Whether a row is a group or a run, in whatever order its tiles lie (3.7)."""
    return row_fault(row, naturals_outnumber=naturals_outnumber) is None


@lru_cache(_CACHED_ROWS)
def row_fault(row: Row, *, naturals_outnumber: bool = False) -> FaultCode | None:
    """Say what is wrong with a row: the first code that fits in the rulebook's order, or None for a valid meld."""
    if len(row) < 3:
        return FaultCode.LOOSE_TILE if len(row) == 1 else FaultCode.MELD_TOO_SHORT
    faces = _faces(row)
    if _is_group(faces) or _is_run(faces):
        outnumbered = naturals_outnumber and len(faces.numbered) <= faces.jokers
        return FaultCode.TOO_MANY_JOKERS if outnumbered else None
    if len(faces.numbers) == 1:
        return FaultCode.GROUP_TOO_LONG if faces.length >= 5 else FaultCode.GROUP_REPEATS_COLOUR
    return _run_fault(faces) if len(faces.colours) == 1 else FaultCode.NOT_A_MELD


def _run_fault(faces: _Faces) -> FaultCode:
    if len(faces.numbers) < len(faces.numbered):
        return FaultCode.RUN_REPEATS_NUMBER
    widest = max(high - low for low, high in pairwise(sorted(faces.numbers)))
    # on a ring of 13 numbers the tiles need all but the widest gap; 14 tiles and more are the ring and over;
    # where the widest gap is the one from 13 to 1, they are a run
    return FaultCode.RUN_WRAPS if HIGHEST + 1 - widest <= faces.length else FaultCode.RUN_HAS_GAP


@lru_cache(_CACHED_ROWS)
def joker_roles(row: Row) -> tuple[Roles, ...]:
    """Give every assignment of a valid meld's jokers (3.6): one empty assignment where it has none.

    If the row as it lies, read in either direction, is a group or a run, the places tell; otherwise whatever makes the
    tiles a valid meld will do. A row that is no valid meld has no assignment.
    """
    faces = _faces(row)
    if not (_is_group(faces) or _is_run(faces)):
        return ()
    group = _group_roles(faces) if _is_group(faces) else ()
    in_order = {*group, *_run_in_order(row), *_run_in_order(row[::-1])}
    return tuple(sorted(in_order or _run_in_any_order(faces)))


def _group_roles(faces: _Faces) -> tuple[Roles, ...]:
    (number,) = faces.numbers
    missing = (Tile(colour, number) for colour in COLOURS if colour not in faces.colours)
    return tuple(combinations(sorted(missing), faces.jokers))


def _run_in_order(row: Row) -> tuple[Roles, ...]:
    """Give the one assignment if the row rises from left to right, else none."""
    place, first = next((i, tile) for i, tile in enumerate(row) if tile.number)
    lowest = first.number - place
    if lowest < LOWEST or lowest + len(row) - 1 > HIGHEST:
        return ()
    meant = [Tile(first.colour, number) for number in range(lowest, lowest + len(row))]
    if any(tile.number and tile != due for tile, due in zip(row, meant, strict=True)):
        return ()
    return (tuple(due for tile, due in zip(row, meant, strict=True) if not tile.number),)


def _run_in_any_order(faces: _Faces) -> tuple[Roles, ...]:
    colour = faces.numbered[0].colour
    first = max(LOWEST, max(faces.numbers) - faces.length + 1)
    last = min(*faces.numbers, HIGHEST - faces.length + 1)
    windows = (range(low, low + faces.length) for low in range(first, last + 1))
    return tuple(tuple(Tile(colour, n) for n in window if n not in faces.numbers) for window in windows)


@lru_cache(_CACHED_ROWS)
def meld_points(row: Row, *, jokers_count: bool = True) -> int:
    """Give the worth of a valid meld laid this turn: the most that any assignment of its jokers gives (3.6).

    `jokers_count`: whether a joker counts as the tile it stands for or nothing (5.2).
    """
    faces = _faces(row)
    if not jokers_count:
        return sum(tile.number for tile in faces.numbered)
    as_group = max(faces.numbers) * faces.length if _is_group(faces) else 0
    return max(as_group, _highest_run(faces) if _is_run(faces) else 0)


def _highest_run(faces: _Faces) -> int:
    highest = min(HIGHEST, min(faces.numbers) + faces.length - 1)
    return sum(range(highest - faces.length + 1, highest + 1))
