import json

import pytest
from drawn_values import values
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.clock import PauseReason
from referee.errors import RecordError
from referee.events import (
    EVENTS,
    ClockPaused,
    Decision,
    Event,
    TurnAsked,
    TurnCalled,
    TurnEnded,
    Undone,
    event_record,
    kind_of,
    read_event,
)
from referee.table import Table
from referee.verdict import Ruling, Verdict


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_event_comes_back_from_its_record(kind: type[Event], data: st.DataObject):
    event = data.draw(values(kind))
    written = json.dumps(event_record(event))
    assert read_event(kind_of(event), event.VERSION, json.loads(written)) == event


def test_every_kind_has_a_name_of_its_own():
    names = {kind.__name__: kind_of(kind.__new__(kind)) for kind in EVENTS}
    assert len(set(names.values())) == len(EVENTS)
    assert names["TurnEnded"] == "turn_ended"
    assert names["GameStarted"] == "game_started"


def test_every_event_class_is_a_kind():
    known = {kind.__name__ for kind in EVENTS}
    classes = [Event]
    for each in classes:
        classes += each.__subclasses__()
    assert {each.__name__ for each in classes} - known == {"Event", "Decision", "Rejudgement"}


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_only_decisions_can_be_undone(kind: type[Event]):
    assert kind.UNDOABLE is issubclass(kind, Decision)
    assert kind.VERSION == 1


def test_the_record_form_is_notation_and_words_without_defaults():
    event = TurnEnded(
        now_ms=5, table=Table.parse("R1 R2 R3"), verdict=Verdict(Ruling.DRAW), ruling=Ruling.DRAW, used_ms=7
    )
    assert event_record(event) == {
        "now_ms": 5,
        "table": "R1 R2 R3",
        "verdict": {"ruling": "draw"},
        "ruling": "draw",
        "used_ms": 7,
    }
    assert event_record(ClockPaused(now_ms=1, reason=PauseReason.JUMP)) == {"now_ms": 1, "reason": "jump"}


@pytest.mark.parametrize(
    ("kind", "version", "record", "message"),
    [
        ("turn_played", 1, {}, "'turn_played' is no kind of event"),
        ("undone", 2, {"now_ms": 1}, "'undone' has the version 2, and this program reads 1"),
        ("undone", 1, {}, "'{}' is no Undone"),
        ("undone", 1, [], "is no Undone"),
        ("undone", 1, {"now_ms": 1, "why": "x"}, "is no Undone"),
        ("undone", 1, {"now_ms": "1"}, "'1' is no int"),
        ("undone", 1, {"now_ms": True}, "'True' is no int"),
        ("table_entered", 1, {"now_ms": 1, "table": "R14"}, "'R14' is no tile"),
        ("table_entered", 1, {"now_ms": 1, "table": 5}, "'5' is no table"),
        ("table_entered", 1, {"now_ms": 1, "table": "R1 / / R2"}, "empty row"),
        ("tile_found", 1, {"now_ms": 1, "tile": "X1"}, "'X1' is no tile"),
        ("clock_paused", 1, {"now_ms": 1, "reason": "tea"}, "'tea' is no PauseReason"),
        ("clock_paused", 1, {"now_ms": 1, "reason": ["jump"]}, "is no PauseReason"),
    ],
)
def test_what_is_no_record_is_quoted(kind: str, version: int, record: object, message: str):
    with pytest.raises(RecordError) as error:
        read_event(kind, version, record)
    assert message in str(error.value)


def test_calls_and_questions_are_undone_like_decisions():
    assert TurnCalled.UNDOABLE
    assert TurnAsked.UNDOABLE
    assert not Undone.UNDOABLE
