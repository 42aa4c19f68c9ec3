"""The options in which editions differ, the presets that bundle them (RULEBOOK 12), and the rulebook's paragraphs.

An option's value is printed as a word: `yes`/`no`, a number, `none`, `-`, or one of its own words; JSON has true/false,
numbers and null instead.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, Self, cast

from referee.errors import RuleError

JsonValue = bool | int | str | None


class JokerAtStart(StrEnum):
    """What a joker drawn for the first turn means (2.2)."""

    AGAIN = "again"
    HIGHEST = "highest"


class OpeningJokerPoints(StrEnum):
    """What a joker counts in the opening (5.2)."""

    TILE = "tile"
    ZERO = "zero"


class JokerSwap(StrEnum):
    """How a joker of the table is set free (6.1)."""

    FREE = "-"
    ANY = "any"
    HAND = "hand"


class JokerReuse(StrEnum):
    """Where a joker that was replaced may lie at the end of the turn (6.4)."""

    ANYWHERE = "anywhere"
    NEW_MELD_OWN = "new_meld_own"
    NEW_MELD_TWO_OWN = "new_meld_two_own"


class TimerStarts(StrEnum):
    """When the clock of a turn begins to run (7.2)."""

    TURN = "turn"
    FIRST_MOVE = "first_move"


class EmptyPool(StrEnum):
    """What happens when the pool is empty (9.3)."""

    ENDS = "ends"
    PLAY_ON = "play_on"


class Paragraph(NamedTuple):
    """A paragraph of the rulebook, as it reads under a set of rules."""

    number: str
    text: str


class _Range(NamedTuple):
    lowest: int
    highest: int
    optional: bool = False


_RANGES = {
    "copies": _Range(1, 4),
    "jokers": _Range(0, 8),
    "opening_points": _Range(0, 500),
    "turn_seconds": _Range(20, 300, optional=True),
    "fault_draw": _Range(0, 20),
    "timeout_draw": _Range(0, 20),
    "joker_points": _Range(0, 100),
    "hand_rummy_factor": _Range(1, 10),
    "games": _Range(1, 1000, optional=True),
    "minutes": _Range(1, 1440, optional=True),
    "target": _Range(1, 1_000_000, optional=True),
}
_WORDS: dict[str, type[StrEnum]] = {
    "joker_at_start": JokerAtStart,
    "opening_joker_points": OpeningJokerPoints,
    "joker_swap": JokerSwap,
    "joker_reuse": JokerReuse,
    "timer_starts": TimerStarts,
    "empty_pool": EmptyPool,
}
_TRUTH = {"yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """The rules of one game: a preset's name and every option of the rulebook, by default those of `rrrummy`.

    Raises:
        RuleError: an option's value cannot be, or options contradict each other.
    """

    preset: str = "rrrummy"
    copies: int = 2
    jokers: int = 2
    joker_at_start: JokerAtStart = JokerAtStart.AGAIN
    swap_duplicates: bool = False
    naturals_outnumber: bool = False
    opening_points: int = 30
    opening_joker_points: OpeningJokerPoints = OpeningJokerPoints.TILE
    open_and_play_on: bool = False
    joker_swap: JokerSwap = JokerSwap.HAND
    joker_meld_locked: bool = True
    joker_reuse: JokerReuse = JokerReuse.ANYWHERE
    turn_seconds: int | None = 120
    timer_starts: TimerStarts = TimerStarts.TURN
    fault_draw: int = 3
    timeout_draw: int = 3
    winning_call: bool = False
    last_tile_call: bool = False
    empty_pool: EmptyPool = EmptyPool.PLAY_ON
    joker_points: int = 30
    hand_rummy_factor: int = 1
    games: int | None = None
    minutes: int | None = None
    target: int | None = None

    def __post_init__(self) -> None:
        """Check every value, and the options against each other."""
        if self.preset not in _CHANGES:
            msg = f"there is no preset {self.preset!r}: choose one of {', '.join(_CHANGES)}"
            raise RuleError(msg)
        for option in OPTIONS:
            object.__setattr__(self, option, _checked(option, getattr(self, option)))
        if self.joker_meld_locked and self.joker_swap is JokerSwap.FREE:
            raise RuleError(
                "joker_meld_locked = 'yes' asks for a joker_swap other than '-': "
                "where a joker may be moved like any tile, its meld cannot be locked (6.3)"
            )

    @property
    def name(self) -> str:
        """The preset's name, and how many options differ from it: `rrrummy + 2 changes`."""
        count = len(self.changes())
        return f"{self.preset} + {count} change{'s' if count > 1 else ''}" if count else self.preset

    def options(self) -> dict[str, JsonValue]:
        """Give every option, in the rulebook's order, as JSON has it."""
        return {option: _json(getattr(self, option)) for option in OPTIONS}

    def words(self) -> dict[str, str]:
        """Give every option, in the rulebook's order, as it is printed and as `with_options` takes it."""
        return {option: _word(value) for option, value in self.options().items()}

    def changes(self) -> dict[str, JsonValue]:
        """Give the options that differ from the preset's."""
        usual = preset(self.preset).options()
        return {option: value for option, value in self.options().items() if value != usual[option]}

    def with_options(self, changes: Mapping[str, object]) -> Self:
        """Change some options; values as JSON has them or as they are printed.

        Raises:
            RuleError: an option that is none, a value that it does not take, or options that contradict each other.
        """
        for option in changes:
            if option not in OPTIONS:
                msg = f"there is no rule option {option!r}: choose one of {', '.join(OPTIONS)}"
                raise RuleError(msg)
        # the checks of __post_init__ read every notation of a value; mypy cannot know
        return replace(self, **changes)  # type: ignore[arg-type]

    def to_toml(self) -> str:
        """Give the text of a rules file: the preset and what differs from it."""
        lines = [f'preset = "{self.preset}"', "", "[options]"]
        lines += [f"{option} = {_toml(value)}" for option, value in self.changes().items()]
        return "\n".join(lines) + "\n"

    @staticmethod
    def from_toml(text: str) -> "RuleSet":
        """Read the text of a rules file.

        Raises:
            RuleError: it is no TOML, or holds something other than a preset and its options.
        """
        try:
            content = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            msg = f"this is no rules file: {error}"
            raise RuleError(msg) from error
        unknown = content.keys() - {"preset", "options"}
        options = content.get("options", {})
        if unknown or not isinstance(options, dict):
            wrong = ", ".join(sorted(unknown)) or f"options = {options!r}"
            msg = f"a rules file has a preset and a table [options], not {wrong}"
            raise RuleError(msg)
        return preset(str(content.get("preset", DEFAULT_PRESET))).with_options(options)

    def save(self, path: Path) -> None:
        """Write a rules file."""
        path.write_text(self.to_toml(), encoding="utf-8")

    @staticmethod
    def load(path: Path) -> "RuleSet":
        """Read a rules file.

        Raises:
            RuleError: it cannot be read, or is no rules file; the message names it.
        """
        try:
            return RuleSet.from_toml(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            msg = f"the rules file {str(path)!r} cannot be read: {error}"
            raise RuleError(msg) from error
        except RuleError as error:
            msg = f"{path}: {error}"
            raise RuleError(msg) from error

    def paragraphs(self, language: str = "en") -> tuple[Paragraph, ...]:
        """Give the rulebook as it reads under these rules.

        Raises:
            RuleError: there is no rulebook in that language.
        """
        words = self.words()
        return tuple(
            Paragraph(number, _worded(entry, words).format_map(words)) for number, entry in _rulebook(language).items()
        )


OPTIONS = tuple(field.name for field in fields(RuleSet) if field.name != "preset")
"""Every rule option, in the order of the rulebook's sections."""


def _checked(option: str, value: object) -> object:
    """Read an option's value in any of its notations.

    Raises:
        RuleError: the option does not take it.
    """
    if option in _RANGES:
        return _number(option, value)
    if option in _WORDS:
        return _choice(option, value)
    truth = _TRUTH.get(value.strip().lower()) if isinstance(value, str) else value
    if not isinstance(truth, bool):
        msg = f"{option} = {value!r}: say yes or no"
        raise RuleError(msg)
    return truth


def _number(option: str, value: object) -> int | None:
    lowest, highest, optional = _RANGES[option]
    if optional and value in (None, "none"):
        return None
    text = value.strip() if isinstance(value, str) else value
    number = int(text) if isinstance(text, str) and text.isascii() and text.isdigit() else text
    if type(number) is not int or not lowest <= number <= highest:
        msg = f"{option} = {value!r}: say a number {lowest} to {highest}{' or none' if optional else ''}"
        raise RuleError(msg)
    return number


def _choice(option: str, value: object) -> StrEnum:
    words = _WORDS[option]
    try:
        return words(str(value))
    except ValueError:
        msg = f"{option} = {value!r}: choose one of {', '.join(words)}"
        raise RuleError(msg) from None


def _json(value: object) -> JsonValue:
    return value.value if isinstance(value, StrEnum) else cast("JsonValue", value)


def _word(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _toml(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f'"{_word(value)}"'


_CHANGES: dict[str, dict[str, object]] = {
    "mini-rummy": {
        "open_and_play_on": True,
        "timer_starts": TimerStarts.FIRST_MOVE,
        "fault_draw": 1,
        "timeout_draw": 1,
        "empty_pool": EmptyPool.ENDS,
    },
    "rummy-mini-es": {
        "opening_joker_points": OpeningJokerPoints.ZERO,
        "open_and_play_on": True,
        "joker_swap": JokerSwap.FREE,
        "joker_meld_locked": False,
        "turn_seconds": None,
        "fault_draw": 1,
        "timeout_draw": 1,
        "winning_call": True,
        "swap_duplicates": True,
    },
    "pup-rummy": {"joker_swap": JokerSwap.FREE, "joker_meld_locked": False},
    "easy-rummy": {"joker_swap": JokerSwap.FREE, "joker_meld_locked": False},
    "rrrummy": {},
    "tiles-50": {"opening_points": 50, "joker_reuse": JokerReuse.NEW_MELD_OWN},
    "dutch-rummy": {"joker_meld_locked": False},
    "classic-2009": {
        "open_and_play_on": True,
        "joker_meld_locked": False,
        "joker_reuse": JokerReuse.NEW_MELD_TWO_OWN,
        "timeout_draw": 1,
        "winning_call": True,
    },
    "classic-2017": {
        "open_and_play_on": True,
        "joker_swap": JokerSwap.FREE,
        "joker_meld_locked": False,
        "turn_seconds": 60,
    },
}
DEFAULT_PRESET = "rrrummy"
PRESETS: dict[str, RuleSet] = {
    name: RuleSet(preset=name, **changes)  # type: ignore[arg-type]  # the words are checked on the way in
    for name, changes in _CHANGES.items()
}


def preset(name: str) -> RuleSet:
    """Give the rules of a preset.

    Raises:
        RuleError: there is no preset of that name; the message lists them.
    """
    return PRESETS[name] if name in PRESETS else RuleSet(preset=name)


def _worded(entry: Mapping[str, object], words: Mapping[str, str]) -> str:
    """Put a paragraph together: its text, then for each of its options the sentence of the option's word (or `*`)."""
    parts = [cast("str", entry.get("text", ""))]
    for option, sentences in entry.items():
        if option != "text":
            by_word = cast("Mapping[str, str]", sentences)
            parts.append(by_word.get(words[option], by_word.get("*", "")))
    return " ".join(part for part in parts if part)


@cache
def _rulebook(language: str) -> dict[str, dict[str, object]]:
    """Read the paragraphs of a language: package data `rulebook/<language>.toml`."""
    source = files("referee") / "rulebook" / f"{language}.toml"
    if not language.isalpha() or not source.is_file():
        msg = f"there is no rulebook in the language {language!r}"
        raise RuleError(msg)
    return tomllib.loads(source.read_text(encoding="utf-8"))
