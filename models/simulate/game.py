"""A whole game, moment by moment, with its truth: `SimulatedGame(Plan(seed=1)).moments()`.

The game itself is the referee's: `referee.game` says whose turn it is, who has opened, what is drawn and what goes
back. Only the players, their hands and what a camera sees of them are made here.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from models.simulate.floor import Floor
from models.simulate.hidden import Hidden
from models.simulate.laying import Layer, draw_habits
from models.simulate.moves import Posture, Script, Writer
from models.simulate.plan import Plan
from models.simulate.players import Intention, Players
from models.simulate.players import draw_habits as draw_players
from models.simulate.room import furnish
from models.simulate.sins import Sins
from models.simulate.stage import Stage, View, truth_corners
from models.simulate.truth import FRAME_MS, Moment, TurnTruth
from referee import decisions
from referee.decisions import Moment as When
from referee.ending import count_racks
from referee.events import Event, TableRestored
from referee.game import EMPTY_GAME, replay
from referee.judging import ended, judge_seen
from referee.position import Call, Phase, Position, Undecided
from referee.rules import RuleSet, TimerStarts
from referee.tiles import Tile
from referee.verdict import FaultCode, Ruling

__all__ = ["FRAME_MS", "Moment", "Plan", "SimulatedGame", "TurnTruth"]

THINK_MS = (1500, 6000)
BEFORE_DONE_MS = (600, 2500)
AT_REST_MS = 1500
"""After so long without movement nothing new is to be seen."""
BEGINNING_MS = 2000


class SimulatedGame:
    """One game of simulated players; the first player's turn begins with the first moment.

    `players` are in turn order, `rules` those of the game. Who follows it calls `go_on` once the referee has spoken.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.players = plan.chosen_names()
        self.rules: RuleSet = plan.chosen_rules()
        dice = plan.dice("play")
        self._game = replay(decisions.start(EMPTY_GAME, self.players, self.rules, when=When(0, 0)))
        self._hidden = Hidden(self.rules, len(self.players), plan.dice("deal"))
        self._players = Players(
            draw_players(len(self.players), dice),
            dice,
            Sins(plan.dice("faults")) if plan.faults else None,
            plan.timeouts,
        )
        room = furnish(plan, len(self.players), len(self._hidden.faces))
        self._room, self._stage = room, Stage(room.scene, room.seats, room.looks, len(self._hidden.faces))
        self._layer = Layer(room.ground, self._hidden.faces, draw_habits(np.random.default_rng([plan.seed, 72])))
        self._dice = plan.dice("hands")
        self._floor = Floor()
        self._now = self._moved = 0
        self._camera, self._light = room.scene.camera, room.scene.light
        self._free = False

    @property
    def scores(self) -> dict[str, int]:
        """The true scores so far."""
        return {player.name: player.score for player in self._game.now.players}

    @property
    def position(self) -> Position:
        """Where the game truly stands."""
        return self._game.now

    def hand(self, player: str) -> tuple[Tile, ...]:
        """Give what a player holds now, sorted."""
        return self._hidden.hand(self.players.index(player))

    @property
    def pool(self) -> int:
        """How many tiles lie in the pool."""
        return self._hidden.pool

    def go_on(self) -> None:
        """Let the players go on: the referee has spoken, or has seen that the table is as it was."""
        self._free = True

    def moments(self) -> Iterator[Moment]:
        """Give the game picture by picture; where the players wait for the referee, still ones without end."""
        turns = 0
        while turns < self.plan.turns and self._game.now.underway:
            yield from self._turn()
            turns += 1
        yield from self._still(BEGINNING_MS)

    def _turn(self) -> Iterator[Moment]:
        at, began = self._game.now, self._now
        intention = self._players.intend(at, self._hidden.hand(at.seat))
        after = self._layer.lay(self._floor, intention.after, self._hidden.pieces(at.seat))
        yield from self._still(round(self._dice.uniform(*THINK_MS)))
        script = self._script(after)
        yield from self._play(script)
        self._floor = after
        yield from self._until_the_call(intention, script, began)
        turn = self._called(intention, script, began)
        yield self._moment(turn=turn, done_by=None if turn.timed_out else turn.player, waits=True)
        yield from self._waiting()
        yield from self._settled(turn, script.before)

    def _script(self, after: Floor) -> Script:
        seat = self._game.now.seat
        writer = Writer(self._floor, seat, self._room.seats, self._now, self._dice, self._players.habits[seat].pace)
        writer.play(after)
        return writer.script()

    def _until_the_call(self, intention: Intention, script: Script, began: int) -> Iterator[Moment]:
        """Pass the time until the player says "done", or until the time is up."""
        if not intention.timed_out:
            yield from self._still(round(self._dice.uniform(*BEFORE_DONE_MS)))
            return
        start = self._clock_start(script, began) or began
        yield from self._still(start + 1000 * (self.rules.turn_seconds or 0) - self._now)

    def _clock_start(self, script: Script, began: int) -> int | None:
        """Say when the player's clock began to run (7.2), None where it still waits for the first move."""
        return script.first_move_ms if self.rules.timer_starts is TimerStarts.FIRST_MOVE else began

    def _called(self, intention: Intention, script: Script, began: int) -> TurnTruth:
        """Judge the turn by the true tables, and tell it."""
        at = self._game.now
        start = self._clock_start(script, began)
        call = Call(0 if start is None else self._now - start, self._now, timed_out=intention.timed_out)
        verdict = judge_seen(at, self._floor.table, timed_out=call.timed_out)
        event = ended(at, Undecided(self._floor.table, verdict, call), self._now)
        self._apply(event)
        return TurnTruth(
            n=at.turn,
            player=at.players[at.seat].name,
            before=at.table,
            after=self._floor.table,
            ruling=event.ruling,
            codes=tuple(code.value for code in FaultCode if code in verdict.codes),
            planted=intention.planted.value if intention.planted else None,
            timed_out=intention.timed_out,
            began_ms=began,
            first_move_ms=script.first_move_ms,
            said_done_ms=None if intention.timed_out else self._now,
            last_hand_ms=script.end_ms if script.strokes else began,
            used_ms=call.used_ms,
        )

    def _settled(self, turn: TurnTruth, before: Floor) -> Iterator[Moment]:
        """Do what follows from the ruling: tiles drawn, the table put back."""
        played = self._game.now.turns[-1]
        if turn.ruling is Ruling.LEGAL:
            pieces = {lying.piece for lying in self._floor.lying} - set(before.places)
            self._hidden.play(played.seat, sorted(pieces))
        elif self._game.now.phase is Phase.RESTORE:
            yield from self._put_back(before)
        self._hidden.draw(played.seat, played.drawn, before.table.rows)
        if self._game.now.phase is Phase.ENDED:
            self._count()

    def _put_back(self, before: Floor) -> Iterator[Moment]:
        """Put the table back by hand, nearly where everything lay, and wait until the referee has seen it."""
        places = self._floor.places
        rows = tuple(
            tuple(
                lying if places.get(lying.piece) == lying.at else lying._replace(at=self._layer.put_back(lying.at))
                for lying in row
            )
            for row in before.rows
        )
        seat = self._game.now.turns[-1].seat
        writer = Writer(self._floor, seat, self._room.seats, self._now, self._dice, self._players.habits[seat].pace)
        writer.play(Floor(rows))
        yield from self._play(writer.script())
        self._floor = Floor(rows)
        yield from self._waiting()
        self._apply(TableRestored(now_ms=self._now))

    def _count(self) -> None:
        """Score the game that is over."""
        racks = {name: self._hidden.hand(seat) for seat, name in enumerate(self.players)}
        for event in count_racks(self._game, racks, When(self._now, self._now)):
            self._apply(event)

    def _apply(self, event: Event) -> None:
        self._game = replay((event,), self._game)

    # What is to be seen.

    def _waiting(self) -> Iterator[Moment]:
        """Wait until the referee lets the players go on."""
        self._free = False
        while not self._free:
            yield self._moment(waits=True)

    def _still(self, for_ms: int) -> Iterator[Moment]:
        """Let time pass in which nothing moves."""
        for _ in range(max(0, for_ms) // FRAME_MS):
            yield self._moment()

    def _play(self, script: Script) -> Iterator[Moment]:
        """Let a hand do its work."""
        while self._now < script.end_ms:
            posture = script.at(self._now)
            yield self._moment(posture, hands=bool(posture.hands))
            self._moved = self._now

    def _moment(self, posture: Posture | None = None, **told: object) -> Moment:
        """Give the picture of this moment, and pass on to the next."""
        view = View(posture or Posture(self._floor.lying), self._camera, self._light, self._now)
        scene, stage = self._room.scene, self._stage
        moment = Moment(
            at_ms=self._now,
            frame=lambda: stage.draw(view),
            corners=lambda: truth_corners(scene, view),
            restful=posture is None and self._now - self._moved > AT_REST_MS,
        )
        self._now += FRAME_MS
        return replace(moment, **told)  # type: ignore[arg-type]  # the fields of a moment, by name
