"""A slow referee for RULEBOOK 6, written from its text alone and in another style than `referee.jokers`.

Every tile is a thing of its own here, with a number on its back. It plays the replacements out, one after the other in
every order, and then tries every way in which the things could be those that lie there at the end.
"""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

from referee.rules import JokerReuse, JokerSwap, RuleSet
from referee.table import Row, Table
from referee.tiles import JOKER, NUMBERED, Tile


class Thing(NamedTuple):
    back: int
    face: Tile
    own: bool  # came from the hand


class Standing(NamedTuple):
    """Where things are: melds with standing jokers (by back: what each stands for), the rest loose on the table."""

    melds: tuple[tuple[frozenset, tuple], ...]  # (things, ((back of joker, tile), ...))
    freed: frozenset  # backs of replaced jokers
    replacers: frozenset  # backs of tiles that replaced one


def lies_as_run(row: Row) -> bool:
    return len(row) >= 3 and all(b == Tile(a.colour, a.number + 1) for a, b in pairwise(row))


def is_group(row: Row) -> bool:
    return len(row) in (3, 4) and len({t.number for t in row}) == 1 and len({t.colour for t in row}) == len(row)


def is_some_run(row: Row) -> bool:
    return lies_as_run(tuple(sorted(row, key=lambda t: (t.colour, t.number))))


@cache
def readings(row: Row) -> tuple[tuple[Tile, ...], ...]:
    """3.6: the row with its jokers written out, in every way that counts."""
    natural = [t for t in row if t != JOKER]
    near = [t for t in NUMBERED if any(t.colour == n.colour or t.number == n.number for n in natural)]
    full = []
    for choice in product(near, repeat=row.count(JOKER)):
        tiles = iter(choice)
        full.append(tuple(next(tiles) if t == JOKER else t for t in row))
    as_it_lies = [r for r in full if lies_as_run(r) or lies_as_run(r[::-1]) or is_group(r)]
    return tuple(as_it_lies or [r for r in full if is_some_run(r)])


class Oracle:
    def __init__(self, before: Table, after: Table, reuse: JokerReuse, swap: JokerSwap, *, locked: bool) -> None:
        self.before, self.after = before, after
        self.reuse, self.swap, self.locked = reuse, swap, locked
        faces = [t for row in before.rows for t in row]
        played = list((after.tiles - before.tiles).elements())
        things = [Thing(i, f, own=False) for i, f in enumerate(faces)]
        things += [Thing(len(faces) + i, f, own=True) for i, f in enumerate(played)]
        self.things = tuple(things)
        numbers = iter(self.things)
        self.rows = [tuple(next(numbers) for _ in row) for row in before.rows]

    def explained(self) -> bool:
        return any(self.from_here(s, bare) for bare in self.bare_rows() for s in self.beginnings())

    def bare_rows(self):
        """Choose which rows of before are those that lie as they lay; give the backs of the tiles in the others."""
        left = Counter(tuple(sorted(row)) for row in self.after.rows)
        alike: dict[Row, list[int]] = {}
        for i, row in enumerate(self.before.rows):
            alike.setdefault(tuple(sorted(row)), []).append(i)
        choices = [list(combinations(where, min(len(where), left[key]))) for key, where in alike.items()]
        for choice in product(*choices):
            still = {i for some in choice for i in some}
            yield frozenset(t.back for i, row in enumerate(self.rows) if i not in still for t in row)

    def beginnings(self):
        options = []
        for things in self.rows:
            row = tuple(t.face for t in things)
            if JOKER not in row:
                continue
            jokers = [(i, t) for i, t in enumerate(things) if t.face == JOKER]
            roles = {tuple((t.back, reading[i]) for i, t in jokers) for reading in readings(row)}
            options.append([(frozenset(things), role) for role in roles])
        for melds in product(*options):
            yield Standing(tuple(melds), frozenset(), frozenset())

    def from_here(self, s: Standing, bare: frozenset) -> bool:
        return self.is_the_end(s) or any(self.from_here(n, bare) for n in self.moves(s, bare))

    def moves(self, s: Standing, bare: frozenset):
        """Put a tile in the place of a joker."""
        fixed = {t.back for things, _ in s.melds for t in things} if self.locked else set()
        for m, (things, roles) in enumerate(s.melds):
            for back, tile in roles:
                for t in self.things:
                    if t.face != tile or t.back in s.replacers:
                        continue
                    if not t.own and (self.swap is JokerSwap.HAND or t.back in fixed or t.back not in bare):
                        continue
                    rest = tuple(r for r in roles if r[0] != back)
                    now = frozenset(x for x in things if x.back != back) | {t}
                    melds = s.melds[:m] + (((now, rest),) if rest else ()) + s.melds[m + 1 :]
                    yield Standing(melds, s.freed | {back}, s.replacers | {t.back})

    def is_the_end(self, s: Standing) -> bool:
        """Could the things lie like this, the standing jokers as what they stand for?"""
        roles = {back: tile for _, standing in s.melds for back, tile in standing}
        slots = [(r, face) for r, row in enumerate(self.after.rows) for face in row]
        by_face: dict[Tile, list[Thing]] = {}
        for t in self.things:
            by_face.setdefault(t.face, []).append(t)
        ways = [set(permutations(some)) for some in by_face.values()]
        for way in product(*ways):
            hands = {face: iter(some) for face, some in zip(by_face, way, strict=True)}
            table: list[list[Thing]] = [[] for _ in self.after.rows]
            for r, face in slots:
                table[r].append(next(hands[face]))
            if self.stands(table, roles) and self.together(table, s) and self.reused(table, s):
                return True
        return False

    def stands(self, table, roles) -> bool:
        return all(
            any(
                all(roles.get(t.back, r) == r for t, r in zip(row, reading, strict=True)) for reading in readings(faces)
            )
            for row, faces in zip(table, self.after.rows, strict=True)
        )

    def together(self, table, s: Standing) -> bool:
        return not self.locked or all(any(things <= set(row) for row in table) for things, _ in s.melds)

    def reused(self, table, s: Standing) -> bool:
        """6.4: copies cannot be told apart, so a tile played counts wherever it lies, and for one new meld only."""
        if self.reuse is JokerReuse.ANYWHERE:
            return True
        played = Counter(t.face for t in self.things if t.own and t.face != JOKER)
        mine = [row for row in table if any(t.back in s.freed for t in row)]
        if self.reuse is JokerReuse.NEW_MELD_OWN:
            jokers_own = all(t.own or t.back in s.freed for row in mine for t in row if t.face == JOKER)
            return jokers_own and Counter(t.face for row in mine for t in row if t.face != JOKER) <= played
        copied = [self.copied(row, table, mine, s) for row in mine]
        return all(c is not None for c in copied) and self.two_each(list(zip(mine, copied, strict=True)), played)

    def two_each(self, rows, left: Counter) -> bool:
        """Can each row have its copied tiles and two of the hand in all, jokers of the hand among them?"""
        if not rows:
            return True
        (row, copied), *others = rows
        faces = {t.face for t in row if t.face != JOKER}
        jokers = sum(t.own for t in row if t.face == JOKER)
        return any(
            copied <= set(own)
            and len(own) + jokers >= 2
            and Counter(own) <= left
            and self.two_each(others, left - Counter(own))
            for size in range(len(faces) + 1)
            for own in combinations(sorted(faces), size)
        )

    def copied(self, row, table, mine, s: Standing):
        """Which numbered tiles must be copies from the hand for the row to be new? None if it cannot be."""
        faces = Counter(t.face for t in row)
        others = [Counter(t.face for t in other) for other in table if other not in mine]
        locked = {t.face for things, _ in s.melds for t in things & set(row)} if self.locked else set()
        loose = sum(t.face == JOKER and (t.own or t.back in s.freed) for t in row)
        copied = set()
        for meld, count in Counter(tuple(sorted(meld)) for meld in self.before.rows).items():
            tiles = Counter(meld)
            if tiles <= faces and sum(tiles <= other for other in others) < count:
                if tiles[JOKER] > loose or locked & (set(tiles) - {JOKER}):
                    return None
                copied |= set(tiles) - {JOKER}
        return copied


def oracle_codes(before: Table, after: Table, rules: RuleSet) -> set[str]:
    """6.7: the codes, by relaxing one option, then two, then three."""
    if rules.joker_swap is JokerSwap.FREE:
        return set()
    for size in range(4):
        for codes in combinations(("joker_reuse", "joker_swap_not_from_hand", "joker_meld_broken"), size):
            oracle = Oracle(
                before,
                after,
                JokerReuse.ANYWHERE if "joker_reuse" in codes else rules.joker_reuse,
                JokerSwap.ANY if "joker_swap_not_from_hand" in codes else rules.joker_swap,
                locked=rules.joker_meld_locked and "joker_meld_broken" not in codes,
            )
            if oracle.explained():
                return set(codes)
    return {"joker_moved"}
