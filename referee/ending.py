"""The end of a game: the racks are checked against what is known of them, and scored (RULEBOOK sections 9 and 10)."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from referee.decisions import Events, Moment, seat_of
from referee.errors import GameError, Refusal
from referee.events import RacksCounted
from referee.game import Game
from referee.match import Result
from referee.position import Phase, Position
from referee.scoring import score_game
from referee.table import Row
from referee.tiles import Tile, format_tiles, full_set

Racks = Mapping[str, Row]
"""The tiles left, by player; whoever is not named has none."""


class RackCode(StrEnum):
    """What does not fit about the racks."""

    COUNT = "count"
    """A rack has another number of tiles than its hand is known to have."""
    TOO_MANY = "too_many"
    """Racks and table hold more of a tile than the set has: misread, or foreign."""
    MISSING = "missing"
    """The pool is empty, and yet tiles of the set lie nowhere."""


class RackProblem(NamedTuple):
    """One thing that does not fit: whose rack (empty where it concerns all), the tiles, and the count expected."""

    code: RackCode
    player: str = ""
    tiles: Row = ()
    expected: int = 0


class RackError(GameError):
    """The racks do not fit what is known of them."""

    def __init__(self, problems: tuple[RackProblem, ...]) -> None:
        self.problems = problems
        super().__init__(Refusal.RACKS, problems="; ".join(map(_in_words, problems)))


def _in_words(problem: RackProblem) -> str:
    tiles = format_tiles(problem.tiles)
    if problem.code is RackCode.COUNT:
        return f"{problem.player!r} has {len(problem.tiles)} tiles ({tiles or '-'}) where {problem.expected} are known"
    if problem.code is RackCode.TOO_MANY:
        return f"there are more of {tiles} than the set has"
    return f"{tiles} must be somewhere: the pool is empty"


def check_racks(at: Position, racks: Racks) -> tuple[RackProblem, ...]:
    """Check the racks against the known number of tiles in each hand, and against the set."""
    counts = [
        RackProblem(RackCode.COUNT, player.name, racks.get(player.name, ()), player.hand)
        for player in at.players
        if player.present and len(racks.get(player.name, ())) != player.hand
    ]
    whole: Counter[Tile] = full_set(at.rules.copies, at.rules.jokers) - Counter(at.lost)
    seen: Counter[Tile] = at.table.tiles + Counter(tile for rack in racks.values() for tile in rack)
    too_many, missing = tuple((seen - whole).elements()), tuple((whole - seen).elements())
    problems = [*counts]
    if too_many:
        problems.append(RackProblem(RackCode.TOO_MANY, tiles=too_many))
    if missing and at.pool == 0:
        problems.append(RackProblem(RackCode.MISSING, tiles=missing))
    return tuple(problems)


def count_racks(game: Game, racks: Racks, when: Moment, *, anyway: bool = False) -> Events:
    """Score the game by the tiles left.

    Args:
        game: one that has ended.
        racks: the tiles left; whoever is not named has none.
        when: the time of it.
        anyway: the racks count although a hand was known otherwise, or tiles are missing.

    Raises:
        RackError: the racks do not fit.
        GameError: the game has not ended, or a rack is of nobody who plays.
    """
    at = game.now
    if at.phase is not Phase.ENDED:
        raise GameError(Refusal.NOT_ENDED)
    for name in racks:
        seat_of(at, name)
    problems = check_racks(at, racks)
    if problems and not (anyway and all(problem.code is not RackCode.TOO_MANY for problem in problems)):
        raise RackError(problems)
    return (RacksCounted(now_ms=when.now, result=_result(at, racks), wall_ms=when.wall_ms),)


def _result(at: Position, racks: Racks) -> Result:
    """Score the racks, the starter's first, and give everything by seat."""
    seats = tuple(at.clockwise())
    names = [at.players[seat].name for seat in seats]
    at_once = at.out is not None and at.turns[-1].whole_hand
    scores = score_game(
        [(name, racks.get(name, ())) for name in names], at.rules, pool_empty=at.out is None, hand_rummy=at_once
    )
    totals, points = (
        dict(zip(seats, (each.points for each in by), strict=True)) for by in (scores.totals, scores.scores)
    )
    order = range(len(at.players))
    return Result(
        racks=tuple(racks.get(at.players[seat].name, ()) for seat in order),
        totals=tuple(totals.get(seat, 0) for seat in order),
        points=tuple(points.get(seat, 0) for seat in order),
        winners=tuple(seat for seat in seats if at.players[seat].name in scores.winners),
    )
