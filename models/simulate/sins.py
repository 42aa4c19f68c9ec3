"""Breaking the rules on purpose: which fault is planted in a turn, and the table that it makes."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from models.simulate.tricks import TRICKS
from referee.judge import Situation, judge_turn
from referee.position import Position
from referee.rules import TimerStarts
from referee.table import Row, Table
from referee.verdict import FaultCode, Ruling

MOST_CANDIDATES = 60


class Sin(NamedTuple):
    """A fault to be planted, and the table that makes it."""

    code: FaultCode
    after: Table


RARITY = {
    FaultCode.JOKER_REUSE: 30,
    FaultCode.TOO_MANY_JOKERS: 30,
    FaultCode.JOKER_MELD_BROKEN: 20,
    FaultCode.JOKER_SWAP_NOT_FROM_HAND: 20,
    FaultCode.JOKER_MOVED: 8,
    FaultCode.GROUP_TOO_LONG: 8,
    FaultCode.RUN_WRAPS: 6,
    FaultCode.OPENING_TOUCHES_TABLE: 4,
    FaultCode.GROUP_REPEATS_COLOUR: 3,
    FaultCode.OPENING_TOO_LOW: 3,
    FaultCode.RUN_REPEATS_NUMBER: 3,
}
"""How much rather a fault is planted that can seldom be; 1 for the others."""


@dataclass
class Sins:
    """Chooses faults: the rarest that the table and the hand allow, and each one less often once it was planted."""

    dice: random.Random
    planted: Counter[FaultCode] = field(default_factory=Counter)

    def choose(self, at: Position, rack: Row, *, timeouts: bool) -> Sin | None:
        """Choose a fault that can be planted now; None where none can."""
        codes = list(FaultCode) if timeouts else [code for code in FaultCode if code is not FaultCode.TIME_OUT]
        for code in sorted(codes, key=self._reluctance):
            after = self._plant(at, rack, code)
            if after is not None:
                self.planted[code] += 1
                return Sin(code, after)
        return None

    def _reluctance(self, code: FaultCode) -> float:
        """Give a random number that is the smaller, the rather this fault is to be planted."""
        wish = RARITY.get(code, 1) / (1 + self.planted[code]) ** 2
        return self.dice.expovariate(wish)

    def _plant(self, at: Position, rack: Row, code: FaultCode) -> Table | None:
        """Give a table that has this fault, and others as few as can be."""
        candidates = plantable(at, rack, code, self.dice)
        if code is FaultCode.TIME_OUT and at.rules.timer_starts is TimerStarts.FIRST_MOVE:
            candidates = [table for table in candidates if table != at.table]
        judged = [(len(codes), table) for table in candidates if (codes := fault_codes(at, table, code))]
        return min(judged, key=lambda pair: pair[0])[1] if judged else None


def plantable(at: Position, rack: Row, code: FaultCode, dice: random.Random) -> list[Table]:
    """Give tables that may have a fault; the judge has not been asked."""
    found = _some(TRICKS[code](at, rack, dice))
    dice.shuffle(found)
    return found


def _some(tables: Iterable[Table]) -> list[Table]:
    return [table for _, table in zip(range(MOST_CANDIDATES), tables, strict=False)]


def fault_codes(at: Position, after: Table, wanted: FaultCode) -> tuple[FaultCode, ...]:
    """Give the codes of an illegal turn if the wanted one is among them, else nothing."""
    player = at.players[at.seat]
    situation = Situation(opened=player.opened, hand=player.hand, timed_out=wanted is FaultCode.TIME_OUT)
    verdict = judge_turn(at.table, after, at.rules, situation)
    return verdict.codes if verdict.ruling is Ruling.ILLEGAL and wanted in verdict.codes else ()
