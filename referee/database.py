"""Opening the log's SQLite file safely, and saying in plain words what is wrong with it."""

import json
import os
import socket
import sqlite3
from contextlib import suppress
from itertools import chain
from pathlib import Path

from referee.errors import LogError
from referee.migrations import APPLICATION_ID, MIGRATIONS, SCHEMA

WAY_OUT = "start with another file (--database FILE), or put back a copy of this one"
BUSY_S = 1.0
"""How long to wait for a program that has the file only for a moment."""
_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_NOTED = {"who", "process", "host"}
_TROUBLES = {
    "SQLITE_BUSY": "{path} is in use by {who}: stop that one, or start with another file (--database FILE)",
    "SQLITE_FULL": "the disk is full and {path} could not be written; nothing was changed: free some space, then go on",
    "SQLITE_READONLY": "{path} may not be written: allow it, or start with another file (--database FILE)",
    "SQLITE_PERM": "{path} may not be opened: allow it, or start with another file (--database FILE)",
    "SQLITE_CANTOPEN": "{path} cannot be opened: see that its folder exists and may be written, or name another file "
    "(--database FILE)",
    "SQLITE_CORRUPT": "{path} is damaged; it is left as it is: {way_out} (`sqlite3 {path} .recover` may save a part)",
    "SQLITE_NOTADB": "{path} is no database; it is left as it is: {way_out}",
    "SQLITE_IOERR": "{path} cannot be read or written ({error}): see to the disk, then go on",
}


def in_words(path: Path, error: BaseException) -> LogError:
    """Make an error of the database one that says what happened and what to do."""
    name = getattr(error, "sqlite_errorname", "")
    trouble = next((text for code, text in _TROUBLES.items() if name.startswith(code)), "{path}: {error}; {way_out}")
    return LogError(trouble.format(path=path, who=_who_has(path), way_out=WAY_OUT, error=error))


def connect(path: Path, *, who: str) -> sqlite3.Connection:
    """Open the file for this process alone, bring its tables to the present version, and note who has it.

    Raises:
        LogError: it is in use, read-only, damaged, of a newer version or no log at all; it is left as it is.
    """
    if _note(path).get("process") != os.getpid():
        # closing a file lets go of every lock that this process has on it, also those of a connection in use
        _check_header(path)
    try:
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise in_words(path, error) from error
    try:
        _prepare(path, connection)
    except sqlite3.Error as error:
        connection.close()
        raise in_words(path, error) from error
    except LogError:
        connection.close()
        raise
    _note_run(path, who)
    return connection


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    _check_content(path, connection)
    _migrate(connection)
    connection.execute("COMMIT")


def _check_header(path: Path) -> None:
    """Look at the file before SQLite does: what is foreign, newer or cut off is not to be touched.

    Raises:
        LogError: it is one of these.
    """
    try:
        size = path.stat().st_size
        with path.open("r+b") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        return
    except OSError as error:
        msg = f"{path} may not be written ({error.strerror}): allow it, or start with another file (--database FILE)"
        raise LogError(msg) from error
    if size == 0:
        return
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise LogError(_TROUBLES["SQLITE_NOTADB"].format(path=path, way_out=WAY_OUT))
    _check_version(path, _number(header, 68), _number(header, 60))
    _check_size(path, header, size)


def _number(header: bytes, offset: int, width: int = 4) -> int:
    return int.from_bytes(header[offset : offset + width], "big")


def _check_version(path: Path, application: int, version: int) -> None:
    if application not in (0, APPLICATION_ID):
        msg = f"{path} is a database of another program; it is left as it is: {WAY_OUT}"
        raise LogError(msg)
    if application and version > SCHEMA:
        msg = (
            f"{path} was written by a newer version of this program (its tables are version {version}, this one knows "
            f"{SCHEMA}); it is left as it is: use the newer version, or another file (--database FILE)"
        )
        raise LogError(msg)


def _check_size(path: Path, header: bytes, size: int) -> None:
    """Compare the file's size with what its header says, unless the newest pages still wait beside it."""
    page = _number(header, 16, 2)
    whole = _number(header, 28) * (65536 if page == 1 else page)
    waiting = path.with_name(path.name + "-wal")
    if size < whole and not (waiting.exists() and waiting.stat().st_size):
        msg = (
            f"{path} is damaged: it is cut off after {size} of {whole} bytes; it is left as it is: {WAY_OUT} "
            f"(`sqlite3 {path} .recover` may save a part)"
        )
        raise LogError(msg)


def _check_content(path: Path, connection: sqlite3.Connection) -> None:
    """Check what only SQLite can see, pages that wait beside the file among them."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise LogError(_TROUBLES["SQLITE_CORRUPT"].format(path=path, way_out=WAY_OUT) + f": {found}")
    application = _pragma(connection, "application_id")
    if not application and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        application = -1
    _check_version(path, application, _pragma(connection, "user_version"))


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to the present version."""
    version = _pragma(connection, "user_version")
    for statement in chain.from_iterable(MIGRATIONS[version:]):
        connection.execute(statement)
    if version < SCHEMA:
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={SCHEMA}")


def _run_file(path: Path) -> Path:
    return path.with_name(path.name + "-run")


def _note_run(path: Path, who: str) -> None:
    """Write beside the file who has it; that is for a message alone, so it may fail."""
    note = {"who": who or "another run of this program", "process": os.getpid(), "host": socket.gethostname()}
    with suppress(OSError):
        _run_file(path).write_text(json.dumps(note), encoding="utf-8")


def _note(path: Path) -> dict[str, object]:
    """Read who has the file; nothing where that is not known."""
    try:
        note = json.loads(_run_file(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _who_has(path: Path) -> str:
    note = _note(path)
    return (
        f"{note['who']} (process {note['process']} on {note['host']})" if note.keys() >= _NOTED else "another program"
    )


def forget_run(path: Path) -> None:
    """Take the note away who has the file."""
    with suppress(OSError):
        _run_file(path).unlink(missing_ok=True)
