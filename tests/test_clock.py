import time

import pytest

from referee.clock import Clock, PauseReason, Tick, wall_clock_ms


def test_7_2_starts_with_the_turn():
    clock = Clock.of(120, 1000)
    assert clock.running
    assert clock.pause is None
    assert clock.left_ms(31_000) == 90_000


def test_7_2_waits_for_the_first_move():
    clock = Clock.of(120, 1000, first_move=True)
    assert not clock.running
    assert clock.pause is PauseReason.FIRST_MOVE
    assert clock.left_ms(500_000) == 120_000
    assert clock.run(500_000).left_ms(510_000) == 110_000


def test_a_new_clock_stands():
    assert Clock().pause is PauseReason.TURN_OVER
    assert Clock().deadline_ms is None


@pytest.mark.parametrize(
    ("now", "left", "up"),
    [(1000, 60_000, False), (60_999, 1, False), (61_000, 0, True), (99_000, 0, True), (0, 60_000, False)],
    ids=["start", "last millisecond", "up", "long over", "before the start"],
)
def test_time_left(now: int, left: int, up):
    clock = Clock.of(60, 1000)
    assert clock.left_ms(now) == left
    assert clock.is_up(now) is up


def test_without_a_limit_the_time_is_counted_and_never_up():
    clock = Clock.of(None, 0)
    assert clock.left_ms(1_000_000) is None
    assert clock.used(1_000_000) == 1_000_000
    assert not clock.is_up(1_000_000)
    assert clock.add(30) == clock


def test_stopped_it_keeps_what_was_used_and_runs_on():
    stopped = Clock.of(60, 0).stop(20_000, PauseReason.PERSON)
    assert stopped == Clock(60_000, 20_000, None, PauseReason.PERSON)
    assert stopped.left_ms(50_000) == 40_000
    assert not stopped.is_up(90_000)
    assert stopped.run(50_000).left_ms(60_000) == 30_000


def test_running_on_changes_nothing_where_it_runs():
    clock = Clock.of(60, 0)
    assert clock.run(20_000) is clock


def test_stopping_twice_takes_the_new_reason_alone():
    stopped = Clock.of(60, 0).stop(20_000, PauseReason.PERSON).stop(30_000, PauseReason.CAMERA)
    assert stopped == Clock(60_000, 20_000, None, PauseReason.CAMERA)


@pytest.mark.parametrize(("seconds", "left"), [(30, 90_000), (-30, 30_000), (-300, 0)], ids=["more", "less", "none"])
def test_time_can_be_added(seconds: int, left: int):
    assert Clock.of(60, 0).add(seconds).left_ms(0) == left


def test_another_limit_keeps_what_was_used():
    assert Clock.of(60, 0).limited(120).left_ms(10_000) == 110_000
    assert Clock.of(60, 0).limited(None).left_ms(10_000) is None


def test_time_left_out_is_not_counted():
    assert Clock.of(60, 0).shift(5000).used(20_000) == 15_000
    standing = Clock.of(60, 0).stop(1000, PauseReason.UNDO)
    assert standing.shift(5000) is standing


@pytest.mark.parametrize(
    ("later", "jumps"),
    [
        (Tick(200, 10_200), False),
        (Tick(5000, 15_000), False),
        (Tick(5001, 15_001), True),
        (Tick(200, 15_200), False),
        (Tick(200, 15_201), True),
        (Tick(200, 4000), True),
        (Tick(-1, 10_000), True),
    ],
    ids=["usual", "five seconds", "a silence", "wall five ahead", "lid closed", "wall set back", "backwards"],
)
def test_a_jump_of_more_than_five_seconds(later: Tick, jumps):
    assert Tick(0, 10_000).jumps_to(later) is jumps


def test_the_clock_on_the_wall_is_in_milliseconds_since_1970():
    assert abs(wall_clock_ms() - time.time() * 1000) < 1000
