from collections import Counter

import pytest

from referee.covering import Covering, Layout, Meld, readings
from referee.programme import Cut
from referee.rules import RuleSet
from referee.table import Table
from referee.tiles import format_tiles, parse_tiles


def covering(table: str, melds: dict[str, int]) -> Covering:
    """A covering of a table with these melds, so many of whose tiles may be jokers."""
    made = Covering(Layout(Table.parse(table), (), RuleSet(jokers=4)))
    for row, room in melds.items():
        tiles = parse_tiles(row)
        made.lay(Meld(tiles, tuple(range(len(tiles))), room), upper=1)
    return made


def solution(made: Covering, roles: str) -> list[int]:
    """Every meld once, and jokers that stand for these tiles."""
    wanted = Counter(made.roles[tile] for tile in parse_tiles(roles))
    return [wanted[column] + (column in made.melds) for column in range(len(made.programme.uppers))]


@pytest.mark.parametrize(
    ("roles", "rows"),
    [
        pytest.param("", ["R1 R2 R3", "K1 R1 B1"], id="none"),
        pytest.param("R1 R1", ["J R2 R3", "K1 J B1"], id="one each"),
        pytest.param("R1 R2", ["R1 J R3", "K1 J B1"], id="the first is sent on"),
    ],
)
def test_jokers_are_dealt_out_where_there_is_room(roles, rows):
    made = covering("J J", {"R1 R2 R3": 1, "K1 R1 B1": 1})
    assert list(map(format_tiles, made.rows(solution(made, roles)))) == rows


@pytest.mark.parametrize("roles", ["R2 R3", "R1 R1 R2", "R2 R1 R1"])
def test_jokers_that_find_no_room_give_a_row_that_excludes_them(roles):
    made = covering("J J J", {"R1 R2 R3": 1, "K1 R1 B1": 1})
    values = solution(made, roles)
    cut = made.rows(values)
    assert isinstance(cut, Cut)
    assert sum(factor * values[column] for column, factor in cut.entries) > cut.highest
    fewer = solution(made, "R1 R2")
    assert sum(factor * fewer[column] for column, factor in cut.entries) <= cut.highest


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("R3 R4 R5", ["R3 R4 R5"]),
        ("R3 J R5", ["R3 R4 R5"]),
        ("J R13 R12", ["R11 R12 R13"]),
        ("K5 J B5", 2),
        ("K5 J J", 6),
    ],
    ids=str,
)
def test_readings(row, meant):
    got = [format_tiles(shape.tiles) for shape in readings(parse_tiles(row))]
    assert got == meant or len(got) == meant
