"""The joker rules of a turn (RULEBOOK 6) as rows and columns of a covering.

A column for each *fate* of a row with jokers that lay there when the turn began: what they stood for, which of them are
kept and which were replaced. `referee.jokers` asks of a finished turn whether some choice of fates explains it; here
the choice is part of the programme. The programme allows every turn that the judge allows. Under `hand` it allows
hardly any other; under `any`, and in what makes a meld new (6.4), some slip through: the judge has the last word.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.covering import Covering, Shape, readings
from referee.covering_blocks import Block, frames, lay_frame
from referee.covering_reuse import lay_new_melds, lay_own_melds
from referee.joker_rows import JokerRows, subsets
from referee.melds import joker_roles
from referee.programme import Entry, Rank
from referee.rules import JokerReuse
from referee.table import Row
from referee.tiles import JOKER, Tile
from referee.turn import sorted_row


def lay_by_joker_rules(covering: Covering) -> None:
    """Add every meld to a covering; a joker lay on its table at the start of the turn, and section 6 is asked."""
    covering.count_whole_rows()
    turn = _JokerTurn(JokerRows(covering))
    turn.settle()
    turn.lay_shapes()
    turn.lay_whole_rows()
    for frame in frames(covering.layout, turn.blocks):
        lay_frame(covering, frame)
    reuse = covering.layout.rules.joker_reuse
    if reuse is JokerReuse.NEW_MELD_OWN and turn.rows.most_replaced:
        lay_own_melds(turn.rows)
    elif reuse is JokerReuse.NEW_MELD_TWO_OWN and turn.rows.most_replaced:
        lay_new_melds(turn.rows, turn.blocks)


@dataclass
class _JokerTurn:
    rows: JokerRows
    blocks: list[Block] = field(default_factory=list)

    def settle(self) -> None:
        """Add the fates of the rows with jokers that lay there."""
        for place, row in enumerate(self.rows.layout.old.rows):
            choices = joker_roles(row) if JOKER in row else ()
            one = self.rows.programme.row(1, 1) if choices else 0
            replaced = [
                self._settle(Block(one, place, frozenset(row) - {JOKER}, kept), frozenset(roles) - kept)
                for roles in choices
                for kept in subsets(roles)
            ]
            self.rows.most_replaced += max(replaced, default=0)

    def _settle(self, old: Block, replaced: frozenset[Tile]) -> int:
        """Add one fate of an old row and give how many jokers it replaces; `old.row` chooses one of the fates."""
        if not all(map(self.rows.can_replace, replaced)):
            return 0
        fate = self.rows.programme.column([(old.row, 1)], upper=1, rank=Rank.FATE)
        self.rows.replace(replaced, fate)
        if not self.rows.locked:
            self.rows.keep(old.jokers, fate)
        elif old.jokers:
            together = self.rows.programme.row(0, 0)
            self.rows.programme.put(together, fate, -1)
            self.blocks.append(Block(together, old.place, old.numbered | replaced, old.jokers))
        else:
            self.rows.set_free(old.numbered, fate)
        return len(replaced)

    def lay_shapes(self) -> None:
        """Add melds whose jokers are left open; under `any` not those that might lie as a row lay."""
        apart = {shape for row in self._still() for shape in readings(row)}
        shapes = self.rows.layout.shapes
        self.rows.covering.lay_shapes([shape for shape in shapes if shape not in apart])
        for shape in apart.intersection(shapes):
            self._lay_each(shape)

    def _still(self) -> Counter[Row]:
        """Count, where it matters, the melds of before: in those that lie as they lay no tile replaces a joker."""
        old = self.rows.layout.old.rows if self.rows.by_any else ()
        return Counter(sorted_row(row) for row in old if self.rows.layout.is_meld(row))

    def _lay_each(self, shape: Shape) -> None:
        """Add a meld with each choice of its jokers with which it is no row of before."""
        still = self._still()
        for row, jokers in self.rows.layout.with_jokers(shape):
            if sorted_row(row) not in still:
                self.rows.lay(row, jokers)

    def lay_whole_rows(self) -> None:
        """Add the rows of the table as they lie, and under `any` those of before."""
        still = self._still()
        for row in {**self.rows.covering.whole, **still}:
            if still[row]:
                self._lay_still(row, still[row])
            else:
                self._lay_readings(row)

    def _lay_still(self, row: Row, count: int) -> None:
        """Add a row that lay there `count` times: so often it lies as it lay, and only then once more."""
        more = self.rows.layout.rules.copies - count
        times = self.rows.programme.row(highest=count)
        order = self.rows.programme.row(highest=0)
        self._lay_readings(row, [(times, 1), (order, -more), *self.rows.not_replacing(row)])
        if more:
            self._lay_readings(row, [(order, count)])

    def _lay_readings(self, row: Row, entries: Sequence[Entry] = ()) -> None:
        for shape in readings(row):
            roles = shape.faces - set(row)
            self.rows.lay(shape.row(roles), roles, entries)
