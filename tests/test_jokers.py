import random
from itertools import product

import pytest
from joker_cases import ANY, BIG, BROKEN, FREE, LOCKED, MOVED, NOT_HAND, OWN, REUSE, case
from joker_oracle import oracle_codes
from judged import said
from random_turns import small_turn

from referee.jokers import joker_faults
from referee.rules import JokerReuse, JokerSwap, RuleSet
from referee.table import Table
from referee.turn import Turn


@pytest.mark.parametrize(
    ("before", "after", "options", "says"),
    [
        case("R4 J R6", "R4 J R6", "draw", "left as it lay"),
        case("R4 J R6", "R6 J R4", "draw", "turned round"),
        case("R4 J R6", "R6 R4 J", "draw", "another order in which it stands for the same"),
        case("R5 R6 J", "J R5 R6", MOVED, "3.7 another order in which it does not"),
        case("R5 R6 J", "R6 R5 J", MOVED, "3.7 the row is read from the other side"),
        case("R5 J R6", "J R5 R6", "draw", "3.6 out of order it may have been either"),
        case("R5 J R6", "R5 R6 J", "draw", "3.6 or the other"),
        case("R5 R6 J", "R6 J R5", "draw", "3.6 laid out of order it may be what it was"),
        case("R4 J R6", "R4 J R6 R7", "legal", "grows"),
        case("R4 J R6", "R4 R5 R6 / K9 K10 J", "legal", "replaced from the hand"),
        case("R4 J R6", "R4 R5 R6 J", "legal", "replaced and put to the same meld"),
        case("R4 J R6", "R4 R6 R7 J / R5 K5 B5", "legal", "where the replacing tile lies does not matter"),
        case("R4 J R6", "J R5 K5 / R4 B4 O4 / R6 B6 O6", "legal", "the meld is gone, the tile lies elsewhere"),
        case("R4 J R6", "J R4 K4 / R6 B6 O6", MOVED, "not replaced"),
        case("R4 J R6 / R4 J R6", "R4 R5 R6 J / R4 R6 J", "legal", "one tile replaces one joker"),
        case("R4 J R6 / R4 J R6", "R4 R5 R6 / R4 R6 K4 / K6 B6 J J", "not_a_meld", "6.7 not while a row is bad"),
        case("R4 J R6 / R4 J R6", "R4 R5 R6 / R4 K4 B4 / R6 K6 J J", MOVED, "one tile does not replace two"),
        case("R4 J R6", "R4 J R6 / K9 K10 J", "legal", "6.6 whatever joker is which"),
        case("R4 J R6", "R4 R5 R6 / J K9 K10 / J B1 B2", "legal", "a joker of the hand beside it"),
        case("R4 J R6 / R5 K5 B5 O5", "R4 R5 R6 / K5 B5 O5 / J K9 K10", NOT_HAND, "from the table"),
        case("R4 J R6 / R5 K5 B5 O5", "R4 R5 R6 / K5 B5 O5 / J K9 K10", "legal", "from the table, any", **ANY),
        case(
            "R4 J R6 / R5 K5 B5",
            "R4 K4 B4 / R6 R7 J / R5 K5 B5",
            MOVED,
            "a meld that lies as it lay lends nothing",
            **ANY,
        ),
        case("R4 J R6 / R5 K5 B5", "R4 K4 B4 / R6 R7 J / B5 R5 K5", MOVED, "nor in another order", **ANY),
        case(
            "R4 J R6 / R5 K5 B5",
            "R4 K4 B4 / R6 R7 J / R5 K5 B5 O5",
            "legal",
            "6.6 one that grows may have lent it",
            **ANY,
        ),
        case("R4 J R6", "R4 K4 B4 / R6 K6 B6 / J R5 B5", "legal", "the hand's replaces under any too", **ANY),
        case(
            "R4 J R6 / R4 J R6 / R5 K5 B5 O5",
            "R4 K4 B4 / R4 K4 O4 / R6 R7 J / R6 R7 J / R5 K5 O5 / B5 B6 B7",
            MOVED,
            "one tile of the table does not replace two",
            **ANY,
        ),
        case("K2 R2 B2 J", "K2 R2 B2 / K5 K6 J", MOVED, "the fourth of a group", **FREE),
        case("K2 R2 B2 J", "K2 R2 B2 / J O3 O4", "legal", "not locked, it moves as what it stands for", **FREE),
        case("K2 R2 B2 J", "K2 R2 B2 / O3 J O4", "legal", "also where that is one of its readings", **FREE),
        case("K2 R2 B2 J", "K2 R2 B2 / J O3 O4", BROKEN, "locked, it does not", **LOCKED),
        case("R4 J R6", "R4 K4 B4 / R6 K6 B6 / J R6 R7", "legal", "moved as R5 from a meld that is gone", **FREE),
        case("R4 J R6 R7", "R6 R7 R8 / R4 B4 O4 / J K7 K8", MOVED, "moved as another tile", **FREE),
        case("K4 J", "K4 K5 K6 / J R1 R2", "legal", "3.6 in a row that was no meld it stood for nothing"),
        case("K4 R9 J", "K4 K5 K6 / R9 K9 B9 / J R1 R2", "legal", "3.6 nor in this one", **ANY),
    ],
)
def test_6_1_a_joker_keeps_standing_until_replaced(before, after, options, says):
    assert said(before, after, **options) == says


@pytest.mark.parametrize("after", ["R4 R5 R6 / K9 K10 J", "R4 B4 O4 / R6 K6 J", "J R4 R6"])
def test_6_1_a_free_joker_is_asked_nothing(after):
    assert said("R4 J R6", after, "pup-rummy") in ("legal", "draw")


@pytest.mark.parametrize(
    ("before", "after", "options", "says"),
    [
        case("K2 R2 J", "K2 R2 O2 / B7 J B9", "legal", "one colour"),
        case("K2 R2 J", "K2 R2 B2 / B7 J B9", "legal", "the other"),
        case("K2 R2 J", "K2 R2 / B2 O2 / J B7 B8", "meld_too_short", "6.7 a bad row first"),
        case("K2 R2 J", "K2 R2 J B2", "legal", "a fourth beside it"),
        case("K2 R2 J", "K2 R2 O2 B2 / J B7 B8", "legal", "both at once"),
        case("K2 J J", "K2 O2 B2 / J J B9", "legal", "two jokers, two tiles"),
        case("K2 J J", "K2 O2 J / J B8 B9", "legal", "two jokers, one tile"),
        case("K2 R2 J", "K2 K3 K4 / R2 R3 R4 / J B2 O3", "not_a_meld", "6.7 nor while one is mixed"),
        case("K2 R2 J", "K2 K3 K4 / R2 R3 R4 / J B1 B3", "legal", "moved as one of them", **FREE),
    ],
)
def test_6_2_in_a_group_of_three_it_stands_for_either_colour(before, after, options, says):
    assert said(before, after, **options) == says


@pytest.mark.parametrize(
    ("before", "after", "options", "says"),
    [
        case("R3 R4 J R6", "R4 J R6 / R3 K3 B3", BROKEN, "robbed"),
        case("R3 R4 J R6", "R4 J R6 / R3 K3 B3", "legal", "not locked", **FREE),
        case("R3 R4 J R6 R7 R8", "R3 R4 J / R6 R7 R8", BROKEN, "split"),
        case("R3 R4 J R6 R7 R8", "R3 R4 J / R6 R7 R8", "draw", "split, not locked", **FREE),
        case("R3 R4 J R6 R7 R8", "R3 R4 R5 / R6 R7 R8 / J K1 K2", "legal", "split once all jokers are replaced"),
        case("R1 R2 J / R4 J R6", "R1 R2 J R4 J R6", "draw", "joined"),
        case("R1 R2 J / R4 J R6", "R1 R2 J R4 J R6 R7", "legal", "joined and grown"),
        case("R1 R2 J / R4 R5 R6", "R1 R2 J R4 R5 R6", "draw", "joined with a plain meld"),
        case("R3 R4 J / R4 R5 R6", "R3 R4 J R6 / R4 R5 R7", "run_has_gap", "6.7 bad row"),
        case("R4 J R6 / R7 R8 R9 R10", "R4 J R6 R7 / R8 R9 R10", "draw", "grown by a tile of the table"),
        case("R3 J J R6", "R3 R4 J R6 / J K1 K2", "legal", "one of two replaced"),
        case("R3 J J R6", "R4 J R6 R7 / R3 K3 B3 / J K1 K2", BROKEN, "one of two replaced, a tile taken"),
        case("R3 J J R6", "R3 J R5 R6 / R4 K4 B4 / J K1 K2", "legal", "the other one of the two"),
        case("R3 J J R6", "R3 J R5 R6 / R4 K4 B4 / J K1 K2", "legal", "not locked either", **FREE),
        case("R3 J J R6 R7", "J R6 R7 R8 / R3 K3 B3 / R4 K4 J", BROKEN, "the replacing tile is locked too"),
        case("R3 J J R6 R7", "J R6 R7 R8 / R3 K3 B3 / R4 K4 J", "legal", "the replacing tile is not locked", **FREE),
        case("R3 J J R6", "R3 R4 R5 R6", "tile_taken_back", "6.5 a joker never goes to the hand"),
        case("R4 J R6 / R5 K5 J", "R4 R5 R6 / R5 K5 B5 / K1 J J", "legal", "both replaced"),
    ],
)
def test_6_3_a_meld_with_a_joker_is_locked(before, after, options, says):
    assert said(before, after, **options) == says


@pytest.mark.parametrize(
    ("before", "after", "options", "says"),
    [
        case(
            "R4 J R6 / R5 J R7 R8",
            "R4 R5 R6 / R6 R7 R8 / J J K9",
            "legal",
            "out of a meld whose jokers are all replaced before",
            **ANY,
        ),
        case(
            "R4 J R6 / R5 J R7",
            "R4 R5 R6 / J J R7 / K1 K2 K3",
            BROKEN,
            "under hand it is the lock that stands in the way",
        ),
        case("R4 J R6 / R5 J R7 R8", "R4 R5 R6 / J R7 R8 / J K9 K10", BROKEN, "out of a locked meld", **ANY),
        case("R4 J R6 / R5 J R7 R8", "R4 R5 R6 / J R7 R8 / J K9 K10", "legal", "out of one not locked", **ANY, **FREE),
        case(
            "R4 J R6 / R5 J B5",
            "R4 R5 R6 / J J B5",
            "draw",
            "6.6 nothing says which joker is which: K5 stays, the other is R5",
            **ANY,
            **FREE,
        ),
        case(
            "R4 J R6 / K4 R5 J",
            "R4 R5 R6 / K4 R4 J / J K9 K10",
            "legal",
            "K4 R5 J was no meld, its joker and tiles are free",
            **ANY,
        ),
        case(
            "R4 J R6 R7 / R5 J B5 O5",
            "R4 R5 R6 / R7 B7 O7 / J B5 O5 / K5 K4 J",
            "legal",
            "out of one that the hand freed",
            **ANY,
        ),
        case(
            "R2 R3 J R5 / K4 R4 J O4",
            "R2 R3 R4 / B4 K4 O4 / J J R5",
            "legal",
            "the first by the hand, the second then by the table",
            **ANY,
        ),
    ],
)
def test_6_3_a_replacing_tile_of_the_table_comes_from_no_locked_meld(before, after, options, says):
    assert said(before, after, **options) == says


CIRCLE = "R4 J R6 / R5 J R7", "R4 K4 B4 / R5 K5 B5 / R6 K6 B6 / R7 J J"


def test_6_3_two_locked_melds_do_not_free_each_other():
    assert said(*CIRCLE, **ANY) == BROKEN
    assert said(*CIRCLE, **ANY, **FREE) == "legal"


def test_6_3_a_tile_of_the_hand_opens_the_circle():
    before, after = CIRCLE
    assert said(before, after + " / R5 R6 R7", **ANY) == "legal"
    assert said(before, after + " / R5 O5 K5", **ANY) == "legal"


def test_6_3_four_locked_melds_do_not_free_each_other_in_a_circle():
    before = "B6 B7 J / K8 B8 O8 J / J R7 R8 / K6 R6 O6 J"
    after = "B6 B7 B8 / K8 O8 R8 / R6 R7 J J / K6 O6 J J"
    assert said(before, after, **BIG, **ANY) == BROKEN
    assert said(before, after, **BIG, **ANY, **FREE) == "draw"
    assert said(before, after + " / B6 R6 O6", **BIG, **ANY) == "legal"


def test_6_1_a_meld_that_lies_as_it_lay_lends_nothing_though_its_joker_may_have_been_replaced():
    before = "R4 J R6 / R5 J R7"
    after = "R5 J R7 / R4 K4 B4 / R6 K6 B6 / R6 R7 R8 / J K1 K2"
    assert said(before, after, **ANY) == said(before, after, **ANY, **FREE) == MOVED
    assert said(before, after + " / R5 K5 B5", **ANY) == "legal"


def test_6_3_a_third_meld_that_waits_does_not_hide_a_circle():
    before = "K4 B4 O4 J / R4 J R6 / R5 J R7"
    after = "K4 R4 O4 / B4 B5 B6 / R5 K5 O5 / R6 K6 O6 / R7 J J / J K1 K2"
    assert said(before, after, **BIG, **ANY) == BROKEN
    assert said(before, after + " / R5 R6 R7", **BIG, **ANY) == "legal"


def test_6_3_a_freed_meld_lends_each_of_its_tiles_once():
    before = "K5 B5 O5 J / K5 B5 O5 J / R5 J R7 / R5 J R7"
    after = "K5 B5 O5 / K5 B5 O5 / R5 R6 R7 / R5 J R7 R8 / J J J K1"
    assert said(before, after, **BIG, **ANY) == BROKEN
    assert said(before, after + " / R5 B5 K5", **BIG, **ANY) == "legal"


def test_6_1_one_tile_of_the_hand_replaces_one_joker_and_a_locked_copy_none():
    before = "K5 B5 O5 J / K5 B5 O5 J / R5 J R7"
    after = "K5 B5 O5 / K5 B5 O5 / R5 J R7 R8 / J J K1 / R5 R6 R7"
    assert said(before, after.replace(" / R5 R6 R7", " / R5 R4 R3"), **BIG, **ANY) == BROKEN
    assert said(before, after + " / R5 B5 K5", **BIG, **ANY) == "legal"


def test_6_3_a_chain_of_locked_melds_frees_one_after_the_other():
    before = "R4 J R6 / R5 J R7 / R6 J B6"
    after = "R4 K4 B4 / R5 K5 B5 / R6 R6 B6 / R7 J J / J K1 K2"
    assert said(before, after, **BIG, **ANY) == "group_repeats_colour"
    after = "R4 K4 B4 / R5 K5 B5 / R6 K6 B6 / R6 R7 R8 / J J J K9"
    assert said(before, after, **BIG, **ANY) == "legal"


@pytest.mark.parametrize(
    ("before", "after", "options", "says"),
    [
        case(
            "R4 J R6 / R5 K5 B5 O5 / K7 K8 K9", "R4 R5 R6 / K5 B5 O5 / J K7 K8 K9", f"{NOT_HAND} {REUSE}", "two", **OWN
        ),
        case("R3 R4 J R6 / K7 K8 K9", "R4 R5 R6 / K7 K8 K9 J / R3 K3 B3", REUSE, "the first that does it alone", **OWN),
        case("R3 R4 J R6 / O1 O2 O3", "R3 O3 B3 / J R6 R4 / O1 O2 K2", "not_a_meld", "not before all are melds"),
        case("R3 R4 R5 J", "R3 R4 R5 / J K1 K2", MOVED, "nothing does it", **OWN),
        case("R3 R4 R5 J", "R3 R4 R5 / J R7 R8", BROKEN, "unlocking does it", **OWN),
        case(
            "R3 R4 J R6 / R5 J R7 / K7 K8 K9",
            "R3 R4 R5 / J R6 R7 / K7 K8 K9 J",
            f"{NOT_HAND} {BROKEN} {REUSE}",
            "all three",
            **OWN,
        ),
        case(
            "R3 R4 J R6 / R5 J R7 / K7 K8 K9",
            "R3 R4 R5 / J R6 R7 / K7 K8 K9 J",
            f"{NOT_HAND} {BROKEN}",
            "a pair of two",
        ),
    ],
)
def test_6_7_which_code(before, after, options, says):
    assert said(before, after, **options) == says


def test_6_7_faults_of_the_opening_do_not_hide_those_of_jokers():
    assert said("R5 R6 J", "J R5 R6", opened=False) == MOVED
    assert said("R3 R4 R5 J", "R3 R4 R5 / J K1 K2", opened=False) == (f"opening_too_low opening_touches_table {MOVED}")


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("mini-rummy", BROKEN),
        ("rummy-mini-es", "legal"),
        ("pup-rummy", "legal"),
        ("easy-rummy", "legal"),
        ("rrrummy", BROKEN),
        ("tiles-50", BROKEN),
        ("dutch-rummy", "legal"),
        ("classic-2009", "legal"),
        ("classic-2017", "legal"),
    ],
)
def test_12_a_robbed_meld_in_every_preset(preset, says):
    assert said("R3 R4 J R6", "R4 J R6 / R3 K3 B3", preset) == says


STRICT = [
    RuleSet(joker_reuse=reuse, joker_swap=swap, joker_meld_locked=locked, jokers=4)
    for reuse, swap, locked in product(JokerReuse, (JokerSwap.HAND, JokerSwap.ANY), (True, False))
]


def both(seed, jokers, rows, tiles):
    before, after = small_turn(random.Random(seed), jokers, rows)
    if after.tiles.total() > tiles:
        return
    for rules in STRICT:
        told = (str(before), str(after), rules.joker_reuse, rules.joker_swap, rules.joker_meld_locked)
        yield told, set(joker_faults(Turn(before, after), rules)), oracle_codes(before, after, rules)


@pytest.mark.parametrize("jokers", [2, 4])
def test_6_6_agrees_with_a_slow_oracle(jokers):
    compared = [one for seed in range(60) for one in both(seed, jokers, 3, 11)]
    assert [one for one in compared if one[1] != one[2]] == []
    assert len(compared) > 300


@pytest.mark.slow
@pytest.mark.parametrize("jokers", [2, 3, 4])
def test_6_6_agrees_with_a_slow_oracle_on_more_turns(jokers):
    assert [one for seed in range(1000, 1800) for one in both(seed, jokers, 4, 13) if one[1] != one[2]] == []


def test_a_turn_parsed_twice_is_judged_alike():
    turns = [Turn(Table.parse("R4 J R6"), Table.parse("J R4 K4 / R6 B6 O6")) for _ in range(2)]
    assert joker_faults(turns[0], STRICT[0]) == joker_faults(turns[1], STRICT[0]) == ("joker_moved",)
