"""The jokers of the table (RULEBOOK 6): is there any order of moves that explains the turn?

Between moves the table may be invalid and tiles may be lent (6.6), so the order of moves matters in one place only: a
tile that replaces a joker must not come from a meld that is still locked. An *account* of the turn therefore says, of
every joker that lay on the table,

* which tile it stood for (any assignment that 3.6 allows its row), and then
* that it is *kept*: it lies at the end as that same tile (6.1), with its whole meld if melds are locked (6.3);
* that it was *replaced* by one tile of that face, from the hand or, under `any`, from a meld that does not lie as it
  lay (6.1) and was not locked at that moment (6.3); it may then lie wherever 6.4 allows.

The turn is in order if one account holds. Jokers are told apart by what they stand for alone, as copies of a tile are.
The search goes over the rows with jokers (`_Search.settled`); then it asks where each replacing tile came from, and
where the replaced jokers lie (`referee.reuse`). All other rows take part only as sums.
A joker in a row that was no meld stood for nothing: it is as free as the hand's.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

from referee.melds import Roles, joker_roles
from referee.reuse import Landing, Reuse
from referee.rules import JokerReuse, JokerSwap, RuleSet
from referee.table import Row
from referee.tiles import JOKER, Tile
from referee.turn import Turn
from referee.verdict import FaultCode


class _Options(NamedTuple):
    """The options that section 6 asks."""

    reuse: JokerReuse
    swap: JokerSwap
    locked: bool

    def relaxed(self, codes: Container[FaultCode]) -> "_Options":
        """Relax the options that the codes stand for."""
        return _Options(
            JokerReuse.ANYWHERE if FaultCode.JOKER_REUSE in codes else self.reuse,
            JokerSwap.ANY if FaultCode.JOKER_SWAP_NOT_FROM_HAND in codes else self.swap,
            self.locked and FaultCode.JOKER_MELD_BROKEN not in codes,
        )


_RELAXED_IN_TURN = (FaultCode.JOKER_REUSE, FaultCode.JOKER_SWAP_NOT_FROM_HAND, FaultCode.JOKER_MELD_BROKEN)
"""The codes in the order in which 6.7 relaxes their options."""
_CODE_ORDER = tuple(FaultCode)


def joker_faults(turn: Turn, rules: RuleSet) -> tuple[FaultCode, ...]:
    """Give the codes of section 6, in the order of the code table; none where some order of moves explains the turn.

    It asks for a turn at whose end all melds are valid and no tile is missing (6.7).
    """
    question = _question(turn, rules)
    if question is None or question.explained():
        return ()
    options = question.options
    useful = [code for code in _RELAXED_IN_TURN if options.relaxed((code,)) != options]
    # what does not help with every option relaxed does not help with some
    if not replace(question, options=options.relaxed(useful)).explained():
        return (FaultCode.JOKER_MOVED,)
    sizes = range(1, len(useful) + 1)
    codes = next(
        codes
        for codes in chain.from_iterable(combinations(useful, size) for size in sizes)
        if len(codes) == len(useful) or replace(question, options=options.relaxed(codes)).explained()
    )
    return tuple(sorted(codes, key=_CODE_ORDER.index))


def jokers_explained(turn: Turn, rules: RuleSet) -> bool:
    """Say whether some order of moves explains the turn, of which the same is asked as by `joker_faults`."""
    question = _question(turn, rules)
    return question is None or question.explained()


def _question(turn: Turn, rules: RuleSet) -> "_Search | None":
    """Give the question of 6.6; None where there is none, because jokers are free or none lay there."""
    options = _Options(rules.joker_reuse, rules.joker_swap, rules.joker_meld_locked)
    if options.swap is JokerSwap.FREE or JOKER not in turn.before.tiles:
        return None
    return _Search(turn, options, tuple(_old_rows(turn)), tuple(_new_rows(turn.after.rows)))


class _Old(NamedTuple):
    """A row of before with jokers: what they may have stood for, and whether it lies as it lay."""

    numbered: frozenset[Tile]
    roles: tuple[Roles, ...]
    still: bool


class _New(NamedTuple):
    """A row of after with jokers, and what these may stand for."""

    row: Row
    numbered: frozenset[Tile]
    roles: tuple[frozenset[Tile], ...]


class _Need(NamedTuple):
    """A joker's replacement: a tile of that face is needed for the old row `home`.

    `bound`: the tile must stay there, its meld being locked still.
    """

    tile: Tile
    home: int
    bound: bool = False


@dataclass(frozen=True)
class _Account:
    """What is settled so far: by new row, the roles of its kept jokers and its tiles of locked melds; and the needs."""

    kept: tuple[frozenset[Tile], ...]
    locked: tuple[frozenset[Tile], ...]
    needs: tuple[_Need, ...] = ()

    def stay(self, place: int, roles: Iterable[Tile], numbered: Iterable[Tile] = ()) -> "_Account":
        return replace(self, kept=_joined(self.kept, place, roles), locked=_joined(self.locked, place, numbered))

    def need(self, needs: Iterable[_Need]) -> "_Account":
        return replace(self, needs=(*self.needs, *needs))


def _joined(sets: tuple[frozenset[Tile], ...], place: int, tiles: Iterable[Tile]) -> tuple[frozenset[Tile], ...]:
    return (*sets[:place], sets[place].union(tiles), *sets[place + 1 :])


class _Stock(NamedTuple):
    """Where replacing tiles can still come from.

    `tiles`: those of the hand, and of melds that are not locked, not used so far; `freed`: (old row, tile) used out of
    melds whose jokers are all replaced; `first`: pairs of old rows, of which the first must be freed before the second.
    """

    tiles: Counter[Tile]
    freed: frozenset[tuple[int, Tile]] = frozenset()
    first: frozenset[tuple[int, int]] = frozenset()

    def may_free(self, home: int, need: _Need) -> bool:
        """Whether the needed tile can come out of the old row `home`, freed before the joker's own row is."""
        return (home, need.tile) not in self.freed and home not in self._after(need.home)

    def freeing(self, home: int, need: _Need) -> "_Stock":
        """Take the tile out of the old row `home`."""
        return self._replace(freed=self.freed | {(home, need.tile)}, first=self.first | {(home, need.home)})

    def _after(self, home: int) -> frozenset[int]:
        """Give the old row and all that can be freed only after it."""
        reached = frozenset((home,))
        while further := frozenset(late for early, late in self.first if early in reached) - reached:
            reached |= further
        return reached


@dataclass(frozen=True)
class _Search:
    """The question of 6.6 for one turn under one set of options."""

    turn: Turn
    options: _Options
    old: tuple[_Old, ...]
    new: tuple[_New, ...]

    @cached_property
    def most(self) -> Counter[Tile]:
        """The most replacing tiles of each face that there can be; it prunes, `_can_be_met` is exact."""
        return self.turn.played + Counter(chain.from_iterable(self._movable))

    @cached_property
    def stock(self) -> _Stock:
        """Where replacing tiles come from: tiles of locked melds, once these are freed, are not yet among them."""
        free = (row for row in self._movable if not (self.options.locked and JOKER in row and joker_roles(row)))
        return _Stock(self.turn.played + Counter(chain.from_iterable(free)))

    @property
    def _movable(self) -> tuple[Row, ...]:
        return () if self.options.swap is JokerSwap.HAND else self.turn.changed

    def explained(self) -> bool:
        """Say whether one account of the turn holds."""
        nothing = (frozenset[Tile](),) * len(self.new)
        return self.settled(0, _Account(nothing, nothing))

    def settled(self, place: int, account: _Account) -> bool:
        """Say whether the old rows from `place` on can be settled as well."""
        if place == len(self.old):
            return self._ends_well(account)
        fates = self._fates_locked(place, account) if self.options.locked else self._fates_free(place, account)
        return any(self.settled(place + 1, after) for after in fates if self._affordable(after))

    def _affordable(self, account: _Account) -> bool:
        needed = Counter(need.tile for need in account.needs)
        return all(count <= self.most[tile] for tile, count in needed.items())

    def _fates_free(self, place: int, account: _Account) -> Iterator[_Account]:
        """Each joker of the row is kept somewhere or replaced, on its own (6.1)."""
        for roles in self.old[place].roles:
            accounts = [account]
            for role in roles:
                accounts = [after for one in accounts for after in self._fates_of_one(place, role, one)]
            yield from accounts

    def _fates_of_one(self, place: int, role: Tile, account: _Account) -> Iterator[_Account]:
        spots = (spot for spot in range(len(self.new)) if self._fits(account, spot, (role,)))
        yield from (account.stay(spot, (role,)) for spot in spots)
        yield account.need((_Need(role, place),))

    def _fates_locked(self, place: int, account: _Account) -> Iterator[_Account]:
        """The row stays together while one joker is kept; it is free to go when all are replaced (6.3)."""
        old = self.old[place]
        for kept, replaced in _kept_and_replaced(old.roles):
            numbered = old.numbered.union(replaced)
            for spot, new in enumerate(self.new):
                if numbered <= new.numbered - account.locked[spot] and self._fits(account, spot, kept):
                    needs = (_Need(tile, place, bound=True) for tile in replaced)
                    yield account.stay(spot, kept, numbered).need(needs)
        for roles in old.roles:
            yield account.need(_Need(tile, place) for tile in roles)

    def _fits(self, account: _Account, spot: int, roles: Roles) -> bool:
        """Whether jokers of these roles can be kept in the new row, beside those that are kept there already."""
        kept = account.kept[spot]
        return kept.isdisjoint(roles) and any(kept.union(roles) <= choice for choice in self.new[spot].roles)

    def _ends_well(self, account: _Account) -> bool:
        """Whether the needs can be met, and the replaced jokers lie where they may."""
        freed = self._freed(account) if self.options.swap is JokerSwap.ANY else frozenset[int]()
        return self._can_be_met(account.needs, self.stock, freed) and Reuse(
            self.turn, tuple(self._landings(account)), len(account.needs)
        ).allowed(self.options.reuse)

    def _freed(self, account: _Account) -> frozenset[int]:
        """Give the old rows that tiles can be taken from once all their jokers are replaced."""
        return frozenset(need.home for need in account.needs if not need.bound and not self.old[need.home].still)

    def _landings(self, account: _Account) -> Iterator[Landing]:
        for new, kept, locked in zip(self.new, account.kept, account.locked, strict=True):
            yield Landing(new.row, new.row.count(JOKER) - len(kept), keeps=bool(kept), locked=locked)

    def _can_be_met(self, needs: tuple[_Need, ...], stock: _Stock, freed: frozenset[int]) -> bool:
        """Say whether there is a tile for each of the needs."""
        if not needs:
            return True
        left = self._without_one(needs[0], stock, freed)
        return any(self._can_be_met(needs[1:], stock, freed) for stock in left)

    def _without_one(self, need: _Need, stock: _Stock, freed: frozenset[int]) -> Iterator[_Stock]:
        """Give what is left in stock once the need is met, for each way to meet it."""
        if stock.tiles[need.tile]:
            yield stock._replace(tiles=stock.tiles - Counter((need.tile,)))
        for home in freed:
            if need.tile in self.old[home].numbered and stock.may_free(home, need):
                yield stock.freeing(home, need)


def _old_rows(turn: Turn) -> Iterator[_Old]:
    changed = Counter(turn.changed)
    for row in turn.before.rows:
        roles = joker_roles(row) if JOKER in row else ()
        if roles:
            yield _Old(_numbered(row), roles, still=not changed[row])
            changed -= Counter((row,))


def _new_rows(rows: Iterable[Row]) -> Iterator[_New]:
    for row in rows:
        if JOKER in row:
            yield _New(row, _numbered(row), tuple(map(frozenset, joker_roles(row))))


def _numbered(row: Row) -> frozenset[Tile]:
    return frozenset(tile for tile in row if tile.number)


def _kept_and_replaced(choices: Iterable[Roles]) -> Iterator[tuple[Roles, Roles]]:
    """Give every choice of roles with every choice of which jokers are kept, one at least."""
    for roles in choices:
        for size in range(len(roles), 0, -1):
            for kept in combinations(roles, size):
                yield kept, tuple(role for role in roles if role not in kept)
