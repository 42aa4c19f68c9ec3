import numpy as np
import pytest
from drawn_table import table

from vision.borders import side_contrasts, without_border

TILE = np.array([[[40, 40], [70, 40], [70, 80], [40, 80]]], np.float32)


def drawn(*, paper=((40, 40), (70, 80)), printed=True, table_top=90):
    """Draw white paper on a table-top, with a print where a tile's would be."""
    picture = np.full((120, 160, 3), table_top, np.uint8)
    (x0, y0), (x1, y1) = paper
    picture[y0:y1, x0:x1] = 240
    if printed:
        picture[46:56, 52:58] = 20
    return picture


def test_tiles_of_a_table_end_on_all_sides():
    picture, quads, _ = table()
    assert not without_border(picture, quads).any()


@pytest.mark.parametrize(
    ("paper", "borderless"),
    [
        (((40, 40), (70, 80)), False),
        (((40, 40), (150, 80)), True),
        (((40, 40), (150, 110)), True),
        (((10, 10), (150, 110)), True),
    ],
)
def test_a_figure_on_a_larger_paper_has_no_border(paper, borderless):
    assert without_border(drawn(paper=paper), TILE).tolist() == [borderless]


def test_a_white_tile_on_a_white_table_ends_in_its_shadow():
    picture = drawn(table_top=240)
    picture[78:82, 40:72] = 215
    picture[40:82, 70:73] = 225
    picture[38:40, 40:70] = picture[40:80, 38:40] = 236
    assert not without_border(picture, TILE).any()


def test_contrast_is_in_parts_of_the_white_whatever_the_light():
    bright = side_contrasts(drawn(), TILE)
    dim = side_contrasts((drawn() * 0.5).astype(np.uint8), TILE)
    assert bright[0] == pytest.approx([(240 - 90) / 240] * 4, abs=0.01)
    assert dim == pytest.approx(bright, abs=0.01)


def test_sides_outside_the_picture_and_no_quads_at_all():
    assert side_contrasts(drawn(), TILE - 60).shape == (1, 4)
    assert without_border(drawn(), TILE[:0]).shape == (0,)
