from itertools import product

import numpy as np
import pytest

from referee.melds import is_meld
from vision.legal_rows import (
    FACE_COUNT,
    FACES,
    FALLING,
    JOKER_INDEX,
    Sequences,
    legal_sequences,
    legal_sums,
    neighbours,
)


def tiles(row) -> tuple:
    return tuple(FACES[face] for face in row)


@pytest.mark.parametrize("jokers", [0, 1, 2, 4])
def test_every_sequence_of_three_is_a_meld_and_none_is_left_out(jokers: int):
    found = set(map(tuple, legal_sequences(3, jokers).faces.tolist()))
    for row in product(range(0, FACE_COUNT, 1), repeat=3):
        if row in found:
            assert is_meld(tiles(row)), row
            assert row.count(JOKER_INDEX) <= jokers
    melds = sum(row.count(JOKER_INDEX) <= jokers and is_meld(tiles(row)) and in_order(row) for row in some_rows())
    assert melds == sum(row in found for row in some_rows())


def some_rows() -> list[tuple[int, ...]]:
    """All rows of three over the faces of two colours' first four numbers and the joker."""
    faces = [*range(4), *range(13, 17), JOKER_INDEX]
    return list(product(faces, repeat=3))


def in_order(row: tuple[int, ...]) -> bool:
    """Whether a run rises or falls in the order it lies, jokers fitting; groups have no order."""
    known = [(place, face % 13) for place, face in enumerate(row) if face != JOKER_INDEX]
    group = len({number for _, number in known}) == 1
    rising = len({number - place for place, number in known}) == 1 and known[0][1] >= known[0][0]
    falling = len({number + place for place, number in known}) == 1 and known[-1][1] >= len(row) - 1 - known[-1][0]
    return group or rising or falling


@pytest.mark.parametrize("length", range(3, 14))
def test_sequences_of_every_length_are_melds_and_come_once(length: int):
    sequences = legal_sequences(length)
    assert len(set(map(tuple, sequences.faces.tolist()))) == len(sequences.faces)
    step = max(1, len(sequences.faces) // 200)
    assert all(is_meld(tiles(row)) for row in sequences.faces[::step].tolist())


@pytest.mark.parametrize("length", [1, 2, 14])
def test_no_meld_has_this_length(length: int):
    assert len(legal_sequences(length).faces) == 0


@pytest.mark.parametrize(
    ("row", "weight"),
    [
        pytest.param("R3 R4 R5", 1, id="rising"),
        pytest.param("R5 R4 R3", FALLING, id="falling"),
        pytest.param("R3 R5 R4", 0, id="in disorder"),
        pytest.param("R7 K7 B7", 1, id="group"),
        pytest.param("R3 J R5", 1, id="joker in the middle"),
        pytest.param("R5 J J", 1, id="rises, falls and is a group"),
        pytest.param("R12 R13 R1", 0, id="3.3"),
        pytest.param("R7 R7 B7", 0, id="a colour twice"),
    ],
)
def test_weights(row: str, weight: float):
    faces = tuple(next(k for k, face in enumerate(FACES) if str(face) == word) for word in row.split())
    assert legal_sequences(3).by_row().get(faces, 0) == weight


def test_sums_under_independent_beliefs_are_those_of_all_sequences():
    beliefs = np.random.default_rng(1).dirichlet(np.full(FACE_COUNT, 0.05), 3)
    found, all_rows = legal_sequences(3).under(beliefs), legal_sequences(3)
    terms = all_rows.weights * np.prod([beliefs[k, all_rows.faces[:, k]] for k in range(3)], axis=0)
    assert found.weights.sum() == pytest.approx(terms.sum())
    parts = found.parts()
    assert parts.sum(axis=1) == pytest.approx([terms.sum()] * 3)
    assert parts[1, 5] == pytest.approx(terms[all_rows.faces[:, 1] == 5].sum())


def test_parts_of_nothing_are_nothing():
    none = Sequences(np.zeros((0, 3), np.intp), np.zeros(0))
    assert none.parts().shape == (3, FACE_COUNT)


def test_neighbours_are_those_of_runs_groups_and_jokers():
    able, face = neighbours(), {str(f): k for k, f in enumerate(FACES)}
    assert able[face["R3"], face["R4"]] == able[face["R4"], face["R3"]] == able[face["R3"], face["B3"]] == 1
    assert able[face["R3"], face["J"]] == able[face["J"], face["J"]] == 1
    assert able[face["R3"], face["R3"]] == able[face["R3"], face["R5"]] == able[face["R13"], face["R1"]] == 0


@pytest.mark.parametrize("jokers", [0, 2, 4])
def test_sums_under_every_stretch_are_those_of_the_listed_sequences(jokers: int):
    beliefs = np.random.default_rng(3).dirichlet(np.full(FACE_COUNT, 0.2), 8)
    sums = legal_sums(beliefs, jokers)
    assert sorted(sums) == [3, 4, 5, 6, 7, 8]
    for length, found in sums.items():
        listed = legal_sequences(length, jokers)
        places = np.arange(length)
        terms = [(listed.weights * beliefs[s + places, listed.faces].prod(axis=1)).sum() for s in range(9 - length)]
        assert found == pytest.approx(terms, rel=1e-9)


def test_two_tiles_have_no_sums():
    assert legal_sums(np.full((2, FACE_COUNT), 1 / FACE_COUNT)) == {}
