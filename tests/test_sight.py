import pytest
from readings import look

from referee.doubts import parse_seen
from referee.position import Call
from referee.sight import GRACE_MS, Sight, best_table, lies_as, notation, surely_moved
from referee.table import Table
from referee.tiles import Tile

A, B = Table.parse("R1 R2 R3"), Table.parse("K1 K2 K3")
DONE = Call(used_ms=5000, at_ms=10_000)
UP = Call(used_ms=60_000, at_ms=10_000, timed_out=True)


def test_nothing_seen_yet():
    assert notation(Sight().seen) == ""
    assert Sight().at_call(DONE, 10_000) is None


def test_done_counts_what_lies_still():
    assert Sight().observe(A, 9000).at_call(DONE, 10_000) == A


def test_done_waits_while_something_moves():
    moving = Sight().observe(A, 9000).look(9900, still=False)
    assert moving.at_call(DONE, 99_000) is None
    assert moving.observe(B, 10_500).at_call(DONE, 99_000) == B


def test_7_4_time_up_counts_what_lay_still_last_once_a_later_picture_shows_it():
    sight = Sight().observe(A, 9000)
    assert sight.at_call(UP, 10_100) is None
    assert sight.look(10_000, still=True).at_call(UP, 10_100) == A


def test_7_4_time_up_waits_while_something_moves():
    assert Sight().observe(A, 9000).look(10_100, still=False).at_call(UP, 10_200) is None


def test_7_4_time_up_does_not_wait_for_a_silent_camera():
    sight = Sight().observe(A, 9000)
    assert sight.at_call(UP, 10_000 + GRACE_MS) is None
    assert sight.at_call(UP, 10_001 + GRACE_MS) == A


def test_an_older_picture_does_not_turn_back_the_time():
    assert Sight().observe(A, 9000).look(8000, still=True).looked_ms == 9000
    assert Sight().look(9500, still=True).observe(A, 9000).looked_ms == 9500


def test_what_has_moved_is_still_only_when_it_is_read_anew():
    moved = Sight().observe(A, 9000).look(9500, still=False)
    assert not moved.look(9900, still=True).still
    assert moved.look(9900, still=True).observe(B, 9800).still


def test_notation_and_best_table_of_a_reading_with_doubts():
    reading = parse_seen("R1 R2 ? / K6|K9")
    assert notation(reading) == "R1 R2 ? / K6"
    assert best_table(reading) == Table.parse("R1 R2 / K6")
    assert best_table(A) is A
    assert notation(A) == "R1 R2 R3"


@pytest.mark.parametrize(
    ("seen", "table", "same"),
    [
        ("R1 R2 R3 / K1 K2 K3", "K1 K2 K3 / R1 R2 R3", True),
        ("R3 R2 R1", "R1 R2 R3", True),
        ("R1 R2 R3 K1 K2 K3", "K1 K2 K3 / R1 R2 R3", True),
        ("R1 R2 R3 K3 K2 K1 / B1 B2 B3", "K1 K2 K3 / R1 R2 R3 / B3 B2 B1", True),
        ("R1 R2 R3 K1 K2", "K1 K2 K3 / R1 R2 R3", False),
        ("R1 R2 R3", "R1 R2 R3 / K1 K2 K3", False),
        ("R1 R2 R3 / K1", "R1 R2 R3", False),
        ("R1 R2 R3 R4 R5 R6", "R1 R2 R3 R4 / R5 R6", True),
        ("-", "-", True),
        ("R1 R2 R3 / R1 R2 R3", "R1 R2 R3 / R1 R2 R3", True),
    ],
)
def test_the_table_lies_as_it_lay(seen: str, table: str, same):
    assert lies_as(parse_seen(seen), Table.parse(table)) is same


@pytest.mark.parametrize(
    ("seen", "moved"),
    [
        pytest.param("R3 R4 R5 / K7 B7 O7", False, id="as it lay"),
        pytest.param("R5 R4 R3 / O7 B7 K7", False, id="read from the other side"),
        pytest.param("R3 R4 R5 R6 / K7 B7 O7", True, id="a tile has come"),
        pytest.param("R3 R4 R5 R6:.7|R9:.3 / K7 B7 O7", False, id="which tile has come is not sure"),
        pytest.param("R3 R4 R5 / K7 B7 O7 / K9~.6", False, id="a mark that may be a tile"),
        pytest.param("R3 R4 R5 / K7 B7", True, id="a tile is gone"),
        pytest.param("R3 R4 / R5 / K7 B7 O7", True, id="rows lie otherwise"),
        pytest.param("R3 R4 R5 / K7 B7 ?", False, id="a tile cannot be read"),
    ],
)
def test_7_2_a_first_move_is_sure(seen, moved):
    before = Table.parse("R3 R4 R5 / K7 B7 O7")
    unseen = (Tile.parse("O7"),) if "?" in seen else ()
    assert surely_moved(look(seen, unseen=unseen), before) == moved


def test_7_2_what_may_lie_there_unseen_is_not_gone():
    before = Table.parse("R3 R4 R5 / K7 B7 O7")
    assert not surely_moved(look("R3 R4 R5 / K7 B7:.8|B1:.2", unseen=(Tile.parse("O7"),)), before)
    assert not surely_moved(before, before)
    assert surely_moved(Table(), before)
