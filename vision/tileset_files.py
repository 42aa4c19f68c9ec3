"""Taught sets on disk: one file each, a ZIP archive with `set.json` and a picture (PNG) of every taught tile.

People can look into it, and nothing in it depends on the networks' weights. Files are written whole beside their place
and then moved there, so a set that was there before is never lost to a full disk or a cut current.
"""

import io
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import Colour, Tile
from vision.errors import TileSetError
from vision.tileset import KEPT, TaughtTile, TileSet, checked_name

FOLDER = "tilesets"
SUFFIX = ".tiles"
FORMAT, VERSION = "rummy-referee tile set", 1
_HEAD = "set.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_BACK = "back"
_BROKEN = (zipfile.BadZipFile, KeyError, TypeError, ValueError, AttributeError, EOFError, NotImplementedError)


@dataclass(frozen=True)
class TileSetShelf:
    """The taught sets in a folder, which need not exist yet."""

    folder: Path

    def names(self) -> tuple[str, ...]:
        """List the sets, sorted."""
        files = sorted(self.folder.glob(f"*{SUFFIX}")) if self.folder.is_dir() else []
        return tuple(sorted((unquote(file.name[: -len(SUFFIX)]) for file in files), key=str.casefold))

    def file(self, name: str) -> Path:
        """Give the file of a set, whatever the case its name is written in; it may not exist.

        Raises:
            TileSetError: the name is none.
        """
        name = checked_name(name)
        known = next((other for other in self.names() if other.casefold() == name.casefold()), name)
        return self.folder / f"{quote(known, safe=' ')}{SUFFIX}"

    def __contains__(self, name: str) -> bool:
        """Whether a set was taught."""
        return self.file(name).is_file()

    def load(self, name: str) -> TileSet:
        """Read a set.

        Raises:
            TileSetError: there is no such set, or its file is corrupt or of a later version of the program.
        """
        file = self.file(name)
        try:
            data = file.read_bytes()
        except FileNotFoundError as error:
            known = ", ".join(self.names()) or "none yet"
            msg = f"there is no taught set of tiles {name!r} (taught: {known}): teach it first, or leave it out"
            raise TileSetError(msg) from error
        except OSError as error:
            msg = f"the taught set {name!r} cannot be read from {file}: {error.strerror}"
            raise TileSetError(msg) from error
        return _unpacked(data, file)

    def save(self, tileset: TileSet) -> Path:
        """Write a set, in place of the one of its name.

        Raises:
            TileSetError: the folder or the disk refuses it; what was there before is still there.
        """
        file = self.file(tileset.name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write_whole(file, packed(tileset))
        except OSError as error:
            msg = f"the taught set cannot be written to {file}: {error.strerror}; make room, or give another --data"
            raise TileSetError(msg) from error
        return file

    def forget(self, name: str) -> None:
        """Delete a set, corrupt or not.

        Raises:
            TileSetError: there is no such set, or it cannot be deleted.
        """
        try:
            self.file(name).unlink()
        except FileNotFoundError as error:
            msg = f"there is no taught set of tiles {name!r} to forget"
            raise TileSetError(msg) from error
        except OSError as error:
            msg = f"the taught set {name!r} cannot be deleted: {error.strerror}"
            raise TileSetError(msg) from error


def _write_whole(file: Path, data: bytes) -> None:
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=SUFFIX + "-part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(beside).replace(file)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def packed(tileset: TileSet) -> bytes:
    """Give the bytes of a set's file; the same set gives the same bytes."""
    listed = [
        {"tile": _BACK if tile.face is None else str(tile.face), "photo": tile.photo, "file": f"{place:04d}.png"}
        for place, tile in enumerate(tileset.tiles)
    ]
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": tileset.name,
        "inks": {colour.value: name for colour, name in sorted(tileset.inks.items())},
        "patch": list(KEPT),
        "tiles": listed,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo(_HEAD, _EPOCH), json.dumps(head, ensure_ascii=False, indent=1))
        for entry, tile in zip(listed, tileset.tiles, strict=True):
            archive.writestr(
                zipfile.ZipInfo(str(entry["file"]), _EPOCH), cv2.imencode(".png", tile.pixels)[1].tobytes()
            )
    return out.getvalue()


def _unpacked(data: bytes, file: Path) -> TileSet:
    remedy = f"rummy-referee teach --forget {unquote(file.name[: -len(SUFFIX)])!r}, then teach it again"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            head = json.loads(archive.read(_HEAD))
            if head["format"] == FORMAT and head["version"] <= VERSION:
                return _set_of(head, archive)
    except _BROKEN as error:
        msg = f"the taught set {file} is corrupt ({' '.join(str(error).split())}): {remedy}"
        raise TileSetError(msg) from error
    msg = f"the taught set {file} was written by a later version of the program: update it, or {remedy}"
    raise TileSetError(msg)


def _set_of(head: dict[str, Any], archive: zipfile.ZipFile) -> TileSet:
    if tuple(head["patch"]) != tuple(KEPT):
        msg = "it is no set of tiles"
        raise ValueError(msg)
    tiles = tuple(
        TaughtTile(
            None if entry["tile"] == _BACK else Tile.parse(entry["tile"]),
            _pixels(archive.read(entry["file"])),
            int(entry["photo"]),
        )
        for entry in head["tiles"]
    )
    return TileSet(head["name"], tiles, {Colour(letter): str(name) for letter, name in head["inks"].items()})


def _pixels(data: bytes) -> NDArray[np.uint8]:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None or pixels.shape != (KEPT.height, KEPT.width, 3):
        msg = "a picture in it is none"
        raise ValueError(msg)
    return np.asarray(pixels, np.uint8)
