import multiprocessing
from pathlib import Path

import pytest
from killed_match import kill_many

forks = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="needs a system whose processes can fork"
)


@forks
def test_a_match_killed_at_random_moments_loses_nothing_that_was_told(tmp_path: Path):
    found = kill_many(tmp_path / "log.db", 20)
    assert len(found) == 20
    assert any(one.in_write for one in found)
    assert any(one.clock_error_ms is not None for one in found)
