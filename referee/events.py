"""Everything that can happen to a game: one frozen event each, with its record form for the log.

An event holds facts and decisions, verdicts among them, so that folding a log neither judges nor asks a clock.
Moments (`now_ms`) are milliseconds of the monotonic clock of the run that wrote the event; `wall_ms` is the time on the
wall, in milliseconds since 1970. Players are seats, counted from 0.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from referee.clock import PauseReason
from referee.errors import RecordError
from referee.match import Result
from referee.position import EMPTY_TABLE, Undecided
from referee.records import Json, from_record, to_record
from referee.rules import RuleSet
from referee.table import Table
from referee.tiles import Tile
from referee.verdict import Ruling, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at a moment; each kind has a version of its record form."""

    VERSION: ClassVar[int] = 1
    UNDOABLE: ClassVar[bool] = False
    """Whether it is a decision that "undo" takes back."""

    now_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Event):
    """An event that "undo" takes back."""

    UNDOABLE: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Event):
    """A game began: `number` 1 begins a new match; `scores` are those of the match so far, by seat."""

    names: tuple[str, ...]
    rules: RuleSet
    hands: tuple[int, ...]
    scores: tuple[int, ...]
    wall_ms: int
    number: int = 1
    starter: int = 0
    table: Table = EMPTY_TABLE
    opened: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMoveSeen(Event):
    """The first tile of a turn was moved, and the clock starts (7.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEntered(Event):
    """A person gave the table of the present turn, in place of what the camera reads (its notation) or without one."""

    table: Table
    instead_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCalled(Decision):
    """The end of the turn was called at `at_ms` (monotonic), and its table has yet to be seen."""

    used_ms: int
    at_ms: int
    timed_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAsked(Decision):
    """The turn is over and needs a person: its verdict is unsure or impossible."""

    undecided: Undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtAnswered(Event):
    """A person answered a doubt: its index in the verdict that asked, and the answer in notation."""

    doubt: int
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAgain(Event):
    """The open question was dropped: the table is put right and judged once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Decision):
    """A turn was decided: `table` as seen, the verdict, and the ruling that counts.

    The player's time is `used_ms`, up to the call; the next player's begins at `now_ms`.
    """

    table: Table
    verdict: Verdict
    ruling: Ruling
    used_ms: int
    timed_out: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRestored(Event):
    """The table is again what it was before an illegal turn; the next turn begins."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A past turn judged again: its table, the referee's word, and what counts."""

    turn: int
    table: Table
    verdict: Verdict
    ruling: Ruling
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudgement(Decision):
    """A decision about the past: `judged` holds each turn concerned and every later one, judged again."""

    turn: int
    judged: tuple[Judged, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCorrected(Rejudgement):
    """A person said what lay on the table at the end of a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOverruled(Rejudgement):
    """A person decided otherwise than the referee."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesChanged(Rejudgement):
    """Other rules hold from the beginning of a turn on."""

    rules: RuleSet


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSet(Decision):
    """A person counted the tiles in a hand."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSet(Decision):
    """A person set a player's score of the match."""

    seat: int
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRenamed(Event):
    """A player is called otherwise, from the beginning of the game on."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft(Decision):
    """A player left: the tiles go to the pool, the seat is passed over, the score stays."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event):
    """Somebody plays from the next game on."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnChosen(Decision):
    """A person said whose turn it is."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLost(Decision):
    """A tile is missing, and the game goes on without it; `table` is what lies from now on."""

    tile: Tile
    table: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFound(Decision):
    """A lost tile was found, and goes to the pool."""

    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPaused(Event):
    """The clock stands; after a restart with the `used_ms` that were saved last."""

    reason: PauseReason
    used_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockResumed(Event):
    """The clock runs on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAdded(Event):
    """A turn was given more time, or less."""

    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Decision):
    """A person ended the game before its time; the racks are counted as where the pool is empty (10.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RacksCounted(Decision):
    """The tiles left were counted and the game was scored."""

    result: Result
    wall_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Event):
    """The last decision never was (8.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone(Event):
    """The last decision that was undone holds again."""


EVENTS: tuple[type[Event], ...] = (
    GameStarted,
    FirstMoveSeen,
    TableEntered,
    TurnCalled,
    TurnAsked,
    DoubtAnswered,
    LookedAgain,
    TurnEnded,
    TableRestored,
    TurnCorrected,
    TurnOverruled,
    RulesChanged,
    HandSet,
    ScoreSet,
    PlayerRenamed,
    PlayerLeft,
    PlayerJoined,
    TurnChosen,
    TileLost,
    TileFound,
    ClockPaused,
    ClockResumed,
    TimeAdded,
    GameEnded,
    RacksCounted,
    Undone,
    Redone,
)
"""Every kind of event."""
_NAMES = {kind: re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower() for kind in EVENTS}
_KINDS = {name: kind for kind, name in _NAMES.items()}


def kind_of(event: Event) -> str:
    """Give the name of an event's kind, as the log has it: `turn_ended`."""
    return _NAMES[type(event)]


def event_record(event: Event) -> Json:
    """Give the record form of an event, without its kind and version."""
    return to_record(event)


def read_event(kind: str, version: int, record: Json) -> Event:
    """Read an event from its record form.

    Raises:
        RecordError: the kind is unknown, its version is newer than this program, or the record is none of that kind.
    """
    if kind not in _KINDS:
        msg = f"{kind!r} is no kind of event: the record was made by a newer version of this program, or is broken"
        raise RecordError(msg)
    if version != _KINDS[kind].VERSION:
        msg = f"{kind!r} has the version {version}, and this program reads {_KINDS[kind].VERSION}: use a newer one"
        raise RecordError(msg)
    return from_record(_KINDS[kind], record)
