import pytest
from evening import Evening, reading, rules

from referee.answers import answered
from referee.doubts import judge_reading
from referee.errors import GameError
from referee.position import Position
from referee.table import Doubt, DoubtCode, Table, TableReading
from referee.verdict import Answer, Question, Ruling


def asked(before: str, look: TableReading) -> Question:
    verdict = judge_reading(Table.parse(before), look, rules())
    assert verdict.ruling is Ruling.UNSURE
    return verdict.doubts[0]


def at(before: str) -> Position:
    return Evening("Ana", "Ben", table=before).at


def after_answer(before: str, look: TableReading, answer: str) -> TableReading:
    return answered(look, asked(before, look), answer, at(before))


@pytest.mark.parametrize(("answer", "ruling"), [("R6", "legal"), ("R9", "illegal")])
def test_a_tile_is_known_by_its_answer(answer: str, ruling: str):
    before, look = "R3 R4 R5", reading("R3 R4 R5 R6|R9", Doubt(DoubtCode.SIX_OR_NINE, (3,)))
    known = after_answer(before, look, answer)
    assert known.notation == f"R3 R4 R5 {answer}"
    assert known.doubts == ()
    assert judge_reading(Table.parse(before), known, rules()).ruling == ruling


def test_a_tile_that_is_none_is_left_out_of_its_row():
    question = Question("after", 3, "R6", DoubtCode.EXTRA, (Answer("R6", Ruling.LEGAL), Answer("-", Ruling.DRAW)))
    look = reading("R3 R4 R5 R6|R9 / K1", Doubt(DoubtCode.ONE_MELD, (0, 4)))
    known = answered(look, question, "-", at("-"))
    assert (known.notation, known.doubts) == ("R3 R4 R5 / K1", look.doubts)
    assert len(known.tiles) == 5
    alone = answered(look, Question("after", 4, "K1", DoubtCode.EXTRA, question.answers), "-", at("-"))
    assert alone.notation == "R3 R4 R5 R6"


@pytest.mark.parametrize(
    ("answer", "rows", "ruling"),
    [("R3 R4 R5 R6", "R3 R4 R5 R6", "legal"), ("R3 R4 / R5 R6", "R3 R4 / R5 R6", "illegal")],
    ids=["one", "two"],
)
def test_two_pieces_are_one_meld_or_two(answer: str, rows: str, ruling: str):
    look = reading("R3 R4 / R5 R6", Doubt(DoubtCode.ONE_MELD, (0, 2)))
    known = after_answer("-", look, answer)
    assert (known.notation, known.doubts) == (rows, ())
    assert judge_reading(Table(), known, rules(opening_points=10)).ruling == ruling


def test_what_is_no_answer_is_quoted():
    with pytest.raises(GameError, match="'R7' is no answer to 'R6': say one of R6, R9"):
        after_answer("R3 R4 R5", reading("R3 R4 R5 R6|R9"), "R7")


@pytest.mark.parametrize(
    ("before", "after", "tile", "now"),
    [
        ("R3 R4 R5 / K1 K2 K3", "R3 R5 / K1 K2 K3", "R4", "R3 R4 R5 / K1 K2 K3"),
        ("R3 R4 R5 R6 / K1 K2 K3", "R3 R4 R5 / K1 K2 K3", "R6", "R3 R4 R5 R6 / K1 K2 K3"),
        ("R4 K4 B4 O4 / R5 R6 R7", "K4 B4 O4 / R5 R6 R7 R8", "R4", "R4 K4 B4 O4 / R5 R6 R7 R8"),
        ("R3 R4 R5 / K1 K2 K3", "K1 K2 K3 / R3 R5 R6", "R4", "K1 K2 K3 / R3 R5 R4 R6"),
        ("R3 R4 R5 R6 R7", "R3 R4 / R6 R7", "R5", "R3 R4 R5 R6 R7"),
    ],
    ids=["in its row", "at an end", "as it lay", "in a row that it makes good", "between two rows"],
)
def test_4_3_a_tile_that_is_there_unseen_is_put_where_it_fits(before: str, after: str, tile: str, now: str):
    known = after_answer(before, reading(after), tile)
    rows = [sorted(row) for row in Table.parse(now).rows]
    assert [sorted(row) for row in known.table().rows] == rows


def test_4_3_a_tile_that_is_gone_is_a_fault():
    before = "R3 R4 R5 R6"
    known = after_answer(before, reading("R3 R4 R5"), "-")
    assert known.unseen == ()
    verdict = judge_reading(Table.parse(before), known, rules())
    assert [code.value for code in verdict.codes] == ["tile_taken_back"]


def test_4_3_of_what_may_lie_there_unseen_one_tile_is_gone():
    known = after_answer("R3 R4 R5 R6", reading("R3 R4 R5", unseen="R6 K1"), "-")
    assert known.unseen == Table.parse("K1").rows[0]
