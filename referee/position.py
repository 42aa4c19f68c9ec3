"""Where a game stands: everything that a turn can change, and the turns that led there. All values are immutable."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from referee.clock import Clock
from referee.history import Change, Turn
from referee.match import Match, Result
from referee.rules import DEFAULT_PRESET, PRESETS, RuleSet
from referee.table import Table, TableReading
from referee.tiles import NUMBERED, Tile
from referee.verdict import Verdict

EMPTY_TABLE = Table()
NO_MATCH = Match()
NO_CLOCK = Clock()
HAND = 14
"""The tiles that each player takes at the start (2.1)."""
USUAL_PLAYERS = 4
BIG_SET_COPIES = 3
"""A set with as many copies of each tile is the big set, for five and six players (1.2)."""


class Phase(StrEnum):
    """What the table is waiting for."""

    SETUP = "setup"
    """No game has been started."""
    PLAY = "play"
    """A player's turn is under way."""
    VERDICT = "verdict"
    """The turn is over and cannot be decided without a person: unsure, or impossible."""
    RESTORE = "restore"
    """The turn was illegal: the table is put back as it was (8.1)."""
    ENDED = "ended"
    """The game is over; the racks are counted, or the next game is started."""


class Player(NamedTuple):
    """One player: the tiles in hand, the score of the match, whether opened, and whether still in the game."""

    name: str
    hand: int = 0
    score: int = 0
    opened: bool = False
    present: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """The end of a turn, called by "done" or by the clock: at a moment, when `used_ms` of its time were used."""

    used_ms: int
    at_ms: int
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Undecided:
    """A turn that is over and hangs on a person's answer: the table as seen, and the verdict that asks."""

    seen: Table | TableReading
    verdict: Verdict
    call: Call


@dataclass(frozen=True, slots=True)
class Entered:
    """The table of the present turn as a person gave it, and the notation of the camera's reading that it replaces."""

    table: Table
    instead_of: str = ""


class Position(NamedTuple):
    """Where a game stands; `game` is its number in the match.

    `table` lay when the present turn began; in the phase `restore` it is what the table goes back to. `seat` is the
    present player's. `passes` counts the turns in a row that began with an empty pool and played nothing (9.3).
    `verdict` is the referee's last word, `undecided` the turn that waits for a person, `called` the end of a turn whose
    table is not yet seen. `lost` tiles are out of the set, `joining` wait for the next game. `out` is the seat that
    played its last tile. `changes`: what the last correction did to the turns.
    """

    rules: RuleSet = PRESETS[DEFAULT_PRESET]
    match: Match = NO_MATCH
    game: int = 0
    players: tuple[Player, ...] = ()
    table: Table = EMPTY_TABLE
    phase: Phase = Phase.SETUP
    turn: int = 0
    seat: int = 0
    starter: int = 0
    clock: Clock = NO_CLOCK
    passes: int = 0
    verdict: Verdict | None = None
    undecided: Undecided | None = None
    called: Call | None = None
    entered: Entered | None = None
    turns: tuple[Turn, ...] = ()
    changes: tuple[Change, ...] = ()
    lost: tuple[Tile, ...] = ()
    joining: tuple[str, ...] = ()
    out: int | None = None
    result: Result | None = None

    @property
    def player(self) -> Player | None:
        """The player whose turn it is, None where no game is under way."""
        return self.players[self.seat] if self.players and self.phase is not Phase.ENDED else None

    @property
    def pool(self) -> int:
        """The tiles in the pool: what is neither on the table nor in a hand nor lost.

        Below zero where the counts cannot be; the desk allows no such position.
        """
        if not self.players:
            return 0
        tiles = len(NUMBERED) * self.rules.copies + self.rules.jokers - len(self.lost)
        return tiles - sum(map(len, self.table.rows)) - sum([player.hand for player in self.players])

    @property
    def next_names(self) -> tuple[str, ...]:
        """Give the names of those who play the next game: who is present, and who joins."""
        return (*(player.name for player in self.players if player.present), *self.joining)

    @property
    def underway(self) -> bool:
        """Whether a game is being played."""
        return self.phase in (Phase.PLAY, Phase.VERDICT, Phase.RESTORE)

    def clockwise(self) -> Iterator[int]:
        """Give the seats of the players who are present, the starter's first."""
        count = len(self.players)
        for seat in (*range(self.starter, count), *range(self.starter)):
            if self.players[seat].present:
                yield seat

    def seat_of(self, name: str) -> int | None:
        """Give the seat of a player; None where nobody is called that."""
        return next((seat for seat, player in enumerate(self.players) if player.name == name), None)

    def past(self, number: int) -> Turn | None:
        """Give a turn that was played; None where there is none of that number."""
        return next((turn for turn in self.turns if turn.number == number), None)

    @property
    def reminders(self) -> tuple["Reminder", ...]:
        """Say what the players are to be reminded of now."""
        return tuple(reminder for reminder, due in _DUE.items() if self.players and due(self))


class Reminder(StrEnum):
    """What the referee reminds of and does not check."""

    SMALL_SET = "small_set"
    """Five players with the small set of tiles (2.1)."""
    SWAP_DUPLICATES = "swap_duplicates"
    """Whoever was dealt the same tile twice returns one and takes another (2.3)."""
    WINNING_CALL = "winning_call"
    """"Rummy!" is to be called by who has just gone out (9.1)."""
    LAST_TILE_CALL = "last_tile_call"
    """A player with one tile left says so (9.2)."""


def _are_many(at: Position) -> bool:
    return len(at.players) > USUAL_PLAYERS and at.rules.copies < BIG_SET_COPIES


def _has_one_left(at: Position) -> bool:
    return at.underway and any(player.hand == 1 for player in at.players if player.present)


_DUE: dict[Reminder, Callable[[Position], bool]] = {
    Reminder.SMALL_SET: lambda at: not at.turns and _are_many(at),
    Reminder.SWAP_DUPLICATES: lambda at: at.rules.swap_duplicates and not at.turns,
    Reminder.WINNING_CALL: lambda at: at.rules.winning_call and at.out is not None,
    Reminder.LAST_TILE_CALL: lambda at: at.rules.last_tile_call and _has_one_left(at),
}
