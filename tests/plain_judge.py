"""A second judge of sections 1 and 3 to 5, written from the rulebook's text alone: slow, plain, and sharing no code.

It knows every group and every run by heart, and compares. Section 6 has an oracle of its own, `joker_oracle`.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from typing import NamedTuple

from referee.judge import Situation
from referee.rules import PRESETS, RuleSet
from referee.table import Row, Table
from referee.tiles import COLOURS, JOKER, NUMBERED, Tile

GROUPS = [tuple(Tile(c, n) for c in some) for n in range(1, 14) for k in (3, 4) for some in combinations(COLOURS, k)]
RUNS = [tuple(Tile(c, n) for n in range(a, b)) for c in COLOURS for a in range(1, 12) for b in range(a + 3, 15)]
RINGS = [tuple(Tile(c, (a + i) % 13 + 1) for i in range(k)) for c in COLOURS for a in range(13) for k in range(3, 14)]


class Plain(NamedTuple):
    """What the plain judge says of sections 1 to 5, codes in order."""

    impossible: bool
    codes: tuple[str, ...] = ()
    points: int = 0


def shapes_of(row: Row, shapes: list[Row]) -> list[Row]:
    """Give the shapes that the row is, jokers standing for what is missing."""
    numbered = Counter(tile for tile in row if tile != JOKER)
    return [shape for shape in shapes if len(shape) == len(row) and numbered and numbered <= Counter(shape)]


def row_code(row: Row, rules: RuleSet) -> str | None:
    """Say what is wrong with a row, by the table of fault codes."""
    numbered = [tile for tile in row if tile != JOKER]
    numbers, colours = {tile.number for tile in numbered}, {tile.colour for tile in numbered}
    if len(row) < 3:
        return "loose_tile" if len(row) == 1 else "meld_too_short"
    if shapes_of(row, GROUPS + RUNS):
        few = rules.naturals_outnumber and len(numbered) <= len(row) - len(numbered)
        return "too_many_jokers" if few else None
    if len(numbers) == 1:
        return "group_too_long" if len(row) >= 5 else "group_repeats_colour"
    if len(colours) != 1:
        return "not_a_meld"
    if len(numbers) < len(numbered):
        return "run_repeats_number"
    return "run_wraps" if len(row) >= 14 or shapes_of(row, RINGS) else "run_has_gap"


def worth(row: Row, rules: RuleSet) -> int:
    """Give the most that a valid meld is worth (3.6, 5.2)."""
    if rules.opening_joker_points == "zero":
        return sum(tile.number for tile in row)
    return max(sum(tile.number for tile in shape) for shape in shapes_of(row, GROUPS + RUNS))


def plain_verdict(before: Table, after: Table, rules: RuleSet, situation: Situation) -> Plain:
    """Judge a turn without asking section 6."""
    played, removed = after.tiles - before.tiles, before.tiles - after.tiles
    if any(has_too_many(table, rules) for table in (before, after)):
        return Plain(impossible=True)
    if situation.hand is not None and played.total() > situation.hand:
        return Plain(impossible=True)
    codes = [code for row in after.rows if (code := row_code(row, rules))]
    codes += ["tile_taken_back"] if removed else []
    if situation.opened:
        return Plain(False, tuple(codes))
    points = opening_points(before, after, rules)
    touched = bool(Counter(sorted_rows(before)) - Counter(sorted_rows(after)))
    enough = bool(played) and points >= rules.opening_points
    codes += ["opening_too_low"] if played and not enough else []
    codes += ["opening_touches_table"] if touched and not (enough and rules.open_and_play_on) else []
    return Plain(False, tuple(codes), points)


def has_too_many(table: Table, rules: RuleSet) -> bool:
    return any(count > (rules.jokers if t == JOKER else rules.copies) for t, count in table.tiles.items())


def sorted_rows(table: Table) -> Iterator[Row]:
    return (tuple(sorted(row)) for row in table.rows)


def opening_points(before: Table, after: Table, rules: RuleSet) -> int:
    """Give the most points of melds that the played tiles can form, or of those new ones that they did form (5.4)."""
    played = after.tiles - before.tiles
    if rules.open_and_play_on:
        return formable(tuple(sorted(played.elements())), rules)
    new = (Counter(sorted_rows(after)) - Counter(sorted_rows(before))).elements()
    good = [row for row in new if row_code(row, rules) is None]
    choices = chain.from_iterable(combinations(good, size) for size in range(len(good) + 1))
    own = (some for some in choices if Counter(chain.from_iterable(some)) <= played)
    return max(sum(worth(row, rules) for row in some) for some in own)


def formable(tiles: Row, rules: RuleSet) -> int:
    """Give the most points of valid melds that some of the tiles can form at once."""
    if len(tiles) < 3:
        return 0
    best, rest = formable(tiles[1:], rules), range(1, len(tiles))
    for others in chain.from_iterable(combinations(rest, size) for size in range(2, len(tiles))):
        row = (tiles[0], *(tiles[i] for i in others))
        if row_code(row, rules) is None:
            left = tuple(tile for i, tile in enumerate(tiles) if i and i not in others)
            best = max(best, worth(row, rules) + formable(left, rules))
    return best


class Dice:
    """Turns of every kind, most of them bad in some way."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def rules(self) -> RuleSet:
        options = {"copies": (2, 2, 3), "jokers": (2, 4), "naturals_outnumber": (False, False, True)}
        options |= {"opening_points": (10, 30, 30, 50)}
        drawn = {option: self.dice.choice(values) for option, values in options.items()}
        return self.dice.choice(list(PRESETS.values())).with_options(drawn)

    def situation(self) -> Situation:
        return Situation(self.dice.random() < 0.3, self.dice.choice([None, None, 3, 6]), self.dice.random() < 0.2)

    def turn(self, rules: RuleSet) -> tuple[Table, Table]:
        old = [row for row in self.rows(3) if row_code(row, rules) is None or self.dice.random() < 0.2]
        changed = [part for row in old for part in self.changed(row)]
        new = [row for row in self.rows(2) if row_code(row, rules) is None or self.dice.random() < 0.4]
        after = [*changed, *new]
        self.dice.shuffle(after)
        return Table.of(old), Table.of(after)

    def rows(self, most: int) -> list[Row]:
        return [self.row() for _ in range(self.dice.randint(0, most))]

    def row(self) -> Row:
        colour, number, size = self.dice.choice(COLOURS), self.dice.randint(1, 13), self.dice.randint(1, 6)
        rows = [
            *[self.dice.choice(RUNS)[:7], self.dice.choice(GROUPS)] * 2,
            self.dice.choice(RINGS),
            tuple(Tile(colour, self.dice.randint(1, 13)) for _ in range(size)),
            tuple(Tile(self.dice.choice(COLOURS), number) for _ in range(size)),
            tuple(self.dice.choice(NUMBERED) for _ in range(size)),
        ]
        row = [JOKER if self.dice.random() < 0.15 else tile for tile in self.dice.choice(rows)]
        return tuple(self.dice.sample(row, len(row)) if self.dice.random() < 0.3 else row)

    def changed(self, row: Row) -> list[Row]:
        ways = [*[[row]] * 6, [row[::-1]], [row[:-1]], [(*row, self.dice.choice(NUMBERED))], [row[:3], row[3:]]]
        return self.dice.choice(ways)
