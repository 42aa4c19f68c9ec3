"""`arrange` from a table of before: the answers that section 6 allows, and the best of those."""

import pytest

from referee.arrange import Arrangement, arrange
from referee.judge import judge_turn
from referee.rules import RuleSet
from referee.table import Table
from referee.tiles import format_tiles, parse_tiles

HAND = RuleSet(joker_meld_locked=False)
LOCKED = RuleSet()
ANY = RuleSet(joker_swap="any", joker_meld_locked=False)
ANY_LOCKED = RuleSet(joker_swap="any")
OWN = RuleSet(joker_reuse="new_meld_own")
TWO_OWN = RuleSet(joker_reuse="new_meld_two_own", joker_meld_locked=False)
TWO_OWN_LOCKED = RuleSet(joker_reuse="new_meld_two_own")


def put(before: str, rack: str, rules: RuleSet, table: str | None = None) -> Arrangement:
    start = Table.parse(before)
    lying = start if table is None else Table.parse(table)
    got = arrange(lying, parse_tiles(rack), rules, before=start)
    assert not got.possible or not judge_turn(start, got.table, rules).faults
    return got


@pytest.mark.parametrize(
    ("rules", "before", "rack", "played", "changed"),
    [
        pytest.param(
            RuleSet(joker_swap="-", joker_meld_locked=False), "R3 R4 R5 J", "K9 B9", "K9 B9", 1, id="6.1 free"
        ),
        pytest.param(HAND, "R3 J R5 / K5 B5 O5", "R6", "R6", 1, id="6.1 a run grows around its joker"),
        pytest.param(HAND, "R3 R4 J / K5 B5 O5", "K9 B9", "", 0, id="6.1 a joker does not become another tile"),
        pytest.param(HAND, "R3 R4 J / K9 B9 O9 R9", "R5 R10 R11", "R5 R10 R11", 1, id="6.1 replaced from the hand"),
        pytest.param(HAND, "R2 R3 R4 J", "K5 B5", "K5 B5", 1, id="6.1 it may go to another meld as its tile"),
        pytest.param(LOCKED, "R2 R3 R4 J", "K5 B5", "", 0, id="6.3 but not out of a locked one"),
        pytest.param(HAND, "K7 B7 J", "R7 K1 K3", "R7 K1 K3", 1, id="6.2 either missing colour"),
        pytest.param(HAND, "K7 B7 J", "O7 K1 K3", "O7 K1 K3", 1, id="6.2 or the other"),
        pytest.param(HAND, "R3 J R5 / R4 K4 B4 O4", "K9 B9", "", 0, id="6.1 not replaced from the table"),
        pytest.param(ANY, "R3 J R5 / R4 K4 B4 O4", "K9 B9", "K9 B9", 2, id="6.1 replaced from the table"),
        pytest.param(ANY, "R3 J R5 / R4 K4 B4", "K9 B9", "", 0, id="6.1 a tile that stays replaces nothing"),
        pytest.param(LOCKED, "R1 R2 J / R4 J R6", "R7", "R7", 1, id="6.3 a locked meld grows"),
        pytest.param(LOCKED, "R3 J R5 R6", "K3 B3", "", 0, id="6.3 no tile is taken from it"),
        pytest.param(LOCKED, "R3 J R5 R6", "R4 K3 B3", "R4 K3 B3", 1, id="6.3 until its joker is replaced"),
        pytest.param(LOCKED, "R3 J J R6", "R4 R7 R8", "R4 R7 R8", 1, id="6.3 one of two replaced"),
        pytest.param(ANY_LOCKED, "R3 J R5 / J R4 B4 O4", "K9 B9", "", 0, id="6.3 no replacing tile of a locked meld"),
        pytest.param(
            ANY_LOCKED,
            "R3 J R5 / R4 J R6",
            "R4 K9 B9 K1 B1 K4 B4",
            "R4 K9 B9 K1 B1 K4 B4",
            2,
            id="6.3 but of one that was locked",
        ),
        pytest.param(OWN, "R3 J R5", "R4 K9 B9", "R4 K9 B9", 1, id="6.4 the joker lies with own tiles"),
        pytest.param(OWN, "R3 J R5 / O9 K9 R9", "R4 K1", "", 0, id="6.4 and not with others"),
        pytest.param(TWO_OWN, "R3 J R5 / O9 K9 R9 B9", "R4 O10 O11", "R4 O10 O11", 1, id="6.4 two own tiles"),
        pytest.param(TWO_OWN, "R3 J R5 / O9 K9 R9 B9", "R4 O11", "", 0, id="6.4 one own tile is not enough"),
        pytest.param(TWO_OWN, "R3 J R5 / O9 O10 O11", "R4 O12 O8", "O12 O8", 1, id="6.4 the meld is new"),
        pytest.param(
            TWO_OWN, "R3 J R5 / O2 O3 O4 O5", "R4 O7 O8", "R4 O7 O8", 1, id="6.4 a joker beside two own tiles"
        ),
        pytest.param(TWO_OWN, "R3 J R5", "R4 J K9", "R4 J K9", 1, id="6.4 a joker of the hand is own"),
        pytest.param(
            TWO_OWN,
            "R3 J R5 / O9 O10 O11 / O9 K9 B9 R9 / O10 K10 B10 R10 / O11 K11 B11 R11",
            "R4 O12 O8",
            "R4 O12 O8",
            3,
            id="6.4 new, though its tiles lay in a meld that lies elsewhere",
        ),
        pytest.param(ANY, "R3 R4 R5 / R3 R4 R5 / K3 J K5", "K6", "K6", 1, id="6.1 all copies of a meld lie still"),
        pytest.param(TWO_OWN_LOCKED, "R3 J J R6", "R4 R7 R8", "R4 R7 R8", 1, id="6.4 in a locked meld that grew"),
    ],
)
def test_the_best_answer_that_section_6_allows(rules, before, rack, played, changed):
    got = put(before, rack, rules)
    assert got.possible
    assert (format_tiles(got.played), got.changed_melds) == (played, changed)


def test_without_before_section_6_is_not_asked():
    table, rack = Table.parse("R3 R4 R5 J"), parse_tiles("K9 B9")
    assert arrange(table, rack, LOCKED).played == rack


def test_6_7_a_joker_that_lay_in_no_meld_is_free():
    got = put("R3 R4 / J", "K9 B9", LOCKED, table="R3 R4 / J / R5")
    assert format_tiles(got.played) == "K9 B9"


def test_a_turn_begun_is_brought_to_a_legal_end():
    got = put("R3 J R5", "K9", OWN, table="R3 R4 R5 / J / B9")
    assert sorted(map(sorted, got.table.rows)) == sorted(map(sorted, Table.parse("R3 R4 R5 / K9 B9 J").rows))
    assert (format_tiles(got.played), got.changed_melds) == ("K9", 2)


def test_a_turn_that_nothing_makes_legal():
    assert not put("R3 R4 J / K9 B9 O9", "K1", HAND, table="R3 R4 / J / K9 B9 O9 / B1").possible


def test_rows_that_were_laid_this_turn_are_kept_whole():
    got = put("R3 J R5", "K1", TWO_OWN, table="R3 R4 R5 / K9 J B9 / O1 O2 O3")
    assert (got.played, got.changed_melds) == ((), 0)
    assert str(got.table) == "R3 R4 R5 / K9 J B9 / O1 O2 O3"


def test_6_3_locked_melds_may_be_joined():
    got = put("R1 R2 J / R4 J R6", "K1", LOCKED, table="R1 R2 J R4 J R6")
    assert (str(got.table), got.changed_melds) == ("R1 R2 J R4 J R6", 0)


def test_3_7_a_row_lies_in_another_order_only_where_that_changes_what_its_joker_is():
    got = put("J R4 R5 / K6 B6 O6 J / O9 O8 O7", "K3 B3", HAND)
    assert str(got.table).startswith("R4 R5 J / O9 O8 O7 / ")
    assert {frozenset(row) for row in got.table.rows[2:]} == {
        frozenset(parse_tiles(r)) for r in ("K6 B6 O6", "K3 B3 J")
    }
    assert got.changed_melds == 1


def test_6_4_a_long_new_meld_is_kept_whole():
    got = put("R3 J R5 / O2 O3 O4 O5", "K2 B2", TWO_OWN, table="R3 R4 R5 / O2 / O3 O4 O5 J O7 O8")
    assert str(got.table).startswith("R3 R4 R5 / O3 O4 O5 J O7 O8")
    assert (format_tiles(got.played), got.changed_melds) == ("K2 B2", 1)


def test_a_meld_grown_from_a_locked_one_is_kept_whole():
    got = put("R3 J R5", "K1", LOCKED, table="R3 J R5 R6")
    assert (str(got.table), got.changed_melds) == ("R3 J R5 R6", 0)
    got = put("R3 J R5", "K1", LOCKED, table="R3 J R5 J")
    assert (str(got.table), got.changed_melds) == ("R3 J R5 J", 0)
