import pytest

from referee.table import Choice, SeenTile, TableReading
from referee.tiles import Tile
from vision.looks import seen_twice

NOWHERE = ((0.0, 0.0),) * 4


def reading(*rows, presence=1.0):
    """Rows of tiles, each with what it may be: `O7:0.98 R7:0.02` are two choices of one tile."""
    tiles, melds = [], []
    for row in rows:
        melds.append(tuple(range(len(tiles), len(tiles) + len(row))))
        tiles += [SeenTile(NOWHERE, tuple(choice(word) for word in tile.split()), presence=presence) for tile in row]
    return TableReading(tuple(tiles), tuple(melds))


def choice(word):
    name, _, chance = word.partition(":")
    return Choice(Tile.parse(name), float(chance or 1))


DOUBTFUL = reading(["K7", "B7", "O7:0.98 R7:0.02"], ["R3", "R4", "R5:0.9 R6:0.1"])


def test_a_row_seen_twice_is_surer():
    twice = seen_twice(DOUBTFUL, reading(["K7", "B7", "O7:0.97 R7:0.03"]))
    assert twice.tiles[2].confidence > 0.995
    assert twice.tiles[2].best == Tile.parse("O7")


def test_a_row_that_reads_otherwise_is_left_alone():
    twice = seen_twice(DOUBTFUL, reading(["R3", "R4", "R5", "R6"], ["K7", "B7", "R7:0.6 O7:0.4"]))
    assert twice == DOUBTFUL


def test_two_looks_are_not_taken_for_independent():
    twice = seen_twice(DOUBTFUL, DOUBTFUL)
    assert twice.tiles[2].confidence < 0.98**2 / (0.98**2 + 0.02**2)


def test_one_row_backs_one_row():
    two = reading(["R3", "R4", "R5:0.9 R6:0.1"], ["R3", "R4", "R5:0.9 R6:0.1"])
    twice = seen_twice(two, reading(["R3", "R4", "R5:0.9 R6:0.1"]))
    assert twice.tiles[2].confidence > 0.95
    assert twice.tiles[5].confidence == pytest.approx(0.9)


def test_a_tile_that_is_there_twice_is_surely_there():
    row = ["K1", "K2", "K3"]
    twice = seen_twice(reading(row, presence=0.9), reading(row, presence=0.9))
    assert twice.tiles[0].presence > 0.96


def test_rows_with_unread_tiles_are_no_match():
    row = ["K1", "K2", "K3:0.4 K8:0.3"]
    assert seen_twice(reading(row), reading(row)) == reading(row)
