import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import database
from referee.clock import PauseReason
from referee.errors import LogError
from referee.events import ClockPaused, GameStarted
from referee.log import Log, Stamp
from referee.migrations import APPLICATION_ID, MIGRATIONS, SCHEMA
from referee.rules import preset

START = GameStarted(now_ms=0, names=("Ana", "Ben"), rules=preset("rrrummy"), hands=(14, 14), scores=(0, 0), wall_ms=1)
STAMP = Stamp(1, 1, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


def filled(path: Path, events: int = 200) -> bytes:
    """Make a log of some pages, closed, and give its bytes."""
    log = Log.open(path)
    pauses = [ClockPaused(now_ms=n, reason=PauseReason.PERSON) for n in range(events)]
    log.append([START, *pauses], STAMP, after=0)
    log.close()
    return path.read_bytes()


def refused(path: Path) -> str:
    """See that a log cannot be opened and is left as it is; give the message."""
    before = path.read_bytes()
    with pytest.raises(LogError) as error:
        Log.open(path)
    assert path.read_bytes() == before
    assert str(path) in str(error.value)
    return str(error.value)


def test_a_new_log_is_marked_as_ours(path: Path):
    Log.open(path).close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_an_empty_file_becomes_a_log(path: Path):
    path.touch()
    Log.open(path).close()
    assert path.stat().st_size


def test_a_log_in_use_names_who_has_it(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "BUSY_S", 0.01)
    log = Log.open(path, who="rummy-referee run on port 8000")
    with pytest.raises(
        LogError, match=f"in use by rummy-referee run on port 8000 .process {os.getpid()} on .*--database"
    ):
        Log.open(path)
    log.close()
    Log.open(path).close()
    assert not path.with_name("log.db-run").exists()


@pytest.mark.parametrize("note", [None, "{}", "no JSON", "[]"], ids=["none", "empty", "broken", "a list"])
def test_a_log_in_use_by_who_knows_whom(path: Path, monkeypatch: pytest.MonkeyPatch, note: str | None):
    monkeypatch.setattr(database, "BUSY_S", 0.01)
    log = Log.open(path)
    run = path.with_name("log.db-run")
    run.unlink() if note is None else run.write_text(note)
    with pytest.raises(LogError, match="in use by another program"):
        Log.open(path)
    log.close()


def test_a_note_that_cannot_be_written_is_no_trouble(path: Path):
    path.with_name("log.db-run").mkdir()
    Log.open(path).close()
    assert path.with_name("log.db-run").is_dir()


def test_cut_off_in_the_middle_of_a_page(path: Path):
    whole = filled(path)
    path.write_bytes(whole[: len(whole) - 2500])
    message = refused(path)
    assert f"cut off after {len(whole) - 2500} of {len(whole)} bytes" in message
    assert "put back a copy" in message


def test_cut_off_with_pages_that_wait_beside_it(path: Path):
    whole = filled(path)
    path.write_bytes(whole[:4096])
    path.with_name("log.db-wal").write_bytes(b"what is no write-ahead log" * 10)
    with pytest.raises(LogError, match="is damaged"):
        Log.open(path)
    assert path.read_bytes()[:18] == whole[:18]


def test_a_page_of_nonsense(path: Path):
    whole = filled(path)
    path.write_bytes(whole[:4096] + os.urandom(4096) + whole[8192:])
    assert "damaged" in refused(path)


@pytest.mark.parametrize(
    "content", [b"R3 R4 R5\n", b"SQLite format 3\x00", os.urandom(5000)], ids=["text", "short", "noise"]
)
def test_what_is_no_database(path: Path, content: bytes):
    path.write_bytes(content)
    assert "is no database" in refused(path)


def other_database(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_database_of_another_program(path: Path):
    other_database(path, "PRAGMA application_id=42", "CREATE TABLE t (x)")
    assert "of another program" in refused(path)


def test_a_database_of_a_program_without_a_mark(path: Path):
    other_database(path, "PRAGMA journal_mode=WAL", "CREATE TABLE t (x)")
    assert "of another program" in refused(path)


def test_a_log_of_a_newer_version(path: Path):
    filled(path)
    other_database(path, "PRAGMA user_version=99")
    message = refused(path)
    assert f"version 99, this one knows {SCHEMA}" in message
    assert "use the newer version" in message


def test_a_log_of_the_first_version_is_brought_up_with_what_it_holds(path: Path):
    other_database(
        path,
        *MIGRATIONS[0],
        f"PRAGMA application_id={APPLICATION_ID}",
        "PRAGMA user_version=1",
        "INSERT INTO clock VALUES (1, 7, 8, 9)",
    )
    log = Log.open(path)
    assert log.saved_time() == (7, 8, 9)
    log.save_rules("Oma", preset("tiles-50"))
    assert log.house_rules() == {"Oma": preset("tiles-50")}
    log.close()


def test_a_log_that_this_process_has_open_is_not_looked_into(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "BUSY_S", 0.01)
    log = Log.open(path)
    with pytest.raises(LogError, match="in use"):
        Log.open(path)
    opened = subprocess.run([sys.executable, "-c", OPEN, str(path)], capture_output=True, text=True, check=False)
    assert "in use by" in opened.stderr
    log.close()


OPEN = "import sys; from pathlib import Path; from referee.log import Log; Log.open(Path(sys.argv[1]))"


def test_a_folder_that_is_not_there(tmp_path: Path):
    with pytest.raises(LogError, match="see that its folder exists"):
        Log.open(tmp_path / "nowhere" / "log.db")


def test_a_folder_in_place_of_a_file(tmp_path: Path):
    with pytest.raises(LogError, match=r"may not be written \(Is a directory\)"):
        Log.open(tmp_path)


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder for whoever may not write everywhere; the tests may be run by root, who may."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    user = os.geteuid()
    yield folder
    os.seteuid(user)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_file_that_may_not_be_written(unprivileged: Path):
    path = unprivileged / "log.db"
    filled(path)
    path.chmod(0o444)
    unprivileged.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)
    assert "may not be written (Permission denied): allow it" in refused(path)


def test_an_error_without_a_name_is_told_as_it_is(path: Path):
    assert str(database.in_words(path, sqlite3.Error("odd"))) == f"{path}: odd; {database.WAY_OUT}"
