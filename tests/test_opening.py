from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import said, verdict_on

from referee.melds import is_meld, meld_points
from referee.opening import most_points
from referee.rules import preset
from referee.tiles import JOKER, NUMBERED, parse_tiles

LOW, TOUCHES = "opening_too_low", "opening_touches_table"
ON = {"open_and_play_on": True}
ZERO = {"opening_joker_points": "zero"}


def opening(before, after, **options):
    return said(before, after, opened=False, **options), verdict_on(before, after, opened=False, **options).points


@pytest.mark.parametrize(
    ("before", "after", "options", "says", "points"),
    [
        pytest.param("-", "R9 R10 R11", {}, "legal", 30, id="5.1 thirty"),
        pytest.param("-", "R8 R9 R10", {}, LOW, 27, id="5.1 too low"),
        pytest.param("-", "R8 R9 R10", {"opening_points": 27}, "legal", 27, id="5.1 opening_points"),
        pytest.param("-", "R9 R10 R11", {"opening_points": 31}, LOW, 30, id="5.1 opening_points too high"),
        pytest.param("-", "R5 R6 R7 / K4 R4 B4", {}, "legal", 30, id="5.1 several melds"),
        pytest.param("-", "R9 B9 O9 / K1 B1", {}, f"meld_too_short {LOW}", 27, id="5.4 valid melds count"),
        pytest.param("-", "B9 J B11", {}, "legal", 30, id="5.2 joker as its tile"),
        pytest.param("-", "B9 J B11", ZERO, LOW, 20, id="5.2 joker as nothing"),
        pytest.param("-", "R10 R9 J", {}, "legal", 30, id="3.6 the most that any assignment gives"),
        pytest.param("K1 K2 K3", "K3 K2 K1 / R9 R10 R11", {}, "legal", 30, id="5.3 another order is no touch"),
        pytest.param("K1 K2 K3", "K1 K2 K3 K4 / R9 R10 R11", {}, TOUCHES, 30, id="5.3 adding"),
        pytest.param("K1 K2 K3", "K1 K2 K3 K4", {}, f"{LOW} {TOUCHES}", 0, id="5.4 both faults"),
        pytest.param("K1 K2 K3 K4 / R4 B4 O4", "K1 K2 K3 / K4 R4 B4 O4", {}, TOUCHES, 0, id="5.4 nothing played"),
        pytest.param("K1 K2 K3", "K1 K2 K3", {}, "draw", 0, id="4.4 nothing played or changed"),
        pytest.param("R9 R10 R11", "R9 R10 R11 / R9 R10 R11", {}, "legal", 30, id="5.4 of equal rows one is new"),
        pytest.param(
            "R9 R10 R11 R12", "R9 R10 R11 / K12 R12 B12", {}, f"{LOW} {TOUCHES}", 0, id="5.4 made of the table"
        ),
        pytest.param("K1 K2 K3", "K1 K2 K3 / R9 R10 R11", {"hand": 3}, "legal", 30, id="9.1 with the last tiles"),
        pytest.param("K1 K2 K3", "K1 K2 K3 / R1 R2 R3", {"hand": 3}, LOW, 6, id="5.4 an empty hand does not spare it"),
        pytest.param("-", "K9 J J", {"naturals_outnumber": True}, f"too_many_jokers {LOW}", 0, id="5.4 3.9"),
    ],
)
def test_5_opening(before, after, options, says, points):
    assert opening(before, after, **options) == (says, points)


@pytest.mark.parametrize(
    ("before", "after", "options", "says", "points"),
    [
        pytest.param("K1 K2 K3", "K1 K2 K3 K4 / R9 R10 R11", {}, "legal", 30, id="free once it is enough"),
        pytest.param("K1 K2 K3", "K1 K2 K3 K4", {}, f"{LOW} {TOUCHES}", 0, id="not before"),
        pytest.param("K1 K2 K3", "K1 K2 K3 / R7 R8 R9", {}, LOW, 24, id="too low alone"),
        pytest.param("R8 R9 R12 / K1 K2 K3", "R8 R9 R10 R11 R12 / K1 K2 K3", {}, f"{LOW} {TOUCHES}", 0, id="two tiles"),
        pytest.param("R7 R8 R9", "R7 R8 R9 R10 R11 R12", {}, "legal", 33, id="they can form a meld"),
        pytest.param(
            "O8 O9 O10", "K9 R9 B9 / O8 O9 O10 O11", {"opening_points": 27}, "legal", 27, id="and a tile more"
        ),
        pytest.param("K1 K2 K3 K4 / R4 B4 O4", "K1 K2 K3 / K4 R4 B4 O4", {}, TOUCHES, 0, id="nothing played"),
        pytest.param("-", "-", {}, "draw", 0, id="nothing at all"),
        pytest.param("K1 K2 K3", "K1 K2 K3 / R13 J J", {}, "legal", 39, id="jokers"),
        pytest.param("K1 K2 K3", "K1 K2 K3 / R13 J J", ZERO, LOW, 13, id="jokers of no worth"),
    ],
)
def test_5_4_open_and_play_on(before, after, options, says, points):
    assert opening(before, after, **ON, **options) == (says, points)


def test_5_3_the_option_alone_changes_the_verdict():
    before, after = "K1 K2 K3", "K1 K2 K3 K4 / R9 R10 R11"
    assert opening(before, after)[0] == TOUCHES
    assert opening(before, after, **ON)[0] == "legal"


def test_5_4_a_copy_of_the_table_is_not_counted_twice():
    before = "R9 R10 R11 R12 / B9 K9 O9"
    after = "R9 R10 R11 / R9 B9 K9 O9 / R12 K12 B12"
    assert opening(before, after) == (f"{LOW} {TOUCHES}", 0)
    after = "R9 R10 R11 / R9 R10 R11 / R12 K12 B12 / B9 K9 O9"
    assert opening(before, after) == (TOUCHES, 30)


def test_5_4_of_two_melds_with_one_played_copy_the_better_counts():
    before = "R9 K5 B5 O5 / K1 K2 K3"
    after = "R9 R10 R11 / R9 K9 B9 / K5 B5 O5 / K1 K2 K3"
    assert opening(before, after) == (TOUCHES, 30)
    assert opening(before, "R9 K9 B9 / R9 R10 R11 / K5 B5 O5 / K1 K2 K3") == (TOUCHES, 30)
    worse_first = "R9 K5 B5 O5", "R7 R8 R9 / R9 K9 B9 / K5 B5 O5"
    assert opening(*worse_first) == (f"{LOW} {TOUCHES}", 27)


def test_5_4_melds_that_lay_there_do_not_count():
    assert opening("K10 R10 B10 / R1 R2 R3", "K10 R10 B10 / R1 R2 R3 / O1 O2 O3") == (LOW, 6)


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        ("", 0),
        ("J J", 0),
        ("R9 R10", 0),
        ("R9 R10 J", 30),
        ("R9 R10 R11 J", 42),
        ("R12 R13 J", 36),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", 91),
        ("K5 R5 B5 R6 R7", 18),
        ("K5 R5 B5 O5 R6 R7", 33),
        ("R5 R6 R7 R5 R6 R7", 36),
        ("R5 K5 R5 K5 B5 B5", 30),
        ("R9 J J", 30),
        ("R9 K2 J J", 30),
        ("R9 R12 J J", 42),
        ("R1 R3 J", 6),
        ("R1 R2 K1 B1 J J", 12),
        ("R4 R6 R5 J J", 30),
        ("R13 K13 J", 39),
        ("R3 B3 K3 R4 R5 R6", 24),
    ],
)
def test_5_4_the_most_that_tiles_can_form(tiles, points):
    assert most_points(parse_tiles(tiles), preset("rrrummy")) == points


def test_5_2_the_most_with_jokers_of_no_worth():
    rules = preset("rummy-mini-es")
    assert most_points(parse_tiles("R9 R10 J K2 K3"), rules) == 19
    assert most_points(parse_tiles("R9 R10 R11 J"), rules) == 30


def test_3_9_the_most_where_numbers_must_outnumber_jokers():
    rules = preset("rrrummy").with_options({"naturals_outnumber": True, "jokers": 4})
    assert most_points(parse_tiles("R13 J J"), rules) == 0
    assert most_points(parse_tiles("R1 J J J R5 R6 R7"), rules) == 35
    assert most_points(parse_tiles("R1 R2 R3 R4 J J J"), rules) == 28


def brute(tiles, rules):
    """Try every choice of disjoint melds."""
    zero = rules.opening_joker_points == "zero"
    places = range(len(tiles))
    melds = [
        some for size in range(3, len(tiles) + 1) for some in combinations(places, size) if _valid(tiles, some, rules)
    ]

    def best(left, start):
        return max(
            (
                meld_points(tuple(tiles[i] for i in melds[k]), jokers_count=not zero)
                + best(left - set(melds[k]), k + 1)
                for k in range(start, len(melds))
                if set(melds[k]) <= left
            ),
            default=0,
        )

    return best(frozenset(places), 0)


def _valid(tiles, some, rules):
    return is_meld(tuple(tiles[i] for i in some), naturals_outnumber=rules.naturals_outnumber)


near = [tile for tile in NUMBERED if 4 <= tile.number <= 7]


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from([*near, JOKER]), max_size=8), st.sampled_from([{}, ZERO, {"naturals_outnumber": True}]))
def test_5_4_agrees_with_trying_everything(tiles, options):
    rules = preset("rrrummy").with_options(options)
    assert most_points(tiles, rules) == brute(tuple(tiles), rules)
