from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arrange_search import best_answer
from referee.programme import Cut, Programme, Rank


def programme(gains, uppers, rows) -> Programme:
    """Columns with gains and upper bounds; rows of coefficients, one a column, with the most that they may sum to."""
    made = Programme()
    limits = [made.row(highest=most) for _, most in rows]
    for i, (gain, upper) in enumerate(zip(gains, uppers, strict=True)):
        entries = [(row, factors[i]) for row, (factors, _) in zip(limits, rows, strict=True)]
        made.column(entries, upper=upper, rank=Rank.MELD, gain=gain)
    return made


@st.composite
def problems(draw: st.DrawFn):
    columns = range(draw(st.integers(1, 4)))
    gains = [draw(st.integers(0, 4)) for _ in columns]
    uppers = [draw(st.integers(0, 2)) for _ in columns]
    rows = [([draw(st.integers(-1, 3)) for _ in columns], draw(st.integers(-1, 6))) for _ in range(2)]
    return gains, uppers, rows


@settings(max_examples=100, deadline=None)
@given(problems(), st.sets(st.integers(0, 80)), st.booleans())
def test_the_best_of_the_answers_that_pass_the_check(problem, refused, cuts):
    gains, uppers, rows = problem
    every = [values for values in product(*(range(upper + 1) for upper in uppers)) if obeys(values, rows)]
    good = [values for i, values in enumerate(every) if i not in refused]

    def check(values):
        if cuts and sum(values) == sum(uppers) > 0:
            return Cut(tuple((column, 1) for column in range(len(values))), sum(uppers) - 1)
        return tuple(values) if tuple(values) in good else None

    passing = [values for values in good if not (cuts and sum(values) == sum(uppers) > 0)]
    best = best_answer(programme(gains, uppers, rows), check)
    assert (best is None) == (not passing)
    assert best is None or gain(gains, best) == max(gain(gains, values) for values in passing)


def obeys(values, rows) -> bool:
    return all(sum(f * v for f, v in zip(factors, values, strict=True)) <= most for factors, most in rows)


def gain(gains, values) -> int:
    return sum(g * v for g, v in zip(gains, values, strict=True))


def test_two_coefficients_in_one_place_are_refused():
    made = Programme()
    row = made.row(highest=1)
    column = made.column([(row, 1)], upper=1, rank=Rank.MELD)
    made.put(row, column, 2)
    with pytest.raises(ValueError, match="two coefficients"):
        best_answer(made, lambda values: values)
