"""Which tiles of a reading a verdict speaks of: those played this turn, and the rows at fault, for the overlay."""

from collections import Counter

from referee.table import TableReading
from referee.verdict import Verdict
from vision.overlay import Marks


def marks_of(reading: TableReading, verdict: Verdict | None) -> Marks:
    """Give the marks of a verdict; of equal tiles the last ones in reading order pass for those played."""
    if verdict is None:
        return Marks()
    return Marks(frozenset(_played(reading, verdict)), tuple(_faulty(reading, verdict)))


def _played(reading: TableReading, verdict: Verdict) -> list[int]:
    left = Counter(verdict.played)
    places = []
    for place in (place for row in reversed(reading.melds) for place in reversed(row)):
        tile = reading.tiles[place].best
        if tile is not None and left[tile] > 0:
            left[tile] -= 1
            places.append(place)
    return places


def _faulty(reading: TableReading, verdict: Verdict) -> list[tuple[int, ...]]:
    wrong = {fault.meld for fault in verdict.faults if fault.meld}
    return [row for row in reading.melds if tuple(reading.tiles[place].best for place in row) in wrong]
