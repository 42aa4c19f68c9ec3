from collections import Counter

import numpy as np
import pytest

from models.holdout import Kept, Outcome, Table, measure, measure_one, scene_of, strata
from models.render.ranges import holdout_ranges, holdout_tables, training_ranges
from models.reports import reliability, report, too_easy
from models.scores import SaidTile, Score
from referee.table import TableReading, Where

USUAL, SMALL = strata()


class Blind:
    """Sees nothing."""

    def read(self, image):
        assert image.dtype == np.uint8
        return TableReading()


def score(**counts) -> Score:
    return Score(Counter(counts))


def test_training_and_hold_out_share_nothing():
    train, held = training_ranges(), holdout_ranges()
    for kind in ("fonts", "jokers", "tabletops"):
        assert not set(getattr(train, kind)) & set(getattr(held, kind))


@pytest.mark.parametrize(("stratum", "number"), [(USUAL, 0), (USUAL, 1), (SMALL, 3)], ids=str)
def test_a_table_is_as_the_ranges_say_and_the_same_again(stratum, number):
    scene = scene_of(Table(stratum, number))
    played = sum(p.where is Where.TABLE and not p.back for p in scene.placements)
    assert holdout_tables().tiles[0] <= played <= holdout_tables().tiles[1]
    assert stratum.low <= scene.camera.focal * scene.edition.ratio / scene.camera.distance <= stratum.high
    assert scene.ranges.startswith("holdout")
    assert scene == scene_of(Table(stratum, number))


def test_what_is_not_seen_is_missed():
    outcome = measure_one(Blind(), Table(SMALL, 0))
    assert outcome.score.counts["missed"] == outcome.score.counts["tiles"] > 0


def test_a_measurement_goes_on_where_it_broke_off(tmp_path):
    kept = Kept(tmp_path / "scores.jsonl", "some weights")
    done = Outcome(Table(USUAL, 0), score(tiles=7, right=7), 0.5)
    kept.keep(done)
    with kept.path.open("a") as file:
        file.write('{"made_by": ')
    assert measure([Table(USUAL, 0)], kept, None, 1) == [done]


def test_scores_of_other_weights_are_not_taken(tmp_path):
    Kept(tmp_path / "scores.jsonl", "old").keep(Outcome(Table(USUAL, 0), score(tiles=7), 0.5))
    assert Kept(tmp_path / "scores.jsonl", "new").outcomes() == {}


def test_promises_are_told_by_their_bins():
    said = [SaidTile(0.97, right=True, doubted=False)] * 9 + [SaidTile(0.97, right=False, doubted=True)]
    assert reliability(said) == ["  said 0.95-0.99: 9 right of 10 (0.9000, promised 0.9700)"]


def test_a_report_tells_of_doubts_and_illegal_rows():
    words = report(
        "x", score(tables=5, tables_right=3, wrong_doubted=1, right_doubted=2, illegal=4, told_legal=1), [1.0]
    )
    assert "of 2 wrong tables 1 carry a doubt where they are wrong, of 3 right ones 2 carry any" in words
    assert "of 4 illegal rows 1 were read as valid melds" in words


@pytest.mark.parametrize(("right", "verdict"), [(100, "too easy"), (97, "not too easy")])
def test_rendered_tables_may_be_too_easy(right, verdict):
    assert too_easy(score(tiles=100, right=right), score(tiles=100, right=97)).endswith(f"are {verdict}")
