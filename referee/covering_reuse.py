"""The melds of a covering in which a joker that was replaced this turn may lie (RULEBOOK 6.4)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from referee.covering import SHAPES, Meld
from referee.covering_blocks import Block, Frame, frames
from referee.joker_rows import JokerRows, subsets
from referee.table import Row
from referee.tiles import JOKER, Tile
from referee.turn import sorted_row


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
    for frame in frames(layout, blocks):
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

    @cached_property
    def _hand_jokers(self) -> int:
        """The most jokers that are the hand's, or are as free as these."""
        layout = self.rows.layout
        return layout.most[JOKER] - layout.old.tiles[JOKER] + self.rows.idle_jokers

    def lay(self, frame: Frame) -> None:
        """Add a column for every choice of the meld's jokers and of its tiles that come from the hand."""
        own = self._at_hand.intersection(frame.shape.tiles) - frame.jokers
        if len(own) + self._hand_jokers < 2:
            return
        held = [meld for meld in self._old if frozenset(meld) - {JOKER} <= frame.shape.faces]
        for jokers in self._jokers(frame):
            for claim in self._claims(frame, jokers, own - jokers.all, held):
                needed = frame.closed | jokers.all | claim.own
                if not _divisible(frame.shape.tiles, needed) or self._on_the_table(frame, jokers):
                    self._lay(frame, jokers, claim)

    def _on_the_table(self, frame: Frame, jokers: _Jokers) -> bool:
        return sorted_row(frame.row(jokers.all)) in self.rows.covering.whole

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
        missing = frozenset(tile for tile in places if not layout.most[tile])
        for replaced in subsets(places, 1, min(most, self.rows.most_replaced)):
            for hand in subsets(places - replaced, 0, min(most - len(replaced), self._hand_jokers)):
                kept_most = min(most - len(replaced) - len(hand), layout.old.tiles[JOKER] - len(replaced))
                for kept in subsets((places - replaced - hand) & self.rows.kept.keys(), 0, kept_most):
                    jokers = _Jokers(replaced, hand, kept)
                    if missing <= jokers.all:
                        yield jokers

    def _claims(self, frame: Frame, jokers: _Jokers, own: frozenset[Tile], held: Sequence[Row]) -> Iterator[_Claim]:
        """Give every choice of the `own` tiles that makes the meld new; of the `held` it may hold some whole."""
        count = len(frame.jokers) + len(jokers.all)
        covered = frame.jokers | jokers.all
        old = [meld for meld in held if covered.isdisjoint(meld) and meld.count(JOKER) <= count]
        for elsewhere in subsets([meld for meld in old if self._twice(meld)]):
            copied = [meld for meld in old if meld not in elsewhere]
            sure = frozenset(chain.from_iterable(copied)) - {JOKER}
            jokers_copied = max((meld.count(JOKER) for meld in copied), default=0)
            if jokers_copied <= len(jokers.hand | jokers.replaced) and sure <= own - frame.closed:
                more = max(0, 2 - len(jokers.hand) - len(sure))
                for further in subsets(own - sure, more, more):
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


def _divisible(tiles: Row, needed: frozenset[Tile]) -> bool:
    """Whether the meld has an end of three tiles or more that it does not need: it is then two melds as well."""
    places = [place for place, tile in enumerate(tiles) if tile in needed]
    return places[0] >= 3 or len(tiles) - 1 - places[-1] >= 3


def _may_hold(meld: Meld, held: Row) -> bool:
    """Whether some choice of the open places makes the meld hold another whole."""
    jokers = meld.row.count(JOKER) + min(meld.room, len(meld.open))
    return set(held) - {JOKER} <= set(meld.row) and jokers >= held.count(JOKER)
