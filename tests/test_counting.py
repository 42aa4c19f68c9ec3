from itertools import product

import numpy as np
import pytest

from referee.table import Table
from vision import counting
from vision.counting import Candidates, Tables
from vision.inventory import Counts, Inventory
from vision.legal_rows import FACE_COUNT, JOKER_INDEX


def candidates(rows: list[tuple[int, ...]], weights: list[float]) -> Candidates:
    return Candidates(np.array([np.bincount(row, minlength=FACE_COUNT) for row in rows]), np.array(weights))


def random_rows(rng: np.random.Generator, faces: int) -> list[Candidates]:
    """Five rows of a few candidates, all of the same few faces, so that they are in each other's way."""
    rows = []
    for _ in range(5):
        count, length = int(rng.integers(1, 5)), int(rng.integers(1, 4))
        rows.append(candidates([tuple(rng.integers(0, faces, length)) for _ in range(count)], list(rng.random(count))))
    return rows


def all_tables(rows: list[Candidates], counts: Counts) -> tuple[list[np.ndarray], tuple[int, ...]]:
    """Go through all tables: the marginals, and the most probable one."""
    found, most = [np.zeros(len(row.weights)) for row in rows], (-1.0, ())
    for picks in product(*(range(len(row.weights)) for row in rows)):
        shown = sum(row.counts[pick] for row, pick in zip(rows, picks, strict=True))
        weight = float(np.prod([row.weights[pick] for row, pick in zip(rows, picks, strict=True)]))
        weight *= float(np.exp(sum(counts.settled(face, n, 0)[1][n] for face, n in enumerate(shown))))
        for one, pick in zip(found, picks, strict=True):
            one[pick] += weight
        most = max(most, (weight, picks))
    return [one / one.sum() for one in found], most[1]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("last", [None, "K1 K1 K2 / K3"], ids=["no table before", "a table before"])
def test_sums_and_maxima_over_all_tables_are_exact(seed: int, last: str | None):
    rows = random_rows(np.random.default_rng(seed), 4)
    counts = Counts.of(Inventory(2, 1), last and Table.parse(last), excess=0.01, missing=0.2)
    each, most = all_tables(rows, counts)
    for found, true in zip(Tables.of(rows, counts).marginals(), each, strict=True):
        assert found == pytest.approx(true, abs=1e-9)
    assert tuple(Tables.of(rows, counts).best()) == most


def test_rows_that_are_in_nobodys_way_keep_their_weights():
    rows = [candidates([(0,), (1,)], [3.0, 1.0]), candidates([(2,), (3,)], [1.0, 1.0])]
    counts = Counts.of(Inventory(), None, 1e-3, 0.1)
    assert Tables.of(rows, counts).marginals()[0] == pytest.approx([0.75, 0.25])


def test_no_rows_have_no_marginals():
    counts = Counts.of(Inventory(), None, 1e-3, 0.1)
    assert Tables.of([], counts).marginals() == Tables.of([], counts).best() == []


def test_a_third_copy_gives_way_to_what_else_it_may_be():
    sure = [candidates([(7,)], [1.0]), candidates([(7,)], [1.0])]
    rows = [*sure, candidates([(7,), (8,)], [0.95, 0.05])]
    told = Tables.of(rows, Counts.of(Inventory(), None, 1e-3, 0.1)).marginals()[2]
    assert told[1] == pytest.approx(0.05 / (0.05 + 0.95e-3))


def test_with_too_many_states_the_least_probable_go(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(3)
    rows = [candidates([(k,) for k in range(6)], list(rng.dirichlet(np.full(6, 0.3)))) for _ in range(9)]
    counts = Counts.of(Inventory(2, 1), None, 0.05, 0.1)
    exact = Tables.of(rows, counts).marginals()
    monkeypatch.setattr(counting, "MOST_STATES", 150)
    for found, true in zip(Tables.of(rows, counts).marginals(), exact, strict=True):
        assert found == pytest.approx(true, abs=0.1)
        assert found.sum() == pytest.approx(1)


def test_the_set_says_how_many_there_are():
    counts = Inventory(3, 4).counts
    assert (counts[0], counts[JOKER_INDEX], counts.sum()) == (3, 4, 160)


@pytest.mark.parametrize(
    ("shown", "odds"),
    [((2, 0), 1.0), ((3, 0), 1e-3), ((4, 0), 1e-6), ((0, 0), 0.01), ((2, 3), 1e-3)],
    ids=["as before", "one too many", "two too many", "two missing", "another too many"],
)
def test_counts_have_odds(shown: tuple[int, int], odds: float):
    counts = Counts.of(Inventory(), Table.parse("K1 K1 K1"), excess=1e-3, missing=0.1)
    logs = [counts.settled(face, n, 0)[1][n] for face, n in enumerate(shown)]
    assert np.exp(sum(logs)) == pytest.approx(odds)


@pytest.mark.parametrize(
    ("left", "same"),
    [(0, [2, 2, 2, 2, 2]), (1, [1, 1, 2, 2, 2]), (2, [0, 1, 2, 2, 2])],
    ids=["none left", "one left", "two left"],
)
def test_counts_that_cost_the_same_whatever_comes_are_one(left: int, same: list[int]):
    found, logs = Counts.of(Inventory(2, 2), None, excess=1e-3, missing=0.1).settled(0, 4, left)
    assert found.tolist() == same
    assert np.exp(logs) == pytest.approx([1, 1, 1, 1e-3, 1e-6])


def test_a_count_that_can_no_longer_be_as_before_has_its_cost_at_once():
    counts = Counts.of(Inventory(2, 2), Table.parse("K1 K1 K1"), excess=1e-3, missing=0.1)
    found, logs = counts.settled(0, 3, 1)
    assert found.tolist() == [1, 1, 2, 2]
    assert np.exp(logs) == pytest.approx([0.1, 1, 1, 1e-3])


def test_hundreds_of_tiles_that_look_alike_are_counted():
    """As a chequered cloth shows them to a detector; the odds of so many too many are smaller than any number."""
    faces = np.vstack([np.eye(FACE_COUNT, dtype=int)[:5], np.zeros((1, FACE_COUNT), int)])
    one = Candidates(faces, np.array([0.3, 0.2, 0.2, 0.2, 0.1, 1e-15]))
    counts = Counts.of(Inventory(), None, excess=1e-3, missing=0.1)
    tables = Tables.of([one] * 460, counts)
    assert np.allclose([part.sum() for part in tables.marginals()], 1)
    assert len(tables.best()) == 460
