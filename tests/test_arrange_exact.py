"""`arrange` against brute force on small tables, and against rummikub-solver on large ones.

`benchmarks/arrange.py` compares it with rummikub-solver on 500 tables.
"""

import random
from collections import Counter

import pytest
import rummikub_solver
from every_table import Task, best_by_brute_force, every_shape
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.arrange import arrange
from referee.rules import JokerReuse, JokerSwap, RuleSet
from referee.table import Row, Table
from referee.tiles import COLOURS, HIGHEST, JOKER, Tile, full_set

SHORT_SHAPES = tuple(shape for shape in every_shape() if len(shape) <= 5)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    swap = draw(st.sampled_from(JokerSwap))
    return RuleSet(
        copies=draw(st.sampled_from((2, 2, 3))),
        jokers=draw(st.sampled_from((2, 2, 2, 4))),
        joker_swap=swap,
        joker_meld_locked=swap is not JokerSwap.FREE and draw(st.booleans()),
        joker_reuse=draw(st.sampled_from(JokerReuse)),
        naturals_outnumber=draw(st.sampled_from((False, False, False, True))),
        opening_points=draw(st.sampled_from((0, 10, 15, 30))),
        opening_joker_points=draw(st.sampled_from(("tile", "zero"))),
        open_and_play_on=draw(st.booleans()),
    )


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """A small table in few colours and numbers, and a rack; the table is often in the midst of a turn."""
    rules, rng = draw(rule_sets()), draw(st.randoms(use_true_random=False))
    low = rng.choice((1, 5, 9))
    colours = rng.sample(COLOURS, rng.choice((2, 3, 4)))
    shapes = [s for s in SHORT_SHAPES if all(low <= t.number < low + 5 and t.colour in colours for t in s)]
    pool = Counter(full_set(rules.copies, rules.jokers))
    rows = [row for _ in range(rng.choice((0, 1, 1, 2, 2, 3))) if (row := _dealt(rng, shapes, pool, rules))]
    near = [t for t in pool.elements() if t.is_joker or (low <= t.number < low + 5 and t.colour in colours)]
    rng.shuffle(near)
    size = (13 if rules.jokers < 3 else 9) - sum(map(len, rows))
    rack = near[: rng.randint(0, max(0, min(4, size)))]
    before = Table(tuple(rows))
    table, rack = _under_way(rng, before, rack) if rng.random() < 0.4 else (before, rack)
    return Task(table, tuple(rack), rules, before if rng.random() < 0.8 else None, opened=rng.random() < 0.7)


def _dealt(rng: random.Random, shapes: list[Row], pool: Counter[Tile], rules: RuleSet) -> Row | None:
    """Take a meld, some of its tiles jokers, out of the pool; sometimes its tiles lie in no order."""
    shape = rng.choice(shapes)
    room = (len(shape) - 1) // 2 if rules.naturals_outnumber else len(shape) - 1
    jokers = rng.sample(shape, min(rng.choice((0, 1, 1, 2)), room))
    row = [JOKER if tile in jokers else tile for tile in shape]
    if rng.random() < 0.15:
        rng.shuffle(row)
    if not Counter(row) <= pool:
        return None
    pool.subtract(row)
    return tuple(row)


def _under_way(rng: random.Random, before: Table, rack: list[Tile]) -> tuple[Table, list[Tile]]:
    """Lay some tiles of the rack down and tear some out of their rows, now and then into the hand."""
    rows, hand = [list(row) for row in before.rows], list(rack)
    for _ in range(rng.randint(1, 3)):
        torn = [row for row in rows if row]
        if hand and rng.random() < 0.5:
            rows.append([hand.pop()])
        elif torn:
            row = rng.choice(torn)
            tile = row.pop(rng.randrange(len(row)))
            if rng.random() < 0.1:
                hand.append(tile)
            else:
                rows.append([tile])
    return Table.of(rows), hand


def check(task: Task):
    got = arrange(task.table, task.rack, task.rules, before=task.before, opened=task.opened)
    scores = (len(got.played), got.changed_melds) if got.possible else None
    assert scores == best_by_brute_force(task)
    assert Counter(got.played) + Counter(got.left) == Counter(task.rack)
    if got.possible:
        assert got.table.tiles == task.table.tiles + Counter(got.played)
        assert (task.before is None and task.opened) or task.legal(got.table)


@settings(max_examples=40, deadline=None)
@given(tasks())
def test_the_answer_is_the_best_that_the_judge_calls_legal(task: Task):
    check(task)


class Peer:
    """The library rummikub-solver, which plays the most tiles and does not mind what changes."""

    def __init__(self):
        self.rules = rummikub_solver.RuleSet()

    def played(self, table: Table, rack: Row) -> int:
        state = self.rules.new_game()
        state.initial = False
        state.add_table(*map(self.tile, table.tiles.elements()))
        state.add_rack(*map(self.tile, rack))
        proposed = self.rules.solve(state)
        return len(proposed.tiles) if proposed else 0

    def tile(self, tile: Tile) -> rummikub_solver.Tile:
        index = -1 if tile.is_joker else COLOURS.index(tile.colour) * HIGHEST + tile.number - 1
        return self.rules.tiles[index]


def random_table(rng: random.Random) -> tuple[Table, Row]:
    pool = Counter(full_set())
    size = rng.randint(20, 90)
    rows = []
    for _ in range(300):
        row = _dealt(rng, list(SHORT_SHAPES), pool, RuleSet())
        rows += [row] if row else []
        if sum(map(len, rows)) >= size:
            break
    left = list(pool.elements())
    rng.shuffle(left)
    return Table(tuple(rows)), tuple(left[: rng.randint(1, 14)])


@pytest.mark.parametrize("tables", [12, pytest.param(500, marks=pytest.mark.slow)])
def test_as_many_tiles_are_played_as_by_rummikub_solver(tables: int):
    rng, peer = random.Random(1), Peer()
    for _ in range(tables):
        table, rack = random_table(rng)
        assert len(arrange(table, rack, RuleSet()).played) == peer.played(table, rack), f"{table} with {rack}"
