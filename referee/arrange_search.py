"""Exact search over an integer programme: branch and bound on its relaxation, which HiGHS solves by the simplex method.

The relaxations of these programmes are nearly integral and each differs from the last in one bound, so that a warm
simplex needs a few steps where the general integer solver spends its time on presolve, heuristics and cuts
(`benchmarks/README.md` has the figures). Being our own, the search also asks about each whole answer that it meets:
whether the jokers can be dealt out, what the judge says.
"""

from collections.abc import Callable
from math import ceil, floor
from typing import Generic, NamedTuple, TypeVar

import highspy

from referee.programme import Cut, Programme, Rank, Values

Answer = TypeVar("Answer")
Check = Callable[[Values], Answer | Cut | None]
"""Makes an answer of an integral solution; or gives a row that excludes it, or None where it alone will not do."""
_Bounds = dict[int, tuple[int, int]]
_TOLERANCE = 1e-6
_FORGETTING = 0.9
"""How much of the blame of columns is kept when another one is blamed."""


def best_answer(programme: Programme, check: Check[Answer]) -> Answer | None:
    """Give the answer of the most gain that passes the check, None where there is none."""
    return _Search(programme, check).run()


class _Node(NamedTuple):
    """A part of the search: bounds on columns, and the column that was decided last."""

    bounds: _Bounds
    column: int | None = None


class _Search(Generic[Answer]):
    """One search, depth first.

    A column is *blamed* when nothing is left of the programme after it was decided, lately blamed ones most; they are
    decided first, so that the search stays with one contradiction and does not repeat it for all that is elsewhere
    (after the weights of Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints",
    2004).
    """

    def __init__(self, programme: Programme, check: Check[Answer]) -> None:
        self._programme = programme
        self._check = check
        self._solver = _solver(programme)
        self._set: _Bounds = {}
        self._blame = [0.0] * len(programme.uppers)
        self._best: Answer | None = None
        self._gain = -1

    def run(self) -> Answer | None:
        """Search to the end."""
        nodes = [_Node({})]
        while nodes:
            bounds, decided = nodes.pop()
            solution = self._relaxed(bounds)
            column = self._fraction(solution) if solution else None
            if not solution:
                self._blame_on(decided)
            elif column is None:
                nodes += self._whole(bounds, solution)
            else:
                nodes += self._halves(bounds, column, solution[column])
        return self._best

    def _blame_on(self, column: int | None) -> None:
        if column is not None:
            self._blame = [_FORGETTING * blame for blame in self._blame]
            self._blame[column] += 1

    def _relaxed(self, node: _Bounds) -> list[float] | None:
        """Solve the relaxation within the node's bounds; None where it holds nothing better than the best so far."""
        for column in self._set.keys() - node.keys():
            self._solver.changeColBounds(column, 0, self._programme.uppers[column])
        for column, bounds in node.items():
            if self._set.get(column) != bounds:
                self._solver.changeColBounds(column, *bounds)
        self._set = node
        self._solver.run()
        if self._solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        better = floor(self._solver.getInfo().objective_function_value + _TOLERANCE) > self._gain
        return list(self._solver.getSolution().col_value) if better else None

    def _fraction(self, solution: list[float]) -> int | None:
        """Give the column to decide next, None where all are whole.

        The number of tiles played comes first, then the most blamed, the first by rank, and the widest fraction.
        """
        off = ((abs(value - round(value)), column) for column, value in enumerate(solution))
        ranks = self._programme.ranks
        return min(
            (
                (ranks[column] is not Rank.PLAYED, -self._blame[column], ranks[column], -distance, column)
                for distance, column in off
                if distance > _TOLERANCE
            ),
            default=(None,),
        )[-1]

    def _halves(self, node: _Bounds, column: int, value: float) -> list[_Node]:
        """Split a node beside a fraction; the upper half, on top of the stack, is visited first."""
        low, high = self._bounds(node, column)
        halves = ((low, floor(value)), (ceil(value), high))
        return [_Node({**node, column: half}, column) for half in halves]

    def _whole(self, node: _Bounds, solution: list[float]) -> list[_Node]:
        """Check an integral solution, and give what is left to visit of its node."""
        values = [round(value) for value in solution]
        reply = self._check(values)
        if reply is None:
            return self._all_but(node, values)
        if isinstance(reply, Cut):
            columns = [column for column, _ in reply.entries]
            factors = [float(factor) for _, factor in reply.entries]
            self._solver.addRow(-highspy.kHighsInf, reply.highest, len(columns), columns, factors)
            return [_Node(node)]
        self._best = reply
        self._gain = sum(gain * value for gain, value in zip(self._programme.gains, values, strict=True))
        return []

    def _all_but(self, node: _Bounds, values: list[int]) -> list[_Node]:
        """Split a node into parts that together hold all of it but one integral solution."""
        order = sorted(range(len(values)), key=lambda column: (self._programme.ranks[column], -values[column]))
        parts: list[_Node] = []
        fixed = dict(node)
        for column in order:
            (low, high), value = self._bounds(node, column), values[column]
            beside = ((low, value - 1), (value + 1, high))
            parts += [_Node({**fixed, column: bounds}, column) for bounds in beside if bounds[0] <= bounds[1]]
            fixed[column] = (value, value)
        return parts

    def _bounds(self, node: _Bounds, column: int) -> tuple[int, int]:
        return node.get(column, (0, self._programme.uppers[column]))


def _solver(programme: Programme) -> highspy.Highs:
    """Hand the relaxation of a programme to a fresh solver."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy's own constructor has no types
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("presolve", "off")
    solver.setOptionValue("solver", "simplex")
    solver.setOptionValue("threads", 1)
    if solver.passModel(_relaxation(programme)) != highspy.HighsStatus.kOk:
        msg = "the programme is malformed: a column has two coefficients in one row, or one in a row that is none"
        raise ValueError(msg)
    return solver


def _relaxation(programme: Programme) -> highspy.HighsLp:
    columns = programme.entries
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(columns), len(programme.limits)
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = [float(gain) for gain in programme.gains]
    model.col_lower_ = [0.0] * len(columns)
    model.col_upper_ = [float(upper) for upper in programme.uppers]
    model.row_lower_ = [low for low, _ in programme.limits]
    model.row_upper_ = [high for _, high in programme.limits]
    matrix = model.a_matrix_
    starts = [0]
    for entries in columns:
        starts.append(starts[-1] + len(entries))
    matrix.format_, matrix.start_ = highspy.MatrixFormat.kColwise, starts
    matrix.index_ = [row for entries in columns for row, _ in entries]
    matrix.value_ = [float(factor) for entries in columns for _, factor in entries]
    return model
