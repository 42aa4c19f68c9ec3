"""The verdict on one turn, from the table before and the table after: every fault at once (RULEBOOK 8.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.jokers import joker_faults, jokers_explained
from referee.melds import row_fault
from referee.opening import Opening
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.tiles import JOKER, full_set
from referee.turn import Turn, exceeds, in_colour_order
from referee.verdict import NO_CONSEQUENCE, Consequence, Fault, FaultCode, Ruling, Verdict


@dataclass(frozen=True)
class Situation:
    """What the table does not show.

    `opened`: whether the player had opened before this turn (5). `hand`: how many tiles the player held at the start of
    the turn, None where nobody knows. `timed_out`: the time was up before the player said "done" (7.3).
    """

    opened: bool = True
    hand: int | None = None
    timed_out: bool = False


USUAL = Situation()


def judge_turn(before: Table, after: Table, rules: RuleSet, situation: Situation = USUAL) -> Verdict:
    """Judge a turn: what was played, the ruling, every fault, the points of an opening and what follows."""
    turn = Turn(before, after)
    if _impossible(turn, rules, situation):
        return Verdict(Ruling.IMPOSSIBLE, *_moved(turn))
    opening = None if situation.opened else Opening(turn, rules)
    faults = tuple(_faults(turn, rules, opening))
    if faults and situation.timed_out:
        faults = (*faults, Fault(FaultCode.TIME_OUT))
    ruling = Ruling.ILLEGAL if faults else Ruling.LEGAL if turn.played else Ruling.DRAW
    return Verdict(
        ruling,
        *_moved(turn),
        points=opening.points if opening else 0,
        opens=opening is not None and ruling is Ruling.LEGAL,
        faults=faults,
        consequence=_consequence(ruling, rules, timed_out=situation.timed_out),
    )


def rule_on(before: Table, after: Table, rules: RuleSet, situation: Situation = USUAL) -> Ruling:
    """Give the ruling of `judge_turn` alone, without looking further than the first fault."""
    turn = Turn(before, after)
    if _impossible(turn, rules, situation):
        return Ruling.IMPOSSIBLE
    opening = None if situation.opened else Opening(turn, rules)
    if any(_plain_faults(turn, rules, opening)) or not jokers_explained(turn, rules):
        return Ruling.ILLEGAL
    return Ruling.LEGAL if turn.played else Ruling.DRAW


def _moved(turn: Turn) -> tuple[Row, Row]:
    """Give the tiles played and removed."""
    return in_colour_order(turn.played.elements()), in_colour_order(turn.removed.elements())


def _impossible(turn: Turn, rules: RuleSet, situation: Situation) -> bool:
    """1.3: more copies of a tile than the set holds; 4.7: more tiles played than the hand held."""
    whole = full_set(rules.copies, rules.jokers)
    too_many = any(exceeds(side.tiles, whole) for side in (turn.before, turn.after))
    return too_many or (situation.hand is not None and turn.played.total() > situation.hand)


def _faults(turn: Turn, rules: RuleSet, opening: Opening | None) -> Iterator[Fault]:
    """Give every fault but the time-out, rows first, then in the order of the code table."""
    yield from (plain := tuple(_plain_faults(turn, rules, opening)))
    if not turn.removed and not any(fault.meld for fault in plain):
        yield from _joker_faults(turn, rules)


def _plain_faults(turn: Turn, rules: RuleSet, opening: Opening | None) -> Iterator[Fault]:
    """Give the faults of sections 3 to 5."""
    yield from _row_faults(turn, rules)
    if turn.removed:
        yield Fault(FaultCode.TILE_TAKEN_BACK, tiles=in_colour_order(turn.removed.elements()))
    if opening:
        yield from opening.faults()


def _row_faults(turn: Turn, rules: RuleSet) -> Iterator[Fault]:
    """3.1 to 3.4 and 3.9: one fault for each row that is no valid meld."""
    for row in turn.after.rows:
        code = row_fault(row, naturals_outnumber=rules.naturals_outnumber)
        if code:
            yield Fault(code, meld=row, tiles=row)


def _joker_faults(turn: Turn, rules: RuleSet) -> Iterator[Fault]:
    """6.7: section 6 is asked once all melds are valid and no tile is missing."""
    jokers = (JOKER,) * turn.before.tiles[JOKER]
    return (Fault(code, tiles=jokers) for code in joker_faults(turn, rules))


def _consequence(ruling: Ruling, rules: RuleSet, *, timed_out: bool) -> Consequence:
    """4.1: a draw costs one tile; 8.1 and 7.3: a fault puts the table back and costs tiles."""
    if ruling is Ruling.ILLEGAL:
        return Consequence(restore=True, draw=rules.timeout_draw if timed_out else rules.fault_draw)
    return Consequence(restore=False, draw=1) if ruling is Ruling.DRAW else NO_CONSEQUENCE
