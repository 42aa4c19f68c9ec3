"""The melds of a covering in which a joker that was replaced this turn may lie (RULEBOOK 6.4)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple, TypeVar

from referee.covering import SHAPES, Meld
from referee.covering_blocks import Block, Frame, frames
from referee.joker_rows import JokerRows
from referee.table import Row
from referee.tiles import JOKER, Tile
from referee.turn import sorted_row

T = TypeVar("T")


def lay_own_melds(rows: JokerRows) -> None:
    """Add the melds that are made of the hand's tiles, and of jokers that are the hand's or replaced."""
    for shape in rows.layout.shapes:
        for row, jokers in rows.layout.with_jokers(shape):
            own = [tile for tile in row if tile.number]
            if jokers and all(rows.layout.most[tile] > rows.layout.old.tiles[tile] for tile in own):
                claims = [(rows.from_hand(tile), 1) for tile in own]
                rows.covering.lay(Meld(row), [*claims, (rows.places, -len(jokers))], upper=rows.layout.rules.copies)


def lay_new_melds(rows: JokerRows, blocks: Sequence[Block]) -> None:
    """Add the new melds with two tiles of the hand; `blocks` are the locked melds, which may have grown to one."""
    new = _NewMelds(rows)
    layout = rows.layout
    for shape in SHAPES:
        if sum(not layout.most[tile] for tile in shape.tiles) <= layout.most[JOKER]:
            new.lay(Frame(shape, ()))
    for frame in frames(rows.covering, blocks, joined=True):
        new.lay(frame)
    new.tell_elsewhere()


class _Jokers(NamedTuple):
    """What the jokers of a new meld, beside those of its blocks, stand for: replaced ones, the hand's, kept ones."""

    replaced: frozenset[Tile]
    hand: frozenset[Tile]
    kept: frozenset[Tile]

    @property
    def all(self) -> frozenset[Tile]:
        return self.replaced | self.hand | self.kept


class _Claim(NamedTuple):
    """Tiles of a new meld that come from the hand, and the melds of before in it that lie elsewhere too."""

    own: frozenset[Tile]
    elsewhere: tuple[Row, ...]


@dataclass
class _NewMelds:
    rows: JokerRows
    elsewhere: dict[Row, int] = field(default_factory=dict)
    columns: set[int] = field(default_factory=set)

    @cached_property
    def _old(self) -> Counter[Row]:
        """Count the rows of before, each sorted."""
        return Counter(map(sorted_row, self.rows.layout.old.rows))

    @cached_property
    def _at_hand(self) -> frozenset[Tile]:
        """The tiles that can come from the hand."""
        most, old = self.rows.layout.most, self.rows.layout.old.tiles
        return frozenset(tile for tile in most if most[tile] > old[tile])

    def lay(self, frame: Frame) -> None:
        """Add a column for every choice of the meld's jokers and of its tiles that come from the hand."""
        for jokers in self._jokers(frame):
            row = frame.row(jokers.all)
            for claim in self._claims(frame, jokers):
                needed = frame.closed | jokers.all | claim.own
                if sorted_row(row) in self.rows.covering.whole or not _divisible(frame.shape.tiles, needed):
                    self._lay(frame, jokers, claim)

    def _lay(self, frame: Frame, jokers: _Jokers, claim: _Claim) -> None:
        entries = [(block.row, 1) for block in frame.blocks]
        entries += [(self.rows.from_hand(tile), 1) for tile in sorted(claim.own)]
        entries += [(self._elsewhere(row), self._old[row]) for row in claim.elsewhere]
        entries.append((self.rows.places, -len(jokers.replaced)))
        if jokers.hand:
            entries.append((self.rows.from_hand(JOKER), len(jokers.hand)))
        self.columns.add(self.rows.lay(frame.row(jokers.all), jokers.kept, entries))

    def _jokers(self, frame: Frame) -> Iterator[_Jokers]:
        layout = self.rows.layout
        tiles = frame.shape.tiles
        most = min(layout.joker_room(len(tiles)), layout.most[JOKER]) - len(frame.jokers)
        places = frozenset(tiles) - frame.closed
        sure = frozenset(tile for tile in places if not layout.most[tile])
        for replaced in _subsets(places, 1, min(most, layout.old.tiles[JOKER])):
            for hand in _subsets(places - replaced, 0, most - len(replaced)):
                kept_most = most - len(replaced) - len(hand)
                for kept in _subsets((places - replaced - hand) & self.rows.kept.keys(), 0, kept_most):
                    jokers = _Jokers(replaced, hand, kept)
                    if sure <= jokers.all:
                        yield jokers

    def _claims(self, frame: Frame, jokers: _Jokers) -> Iterator[_Claim]:
        """Give every choice of tiles that come from the hand which makes the meld new and two of its tiles own (6.4)."""
        row = frame.row(jokers.all)
        own = (frozenset(row) - frame.closed) & self._at_hand - {JOKER}
        replacing = sum(len(block.replacing) for block in frame.blocks)
        held = [meld for meld in self._old if _holds(row, meld)]
        for elsewhere in _subsets(held, 0, len(held)):
            copied = [meld for meld in held if meld not in elsewhere]
            sure = frozenset(chain.from_iterable(copied)) - {JOKER}
            in_copies = max((meld.count(JOKER) for meld in copied), default=0) <= len(jokers.hand)
            if in_copies and sure <= own and all(map(self._twice, elsewhere)):
                more = max(0, 2 - len(jokers.hand) - replacing - len(sure))
                for further in _subsets(own - sure, more, more):
                    yield _Claim(sure | further, tuple(elsewhere))

    def _twice(self, meld: Row) -> bool:
        """Whether there are tiles for the meld to lie in two places."""
        return all(self.rows.layout.most[tile] > 1 for tile in meld)

    def _elsewhere(self, meld: Row) -> int:
        """Give the row that asks for a meld of before to lie in melds without replaced jokers."""
        if meld not in self.elsewhere:
            self.elsewhere[meld] = self.rows.programme.row(highest=0)
        return self.elsewhere[meld]

    def tell_elsewhere(self) -> None:
        """Tell which melds hold a meld of before; one may serve all replaced jokers."""
        jokers = self.rows.layout.old.tiles[JOKER]
        for meld, row in self.elsewhere.items():
            for column in self.rows.covering.melds.keys() - self.columns:
                if _may_hold(self.rows.covering.melds[column], meld):
                    self.rows.programme.put(row, column, -jokers)


def _subsets(tiles: Iterable[T], least: int, most: int) -> Iterator[frozenset[T]]:
    """Give every choice of `least` to `most` of the things."""
    pool = list(tiles)
    sizes = range(least, min(most, len(pool)) + 1)
    return (frozenset(chosen) for size in sizes for chosen in combinations(pool, size))


def _divisible(tiles: Row, needed: frozenset[Tile]) -> bool:
    """Whether the meld has an end of three tiles or more that it does not need: it is then two melds as well."""
    places = [place for place, tile in enumerate(tiles) if tile in needed]
    return places[0] >= 3 or len(tiles) - 1 - places[-1] >= 3


def _holds(row: Row, meld: Row) -> bool:
    """Whether the row holds the meld whole."""
    return set(meld) <= set(row) and row.count(JOKER) >= meld.count(JOKER)


def _may_hold(meld: Meld, held: Row) -> bool:
    """Whether some choice of the open places makes the meld hold another whole."""
    jokers = meld.row.count(JOKER) + min(meld.room, len(meld.open))
    return set(held) - {JOKER} <= set(meld.row) and jokers >= held.count(JOKER)
