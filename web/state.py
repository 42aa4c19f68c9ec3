"""The state of the game as the pages and scripts get it: one JSON document, in the language and for the role of who asks."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.desk import Desk, State
from referee.game import Game, Phase, Player
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
    """All that the document is made of, taken at one moment; `seen` is the table as it last lay still."""

    state: State
    seen: Table | None
    sight: Sight
    now_ms: int
    live_verdict: bool

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.state.game

    @property
    def table(self) -> Table:
        """The table as it lies now, as far as anybody knows."""
        shown = self.game.entered or self.seen
        return self.game.table if shown is None else shown

    @property
    def played(self) -> tuple[Tile, ...]:
        """The tiles of this turn that lie on the table, in the order of the tiles."""
        return tuple(sorted((self.table.tiles - self.game.table.tiles).elements()))


def state_document(look: Look, reader: Reader) -> Json:
    """Give the whole state; its names are the contract's and those of docs/http.md."""
    words, game = sentences(reader.language), look.game
    return {
        "schema": SCHEMA,
        "version": look.state.version,
        "phase": game.phase.value,
        "turn": game.turn,
        "player": game.player.name if game.player else None,
        "players": [player_document(player, seat) for seat, player in enumerate(game.players)],
        "pool": game.pool,
        "clock": clock_document(game, look.now_ms),
        "role": str(reader.role),
        "pictures": reader.pictures,
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
        **game_words(game, words),
        **verdict_part(game, words),
        **camera_part(look.sight),
        **reading_part(look, words),
    }


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


def clock_document(game: Game, now_ms: int) -> Json:
    """Give the clock: `left_s` is null where the turn has no limit."""
    clock = game.clock
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
    game = look.game
    live = look.sight.verdict if look.live_verdict and game.phase is Phase.PLAY else None
    return {
        "table": str(look.table),
        "played": texts(look.played),
        "frame": look.sight.number,
        "live_verdict": spoken_verdict(live, words, None) if live else None,
        "guide": guide(game.table, look.table) if game.phase is Phase.RESTORE else None,
    }


def verdict_part(game: Game, words: Sentences) -> Json:
    """Give the last verdict and the questions that wait for an answer."""
    verdict, player = game.verdict, judged_player(game)
    open_questions = verdict.doubts if verdict and game.phase is Phase.VERDICT else ()
    return {
        "verdict": spoken_verdict(verdict, words, player) if verdict else None,
        "doubts": [{"number": place, **question_document(one, words)} for place, one in enumerate(open_questions)],
    }


def judged_player(game: Game) -> str | None:
    """Give the name of the player whose turn the last verdict is about."""
    if game.phase in (Phase.VERDICT, Phase.RESTORE) or not game.turns:
        return game.player.name if game.player else None
    return game.players[game.turns[-1].seat].name


def spoken_verdict(verdict: Verdict, words: Sentences, player: str | None) -> Json:
    """Give a verdict with the sentences that the page shows and says."""
    return {
        **verdict_document(verdict, words),
        "message": words.verdict(verdict, player),
        "consequence_message": words.consequence(verdict.consequence, player),
    }


def game_words(game: Game, words: Sentences) -> Json:
    """Give what the page says about the game apart from the verdict."""
    return {
        "before": str(game.table),
        "rules": game.rules.name,
        "called": bool(game.called),
        "last_turn": game.turns[-1].number if game.turns else 0,
        "winners": list(game.match.winners) if game.phase is Phase.ENDED else [],
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
    _texts: dict[Reader, tuple[tuple[int, int], float, str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self, state: State | None = None) -> Look:
        """Take all that a document is made of, of now or of the state given."""
        return Look(state or self.desk.state, self.desk.seen, self.feed.sight, self.now_ms(), self.live_verdict)

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
