"""The record form of values: what JSON can hold, and back, exactly.

A tile, a row and a table are their notation, a word (`StrEnum`) is itself, tuples are lists, and any other frozen
dataclass or named tuple is an object of its fields, without those at their default.
"""

from collections.abc import Callable
from dataclasses import MISSING, fields
from enum import StrEnum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

from referee.errors import NotationError, RecordError, RuleError
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.tiles import Tile, format_tiles, parse_tiles

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""What `json` reads and writes."""
T = TypeVar("T")


class Coder(NamedTuple):
    """The way of one type to its record form and back; `decode` raises `RecordError`, quoting what it cannot read."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def to_record(value: object) -> Json:
    """Give the record form of a value.

    Raises:
        TypeError: its type has none.
    """
    hint: Any = type(value)
    return cast("Json", coder(hint).encode(value))


def from_record(kind: type[T], record: Json) -> T:
    """Read the record form of a value of a type.

    Raises:
        RecordError: it is none; the message quotes the part that is wrong.
    """
    hint: Any = kind
    return cast("T", coder(hint).decode(record))


@cache
def coder(hint: Any) -> Coder:  # noqa: ANN401 -- a type hint has no better type
    """Make the coder of a type from its hint.

    Raises:
        TypeError: there is none for it.
    """
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple:
        return _list_coder(parts[0]) if parts[-1] is Ellipsis else _fixed_coder(parts)
    if origin is Literal:
        return _word_coder(hint, parts)
    if origin is UnionType:
        return _union_coder(parts)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum_coder(hint)
    return _object_coder(hint)


def _wrong(what: str, record: object) -> RecordError:
    return RecordError(f"{str(record)[:80]!r} is no {what}")


def _plain_coder(kind: type, *also: type) -> Coder:
    allowed = (kind, *also)

    def decode(record: object) -> object:
        if type(record) not in allowed:
            raise _wrong(kind.__name__, record)
        return record

    return Coder(lambda value: value, decode)


def _notation_coder(encode: Callable[[Any], str], parse: Callable[[str], Any], name: str) -> Coder:
    def decode(record: object) -> object:
        if not isinstance(record, str):
            raise _wrong(name, record)
        try:
            return parse(record)
        except NotationError as error:
            raise RecordError(str(error)) from error

    return Coder(encode, decode)


@lru_cache(maxsize=4096)
def _row(text: str) -> Row:
    """Read a row; most rows of a table are those of the turn before."""
    return parse_tiles(text)


@lru_cache(maxsize=512)
def _table(text: str) -> Table:
    """Read a table, its rows by way of the rows that are known."""
    rows = tuple(_row(part.strip()) for part in text.split("/"))
    return Table(rows) if all(rows) else Table.parse(text)


def _encode_rules(rules: RuleSet) -> Json:
    return {"preset": rules.preset, "options": cast("Json", rules.options())}


@lru_cache(maxsize=64)
def _rules(preset: str, options: tuple[tuple[str, Any], ...]) -> RuleSet:
    return RuleSet(preset=preset, **dict(options))


def _decode_rules(record: object) -> RuleSet:
    if not isinstance(record, dict) or record.keys() != {"preset", "options"}:
        raise _wrong("set of rules", record)
    try:
        return _rules(record["preset"], tuple(record["options"].items()))
    except (RuleError, TypeError, AttributeError) as error:
        msg = f"{str(record)[:80]!r} is no set of rules: {error}"
        raise RecordError(msg) from error


def _list_coder(part: Any) -> Coder:  # noqa: ANN401 -- a type hint
    encode, decode_part = coder(part)

    def decode(record: object) -> tuple[object, ...]:
        if not isinstance(record, list):
            raise _wrong("list", record)
        return tuple(map(decode_part, record))

    return Coder(lambda value: list(map(encode, value)), decode)


def _fixed_coder(parts: tuple[Any, ...]) -> Coder:
    coders = tuple(map(coder, parts))
    name = f"list of {len(coders)}"

    def encode(value: tuple[object, ...]) -> list[object]:
        return [each.encode(part) for each, part in zip(coders, value, strict=True)]

    def decode(record: object) -> tuple[object, ...]:
        if not isinstance(record, list) or len(record) != len(coders):
            raise _wrong(name, record)
        return tuple(each.decode(part) for each, part in zip(coders, record, strict=True))

    return Coder(encode, decode)


def _word_coder(hint: object, words: tuple[object, ...]) -> Coder:
    def decode(record: object) -> object:
        if record not in words:
            raise _wrong(str(hint), record)
        return record

    return Coder(lambda value: value, decode)


def _enum_coder(kind: type[StrEnum]) -> Coder:
    words = {word.value: word for word in kind}

    def decode(record: object) -> StrEnum:
        if not isinstance(record, str) or record not in words:
            raise _wrong(kind.__name__, record)
        return words[record]

    return Coder(lambda word: word.value, decode)


def _union_coder(parts: tuple[Any, ...]) -> Coder:
    """Make the coder of `X | None`, or of a choice between something written as text and something else."""
    coders = {part: coder(part) for part in parts}
    texts = [part for part in parts if part is Table]
    others = [part for part in parts if part not in (Table, NoneType)]

    def encode(value: object) -> object:
        return None if value is None else coders[type(value) if texts else others[0]].encode(value)

    def decode(record: object) -> object:
        if record is None and NoneType in parts:
            return None
        return coders[texts[0] if texts and isinstance(record, str) else others[0]].decode(record)

    return Coder(encode, decode)


class _Field(NamedTuple):
    name: str
    coder: Coder
    default: object


def _fields(kind: Any) -> tuple[_Field, ...]:  # noqa: ANN401 -- a class with fields
    hints = get_type_hints(kind)
    if hasattr(kind, "_fields"):
        defaults = {name: kind._field_defaults.get(name, MISSING) for name in kind._fields}
    else:
        defaults = {field.name: field.default for field in fields(kind)}
    return tuple(_Field(name, coder(hints[name]), default) for name, default in defaults.items())


def _object_coder(kind: Any) -> Coder:  # noqa: ANN401 -- a class with fields
    """Make the coder of a dataclass or named tuple (TypeError for anything else)."""
    parts = _fields(kind)
    decoders = {part.name: part.coder.decode for part in parts}
    required = {part.name for part in parts if part.default is MISSING}

    def encode(value: object) -> dict[str, object]:
        given = ((name, each, default, getattr(value, name)) for name, each, default in parts)
        return {name: each.encode(part) for name, each, default, part in given if part != default}

    def decode(record: object) -> object:
        if not isinstance(record, dict) or not required <= record.keys() <= decoders.keys():
            raise _wrong(kind.__name__, record)
        return kind(**{name: decoders[name](part) for name, part in record.items()})

    return Coder(encode, decode)


_SIMPLE: dict[Any, Coder] = {
    bool: _plain_coder(bool),
    int: _plain_coder(int),
    float: _plain_coder(float, int),
    str: _plain_coder(str),
    NoneType: _plain_coder(NoneType),
    Tile: _notation_coder(str, Tile.parse, "tile"),
    Row: _notation_coder(format_tiles, _row, "row of tiles"),
    Table: _notation_coder(str, _table, "table"),
    RuleSet: Coder(_encode_rules, _decode_rules),
}
