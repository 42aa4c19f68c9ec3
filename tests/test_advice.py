import cv2
import numpy as np
import pytest

from referee.table import Choice, SeenTile, TableReading
from referee.tiles import Tile
from vision.advice import advice

SPOTS = [(40 + 60 * k, 50) for k in range(8)]


def picture(scale: float = 1.0) -> np.ndarray:
    """Eight tiles with a 7 each."""
    image = np.full((160, 560, 3), 90, np.uint8)
    for x, y in SPOTS:
        cv2.rectangle(image, (x, y), (x + 39, y + 55), (225, 225, 225), -1)
        cv2.putText(image, "7", (x + 6, y + 38), cv2.FONT_HERSHEY_DUPLEX, 1.2, (30, 30, 200), 3)
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def reading(confidence: float, scale: float = 1.0) -> TableReading:
    def seen(x, y):
        corners = ((x, y), (x + 39, y), (x + 39, y + 55), (x, y + 55))
        quad = tuple((scale * a, scale * b) for a, b in corners)
        return SeenTile(quad, (Choice(Tile.parse("R7"), confidence),))

    return TableReading(tuple(seen(x, y) for x, y in SPOTS), ())


def dim(image):
    return (image * 0.2).astype(np.uint8)


def bright(image):
    return np.clip(image.astype(int) * 2, 0, 255).astype(np.uint8)


def blurred(image):
    return cv2.GaussianBlur(image, (0, 0), 6)


@pytest.mark.parametrize("spoil", [dim, bright, blurred])
def test_nothing_is_said_where_the_tiles_are_read(spoil):
    assert advice(spoil(picture()), reading(0.99)) == ()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (dim, "too dark: 0 % of tiles readable; turn on a lamp"),
        (bright, "too bright: 0 % of tiles readable; turn the lamp away or lower the exposure"),
        (blurred, "blurred: 0 % of tiles readable; hold the camera still and let it focus"),
    ],
)
def test_what_spoils_the_picture_is_named_with_its_remedy(spoil, words):
    assert advice(spoil(picture()), reading(0.4)) == (words,)


def test_tiles_may_be_too_small():
    assert advice(picture(0.3), reading(0.4, 0.3)) == ("too small: 0 % of tiles readable; bring the camera nearer",)


def test_a_good_picture_is_not_blamed():
    assert advice(picture(), reading(0.4)) == ()


@pytest.mark.parametrize(
    ("level", "begins"), [(4, "too dark: no tiles seen"), (255, "too bright: no tiles seen")], ids=["lens cap", "white"]
)
def test_a_picture_of_nothing(level, begins):
    (words,) = advice(np.full((90, 120, 3), level, np.uint8), TableReading())
    assert words.startswith(begins)


def test_an_empty_table_is_no_trouble():
    assert advice(picture(), TableReading()) == ()
