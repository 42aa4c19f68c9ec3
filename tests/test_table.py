import pytest

from referee.table import Choice, SeenTile, Table, TableReading
from referee.tiles import JOKER, Tile

NOWHERE = ((0.0, 0.0),) * 4
R6, R9 = Tile.parse("R6"), Tile.parse("R9")


@pytest.mark.parametrize(
    ("seen", "best", "confidence"),
    [
        pytest.param(SeenTile(NOWHERE, (Choice(R6, 0.9), Choice(R9, 0.1))), R6, 0.9, id="sure"),
        pytest.param(SeenTile(NOWHERE, (Choice(R6, 0.5), Choice(R9, 0.5))), R6, 0.5, id="just sure enough"),
        pytest.param(SeenTile(NOWHERE, (Choice(R6, 0.49), Choice(R9, 0.4))), None, 0.49, id="not sure enough"),
        pytest.param(SeenTile(NOWHERE), None, 0.0, id="nothing known"),
        pytest.param(SeenTile(NOWHERE, (Choice(R6, 0.9),), back=True, presence=0.7), None, 0.7, id="face down"),
    ],
)
def test_what_a_seen_tile_is_said_to_be(seen, best, confidence):
    assert (seen.best, seen.confidence) == (best, confidence)


def test_a_reading_is_printed_with_what_cannot_be_read_and_its_table_leaves_that_out():
    tiles = (SeenTile(NOWHERE, (Choice(R6, 1.0),)), SeenTile(NOWHERE), SeenTile(NOWHERE, (Choice(JOKER, 0.8),)))
    reading = TableReading(tiles, ((0, 2), (1,)))
    assert reading.notation == "R6 J / ?"
    assert reading.table() == Table(((R6, JOKER),))
    assert TableReading().notation == "-"


def test_a_table_of_rows_leaves_empty_ones_out():
    assert Table.of([[R6, R9], [], [JOKER]]) == Table(((R6, R9), (JOKER,)))


def test_a_table_counts_its_tiles():
    assert Table.parse("R6 R6 / J R6").tiles == {R6: 3, JOKER: 1}
