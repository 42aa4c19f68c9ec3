"""Taught sets of tiles, for the command line and the pages: where they lie, teaching one, reading with them.

Loaded only where pictures are read. For a page: `teach_picture` takes one picture at a time and saves what it taught,
so nothing is lost when the owner stops half way; `Lesson` says what was seen and `TileSet.missing` what is not there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.tiles import COLOURS, Colour
from vision.errors import TileSetError
from vision.frames import Picture
from vision.ink_names import name_of
from vision.lessons import Lesson, teach
from vision.likeness import Prototypes, TaughtFaces
from vision.prints import ink_colours
from vision.reader import TableReader
from vision.specimens import kept_faces
from vision.tileset import InkName, TileSet
from vision.tileset_files import FOLDER, TileSetShelf
from web.settings import Settings


def shelf_of(settings: Settings) -> TileSetShelf:
    """Give the taught sets of the data folder."""
    return TileSetShelf(settings.data_folder / FOLDER)


def with_taught_sets(reader: TableReader, settings: Settings) -> TableReader:
    """Let a reader use the set that the settings name; without a name, the one that a table is clearly like.

    Raises:
        TileSetError: there is no such set, it is not finished enough to read with, or its file is corrupt.
    """
    shelf = shelf_of(settings)
    sets = [shelf.load(settings.tileset)] if settings.tileset else _finished(shelf)
    if not sets:
        return reader
    known = [Prototypes.of(one, reader.networks) for one in sets]
    return replace(reader, networks=TaughtFaces.of(reader.networks, known, named=bool(settings.tileset)))


def _finished(shelf: TileSetShelf) -> list[TileSet]:
    """Give the sets that are whole; a file that is corrupt is nobody's choice, so it is left alone."""
    found = []
    for name in shelf.names():
        try:
            found.append(shelf.load(name))
        except TileSetError:
            continue
    return [one for one in found if one.finished]


def begun(shelf: TileSetShelf, name: str, inks: Iterable[InkName] = ()) -> TileSet:
    """Give the set of a name as it was taught so far, an empty one where it is new, with these names of inks.

    Raises:
        TileSetError: the name is none, or its file is corrupt.
    """
    known = shelf.load(name) if name in shelf else TileSet(" ".join(name.split()))
    return known.named(inks)


def teach_picture(shelf: TileSetShelf, tileset: TileSet, picture: Picture, reader: TableReader) -> Lesson:
    """Learn from one picture (h, w, 3) BGR, and save what was learnt.

    Raises:
        TileSetError: it cannot be saved.
    """
    lesson = teach(tileset, picture, reader)
    if lesson.tileset.tiles:
        shelf.save(lesson.tileset)
    return lesson


def inks_seen(tileset: TileSet) -> dict[Colour, str]:
    """Say in English what the inks of a set look like, those that were seen."""
    return {colour: name for colour in COLOURS if (name := _looks(tileset, colour))}


def _looks(tileset: TileSet, colour: Colour) -> str:
    tiles = [tile for tile in tileset.tiles if tile.face is not None and tile.face.colour is colour]
    return name_of(ink_colours(kept_faces(tiles)).mean(0)) if tiles else ""


def ink_names(settings: Settings) -> Mapping[Colour, str]:
    """Give what the owner of the set that the settings name calls its inks; nothing where none is named.

    Raises:
        TileSetError: there is no such set, or its file is corrupt.
    """
    return shelf_of(settings).load(settings.tileset).inks if settings.tileset else {}
