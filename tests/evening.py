"""An evening of play for tests: a game, its events, and a clock that a test sets; no log, no threads."""

import itertools
import random
from collections.abc import Callable
from contextlib import suppress

from referee import appeals, decisions
from referee.clock import PauseReason
from referee.decisions import Events, Moment, Setup
from referee.ending import count_racks
from referee.errors import GameError, Refusal
from referee.events import Event, TurnCalled
from referee.game import EMPTY_GAME, Game, replay
from referee.judging import decide
from referee.position import Call, Phase, Position
from referee.rules import RuleSet, preset
from referee.sight import Sight
from referee.table import Choice, Doubt, SeenTile, Table, TableReading
from referee.tiles import NUMBERED, Tile, full_set, parse_tiles
from referee.verdict import Ruling

HOUR_MS = 3_600_000


def rules(name: str = "rrrummy", **options: object) -> RuleSet:
    return preset(name).with_options(options)


def reading(text: str, *doubts: Doubt, unseen: str | None = None) -> TableReading:
    """Make a reading: `R6|R9` is one of these, `?` a tile that cannot be read; without `unseen` any tile may be."""
    places = itertools.count()
    rows = [[(next(places), word) for word in part.split()] for part in text.split("/")]
    melds = tuple(tuple(place for place, _ in row) for row in rows)
    tiles = tuple(_seen_tile(word) for row in rows for _, word in row)
    return TableReading(tiles, melds, doubts, unseen=None if unseen is None else parse_tiles(unseen))


def _seen_tile(word: str) -> SeenTile:
    faces = [] if word == "?" else [Tile.parse(face) for face in word.split("|")]
    return SeenTile(((0.0, 0.0),) * 4, tuple(Choice(face, 1 / len(faces)) for face in faces))


class Evening:
    """Plays a game by the pure functions that the desk uses."""

    def __init__(self, *names: str, by: RuleSet | None = None, **setup: object) -> None:
        self.events: list[Event] = []
        self.game: Game = EMPTY_GAME
        self.time = 1000
        if names:
            self.start(*names, by=by, **setup)

    @property
    def at(self) -> Position:
        return self.game.now

    def take(self, events: Events) -> Position:
        """Take events in as the desk does, but for the log."""
        game = replay(events, self.game)
        if game.now.pool < 0:
            raise GameError(Refusal.OUT_OF_NOTHING, count=-game.now.pool)
        self.events += events
        self.game = game
        return game.now

    def do(self, decision: Callable[..., Events], *args: object, **named: object) -> Position:
        self.time += 1000
        return self.take(decision(self.game, *args, now=self.time, **named))

    def start(self, *names: str, by: RuleSet | None = None, **setup: object) -> Position:
        if isinstance(setup.get("table"), str):
            setup["table"] = Table.parse(setup["table"])
        self.time += 1000
        when = Moment(self.time, HOUR_MS + self.time)
        return self.take(decisions.start(self.game, names, by or rules(), when=when, setup=Setup(**setup)))

    def lay(self, text: str, *, timed_out: bool = False, used_ms: int = 1000) -> Position:
        """End the turn with this table."""
        self.time += 1000
        call = Call(used_ms, self.time, timed_out=timed_out)
        return self.take((decide(self.at, Table.parse(text), call, self.time),))

    def add(self, text: str, **how: object) -> Position:
        """End the turn with these melds added to the table."""
        old = "" if not self.at.table.rows else f"{self.at.table} / "
        return self.lay(old + text, **how)

    def draw(self) -> Position:
        """End the turn with nothing played."""
        return self.lay(str(self.at.table))

    def count(self, *, anyway: bool = False, **racks: str) -> Position:
        self.time += 1000
        when = Moment(self.time, HOUR_MS + self.time)
        tiles = {name: tuple(map(Tile.parse, text.split())) for name, text in racks.items()}
        return self.take(count_racks(self.game, tiles, when, anyway=anyway))


def hands(at: Position) -> tuple[int, ...]:
    return tuple(player.hand for player in at.players)


def rulings(at: Position) -> tuple[str, ...]:
    return tuple(turn.ruling.value for turn in at.turns)


def all_tiles(at: Position) -> int:
    """Count hands, table, pool and lost tiles, each told by itself."""
    return sum(hands(at)) + at.table.tiles.total() + at.pool + len(at.lost)


MELDS = tuple(
    Table.parse(text).rows[0]
    for text in ("R10 R11 R12", "K10 R10 B10 O10", "B11 B12 B13", "O1 O2 O3 O4", "K5 R5 B5", "J K7 K8", "R1 R2 R3")
)
BAD_ROWS = tuple(Table.parse(text).rows[0] for text in ("R1 R2", "K1 K2 K4", "B9 O8 K7", "J"))


class RandomEvening(Evening):
    """Plays by dice: every action is drawn, and what the game does not allow is passed over."""

    def __init__(self, seed: int, actions: int) -> None:
        super().__init__()
        self.dice = random.Random(seed)
        self.begin()
        for _ in range(actions):
            with suppress(GameError):
                self.dice.choice(self.ACTIONS)(self)

    def begin(self) -> None:
        names = self.dice.sample(["Ana", "Ben", "Cleo", "Dov"], self.dice.randint(2, 4))
        options = {"empty_pool": self.dice.choice(["ends", "play_on"]), "games": self.dice.choice([None, 3])}
        most = 104 // len(names)
        hands = tuple(self.dice.choice([2, 7, 14, most]) for _ in names)
        abandon = self.dice.random() < 0.1
        self.start(*names, by=rules(**options), hands=hands, starter=self.dice.randrange(len(names)), abandon=abandon)

    def next_game(self) -> None:
        if self.at.phase is Phase.ENDED:
            self.begin()

    def turn(self) -> int:
        return self.dice.randint(1, max(1, self.at.turn))

    def somebody(self) -> str:
        return self.dice.choice([player.name for player in self.at.players])

    def table(self) -> Table:
        rows = [row for row in self.at.table.rows if self.dice.random() < 0.95]
        rows += self.dice.sample(MELDS, self.dice.choice([0, 1, 1, 2]))
        if self.dice.random() < 0.2:
            rows.append(self.dice.choice(BAD_ROWS))
        return Table.of(rows)

    def play(self) -> None:
        if self.at.phase is Phase.PLAY:
            self.lay(str(self.table()), timed_out=self.dice.random() < 0.1, used_ms=self.dice.randrange(60_000))

    def pass_on(self) -> None:
        if self.at.phase is Phase.PLAY:
            self.draw()

    def call(self) -> None:
        if self.at.phase is Phase.PLAY and not self.at.called:
            self.time += 1000
            self.take((TurnCalled(now_ms=self.time, used_ms=self.at.clock.used(self.time), at_ms=self.time),))

    def restored(self) -> None:
        self.do(appeals.restored)

    def look_again(self) -> None:
        self.do(appeals.look_again)

    def undo(self) -> None:
        self.do(decisions.undo, self.dice.choice([None, None, self.turn()]))

    def redo(self) -> None:
        self.do(decisions.redo)

    def overrule(self) -> None:
        self.do(appeals.overrule, self.turn(), self.dice.choice(list(Ruling)), "we say so")

    def correct(self) -> None:
        self.do(appeals.correct, self.turn(), self.table(), Sight())

    def set_something(self) -> None:
        self.do(decisions.set_hand, self.somebody(), self.dice.randint(0, 20))
        self.do(decisions.set_score, self.somebody(), self.dice.randint(-50, 50))

    def change_rules(self) -> None:
        changed = self.at.rules.with_options({"fault_draw": self.dice.randint(0, 3), "opening_points": 20})
        self.do(decisions.set_rules, changed, whole_game=self.dice.random() < 0.5)

    def people(self) -> None:
        self.do(decisions.rename, self.somebody(), f"Eva {self.time}")
        self.do(decisions.join, f"Flo {self.time}")
        self.do(self.dice.choice([decisions.choose_turn, decisions.leave]), self.somebody())

    def lose(self) -> None:
        self.do(decisions.play_without, self.dice.choice(NUMBERED), None)

    def find(self) -> None:
        if self.at.lost:
            self.do(decisions.found, self.at.lost[0])

    def time_passes(self) -> None:
        self.time += self.dice.randrange(20_000)
        self.do(self.dice.choice([decisions.resume, partial_pause]))
        self.do(decisions.add_time, self.dice.randint(-10, 10))

    def end(self) -> None:
        if self.dice.random() < 0.3:
            self.do(decisions.end_game)

    def count_all(self) -> None:
        left = list((full_set() - self.at.table.tiles).elements())
        self.dice.shuffle(left)
        racks = {player.name: [left.pop() for _ in range(player.hand)] for player in self.at.players if player.present}
        self.time += 1000
        when = Moment(self.time, HOUR_MS + self.time)
        tiles = {name: tuple(rack) for name, rack in racks.items()}
        self.take(count_racks(self.game, tiles, when, anyway=True))

    ACTIONS = (
        *(play,) * 8,
        *(pass_on,) * 4,
        *(restored, look_again) * 3,
        *(undo, redo) * 2,
        next_game,
        call,
        overrule,
        correct,
        set_something,
        change_rules,
        people,
        lose,
        find,
        time_passes,
        end,
        count_all,
    )


def partial_pause(game: Game, *, now: int) -> Events:
    return decisions.pause(game, PauseReason.PERSON, now)
