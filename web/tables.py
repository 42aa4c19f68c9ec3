"""Tables as people give them to a command: in notation, or as photographs of one table."""

from collections.abc import Sequence
from pathlib import Path

from referee.doubts import parse_seen
from referee.sight import Seen
from referee.table import TableReading
from web.errors import InputError
from web.settings import Settings

IMAGES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic"}


class TableError(InputError):
    """A table that was given in a way that cannot be; the message quotes it."""


def is_picture(text: str) -> bool:
    """Tell whether a table is given as a picture: by its suffix, or because it is an existing file."""
    try:
        return Path(text).suffix.lower() in IMAGES or Path(text).is_file()
    except (OSError, ValueError):
        return False


def compared(before: Seen, after: Seen) -> tuple[Seen, Seen]:
    """Let two photographed tables make each other surer: a row that reads the same in both was seen twice."""
    if not (isinstance(before, TableReading) and isinstance(after, TableReading)):
        return before, after
    from vision.looks import seen_twice  # noqa: PLC0415 -- notation needs no eyes

    return seen_twice(before, after), seen_twice(after, before)


def table_of(given: Sequence[str], side: str, settings: Settings) -> Seen:
    """Give the table of one side: its notation, or what one or several photos of it show.

    Raises:
        NotationError: it is no notation.
        TableError: several notations, or notation among photos.
    """
    if all(map(is_picture, given)):
        from web.eyes import read_together  # noqa: PLC0415 -- notation needs no eyes, and loading them takes a second

        return read_together([Path(one) for one in given], settings)
    if len(given) > 1:
        msg = f"--{side} was given {len(given)} times: only photos of one table may be repeated"
        raise TableError(msg)
    return parse_seen(given[0])
