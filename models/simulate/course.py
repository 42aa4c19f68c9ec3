"""The course of a simulated game, without its pictures: the referee's own game, and what players hold and intend."""

from models.simulate.floor import Floor
from models.simulate.hidden import Hidden
from models.simulate.plan import Plan
from models.simulate.players import Intention, Players, draw_habits
from models.simulate.sins import Sins
from referee import decisions
from referee.decisions import Moment as When
from referee.ending import count_racks
from referee.events import Event, TableRestored
from referee.game import EMPTY_GAME, replay
from referee.history import Turn
from referee.judging import ended, judge_seen
from referee.position import Call, Phase, Position, Undecided
from referee.table import Table
from referee.tiles import Tile
from referee.verdict import Ruling


class Course:
    """Where a game truly stands, by the referee's rules; tables and calls come from whoever plays it out."""

    def __init__(self, plan: Plan) -> None:
        self.names = plan.chosen_names()
        self.rules = plan.chosen_rules()
        self.hidden = Hidden(self.rules, len(self.names), plan.dice("deal"))
        dice = plan.dice("play")
        self.players = Players(
            habits=draw_habits(len(self.names), dice),
            dice=dice,
            sins=Sins(plan.dice("faults")) if plan.faults else None,
            timeouts=plan.timeouts,
            last_turn=plan.turns,
        )
        self._game = replay(decisions.start(EMPTY_GAME, self.names, self.rules, when=When(0, 0)))

    @property
    def at(self) -> Position:
        """Where the game stands."""
        return self._game.now

    @property
    def to_be_restored(self) -> bool:
        """Whether the table goes back to what it was."""
        return self.at.phase is Phase.RESTORE

    @property
    def scores(self) -> dict[str, int]:
        """The scores so far, by player."""
        return {player.name: player.score for player in self.at.players}

    def hand(self, seat: int) -> tuple[Tile, ...]:
        """Give what a player holds, sorted."""
        return self.hidden.hand(seat)

    def intend(self) -> Intention:
        """Say what the present player is about to do."""
        return self.players.intend(self.at, self.hand(self.at.seat))

    def call(self, table: Table, call: Call) -> Turn:
        """End the present turn with this table; gives the turn as it was judged."""
        verdict = judge_seen(self.at, table, timed_out=call.timed_out)
        self._apply(ended(self.at, Undecided(table, verdict, call), call.at_ms))
        return self.at.turns[-1]

    def settle(self, before: Floor, after: Floor, now: int) -> None:
        """Do what follows from the last turn: tiles leave the hand or are drawn; a game that is over is scored.

        The drawn tiles come to hand at once, also where the table has still to be put back.
        """
        turn = self.at.turns[-1]
        if turn.ruling is Ruling.LEGAL:
            self.hidden.play(turn.seat, sorted(set(after.places) - set(before.places)))
        self.hidden.draw(turn.seat, turn.drawn, turn.before.rows)
        if self.at.phase is Phase.ENDED:
            racks = {name: self.hand(seat) for seat, name in enumerate(self.names)}
            for event in count_racks(self._game, racks, When(now, now)):
                self._apply(event)

    def restored(self, now: int) -> None:
        """Take in that the table is as it was before the last turn."""
        self._apply(TableRestored(now_ms=now))

    def _apply(self, event: Event) -> None:
        self._game = replay((event,), self._game)
