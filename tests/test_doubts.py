import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.doubts import judge_reading, parse_seen
from referee.errors import NotationError
from referee.judge import Situation, judge_turn
from referee.rules import preset
from referee.table import Choice, Doubt, DoubtCode, SeenTile, Table, TableReading
from referee.tiles import Tile, parse_tiles
from referee.verdict import NO_CONSEQUENCE, Consequence, NoteCode, Ruling

RULES = preset("rrrummy")
NOWHERE = ((0.0, 0.0),) * 4


def look(text, *, unseen=(), doubts=()):
    """Read a table: tiles in notation with `:probability`, choices with `|`, `~` before a tile's presence."""
    rows = [[seen(word) for word in row.split()] for row in text.split(" / ")]
    places = iter(range(sum(map(len, rows))))
    melds = tuple(tuple(next(places) for _ in row) for row in rows)
    return TableReading(tuple(tile for row in rows for tile in row), melds, tuple(doubts), unseen=unseen)


def seen(word):
    name, _, presence = word.partition("~")
    choices = []
    for one in name.split("|"):
        face, _, chance = one.partition(":")
        if face != "?":
            choices.append(Choice(Tile.parse(face), float(chance or 1)))
    choices.sort(key=lambda choice: -choice.probability)
    return SeenTile(NOWHERE, tuple(choices), presence=float(presence or 1))


def judged(before, after, rules=RULES, **situation):
    sides = [Table.parse(side) if isinstance(side, str) else side for side in (before, after)]
    return judge_reading(*sides, rules, Situation(**situation))


def asked(verdict):
    return [
        (q.index, q.tile, q.code.value, {answer.tile: answer.ruling.value for answer in q.answers})
        for q in verdict.doubts
    ]


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
    assert judged("-", look("R3:.991|R9:.009 R4 R5")).ruling is Ruling.LEGAL
    assert judged("-", look("R3:.989|R9:.011 R4 R5")).ruling is Ruling.UNSURE


def test_the_smallest_set_of_tables_counts_all_doubts_together():
    assert judged("-", look("R3:.994|R9:.006 R4 R5 / B3:.994|B9:.006 B4 B5")).ruling is Ruling.UNSURE


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


@pytest.mark.parametrize("before", ["R4 J R6 / K7 K8 K9 / K6 K7 K8 K9 K10", "R4 J R6 / K7 K8 K9"])
def test_6_4_melds_that_lie_still_count_where_a_new_one_is_asked(before):
    rules = preset("classic-2009")
    after = before.replace("R4 J R6", "R4:.6|R4:.4 R5 R6") + " / J O11:.9|O12:.1 O13"
    known = before.replace("R4 J R6", "R4 R5 R6") + " / J O11 O13"
    verdict = judged(before, look(after), rules)
    assert verdict.ruling in (judged(before, known, rules).ruling, Ruling.UNSURE)
    assert judged(before, known, rules).ruling is Ruling.LEGAL


# 4.3


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
    assert verdict.codes == ("meld_too_short", "tile_taken_back")
    assert judged("R3 R4 R5 R6", look("R3 R4 R5 / B1", unseen=None)).ruling is Ruling.ILLEGAL


def test_4_3_a_tile_not_seen_may_complete_a_row():
    verdict = judged("R3 R4 R5", look("R3 R5 / K1 K2 K3", unseen=None))
    assert asked(verdict) == [(-1, "R4", "missing", {"R4": "legal", "-": "illegal"})]


def test_4_3_a_joker_not_seen_may_lie_in_its_place():
    verdict = judged("R3 J R5 R6", look("R3 R5 R6 / K1 K2 K3", unseen=None))
    assert asked(verdict) == [(-1, "J", "missing", {"J": "legal", "-": "illegal"})]
    moved = judged("R3 R4 R5 J", look("R3 R4 R5 / K1 K2", unseen=None))
    assert moved.ruling is Ruling.ILLEGAL


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
