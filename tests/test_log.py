from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.clock import PauseReason
from referee.errors import LogError
from referee.events import ClockPaused, ClockResumed, GameStarted
from referee.log import Entry, Log, Logged, LoggedGame, SavedTime, Stamp
from referee.rules import preset

STAMP = Stamp(wall_ms=1_000, turn=1, used_ms=0)
PAUSED, RESUMED = ClockPaused(now_ms=5, reason=PauseReason.PERSON), ClockResumed(now_ms=6)


def started(number: int = 1) -> GameStarted:
    return GameStarted(
        now_ms=0,
        names=("Ana", "\u202eBen 🎲"),
        rules=preset("rrrummy"),
        hands=(14, 14),
        scores=(0, 0),
        wall_ms=1,
        number=number,
    )


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log.open(tmp_path / "log.db")
    yield log
    log.close()


def test_a_new_log_is_empty(log: Log):
    assert log.present() == Logged(0, 0, ())
    assert log.games() == ()
    assert log.entries(1) == ()
    assert log.saved_time() is None


def test_events_come_back_in_order(log: Log):
    assert log.append([started(), PAUSED], STAMP, after=0) == Logged(2, 1, (started(), PAUSED))
    assert log.append([RESUMED], STAMP, after=2).version == 3
    assert log.present() == Logged(3, 1, (started(), PAUSED, RESUMED))
    assert log.events(1) == (started(), PAUSED, RESUMED)


def test_an_entry_has_the_time_on_the_wall(log: Log):
    log.append([started(), PAUSED], STAMP, after=0)
    assert log.entries(1)[1] == Entry(1_000, "clock_paused", 1, {"now_ms": 5, "reason": "person"})


def test_events_outlive_the_program(tmp_path: Path):
    log = Log.open(tmp_path / "log.db")
    log.append([started(), PAUSED], STAMP, after=0)
    log.close()
    again = Log.open(tmp_path / "log.db")
    assert again.present().events == (started(), PAUSED)
    again.close()


def test_the_games_of_a_match_are_its_present(log: Log):
    log.append([started(), PAUSED], STAMP, after=0)
    log.append([started(2), RESUMED], STAMP, after=2)
    assert log.present() == Logged(4, 3, (started(), PAUSED, started(2), RESUMED))
    log.append([started()], STAMP, after=4)
    assert log.present() == Logged(5, 5, (started(),))
    assert log.games() == (
        LoggedGame(1, 1, False, started()),
        LoggedGame(3, 1, False, started(2)),
        LoggedGame(5, 5, False, started()),
    )


def test_events_that_this_run_has_not_seen_are_not_written_over(log: Log):
    log.append([started(), PAUSED], STAMP, after=0)
    with pytest.raises(LogError, match="holds events up to 2, and this run knows them up to 1: start it again"):
        log.append([RESUMED], STAMP, after=1)
    assert log.present().version == 2


def test_all_events_are_written_or_none(log: Log, monkeypatch: pytest.MonkeyPatch):
    log.append([started()], STAMP, after=0)

    class Unwritable(ClockResumed):
        pass

    with pytest.raises(KeyError):
        log.append([PAUSED, Unwritable(now_ms=1)], STAMP, after=1)
    assert log.present().version == 1


def test_a_full_disk_changes_nothing_and_says_so(log: Log):
    log.append([started()], STAMP, after=0)
    pages = log._raw.execute("PRAGMA page_count").fetchone()[0]
    log._raw.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(LogError, match=r"the disk is full .* nothing was changed: free some space"):
        log.append([PAUSED] * 1000, STAMP, after=1)
    assert log.present().events == (started(),)
    log._raw.execute("PRAGMA max_page_count=100000")
    assert log.append([PAUSED], STAMP, after=1).version == 2


def test_a_log_that_may_not_be_written_any_more_says_so(log: Log):
    log._raw.execute("PRAGMA query_only=ON")
    with pytest.raises(LogError, match="may not be written"):
        log.append([started()], STAMP, after=0)
    assert log.present().events == ()


def test_the_time_of_a_turn_is_written_over(log: Log):
    log.append([started()], STAMP._replace(used_ms=17), after=0)
    assert log.saved_time() == SavedTime(1, 1, 17)
    log.save_time(SavedTime(1, 1, 200), synced=False)
    log.save_time(SavedTime(1, 1, 400), synced=True)
    assert log.saved_time() == SavedTime(1, 1, 400)


@pytest.mark.parametrize(("synced", "level"), [(True, 2), (False, 1)], ids=["full", "normal"])
def test_how_a_time_is_written(log: Log, synced, level: int):
    log.save_time(SavedTime(1, 1, 200), synced=synced)
    assert log._raw.execute("PRAGMA synchronous").fetchone() == (level,)
    log.append([started()], STAMP, after=0)
    assert log._raw.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE events SET kind = 'turn_played'", "'turn_played' is no kind of event"),
        ("UPDATE events SET version = 2", "has the version 2"),
        ("UPDATE events SET body = '{}'", "is no GameStarted"),
        ("UPDATE events SET body = '{\"now'", "the event 1 of the log is damaged"),
    ],
)
def test_an_event_that_cannot_be_read(log: Log, change: str, message: str):
    log.append([started()], STAMP, after=0)
    log._raw.execute(change)
    for read in (log.present, log.games):
        with pytest.raises(LogError, match=message):
            read()


def test_a_game_that_does_not_begin_as_one(log: Log):
    log.append([started(), PAUSED], STAMP, after=0)
    log._raw.execute("UPDATE events SET game = 2 WHERE seq = 2")
    with pytest.raises(LogError, match="event 2 begins no game"):
        log.games()


def test_an_added_game_lies_beside_the_present_one(log: Log):
    log.append([started()], STAMP, after=0)
    entries = (Entry.of(started(2), 7), Entry.of(PAUSED, 8))
    assert log.add_game(entries) == 2
    assert log.entries(2) == entries
    assert log.games()[1] == LoggedGame(2, 2, True, started(2))
    assert log.present() == Logged(1, 1, (started(),))
    assert log.append([PAUSED], STAMP, after=1) == Logged(4, 1, (PAUSED,))


def test_a_game_is_deleted_and_its_numbers_are_not_used_again(log: Log):
    log.append([started(), PAUSED], STAMP, after=0)
    log.append([started()], STAMP, after=2)
    log.delete_game(1)
    assert [game.game for game in log.games()] == [3]
    imported = log.add_game([Entry.of(started(), 7)])
    assert imported == 4
    log.delete_game(imported)
    assert log.append([PAUSED], STAMP, after=3).version == 5


def test_a_game_of_the_match_under_way_is_not_deleted(log: Log):
    log.append([started(), started(2)], STAMP, after=0)
    with pytest.raises(LogError, match="game 1 belongs to the match under way"):
        log.delete_game(1)
    assert len(log.games()) == 2


def test_house_rules_are_saved_by_name(log: Log):
    oma, opa = preset("tiles-50"), preset("rrrummy").with_options({"turn_seconds": None})
    log.save_rules("Oma", preset("rrrummy"))
    log.save_rules("Oma", oma)
    log.save_rules("Äpa", opa)
    assert log.house_rules() == {"Oma": oma, "Äpa": opa}
    log.delete_rules("Oma")
    assert log.house_rules() == {"Äpa": opa}


def test_house_rules_of_another_version_are_an_error_of_the_log(log: Log):
    log.save_rules("Oma", preset("tiles-50"))
    log._raw.execute("UPDATE house_rules SET rules = 'preset = \"chess\"'")
    with pytest.raises(LogError, match="'Oma' cannot be read: there is no preset 'chess'"):
        log.house_rules()
