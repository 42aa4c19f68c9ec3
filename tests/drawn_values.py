"""Hypothesis strategies for the values of the referee: small ones, since it is the form that is tested."""

from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Literal, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from referee.rules import PRESETS, RuleSet
from referee.table import Row, Table
from referee.tiles import JOKER, NUMBERED, Tile

TILES = st.sampled_from((*NUMBERED, JOKER))
ROWS = st.lists(TILES, max_size=4).map(tuple)
TABLES = st.lists(ROWS, max_size=3).map(Table.of)
RULES = st.sampled_from(
    (*PRESETS.values(), PRESETS["tiles-50"].with_options({"turn_seconds": None, "games": 3, "winning_call": True}))
)
_SIMPLE = {
    int: st.integers(-5, 10**12),
    bool: st.booleans(),
    str: st.text(max_size=5),
    float: st.floats(allow_nan=False, allow_infinity=False),
    NoneType: st.none(),
    Tile: TILES,
    Row: ROWS,
    Table: TABLES,
    RuleSet: RULES,
}


@cache
def values(hint: object) -> st.SearchStrategy[object]:
    """Draw values of a type, from its hint."""
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple and parts[-1] is Ellipsis:
        return st.lists(values(parts[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, parts))
    if origin is UnionType:
        return st.one_of(*map(values, parts))
    if origin is Literal or (isinstance(hint, type) and issubclass(hint, StrEnum)):
        return st.sampled_from(parts or tuple(hint))
    hints = get_type_hints(hint)
    names = [field.name for field in fields(hint)] if is_dataclass(hint) else hint._fields
    return st.builds(hint, **{name: values(hints[name]) for name in names})
