"""A whole game, moment by moment, with its truth: `SimulatedGame(Plan(seed=1)).moments()`.

The game itself is the referee's: `referee.game` says whose turn it is, who has opened, what is drawn and what goes
back. Only the players, their hands and what a camera sees of them are made here.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from models.simulate.course import Course
from models.simulate.floor import Floor, Lying, LyingRow
from models.simulate.hidden import Piece
from models.simulate.laying import Layer, draw_habits
from models.simulate.moves import HandPose, Posture, Script, Writer
from models.simulate.plan import Plan
from models.simulate.players import Intention
from models.simulate.room import furnish
from models.simulate.stage import Stage, View, truth_corners
from models.simulate.surroundings import Surroundings
from models.simulate.truth import FRAME_MS, Moment, Occasion, Shown, TurnTruth
from referee.history import Turn
from referee.position import Call, Position
from referee.rules import RuleSet, TimerStarts
from referee.table import Row, Table
from referee.tiles import Tile
from referee.verdict import FaultCode

__all__ = ["FRAME_MS", "Moment", "Occasion", "Plan", "Shown", "SimulatedGame", "TurnTruth"]

THINK_MS = (1500, 6000)
BEFORE_DONE_MS = (600, 2500)
AT_ONCE, AT_ONCE_MS = 0.12, 150
"""So often "done" is said while the hand still leaves, so long after it let go."""
LAST_MOMENT, LAST_MOMENT_MS = 0.35, 1200
"""So often a hand is over the table when the time runs out, reaching out so long before."""
HOVERS, KNOCKS = 0.3, 0.12
"""So often a hand reaches over the table though nothing is played, and a sleeve knocks a row askew."""
IN_SIGHT = 0.6
"""So often drawn tiles are taken of those of the pool that are in the picture."""
HAND_REACH = 1.7
"""So far beyond the picture's edge a hand is out of sight, its shadow too, in tile widths."""
LAID_IN_A_ROW = 7
AT_REST_MS = 1500
"""After so long without movement nothing new is to be seen."""
ENDING_MS = 2000


class SimulatedGame:
    """One game of simulated players; the first player's turn begins with the first moment.

    `players` are in turn order, `rules` those of the game. Who follows it calls `go_on` once the referee has spoken.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._course = Course(plan)
        self.players = self._course.names
        self.rules: RuleSet = self._course.rules
        faces = self._course.hidden.faces
        self._room = furnish(plan, len(self.players), len(faces))
        pool = tuple(Lying(len(faces) + place, at) for place, at in enumerate(self._room.pool))
        self._stage = Stage(self._room.scene, self._room.seats, self._room.looks, len(faces) + len(pool))
        self._layer = Layer(self._room.ground, faces, draw_habits(np.random.default_rng([plan.seed, 72])))
        self._round = Surroundings(self._room.scene.camera, self._room.scene.light, plan.dice("surroundings"))
        self._dice = plan.dice("hands")
        self._floor = Floor(pool=pool[: self.pool])
        self._now = self._moved = self._began = 0
        self._free = False
        self._script = Script(self._floor, (), 0, 0)

    @property
    def scores(self) -> dict[str, int]:
        """The true scores so far."""
        return self._course.scores

    @property
    def position(self) -> Position:
        """Where the game truly stands."""
        return self._course.at

    @property
    def pool(self) -> int:
        """How many tiles lie in the pool."""
        return self._course.hidden.pool

    @property
    def draws_for_start(self) -> bool:
        """Whether the game begins with tiles that are drawn to see who starts."""
        return self.plan.starting

    def hand(self, player: str) -> tuple[Tile, ...]:
        """Give what a player holds now, sorted."""
        return self._course.hand(self.players.index(player))

    def go_on(self) -> None:
        """Let the players go on: the referee has spoken, or has seen that the table is as it was."""
        self._free = True

    def moments(self) -> Iterator[Moment]:
        """Give the game picture by picture; where the players wait for the referee, still ones without end."""
        turns = 0
        if self.plan.starting:
            yield from self._drawn_for_the_start()
        while turns < self.plan.turns and self.position.underway:
            yield from self._turn()
            turns += 1
        yield from self._until(self._now + ENDING_MS)
        if self.plan.counting and not self.position.underway:
            yield from self._racks_laid_out()

    # What the players do.

    def _turn(self) -> Iterator[Moment]:
        began, before = self._began, self._floor
        self._round.begin_turn(began, bumps=self.plan.bumps, lights=self.plan.lights)
        intention = self._course.intend()
        yield from self._until(self._now + round(self._dice.uniform(*THINK_MS)))
        script = self._script = self._acted(intention)
        call_ms = self._call_ms(intention, script, began)
        if intention.timed_out and self._dice.random() < LAST_MOMENT:
            yield from self._until(max(script.end_ms, call_ms - LAST_MOMENT_MS))
            self._script = self._hovering()
        yield from self._until(call_ms)
        turn = self._called(intention, script, began)
        self._free = False
        yield self._moment(turn=turn, done_by=None if turn.timed_out else turn.player, waits=True)
        yield from self._waiting()
        self._course.settle(before, self._floor, self._now)
        if self._course.to_be_restored:
            yield from self._put_back(before)
        self._began = self._now
        yield from self._draw_from_pool(self.position.turns[-1])

    def _acted(self, intention: Intention) -> Script:
        """Lay the table that is intended, and write how the hand does it."""
        at = self.position
        before = self._floor
        after = self._layer.lay(before, intention.after, self._course.hidden.pieces(at.seat))
        writer = self._writer(at.seat)
        writer.play(after)
        if not writer.strokes and self._dice.random() < HOVERS:
            writer.hover(self._some_place(), self._dice.randint(300, 1500))
        if writer.strokes and self._dice.random() < KNOCKS:
            after = self._layer.knocked(after, writer.tip)
            writer.push(after)
        self._floor = after
        return writer.script()

    def _hovering(self) -> Script:
        writer = self._writer(self.position.seat)
        writer.hover(self._some_place(), LAST_MOMENT_MS)
        return writer.script()

    def _writer(self, seat: int) -> Writer:
        pace = self._course.players.habits[seat].pace
        return Writer(self._floor, seat, self._room.seats, self._now, self._dice, pace)

    def _some_place(self) -> tuple[float, float]:
        """Give a place on the table, on a tile where there is one."""
        if self._floor.rows:
            at = self._dice.choice(self._dice.choice(self._floor.rows)).at
            return at.x, at.y
        x, y = self._room.ground.middle.tolist()
        return x, y

    def _call_ms(self, intention: Intention, script: Script, began: int) -> int:
        """Say when the turn ends: when the time is up, or when the player says "done"."""
        if intention.timed_out:
            return (self._clock_start(script, began) or began) + 1000 * (self.rules.turn_seconds or 0)
        if script.strokes and self._dice.random() < AT_ONCE:
            return script.last_touch_ms + AT_ONCE_MS
        return script.end_ms + round(self._dice.uniform(*BEFORE_DONE_MS))

    def _clock_start(self, script: Script, began: int) -> int | None:
        """Say when the player's clock began to run (7.2), None where it still waits for the first move."""
        return script.first_move_ms if self.rules.timer_starts is TimerStarts.FIRST_MOVE else began

    def _called(self, intention: Intention, script: Script, began: int) -> TurnTruth:
        """Judge the turn by the true tables, and tell it."""
        start = self._clock_start(script, began)
        used = 0 if start is None else self._now - start
        turn = self._course.call(self._floor.table, Call(used, self._now, timed_out=intention.timed_out))
        return TurnTruth(
            n=turn.number,
            player=self.players[turn.seat],
            before=turn.before,
            after=turn.seen,
            ruling=turn.ruling,
            codes=_codes(turn),
            planted=intention.planted.value if intention.planted else None,
            timed_out=turn.timed_out,
            began_ms=began,
            first_move_ms=script.first_move_ms,
            said_done_ms=None if turn.timed_out else self._now,
            last_hand_ms=max(began, *(self._left_ms(one) for one in (script, self._script))),
            used_ms=used,
        )

    def _left_ms(self, script: Script) -> int:
        """Say when a hand has left the picture for good; when the script begins, where none is seen."""
        seen = (ms for ms in range(script.start_ms, script.end_ms, FRAME_MS) if self._seen(script.at(ms)))
        return max(seen, default=script.start_ms - FRAME_MS) + FRAME_MS

    def _seen(self, posture: Posture) -> tuple[HandPose, ...]:
        """Give the hands of which something is in the picture."""
        camera = self._room.scene.camera
        margin = HAND_REACH * camera.focal / camera.distance
        at = camera.project_ideal(np.array([(hand.x, hand.y, hand.height) for hand in posture.hands]).reshape(-1, 3))
        inside = [bool((point > -margin).all() and (point < np.array(camera.size) + margin).all()) for point in at]
        return tuple(hand for hand, seen in zip(posture.hands, inside, strict=True) if seen)

    def _put_back(self, before: Floor) -> Iterator[Moment]:
        """Put the table back by hand, nearly where everything lay, and wait until the referee has seen it."""
        goal = Floor(tuple(self._restored_row(row) for row in before.rows), self._floor.pool)
        writer = self._writer(self.position.turns[-1].seat)
        writer.play(goal)
        self._script, self._floor = writer.script(), goal
        yield from self._until(self._script.end_ms)
        self._free = False
        yield from self._waiting()
        self._course.restored(self._now)

    def _draw_from_pool(self, turn: Turn) -> Iterator[Moment]:
        """Take the tiles that were drawn from the pool, if those in sight are chosen."""
        pool = self._floor.pool
        if turn.drawn and pool and (self._dice.random() < IN_SIGHT or self.pool < len(pool)):
            writer = self._writer(turn.seat)
            goal = replace(self._floor, pool=pool[: max(0, len(pool) - turn.drawn)])
            writer.play(goal)
            self._script, self._floor = writer.script(), goal
            yield from self._until(self._script.end_ms)

    # What is shown before and after the game.

    def _drawn_for_the_start(self) -> Iterator[Moment]:
        """Let each player lay a drawn tile on the table, the highest being the first player's, and take it back."""
        drawn = self._course.hidden.drawn_for_the_start()
        faces = [self._course.hidden.faces[piece] for piece in drawn]
        bare = self._floor
        for seat, piece in enumerate(drawn):
            yield from self._laid_by(seat, ((faces[seat],),), (piece,))
        told = tuple((name, (face,)) for name, face in zip(self.players, faces, strict=True))
        yield from self._showing(Shown(Occasion.START, told))
        writer = self._writer(0)
        writer.play(bare)
        self._script, self._floor = writer.script(), bare
        yield from self._until(self._script.end_ms)
        self._began = self._now

    def _racks_laid_out(self) -> Iterator[Moment]:
        """Let each player lay what is left on the rack beside the table's melds, one after another."""
        for seat, name in enumerate(self.players):
            rack = self._course.hand(seat)
            if rack:
                rows = tuple(rack[k : k + LAID_IN_A_ROW] for k in range(0, len(rack), LAID_IN_A_ROW))
                yield from self._laid_by(seat, rows, self._course.hidden.pieces(seat))
                yield from self._showing(Shown(Occasion.RACKS, ((name, rack),)))

    def _laid_by(self, seat: int, rows: tuple[Row, ...], pieces: tuple[Piece, ...]) -> Iterator[Moment]:
        after = self._layer.lay(self._floor, Table((*self._floor.table.rows, *rows)), pieces)
        writer = self._writer(seat)
        writer.play(after)
        self._script, self._floor = writer.script(), after
        yield from self._until(self._script.end_ms)

    def _showing(self, shown: Shown) -> Iterator[Moment]:
        self._free = False
        while not self._free:
            yield self._moment(waits=True, shown=shown)

    def _restored_row(self, row: LyingRow) -> LyingRow:
        """Give a row as it is put back: where it still lies whole it stays, knocked askew or not."""
        pieces, places = [lying.piece for lying in row], self._floor.places
        for lies in self._floor.rows:
            if [lying.piece for lying in lies] == pieces:
                return lies
        return tuple(
            one if places.get(one.piece) == one.at else one._replace(at=self._layer.put_back(one.at)) for one in row
        )

    # What is to be seen.

    def _until(self, ms: int) -> Iterator[Moment]:
        """Let time pass."""
        while self._now < ms:
            yield self._moment()

    def _waiting(self) -> Iterator[Moment]:
        """Let hands leave, and wait until the referee lets the players go on."""
        while not self._free or self._now < self._script.end_ms:
            yield self._moment(waits=True)

    def _moment(self, **told: object) -> Moment:
        """Give the picture of this moment, and pass on to the next."""
        posture, around = self._script.at(self._now), self._round.at(self._now)
        posture = posture._replace(hands=self._seen(posture)) if posture.hands else posture
        view = View(posture, around.camera, around.light, self._now)
        if posture.hands or posture.moving or around.bumped or around.lit:
            self._moved = self._now
        scene, stage = self._room.scene, self._stage
        moment = Moment(
            at_ms=self._now,
            frame=lambda: stage.draw(view),
            corners=lambda: truth_corners(scene, view),
            restful=self._now - self._moved > AT_REST_MS,
            hands=bool(posture.hands),
            bumped=around.bumped,
            lit=around.lit,
        )
        self._now += FRAME_MS
        return replace(moment, **told)  # type: ignore[arg-type]  # the fields of a moment, by name


def _codes(turn: Turn) -> tuple[str, ...]:
    return tuple(code.value for code in FaultCode if code in turn.verdict.codes)
