"""A clock that waits for the first move of the turn (RULEBOOK 7.2), at the desk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evening import rules

from referee.desk import Desk
from referee.log import Log


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Desk]:
    """A desk in whose game the clock waits for the first move."""
    desk = Desk(Log.open(tmp_path / "log.db"), now=0, watched=True)
    desk.start(["Ana", "Ben"], rules("mini-rummy"), version=None, now=1000)
    yield desk
    desk.close()


def test_7_2_the_first_move_starts_the_clock(waiting: Desk):
    assert waiting.first_move(now=9000).game.now.clock.since_ms == 9000
    state = waiting.state
    assert waiting.first_move(now=9500) is state


def test_7_2_a_first_move_that_is_seen_only_after_done_is_charged_from_the_move(waiting: Desk):
    waiting.end_turn(version=None, now=9000)
    assert waiting.first_move(now=8600).game.now.called.used_ms == 400
    state = waiting.state
    assert waiting.first_move(now=8000) is state


def test_7_2_a_move_after_done_charges_nothing(waiting: Desk):
    state = waiting.end_turn(version=None, now=9000)
    assert waiting.first_move(now=9100) is state
