"""Tiles that lie face up and are no play, RULEBOOK 2.2 and 10.1."""

from dataclasses import replace

import pytest
from readings import look

from referee.laid_open import Drawn, LaidOpen, drawn, laid_open
from referee.rules import JokerAtStart, preset
from referee.table import Table
from referee.tiles import Tile, parse_tiles

RULES = preset("rrrummy")


def test_10_1_a_rack_lies_beside_the_melds():
    assert laid_open(Table.parse("R3 R4 R5 / K7 R4"), Table.parse("R3 R4 R5")).tiles == parse_tiles("K7 R4")
    seen = look("R3 R4 R5 / R4 K7:.6|K1:.3 / ?")
    assert laid_open(seen, Table.parse("R3 R4 R5")) == LaidOpen(
        parse_tiles("K7 R4"), ((Tile.parse("K7"), Tile.parse("K1")),), unread=1
    )


def test_where_nothing_was_seen_nothing_lies_open():
    assert laid_open(None) == LaidOpen()
    assert drawn(None, RULES) == Drawn(LaidOpen())


@pytest.mark.parametrize(
    ("table", "highest", "again"),
    [
        ("R3 / K12 / B7", "K12", ""),
        ("R3 / K12 / B12", "", "K12 B12"),
        ("R3 / J / B12", "", "J"),
        ("R3 K12 B7", "K12", ""),
    ],
)
def test_2_2_the_highest_starts(table, highest, again):
    found = drawn(Table.parse(table), RULES)
    assert str(found.highest or "") == highest
    assert set(found.again) == set(parse_tiles(again))


def test_2_2_a_joker_may_be_the_highest():
    rules = replace(RULES, joker_at_start=JokerAtStart.HIGHEST)
    assert str(drawn(Table.parse("R13 / J"), rules).highest) == "J"
