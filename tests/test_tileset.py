"""A taught set as a value, and its file."""

import zipfile

import numpy as np
import pytest

from referee.tiles import COLOURS, JOKER, NUMBERED, Colour, Tile
from vision.errors import TileSetError
from vision.tileset import KEPT, MOST_LOOKS, InkName, TaughtTile, TileSet
from vision.tileset_files import TileSetShelf, packed


def taught(face, photo=0, shade=200):
    return TaughtTile(face, np.full((KEPT.height, KEPT.width, 3), shade, np.uint8), photo)


def whole():
    return TileSet("ours").seen([taught(face) for face in (*NUMBERED, JOKER, JOKER)])


def test_what_is_missing_is_named_jokers_too():
    tileset = TileSet("ours").seen([taught(face) for face in (*NUMBERED, JOKER) if str(face) != "R7"])
    assert [str(face) for face in tileset.missing] == ["R7", "J"]
    assert not tileset.finished
    assert tileset.seen([taught(Tile.parse("R7"), 1), taught(JOKER, 1)]).finished


def test_of_each_face_the_newest_pictures_are_kept():
    tileset = TileSet("ours")
    for photo in range(MOST_LOOKS + 3):
        tileset = tileset.seen([taught(Tile.parse("R7"), photo)])
    assert [tile.photo for tile in tileset.tiles] == list(range(3, MOST_LOOKS + 3))
    assert tileset.photos == MOST_LOOKS + 3


@pytest.mark.parametrize("text", ["B=green", "K=dark purple"])
def test_an_ink_name_is_written_as_it_is_read(text):
    assert str(InkName.parse(text)) == text


@pytest.mark.parametrize("text", ["green", "J=green", "B=", "X=red", "B=" + 50 * "x"])
def test_what_is_no_ink_name_is_refused_with_its_text(text):
    with pytest.raises(TileSetError, match="such as B=green"):
        InkName.parse(text)


@pytest.mark.parametrize("name", ["", "a/b", "..", ".hidden", "x" * 41, "a\\b", " ours"])
def test_a_name_that_no_file_should_have_is_refused(name):
    with pytest.raises(TileSetError):
        TileSet(name)


@pytest.fixture
def shelf(tmp_path):
    return TileSetShelf(tmp_path / "tilesets")


def test_a_set_is_read_as_it_was_written(shelf):
    before = whole().named([InkName(Colour.BLUE, "green")])
    shelf.save(before)
    after = shelf.load("OURS")
    assert (after.name, after.inks, after.missing) == ("ours", {Colour.BLUE: "green"}, ())
    assert packed(after) == packed(before)
    assert shelf.names() == ("ours",)


def test_a_set_that_was_not_taught_is_named_with_those_that_were(shelf):
    shelf.save(whole())
    with pytest.raises(TileSetError, match=r"'grandmas'.*ours.*teach it first"):
        shelf.load("grandmas")


def test_a_set_is_forgotten_once(shelf):
    shelf.save(whole())
    shelf.forget("ours")
    assert shelf.names() == ()
    with pytest.raises(TileSetError, match="ours"):
        shelf.forget("ours")


def spoilt(file):
    return {
        "cut short": file.read_bytes()[:-300],
        "a byte changed": file.read_bytes()[:5000] + b"\x00" + file.read_bytes()[5001:],
        "no archive": b"hello",
        "empty": b"",
    }


@pytest.mark.parametrize("how", ["cut short", "a byte changed", "no archive", "empty"])
def test_a_corrupt_file_is_named_with_the_remedy(shelf, how):
    file = shelf.save(whole())
    file.write_bytes(spoilt(file)[how])
    with pytest.raises(TileSetError, match=r"ours\.tiles is corrupt.*--forget 'ours'"):
        shelf.load("ours")


def test_a_file_of_a_later_version_is_not_guessed_at(shelf):
    file = shelf.save(whole())
    with zipfile.ZipFile(file) as archive:
        head = archive.read("set.json").replace(b'"version": 1', b'"version": 2')
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("set.json", head)
    with pytest.raises(TileSetError, match="later version"):
        shelf.load("ours")


def test_a_failed_write_leaves_the_set_that_was_there(shelf, monkeypatch):
    file = shelf.save(whole())
    before = file.read_bytes()
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(TileSetError, match="No space left"):
        shelf.save(whole().named([InkName(Colour.BLUE, "green")]))
    assert file.read_bytes() == before
    assert [path.name for path in shelf.folder.iterdir()] == ["ours.tiles"]


def test_every_ink_of_the_notation_can_be_named():
    assert [str(InkName(colour, "pink")) for colour in COLOURS] == ["K=pink", "R=pink", "B=pink", "O=pink"]
