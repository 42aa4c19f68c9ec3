"""One layout photographed from two sides gives the same melds twice."""

from collections import Counter
from pathlib import Path

import pytest

from referee.rules import RuleSet
from referee.sight import best_table
from web.eyes import load_eyes
from web.rerun import rerun
from web.script import Script
from web.settings import Settings

PHOTOS = Path(__file__).parents[2] / "shared" / "photos" / "dev" / "images"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.slow,
    pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographs are not here"),
]


@pytest.fixture(scope="module")
def eyes():
    return load_eyes(Settings())


@pytest.mark.parametrize("first", range(10, 24, 2))
def test_both_sides_show_the_same_melds(first, eyes, tmp_path):
    for number in (first, first + 1):
        (tmp_path / f"{number}.jpg").symlink_to(PHOTOS / f"rf-rummy-{number}.jpg")
    again = rerun(tmp_path, Script(RuleSet()), eyes, lambda _turn: None)
    one, other = (Counter(tuple(sorted(row)) for row in best_table(turn.said.seen).rows) for turn in again.turns)
    assert one == other
