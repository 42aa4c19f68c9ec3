import pytest
from evening import Evening, reading

from referee.events import TurnAsked, TurnEnded
from referee.judging import decide, judge_seen, judged_table
from referee.position import Call
from referee.table import Choice, SeenTile, Table, TableReading
from referee.verdict import Ruling

CALL = Call(used_ms=5000, at_ms=6000)


def test_a_reading_is_judged_with_its_doubts():
    at = Evening("Ana", "Ben", table="R3 R4 R5", opened=True).at
    assert judge_seen(at, reading("R3 R4 R5 R6|R9")).ruling is Ruling.UNSURE
    assert judge_seen(at, reading("R3 R4 R5 R6")).ruling is Ruling.LEGAL
    assert judge_seen(at, Table.parse("R3 R4 R5 R6")).ruling is Ruling.LEGAL


@pytest.mark.parametrize(("opened", "ruling"), [(True, "legal"), (False, "illegal")], ids=["opened", "not opened"])
def test_the_player_s_state_counts(opened, ruling: str):
    at = Evening("Ana", "Ben", table="R3 R4 R5", opened=opened).at
    assert judge_seen(at, Table.parse("R3 R4 R5 R6")).ruling == ruling


def test_4_7_the_player_s_hand_counts():
    at = Evening("Ana", "Ben", hands=(2, 14)).at
    assert judge_seen(at, Table.parse("R10 R11 R12")).ruling is Ruling.IMPOSSIBLE


def test_7_3_a_time_out_counts():
    at = Evening("Ana", "Ben").at
    assert judge_seen(at, Table.parse("R1 R2"), timed_out=True).codes[-1] == "time_out"


def test_a_certain_verdict_ends_the_turn():
    at = Evening("Ana", "Ben").at
    assert decide(at, reading("R10 R11 R12"), CALL, 7000) == TurnEnded(
        now_ms=7000,
        table=Table.parse("R10 R11 R12"),
        verdict=judge_seen(at, Table.parse("R10 R11 R12")),
        ruling=Ruling.LEGAL,
        used_ms=5000,
    )


@pytest.mark.parametrize("text", ["R10 R11 R12|O12", "R10 R10 R10"], ids=["unsure", "impossible"])
def test_what_needs_a_person_is_asked(text: str):
    seen = reading(text)
    event = decide(Evening("Ana", "Ben").at, seen, CALL, 7000)
    assert isinstance(event, TurnAsked)
    assert (event.undecided.seen, event.undecided.call) == (seen, CALL)


def test_3_8_an_unbroken_row_is_cut_into_its_melds():
    at = Evening("Ana", "Ben").at
    event = decide(at, reading("R10 R11 R12 K1 R1 B1 O1"), CALL, 7000)
    assert str(event.table) == "R10 R11 R12 / K1 R1 B1 O1"


def test_the_table_that_counts_is_the_one_that_was_judged():
    at = Evening("Ana", "Ben", table="R3 R4 R5 / R3 R4 R5", opened=True).at
    tiles = [*reading("R3 R4 R5 / R3 R4 R5").tiles, SeenTile(((0.0, 0.0),) * 4, (Choice(at.table.rows[0][0], 0.6),))]
    tiles[6] = SeenTile(tiles[6].corners, (*tiles[6].choices, Choice(Table.parse("R6").rows[0][0], 0.4)))
    seen = TableReading(tuple(tiles), ((0, 1, 2), (3, 4, 5, 6)))
    verdict = judge_seen(at, seen)
    assert verdict.ruling is Ruling.LEGAL
    assert str(judged_table(at, seen, verdict)) == "R3 R4 R5 / R3 R4 R5 R6"
