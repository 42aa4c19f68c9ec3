"""Tiles laid face up that are no play: what was left on a rack (10.1), what was drawn to see who starts (2.2)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from referee.match import who_starts
from referee.rules import RuleSet
from referee.sight import Seen
from referee.table import SeenTile, Table
from referee.tiles import Tile

_SURE, _LEAST_ANSWER = 0.9, 0.02
"""A tile read with less is asked about; and what it may be with more is an answer."""


@dataclass(frozen=True)
class LaidOpen:
    """Tiles laid face up.

    `tiles` as they are read, sorted; `doubtful`: those of them that may be another, each with its answers, the
    likeliest first; `unread`: how many more lie there that cannot be read.
    """

    tiles: tuple[Tile, ...] = ()
    doubtful: tuple[tuple[Tile, ...], ...] = ()
    unread: int = 0


def laid_open(seen: Seen | None, beside: Table | None = None) -> LaidOpen:
    """Give the tiles that lie face up, but for those of the melds that they were laid beside."""
    if seen is None:
        return LaidOpen()
    melds = Counter[Tile]() if beside is None else beside.tiles
    if isinstance(seen, Table):
        return LaidOpen(tuple(sorted((seen.tiles - melds).elements())))
    lying = sorted((seen.tiles[i] for i in chain.from_iterable(seen.melds)), key=lambda tile: -tile.confidence)
    rest = tuple(_without(melds, lying))
    read = [tile.best for tile in rest if tile.best]
    doubtful = tuple(_answers(tile) for tile in rest if tile.best and tile.confidence < _SURE)
    return LaidOpen(tuple(sorted(read)), doubtful, len(rest) - len(read))


def _without(melds: Counter[Tile], lying: Iterable[SeenTile]) -> Iterable[SeenTile]:
    left = melds.copy()
    for tile in lying:
        if tile.best and left[tile.best] > 0:
            left[tile.best] -= 1
        else:
            yield tile


def _answers(tile: SeenTile) -> tuple[Tile, ...]:
    return tuple(choice.tile for choice in tile.choices if choice.probability >= _LEAST_ANSWER)


@dataclass(frozen=True)
class Drawn:
    """Tiles drawn to see who starts: `highest` starts if it is one; those that have to be drawn `again`, if any."""

    laid: LaidOpen
    highest: Tile | None = None
    again: tuple[Tile, ...] = ()


def drawn(seen: Seen | None, rules: RuleSet) -> Drawn:
    """Say of the tiles that lie on the table, one of each player, which is the highest (2.2)."""
    laid = laid_open(seen)
    if not laid.tiles:
        return Drawn(laid)
    first = who_starts(laid.tiles, rules)
    if first.starter is None:
        return Drawn(laid, again=tuple(laid.tiles[place] for place in first.again))
    return Drawn(laid, highest=laid.tiles[first.starter])
