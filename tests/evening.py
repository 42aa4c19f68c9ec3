"""An evening of play for tests: a game, its events, and a clock that a test sets; no log, no threads."""

from collections.abc import Callable

from referee import decisions
from referee.decisions import Events, Moment, Setup
from referee.ending import count_racks
from referee.errors import GameError
from referee.events import Event
from referee.game import EMPTY_GAME, Game, replay
from referee.judging import decide
from referee.position import Call, Position
from referee.rules import RuleSet, preset
from referee.table import Table
from referee.tiles import Tile

HOUR_MS = 3_600_000


def rules(name: str = "rrrummy", **options: object) -> RuleSet:
    return preset(name).with_options(options)


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
            raise GameError("tiles out of nothing")
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
        return self.take(decisions.start(self.game, names, by or rules(), Setup(**setup), when))

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
