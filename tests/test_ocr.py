import cv2
import numpy as np
import pytest

from referee.tiles import JOKER, NUMBERED, Tile
from vision import ocr

FACES = (*NUMBERED, JOKER)


def tile(text):
    image = np.full((200, 160, 3), (215, 230, 235), np.uint8)
    cv2.putText(image, text, (70 - 26 * len(text), 110), cv2.FONT_HERSHEY_DUPLEX, 2.6, (30, 30, 200), 8, cv2.LINE_AA)
    return image, np.array([[10, 10], [150, 10], [150, 190], [10, 190]], np.float32)


@pytest.mark.parametrize("number", [4, 7, 12])
def test_a_plain_number_is_read(number):
    if not ocr.available():
        pytest.skip("tesseract is not installed")
    assert ocr.second_opinion(*tile(str(number))) == number


def test_a_blank_tile_has_no_number():
    assert ocr.second_opinion(*tile("")) is None


def test_without_the_program_there_is_no_opinion_and_one_warning_says_how_to_install_it(monkeypatch, caplog):
    def missing():
        raise ocr.pytesseract.TesseractNotFoundError

    monkeypatch.setattr(ocr.pytesseract, "get_tesseract_version", missing)
    ocr.available.cache_clear()
    assert ocr.second_opinion(*tile("7")) is None
    assert ocr.second_opinion(*tile("7")) is None
    assert [r.message.count("apt install tesseract-ocr") for r in caplog.records] == [1]
    ocr.available.cache_clear()


def test_an_opinion_tips_the_scale_between_two_numbers():
    faces = np.zeros(53, np.float32)
    faces[FACES.index(Tile.parse("R1"))], faces[FACES.index(Tile.parse("R7"))] = 0.55, 0.45
    after = ocr.weighed(faces, 7)
    assert FACES[after.argmax()] == Tile.parse("R7")
    assert after.sum() == pytest.approx(1.0, abs=1e-3)


def test_no_opinion_changes_nothing():
    faces = np.full(53, 1 / 53, np.float32)
    assert (ocr.weighed(faces, None) == faces).all()
