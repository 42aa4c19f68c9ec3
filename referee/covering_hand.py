"""Melds made of the hand's tiles alone: a player's opening (RULEBOOK 5), and players who leave the table alone."""

from collections import Counter
from collections.abc import Iterator

from referee.covering import SHAPES, Covering, Meld
from referee.melds import meld_points
from referee.programme import Entry, Rank
from referee.rules import OpeningJokerPoints
from referee.table import Row
from referee.tiles import JOKER, Tile


def lay_beside_table(covering: Covering, *, opening: bool) -> None:
    """Add the melds of before as they lie and new ones of the hand; `opening`: these are worth enough (5.1)."""
    covering.count_whole_rows()
    for row, count in Counter(covering.layout.old.rows).items():
        stays = covering.programme.row(count, count)
        covering.lay(Meld(row), [(stays, 1)], upper=count)
    points = _asked(covering) if opening else None
    for row in _hand_melds(covering):
        worth = () if points is None else ((points, _points(covering, row)),)
        covering.lay(Meld(row), worth, upper=covering.layout.rules.copies)


def ask_opening(covering: Covering) -> None:
    """Ask that some of the tiles played can form melds that are worth enough, wherever they lie (5.4)."""
    points = _asked(covering)
    claims: dict[Tile, int] = {}
    for tile in covering.layout.most:
        claims[tile] = covering.programme.row(highest=covering.layout.laid[tile])
        if tile in covering.spare:
            covering.programme.put(claims[tile], covering.spare[tile], -1)
    for row in _hand_melds(covering):
        entries: list[Entry] = [(claims[tile], count) for tile, count in Counter(row).items()]
        entries.append((points, _points(covering, row)))
        covering.programme.column(entries, upper=covering.layout.rules.copies, rank=Rank.MELD)


def _asked(covering: Covering) -> int:
    """Add the row of the points that the opening asks for; and ask for a tile to be played at all."""
    some = covering.programme.row(lowest=1 - covering.layout.laid.total())
    covering.programme.put(some, covering.played, 1)
    return covering.programme.row(lowest=covering.layout.rules.opening_points)


def _points(covering: Covering, row: Row) -> int:
    counted = covering.layout.rules.opening_joker_points is OpeningJokerPoints.TILE
    return meld_points(row, jokers_count=counted)


def _hand_melds(covering: Covering) -> Iterator[Row]:
    """Give every meld that tiles of the hand can form."""
    layout = covering.layout
    hand = layout.laid + layout.spare
    for shape in SHAPES:
        missing = [tile for tile in shape.tiles if not hand[tile]]
        if len(missing) <= hand[JOKER]:
            for row, jokers in layout.with_jokers(shape):
                if jokers.issuperset(missing) and len(jokers) <= hand[JOKER]:
                    yield row
