"""How fast `arrange` is with both its aims, beside the library rummikub-solver with one, and whether the two agree.

    python -m benchmarks.arrange [TABLES]

500 tables of 20 to 106 tiles, three in five with jokers, each with a rack of 1 to 14 of the tiles left. The two solve
each table in turn; times are of the processor, so that what else runs on the machine does not count. Exit code 1 where
a bar is missed or the number of tiles played differs.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from typing import NamedTuple

import rummikub_solver

from referee.arrange import Arrangement, arrange
from referee.rules import RuleSet
from referee.table import Row, Table
from referee.tiles import COLOURS, HIGHEST, JOKER, LOWEST, Colour, Tile, full_set

SEED = 20
MEDIAN_BAR, WORST_BAR = 1 / 4, 1 / 2


class Case(NamedTuple):
    """A table in order and a rack."""

    table: Table
    rack: Row


def random_case(rng: random.Random) -> Case:
    """Give a random table in order, of 20 to 106 tiles, and a rack of the tiles left."""
    size, jokers = rng.randint(20, 106), rng.choice((0, 0, 1, 2, 2))
    rows = [row for _ in range(2) for row in _whole_set_in_melds(rng)]
    rng.shuffle(rows)
    while sum(map(len, rows[:-1])) >= size - jokers:
        rows.pop()
    for _ in range(jokers):
        place = rng.randrange(len(rows))
        rows[place] = _with_joker(rows[place], rng)
    table = Table(tuple(rows))
    left = list((full_set() - table.tiles).elements())
    rng.shuffle(left)
    return Case(table, tuple(left[: rng.randint(1, 14)]))


def _whole_set_in_melds(rng: random.Random) -> Iterator[Row]:
    """Lay out each numbered tile once: some numbers in groups, between them runs of every colour, cut at random."""
    number = LOWEST
    while number <= HIGHEST:
        room = HIGHEST + 1 - number
        if room < 3 or rng.random() < 0.4:
            yield tuple(Tile(colour, number) for colour in COLOURS)
            number += 1
        else:
            length = rng.randint(3, room)
            for colour in COLOURS:
                yield from _cut(colour, range(number, number + length), rng)
            number += length


def _cut(colour: Colour, numbers: range, rng: random.Random) -> Iterator[Row]:
    """Cut a run of three or more into runs."""
    cuts = range(3, len(numbers) - 2)
    end = rng.choice(cuts) if cuts and rng.random() < 0.7 else len(numbers)
    yield tuple(Tile(colour, number) for number in numbers[:end])
    if end < len(numbers):
        yield from _cut(colour, numbers[end:], rng)


def _with_joker(row: Row, rng: random.Random) -> Row:
    """Put a joker in the place of a tile, or at the free end of a run."""
    numbered = [tile for tile in row if tile.number]
    is_run = len({tile.colour for tile in numbered}) == 1 and len(numbered) > 1
    if is_run and JOKER not in row and row[-1].number < HIGHEST and rng.random() < 0.5:
        return (*row, JOKER)
    place = rng.choice([i for i, tile in enumerate(row) if tile.number])
    return (*row[:place], JOKER, *row[place + 1 :])


class Peer:
    """The library rummikub-solver."""

    def __init__(self) -> None:
        self._rules = rummikub_solver.RuleSet()

    def played(self, case: Case) -> int:
        """Give the most tiles of the rack that can be played."""
        state = self._rules.new_game()
        state.initial = False
        state.add_table(*map(self._tile, case.table.tiles.elements()))
        state.add_rack(*map(self._tile, case.rack))
        proposed = self._rules.solve(state)
        return len(proposed.tiles) if proposed else 0

    def _tile(self, tile: Tile) -> rummikub_solver.Tile:
        index = -1 if tile.is_joker else COLOURS.index(tile.colour) * HIGHEST + tile.number - 1
        return self._rules.tiles[index]


class Timing(NamedTuple):
    """What one case took, in milliseconds, and how many tiles each of the two played."""

    case: Case
    ours_ms: float
    peer_ms: float
    ours: int
    peer: int


def timed(solve: Callable[[Case], object], case: Case) -> tuple[object, float]:
    """Give what the solver says of a case, and how many milliseconds it took."""
    start = time.process_time()
    answer = solve(case)
    return answer, 1000 * (time.process_time() - start)


def measure(count: int) -> list[Timing]:
    """Solve random cases with both."""
    rng, peer, rules = random.Random(SEED), Peer(), RuleSet()
    peer.played(random_case(rng))
    timings = []
    for _ in range(count):
        case = random_case(rng)
        ours, ours_ms = timed(lambda case: arrange(case.table, case.rack, rules), case)
        theirs, peer_ms = timed(peer.played, case)
        assert isinstance(ours, Arrangement)
        assert isinstance(theirs, int)
        timings.append(Timing(case, ours_ms, peer_ms, len(ours.played), theirs))
    return timings


def report(name: str, timings: list[Timing]) -> bool:
    """Print the figures of a group of cases, and say whether the bars are met."""
    ours, peer = [t.ours_ms for t in timings], [t.peer_ms for t in timings]
    at_median, at_worst = median(ours) / median(peer), max(ours) / max(peer)
    print(f"{name}: {len(timings)} tables")
    print(f"  median  arrange {median(ours):7.1f} ms  rummikub-solver {median(peer):7.1f} ms  ratio {at_median:.3f}")
    print(f"  worst   arrange {max(ours):7.1f} ms  rummikub-solver {max(peer):7.1f} ms  ratio {at_worst:.3f}")
    return at_median <= MEDIAN_BAR and at_worst <= WORST_BAR


def main(count: int = 500) -> int:
    timings = measure(count)
    groups: dict[str, list[Timing]] = {"with jokers on the table": [], "without": []}
    for timing in timings:
        groups["without" if JOKER not in timing.case.table.tiles else "with jokers on the table"].append(timing)
    met = [report(name, group) for name, group in groups.items()]
    agreeing = Counter(timing.ours == timing.peer for timing in timings)[True]
    print(f"same number of tiles played: {agreeing} of {count}; bars {'met' if all(met) else 'missed'}")
    return 0 if all(met) and agreeing == count else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
