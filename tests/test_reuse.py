import pytest
from joker_cases import BIG, OWN, REUSE, TWO_OWN, case
from judged import said


@pytest.mark.parametrize(
    ("before", "after", "options", "says"),
    [
        case("R4 J R6 / K7 K8 K9", "R4 R5 R6 / K7 K8 K9 J", "legal", "anywhere"),
        case("R4 J R6 / K7 K8 K9", "R4 R5 R6 / K7 K8 K9 J", REUSE, "own: not to a meld of the table", **OWN),
        case("R4 J R6", "R4 R5 R6 / B1 B2 J", "legal", "own: a meld of the hand", **OWN),
        case("R4 J R6 R7", "R4 R5 R6 / R7 K7 J", REUSE, "own: one tile of the table in it", **OWN),
        case("R4 J R6 / K1 J K3", "R4 R5 R6 / K1 K2 K3 / B1 J J", "legal", "own: two replaced ones", **OWN),
        case("R4 J R6", "R4 R5 R6 / B1 J J", "legal", "own: one replaced, one of the hand", **OWN),
        case("R4 J R6 / B1 J B3 B4", "R4 R5 R6 / B1 K1 O1 / B3 B4 B5 / O2 J J", REUSE, "own: beside a kept one", **OWN),
        case("R4 J R6", "R4 J R6 R7 / R5 K5 B5", "legal", "own: a joker that is not replaced may stay", **OWN),
        case("R4 J R6", "R4 R5 R6 J", REUSE, "own: put back to its meld", **OWN),
        case("R4 J R6", "R4 J R6 / R5 K5 B5", "legal", "own: nothing replaced at all", **OWN),
        case(
            "R4 J R6", "R4 B4 O4 / R6 B6 O6 / R5 K5 J", "legal", "own: the replacing tile counts where it lies", **OWN
        ),
        case("R4 J R6 / K7 K8 K9 K10", "R4 R5 R6 / K7 K8 K9 / K10 B10 J", REUSE, "two own: one of the hand", **TWO_OWN),
        case("R4 J R6 / K7 K8 K9", "R4 R5 R6 / K7 K8 K9 / K10 B10 J", "legal", "two own: two of the hand", **TWO_OWN),
        case(
            "R4 J R6 / K7 K8 K9 K10",
            "R4 R5 R6 / K7 K8 K9 / K10 J J",
            REUSE,
            "two own: a joker of the hand is one",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K7 K8 K9 K10",
            "R4 R5 R6 / K7 K8 K9 / K10 B10 J J",
            "legal",
            "two own: a joker of the hand and a tile are two",
            **TWO_OWN,
        ),
        case("R4 J R6 / K1 J K3", "R4 R5 R6 / K1 K2 K3 / B1 J J", REUSE, "two own: replaced ones are none", **TWO_OWN),
        case("R4 J R6 / K7 K8 K9", "R4 R5 R6 / K7 K8 K9 K10 K11 J", REUSE, "two own: not a new meld", **TWO_OWN),
        case(
            "R4 J R6 / K7 K8 K9",
            "R4 R5 R6 / K7 K8 K9 / K7 K8 K9 J",
            "legal",
            "two own: new, of copies from the hand",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K7 K8 K9 / K9 B9 O9 R9",
            "R4 R5 R6 / K7 K8 K9 J / K7 K8 K9 / R9 B9 O9",
            "legal",
            "two own: new, the old one lies elsewhere",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K7 K8 K9 / K9 B9 O9 R9",
            "R4 R5 R6 / K7 K8 K9 J / K7 K8 K9 K10 / R9 B9 O9",
            "legal",
            "two own: it lies elsewhere in a longer one",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K7 K8 K9 / K7 K8 K9",
            "R4 R5 R6 / J K7 K8 K9 K10 K11 / K7 K8 K9",
            REUSE,
            "two own: of two equal melds one only lies elsewhere",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K4 J K6",
            "R4 R5 R6 / K4 K5 K6 / R1 B1 J / R2 B2 J",
            "legal",
            "two own: two new melds of two each",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K4 J K6 / O1 O2 O3 O4 / O3 O4 O5 O6",
            "R4 R5 R6 / K4 K5 K6 / O1 O2 O3 / O4 O5 O6 / O3 J B3 / O4 J B4",
            REUSE,
            "two own: one of the hand in each",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K4 J K6 / R1 R2 R3",
            "R4 R5 R6 / K4 K5 K6 / R1 B1 J / R1 O1 J / R2 R3 R4",
            REUSE,
            "two own: each tile counts for one meld",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K4 J K6",
            "R4 R5 R6 / K4 K5 K6 / R1 B1 J / R1 O1 J",
            "legal",
            "two own: enough copies for two melds",
            **TWO_OWN,
        ),
        case(
            "R4 J R6 / K4 J K6 / R8 R9 R10 R11",
            "R4 R5 R6 / K4 K5 K6 / R8 R9 R10 J K10 / J R11 R12 R13",
            "not_a_meld",
            "6.7 a bad row first",
            **TWO_OWN,
        ),
    ],
)
def test_6_4_where_a_replaced_joker_may_lie(before, after, options, says):
    assert said(before, after, **({"joker_meld_locked": False} | options)) == says


@pytest.mark.parametrize("locked", [True, False])
def test_6_4_a_tile_played_counts_wherever_it_lies(locked):
    before = "R3 J J R6 / R4 R5 R6 R7"
    after = "R3 R4 J R6 / R5 R6 R7 / R4 B4 J"
    assert said(before, after, joker_meld_locked=locked, **OWN) == "legal"
    assert said(before, after, joker_meld_locked=locked, **TWO_OWN) == "legal"


def test_6_4_a_tile_played_counts_for_one_new_meld_only():
    before = "K3 J K5 / O3 J O5 / R4 R5 R6 R7"
    after = "K3 K4 K5 / O3 O4 O5 / R5 R6 R7 / R4 B4 J / R4 O4 J"
    assert said(before, after, **OWN) == said(before, after, **TWO_OWN) == REUSE
    after = after.replace("R4 O4 J", "K4 O4 J").replace("R5 R6 R7", "R4 R5 R6 R7")
    assert said(before, after, **OWN) == said(before, after, **TWO_OWN) == "legal"


def test_6_4_a_replaced_joker_is_no_part_of_the_meld_that_it_left():
    assert said("J B7 B8", "B6 B7 B8 / B7 B8 J", "classic-2009") == "legal"
    assert said("J B7 B8", "B6 B7 B8 / B7 B8 J", "tiles-50") == "legal"
    assert said("J B7 B8", "B6 B7 B8 J", "classic-2009") == REUSE
    assert said("J B7 B8 / K8 O8 B8 R8", "B6 B7 B8 / B7 B8 J / K8 O8 R8", "classic-2009") == REUSE


def test_6_4_a_locked_meld_that_grew_is_not_new():
    after = "R4 J R6 J J / K4 K5 K6"
    assert said("R4 J R6 / K4 J K6", after, **BIG, **TWO_OWN) == REUSE
    assert said("R4 J R6 / K4 J K6", after, **BIG) == "legal"


def test_6_4_a_replacing_tile_counts_for_the_new_meld_it_is_locked_in():
    before, after = "K1 K2 K3 / R2 R3 J J J", "K1 K2 K3 / R2 R3 R4 R5 J J R8 / J B9 B10"
    assert said(before, after, **BIG, **TWO_OWN) == "legal"
