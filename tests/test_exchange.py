import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from evening import RandomEvening
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import RecordError
from referee.events import GameStarted
from referee.exchange import export_game, import_game
from referee.game import replay
from referee.log import Log, Stamp


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log.open(tmp_path / "log.db")
    yield log
    log.close()


def played(log: Log, seed: int = 1, actions: int = 30) -> list[int]:
    """Write an evening into a log; give the numbers of its games."""
    events = RandomEvening(seed, actions).events
    after = log.present().version
    log.append(events, Stamp(5, 1, 0), after=after)
    return [after + place for place, event in enumerate(events, 1) if isinstance(event, GameStarted)]


def test_a_game_goes_from_log_to_log(log: Log, tmp_path: Path):
    (game, *_) = played(log)
    text = export_game(log, game)
    other = Log.open(tmp_path / "other.db")
    copy = import_game(other, text)
    assert other.entries(copy) == log.entries(game)
    assert replay(other.events(copy)) == replay(log.events(game))
    assert export_game(other, copy) == text
    other.close()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_the_round_trip_is_exact(tmp_path_factory: pytest.TempPathFactory, seed: int):
    log = Log.open(tmp_path_factory.mktemp("log") / "log.db")
    for game in played(log, seed):
        text = export_game(log, game)
        copy = import_game(log, text)
        assert export_game(log, copy) == text
        assert log.events(copy) == log.events(game)
    log.close()


def test_there_is_no_such_game(log: Log):
    with pytest.raises(RecordError, match="there is no game 7"):
        export_game(log, 7)


def changed(text: str, **change: object) -> str:
    return json.dumps(json.loads(text) | change)


def with_events(text: str, *events: object) -> str:
    return changed(text, events=list(events))


@pytest.mark.parametrize("text", ["", "R3 R4 R5", "[" * 100_000, "[]", "{}", '{"format": "chess"}'], ids=range(6))
def test_what_is_no_game_file(log: Log, text: str):
    with pytest.raises(RecordError, match="this is no game file"):
        import_game(log, text)


def test_a_game_file_that_is_broken_leaves_the_log_as_it_is(log: Log):
    (game, *_) = played(log)
    text = export_game(log, game)
    start = json.loads(text)["events"][0]
    undone = {"wall_ms": 1, "kind": "undone", "version": 1, "body": {"now_ms": 1}}
    seat = {"wall_ms": 1, "kind": "hand_set", "version": 1, "body": {"now_ms": 1, "seat": 77, "count": 1}}
    ended = next(entry for entry in json.loads(text)["events"] if entry["kind"] == "turn_ended")
    told = {"wall_ms": 1, "kind": "turn_corrected", "version": 1, "body": {"now_ms": 1, "turn": 1, "judged": []}}
    broken = {
        "version 2": changed(text, version=2),
        "no list of events": changed(text, events={}),
        "'R3' is no event": with_events(text, "R3"),
        "'{}' is no event": with_events(text, {}),
        "is no event of a game file": with_events(text, start | {"version": True}),
        "'kind': 5": with_events(text, start | {"kind": 5}),
        "no kind of event": with_events(text, start, undone | {"kind": "turn_played"}),
        "is no Undone": with_events(text, start, undone | {"body": []}),
        "begin with 'game_started'": with_events(text),
        "and have it once": with_events(text, start, start),
        "have it once": with_events(text, undone, start),
        "contradict each other": with_events(text, start, undone),
        "these events contradict": with_events(text, start, seat),
        "events of this game file contradict": with_events(text, start, ended, told),
    }
    before = log.entries(game), log.games()
    for message, content in broken.items():
        with pytest.raises(RecordError) as error:
            import_game(log, content)
        assert message.removeprefix("these events ").removeprefix("version 2") in str(error.value), message
    assert (log.entries(game), log.games()) == before
