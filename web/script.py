"""The script of a recorded game: its rules, its players, and what is known of each turn."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from referee.errors import NotationError, RuleError
from referee.rules import RuleSet, preset
from referee.table import Table
from referee.verdict import FaultCode, Ruling
from web.errors import InputError
from web.told import Truth


@dataclass(frozen=True)
class ScriptTurn:
    """One turn: whose it is, when its end is called in seconds from the first picture, and what is known of it."""

    player: str
    done_s: float | None = None
    truth: Truth | None = None
    table: Table | None = None
    timed_out: bool = False


@dataclass(frozen=True)
class Script:
    """A recorded game: `start` is the table at its beginning, None where the first picture tells."""

    rules: RuleSet
    players: tuple[str, ...] = ("Ana", "Ben")
    start: Table | None = None
    turns: tuple[ScriptTurn, ...] = ()

    @classmethod
    def load(cls, path: Path, usual: RuleSet) -> Self:
        """Read a script; `usual` are the rules where it names none.

        Raises:
            InputError: it is no script; the message says what is wrong with it.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                rules=preset(content["rules"]).with_options(content.get("options", {}))
                if "rules" in content
                else usual,
                players=tuple(content["players"]),
                start=Table.parse(content.get("start", "-")),
                turns=tuple(map(_turn, content.get("turns", ()))),
            )
        except OSError as error:
            msg = f"the script {str(path)!r} cannot be read ({error.strerror})"
            raise InputError(msg) from error
        except (ValueError, KeyError, TypeError, AttributeError, NotationError, RuleError) as error:
            msg = f"{str(path)!r} is no script of a game: {type(error).__name__} {error}"
            raise InputError(msg) from error


def _turn(content: dict[str, Any]) -> ScriptTurn:
    truth = Truth(Ruling(content["verdict"]), _codes(content.get("codes", ()))) if "verdict" in content else None
    return ScriptTurn(
        player=content["player"],
        done_s=None if content.get("done_s") is None else float(content["done_s"]),
        truth=truth,
        table=Table.parse(content["table"]) if "table" in content else None,
        timed_out=bool(content.get("timed_out", False)),
    )


def _codes(codes: list[str]) -> tuple[str, ...]:
    return tuple(FaultCode(code).value for code in codes)
