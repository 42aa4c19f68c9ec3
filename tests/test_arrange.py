import subprocess
import sys

import pytest

from referee.arrange import Arrangement, Skill, arrange, best_play
from referee.rules import RuleSet, preset
from referee.table import Table
from referee.tiles import format_tiles, parse_tiles

FREE = preset("pup-rummy")
PLAY_ON = preset("classic-2017")


def put(table: str, rack: str = "", rules: RuleSet = FREE, **asked) -> Arrangement:
    if "before" in asked:
        asked["before"] = Table.parse(asked["before"])
    return arrange(Table.parse(table), parse_tiles(rack), rules, **asked)


def rows(text: str) -> list[str]:
    return sorted(format_tiles(sorted(row)) for row in Table.parse(text).rows)


@pytest.mark.parametrize(
    ("table", "rack", "answer", "played", "changed"),
    [
        pytest.param("-", "", "-", "", 0, id="nothing at all"),
        pytest.param("-", "R1 R2 R4", "-", "", 0, id="nothing to lay"),
        pytest.param("R3 R4 R5", "", "R3 R4 R5", "", 0, id="a table in order"),
        pytest.param("R5 R3 R4", "", "R5 R3 R4", "", 0, id="a row stays as it lies"),
        pytest.param("R3 R4 R5", "R6 K1", "R3 R4 R5 R6", "R6", 1, id="a run grows"),
        pytest.param("K7 B7 O7", "R7 R7", "K7 R7 B7 O7", "R7", 1, id="a group grows to four"),
        pytest.param("R3 R4 R5", "K1 K2 K3", "R3 R4 R5 / K1 K2 K3", "K1 K2 K3", 0, id="a new meld changes none"),
        pytest.param("R3 R4 R5 R6", "K3 O3", "R4 R5 R6 / K3 R3 O3", "K3 O3", 1, id="a tile is taken from a run"),
        pytest.param("R3 R4 / R5 K7 B7 / O7", "", "R3 R4 R5 / K7 B7 O7", "", 3, id="a table in pieces is saved"),
        pytest.param("R3 J R5", "R4", "R3 R4 R5 J", "R4", 1, id="a joker makes room"),
        pytest.param("R3 R4 R5", "J", "R3 R4 R5 J", "J", 1, id="a joker of the rack"),
        pytest.param("J R5 J", "R5 R5", "R5 J J", "", 0, id="no third copy of a tile (1.3)"),
        pytest.param("R3 R4 R5 / R3 R4 R5", "R6", "R3 R4 R5 / R3 R4 R5 R6", "R6", 1, id="one of two equal melds"),
        pytest.param("R1 R2 R3 R4 R5 R6 R7", "", "R1 R2 R3 R4 R5 R6 R7", "", 0, id="a long run stays whole"),
    ],
)
def test_as_many_tiles_as_can_be_and_the_fewest_melds_changed(table, rack, answer, played, changed):
    got = put(table, rack)
    assert got.possible
    assert rows(str(got.table)) == rows(answer)
    assert got.played == parse_tiles(played)
    assert got.changed_melds == changed


@pytest.mark.parametrize(
    ("table", "rack"),
    [
        pytest.param("R3 R4", "K5", id="two tiles and nothing that helps"),
        pytest.param("J J", "", id="jokers alone"),
        pytest.param("R3 R3 R3 / R4 R4 / R5 R5", "", id="more copies than the set holds (1.3)"),
    ],
)
def test_a_table_that_cannot_be_put_in_order(table, rack):
    got = put(table, rack)
    assert got == Arrangement(possible=False, table=Table(), played=(), left=parse_tiles(rack), changed_melds=0)


def test_the_rack_is_parted_in_its_own_order():
    got = put("R3 R4 R5", "K9 R7 B1 R6 K9")
    assert format_tiles(got.played) == "R7 R6"
    assert format_tiles(got.left) == "K9 B1 K9"


def test_rows_that_stay_come_first_and_as_they_lie():
    got = put("O9 O8 O7 / R3 R4 R5 / J B2 B3", "R6")
    assert str(got.table) == "O9 O8 O7 / J B2 B3 / R3 R4 R5 R6"


def test_of_two_rows_of_the_same_tiles_each_stays_as_it_lies():
    assert str(put("J R4 R5 / R4 R5 J").table) == "J R4 R5 / R4 R5 J"


@pytest.mark.parametrize(
    ("table", "possible"),
    [
        ("R1 J J R4 R5 / K1 K2 K3", True),
        ("R1 J J R4", False),
        ("J R2 J", False),
        ("K1 K2 J / R8 J R10", True),
    ],
    ids=str,
)
def test_3_9_more_numbered_tiles_than_jokers(table, possible):
    assert put(table, rules=FREE.with_options({"naturals_outnumber": True})).possible is possible


def test_3_9_a_long_run_has_room_for_two_jokers_that_its_parts_have_not():
    rules = FREE.with_options({"naturals_outnumber": True})
    assert rows(str(put("J / J / R3 / R4 / R5 / R6 / R7", rules=rules).table)) == rows("J J R3 R4 R5 R6 R7")


def test_3_9_jokers_are_dealt_out_where_there_is_room():
    rules = FREE.with_options({"naturals_outnumber": True, "jokers": 4})
    got = put("J / J / J / J / R5 / R6 / R7 / R8 / R9 / R10 / R11 / R12", rules=rules)
    assert got.possible
    assert all(2 * row.count(parse_tiles("J")[0]) < len(row) for row in got.table.rows)


def test_3_6_a_meld_has_a_numbered_tile_however_many_jokers_there_are():
    rules = FREE.with_options({"jokers": 4})
    assert not put("J J J", rules=rules).possible
    assert rows(str(put("J J J / R4", rules=rules).table)) == rows("J J J R4")


def test_the_big_set_has_a_third_copy():
    big = FREE.with_options({"copies": 3, "jokers": 4})
    table = "R3 R4 R5 / R3 R4 R5 / K7 B7 O7"
    assert put(table, "R3 R4 R5", rules=big).played == parse_tiles("R3 R4 R5")
    assert put(table, "R3 R4 R5").played == ()


class TestBefore:
    def test_4_3_the_tiles_of_before_lie_there_again(self):
        got = put("R3 R4", "R5 K1 R6", before="R3 R4 R5")
        assert str(got.table) == "R3 R4 R5 R6"
        assert got.played == parse_tiles("R5 R6")

    def test_4_3_a_tile_of_before_that_nobody_has(self):
        assert not put("R3 R4 R6", "K1", before="R3 R4 R5").possible

    def test_changed_melds_are_those_of_the_table_as_it_lies(self):
        got = put("R3 R4 R5 R6 / K7", "B7 O7", before="R3 R4 R5 / R6 R7 R8", rules=FREE)
        assert not got.possible
        got = put("R3 R4 R5 R6 / R7 R8 R9", before="R3 R4 R5 / R6 R7 R8")
        assert (str(got.table), got.changed_melds) == ("R3 R4 R5 R6 / R7 R8 R9", 0)


class TestOpening:
    @pytest.mark.parametrize(
        ("rack", "played"),
        [("R10 R11 R12 K1", "R10 R11 R12"), ("K9 B9 O9", ""), ("K9 B9 O9 K1 B1 O1 R1", "K9 B9 O9 K1 B1 O1 R1")],
        ids=str,
    )
    def test_5_1_new_melds_worth_enough_or_nothing(self, rack, played):
        got = put("K10 B10 O10", rack, opened=False)
        assert got.played == parse_tiles(played)
        assert got.changed_melds == 0

    @pytest.mark.parametrize(("points", "played"), [("tile", 3), ("zero", 0)])
    def test_5_2_what_a_joker_counts(self, points, played):
        rules = FREE.with_options({"opening_joker_points": points})
        assert len(put("-", "R10 J R12", rules=rules, opened=False).played) == played

    def test_5_3_the_table_is_not_touched(self):
        got = put("R3 R4 R5", "R6 K10 B10 O10", opened=False)
        assert str(got.table) == "R3 R4 R5 / K10 B10 O10"

    def test_5_3_the_table_is_free_once_the_opening_is_worth_enough(self):
        got = put("R3 R4 R5", "R6 K10 B10 O10", rules=PLAY_ON, opened=False)
        assert rows(str(got.table)) == rows("R3 R4 R5 R6 / K10 B10 O10")
        assert got.changed_melds == 1

    def test_5_4_the_tiles_of_the_opening_may_lie_anywhere(self):
        table = "R9 R11 R12 / K11 K12 K13 / B11 B12 B13"
        got = put(table, "R10 K10 B10", rules=PLAY_ON, opened=False)
        assert rows(str(got.table)) == rows("R9 R10 R11 R12 / K10 K11 K12 K13 / B10 B11 B12 B13")

    def test_5_4_what_cannot_form_melds_is_no_opening(self):
        got = put("R9 R10 R11", "R12 R13", rules=PLAY_ON, opened=False)
        assert (got.played, got.changed_melds) == ((), 0)

    def test_a_broken_table_is_not_for_a_player_who_has_not_opened(self):
        assert not put("R3 R4", "R5 K10 B10 O10", opened=False).possible

    def test_a_table_that_was_touched_is_put_back(self):
        got = put("R3 R4 / R5", "R6", before="R3 R4 R5", opened=False)
        assert (str(got.table), got.played, got.changed_melds) == ("R3 R4 R5", (), 2)

    def test_tiles_that_lie_there_already_are_part_of_the_opening(self):
        got = put("R3 R4 R5 / K10 B10", "R6 O10", before="R3 R4 R5", opened=False)
        assert rows(str(got.table)) == rows("R3 R4 R5 / K10 B10 O10")
        assert not put("R3 R4 R5 / K10 B10", "R6", before="R3 R4 R5", opened=False).possible

    def test_a_joker_row_stays_as_it_lies(self):
        rules = preset("rrrummy")
        got = put("J B7 B8", "R10 R11 R12", rules=rules, before="J B7 B8", opened=False)
        assert str(got.table) == "J B7 B8 / R10 R11 R12"


@pytest.mark.parametrize(
    ("skill", "opened", "rack", "answer"),
    [
        pytest.param(Skill.OWN, True, "R6 K1 K2 K3", "R3 R4 R5 / R7 R8 R9 / K1 K2 K3", id="own melds"),
        pytest.param(Skill.OWN, False, "R6 K1 K2 K3", "R3 R4 R5 / R7 R8 R9", id="own melds, not enough to open"),
        pytest.param(Skill.ADD, True, "R6 K1 K2 K3", "R3 R4 R5 R6 / R7 R8 R9 / K1 K2 K3", id="adds, joins nothing"),
        pytest.param(Skill.ADD, True, "K3 B3", "R3 R4 R5 / R7 R8 R9", id="adds, takes nothing apart"),
        pytest.param(
            Skill.ADD, False, "R6 K10 B10 O10", "R3 R4 R5 / R7 R8 R9 / K10 B10 O10", id="opens with own melds"
        ),
        pytest.param(Skill.REARRANGE, True, "R6 R6", "R3 R4 R5 R6 / R6 R7 R8 R9", id="all that can be found"),
        pytest.param(Skill.REARRANGE, False, "R6 R6", "R3 R4 R5 / R7 R8 R9", id="not enough to open"),
    ],
)
def test_skills(skill, opened, rack, answer):
    got = best_play(Table.parse("R3 R4 R5 / R7 R8 R9"), parse_tiles(rack), FREE, opened=opened, skill=skill)
    assert rows(str(got.table)) == rows(answer)


def test_a_joker_of_the_rack_is_added_to_a_row():
    got = best_play(Table.parse("R3 R4 R5"), parse_tiles("J"), FREE, skill=Skill.ADD)
    assert rows(str(got.table)) == rows("R3 R4 R5 J")


@pytest.mark.parametrize("skill", Skill)
def test_no_skill_helps_where_the_table_cannot_be_put_in_order(skill):
    assert not best_play(Table.parse("R3 R4 K9"), parse_tiles("R6"), FREE, skill=skill).possible


def test_adding_to_a_row_with_a_joker_leaves_the_joker_what_it_was():
    got = best_play(Table.parse("J R4 R5"), parse_tiles("R3 R2"), preset("rrrummy"), skill=Skill.ADD)
    assert str(got.table) == "R2 J R4 R5"


def test_nothing_is_written_to_standard_output():
    code = "from referee.arrange import *; arrange(Table.parse('R3 R4 R5'), (), RuleSet())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
