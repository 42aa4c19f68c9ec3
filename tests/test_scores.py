import json

import pytest

from models.reports import report
from models.scores import Score, score_reading
from referee.table import Choice, Doubt, DoubtCode, SeenTile, TableReading
from referee.tiles import Tile


def box(x, y=0):
    return ((x, y), (x + 30, y), (x + 30, y + 40), (x, y + 40))


def seen(tile, x, sure=0.99, **more):
    return SeenTile(box(x), (Choice(Tile.parse(tile), sure),), **more)


def truth(*tiles, **more):
    fields = {"image": "a.jpg", "melds": [list(range(len(tiles)))], "melds_labelled": True}
    return (
        fields | {"tiles": [{"tile": t, "corners": [list(p) for p in box(40 * i)]} for i, t in enumerate(tiles)]} | more
    )


WHOLE = TableReading((seen("R3", 0), seen("R4", 40), seen("R5", 80)), ((0, 1, 2),))


def test_a_right_reading():
    counts = score_reading(WHOLE, truth("R3", "R4", "R5")).counts
    assert (counts["right"], counts["melds_right"], counts["tables_right"], counts["upright"]) == (3, 1, 1, 3)


@pytest.mark.parametrize(
    ("tile", "outcome"),
    [(seen("R6", 80), "wrong"), (seen("R5", 80, 0.4), "unread"), (seen("R5", 400), "missed")],
    ids=["wrong", "unread", "missed"],
)
def test_what_is_not_right(tile, outcome):
    score = score_reading(TableReading((*WHOLE.tiles[:2], tile), ((0, 1, 2),)), truth("R3", "R4", "R5"))
    assert score.counts[outcome] == 1
    assert score.counts["right"] == 2
    assert not score.counts["tables_right"]
    assert any("R5" in error for error in score.errors)


def test_a_tile_on_nothing_is_extra():
    reading = TableReading((*WHOLE.tiles, seen("K1", 300)), ((0, 1, 2), (3,)))
    assert score_reading(reading, truth("R3", "R4", "R5")).counts["extra"] == 1


def test_a_row_in_another_order_is_no_right_meld_but_its_reverse_is():
    crossed = TableReading(WHOLE.tiles, ((1, 0, 2),))
    assert not score_reading(crossed, truth("R3", "R4", "R5")).counts["melds_right"]
    assert score_reading(TableReading(WHOLE.tiles, ((2, 1, 0),)), truth("R3", "R4", "R5")).counts["melds_right"] == 1


def test_what_a_person_cannot_read_does_not_count():
    assert score_reading(WHOLE, truth("R3", "R4", "?")).counts["tiles"] == 2


def test_a_doubt_on_a_tile_is_kept():
    doubted = TableReading(WHOLE.tiles, WHOLE.melds, (Doubt(DoubtCode.TWO_READINGS, (2,)),))
    assert [said.doubted for said in score_reading(doubted, truth("R3", "R4", "R5")).said] == [False, False, True]


def test_a_right_table_with_a_doubt_is_counted():
    doubted = TableReading(WHOLE.tiles, WHOLE.melds, (Doubt(DoubtCode.TWO_READINGS, (2,)),))
    counts = [score_reading(reading, truth("R3", "R4", "R5")).counts for reading in (WHOLE, doubted)]
    assert [one["right_doubted"] for one in counts] == [0, 1]


@pytest.mark.parametrize(("tile", "found"), [(2, 1), (0, 0)], ids=["where it is wrong", "elsewhere"])
def test_a_wrong_table_should_be_doubted_where_it_is_wrong(tile, found):
    reading = TableReading(
        (*WHOLE.tiles[:2], seen("R6", 80)), ((0, 1), (2,)), (Doubt(DoubtCode.TWO_READINGS, (tile,)),)
    )
    labelled = truth("R3", "R4", "R5", melds=[[0, 1], [2]])
    counts = score_reading(reading, labelled).counts
    assert (counts["tables_right"], counts["wrong_doubted"]) == (0, found)


@pytest.mark.parametrize(("said", "legal"), [("R5", 1), ("R7", 0)], ids=["read as a valid one", "read as it lies"])
def test_an_illegal_row_may_be_read_as_a_valid_one(said, legal):
    reading = TableReading((*WHOLE.tiles[:2], seen(said, 80)), WHOLE.melds)
    counts = score_reading(reading, truth("R3", "R4", "R7")).counts
    assert (counts["illegal"], counts["told_legal"]) == (1, legal)


def test_a_score_can_be_kept_and_read_back():
    score = score_reading(TableReading(WHOLE.tiles[:2], ((0, 1),)), truth("R3", "R4", "R5"))
    assert Score.of_record(json.loads(json.dumps(score.record()))) == score


def test_scores_add_up():
    one = score_reading(WHOLE, truth("R3", "R4", "R5"))
    assert (one + one).counts["right"] == 6
    assert "tiles 6 right of 6 (100.00 %)" in (Score() + one + one).line()


def lying(*changes):
    """Give the truth of three tiles of which each was changed so."""
    whole = truth("R3", "R4", "R5")
    return whole | {"tiles": [t | {"visible": 1.0} | change for t, change in zip(whole["tiles"], changes, strict=True)]}


@pytest.mark.parametrize(
    ("change", "lies"),
    [
        ({}, "plain"),
        ({"visible": 0.9}, "partly covered"),
        ({"where": "rack", "visible": 0.9}, "on a rack"),
        ({"corners": [[80, 0], [101, 0], [101, 28], [80, 28]]}, "smaller than 30 px"),
        ({"corners": [[80, 0], [95, 0], [95, 20], [80, 20]]}, "smaller than 22 px"),
    ],
)
def test_rendered_tiles_are_counted_by_how_they_lie(change, lies):
    counts = score_reading(WHOLE, lying({}, {}, change)).counts
    assert counts["of plain"] == 2 + (lies == "plain")
    assert counts[f"of {lies}"] == (3 if lies == "plain" else 1)
    assert "of plain" not in score_reading(WHOLE, truth("R3", "R4", "R5")).counts


def test_how_tiles_lie_is_reported():
    score = score_reading(WHOLE, lying({}, {"visible": 0.8}, {"where": "rack"}))
    assert "of them plain 1 right of 1, partly covered 1 right of 1, on a rack 1 right of 1" in report("x", score, [])
