from readings import RULES, asked, judged, look

from referee.table import Doubt, DoubtCode
from referee.tiles import parse_tiles
from referee.verdict import NoteCode, Ruling


def test_3_8_an_unbroken_row_is_read_as_melds_with_a_note():
    verdict = judged("B8 B9 B10", look("B8 B9 B10 R1 R2 R3"))
    assert verdict.ruling is Ruling.LEGAL
    (note,) = verdict.notes
    assert (note.code, note.row) == (NoteCode.READ_AS_MELDS, parse_tiles("B8 B9 B10 R1 R2 R3"))
    assert note.melds == (parse_tiles("B8 B9 B10"), parse_tiles("R1 R2 R3"))


def test_3_8_a_row_that_is_a_meld_is_read_as_several_where_that_makes_the_turn_legal():
    row = "B8 B9 B10 B11 B12 B13"
    verdict = judged("B8 B9 B10", look(row), opened=False)
    assert (verdict.ruling, verdict.opens, len(verdict.notes)) == (Ruling.LEGAL, True, 1)
    opened = judged("B8 B9 B10", look(row))
    assert (opened.ruling, opened.notes) == (Ruling.LEGAL, ())


def test_3_8_a_row_is_not_cut_where_that_helps_nobody():
    verdict = judged("B8 B9 B10", look("B8 B9 B10 B11"), opened=False)
    assert (verdict.ruling, verdict.notes) == (Ruling.ILLEGAL, ())
    assert judged("-", look("R1 R2 R3 R4 R5 R7")).codes == ("run_has_gap",)


def test_3_8_the_melds_that_lay_there_are_found_in_the_row():
    verdict = judged(
        "R4 R5 R6 R7", look("R1 R2 R3 R4 R5 R6 R7"), opened=False, rules=RULES.with_options({"opening_points": 6})
    )
    assert verdict.ruling is Ruling.LEGAL
    assert verdict.notes[0].melds == (parse_tiles("R1 R2 R3"), parse_tiles("R4 R5 R6 R7"))


def test_3_8_rows_of_the_table_before_are_read_so_too():
    row = "B8 B9 B10 R1 R2 R3"
    assert judged(look(row), look(row)).ruling is Ruling.DRAW
    assert judged(look(row), "B8 B9 B10 / R1 R2 R3").ruling is Ruling.DRAW


def test_3_8_a_table_in_notation_is_not_cut():
    assert judged("B8 B9 B10", "B8 B9 B10 R1 R2 R3").ruling is Ruling.ILLEGAL
    assert judged(look("B8 B9 B10"), "B8 B9 B10 R1 R2 R3").ruling is Ruling.ILLEGAL


def test_3_8_two_short_pieces_in_line_are_a_doubt():
    pieces = look("K1 K2 K3 / R3 R4 / R5 R6", doubts=[Doubt(DoubtCode.ONE_MELD, (3, 4, 5, 6))])
    verdict = judged("K1 K2 K3", pieces)
    assert asked(verdict) == [
        (3, "R3 R4 / R5 R6", "one_meld", {"R3 R4 / R5 R6": "illegal", "R3 R4 R5 R6": "legal"}),
    ]


def test_3_8_pieces_that_are_one_row_are_no_doubt():
    assert judged("-", look("R3 R4 R5", doubts=[Doubt(DoubtCode.ONE_MELD, (0, 1))])).ruling is Ruling.LEGAL


def test_a_tile_between_two_rows_is_a_doubt_that_names_both():
    between = look("R3 R4 R5 R6 / K6 B6 O6", doubts=[Doubt(DoubtCode.WHICH_MELD, (3, 4))])
    verdict = judged("R3 R4 R5 / K6 B6 O6", between, opened=True)
    assert verdict.ruling is Ruling.LEGAL
    other = look("R3 R4 R6 / K6 B6 O6", doubts=[Doubt(DoubtCode.WHICH_MELD, (2, 3))])
    assert asked(judged("K6 B6 O6", other)) == []
    third = look("R3 R4 R5 B7 / B4 B5 B6", doubts=[Doubt(DoubtCode.WHICH_MELD, (3, 4))])
    assert asked(judged("R3 R4 R5", third)) == [
        (
            3,
            "R3 R4 R5 B7 / B4 B5 B6",
            "which_meld",
            {"R3 R4 R5 B7 / B4 B5 B6": "illegal", "R3 R4 R5 / B7 B4 B5 B6": "legal"},
        )
    ]


def test_a_tile_first_in_its_row_goes_to_the_end_of_the_other():
    third = look("B4 B5 B6 / B7 R3 R4 R5", doubts=[Doubt(DoubtCode.WHICH_MELD, (3, 0))])
    (question,) = judged("R3 R4 R5", third).doubts
    assert question.answers[0].tile == "R3 R4 R5 / B4 B5 B6 B7"


def test_a_tile_alone_in_its_row_may_belong_to_either_neighbour():
    alone = look("R3 R4 R5 / R6 / B4 B5 B6", doubts=[Doubt(DoubtCode.WHICH_MELD, (3, 0, 4))])
    (question,) = judged("R3 R4 R5", alone).doubts
    assert {answer.tile: answer.ruling.value for answer in question.answers} == {
        "R3 R4 R5 / R6 / B4 B5 B6": "illegal",
        "B4 B5 B6 / R3 R4 R5 R6": "legal",
        "R3 R4 R5 / B4 B5 B6 R6": "illegal",
    }


def test_3_8_a_meld_that_lies_there_still_is_not_cut_for_another():
    verdict = judged("K1 J K3 / B8 B9 B10", look("K1 J K3 / B8 B9 B10 B11 B12 B13"), opened=False)
    assert (verdict.ruling, len(verdict.notes)) == (Ruling.LEGAL, 1)


def test_3_8_three_pieces_in_line_may_be_one_meld():
    doubts = [Doubt(DoubtCode.ONE_MELD, (0, 2)), Doubt(DoubtCode.ONE_MELD, (2, 4))]
    verdict = judged("-", look("R3 R4 / R5 R6 / R7 R8", doubts=doubts))
    assert [{answer.ruling for answer in question.answers} for question in verdict.doubts] == [
        {Ruling.UNSURE, Ruling.ILLEGAL}
    ] * 2
    assert verdict.played == parse_tiles("R3 R4 R5 R6 R7 R8")


def test_two_doubts_about_one_row_do_not_lose_it():
    doubts = [Doubt(DoubtCode.WHICH_MELD, (3, 4)), Doubt(DoubtCode.WHICH_MELD, (3, 7))]
    verdict = judged("-", look("R3 R4 R5 B7 / B4 B5 B6 / K7 R7 O7", doubts=doubts))
    assert verdict.ruling is Ruling.UNSURE
    assert len(verdict.played) == 10
