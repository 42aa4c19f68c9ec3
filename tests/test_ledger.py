from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from evening import rules

from referee import decisions
from referee.clock import Clock, PauseReason
from referee.decisions import Moment
from referee.errors import GameError, LogError
from referee.events import ClockPaused, HandSet
from referee.ledger import Ledger, StaleError, State
from referee.log import Log, SavedTime

WALL = 1_700_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


def opened(path: Path, now: int = 0) -> Ledger:
    return Ledger(Log.open(path), now=now, wall=lambda: WALL)


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    ledger = opened(path)
    started(ledger)
    yield ledger
    ledger.close()


def started(ledger: Ledger, now: int = 1000) -> None:
    events = decisions.start(ledger.game, ["Ana", "Ben"], rules(), when=Moment(now, WALL))
    with ledger.changing():
        ledger.commit(events, now)


def commit(ledger: Ledger, *events: object, now: int = 2000) -> None:
    with ledger.changing():
        ledger.commit(events, now)


def test_an_empty_log_is_no_game(path: Path):
    ledger = opened(path)
    assert (ledger.state.version, ledger.game_id, ledger.game.now.players) == (0, 0, ())
    ledger.close()


def test_what_is_written_is_seen(ledger: Ledger):
    assert (ledger.state.version, ledger.game_id) == (1, 1)
    commit(ledger, HandSet(now_ms=1, seat=0, count=3))
    assert ledger.state.version == 2
    assert ledger.game.now.players[0].hand == 3
    assert ledger.log.entries(1)[1].wall_ms == WALL


def test_what_cannot_be_written_is_not_seen(ledger: Ledger, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise LogError("the disk is full")

    before = ledger.state
    monkeypatch.setattr(ledger.log, "append", full)
    with pytest.raises(LogError):
        commit(ledger, HandSet(now_ms=1, seat=0, count=3))
    assert ledger.state is before


def test_tiles_do_not_come_out_of_nothing(ledger: Ledger):
    before = ledger.state
    with pytest.raises(GameError, match="would hold 8 tiles more than the set has"):
        commit(ledger, HandSet(now_ms=1, seat=0, count=100))
    assert ledger.state is before
    assert ledger.log.present().version == before.version


def test_no_events_are_no_change(ledger: Ledger):
    before = ledger.state
    commit(ledger)
    assert ledger.state is before


def test_a_stale_action_is_refused_with_the_state_as_it_is(ledger: Ledger):
    commit(ledger, HandSet(now_ms=1, seat=0, count=3))
    with pytest.raises(StaleError, match="it is at 2, and you saw 1") as error, ledger.changing(1):
        pytest.fail("not reached")
    assert error.value.state is ledger.state
    with ledger.changing(2):
        pass


def test_listeners_are_told_once_for_each_change(ledger: Ledger):
    told: list[State] = []
    end = ledger.subscribe(told.append)
    with ledger.changing():
        ledger.commit((HandSet(now_ms=1, seat=0, count=3),), 1)
        ledger.commit((HandSet(now_ms=1, seat=0, count=4),), 1)
        assert told == []
    assert told == [ledger.state]
    with ledger.changing():
        pass
    end()
    commit(ledger, HandSet(now_ms=1, seat=0, count=5))
    assert len(told) == 1


def test_listeners_are_told_of_what_was_done_before_an_error(ledger: Ledger):
    told: list[State] = []
    ledger.subscribe(told.append)
    with pytest.raises(GameError):
        commit_twice(ledger, HandSet(now_ms=1, seat=0, count=3), HandSet(now_ms=1, seat=0, count=100))
    assert told == [ledger.state]


def commit_twice(ledger: Ledger, first: HandSet, second: HandSet) -> None:
    with ledger.changing():
        ledger.commit((first,), 1)
        ledger.commit((second,), 1)


def killed(ledger: Ledger) -> None:
    """Let go of the file without another word, as a process does that is killed."""
    ledger.log._raw.close()


Change = Callable[[Ledger], None]


def saves(*times: int) -> Change:
    def change(ledger: Ledger) -> None:
        for now in times:
            ledger.save_time(now)

    return change


@pytest.mark.parametrize(
    ("before", "used"),
    [(saves(48_000), 47_000), (saves(20_000, 48_200), 47_200), (saves(), 0)],
    ids=["saved once", "saved twice", "never saved"],
)
def test_a_clock_that_ran_when_the_program_was_killed_stands_where_it_was(path: Path, before: Change, used: int):
    ledger = opened(path)
    started(ledger)
    before(ledger)
    killed(ledger)
    again = opened(path, now=77)
    assert again.game.now.clock == Clock(120_000, used, None, PauseReason.RESTART)
    assert again.state.version == 2
    assert again.log.present().events[-1] == ClockPaused(now_ms=77, reason=PauseReason.RESTART, used_ms=used)
    again.close()
    third = opened(path, now=5)
    assert third.state.version == 2
    third.close()


def test_a_time_saved_in_another_turn_is_of_no_account(path: Path):
    ledger = opened(path)
    started(ledger)
    ledger.log.save_time(SavedTime(1, 9, 60_000), synced=True)
    killed(ledger)
    again = opened(path)
    assert again.game.now.clock.used_ms == 0
    again.close()


def test_a_turn_undone_does_not_take_the_time_that_was_saved_of_it(path: Path):
    ledger = opened(path)
    started(ledger)
    ledger.save_time(90_000)
    commit(ledger, HandSet(now_ms=90_000, seat=0, count=3), now=90_000)
    with ledger.changing():
        ledger.commit(decisions.choose_turn(ledger.game, "Ben", 91_000), 91_000)
    killed(ledger)
    again = opened(path)
    assert again.game.now.clock.used_ms == 0
    again.close()


def test_the_time_is_on_the_disk_once_a_second(ledger: Ledger, monkeypatch: pytest.MonkeyPatch):
    synced: list[bool] = []
    monkeypatch.setattr(ledger.log, "save_time", lambda _saved, *, synced: told.append(synced))
    told = synced
    for now in range(1000, 3001, 200):
        ledger.save_time(now)
    assert synced == [True, *(False,) * 4, True, *(False,) * 4, True]
