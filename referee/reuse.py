"""Where a joker that was replaced in this turn may lie at its end (RULEBOOK 6.4)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from operator import or_
from typing import NamedTuple

from referee.rules import JokerReuse
from referee.table import Row
from referee.tiles import JOKER, Tile
from referee.turn import Turn


class Landing(NamedTuple):
    """A row with jokers at the end of the turn, once it is settled which jokers were kept.

    `free`: how many of its jokers are replaced ones or the hand's; `keeps`: whether it holds a kept one.
    `locked`: its numbered tiles that lie in a locked meld and stay there.
    """

    row: Row
    free: int
    keeps: bool
    locked: frozenset[Tile] = frozenset()


class _Claim(NamedTuple):
    """What one new meld must hold from the hand: these tiles, and so many more out of those."""

    tiles: tuple[Tile, ...]
    more: int = 0
    out_of: frozenset[Tile] = frozenset()


@dataclass(frozen=True)
class Reuse:
    """One question of 6.4: may `replaced` jokers lie in these rows, the rest of the free places being the hand's?"""

    turn: Turn
    landings: tuple[Landing, ...]
    replaced: int

    def allowed(self, rule: JokerReuse) -> bool:
        """Say whether some choice of places obeys the rule."""
        if rule is JokerReuse.ANYWHERE or not self.replaced:
            return True
        claims_of = self._own_meld if rule is JokerReuse.NEW_MELD_OWN else self._two_own
        return any(self._suffices(claims_of(places)) for places in self._all_places())

    def _all_places(self) -> Iterator[tuple[int, ...]]:
        """Give every way to spread the replaced jokers: how many of them lie in each landing."""
        spreads = product(*(range(landing.free + 1) for landing in self.landings))
        return (places for places in spreads if sum(places) == self.replaced)

    def _own_meld(self, places: tuple[int, ...]) -> Iterator[_Claim | None]:
        """All other tiles come from the hand; jokers of the hand, or replaced this turn, count as own."""
        for landing, count in zip(self.landings, places, strict=True):
            if count:
                numbered = tuple(tile for tile in landing.row if tile.number)
                yield None if landing.keeps else _Claim(numbered)

    def _two_own(self, places: tuple[int, ...]) -> Iterator[_Claim | None]:
        """A new meld with two tiles from the hand, jokers of the hand among them, replaced ones not."""
        old = [landing.row for landing, count in zip(self.landings, places, strict=True) if not count]
        for landing, count in zip(self.landings, places, strict=True):
            if count:
                yield self._new_meld(landing, landing.free - count, old)

    def _new_meld(self, landing: Landing, hand_jokers: int, old: Iterable[Row]) -> _Claim | None:
        """Say what makes the landing a new meld with two tiles of the hand; None where nothing can.

        `old` are the rows with jokers that need not be new. Of a meld of before that the landing seems to hold, the
        numbered tiles must be copies from the hand; a joker that was replaced has left it, and is no part of it.
        """
        copies = reduce(or_, self._held_nowhere_else(landing, old), Counter[Tile]())
        tiles = frozenset(copies) - {JOKER}
        if copies[JOKER] > landing.free or not tiles.isdisjoint(landing.locked):
            return None
        numbered = frozenset(tile for tile in landing.row if tile.number)
        return _Claim(tuple(tiles), max(0, 2 - hand_jokers - len(tiles)), numbered - tiles)

    def _held_nowhere_else(self, landing: Landing, old: Iterable[Row]) -> Iterator[Counter[Tile]]:
        """Give the melds of before that the landing holds whole and that do not all lie elsewhere too."""
        others = [*old, *(row for row in self.turn.after.rows if JOKER not in row)]
        for row, count in self.turn.rows_before.items():
            if _holds(landing.row, row) and sum(_holds(other, row) for other in others) < count:
                yield Counter(row)

    def _suffices(self, claims: Iterable[_Claim | None]) -> bool:
        """Say whether the played tiles suffice for all claims together, each tile for one new meld only.

        A played tile counts wherever it lies: also where a copy of it replaced a joker of a meld that is locked still.
        """
        left = self.turn.played.copy()
        asked: list[_Claim] = []
        for claim in claims:
            if claim is None:
                return False
            left.subtract(claim.tiles)
            asked.append(claim)
        return min(left.values(), default=0) >= 0 and _shared_out(asked, left)


def _holds(row: Row, meld: Row) -> bool:
    """Whether the row holds the meld whole."""
    return set(meld) <= set(row) and row.count(JOKER) >= meld.count(JOKER)


def _shared_out(claims: Sequence[_Claim], left: Counter[Tile]) -> bool:
    """Say whether each claim can have its further tiles, no two alike, out of those left."""
    if not claims:
        return True
    claim, *rest = claims
    available = [tile for tile in claim.out_of if left[tile] > 0]
    return any(_shared_out(rest, left - Counter(tiles)) for tiles in combinations(available, claim.more))
