"""The one frozen Settings, read once from `referee.toml`, the environment and the command line's flags.

Later sources win: defaults, then the file, then `RUMMY_REFEREE_<OPTION>` variables, then flags.
`referee.example.toml` lists every option at its default.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Self

import platformdirs

from web.errors import InputError

ENVIRONMENT_PREFIX = "RUMMY_REFEREE_"
FILE_NAME = "referee.toml"
WORDS = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}


class SettingsError(InputError):
    """A setting that cannot be; the message names the option, where it was set, and what may stand there."""


def _option(default: object, says: str, low: int | None = None, high: int | None = None) -> Any:  # noqa: ANN401
    """Declare an option: its default, one line of what it is (shown in the example file), and its range."""
    return field(default=default, metadata={"says": says, "range": (low, high)})


@dataclass(frozen=True)
class Settings:
    """Every option of the program; the empty text means "not set" wherever a text may be empty."""

    camera: str = _option("", "Camera: a number, a name, a video file, a folder of pictures, or a stream's address.")
    players: tuple[str, ...] = _option((), "Names of the players in turn order; empty: ask on the page.")
    rules: str = _option("rrrummy", "Rules: the name of a preset, or a rules file (.toml).")
    set: tuple[str, ...] = _option((), 'House rules on top of it, as OPTION=VALUE: ["turn_seconds=90"].')
    tileset: str = _option("", "The owner's taught tiles; empty: the common sets.")
    weights: str = _option("", "Another weights file for the reader; empty: the bundled one.")
    corners: str = _option("", "The playing area in the picture, four corners: x,y x,y x,y x,y.")
    data: str = _option("", "Folder for games, pictures and secrets; empty: this machine's user data folder.")
    database: str = _option("", "The log's file; empty: games.db in the data folder.")
    host: str = _option("127.0.0.1", "Address to serve on; 0.0.0.0 opens it to the home network (PINs are then asked).")
    port: int = _option(8000, "Port to serve on; 0 takes a free one.", 0, 65535)
    allow_host: tuple[str, ...] = _option((), "More names under which this machine may be called.")
    clients: int = _option(
        64, "Open pages that are kept up to date at once; more of them ask every few seconds.", 1, 500
    )
    browser: bool = _option(default=True, says="Open the page in this machine's browser at the start.")
    pictures: bool = _option(
        default=False, says="Let everybody on the network see the camera's picture, not players only."
    )
    live_verdict: bool = _option(default=False, says="Show what the verdict would be before a player says done.")
    evidence: bool = _option(default=True, says="Keep the pictures before and after each turn.")
    evidence_mb: int = _option(500, "Megabytes that those pictures may take; the oldest go first.", 1, 1_000_000)
    language: str = _option("", "Language of the pages: en, es, de or nl; empty: as each browser asks.")
    record: str = _option("", "Record the picture and the turns into this video file; empty: do not.")

    @classmethod
    def load(cls, flags: Mapping[str, object], environment: Mapping[str, str], file: Path | None = None) -> Self:
        """Read all sources; `file` given must exist, without it `referee.toml` in the working folder is read if there.

        Raises:
            SettingsError: an option is unknown or its value cannot be, or the file cannot be read.
        """
        changes: dict[str, Any] = {**_from_file(file), **_from_environment(environment)}
        changes.update({name: _checked(name, value, "the command line") for name, value in flags.items()})
        return cls(**changes)

    @property
    def data_folder(self) -> Path:
        """The folder of games, pictures and secrets; it may not exist yet."""
        return Path(self.data).expanduser() if self.data else Path(platformdirs.user_data_dir("rummy-referee"))

    @property
    def database_file(self) -> Path:
        """The log's file; it may not exist yet."""
        return Path(self.database).expanduser() if self.database else self.data_folder / "games.db"

    @property
    def is_loopback(self) -> bool:
        """Whether the pages are reachable from this machine alone, so that nobody needs a PIN."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Tell whether an address or name to bind to is this machine's own loopback."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


OPTIONS = {option.name: option for option in fields(Settings)}


def _from_file(file: Path | None) -> dict[str, object]:
    """Read the settings file; a file that was not asked for may be absent."""
    path = file or Path(FILE_NAME)
    if file is None and not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"the settings file {str(path)!r} cannot be read: {error}"
        raise SettingsError(msg) from error
    return {name: _checked(name, value, str(path)) for name, value in table.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, object]:
    """Read `RUMMY_REFEREE_…` variables, lists separated by commas."""
    found = {}
    for name in OPTIONS:
        variable = ENVIRONMENT_PREFIX + name.upper()
        if variable in environment:
            found[name] = _checked(name, environment[variable], variable)
    return found


def _checked(name: str, value: object, source: str) -> object:
    """Give a value in the type of its option.

    Raises:
        SettingsError: no such option, the wrong type, or out of range.
    """
    option = OPTIONS.get(name)
    if option is None:
        msg = f"{name!r} in {source} is no option; there are: {', '.join(OPTIONS)}"
        raise SettingsError(msg)
    converted = _convert(value, option.default)
    if converted is None:
        msg = f"{name} = {value!r} in {source}: write {_kind(option.default)}"
        raise SettingsError(msg)
    low, high = option.metadata["range"]
    if low is not None and not low <= converted <= high:
        msg = f"{name} = {value!r} in {source}: it goes from {low} to {high}"
        raise SettingsError(msg)
    return converted


def _convert(value: object, default: object) -> Any:  # noqa: ANN401
    """Turn a TOML value or a text into the type of `default`; None where that cannot be."""
    if isinstance(default, bool):
        return value if isinstance(value, bool) else WORDS.get(str(value).strip().lower())
    if isinstance(default, int):
        return _whole(value)
    if isinstance(default, tuple):
        return _texts(value)
    return str(value) if isinstance(value, str | int | os.PathLike) and not isinstance(value, bool) else None


def _whole(value: object) -> int | None:
    """Turn a whole number or its text into an int."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        return int(value)
    except ValueError:
        return None


def _texts(value: object) -> tuple[str, ...] | None:
    """Turn a list of texts, or a text with commas, into a tuple of texts."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return None


def _kind(default: object) -> str:
    """Say what an option takes, for messages."""
    kinds = ((bool, "yes or no"), (int, "a whole number"), (tuple, "a list of texts"), (str, "a text"))
    return next(says for kind, says in kinds if isinstance(default, kind))


def example() -> str:
    """Give the text of `referee.example.toml`: every option, explained, at its default."""
    head = (
        "# Every option of rummy-referee at its default. Copy this file to referee.toml and change what you like.\n"
        f"# The environment ({ENVIRONMENT_PREFIX}PORT=8080) wins over the file, flags (--port 8080) over both.\n"
    )
    return head + "".join(
        f"\n# {option.metadata['says']}\n{option.name} = {_toml(option.default)}\n" for option in OPTIONS.values()
    )


def _toml(value: object) -> str:
    """Write a default as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    return "[]" if value == () else f'"{value}"' if isinstance(value, str) else str(value)
