import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readings import RULES, asked, judged, look

from referee.doubts import judge_reading, parse_seen
from referee.errors import NotationError
from referee.judge import Situation, judge_turn
from referee.rules import preset
from referee.table import Choice, Doubt, DoubtCode, Table
from referee.tiles import Tile, parse_tiles
from referee.verdict import NO_CONSEQUENCE, Consequence, Ruling


def test_known_tables_are_judged_as_they_are():
    assert judged("R3 R4 R5", "R3 R4 R5 R6") == judge_turn(Table.parse("R3 R4 R5"), Table.parse("R3 R4 R5 R6"), RULES)
    assert judged("-", "R1 R2 R3 R4 R5 R6 R8 R9 R10").ruling is Ruling.ILLEGAL


def test_a_reading_without_doubts_is_judged_as_the_table():
    before, after = "R3 R4 R5 / K1 J K3", "R3 R4 R5 R6 / K1 J K3"
    assert judged(before, look(after)) == judged(before, after)
    assert judged(look(before), look(after)) == judged(before, after)


def test_all_plausible_tables_legal_is_legal():
    verdict = judged("-", look("R6:.6|R9:.4 R7 R8"))
    assert (verdict.ruling, verdict.played, verdict.doubts) == (Ruling.LEGAL, parse_tiles("R6 R7 R8"), ())


def test_all_plausible_tables_illegal_is_illegal_with_the_most_probable_faults():
    verdict = judged("-", look("K6:.4|K7:.6 R7 R8"))
    assert verdict.ruling is Ruling.ILLEGAL
    assert [fault.meld for fault in verdict.faults] == [parse_tiles("K7 R7 R8")]
    assert verdict.consequence == Consequence(restore=True, draw=3)


def test_where_they_differ_the_tile_that_decides_is_asked():
    verdict = judged("K1 K2 K3", look("K1 K2 K3 / R9:.3|R6:.7 R5 R4"))
    assert verdict.ruling is Ruling.UNSURE
    assert verdict.doubts[0].side == "after"
    assert asked(verdict) == [(3, "R6", "six_or_nine", {"R6": "legal", "R9": "illegal"})]
    assert [answer.tile for answer in verdict.doubts[0].answers] == ["R6", "R9"]
    assert verdict.faults == ()
    assert verdict.consequence == NO_CONSEQUENCE
    assert verdict.played == parse_tiles("R4 R5 R6")


def test_an_unsure_turn_does_not_open_yet_but_shows_its_points():
    verdict = judged("-", look("R10:.7|R1:.3 R11 R12"), opened=False)
    assert (verdict.ruling, verdict.opens, verdict.points) == (Ruling.UNSURE, False, 33)


def test_a_doubt_that_decides_nothing_is_not_asked():
    verdict = judged("-", look("R6:.6|R9:.4 R7 R8 / B3:.6|B8:.4 B4 B5"))
    assert asked(verdict) == [(3, "B3", "two_readings", {"B3": "legal", "B8": "illegal"})]


def test_two_tiles_are_asked_where_one_does_not_decide():
    verdict = judged("-", look("R3:.6|R9:.4 R4 R5 / B3:.6|B8:.4 B4 B5"))
    assert asked(verdict) == [
        (0, "R3", "two_readings", {"R3": "unsure", "R9": "illegal"}),
        (3, "B3", "two_readings", {"B3": "unsure", "B8": "illegal"}),
    ]


def test_what_is_less_than_one_in_a_hundred_is_not_plausible():
    assert judged("-", look("R9:.991|R3:.009 R4 R5")).ruling is Ruling.ILLEGAL
    assert judged("-", look("R9:.989|R3:.011 R4 R5")).ruling is Ruling.UNSURE


def test_the_smallest_set_of_tables_counts_all_doubts_together():
    assert judged("-", look("R9:.994|R3:.006 R4 R5 / B3 B4 B5:.994|B9:.006")).ruling is Ruling.ILLEGAL
    assert judged("-", look("R9:.989|R3:.011 R4 R5 / B3 B4 B5:.994|B9:.006")).ruling is Ruling.UNSURE


def test_a_legal_turn_need_not_be_as_sure():
    assert judged("-", look("R3:.952|R9:.048 R4 R5")).ruling is Ruling.LEGAL
    assert judged("-", look("R3:.948|R9:.052 R4 R5")).ruling is Ruling.UNSURE
    assert judged("-", look("R3:.97|R9:.03 R4 R5 / B3:.97|B9:.03 B4 B5")).ruling is Ruling.UNSURE
    assert judged("R3 R4 R5", look("R3:.952|R9:.048 R4 R5")).ruling is Ruling.DRAW


def test_1_3_impossible_tables_are_not_plausible():
    assert judged("R7 B7 K7 / R7 R8 R9", look("R7 B7 K7 / R7 R8 R9 / R7:.7|R1:.3 R2 R3")).ruling is Ruling.LEGAL


def test_1_3_if_no_table_is_possible_the_turn_is_impossible():
    verdict = judged("R7 B7 K7 / R7 R8 R9", look("R7 B7 K7 / R7 R8 R9 / R7 R5 R6"))
    assert verdict.ruling is Ruling.IMPOSSIBLE
    assert verdict.played == parse_tiles("R5 R6 R7")
    assert (verdict.faults, verdict.doubts) == ((), ())


def test_4_7_tables_with_more_played_than_held_are_not_plausible():
    verdict = judged("K1 K2 K3", look("K1 K2 K3 / R3:.6|R9:.4 R4 R5 / B3~.5"), hand=3)
    assert asked(verdict) == [(3, "R3", "two_readings", {"R3": "legal", "R9": "illegal"})]
    assert judged("K1 K2 K3", look("K1 K2 K3 / R3:.6|R9:.4 R4 R5"), hand=2).ruling is Ruling.IMPOSSIBLE


def test_a_tile_that_cannot_be_read_may_be_any():
    verdict = judged("-", look("R3 R4 ?"))
    (question,) = verdict.doubts
    assert (question.tile, question.code) == ("?", DoubtCode.UNREADABLE)
    good = {answer.tile for answer in question.answers if answer.ruling is Ruling.LEGAL}
    assert good == {"R2", "R5", "J"}
    assert len(question.answers) >= 52
    assert {answer.tile for answer in question.answers[:3]} == good


def test_a_tile_that_may_be_something_else():
    assert judged("-", look("R3:.9 R4 R5")).ruling is Ruling.UNSURE
    assert judged("-", look("R3:.9985 R4 R5")).ruling is Ruling.LEGAL


def test_a_tile_that_may_be_none():
    verdict = judged("K1 K2 K3", look("K1 K2 K3 R9~.6"))
    assert asked(verdict) == [(3, "R9", "extra", {"R9": "illegal", "-": "draw"})]


def test_a_tile_that_is_not_there_leaves_no_empty_row():
    assert asked(judged("K1 K2 K3", look("K1 K2 K3 / R9~.6"))) == [(3, "R9", "extra", {"R9": "illegal", "-": "draw"})]
    assert judged("K1 K2 K3", look("K1 K2 K3 / R9~0")).ruling is Ruling.DRAW


def test_choices_that_promise_more_than_the_presence_are_scaled():
    verdict = judged("K1 K2 K3", look("K1 K2 K3 R9:.9~.6"))
    assert [answer.tile for answer in verdict.doubts[0].answers][:2] == ["R9", "-"]


@pytest.mark.parametrize("code", [DoubtCode.TOO_MANY, DoubtCode.EXTRA])
def test_the_reading_may_say_why_a_tile_is_doubtful(code):
    verdict = judged("-", look("R3:.6|R9:.4 R4 R5", doubts=[Doubt(DoubtCode.ONE_MELD, (0,)), Doubt(code, (0,))]))
    assert verdict.doubts[0].code is code


def test_doubts_of_the_table_before():
    verdict = judged(look("R3:.6|R9:.4 R4 R5"), "R3 R4 R5 R6")
    assert [(q.side, q.index) for q in verdict.doubts] == [("before", 0)]
    assert asked(verdict)[0][3] == {"R3": "legal", "R9": "illegal"}


# 3.8


@pytest.mark.parametrize("before", ["R4 J R6 / K7 K8 K9 / K6 K7 K8 K9 K10", "R4 J R6 / K7 K8 K9"])
def test_6_4_melds_that_lie_still_count_where_a_new_one_is_asked(before):
    rules = preset("classic-2009")
    after = before.replace("R4 J R6", "R4:.6|R4:.4 R5 R6") + " / J O11:.9|O12:.1 O13"
    known = before.replace("R4 J R6", "R4 R5 R6") + " / J O11 O13"
    verdict = judged(before, look(after), rules)
    assert verdict.ruling in (judged(before, known, rules).ruling, Ruling.UNSURE)
    assert judged(before, known, rules).ruling is Ruling.LEGAL


# 4.3


def test_many_doubtful_tiles_stay_bounded_and_open():
    rows = " / ".join(f"{c}1:.5|{c}9:.5 {c}2:.5|{c}8:.5 {c}3:.5|{c}7:.5 {c}4:.5|{c}6:.5" for c in "KRBO")
    verdict = judged("-", look(rows))
    assert verdict.ruling is Ruling.UNSURE
    assert verdict.doubts


def test_many_doubts_that_look_alike_so_far_stay_open():
    rows = " / ".join(f"{c}1:.5|{c}9:.5 {c}2:.5|{c}8:.5 {c}3:.5|{c}7:.5 {c}4:.5|{c}6:.5" for c in "KRBO")
    verdict = judged("-", look(rows + " / K11 R12 K13"))
    assert verdict.ruling in (Ruling.UNSURE, Ruling.ILLEGAL)
    assert verdict.ruling is Ruling.UNSURE or verdict.faults


faces = st.sampled_from(["R3", "R4", "R5", "R6", "K4", "B4", "J"])


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(st.tuples(faces, faces, st.sampled_from([0.6, 0.9])), min_size=3, max_size=4), min_size=1, max_size=2
    ),
    st.booleans(),
)
def test_the_verdict_is_that_of_all_plausible_tables(rows, opened):
    text = " / ".join(" ".join(f"{a}:{p}|{b}:{1 - p:.1f}" if a != b else a for a, b, p in row) for row in rows)
    rules = RULES.with_options({"copies": 4, "jokers": 8})
    verdict = judge_reading(Table(), look(text), rules, Situation(opened=opened))
    rulings = set(_all_rulings(rows, rules, opened=opened))
    if verdict.ruling is Ruling.UNSURE:
        assert len(rulings) > 1
        assert verdict.doubts
    else:
        assert verdict.ruling in rulings
    if len(rulings) == 1:
        assert verdict.ruling in rulings


def _all_rulings(rows, rules, *, opened):
    tiles = [tile for row in rows for tile in row]
    for picks in range(2 ** len(tiles)):
        chosen = iter([tile[(picks >> i) & 1] for i, tile in enumerate(tiles)])
        table = Table.parse(" / ".join(" ".join(next(chosen) for _ in row) for row in rows))
        yield judge_turn(Table(), table, rules, Situation(opened=opened)).ruling


# notation


def test_notation_with_doubts():
    reading = parse_seen("R6|R9 R7 ? / K1 K2 K3")
    assert reading.notation == "R6 R7 ? / K1 K2 K3"
    assert reading.melds == ((0, 1, 2), (3, 4, 5))
    assert reading.tiles[0].choices == (Choice(Tile.parse("R6"), 0.5), Choice(Tile.parse("R9"), 0.5))
    assert reading.unseen == ()


def test_notation_without_doubts_is_a_known_table():
    assert parse_seen("R6 R7 R8") == Table.parse("R6 R7 R8")


@pytest.mark.parametrize("text", ["R6|X9 R7", "R6| R7", "? / / K1", "R6?"])
def test_notation_that_is_none(text):
    with pytest.raises(NotationError):
        parse_seen(text)


def test_a_fault_that_is_there_only_if_a_tile_was_misread_is_not_named():
    after = "K5 R5 B5 O5 O5 / K6 B8:.6|B6:.4 O6"
    assert judged("-", look(after)).codes == ("group_too_long",)
    assert judged("-", look("K5 R5 B5 O5 O5 / K6 B8 O6")).codes == ("group_too_long", "not_a_meld")


def test_a_fault_that_is_hardly_in_doubt_is_named():
    after = "K5 R5 B5 O5 O5 / K6 B8:.9|B6:.1 O6"
    assert judged("-", look(after)).codes == ("group_too_long", "not_a_meld")


def test_a_fault_is_named_though_it_is_not_certain_which_tile_is_wrong():
    assert judged("-", look("K6 B8:.6|B9:.4 O6")).codes == ("not_a_meld",)
    assert judged("-", look("K5 R5 K9:.6|B7:.4")).codes == ("not_a_meld",)


def test_where_no_fault_is_certain_but_that_there_is_one_the_likeliest_are_named():
    assert judged("-", look("R6 R7 R8:.6|R7:.4 R7 R8:.4|R9:.6 R10")).codes
