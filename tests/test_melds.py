import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.melds import is_meld, joker_roles, meld_points, row_fault
from referee.tiles import JOKER, NUMBERED, Tile, format_tiles, parse_tiles
from referee.verdict import FaultCode

MELDS = [
    "K10 R10 B10",
    "K1 R1 B1 O1",
    "K7 R7 J",
    "K7 J J",
    "K7 R7 J J",
    "K7 R7 B7 J",
    "K7 J J J",
    "R1 R2 R3",
    "R11 R12 R13",
    "R3 R4 R5 R6",
    "R5 R3 R4",
    "R5 R4 R3",
    "B9 J B11",
    "R12 R13 J",
    "J R1 R2",
    "R1 J J",
    "R13 J J",
    "R5 J J J J",
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13",
    "R1 J R3 R4 R5 R6 R7 R8 R9 R10 R11 J R13",
]


@pytest.mark.parametrize("row", MELDS)
def test_3_1_3_2_melds(row):
    assert is_meld(parse_tiles(row))


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("R3", "loose_tile"),
        ("J", "loose_tile"),
        ("R3 R4", "meld_too_short"),
        ("J J", "meld_too_short"),
        ("R3 K9", "meld_too_short"),
        ("K7 R7 B7 O7 K7", "group_too_long"),
        ("K7 R7 B7 O7 J", "group_too_long"),
        ("K7 K7 B7 O7 J", "group_too_long"),
        ("K7 R7 J J J", "group_too_long"),
        ("R4 R4 B4", "group_repeats_colour"),
        ("R4 R4 J", "group_repeats_colour"),
        ("R4 R4 R4", "group_repeats_colour"),
        ("K4 R4 B4 R4", "group_repeats_colour"),
        ("R4 R4 R5", "run_repeats_number"),
        ("R4 R5 R6 R5", "run_repeats_number"),
        ("R4 R5 R5 J", "run_repeats_number"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1", "run_repeats_number"),
        ("R12 R13 R1", "run_wraps"),
        ("R13 R1 R2", "run_wraps"),
        ("R13 J R1", "run_wraps"),
        ("R1 J R13", "run_wraps"),
        ("R12 J J R2", "run_wraps"),
        ("R11 R12 R13 R1 R2 R3", "run_wraps"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J", "run_wraps"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 J J", "run_wraps"),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J J", "run_wraps"),
        ("R3 R4 R6", "run_has_gap"),
        ("R3 J R6", "run_has_gap"),
        ("R1 R13 R5", "run_has_gap"),
        ("R13 R2 J", "run_wraps"),
        ("R12 R2 J", "run_has_gap"),
        ("R3 R4 B5", "not_a_meld"),
        ("R3 B3 R4", "not_a_meld"),
        ("R3 B4 J", "not_a_meld"),
        ("J J J", "not_a_meld"),
        ("J J J J J", "not_a_meld"),
    ],
)
def test_faults_of_rows(row, code):
    assert row_fault(parse_tiles(row)) == code


@pytest.mark.parametrize("row", ["K7 J J", "K7 R7 J J", "R5 J J J", "R3 J R5 J"])
def test_3_9_naturals_outnumber(row):
    assert row_fault(parse_tiles(row), naturals_outnumber=True) is FaultCode.TOO_MANY_JOKERS
    assert row_fault(parse_tiles(row)) is None


@pytest.mark.parametrize("row", ["K7 R7 J", "R3 J R5", "R3 J R5 R6 J", "K7 R7 B7"])
def test_3_9_more_numbers_than_jokers_will_do(row):
    assert row_fault(parse_tiles(row), naturals_outnumber=True) is None


def test_3_9_an_invalid_meld_keeps_its_own_fault():
    assert row_fault(parse_tiles("R3 J J R9"), naturals_outnumber=True) is FaultCode.RUN_HAS_GAP


@pytest.mark.parametrize(
    ("row", "roles"),
    [
        ("R4 R5 R6", [""]),
        ("R4 J R6", ["R5"]),
        ("R6 J R4", ["R5"]),
        ("J R5 R6", ["R4"]),
        ("R6 R5 J", ["R4"]),
        ("R5 R6 J", ["R7"]),
        ("J R6 R5", ["R7"]),
        ("R5 J R6", ["R4", "R7"]),
        ("R12 R13 J", ["R11"]),
        ("J R13 R12", ["R11"]),
        ("J R1 R2", ["R3"]),
        ("R2 R1 J", ["R3"]),
        ("R5 R7 J J", ["R4 R6", "R6 R8"]),
        ("R5 R7 J", ["R6"]),
        ("K2 R2 J", ["B2", "O2"]),
        ("J R2 K2", ["B2", "O2"]),
        ("K2 R2 B2 J", ["O2"]),
        ("K2 R2 J J", ["B2 O2"]),
        ("R5 J J", ["R6 R7", "R3 R4", "B5 K5", "B5 O5", "K5 O5"]),
        ("J R5 J", ["R4 R6", "B5 K5", "B5 O5", "K5 O5"]),
        ("R13 J J", ["R11 R12", "B13 K13", "B13 O13", "K13 O13"]),
        ("J R13 J", ["B13 K13", "B13 O13", "K13 O13"]),
        ("R5 J J J", ["R6 R7 R8", "R2 R3 R4", "B5 K5 O5"]),
        ("R5 J J J J", ["R6 R7 R8 R9", "R1 R2 R3 R4"]),
        ("J R13 J J J", ["R9 R10 R11 R12"]),
        ("R3 J J R5", ["R2 R4", "R4 R6"]),
        ("R11 J J R12", ["R10 R13", "R9 R10"]),
        ("R4 R6", []),
        ("R4 R5 R9 J", []),
        ("J J J", []),
    ],
)
def test_3_6_what_jokers_stand_for(row, roles):
    given_roles = {format_tiles(sorted(each, key=str)) for each in joker_roles(parse_tiles(row))}
    assert given_roles == {format_tiles(sorted(parse_tiles(each), key=str)) for each in roles}


@pytest.mark.parametrize(
    ("row", "points", "without"),
    [
        ("K10 R10 B10", 30, 30),
        ("R9 R10 R11", 30, 30),
        ("B9 J B11", 30, 20),
        ("R10 R9 J", 30, 19),
        ("R9 R10 J", 30, 19),
        ("R12 R13 J", 36, 25),
        ("R1 R2 J", 6, 3),
        ("R5 J J", 18, 5),
        ("R13 J J", 39, 13),
        ("R12 J J", 36, 12),
        ("R11 J J", 36, 11),
        ("K10 R10 J", 30, 20),
        ("K1 R1 B1 J", 4, 3),
        ("R3 J R5 R6 J", 25, 14),
        ("R11 J R13 J", 46, 24),
    ],
)
def test_3_6_5_2_points(row, points, without):
    assert meld_points(parse_tiles(row)) == points
    assert meld_points(parse_tiles(row), jokers_count=False) == without


rows = st.lists(st.sampled_from([*NUMBERED, JOKER, JOKER, JOKER]), min_size=1, max_size=6).map(tuple)
near_rows = st.builds(
    lambda colour, numbers, jokers: tuple(Tile(colour, n) for n in numbers) + (JOKER,) * jokers,
    st.sampled_from([t.colour for t in NUMBERED]),
    st.lists(st.integers(1, 13), min_size=1, max_size=5),
    st.integers(0, 2),
)


@settings(deadline=None)
@given(rows | near_rows, st.randoms())
def test_3_7_the_order_is_no_fault(row, rng):
    mixed = tuple(rng.sample(row, len(row)))
    assert row_fault(mixed) == row_fault(row)
    assert not is_meld(row) or meld_points(mixed) == meld_points(row)


@settings(deadline=None)
@given(rows | near_rows)
def test_3_6_a_joker_stands_for_what_makes_the_meld_valid(row):
    for roles in joker_roles(row):
        numbered = [tile for tile in row if tile != JOKER]
        assert row_fault((*numbered, *roles)) is None
        assert not set(numbered) & set(roles)


@settings(deadline=None)
@given(rows | near_rows)
def test_a_row_has_roles_exactly_if_it_is_a_meld(row):
    assert bool(joker_roles(row)) == is_meld(row)


@settings(deadline=None)
@given(rows | near_rows)
def test_3_6_no_reading_is_worth_more_than_the_points(row):
    totals = [sum(t.number for t in (*row, *roles)) for roles in joker_roles(row)]
    assert not totals or max(totals) <= meld_points(row)


def test_every_plain_meld_is_found_and_nothing_else():
    runs = {tuple(Tile(c, n) for n in range(a, b)) for c in "KRBO" for a in range(1, 12) for b in range(a + 3, 15)}
    groups = {
        tuple(Tile(c, n) for c in colours)
        for n in range(1, 14)
        for size in (3, 4)
        for colours in itertools.combinations("KRBO", size)
    }
    threes = {row for row in itertools.combinations(NUMBERED, 3) if is_meld(row)}
    assert {frozenset(row) for row in threes} == {frozenset(row) for row in runs | groups if len(row) == 3}
    assert all(is_meld(row) for row in runs | groups)
