"""What people decide about the game: players, counts, rules, the clock, the end. Pure: a game in, events out.

Every function raises `GameError` where the game does not allow the decision at this moment; the message says why.
No event at all means that everything is already as it is asked to be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.clock import PauseReason
from referee.course import LEAST_PLAYERS
from referee.errors import GameError, Refusal
from referee.events import (
    ClockPaused,
    ClockResumed,
    Event,
    GameEnded,
    GameStarted,
    HandSet,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    Redone,
    RulesChanged,
    ScoreSet,
    TileFound,
    TileLost,
    TimeAdded,
    TurnChosen,
    Undone,
)
from referee.game import Game, apply
from referee.judging import Again, decide, judge_again
from referee.melds import is_meld
from referee.position import BIG_SET_COPIES, EMPTY_TABLE, HAND, Phase, Position
from referee.rules import RuleSet
from referee.table import Table
from referee.tiles import Tile

MOST_PLAYERS = 5
MOST_WITH_BIG_SET = 6

Events = tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins, where that is not the usual way.

    `starter` is the place of the player who begins. `table` and `hands` (by player) are those of a game that is joined
    in the middle, with everybody `opened` or nobody. `new_match` sets the scores to zero; `abandon` allows to give up
    the game under way.
    """

    starter: int = 0
    table: Table = EMPTY_TABLE
    hands: tuple[int, ...] = ()
    opened: bool = False
    new_match: bool = False
    abandon: bool = False


USUAL_SETUP = Setup()


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is decided: on the monotonic clock of the run, and on the wall (milliseconds since 1970)."""

    now: int
    wall_ms: int


def start(game: Game, names: Sequence[str], rules: RuleSet, *, when: Moment, setup: Setup = USUAL_SETUP) -> Events:
    """Start a game: the next of the match under way, or the first of a new one."""
    at = game.now
    names = tuple(map(clean_text, names))
    _check_players(names, rules)
    if at.underway and not setup.abandon:
        raise GameError(Refusal.UNDER_WAY)
    hands = setup.hands or (HAND,) * len(names)
    if not 0 <= setup.starter < len(names) or len(hands) != len(names) or min(hands) < 0:
        raise GameError(Refusal.SETUP)
    number = 1 if setup.new_match or at.match.over else len(at.match.games) + 1
    scores = {} if number == 1 else {player.name: player.score for player in at.players}
    return (
        GameStarted(
            now_ms=when.now,
            names=names,
            rules=rules,
            hands=hands,
            scores=tuple(scores.get(name, 0) for name in names),
            wall_ms=when.wall_ms,
            number=number,
            starter=setup.starter,
            table=setup.table,
            opened=setup.opened,
        ),
    )


def clean_text(text: str) -> str:
    """Give a name or a reason without spaces around it.

    Raises:
        GameError: it holds half a character, which no page could show.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise GameError(Refusal.NO_TEXT, text=repr(text), reason=error.reason) from error
    return text.strip()


def _check_players(names: Sequence[str], rules: RuleSet) -> None:
    """2.1: two to four players, five with a warning, six with the big set; each with a name of their own."""
    most = MOST_WITH_BIG_SET if rules.copies >= BIG_SET_COPIES else MOST_PLAYERS
    if not LEAST_PLAYERS <= len(names) <= most:
        raise GameError(Refusal.PLAYERS, count=len(names), least=LEAST_PLAYERS, most=most)
    if not all(names) or len(set(names)) < len(names):
        raise GameError(Refusal.NAMES, names=", ".join(map(repr, names)))


def seat_of(at: Position, name: str) -> int:
    """Give the seat of a player who is in the game.

    Raises:
        GameError: nobody is called that, or the player has left.
    """
    seat = at.seat_of(name)
    if seat is None or not at.players[seat].present:
        names = ", ".join(repr(player.name) for player in at.players if player.present) or "nobody"
        raise GameError(Refusal.NO_PLAYER, name=name, names=names)
    return seat


def _need_game(at: Position) -> None:
    if not at.underway:
        raise GameError(Refusal.NO_GAME)


def set_hand(game: Game, name: str, count: int, now: int) -> Events:
    """Set how many tiles a player holds."""
    _need_game(game.now)
    seat = seat_of(game.now, name)
    if count < 0:
        raise GameError(Refusal.HAND, name=name, count=count)
    if game.now.players[seat].hand == count:
        return ()
    event = HandSet(now_ms=now, seat=seat, count=count)
    undecided = game.now.undecided
    if undecided is None or seat != game.now.seat:
        return (event,)
    return (event, decide(apply(game, event).now, undecided.seen, undecided.call, now))


def set_score(game: Game, name: str, score: int, now: int) -> Events:
    """Set a player's score of the match; also of one who has left."""
    seat = game.now.seat_of(name)
    if seat is None:
        seat = seat_of(game.now, name)
    return () if game.now.players[seat].score == score else (ScoreSet(now_ms=now, seat=seat, score=score),)


def rename(game: Game, name: str, new: str, now: int) -> Events:
    """Call a player otherwise."""
    seat, new = seat_of(game.now, name), clean_text(new)
    if new == name:
        return ()
    if not new or game.now.seat_of(new) is not None:
        raise GameError(Refusal.NAME, name=new)
    return (PlayerRenamed(now_ms=now, seat=seat, name=new),)


def set_rules(game: Game, rules: RuleSet, now: int, *, whole_game: bool = False) -> Events:
    """Change the rules from the present turn on, or for the whole game, which is then judged again."""
    _need_game(game.now)
    first = 1 if whole_game else game.now.turn
    if rules == game.now.rules and not whole_game:
        return ()
    changed = RulesChanged(now_ms=now, turn=first, judged=(), rules=rules)
    judged = judge_again(game, Again(first), changed)
    return (RulesChanged(now_ms=now, turn=first, judged=judged, rules=rules),)


def leave(game: Game, name: str, now: int) -> Events:
    """Let a player leave: the tiles go to the pool, the score stays."""
    return (PlayerLeft(now_ms=now, seat=seat_of(game.now, name)),)


def join(game: Game, name: str, now: int) -> Events:
    """Let somebody play from the next game on."""
    name = clean_text(name)
    if not name or name in game.now.next_names:
        raise GameError(Refusal.NAME, name=name)
    return (PlayerJoined(now_ms=now, name=name),)


def choose_turn(game: Game, name: str, now: int) -> Events:
    """Give the present turn to a player."""
    at, seat = game.now, seat_of(game.now, name)
    if at.phase is not Phase.PLAY:
        raise GameError(Refusal.NOT_IN_TURN)
    return () if seat == at.seat else (TurnChosen(now_ms=now, seat=seat),)


def play_without(game: Game, tile: Tile, table: Table | None, now: int) -> Events:
    """Go on without a tile that is missing; `table` is what lies from now on, where more than the tile changes.

    Tiles that are taken off the table on this occasion go to the pool.
    """
    at = game.now
    if at.phase not in (Phase.PLAY, Phase.VERDICT):
        raise GameError(Refusal.NOT_IN_TURN)
    table = _table_without(at, tile) if table is None else table
    if not table.tiles <= at.table.tiles:
        raise GameError(Refusal.NEW_TILES, table=table, before=at.table)
    if tile in at.table.tiles and table.tiles[tile] == at.table.tiles[tile]:
        raise GameError(Refusal.STILL_THERE, table=table, tile=tile)
    lost = TileLost(now_ms=now, tile=tile, table=table)
    if at.undecided is None:
        return (lost,)
    return (lost, decide(apply(game, lost).now, at.undecided.seen, at.undecided.call, now))


def _table_without(at: Position, tile: Tile) -> Table:
    """Take a tile out of the row where it is missed least: one that stays a meld."""
    rows = list(at.table.rows)
    holding = [i for i, row in enumerate(rows) if tile in row]
    if not holding:
        return at.table
    for i in holding:
        place = rows[i].index(tile)
        rest = rows[i][:place] + rows[i][place + 1 :]
        if is_meld(rest, naturals_outnumber=at.rules.naturals_outnumber):
            return Table.of((*rows[:i], rest, *rows[i + 1 :]))
    raise GameError(Refusal.NO_MELD_LEFT, tile=tile)


def found(game: Game, tile: Tile, now: int) -> Events:
    """Put a lost tile that was found into the pool."""
    if tile not in game.now.lost:
        raise GameError(Refusal.NOT_MISSING, tile=tile)
    return (TileFound(now_ms=now, tile=tile),)


def pause(game: Game, reason: PauseReason, now: int) -> Events:
    """Stop the clock."""
    _need_game(game.now)
    clock = game.now.clock
    by_person = reason is PauseReason.PERSON
    waits = clock.pause is PauseReason.FIRST_MOVE or (by_person and clock.pause is PauseReason.CAMERA)
    return (ClockPaused(now_ms=now, reason=reason),) if clock.running or waits else ()


def resume(game: Game, now: int) -> Events:
    """Let the clock run on."""
    at = game.now
    if at.phase is not Phase.PLAY or at.called:
        raise GameError(Refusal.CLOCK)
    return () if at.clock.running else (ClockResumed(now_ms=now),)


def add_time(game: Game, seconds: int, now: int) -> Events:
    """Give the present turn more time, or less."""
    _need_game(game.now)
    if game.now.clock.limit_ms is None:
        raise GameError(Refusal.NO_LIMIT)
    return (TimeAdded(now_ms=now, seconds=seconds),) if seconds else ()


def undo(game: Game, turn: int | None, now: int) -> Events:
    """Take back the last decision, or all back to the beginning of a turn."""
    if not game.can_undo:
        raise GameError(Refusal.NO_UNDO)
    event = Undone(now_ms=now)
    if turn is None:
        return (event,)
    if game.now.past(turn) is None:
        raise GameError(Refusal.NOT_PLAYED, turn=turn)
    count = 0
    while game.now.past(turn):
        game, count = apply(game, event), count + 1
    return (event,) * count


def redo(game: Game, now: int) -> Events:
    """Bring back the last decision that was taken back."""
    if not game.can_redo:
        raise GameError(Refusal.NO_REDO)
    return (Redone(now_ms=now),)


def end_game(game: Game, now: int) -> Events:
    """End the game before its time; the racks are counted next."""
    _need_game(game.now)
    return (GameEnded(now_ms=now),)
