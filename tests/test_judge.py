import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import said, verdict_on
from random_turns import small_turn

from referee.judge import Situation, judge_turn, rule_on
from referee.rules import PRESETS, preset
from referee.table import Table
from referee.tiles import JOKER, parse_tiles
from referee.verdict import Consequence, Fault, FaultCode, Ruling


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        pytest.param("-", "-", "draw", id="3.1 nothing at all"),
        pytest.param("-", "K10 R10 B10", "legal", id="3.1 group"),
        pytest.param("-", "K10 R10 B10 O10", "legal", id="3.1 group of four"),
        pytest.param("-", "R3 R4 R5", "legal", id="3.2 run"),
        pytest.param("-", "R3 R4 R6", "run_has_gap", id="3.2 gap"),
        pytest.param("-", "R12 R13 R1", "run_wraps", id="3.3 wraps"),
        pytest.param("-", "R3", "loose_tile", id="3.4 one tile"),
        pytest.param("-", "R3 R4", "meld_too_short", id="3.4 two tiles"),
        pytest.param("-", "R3 / R3", "loose_tile", id="8.2 the same fault twice is one code"),
        pytest.param("K1 K2 K3", "R3 R4 / K1 K2 / K3", "meld_too_short loose_tile", id="8.2 rows in table order"),
        pytest.param("K1 K2 K3", "K1 K2 K3 K4", "legal", id="4.2 add"),
        pytest.param("K1 K2 K3 K4", "K1 K2 K3 / K4 R4 B4", "legal", id="4.2 take over"),
        pytest.param("K1 K2 K3", "-", "tile_taken_back", id="4.3 all gone"),
        pytest.param("K1 K2 K3 K4", "K1 K2 K3", "tile_taken_back", id="4.3 one gone"),
        pytest.param("K1 K2 K3 K4", "K1 K2 K3 / R1 R2 R3", "tile_taken_back", id="4.3 gone while playing"),
        pytest.param("K1 K2 K3 K1", "K1 K2 K3", "tile_taken_back", id="4.3 a copy gone"),
        pytest.param("K1 K2 K3 / R1 R2 R3", "R3 R2 R1 / K1 K2 K3", "draw", id="4.4 nothing changed"),
        pytest.param("K1 K2 K3 K4 / R4 B4 O4", "K1 K2 K3 / R4 B4 O4 K4", "draw", id="4.4 rearranged"),
        pytest.param("K1 K2 K3 K4 / R4 B4 O4", "K1 K2 K3 / R4 B4 / O4 K4", "meld_too_short", id="4.4 left broken"),
    ],
)
def test_tables(before, after, says):
    assert said(before, after) == says


def test_1_3_more_copies_than_the_set_has_are_impossible():
    assert said("R7 K7 B7", "R7 K7 B7 / R7 R8 R9 / R7 O7 K7") == "impossible"
    assert said("R7 K7 B7", "R7 K7 B7 / R7 R8 R9 / R7 O7 K7", copies=3) == "legal"
    assert said("K7 B7 O7", "K7 B7 O7 / K7 R7 B7", copies=1) == "impossible"
    assert said("-", "K1 J J / K2 J K4") == "impossible"
    assert said("-", "K1 J J / K2 J K4", jokers=3) == "legal"


def test_1_3_the_table_before_counts_too():
    assert said("R7 R8 R9 / R7 R8 R9 / R7 R8 R9", "-") == "impossible"


def test_1_3_an_impossible_turn_has_no_faults_and_no_consequence():
    verdict = verdict_on("R7 R8 R9", "R7 R7 / R7 R8 / R5", opened=False, timed_out=True)
    assert verdict.ruling is Ruling.IMPOSSIBLE
    assert (verdict.faults, verdict.points, verdict.opens, verdict.consequence) == ((), 0, False, Consequence(False, 0))
    assert verdict.played == parse_tiles("R5 R7 R7")
    assert verdict.removed == parse_tiles("R9")


def test_4_7_more_tiles_played_than_held_are_impossible():
    assert said("-", "K10 R10 B10 O10", hand=3) == "impossible"
    assert said("-", "K10 R10 B10 O10", hand=4) == "legal"
    assert said("-", "K10 R10 B10 O10", hand=None) == "legal"
    assert said("-", "K10 R10 R10", hand=2) == "impossible"
    assert said("-", "-", hand=0) == "draw"


def test_3_5_a_tile_belongs_to_one_meld():
    assert said("R3 R4 R5", "R3 R4 R5 / R5 R6 R7", hand=2) == "impossible"


def test_3_9_naturals_outnumber_is_an_option():
    assert said("-", "K7 J J") == "legal"
    assert said("-", "K7 J J", naturals_outnumber=True) == "too_many_jokers"
    assert said("-", "K7 R7 J", naturals_outnumber=True) == "legal"


def test_played_and_removed_are_sorted_by_colour_then_number():
    verdict = verdict_on("O1 O2 O3 / R7 R8 R9", "J B1 R1 K1 O1 / R10 R9 K2 J")
    assert verdict.played == parse_tiles("K1 K2 R1 R10 B1 J J")
    assert verdict.removed == parse_tiles("R7 R8 O2 O3")


def test_a_fault_of_a_row_names_its_tiles_as_they_lie():
    (fault,) = verdict_on("-", "R6 R3 R4").faults
    assert fault == Fault(FaultCode.RUN_HAS_GAP, meld=parse_tiles("R6 R3 R4"), tiles=parse_tiles("R6 R3 R4"))
    assert fault.paragraph == "3.2"


def test_faults_of_the_turn_have_no_meld():
    verdict = verdict_on("R3 R4 R5 / K8 B8 O8", "R3 R4 / K8 B8 O8 / R12 R13 R1", opened=False, timed_out=True)
    assert verdict.codes == (
        FaultCode.MELD_TOO_SHORT,
        FaultCode.RUN_WRAPS,
        FaultCode.TILE_TAKEN_BACK,
        FaultCode.OPENING_TOO_LOW,
        FaultCode.OPENING_TOUCHES_TABLE,
        FaultCode.TIME_OUT,
    )
    taken, low, touched, late = verdict.faults[2:]
    assert taken == Fault(FaultCode.TILE_TAKEN_BACK, tiles=parse_tiles("R5"))
    assert low == Fault(FaultCode.OPENING_TOO_LOW, tiles=parse_tiles("R1 R12 R13"), points=0, needed=30)
    assert touched == Fault(FaultCode.OPENING_TOUCHES_TABLE, tiles=parse_tiles("R3 R4 R5"))
    assert late == Fault(FaultCode.TIME_OUT)


def test_faults_of_jokers_name_the_jokers_of_the_table():
    (fault,) = verdict_on("R4 J R6 / K4 K5 J", "R4 J R6 / J K4 K5").faults
    assert fault == Fault(FaultCode.JOKER_MOVED, tiles=(JOKER, JOKER))


@pytest.mark.parametrize(
    ("before", "after", "options", "says"),
    [
        pytest.param("K1 K2 K3", "K1 K2 K3", {}, "draw", id="nothing played, valid"),
        pytest.param("K1 K2 K3", "K1 K2 K3 K4", {}, "legal", id="legal"),
        pytest.param("K1 K2 K3", "K1 K2 K3 / K4", {}, "loose_tile time_out", id="broken"),
        pytest.param("K1 K2 K3", "K1 K2", {}, "meld_too_short tile_taken_back time_out", id="taken back"),
        pytest.param("R5 R6 J", "J R5 R6", {}, "joker_moved time_out", id="joker moved"),
    ],
)
def test_7_3_time_out(before, after, options, says):
    assert said(before, after, timed_out=True, **options) == says


def test_8_1_a_fault_costs_tiles_and_the_table_goes_back():
    assert verdict_on("-", "R3").consequence == Consequence(restore=True, draw=3)
    assert verdict_on("-", "R3", fault_draw=1).consequence == Consequence(restore=True, draw=1)
    assert verdict_on("-", "R3", timeout_draw=1).consequence == Consequence(restore=True, draw=3)


def test_7_3_a_time_out_costs_its_own_number_of_tiles():
    assert verdict_on("-", "R3", timed_out=True, timeout_draw=1).consequence == Consequence(restore=True, draw=1)
    assert verdict_on("-", "R3", timed_out=True, fault_draw=1).consequence == Consequence(restore=True, draw=3)


def test_4_1_a_draw_costs_one_tile_and_a_legal_turn_none():
    assert verdict_on("-", "-").consequence == Consequence(restore=False, draw=1)
    assert verdict_on("-", "-", timed_out=True, timeout_draw=5).consequence == Consequence(restore=False, draw=1)
    assert verdict_on("-", "R3 R4 R5").consequence == Consequence(restore=False, draw=0)


def test_opens_and_points_are_of_players_who_had_not_opened():
    fresh, old = verdict_on("-", "R9 R10 R11", opened=False), verdict_on("-", "R9 R10 R11")
    low = verdict_on("-", "R7 R8 R9", opened=False)
    drawn = verdict_on("-", "-", opened=False)
    assert [(one.opens, one.points) for one in (fresh, old, low, drawn)] == [
        (True, 30),
        (False, 0),
        (False, 24),
        (False, 0),
    ]


@pytest.mark.shared
def test_the_judged_cases(shared):
    cases = json.loads((shared / "cases" / "judge.json").read_text(encoding="utf-8"))
    wrong = [case["id"] for case in cases if not _as_expected(case)]
    assert not wrong
    assert len(cases) == 38


def _as_expected(case):
    rules = preset(case.get("rules", "rrrummy")).with_options(case.get("options", {}))
    situation = Situation(case.get("opened", True), case.get("hand"), case.get("timed_out", False))
    verdict = judge_turn(Table.parse(case["before"]), Table.parse(case["after"]), rules, situation)
    got = {"verdict": verdict.ruling.value, "codes": [f.code.value for f in verdict.faults], "points": verdict.points}
    return {name: got[name] for name in case["expect"]} == case["expect"]


turns = st.builds(lambda seed: small_turn(random.Random(seed)), st.integers(0, 10**9))
rule_sets = st.sampled_from(list(PRESETS.values()))
situations = st.builds(Situation, opened=st.booleans(), timed_out=st.booleans())
quick = settings(deadline=None, max_examples=60)


@quick
@given(turns, rule_sets, situations, st.randoms())
def test_the_order_of_melds_does_not_matter(turn, rules, situation, rng):
    before, after = turn
    mixed = [Table.of(rng.sample(side.rows, len(side.rows))) for side in turn]
    one, two = judge_turn(before, after, rules, situation), judge_turn(*mixed, rules, situation)
    assert (one.ruling, one.codes, one.points, one.played) == (two.ruling, two.codes, two.points, two.played)


@quick
@given(turns, rule_sets, situations, st.data())
def test_3_7_the_direction_of_rows_does_not_matter(turn, rules, situation, data):
    turned = [Table.of(row[::-1] if data.draw(st.booleans()) else row for row in side.rows) for side in turn]
    assert judge_turn(*turned, rules, situation).codes == judge_turn(*turn, rules, situation).codes


@quick
@given(turns, rule_sets)
def test_4_3_a_turn_with_tiles_played_cannot_be_turned_back(turn, rules):
    before, after = turn
    if judge_turn(before, after, rules).ruling is Ruling.LEGAL:
        assert FaultCode.TILE_TAKEN_BACK in judge_turn(after, before, rules).codes


@quick
@given(turns, rule_sets, st.booleans())
def test_a_legal_meld_that_lies_untouched_changes_no_verdict(turn, rules, jokered):
    rules = rules.with_options({"copies": 3, "jokers": 4})
    more = Table.parse("R13 R12 J R10" if jokered else "K13 R13 B13")
    joined = [Table((*side.rows, *more.rows)) for side in turn]
    one, two = judge_turn(*turn, rules), judge_turn(*joined, rules)
    assert (one.ruling, one.codes) == (two.ruling, two.codes)


@quick
@given(turns, rule_sets, situations, st.booleans())
def test_the_ruling_alone_is_that_of_the_verdict(turn, rules, situation, back):
    before, after = turn[::-1] if back else turn
    assert rule_on(before, after, rules, situation) is judge_turn(before, after, rules, situation).ruling


@pytest.mark.parametrize(
    ("before", "after", "opened", "ruling"),
    [
        pytest.param("-", "R3 R4 R6", True, "illegal", id="a bad row"),
        pytest.param("R3 R4 R5", "-", True, "illegal", id="tiles gone"),
        pytest.param("-", "R3 R4 R5", False, "illegal", id="too low"),
        pytest.param("R5 R6 J", "J R5 R6", True, "illegal", id="a joker moved"),
        pytest.param("-", "R9 R10 R11", False, "legal", id="an opening"),
    ],
)
def test_the_ruling_alone_in_each_section(before, after, opened, ruling):
    sides = Table.parse(before), Table.parse(after)
    assert rule_on(*sides, preset("rrrummy"), Situation(opened=opened)) == ruling


def test_the_ruling_alone_where_no_turn_can_be():
    before, after = Table.parse("R7 R8 R9"), Table.parse("R7 R8 R9 / K1 K2 K3")
    assert rule_on(before, after, preset("rrrummy"), Situation(hand=2)) is Ruling.IMPOSSIBLE
    assert rule_on(before, after, preset("rrrummy"), Situation(hand=3)) is Ruling.LEGAL
    assert rule_on(before, before, preset("rrrummy")) is Ruling.DRAW
