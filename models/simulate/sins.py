"""Breaking the rules on purpose: which fault is planted in a turn, and the table that makes it."""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from models.simulate.rows import reads_as_melds
from models.simulate.tricks import JOKER_CODES, shuffled, tables_with
from referee.judge import Situation, judge_turn
from referee.melds import is_meld
from referee.position import Position
from referee.rules import JokerReuse, TimerStarts
from referee.table import Row, Table
from referee.verdict import FaultCode, Ruling

MOST_TABLES, MOST_JOKER_TABLES = 30, 160
RARITY = {
    FaultCode.JOKER_REUSE: 100.0,
    FaultCode.TOO_MANY_JOKERS: 800.0,
    FaultCode.JOKER_MELD_BROKEN: 40.0,
    FaultCode.JOKER_SWAP_NOT_FROM_HAND: 120.0,
    FaultCode.TIME_OUT: 2.0,
    FaultCode.RUN_WRAPS: 8.0,
    FaultCode.JOKER_MOVED: 80.0,
    FaultCode.GROUP_TOO_LONG: 10.0,
    FaultCode.OPENING_TOUCHES_TABLE: 15.0,
    FaultCode.GROUP_REPEATS_COLOUR: 3.0,
    FaultCode.OPENING_TOO_LOW: 12.0,
    FaultCode.RUN_REPEATS_NUMBER: 1.0,
}
"""How much rather a fault is planted that seldom can be; 1 for the others."""
TEMPTING, MOST_TEMPTED = (FaultCode.TOO_MANY_JOKERS, FaultCode.JOKER_REUSE), 2
"""Faults so rare that a player who can make one seldom lets it pass, up to so many times in a game."""


class Sin(NamedTuple):
    """A fault to be planted, and the table that makes it."""

    code: FaultCode
    after: Table


@dataclass
class Sins:
    """Chooses faults: rather those that seldom can be planted, and each one less often once it was."""

    dice: random.Random
    planted: Counter[FaultCode] = field(default_factory=Counter)

    def tempted(self, at: Position, rack: Row) -> bool:
        """Whether the present player could make one of the rarest faults."""
        asked = {
            FaultCode.TOO_MANY_JOKERS: at.rules.naturals_outnumber and any(tile.is_joker for tile in rack),
            FaultCode.JOKER_REUSE: at.rules.joker_reuse is not JokerReuse.ANYWHERE,
        }
        return any(
            asked[code] and self.planted[code] < MOST_TEMPTED and plant(code, at, rack, self.dice) is not None
            for code in TEMPTING
        )

    def choose(self, at: Position, rack: Row, *, timeouts: bool) -> Sin | None:
        """Choose a fault that the present player can make now; None where there is none."""
        codes = [code for code in FaultCode if timeouts or code is not FaultCode.TIME_OUT]
        for code in sorted(codes, key=self._reluctance):
            after = plant(code, at, rack, self.dice)
            if after is not None:
                self.planted[code] += 1
                return Sin(code, after)
        return None

    def _reluctance(self, code: FaultCode) -> float:
        """Give a random number that is the smaller, the rather this fault is to be planted."""
        return self.dice.expovariate(RARITY.get(code, 1.0) / (1 + self.planted[code]) ** 2)


def plant(code: FaultCode, at: Position, rack: Row, dice: random.Random) -> Table | None:
    """Give a table that has a fault, and others as few as can be; None where the player cannot make it."""
    if code in JOKER_CODES and not any(tile.is_joker for tile in at.table.tiles):
        return None
    most = MOST_JOKER_TABLES if code in JOKER_CODES else MOST_TABLES
    tables = shuffled(tables_with(code, at, rack), dice, most)
    best: tuple[Table, tuple[FaultCode, ...]] | None = None
    for table in tables:
        codes = _codes(at, table, code)
        if codes == (code,):
            return table
        if code in codes and (best is None or len(codes) < len(best[1])):
            best = (table, codes)
    return best[0] if best else None


def _codes(at: Position, after: Table, wanted: FaultCode) -> tuple[FaultCode, ...]:
    """Give the codes of an illegal turn, none for any other, nor for one whose bad rows are read as good melds."""
    if wanted is FaultCode.TIME_OUT and at.rules.timer_starts is TimerStarts.FIRST_MOVE and after == at.table:
        return ()
    if any(reads_as_melds(row) and not is_meld(row) for row in after.rows):
        return ()
    player = at.players[at.seat]
    situation = Situation(opened=player.opened, hand=player.hand, timed_out=wanted is FaultCode.TIME_OUT)
    verdict = judge_turn(at.table, after, at.rules, situation)
    return verdict.codes if verdict.ruling is Ruling.ILLEGAL else ()
