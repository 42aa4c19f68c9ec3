"""What nobody sees: which tiles each player holds, and the pool. Every tile of the set is a piece with a number."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from referee.melds import joker_roles, meld_points
from referee.position import HAND
from referee.rules import OpeningJokerPoints, RuleSet
from referee.table import Row
from referee.tiles import COLOURS, JOKER, Tile, full_set

LIVELY = 0.8
"""In so many of the hands an opening is dealt: a table on which nobody can open shows little."""
LONGEST_OPENING, OPENING_TRIES = 7, 300
HELPFUL_DRAW = 0.35
"""So often fortune deals the tile that a joker of the table stands for, where the pool has it."""
Piece = int


class Hidden:
    """The pieces in the hands and in the pool; pieces that lie on the table are in neither."""

    def __init__(self, rules: RuleSet, players: int, dice: random.Random) -> None:
        whole = full_set(rules.copies, rules.jokers)
        self.faces: tuple[Tile, ...] = tuple(sorted(whole.elements()))
        self._dice = dice
        self._pool = list(range(len(self.faces)))
        dice.shuffle(self._pool)
        self._hands: list[list[Piece]] = [[] for _ in range(players)]
        for seat in range(players):
            self._deal(seat, rules)

    def _deal(self, seat: int, rules: RuleSet) -> None:
        """Deal a hand (2.1): often one that can open, the first two with a joker in it."""
        if self._dice.random() < LIVELY or seat < 2:
            for tile in self._opening(rules, joker=seat < 2):
                self._hands[seat].append(self._from_pool(tile))
        if rules.naturals_outnumber and seat == 0:
            self._hands[0] += [self._from_pool(JOKER) for _ in range(min(1, self._in_pool[JOKER]))]
        while len(self._hands[seat]) < HAND:
            self._hands[seat].append(self._pool.pop())

    @property
    def _in_pool(self) -> Counter[Tile]:
        return Counter(self.faces[piece] for piece in self._pool)

    def _opening(self, rules: RuleSet, *, joker: bool) -> list[Tile]:
        """Choose melds out of the pool that are worth the opening, the first with a joker; nothing where none are."""
        left, points = self._in_pool, 0
        out: list[Tile] = []
        counts = rules.opening_joker_points is OpeningJokerPoints.TILE
        for _ in range(OPENING_TRIES):
            if points >= rules.opening_points:
                return out
            meld = list(some_meld(self._dice))
            if len(out) + len(meld) > LONGEST_OPENING:
                left, points, out = self._in_pool, 0, []
                continue
            if joker and not out and left[JOKER]:
                meld[self._dice.randrange(len(meld))] = JOKER
            if Counter(meld) <= left:
                left -= Counter(meld)
                out += meld
                points += meld_points(tuple(meld), jokers_count=counts)
        return []

    def _from_pool(self, tile: Tile) -> Piece:
        piece = next(piece for piece in self._pool if self.faces[piece] == tile)
        self._pool.remove(piece)
        return piece

    @property
    def pool(self) -> int:
        """How many tiles the pool has."""
        return len(self._pool)

    def hand(self, seat: int) -> Row:
        """Give what a player holds, sorted."""
        return tuple(sorted(self.faces[piece] for piece in self._hands[seat]))

    def pieces(self, seat: int) -> tuple[Piece, ...]:
        """Give the pieces that a player holds."""
        return tuple(self._hands[seat])

    def drawn_for_the_start(self) -> tuple[Piece, ...]:
        """Draw a numbered tile for each player, the highest alone for the first, who begins (2.2); they go back."""
        while True:
            drawn = self._dice.sample([piece for piece in self._pool if self.faces[piece] != JOKER], len(self._hands))
            drawn.sort(key=lambda piece: -self.faces[piece].number)
            if self.faces[drawn[0]].number > self.faces[drawn[1]].number:
                return (drawn[0], *self._dice.sample(drawn[1:], len(drawn) - 1))

    def play(self, seat: int, pieces: Iterable[Piece]) -> None:
        """Take pieces out of a hand."""
        for piece in pieces:
            self._hands[seat].remove(piece)

    def draw(self, seat: int, count: int, wanted: Sequence[Row] = ()) -> None:
        """Draw tiles from the pool; `wanted` are rows whose jokers' tiles fortune may deal."""
        for _ in range(min(count, self.pool)):
            self._hands[seat].append(self._drawn(wanted))

    def _drawn(self, wanted: Sequence[Row]) -> Piece:
        if self._dice.random() < HELPFUL_DRAW:
            roles = {tile for row in wanted for role in joker_roles(row) for tile in role if JOKER in row}
            helpful = [piece for piece in self._pool if self.faces[piece] in roles]
            if helpful:
                piece = self._dice.choice(helpful)
                self._pool.remove(piece)
                return piece
        return self._pool.pop()


def some_meld(dice: random.Random) -> Row:
    """Give some run or group."""
    if dice.random() < 0.6:
        length = dice.choice((3, 3, 4, 5))
        start, colour = dice.randint(1, 14 - length), dice.choice(COLOURS)
        return tuple(Tile(colour, start + place) for place in range(length))
    number = dice.randint(1, 13)
    return tuple(Tile(colour, number) for colour in dice.sample(COLOURS, dice.choice((3, 3, 4))))
