"""A match of several games (RULEBOOK section 11), and who starts each of them (2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from referee.history import Turn
from referee.rules import JokerAtStart, RuleSet
from referee.table import Row
from referee.tiles import HIGHEST, Tile

MINUTE_MS = 60_000


class Result(NamedTuple):
    """How a game was scored: by seat the tiles left, their total and the points won or lost, and the winning seats.

    A player who left before the end has no tiles and no points.
    """

    racks: tuple[Row, ...]
    totals: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game of the match: players and scores of the match after it, by seat, its result and its turns.

    `ended_ms` is the time on the wall at which it was scored.
    """

    number: int
    rules: RuleSet
    names: tuple[str, ...]
    scores: tuple[int, ...]
    result: Result
    turns: tuple[Turn, ...]
    ended_ms: int


@dataclass(frozen=True, slots=True)
class Match:
    """The games played so far; `started_ms` is the time on the wall (milliseconds since 1970).

    `winners` are the names of those with the highest score once the match is `over`, several where it is shared.
    """

    started_ms: int = 0
    games: tuple[GameRecord, ...] = ()
    over: bool = False
    winners: tuple[str, ...] = ()

    def with_game(self, game: GameRecord) -> "Match":
        """Add a finished game, or replace the last one; by games, time or target the match may be over (11.1)."""
        games = (*self.games[: game.number - 1], game)
        over = _is_over(game, self.started_ms)
        best = max(game.scores)
        winners = tuple(name for name, score in zip(game.names, game.scores, strict=True) if over and score == best)
        return replace(self, games=games, over=over, winners=winners)


def _is_over(game: GameRecord, started_ms: int) -> bool:
    rules = game.rules
    return (
        (rules.games is not None and game.number >= rules.games)
        or (rules.minutes is not None and game.ended_ms - started_ms >= rules.minutes * MINUTE_MS)
        or (rules.target is not None and max(game.scores) >= rules.target)
    )


class FirstTurn(NamedTuple):
    """Who starts: a seat, or None and the seats that draw `again`."""

    starter: int | None
    again: tuple[int, ...] = ()


def who_starts(drawn: Sequence[Tile | None], rules: RuleSet) -> FirstTurn:
    """Say who starts after each player drew a tile (2.2); None for a seat that takes no part in this draw.

    Whoever drew a joker draws again first, or has the highest, as the rules say; then those who tie for the highest.

    Raises:
        ValueError: nobody drew.
    """
    if not any(drawn):
        raise ValueError("nobody has drawn a tile: each player draws one to see who starts")
    jokers = tuple(seat for seat, tile in enumerate(drawn) if tile and tile.is_joker)
    if jokers and rules.joker_at_start is JokerAtStart.AGAIN:
        return FirstTurn(None, jokers)
    heights = [0 if tile is None else HIGHEST + 1 if tile.is_joker else tile.number for tile in drawn]
    highest = tuple(seat for seat, height in enumerate(heights) if height == max(heights))
    return FirstTurn(highest[0]) if len(highest) == 1 else FirstTurn(None, highest)
