"""What each player did in a game: turns, seconds, tiles, faults, draws."""

from typing import NamedTuple

from referee.history import Turn
from referee.position import Position
from referee.verdict import Ruling


class Statistics(NamedTuple):
    """One player's game; `seconds` and `tiles` are means a turn, of turns that were played for `tiles`."""

    name: str
    turns: int
    seconds: float
    tiles: float
    faults: int
    draws: int


def player_statistics(at: Position) -> tuple[Statistics, ...]:
    """Count what each player did, by seat."""
    return tuple(
        _of(player.name, [turn for turn in at.turns if turn.seat == seat]) for seat, player in enumerate(at.players)
    )


def _of(name: str, turns: list[Turn]) -> Statistics:
    played = [len(turn.played) for turn in turns if turn.ruling is Ruling.LEGAL]
    return Statistics(
        name,
        len(turns),
        sum(turn.used_ms for turn in turns) / 1000 / max(1, len(turns)),
        sum(played) / max(1, len(played)),
        sum(turn.ruling is Ruling.ILLEGAL for turn in turns),
        sum(turn.drawn for turn in turns),
    )
