import json
from dataclasses import dataclass
from typing import Literal, NamedTuple

import pytest
from drawn_values import values
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.clock import Clock
from referee.errors import RecordError
from referee.match import Result
from referee.records import coder, from_record, to_record
from referee.rules import RuleSet, preset
from referee.table import Row, Table, TableReading
from referee.tiles import JOKER, Tile
from referee.verdict import Verdict


class Pair(NamedTuple):
    side: Literal["before", "after"]
    count: int = 0


@dataclass(frozen=True)
class Bag:
    point: tuple[float, int]
    seen: Table | TableReading
    rack: Row = ()
    pair: Pair | None = None
    pairs: tuple[Pair, ...] = ()


BAG = Bag((0.5, 2), Table.parse("R1 J"), (JOKER,), Pair("after"), (Pair("before", 2),))


def test_a_value_is_an_object_of_its_fields_without_defaults():
    assert to_record(BAG) == {
        "point": [0.5, 2],
        "seen": "R1 J",
        "rack": "J",
        "pair": {"side": "after"},
        "pairs": [{"side": "before", "count": 2}],
    }
    assert from_record(Bag, to_record(BAG)) == BAG


def test_a_choice_of_types_is_told_by_its_form():
    bag = Bag((1.0, 2), TableReading(notes=("x",)))
    assert to_record(bag) == {"point": [1.0, 2], "seen": {"notes": ["x"]}}
    assert from_record(Bag, to_record(bag)) == bag


def test_a_given_none_is_none():
    assert from_record(Bag, {"point": [1, 2], "seen": "-", "pair": None}).pair is None


@pytest.mark.parametrize("kind", [Tile, Table, RuleSet, Verdict, TableReading, Result, Clock], ids=lambda k: k.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_value_comes_back(kind: type, data: st.DataObject):
    value = data.draw(values(kind))
    assert from_record(kind, json.loads(json.dumps(to_record(value)))) == value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"point": [1]}, "'[1]' is no list of 2"),
        ({"point": 5}, "'5' is no list of 2"),
        ({"point": ["1", 2]}, "'1' is no float"),
        ({"pairs": {}}, "'{}' is no list"),
        ({"pair": {"side": "within"}}, "'within' is no"),
        ({"seen": None}, "'None' is no TableReading"),
        ({"rack": "R0"}, "'R0' is no tile"),
        ({"rack": ["R1"]}, "is no row of tiles"),
    ],
)
def test_what_is_wrong_is_quoted(change: dict[str, object], message: str):
    with pytest.raises(RecordError) as error:
        from_record(Bag, to_record(BAG) | change)
    assert message in str(error.value)


def test_rules_keep_every_option():
    record = to_record(preset("tiles-50").with_options({"games": 3}))
    assert record["preset"] == "tiles-50"
    assert record["options"]["games"] == 3
    assert record["options"]["copies"] == 2


@pytest.mark.parametrize(
    "record",
    [
        "rrrummy",
        {"preset": "rrrummy"},
        {"preset": "chess", "options": {}},
        {"preset": "rrrummy", "options": []},
        {"preset": "rrrummy", "options": {"cards": 52}},
        {"preset": "rrrummy", "options": {"copies": 0}},
        {"preset": ["rrrummy"], "options": {}},
    ],
    ids=str,
)
def test_what_is_no_set_of_rules(record: object):
    with pytest.raises(RecordError, match="is no set of rules"):
        from_record(RuleSet, record)


def test_a_type_without_a_record_form():
    with pytest.raises(TypeError):
        coder(complex)
    with pytest.raises(TypeError):
        to_record(3j)
