"""What can go wrong in the referee, apart from faults of play (those are `Fault`s in a verdict)."""


class NotationError(ValueError):
    """A text that is not the notation of a tile, a meld or a table; the message quotes it and says what is wrong."""


class RuleError(ValueError):
    """A rule option, preset or rules file that cannot be; the message quotes it."""


class GameError(ValueError):
    """An action that the game does not allow at this moment; the message says why."""


class RecordError(ValueError):
    """A record of an event, or a game's file, that cannot be read; the message quotes the part that is wrong."""


class LogError(RuntimeError):
    """The log cannot be read or written (locked, full, corrupt, of a newer version); the message says what to do."""
