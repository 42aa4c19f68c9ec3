"""The state of the game as pages and scripts get it: a JSON document, in the language and for the role of a reader."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.clock import PauseReason
from referee.desk import Desk
from referee.laid_open import LaidOpen, laid_open
from referee.ledger import State
from referee.match import GameRecord
from referee.position import Phase, Player, Position, Reminder
from referee.sight import Seen, best_table, notation
from referee.table import Table
from referee.tiles import Tile, format_tiles
from referee.verdict import Verdict
from web.access import Role
from web.documents import Json, question_document, texts, verdict_document
from web.feed import Feed, Sight
from web.sentences import Sentences, sentences

SCHEMA = 1
SAME_MOMENT_S = 0.1


@dataclass(frozen=True)
class Reader:
    """Who reads the state: in which language, in which role, and whether the camera's pictures are shown."""

    language: str
    role: Role
    pictures: bool


@dataclass(frozen=True)
class Look:
    """All that the document is made of, taken at one moment.

    `seen` is the table as it last lay still, `paused` as it lay when somebody paused the game that still stands.
    """

    state: State
    seen: Seen | None
    sight: Sight
    now_ms: int
    live_verdict: bool
    paused: Table | None = None

    @property
    def at(self) -> Position:
        """Where the game stands."""
        return self.state.game.now

    @property
    def lies(self) -> Seen:
        """The table as it lies now, as far as anybody knows."""
        at = self.at
        if at.undecided:
            return at.undecided.seen
        if at.entered:
            return at.entered.table
        if not at.underway or self.seen is None:
            return at.turns[-1].seen if at.phase is Phase.RESTORE else at.table
        return self.seen

    @property
    def table(self) -> Table:
        """The most probable table; tiles that cannot be read are left out."""
        return best_table(self.lies)

    @property
    def beyond(self) -> LaidOpen:
        """The face-up tiles that lie there since the game has ended: racks laid open to be counted."""
        return laid_open(self.seen, self.at.table) if self.at.phase is Phase.ENDED else LaidOpen()

    @property
    def played(self) -> tuple[Tile, ...]:
        """The tiles of this turn that lie on the table, in the order of the tiles."""
        return tuple(sorted((self.table.tiles - self.at.table.tiles).elements()))


def state_document(look: Look, reader: Reader) -> Json:
    """Give the whole state; its names are the contract's and those of docs/http.md."""
    words, at = sentences(reader.language), look.at
    return {
        "schema": SCHEMA,
        "version": look.state.version,
        "role": str(reader.role),
        "pictures": reader.pictures,
        "can_undo": look.state.game.can_undo,
        "can_redo": look.state.game.can_redo,
        **game_part(at),
        "clock": clock_document(at, look.now_ms),
        **verdict_part(at, words),
        **camera_part(look.sight),
        **reading_part(look, words),
    }


def game_part(at: Position) -> Json:
    """Give the game apart from table and verdict."""
    return {
        "phase": at.phase.value,
        "game": at.game,
        "turn": at.turn,
        "player": at.player.name if at.player else None,
        "players": [player_document(player, seat) for seat, player in enumerate(at.players)],
        "pool": at.pool,
        "rules": at.rules.name,
        "called": at.called is not None,
        "last_turn": at.turns[-1].number if at.turns else 0,
        "winners": [at.players[seat].name for seat in at.result.winners] if at.result else [],
        "out": None if at.out is None else at.players[at.out].name,
        "counted": at.result is not None,
        "match_over": at.match.over,
        "match_winners": list(at.match.winners),
        "results": [result_document(game) for game in at.match.games],
    }


def result_document(game: GameRecord) -> Json:
    """Give one finished game of the match: by seat the names, the points of the game and the scores after it."""
    return {
        "number": game.number,
        "names": list(game.names),
        "points": list(game.result.points),
        "scores": list(game.scores),
        "winners": [game.names[seat] for seat in game.result.winners],
    }


def is_paused(at: Position) -> bool:
    """Tell whether a person has stopped the clock of a turn."""
    return at.phase is Phase.PLAY and at.clock.pause is PauseReason.PERSON


def player_document(player: Player, seat: int) -> Json:
    """Give one player's line of the scoreboard."""
    return {
        "name": player.name,
        "seat": seat,
        "hand": player.hand,
        "score": player.score,
        "opened": player.opened,
        "present": player.present,
    }


def clock_document(at: Position, now_ms: int) -> Json:
    """Give the clock: `left_s` is null where the turn has no limit; also the event `clock`."""
    clock = at.clock
    left_ms = clock.left_ms(now_ms)
    return {
        "left_s": None if left_ms is None else round(left_ms / 1000, 1),
        "running": clock.running,
        "total_s": None if clock.limit_ms is None else round(clock.limit_ms / 1000),
        "pause": clock.pause.value if clock.pause else None,
    }


def camera_part(sight: Sight) -> Json:
    """Give how it stands with the camera; also the event `camera`."""
    return {"camera": sight.camera.value, "camera_why": sight.why, "frame": sight.number}


def reading_part(look: Look, words: Sentences) -> Json:
    """Give the table as it lies and what follows from it; also the event `reading`."""
    at = look.at
    live = shown_verdict(look) if at.phase is Phase.PLAY else None
    return {
        "before": str(at.table),
        "table": notation(look.lies),
        "played": texts(look.played),
        "frame": look.sight.number,
        "live_verdict": spoken_verdict(live, words, None) if live else None,
        "guide": guide(at.table, look.table) if at.phase is Phase.RESTORE else None,
        "since_pause": since_pause(look.paused, look.table) if look.paused is not None else None,
    }


def since_pause(paused: Table, lies: Table) -> Json:
    """Say what has come onto the table and gone from it since the pause began."""
    come, gone = lies.tiles - paused.tiles, paused.tiles - lies.tiles
    return {"come": texts(tuple(sorted(come.elements()))), "gone": texts(tuple(sorted(gone.elements())))}


def shown_verdict(look: Look) -> Verdict | None:
    """Give the verdict that is about the table as it lies: the last one, or what it would be where that is shown."""
    if look.at.phase in (Phase.RESTORE, Phase.VERDICT):
        return look.at.verdict
    return look.sight.verdict if look.live_verdict and look.at.phase is Phase.PLAY else None


def verdict_part(at: Position, words: Sentences) -> Json:
    """Give the last verdict, the questions that wait for an answer, and what a correction changed."""
    verdict, name = at.verdict, judged_player(at)
    questions = verdict.doubts if verdict and at.phase is Phase.VERDICT else ()
    return {
        "verdict": spoken_verdict(verdict, words, name) if verdict else None,
        "overruled": overruled(at, words),
        "doubts": [{"number": place, **question_document(one, words)} for place, one in enumerate(questions)],
        "changes": [words.change(change, at.players[change.seat].name) for change in at.changes],
        "reminders": reminders(at, words),
    }


def reminders(at: Position, words: Sentences) -> list[str]:
    """Remind of what the rules ask and the referee does not check (2.1, 2.3, 9.1, 9.2)."""
    says = {
        Reminder.SMALL_SET: lambda: [words.small_set_reminder()],
        Reminder.SWAP_DUPLICATES: lambda: [words.swap_reminder()],
        Reminder.WINNING_CALL: lambda: [words.winning_reminder(at.players[at.out or 0].name)],
        Reminder.LAST_TILE_CALL: lambda: [
            words.last_tile_reminder(one.name) for one in at.players if one.present and one.hand == 1
        ],
    }
    return [sentence for reminder in at.reminders if at.result is None for sentence in says[reminder]()]


def overruled(at: Position, words: Sentences) -> str:
    """Say what a person decided of the last turn otherwise than the referee; empty where nobody did."""
    turn = at.turns[-1] if at.turns and at.phase is not Phase.VERDICT else None
    return words.overruled(turn.ruling, turn.reason) if turn and turn.overruled else ""


def judged_player(at: Position) -> str | None:
    """Give the name of the player whose turn the last verdict is about."""
    if at.phase is Phase.VERDICT or not at.turns:
        return at.player.name if at.player else None
    return at.players[at.turns[-1].seat].name


def spoken_verdict(verdict: Verdict, words: Sentences, player: str | None) -> Json:
    """Give a verdict with the sentences that the page shows and says."""
    return {
        **verdict_document(verdict, words),
        "message": words.verdict(verdict, player),
        "consequence_message": words.consequence(verdict.consequence, player),
    }


def guide(goal: Table, lies: Table) -> Json:
    """Say how to put a table back: each meld of `goal`, whether it lies already, and what goes back to the hand."""
    rows = Counter(lies.rows)
    melds = []
    for row in goal.rows:
        done = rows[row] > 0 or rows[row[::-1]] > 0
        rows[row if rows[row] > 0 else row[::-1]] -= done
        melds.append({"tiles": format_tiles(row), "done": done})
    return {"melds": melds, "to_hand": texts(tuple(sorted((lies.tiles - goal.tiles).elements())))}


@dataclass
class StateWriter:
    """Writes the state for many tablets: those that read alike get the same text, made once a moment."""

    desk: Desk
    feed: Feed
    now_ms: Callable[[], int]
    live_verdict: bool = False
    _paused: Table | None = None
    _texts: dict[Reader, tuple[tuple[int, int], float, str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self, state: State | None = None) -> Look:
        """Take all that a document is made of, of now or of the state given."""
        of = state or self.desk.state
        paused = self._paused if is_paused(of.game.now) else None
        return Look(of, self.desk.sight.seen, self.feed.sight, self.now_ms(), self.live_verdict, paused)

    def note(self, state: State) -> None:
        """Take in a new state: the table is remembered from the moment that somebody pauses the game."""
        if not is_paused(state.game.now):
            self._paused = None
        elif self._paused is None:
            self._paused = self.look(state).table

    def document(self, reader: Reader, state: State | None = None) -> Json:
        """Give the state as JSON values."""
        return state_document(self.look(state), reader)

    def text(self, reader: Reader, state: State) -> str:
        """Give the state as JSON text; of the same moment the same text."""
        mark, now = (state.version, self.feed.sight.number), time.monotonic()
        with self._lock:
            known, made, text = self._texts.get(reader, ((0, 0), 0.0, ""))
            if known != mark or now - made > SAME_MOMENT_S or not text:
                text = json.dumps(self.document(reader, state))
                self._texts[reader] = (mark, now, text)
        return text
