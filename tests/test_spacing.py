import numpy as np
import pytest

from vision.spacing import Spacing


def table_gaps(usual: float, scatter: float, partings: list[float], count: int = 40) -> list[float]:
    rng = np.random.default_rng(2)
    return [*np.maximum(rng.normal(usual, scatter, count), 0), *partings]


@pytest.mark.parametrize(
    ("usual", "scatter"), [(0.01, 0.01), (0.1, 0.04), (0.3, 0.03)], ids=["tight", "loose", "roomy"]
)
@pytest.mark.parametrize("partings", [[], [0.5, 0.6, 0.65, 0.7, 0.55] * 4], ids=["melds all over", "melds in lines"])
def test_the_usual_gap_is_found_whatever_parts(usual: float, scatter: float, partings: list[float]):
    found = Spacing.of(table_gaps(usual, scatter, partings))
    assert found.usual == pytest.approx(usual, abs=0.03)
    assert found.scatter < 0.06


def test_partings_grow_with_the_gap():
    odds = [Spacing().partings([gap])[0] for gap in (-0.05, 0.03, 0.1, 0.2, 0.3, 0.45, 0.8)]
    assert odds == sorted(odds)
    assert odds[1] < 0.01
    assert odds[-1] > 12


def test_a_table_of_melds_in_lines_parts_at_smaller_gaps():
    sparse = Spacing.of(table_gaps(0.02, 0.02, []))
    lined = Spacing.of(table_gaps(0.02, 0.02, [0.22, 0.25, 0.3, 0.28] * 4))
    assert lined.partings([0.2])[0] > 1 > sparse.partings([0.2])[0]


def test_a_chain_that_is_laid_roomily_does_not_part():
    assert max(Spacing().partings([0.45, 0.48, 0.44])) < 0.1
    assert Spacing().partings([0.02, 0.48, 0.01])[1] > 10


def test_no_gaps_leave_what_is_taken_for_granted():
    assert Spacing.of([]) == Spacing()
    assert Spacing().partings([]) == ()
