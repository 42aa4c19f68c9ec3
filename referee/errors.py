"""What can go wrong in the referee, apart from faults of play (those are `Fault`s in a verdict)."""

from enum import StrEnum


class NotationError(ValueError):
    """A text that is not the notation of a tile, a meld or a table; the message quotes it and says what is wrong."""


class RuleError(ValueError):
    """A rule option, preset or rules file that cannot be; the message quotes it."""


class Refusal(StrEnum):
    """Why the game does not allow an action; `REFUSALS` has the sentences."""

    NO_ANSWER = "no_answer"
    NO_DOUBT = "no_doubt"
    NOT_ASKED = "not_asked"
    NOT_PLAYED = "not_played"
    NO_RULING = "no_ruling"
    NOT_LEGAL = "not_legal"
    NOT_RESTORING = "not_restoring"
    UNDER_WAY = "under_way"
    SETUP = "setup"
    NO_TEXT = "no_text"
    PLAYERS = "players"
    NAMES = "names"
    NAME = "name"
    NO_PLAYER = "no_player"
    NO_GAME = "no_game"
    HAND = "hand"
    NOT_IN_TURN = "not_in_turn"
    NEW_TILES = "new_tiles"
    STILL_THERE = "still_there"
    NO_MELD_LEFT = "no_meld_left"
    NOT_MISSING = "not_missing"
    CLOCK = "clock"
    NO_LIMIT = "no_limit"
    NO_UNDO = "no_undo"
    NO_REDO = "no_redo"
    NO_TURN = "no_turn"
    OTHERS_TURN = "others_turn"
    NOT_ENDED = "not_ended"
    CANNOT_BE = "cannot_be"
    OUT_OF_NOTHING = "out_of_nothing"
    SCORED_PLAYERS = "scored_players"
    TWO_OUT = "two_out"
    NOBODY_OUT = "nobody_out"
    RACKS = "racks"
    STALE = "stale"


REFUSALS = {
    Refusal.NO_ANSWER: "'{answer}' is no answer to '{tile}': say one of {answers}",
    Refusal.NO_DOUBT: "there is no doubt {doubt}: {count} are asked",
    Refusal.NOT_ASKED: "no turn waits for an answer",
    Refusal.NOT_PLAYED: "turn {turn} has not been played",
    Refusal.NO_RULING: "a turn is legal, a draw or illegal",
    Refusal.NOT_LEGAL: "no tile was played: the turn is a draw or illegal; or else correct the table",
    Refusal.NOT_RESTORING: "no table has to be put back",
    Refusal.UNDER_WAY: "a game is under way: end it first, or say that it is given up",
    Refusal.SETUP: "the starter is one of the players, and each player has a number of tiles",
    Refusal.NO_TEXT: "{text} is no text: {reason}",
    Refusal.PLAYERS: "{count} players: with this set of tiles {least} to {most} can play",
    Refusal.NAMES: "every player needs a name of their own, not {names}",
    Refusal.NAME: "a player needs a name of their own, not '{name}'",
    Refusal.NO_PLAYER: "'{name}' does not play: there is {names}",
    Refusal.NO_GAME: "no game is under way: start one first",
    Refusal.HAND: "'{name}' cannot hold {count} tiles",
    Refusal.NOT_IN_TURN: "that can be done while a turn is played",
    Refusal.NEW_TILES: "{table} has tiles that did not lie there: {before}",
    Refusal.STILL_THERE: "{table} still has {tile}",
    Refusal.NO_MELD_LEFT: (
        "no meld is left where {tile} lay: say how the table is to lie (tiles taken off it go to the pool)"
    ),
    Refusal.NOT_MISSING: "{tile} is not missing",
    Refusal.CLOCK: "the clock runs only while a turn is played",
    Refusal.NO_LIMIT: "this game has no time limit",
    Refusal.NO_UNDO: "there is nothing to undo",
    Refusal.NO_REDO: "there is nothing to redo",
    Refusal.NO_TURN: "no turn is being played",
    Refusal.OTHERS_TURN: "it is the turn of '{name}', not of '{other}'",
    Refusal.NOT_ENDED: "the racks are counted when the game has ended",
    Refusal.CANNOT_BE: "{table} cannot be: more tiles than the set holds, or than {name} had in hand",
    Refusal.OUT_OF_NOTHING: "the hands and the table would hold {count} tiles more than the set has",
    Refusal.SCORED_PLAYERS: "a game has two players or more, each named once, not {names}",
    Refusal.TWO_OUT: "only one player can go out, but the racks of {names} are empty",
    Refusal.NOBODY_OUT: "nobody went out: one rack must be empty, or the pool must be said to be empty",
    Refusal.RACKS: "{problems}",
    Refusal.STALE: "the game has gone on: it is at {present}, and you saw {seen}",
}
"""The sentence of each refusal; its fields are the `values` of the error, so that a catalogue can translate it."""


class GameError(ValueError):
    """An action that the game does not allow at this moment; `code` and `values` say why, and so does the message."""

    def __init__(self, code: Refusal, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))


class RecordError(ValueError):
    """A record of an event, or a game's file, that cannot be read; the message quotes the part that is wrong."""


class LogError(RuntimeError):
    """The log cannot be read or written (locked, full, corrupt, of a newer version); the message says what to do."""
