"""What is printed can be read back: tiles, rows, tables, doubtful readings and rules (and what cannot be read)."""

import pytest
from drawn_values import RULES, TABLES, TILES
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.doubts import parse_seen
from referee.errors import NotationError
from referee.rules import DEFAULT_PRESET, preset
from referee.table import Table, TableReading
from referee.tiles import JOKER, NUMBERED, Colour, Tile, format_tiles, full_set, parse_tiles

quick = settings(deadline=None, max_examples=50)


@pytest.mark.parametrize("tile", [*NUMBERED, JOKER], ids=str)
def test_every_tile_is_read_as_it_is_printed(tile):
    assert Tile.parse(str(tile)) == tile
    assert Tile.parse(f" {str(tile).lower()} ") == tile


@quick
@given(st.lists(TILES, max_size=6).map(tuple))
def test_tiles_are_read_as_they_are_printed(tiles):
    assert parse_tiles(format_tiles(tiles)) == tiles


@quick
@given(TABLES)
def test_a_table_is_read_as_it_is_printed(table):
    assert Table.parse(str(table)) == table


@quick
@given(st.lists(st.lists(st.sampled_from(["?", "R6|R9", "J", "K1"]), min_size=1, max_size=4), min_size=1, max_size=3))
def test_a_doubtful_table_is_read_word_by_word(words):
    text = " / ".join(" ".join(row) for row in words)
    seen = parse_seen(text)
    if not isinstance(seen, TableReading):
        assert str(seen) == text
        return
    faces = ["|".join(str(choice.tile) for choice in tile.choices) or "?" for tile in seen.tiles]
    assert " / ".join(" ".join(faces[index] for index in row) for row in seen.melds) == text


@quick
@given(RULES)
def test_rules_are_read_as_they_are_printed(rules):
    assert preset(rules.preset).with_options(rules.words()) == rules
    assert preset(rules.preset).with_options(rules.options()) == rules


@pytest.mark.parametrize("text", ["", "-", " - ", "  "])
def test_the_empty_table(text):
    assert Table.parse(text) == Table()
    assert parse_tiles(text) == ()
    assert str(Table()) == "-"


@pytest.mark.parametrize("text", ["R0", "R14", "X3", "3R", "R", "JJ", "J0", "R7.", "R٣", "R3,R4", "??", "R03"])
def test_what_is_no_tile_is_quoted(text):
    with pytest.raises(NotationError) as raised:
        Tile.parse(text)
    assert repr(text) in str(raised.value)


@pytest.mark.parametrize("text", ["R3 R4 /", "/ R3", "R3 / / R4", "/", "R6|R9 /"])
def test_an_empty_row_is_quoted(text):
    with pytest.raises(NotationError) as raised:
        parse_seen(text)
    assert f"{text!r} has an empty row" in str(raised.value)


def test_1_1_the_set_has_106_tiles():
    tiles = full_set()
    assert tiles.total() == 106
    assert tiles[JOKER] == 2
    assert {tiles[Tile(colour, number)] for colour in list(Colour)[:4] for number in range(1, 14)} == {2}


def test_1_2_the_big_set_has_160():
    assert full_set(3, 4).total() == 160


def test_the_default_preset_is_there():
    assert preset(DEFAULT_PRESET).name == "rrrummy"
