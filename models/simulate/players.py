"""What a player does in a turn: plays what his skill finds, at times breaks a rule or lets the clock run out."""

import random
from dataclasses import dataclass, replace

from models.simulate.sins import Sins
from referee.arrange import Skill, best_play
from referee.judge import Situation, judge_turn
from referee.position import Position
from referee.rules import TimerStarts
from referee.table import Row, Table
from referee.verdict import FaultCode, Ruling

SKILLS = (Skill.OWN, Skill.ADD, Skill.REARRANGE, Skill.REARRANGE)
FAULTS, TEMPTED = 0.36, 0.8
"""So often a player breaks a rule on purpose; the second where one of the rarest faults can be made."""
TIMEOUTS = 0.06
"""So often a player lets the clock run out without a fault."""
HESITATION = 0.12
"""So often a player holds back what he could play."""
SHUFFLE = 0.25
"""So often a player who can play nothing rearranges the table all the same (4.4)."""
LAST_TURNS, LIVELY_TURNS = 4, 16
"""Nobody goes out before so many turns are left or played: a game that is over shows nothing more."""


@dataclass(frozen=True)
class Intention:
    """The table that a player is about to leave behind, the fault that it is meant to be, and whether time runs out."""

    after: Table
    planted: FaultCode | None = None
    timed_out: bool = False


@dataclass(frozen=True)
class Habit:
    """A player: the skill, and the pace of the hand (1 is usual, more is slower)."""

    skill: Skill
    pace: float


@dataclass
class Players:
    """All players of a game."""

    habits: tuple[Habit, ...]
    dice: random.Random
    sins: Sins | None
    timeouts: bool
    last_turn: int

    def intend(self, at: Position, rack: Row) -> Intention:
        """Decide what the present player does."""
        if self.sins and self.dice.random() < (TEMPTED if self.sins.tempted(at, rack) else FAULTS):
            sin = self.sins.choose(at, rack, timeouts=self.timeouts and _can_time_out(at))
            if sin:
                return Intention(sin.after, sin.code, timed_out=sin.code is FaultCode.TIME_OUT)
        intention = self._honest(at, rack)
        slow = self.timeouts and _can_time_out(at) and self.dice.random() < TIMEOUTS
        moves = at.rules.timer_starts is TimerStarts.TURN or intention.after != at.table
        return replace(intention, timed_out=slow and moves)

    def _honest(self, at: Position, rack: Row) -> Intention:
        player = at.players[at.seat]
        if self.dice.random() < HESITATION:
            return Intention(at.table)
        skill = self.habits[at.seat].skill
        play = best_play(at.table, rack, at.rules, opened=player.opened, skill=skill)
        early = not play.left and at.turn < min(self.last_turn - LAST_TURNS, LIVELY_TURNS)
        if play.possible and play.played and not early and _legal(at, play.table):
            return Intention(play.table)
        if player.opened and self.dice.random() < SHUFFLE:
            return Intention(self._shuffled(at))
        return Intention(at.table)

    def _shuffled(self, at: Position) -> Table:
        """Split a long run in two, or join two that fit: the table stays valid and nothing is played."""
        rows = list(at.table.rows)
        long = [i for i, row in enumerate(rows) if len(row) >= 6]
        if not long:
            return at.table
        i = self.dice.choice(long)
        cut = self.dice.randint(3, len(rows[i]) - 3)
        after = Table((*rows[:i], rows[i][:cut], *rows[i + 1 :], rows[i][cut:]))
        return after if _ruling(at, after) is Ruling.DRAW else at.table


def _can_time_out(at: Position) -> bool:
    return at.rules.turn_seconds is not None


def _ruling(at: Position, after: Table) -> Ruling:
    player = at.players[at.seat]
    return judge_turn(at.table, after, at.rules, Situation(opened=player.opened, hand=player.hand)).ruling


def _legal(at: Position, after: Table) -> bool:
    return _ruling(at, after) is Ruling.LEGAL


def draw_habits(count: int, dice: random.Random) -> tuple[Habit, ...]:
    """Draw the players of a game, from beginners to experts."""
    return tuple(Habit(dice.choice(SKILLS), dice.uniform(0.8, 1.35)) for _ in range(count))
