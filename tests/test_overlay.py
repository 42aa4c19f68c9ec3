import cv2
import numpy as np
import pytest
from table_layouts import tile

from referee.table import Choice, Doubt, DoubtCode, SeenTile, TableReading
from referee.tiles import Tile
from vision.overlay import Marks, draw_overlay

TABLE = 90


def seen(word: str, x: float, width: float = 60, **more) -> SeenTile:
    corners = tile(0, 0) * width + (x, 150)
    choices = () if word == "?" else (Choice(Tile.parse(word), 0.99),)
    return SeenTile(tuple(map(tuple, corners.tolist())), choices, **more)


def drawn(*tiles: SeenTile, melds=None, doubts=(), marks: Marks | None = None) -> np.ndarray:
    picture = np.full((300, 500, 3), TABLE, np.uint8)
    reading = TableReading(tiles, melds or (tuple(range(len(tiles))),), doubts)
    return draw_overlay(picture, reading, marks or Marks())


def hue_near(picture: np.ndarray, x: float, y: float, colour: str) -> bool:
    """Whether some strong pixel of this colour lies within 12 pixels."""
    part = picture[int(y) - 12 : int(y) + 12, max(int(x) - 12, 0) : int(x) + 12]
    hue, saturation, value = np.moveaxis(cv2.cvtColor(part, cv2.COLOR_BGR2HSV).astype(int), 2, 0)
    strong = (saturation > 140) & (value > 100)
    ranges = {"red": (hue < 8) | (hue > 172), "blue": (hue > 95) & (hue < 130), "amber": (hue > 15) & (hue < 28)}
    return bool((strong & ranges[colour]).sum() > 10)


def test_the_picture_itself_is_left_as_it_was():
    picture = np.full((200, 200, 3), TABLE, np.uint8)
    draw_overlay(picture, TableReading((seen("R7", 100),), ((0,),)))
    assert (picture == TABLE).all()


def test_outlines_have_the_colour_of_the_ink():
    picture = drawn(seen("R7", 100), seen("B7", 300), melds=((0,), (1,)))
    assert hue_near(picture, 70, 150, "red")
    assert hue_near(picture, 270, 150, "blue")
    assert not hue_near(picture, 270, 150, "red")


def test_the_number_on_the_tile_stays_free():
    picture = drawn(seen("R7", 100), seen("R8", 162))
    assert (picture[140:160, 90:110] == TABLE).all()


def test_a_doubt_is_amber():
    tiles = seen("R6", 100), seen("B7", 300)
    calm = drawn(*tiles)
    asked = drawn(*tiles, doubts=(Doubt(DoubtCode.SIX_OR_NINE, (0,), ("R6", "R9")),))
    assert not hue_near(calm, 70, 150, "amber")
    assert hue_near(asked, 70, 150, "amber")
    assert not hue_near(asked, 270, 150, "amber")


def test_a_faulty_row_is_ringed_in_red():
    tiles = [seen("B7", 200), seen("B9", 262)]
    assert not hue_near(drawn(*tiles), 231, 90, "red")
    assert hue_near(drawn(*tiles, marks=Marks(faulty=((0, 1),))), 157, 150, "red")


def test_a_played_tile_stands_out():
    tiles = [seen("B7", 200), seen("B9", 262)]
    assert (drawn(*tiles, marks=Marks(played=frozenset({0}))) != drawn(*tiles)).any()


@pytest.mark.parametrize(
    "tiles",
    [
        pytest.param((), id="none"),
        pytest.param((seen("?", 100),), id="not read"),
        pytest.param((seen("R7", 100, back=True),), id="face down"),
        pytest.param((seen("R7", 2),), id="over the edge"),
        pytest.param((seen("R7", 100, width=4),), id="tiny"),
        pytest.param((seen("R7", 200, width=900),), id="larger than the picture"),
    ],
)
def test_any_reading_can_be_drawn(tiles: tuple[SeenTile, ...]):
    assert drawn(*tiles).shape == (300, 500, 3)


def test_a_table_without_tiles_stays_as_bright():
    assert abs(int(drawn()[10, 10, 0]) - TABLE) <= 15
