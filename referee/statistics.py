"""How each player has played: in one game, or in a match."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from referee.history import Turn
from referee.position import Position
from referee.verdict import Ruling


class PlayerStatistics(NamedTuple):
    """A player's turns in figures: seconds and tiles are averages over all of them, 0 where there are none.

    `faults` are illegal turns as they stand, time-outs among them; `draws` turns in which nothing was played.
    """

    name: str
    turns: int
    seconds: float
    tiles: float
    faults: int
    draws: int
    time_outs: int


def game_statistics(names: Sequence[str], turns: Iterable[Turn]) -> tuple[PlayerStatistics, ...]:
    """Give the figures of one game, by seat."""
    turns = tuple(turns)
    return tuple(_figures(name, [turn for turn in turns if turn.seat == seat]) for seat, name in enumerate(names))


def match_statistics(at: Position) -> tuple[PlayerStatistics, ...]:
    """Give the figures of a match, the game under way included, for everybody who has played in it."""
    names = tuple(player.name for player in at.players)
    played = [(game.names, game.turns) for game in at.match.games]
    if at.result is None:
        played.append((names, at.turns))
    by_name: dict[str, list[Turn]] = {name: [] for game_names, _ in played for name in game_names}
    for game_names, turns in played:
        for turn in turns:
            by_name[game_names[turn.seat]].append(turn)
    return tuple(_figures(name, turns) for name, turns in by_name.items())


def _figures(name: str, turns: Sequence[Turn]) -> PlayerStatistics:
    count = len(turns)
    tiles = sum(len(turn.played) for turn in turns if turn.ruling is Ruling.LEGAL)
    return PlayerStatistics(
        name=name,
        turns=count,
        seconds=sum(turn.used_ms for turn in turns) / 1000 / max(1, count),
        tiles=tiles / max(1, count),
        faults=sum(turn.ruling is Ruling.ILLEGAL for turn in turns),
        draws=sum(turn.ruling is Ruling.DRAW for turn in turns),
        time_outs=sum(turn.timed_out for turn in turns),
    )
