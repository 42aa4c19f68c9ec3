"""What a game is worth to each player once it is over (RULEBOOK 9.1, 9.3, 10)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.errors import GameError, Refusal
from referee.rules import RuleSet
from referee.tiles import Tile


class Rack(NamedTuple):
    """A player's name, and the tiles left in the hand."""

    player: str
    tiles: tuple[Tile, ...]


class Points(NamedTuple):
    """A player's name, and a number of points."""

    player: str
    points: int


@dataclass(frozen=True)
class Scores:
    """The end of a game: who won, what each rack counted, and what each player gains or loses.

    All in turn order, the starter first; the points of `scores` add up to zero (10.4).
    """

    winners: tuple[str, ...]
    totals: tuple[Points, ...]
    scores: tuple[Points, ...]

    @property
    def winner(self) -> str | None:
        """The one winner, None where the victory is shared."""
        return self.winners[0] if len(self.winners) == 1 else None


def rack_total(tiles: Iterable[Tile], rules: RuleSet) -> int:
    """Count the tiles left in a hand (10.1)."""
    return sum(tile.number or rules.joker_points for tile in tiles)


def score_game(
    racks: Sequence[tuple[str, tuple[Tile, ...]]], rules: RuleSet, *, pool_empty: bool = False, hand_rummy: bool = False
) -> Scores:
    """Score a game that is over: one rack is empty, or the pool is.

    Args:
        racks: the players with the tiles left, in turn order, the starter first.
        rules: `joker_points` and `hand_rummy_factor` count.
        pool_empty: the game ended because the pool was empty (9.3); an empty rack comes before it (9.1).
        hand_rummy: the winner went out with the whole hand in the opening turn (10.5); else without effect.

    Raises:
        GameError: fewer than two players, or one named twice; two empty racks; none, and `pool_empty` not said.
    """
    named = tuple(Rack(*rack) for rack in racks)
    _check(named, pool_empty=pool_empty)
    totals = tuple(Points(rack.player, rack_total(rack.tiles, rules)) for rack in named)
    out = [place for place, rack in enumerate(named) if not rack.tiles]
    winning = out or _lowest(named, totals)
    factor = rules.hand_rummy_factor if out and hand_rummy else 1
    scores = _settled([factor * (total.points - totals[winning[0]].points) for total in totals], winning)
    players = [rack.player for rack in named]
    return Scores(tuple(players[place] for place in winning), totals, tuple(map(Points, players, scores)))


def _check(racks: Sequence[Rack], *, pool_empty: bool) -> None:
    players = [rack.player for rack in racks]
    empty = [rack.player for rack in racks if not rack.tiles]
    if len(players) < 2 or len(set(players)) < len(players):
        raise GameError(Refusal.SCORED_PLAYERS, names=", ".join(map(repr, players)) or "none")
    if len(empty) > 1:
        raise GameError(Refusal.TWO_OUT, names=", ".join(map(repr, empty)))
    if not empty and not pool_empty:
        raise GameError(Refusal.NOBODY_OUT)


def _lowest(racks: Sequence[Rack], totals: Sequence[Points]) -> list[int]:
    """Give the places of those with the lowest total, and among them the fewest tiles (9.3)."""
    ranks = [(total.points, len(rack.tiles)) for total, rack in zip(totals, racks, strict=True)]
    return [place for place, rank in enumerate(ranks) if rank == min(ranks)]


def _settled(losses: Sequence[int], winning: Sequence[int]) -> list[int]:
    """Let the losers pay and share it among the winners, odd points one each in turn order (10.2 to 10.4)."""
    share, odd = divmod(sum(losses), len(winning))
    scores = [-loss for loss in losses]
    for order, place in enumerate(winning):
        scores[place] = share + (order < odd)
    return scores
