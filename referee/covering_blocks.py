"""Rows of the table that stay together while they may grow: locked melds (RULEBOOK 6.3), and cautious players."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from referee.covering import SHAPES, Covering, Layout, Meld, Shape
from referee.melds import joker_roles
from referee.tiles import JOKER, Tile


@dataclass(frozen=True)
class Block:
    """Tiles that end in one meld together if the programme's row `row` says so.

    `place` tells the table's rows apart: a row may have several blocks, one for each thing that its jokers may stand
    for. `jokers` are the tiles that its jokers keep standing for.
    """

    row: int
    place: int
    numbered: frozenset[Tile]
    jokers: frozenset[Tile] = frozenset()

    @cached_property
    def tiles(self) -> frozenset[Tile]:
        """The tiles with those that jokers stand for."""
        return self.numbered | self.jokers


@dataclass(frozen=True)
class Frame:
    """A meld at the end of the turn, and the blocks that it grew from."""

    shape: Shape
    blocks: tuple[Block, ...]

    @cached_property
    def jokers(self) -> frozenset[Tile]:
        """What the jokers of its blocks stand for."""
        return frozenset[Tile]().union(*(block.jokers for block in self.blocks))

    @cached_property
    def closed(self) -> frozenset[Tile]:
        """The tiles of its blocks, with those that jokers stand for."""
        return frozenset[Tile]().union(*(block.tiles for block in self.blocks))

    @property
    def open(self) -> tuple[int, ...]:
        """The places that no block fills."""
        return tuple(place for place, tile in enumerate(self.shape.tiles) if tile not in self.closed)

    def row(self, jokers: Iterable[Tile] = ()) -> tuple[Tile, ...]:
        """Give the meld with the jokers of its blocks and further ones."""
        return self.shape.row(self.jokers.union(jokers))


def frames(layout: Layout, blocks: Sequence[Block]) -> Iterator[Frame]:
    """Give every meld that one or more blocks can grow to with the tiles at hand."""
    for shape in SHAPES:
        inside = [block for block in blocks if block.tiles <= shape.faces]
        for chosen in _apart(inside):
            frame = Frame(shape, chosen)
            if _can_fill(layout, frame, layout.most):
                yield frame


def _can_fill(layout: Layout, frame: Frame, tiles: Counter[Tile]) -> bool:
    """Whether there are tiles, or jokers, for the open places."""
    missing = sum(not tiles[tile] for tile in frame.shape.faces - frame.closed)
    room = layout.joker_room(len(frame.shape.tiles)) - len(frame.jokers)
    return missing <= min(tiles[JOKER], room)


def _apart(blocks: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """Give every choice of blocks, one at least, that have no place and no tile in common."""
    for index, block in enumerate(blocks):
        yield (block,)
        others = [b for b in blocks[index + 1 :] if b.place != block.place and not b.tiles & block.tiles]
        yield from ((block, *more) for more in _apart(others))


def lay_frame(covering: Covering, frame: Frame) -> None:
    """Add a column for a meld grown from blocks; its open places take tiles or jokers."""
    entries = [(block.row, 1) for block in frame.blocks]
    room = covering.layout.joker_room(len(frame.shape.tiles)) - len(frame.jokers)
    covering.lay(Meld(frame.row(), frame.open, room), entries, upper=1)
    for jokers in _as_on_the_table(covering, frame):
        covering.lay(Meld(frame.row(jokers)), entries, upper=1)


def _as_on_the_table(covering: Covering, frame: Frame) -> Iterator[frozenset[Tile]]:
    """Give the jokers beside the blocks' with which the meld is a row of the table, so that this row is kept whole."""
    if not frame.open:
        return
    tiles = frame.shape.faces
    for row in covering.whole:
        numbered = frozenset(row) - {JOKER}
        jokers = tiles - numbered
        if len(row) == len(tiles) and numbered <= tiles and jokers & frame.closed == frame.jokers:
            yield jokers - frame.closed


def lay_growing_rows(covering: Covering) -> None:
    """Add the rows of the table with what each can grow to by itself, and new melds of the rack."""
    covering.count_whole_rows()
    blocks = []
    for place, row in enumerate(covering.layout.table.rows):
        grows = covering.programme.row(1, 1)
        choices = joker_roles(row) if covering.layout.is_meld(row) else ()
        blocks += [Block(grows, place, frozenset(row) - {JOKER}, frozenset(roles)) for roles in choices]
    spare = covering.layout.spare
    for shape, block in product(SHAPES, blocks):
        if block.tiles <= shape.faces:
            frame = Frame(shape, (block,))
            if _can_fill(covering.layout, frame, spare):
                lay_frame(covering, frame)
    missing = {shape: sum(not spare[tile] for tile in shape.tiles) for shape in covering.layout.shapes}
    covering.lay_shapes([shape for shape, count in missing.items() if count <= spare[JOKER]])
