import numpy as np
import pytest
from table_layouts import tile
from test_decode import faces, six_or_nine

from referee.table import DoubtCode, Table
from vision.decode import Evidence
from vision.inventory import Inventory
from vision.rows import lay_out
from vision.telling import Known, read_table

PIXELS = 60


def quads(*rows: tuple[int, float, float]) -> np.ndarray:
    """Rows of (tiles, x, y) in tile widths, in pixels."""
    tiles = [tile(x + 1.02 * k, y) for count, x, y in rows for k in range(count)]
    return np.array(tiles) * PIXELS + 200


def reading(words: str, *rows: tuple[int, float, float], known: Known | None = None, rest: float = 0.01):
    corners = quads(*rows)
    return read_table(corners, Evidence.of(faces(words, rest)), lay_out(corners), known)


def codes(found) -> list[DoubtCode]:
    return [doubt.code for doubt in found.doubts]


def test_a_clear_table_is_told_without_doubts():
    found = reading("R3 R4 R5 K7 B7 O7", (3, 0, 0), (3, 0, 3))
    assert found.notation == "R3 R4 R5 / K7 B7 O7"
    assert (found.doubts, found.notes) == ((), ())
    assert found.tiles[0].confidence > 0.99


def test_choices_fall_and_sum_to_no_more_than_the_presence():
    corners = quads((1, 0, 0))
    evidence = Evidence.of(faces("R6:.5|O6:.2|B6:.1|K6:.08|R9:.05|O9:.03"), presence=[0.9])
    choices = read_table(corners, evidence, lay_out(corners)).tiles[0].choices
    chances = [choice.probability for choice in choices]
    assert len(choices) == 5
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 0.9


def test_corners_are_turned_to_the_way_up_that_was_found():
    corners = quads((3, 0, 0))
    corners[1] = np.roll(corners[1], 2, axis=0)
    given = faces("R3 R4 R5")
    ways = [(0.99, 0.01), (0.01, 0.99), (0.99, 0.01)]
    found = read_table(corners, Evidence.of(np.stack([given, given], axis=1), ways), lay_out(corners))
    tops = [one.corners[0][1] for one in found.tiles]
    assert tops == pytest.approx([tops[0]] * 3)
    assert found.notation == "R3 R4 R5"


def test_six_or_nine_is_asked():
    corners = quads((1, 0, 0))
    found = read_table(corners, six_or_nine("R6", "?"), lay_out(corners))
    (doubt,) = found.doubts
    assert (doubt.code, doubt.tiles, sorted(doubt.answers)) == (DoubtCode.SIX_OR_NINE, (0,), ["R6", "R9"])


@pytest.mark.parametrize(
    ("words", "code", "answers"),
    [
        pytest.param("R6:.7|O6:.29", DoubtCode.TWO_READINGS, ("R6", "O6"), id="two colours"),
        pytest.param("R6:.45|O6:.3|B6:.2", DoubtCode.UNREADABLE, ("R6", "O6", "B6", "J"), id="nothing over one half"),
    ],
)
def test_a_doubtful_tile_is_asked_about(words: str, code: DoubtCode, answers: tuple[str, ...]):
    (doubt,) = reading(words, (1, 0, 0)).doubts
    assert (doubt.code, doubt.tiles, doubt.answers) == (code, (0,), answers)


def test_a_tile_that_may_not_be_there_is_asked_about():
    corners = quads((3, 0, 0))
    found = read_table(corners, Evidence.of(faces("R3 R4 R5"), presence=[1, 1, 0.6]), lay_out(corners))
    (doubt,) = found.doubts
    assert (doubt.code, doubt.tiles) == (DoubtCode.EXTRA, (2,))
    assert found.tiles[2].confidence == pytest.approx(0.6, abs=0.01)
    assert found.tiles[2].presence == pytest.approx(0.6)


def test_two_pieces_that_would_be_one_meld_are_a_doubt():
    found = reading("R3 R4 R5 R6", (2, 0, 0), (2, 2.6, 0))
    assert found.notation == "R3 R4 / R5 R6"
    (doubt,) = found.doubts
    assert (doubt.code, doubt.tiles) == (DoubtCode.ONE_MELD, (0, 1, 2, 3))
    assert doubt.answers == ("R3 R4 / R5 R6", "R3 R4 R5 R6")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("R3 R4 R5 R6 R7 R8", id="two melds that are valid each"),
        pytest.param("R3 R4 R5 K6 R7 O8", id="no valid meld together"),
    ],
)
def test_two_rows_in_line_are_no_doubt(words: str):
    assert reading(words, (3, 0, 0), (3, 3.6, 0)).doubts == ()


def test_a_tile_between_two_rows_is_a_doubt_that_names_both():
    found = reading("R3 R4 R5 R6 R7 R8 R9", (3, 0, 0), (1, 3.46, 0), (3, 4.89, 0))
    assert DoubtCode.WHICH_MELD in codes(found)
    doubt = next(one for one in found.doubts if one.code is DoubtCode.WHICH_MELD)
    assert doubt.tiles[0] == 3
    assert len(set(doubt.tiles[1:]) & {0, 1, 2}) == len(set(doubt.tiles[1:]) & {4, 5, 6}) == 1


def test_3_8_a_row_read_as_two_melds_has_a_note():
    found = reading("K7 B7 R7 R3 R4 R5", (6, 0, 0))
    assert found.notation == "K7 B7 R7 / R3 R4 R5"
    assert found.notes == ("the row of six was read as two melds",)


def test_1_3_more_than_the_set_holds_is_a_doubt():
    found = reading("R7 R7 R7", (1, 0, 0), (1, 3, 0), (1, 6, 0), rest=1e-7)
    assert found.notation == "R7 / R7 / R7"
    assert [(one.tiles, one.answers) for one in found.doubts if one.code is DoubtCode.TOO_MANY] == [
        ((0, 1, 2), ("R7",))
    ]


def test_what_the_table_denies_is_not_said():
    found = reading("R7:.93|O7:.02 R7:.93|O7:.02 R7:.9|O7:.06", (1, 0, 0), (1, 3, 0), (1, 6, 0))
    assert found.table().tiles[faces_tile("R7")] <= 2
    assert found.tiles[2].best != faces_tile("R7")
    assert 2 in {index for doubt in found.doubts for index in doubt.tiles}


def faces_tile(word: str):
    return Table.parse(word).rows[0][0]


def test_what_is_known_of_the_game_is_used():
    known = Known(Inventory(3, 4), Table.parse("B7 R2"))
    assert reading("K7:.6|B7:.35 R1", (2, 0, 0), known=known).notation == "B7 R1"


def test_an_empty_table_is_a_reading():
    none = np.zeros((0, 4, 2))
    found = read_table(none, Evidence.of(np.zeros((0, 2, 53)), np.zeros((0, 2)), np.zeros(0)), lay_out(none))
    assert (found.notation, found.doubts) == ("-", ())
