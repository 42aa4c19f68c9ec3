import pytest
from readings import asked, judged, look

from referee.tiles import Tile, parse_tiles
from referee.verdict import Ruling


@pytest.mark.parametrize("unseen", [None, (Tile.parse("R6"),)])
def test_4_3_a_tile_not_seen_is_a_doubt(unseen):
    verdict = judged("R3 R4 R5 R6 / K1 K2 K3", look("R3 R4 R5 / K1 K2 K3 K4", unseen=unseen))
    assert asked(verdict) == [(-1, "R6", "missing", {"R6": "legal", "-": "illegal"})]
    assert verdict.removed == parse_tiles("R6")


def test_4_3_a_tile_whose_place_is_bare_is_gone():
    assert judged("R3 R4 R5 R6", look("R3 R4 R5", unseen=())).codes == ("tile_taken_back",)
    assert judged("R3 R4 R5 R6", look("R3 R4 R5", unseen=parse_tiles("R5"))).codes == ("tile_taken_back",)


def test_4_3_in_a_table_in_notation_a_tile_is_gone():
    assert judged(look("R3 R4 R5 R6"), "R3 R4 R5").codes == ("tile_taken_back",)


def test_4_3_a_tile_not_seen_does_not_mend_what_is_wrong_anyway():
    verdict = judged("R3 R4 R5 R6", look("R3 R4 R5 / B1 R7", unseen=None))
    assert verdict.codes == ("meld_too_short",)
    assert judged("R3 R4 R5 R6", look("R3 R4 R5 / B1", unseen=None)).ruling is Ruling.ILLEGAL


def test_4_3_a_tile_not_seen_may_complete_a_row():
    verdict = judged("R3 R4 R5", look("R3 R5 / K1 K2 K3", unseen=None))
    assert asked(verdict) == [(-1, "R4", "missing", {"R4": "legal", "-": "illegal"})]


def test_4_3_a_joker_not_seen_may_lie_in_its_place():
    verdict = judged("R3 J R5 R6", look("R3 R5 R6 / K1 K2 K3", unseen=None))
    assert asked(verdict) == [(-1, "J", "missing", {"J": "legal", "-": "illegal"})]
    moved = judged("R3 R4 R5 J", look("R3 R4 R5 / K1 K2", unseen=None))
    assert moved.ruling is Ruling.ILLEGAL


def test_4_3_a_tile_not_seen_may_hold_two_rows_together():
    verdict = judged("R5 J R7", look("R5 / R7 / K1 K2 K3", unseen=parse_tiles("J")))
    assert asked(verdict) == [(-1, "J", "missing", {"J": "legal", "-": "illegal"})]
    verdict = judged("R5 J R7 / J R12 B12", look("R5 / R7 / R12 B12 / K1 K2 K3", unseen=parse_tiles("J J")))
    assert verdict.ruling is Ruling.UNSURE


def test_4_3_a_fault_is_named_as_if_what_is_not_seen_were_there():
    before, after = "R5 J R7 / J R12 B12", "R5 / R7 / R12 B12 / K1 K2 K4"
    assert judged(before, look(after, unseen=parse_tiles("J J"))).codes == ("run_has_gap",)
    assert "tile_taken_back" in judged(before, look(after, unseen=())).codes


def test_4_3_two_tiles_not_seen_are_both_asked():
    verdict = judged("R3 R4 R5 R6 / K1 K2 K3 K4", look("R3 R4 R5 / K1 K2 K3 / B1 B2 B3", unseen=None))
    assert [(index, tile) for index, tile, *_ in asked(verdict)] == [(-1, "K4"), (-1, "R6")]


def test_4_3_many_tiles_not_seen_leave_it_open():
    verdict = judged("R3 R4 R5 / K1 K2 K3", look("K1 K2 K3 K4", unseen=None))
    assert verdict.ruling is Ruling.UNSURE
    assert {tile for _, tile, *_ in asked(verdict)} == {"R3", "R4", "R5"}
    assert {ruling for *_, answers in asked(verdict) for ruling in answers.values()} == {"unsure", "illegal"}


def test_4_3_many_tiles_not_seen_do_not_mend_a_row_that_is_mixed():
    assert judged("R3 R4 R5 / K1 K2 K3", look("K1 K2 K3 B7", unseen=None)).ruling is Ruling.ILLEGAL


def test_4_3_a_doubtful_tile_may_be_the_one_not_seen():
    verdict = judged("R3 R4 R5 R6", look("R3 R4 R5 R6:.6|B6:.4 / K1 K2 K3", unseen=None))
    assert asked(verdict) == [(3, "R6", "two_readings", {"R6": "legal", "B6": "illegal"})]


# bounded


@pytest.mark.parametrize(
    ("before", "after", "unseen", "opened"),
    [
        ("R3 R4 R5 R6 J R8 / K1 K2 K3", "R3 R4 / R6 J R8 / K1 K2 K3 K4", "R5", True),
        ("R3 R4 R5 R6 R7 R8 R9", "R3 R4 R5 / R7 R8 R9 / K10 K11 K12", "R6", False),
        ("R3 R4 R5", "R3 R4 / R5 B5 K5", "R5", True),
        ("R3 R4 R5 / K7 K8 K9", "R3 R4 R5 K7 K8", "K9", True),
        ("K4 R4 B4 / K1 K2 K3", "K1 K2 K3 / R4 R5 R6 / B4 B5 B6", "K4", True),
        ("R5 J R7 R8 / K1 K2 K3 K4", "J / R8 / K1 K2 K3 / B1 B2 B3", "R5 R7 K4", True),
        (
            "R4 R5 R6 / B4 B5 B6 / K1 K2 K3 K4",
            "R1 R2 R3 R4 R5 R6 R7 R8 R9 / B4 B5 B6 B7 B8 B9 / K1 K2 K3",
            "K4",
            False,
        ),
    ],
    ids=[
        "between a row and one with a joker",
        "between two melds",
        "its twin is played",
        "in a row that is two melds",
        "beside a meld that lies as it lay",
        "a joker alone",
        "beside rows pushed together",
    ],
)
def test_4_3_nobody_is_accused_where_a_tile_not_seen_would_put_it_right(before, after, unseen, opened):
    verdict = judged(before, look(after, unseen=parse_tiles(unseen)), opened=opened)
    assert verdict.ruling is Ruling.UNSURE


def test_4_3_beside_a_tile_that_is_gone_one_not_seen_makes_no_fault():
    verdict = judged("R3 R4 R5 R6 / K1 K2 K3", look("R3 / R5 R6 / K1 K2", unseen=parse_tiles("R4")))
    assert {fault.code.value for fault in verdict.faults} == {"meld_too_short", "tile_taken_back"}
    assert {str(tile) for fault in verdict.faults for tile in fault.meld or fault.tiles} == {"K1", "K2", "K3"}


def test_where_a_row_is_surely_bad_nothing_is_asked():
    assert judged("-", look("K5 R5 B5 O5 O5 / R3 ? R5 / B3 ? B5")).ruling is Ruling.ILLEGAL
