"""A game as one JSON file: what one log writes, another reads, exactly.

The file has `format`, `version` and `events`, each with the time of its writing (`wall_ms`), its kind, its version and
its record form.
"""

import json
from typing import Any

from referee.errors import RecordError
from referee.events import Event, GameStarted
from referee.game import replay
from referee.log import Entry, Log

FORMAT = "rummy-referee game"
VERSION = 1


def export_game(log: Log, game: int) -> str:
    """Give a game of the log as the text of a file.

    Raises:
        RecordError: the log has no such game.
        LogError: the log cannot be read.
    """
    entries = log.entries(game)
    if not entries:
        msg = f"there is no game {game} in {log.path}"
        raise RecordError(msg)
    content = {"format": FORMAT, "version": VERSION, "events": [entry._asdict() for entry in entries]}
    return json.dumps(content, indent=1) + "\n"


def import_game(log: Log, text: str) -> int:
    """Put a game from the text of a file into the log, beside the games played here; give its number.

    Raises:
        RecordError: the text is no game of this program, or of a newer version; the log is as it was.
        LogError: the log cannot be written.
    """
    entries = tuple(map(_entry, _content(text)))
    _check_game([entry.event() for entry in entries])
    return log.add_game(entries)


def _content(text: str) -> list[Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        msg = f"this is no game file: {error}"
        raise RecordError(msg) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        msg = f"this is no game file: it does not say 'format': {FORMAT!r}"
        raise RecordError(msg)
    if content.get("version") != VERSION:
        msg = f"this game file has the version {content.get('version')!r}, and this program reads {VERSION}"
        raise RecordError(msg)
    events = content.get("events")
    if not isinstance(events, list):
        raise RecordError("this game file has no list of events")
    return events


def _entry(record: object) -> Entry:
    if not isinstance(record, dict) or record.keys() != set(Entry._fields):
        msg = f"{str(record)[:80]!r} is no event of a game file"
        raise RecordError(msg)
    entry = Entry(**record)
    if not (isinstance(entry.kind, str) and type(entry.version) is type(entry.wall_ms) is int):
        msg = f"{str(record)[:80]!r} is no event of a game file"
        raise RecordError(msg)
    return entry


def _check_game(events: list[Event]) -> None:
    """See that the events are one game, and can be followed.

    Raises:
        RecordError: they are not.
    """
    if [place for place, event in enumerate(events) if isinstance(event, GameStarted)] != [0]:
        raise RecordError("the events of a game file begin with 'game_started', and have it once")
    try:
        replay(events)
    except (LookupError, ValueError) as error:
        msg = f"the events of this game file contradict each other: {error}"
        raise RecordError(msg) from error
