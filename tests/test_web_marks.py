from referee.judge import judge_turn
from referee.rules import RuleSet
from referee.table import Choice, SeenTile, Table, TableReading
from web.marks import marks_of

PLACE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def seen(text):
    rows = Table.parse(text).rows
    places = iter(range(200))
    tiles = tuple(SeenTile(PLACE, (Choice(tile, 1.0),)) for row in rows for tile in row)
    return TableReading(tiles, tuple(tuple(next(places) for _ in row) for row in rows))


def test_the_played_tiles_and_the_rows_at_fault_are_marked():
    reading = seen("R3 R4 R5 R7 / K1 B1 O1")
    verdict = judge_turn(Table.parse("R3 R4 R5 / K1 B1 O1"), reading.table(), RuleSet())
    marks = marks_of(reading, verdict)
    assert (marks.played, marks.faulty) == (frozenset({3}), ((0, 1, 2, 3),))


def test_of_two_equal_tiles_one_is_marked():
    reading = seen("R3 R4 R5 / R3 R4 R5")
    verdict = judge_turn(Table.parse("R3 R4 R5"), reading.table(), RuleSet())
    assert marks_of(reading, verdict).played == frozenset({3, 4, 5})


def test_without_a_verdict_nothing_is_marked():
    marks = marks_of(seen("R3"), None)
    assert (marks.played, marks.faulty) == (frozenset(), ())
