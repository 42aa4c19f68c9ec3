"""The log: every event of every game, in one SQLite file that outlives whatever happens to the program.

One process has it at a time. An event is on the disk (`synchronous=FULL`) before `append` returns. The time used of the
present turn is a row of its own, written over and over. There are no snapshots: folding a match is quick enough.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import NamedTuple, Self

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from referee import database
from referee.errors import LogError, RecordError, RuleError
from referee.events import Event, GameStarted, event_record, kind_of, read_event
from referee.records import Json
from referee.rules import RuleSet

_EVENTS = sa.table(
    "events", *map(sa.column, ("seq", "game", "match", "imported", "wall_ms", "kind", "version", "body"))
)
_CLOCK = sa.table("clock", *map(sa.column, ("id", "game", "turn", "used_ms")))
_HOUSE_RULES = sa.table("house_rules", *map(sa.column, ("name", "rules")))
_SAVE_TIME = sa.text("INSERT OR REPLACE INTO clock VALUES (1, :game, :turn, :used_ms)")
_SAVE_RULES = sa.text("INSERT OR REPLACE INTO house_rules VALUES (:name, :rules)")
_LAST_SEQ = sa.text("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'")


class Entry(NamedTuple):
    """An event as the log keeps it: when it was written (on the wall), its kind, version and record form."""

    wall_ms: int
    kind: str
    version: int
    body: Json

    @classmethod
    def of(cls, event: Event, wall_ms: int) -> Self:
        """Make the entry of an event."""
        return cls(wall_ms, kind_of(event), event.VERSION, event_record(event))

    def event(self) -> Event:
        """Read the event.

        Raises:
            RecordError: it cannot be read.
        """
        return read_event(self.kind, self.version, self.body)


class Logged(NamedTuple):
    """The present match: the sequence number of the last event, of the present game's first, and all its events."""

    version: int
    game: int
    events: tuple[Event, ...]


class LoggedGame(NamedTuple):
    """A game in the log: its number there, the match it belongs to, and how it began."""

    game: int
    match: int
    imported: bool
    started: GameStarted


class Stamp(NamedTuple):
    """When something is written, on the wall, and how much of the turn under way is used then."""

    wall_ms: int
    turn: int
    used_ms: int


class SavedTime(NamedTuple):
    """The time used of a turn when it was last saved; `game` is the game's number in the log."""

    game: int
    turn: int
    used_ms: int


class Log:
    """An open log.

    Every method raises `LogError` where the database cannot be read or written, and then has changed nothing.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._raw = connection
        self._engine = sa.create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        sa.event.listen(self._engine, "begin", _begin)
        self._lock = RLock()

    @classmethod
    def open(cls, path: Path, *, who: str = "") -> Self:
        """Open a log, or make a new one; `who` tells another run, which finds it taken, what has it.

        Raises:
            LogError: it is in use, read-only, damaged, of a newer version or no log at all; it is left as it is.
        """
        return cls(path, database.connect(path, who=who))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._engine.dispose()
            self._raw.close()
            database.forget_run(self.path)

    @contextmanager
    def _connection(self, *, synced: bool = True) -> Iterator[sa.Connection]:
        """Begin a transaction, the only one; without `synced` the last of them may be lost when the power fails."""
        with self._lock:
            try:
                self._raw.execute(f"PRAGMA synchronous={'FULL' if synced else 'NORMAL'}")
                with self._engine.begin() as connection:
                    yield connection
            except (sqlite3.Error, sa.exc.DBAPIError) as error:
                raise database.in_words(self.path, getattr(error, "orig", None) or error) from error

    def append(self, events: Sequence[Event], stamp: Stamp, *, after: int) -> Logged:
        """Write events and the time used, all or none, after the event with the sequence number `after`.

        Raises:
            LogError: it cannot be written, or holds events that the caller has not seen.
        """
        with self._connection() as connection:
            version, game, match = _last(connection)
            if version != after:
                msg = f"{self.path} holds events up to {version}, and this run knows them up to {after}: start it again"
                raise LogError(msg)
            for event in events:
                version = _next_seq(connection)
                if isinstance(event, GameStarted):
                    game, match = version, version if event.number == 1 else match
                _insert(connection, Entry.of(event, stamp.wall_ms), (version, game, match))
            connection.execute(_SAVE_TIME, SavedTime(game, stamp.turn, stamp.used_ms)._asdict())
        return Logged(version, game, tuple(events))

    def present(self) -> Logged:
        """Read the present match, from the beginning.

        Raises:
            LogError: an event cannot be read.
        """
        with self._connection() as connection:
            version, game, match = _last(connection)
            entries = _entries(connection, (_EVENTS.c.match == match) & (_EVENTS.c.imported == 0))
        return Logged(version, game, self._events(entries))

    def _events(self, entries: Sequence[Entry]) -> tuple[Event, ...]:
        try:
            return tuple(entry.event() for entry in entries)
        except RecordError as error:
            msg = f"{self.path} holds an event that cannot be read: {error}. It is left as it is; {database.WAY_OUT}"
            raise LogError(msg) from error

    def games(self) -> tuple[LoggedGame, ...]:
        """List the games, the oldest first."""
        first = sa.select(_EVENTS).where(_EVENTS.c.seq == _EVENTS.c.game).order_by(_EVENTS.c.seq)
        with self._connection() as connection:
            rows = connection.execute(first).all()
        return tuple(self._game(row) for row in rows)

    def _game(self, row: sa.Row[tuple[object, ...]]) -> LoggedGame:
        (event,) = self._events([_entry(row)])
        if not isinstance(event, GameStarted):
            msg = f"{self.path}: event {row.seq} begins no game; {database.WAY_OUT}"
            raise LogError(msg)
        return LoggedGame(row.game, row.match, bool(row.imported), event)

    def entries(self, game: int) -> tuple[Entry, ...]:
        """Give the entries of a game; none where there is no such game."""
        with self._connection() as connection:
            return _entries(connection, _EVENTS.c.game == game)

    def events(self, game: int) -> tuple[Event, ...]:
        """Give the events of a game; none where there is no such game."""
        return self._events(self.entries(game))

    def add_game(self, entries: Sequence[Entry]) -> int:
        """Put a game beside those played here, whole; give its number. The present game is not touched."""
        with self._connection() as connection:
            game = _next_seq(connection)
            for seq, entry in enumerate(entries, game):
                _insert(connection, entry, (seq, game, game), imported=True)
        return game

    def delete_game(self, game: int) -> None:
        """Delete a game for good, as its owner wishes.

        Raises:
            LogError: it belongs to the match under way.
        """
        with self._connection() as connection:
            _, _, match = _last(connection)
            present = (_EVENTS.c.match == match) & (_EVENTS.c.imported == 0) & (_EVENTS.c.game == game)
            if connection.execute(sa.select(_EVENTS.c.seq).where(present)).first():
                msg = f"game {game} belongs to the match under way: start another match before it is deleted"
                raise LogError(msg)
            connection.execute(sa.delete(_EVENTS).where(_EVENTS.c.game == game))

    def save_time(self, saved: SavedTime, *, synced: bool) -> None:
        """Write over the time used of the present turn; without `synced` a power cut may lose it."""
        with self._connection(synced=synced) as connection:
            connection.execute(
                sa.text("INSERT OR REPLACE INTO clock VALUES (1, :game, :turn, :used_ms)"), saved._asdict()
            )

    def saved_time(self) -> SavedTime | None:
        """Give the time that was saved last."""
        with self._connection() as connection:
            row = connection.execute(sa.select(_CLOCK)).first()
        return None if row is None else SavedTime(row.game, row.turn, row.used_ms)

    def house_rules(self) -> dict[str, RuleSet]:
        """Give the rules saved by name, in the order of the names."""
        with self._connection() as connection:
            rows = connection.execute(sa.select(_HOUSE_RULES).order_by(_HOUSE_RULES.c.name)).all()
        return {row.name: self._rules(row.name, row.rules) for row in rows}

    def _rules(self, name: str, text: str) -> RuleSet:
        try:
            return RuleSet.from_toml(text)
        except RuleError as error:
            msg = f"{self.path}: the rules {name!r} cannot be read: {error}; {database.WAY_OUT}"
            raise LogError(msg) from error

    def save_rules(self, name: str, rules: RuleSet) -> None:
        """Save rules by name, in place of others of that name."""
        with self._connection() as connection:
            connection.execute(_SAVE_RULES, {"name": name, "rules": rules.to_toml()})

    def delete_rules(self, name: str) -> None:
        """Forget rules that were saved by name."""
        with self._connection() as connection:
            connection.execute(sa.delete(_HOUSE_RULES).where(_HOUSE_RULES.c.name == name))


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _last(connection: sa.Connection) -> tuple[int, int, int]:
    """Give the number of the last event that happened here, of its game and of its match; 0 where there is none."""
    numbers = sa.select(_EVENTS.c.seq, _EVENTS.c.game, _EVENTS.c.match)
    row = connection.execute(numbers.where(_EVENTS.c.imported == 0).order_by(_EVENTS.c.seq.desc()).limit(1)).first()
    return (0, 0, 0) if row is None else (row.seq, row.game, row.match)


def _next_seq(connection: sa.Connection) -> int:
    """Give the next sequence number; none is used twice, deleted games among them."""
    return int(connection.execute(_LAST_SEQ).scalar_one()) + 1


def _insert(connection: sa.Connection, entry: Entry, numbers: tuple[int, int, int], *, imported: bool = False) -> None:
    seq, game, match = numbers
    row = entry._asdict() | {"seq": seq, "game": game, "match": match, "imported": int(imported)}
    row["body"] = json.dumps(entry.body, separators=(",", ":"))
    connection.execute(sa.insert(_EVENTS), row)


def _entries(connection: sa.Connection, which: sa.ColumnElement[bool]) -> tuple[Entry, ...]:
    rows = connection.execute(sa.select(_EVENTS).where(which).order_by(_EVENTS.c.seq)).all()
    return tuple(map(_entry, rows))


def _entry(row: sa.Row[tuple[object, ...]]) -> Entry:
    try:
        return Entry(row.wall_ms, row.kind, row.version, json.loads(row.body))
    except (ValueError, RecursionError) as error:
        msg = f"the event {row.seq} of the log is damaged ({error}); it is left as it is: {database.WAY_OUT}"
        raise LogError(msg) from error
