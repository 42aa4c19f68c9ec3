from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest
from evening import reading, rules

from referee.clock import PauseReason
from referee.decisions import Setup
from referee.desk import Desk
from referee.ending import RackError
from referee.errors import GameError
from referee.ledger import StaleError
from referee.log import Log
from referee.position import Phase
from referee.sight import GRACE_MS
from referee.table import Table
from referee.tiles import parse_tiles
from referee.verdict import Ruling

OPENING = Table.parse("R10 R11 R12")
BAD = Table.parse("R1 R2")
WALL = 1_700_000_000_000


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log.open(tmp_path / "log.db")
    yield log
    log.close()


@pytest.fixture
def desk(log: Log) -> Desk:
    """A desk without a camera, at the beginning of a game."""
    desk = Desk(log, now=0, wall=lambda: WALL)
    desk.start(["Ana", "Ben"], rules(), version=0, now=1000)
    return desk


@pytest.fixture
def watched(desk: Desk) -> Desk:
    """A desk whose camera has seen the empty table."""
    desk.observe(Table(), captured=1000, now=1300)
    return desk


def test_a_game_is_started_and_known_by_its_number(desk: Desk):
    assert (desk.version, desk.game_id, desk.game.now.phase) == (1, 1, Phase.PLAY)
    assert desk.state.game is desk.game
    assert desk.game.now.match.started_ms == WALL


def test_without_a_camera_done_means_nothing_played(desk: Desk):
    state = desk.end_turn(version=1, now=5000)
    (turn,) = state.game.now.turns
    assert (turn.ruling, turn.used_ms, turn.timed_out) == (Ruling.DRAW, 4000, False)
    assert state.version == 2


def test_without_a_camera_the_table_is_given_with_done_or_entered_before(desk: Desk):
    assert desk.end_turn(version=1, now=5000, table=OPENING).game.now.turns[0].ruling is Ruling.LEGAL
    state = desk.correct(2, Table.parse("R10 R11 R12 / K10 K11 K12"), version=2, now=6000)
    assert state.game.now.phase is Phase.PLAY
    state = desk.end_turn(version=3, now=7000)
    assert [turn.ruling for turn in state.game.now.turns] == [Ruling.LEGAL] * 2


def test_done_by_the_wrong_player(desk: Desk):
    with pytest.raises(GameError, match="the turn of 'Ana', not of 'Ben'"):
        desk.end_turn(version=1, now=5000, player="Ben")
    assert desk.end_turn(version=1, now=5000, player="Ana").game.now.turn == 2


def test_done_pressed_twenty_times_is_done_once(desk: Desk):
    state = desk.end_turn(version=1, now=5000)
    for _ in range(19):
        with pytest.raises(StaleError) as error:
            desk.end_turn(version=1, now=5001)
        assert error.value.state is state
    assert desk.state is state


def test_two_referees_at_the_same_moment_one_wins(desk: Desk):
    outcomes: list[str] = []
    together = Barrier(2)

    def press(count: int) -> None:
        together.wait()
        try:
            desk.set_hand("Ana", count, version=1, now=5000)
            outcomes.append("done")
        except StaleError as error:
            outcomes.append(str(error.state.version))

    threads = [Thread(target=press, args=(count,)) for count in (3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["2", "done"]


def test_done_while_no_turn_is_played(desk: Desk):
    desk.end_turn(version=1, now=5000, table=BAD)
    with pytest.raises(GameError, match="no turn is being played"):
        desk.end_turn(version=2, now=6000)


def test_a_still_table_is_judged_at_once(watched: Desk):
    watched.observe(OPENING, captured=4000, now=4300)
    state = watched.end_turn(version=watched.version, now=5000)
    assert state.game.now.turns[0].ruling is Ruling.LEGAL
    assert state.game.now.clock.since_ms == 5000


def test_hands_over_the_table_at_done_are_waited_for(watched: Desk):
    watched.watch(captured=4900, still=False, now=4950)
    state = watched.end_turn(version=1, now=5000)
    assert state.game.now.called.used_ms == 4000
    assert not state.game.now.clock.running
    assert watched.end_turn(version=state.version, now=5100) is state
    watched.watch(captured=5500, still=False, now=5600)
    watched.observe(OPENING, captured=6000, now=6400)
    (turn,) = watched.game.now.turns
    assert (turn.ruling, turn.used_ms) == (Ruling.LEGAL, 4000)
    assert watched.game.now.clock.since_ms == 6400


def test_what_moved_is_read_anew_before_it_is_judged(watched: Desk):
    watched.watch(captured=4900, still=False, now=4950)
    watched.end_turn(version=None, now=5000)
    watched.watch(captured=5500, still=True, now=5600)
    assert watched.game.now.called
    watched.observe(OPENING, captured=5500, now=5900)
    assert watched.game.now.turns[0].ruling is Ruling.LEGAL


def test_with_a_camera_that_has_seen_nothing_done_waits(log: Log):
    desk = Desk(log, now=0, watched=True)
    desk.start(["Ana", "Ben"], rules(), version=None, now=1000)
    assert desk.end_turn(version=None, now=2000).game.now.called
    desk.observe(OPENING, captured=2500, now=2600)
    assert desk.game.now.turns[0].ruling is Ruling.LEGAL


def test_a_table_entered_in_place_of_a_reading_counts_while_that_is_what_is_seen(watched: Desk):
    watched.observe(reading("R10 R11 R1|R12"), captured=3000, now=3100)
    watched.correct(1, OPENING, version=None, now=3500)
    assert watched.end_turn(version=None, now=4000).game.now.turns[0].ruling is Ruling.LEGAL


def test_a_table_entered_counts_no_more_when_something_else_is_seen(watched: Desk):
    watched.correct(1, BAD, version=None, now=3500)
    watched.observe(OPENING, captured=3600, now=3700)
    assert watched.end_turn(version=None, now=4000).game.now.turns[0].ruling is Ruling.LEGAL


def test_a_table_entered_before_the_camera_sees_anything_counts(log: Log):
    desk = Desk(log, now=0, watched=True)
    desk.start(["Ana", "Ben"], rules(), version=None, now=1000)
    desk.correct(1, OPENING, version=None, now=3500)
    assert desk.end_turn(version=None, now=4000).game.now.turns[0].ruling is Ruling.LEGAL


def test_a_table_entered_after_done_is_judged_at_once(log: Log):
    desk = Desk(log, now=0, watched=True)
    desk.start(["Ana", "Ben"], rules(), version=None, now=1000)
    desk.end_turn(version=None, now=2000)
    state = desk.correct(1, OPENING, version=None, now=9000)
    assert state.game.now.turns[0].used_ms == 1000


def test_without_a_camera_any_more_tables_are_given_by_hand(watched: Desk):
    watched.use_camera(on=False)
    assert watched.sight.seen is None
    assert watched.end_turn(version=None, now=4000).game.now.turns[0].ruling is Ruling.DRAW


def test_what_the_verdict_would_be_is_told_and_not_kept(watched: Desk):
    version = watched.version
    assert watched.observe(OPENING, captured=3000, now=3100).ruling is Ruling.LEGAL
    assert watched.observe(BAD, captured=4000, now=4100).ruling is Ruling.ILLEGAL
    assert watched.version == version
    watched.end_turn(version=None, now=5000)
    assert watched.observe(OPENING, captured=6000, now=6100) is None


def test_the_table_is_put_back_and_the_game_goes_on_by_itself(watched: Desk):
    watched.observe(BAD, captured=3000, now=3100)
    assert watched.end_turn(version=None, now=4000).game.now.phase is Phase.RESTORE
    watched.observe(Table.parse("R1"), captured=5000, now=5100)
    assert watched.game.now.phase is Phase.RESTORE
    watched.observe(Table(), captured=6000, now=6100)
    assert (watched.game.now.phase, watched.game.now.player.name) == (Phase.PLAY, "Ben")
    assert watched.game.now.clock.since_ms == 6100


def test_an_unsure_turn_is_judged_anew_by_a_new_look(watched: Desk):
    watched.observe(reading("R10 R11 R12|R1"), captured=3000, now=3100)
    state = watched.end_turn(version=None, now=4000)
    assert state.game.now.phase is Phase.VERDICT
    assert watched.end_turn(version=None, now=4500) is state
    watched.watch(captured=4600, still=False, now=4600)
    assert watched.end_turn(version=None, now=4700) is state
    watched.observe(OPENING, captured=5000, now=5100)
    assert watched.state is state
    turn = watched.end_turn(version=None, now=6000).game.now.turns[0]
    assert (turn.ruling, turn.used_ms) == (Ruling.LEGAL, 3000)


def test_an_unsure_turn_is_answered(watched: Desk):
    watched.observe(reading("R10 R11 R12|R1"), captured=3000, now=3100)
    watched.end_turn(version=None, now=4000)
    assert watched.answer(0, "R12", version=None, now=9000).game.now.turns[0].ruling is Ruling.LEGAL


def test_an_open_question_is_dropped(watched: Desk):
    watched.observe(reading("R10 R11 R12|R1"), captured=3000, now=3100)
    watched.end_turn(version=None, now=4000)
    assert watched.look_again(version=None, now=9000).game.now.clock.used(9500) == 3500


def test_7_3_time_up_without_a_camera_waits_for_the_table(desk: Desk):
    desk.tick(now=120_900, wall_ms=WALL)
    assert desk.game.now.called is None
    desk.tick(now=121_100, wall_ms=WALL + 200)
    assert desk.game.now.called.timed_out
    desk.tick(now=121_300, wall_ms=WALL + 400)
    state = desk.correct(1, BAD, version=None, now=130_000)
    turn = state.game.now.turns[0]
    assert (turn.ruling, turn.used_ms, turn.timed_out) == (Ruling.ILLEGAL, 120_000, True)


def test_7_3_done_said_after_the_time_was_up_is_a_time_out(desk: Desk):
    turn = desk.end_turn(version=None, now=121_000, table=BAD).game.now.turns[0]
    assert turn.timed_out
    assert turn.verdict.codes[-1] == "time_out"


def time_is_up(desk: Desk) -> None:
    desk.tick(now=120_900, wall_ms=WALL)
    desk.tick(now=121_100, wall_ms=WALL + 200)
    assert desk.game.now.called.timed_out


def test_7_4_time_up_is_judged_by_the_next_picture_of_a_still_table(watched: Desk):
    watched.observe(OPENING, captured=100_000, now=100_300)
    time_is_up(watched)
    watched.watch(captured=121_000, still=True, now=121_200)
    turn = watched.game.now.turns[0]
    assert (turn.ruling, turn.used_ms, turn.timed_out) == (Ruling.LEGAL, 120_000, True)


def test_7_4_what_lay_still_when_the_time_was_up_counts_though_it_is_read_later(watched: Desk):
    watched.watch(captured=119_000, still=False, now=119_100)
    time_is_up(watched)
    watched.observe(OPENING, captured=120_990, now=121_700)
    assert watched.game.now.turns[0].ruling is Ruling.LEGAL


def test_7_4_what_is_laid_after_the_time_was_up_does_not_count(watched: Desk):
    watched.watch(captured=119_000, still=False, now=119_100)
    time_is_up(watched)
    watched.observe(OPENING, captured=121_500, now=121_900)
    turn = watched.game.now.turns[0]
    assert (turn.ruling, str(turn.seen)) == (Ruling.DRAW, "-")
    assert watched.sight.seen == OPENING


def test_7_4_the_first_look_counts_where_there_was_none_before(log: Log):
    desk = Desk(log, now=0, watched=True)
    desk.start(["Ana", "Ben"], rules(), version=None, now=1000)
    time_is_up(desk)
    desk.observe(OPENING, captured=122_000, now=122_100)
    assert desk.game.now.turns[0].ruling is Ruling.LEGAL


def test_7_4_a_silent_camera_is_not_waited_for(watched: Desk):
    watched.observe(OPENING, captured=100_000, now=100_300)
    time_is_up(watched)
    watched.tick(now=121_300 + GRACE_MS, wall_ms=WALL + 400)
    assert watched.game.now.turns[0].ruling is Ruling.LEGAL


def test_7_4_a_look_that_comes_after_a_silence_counts_where_the_table_lay_so_before(watched: Desk):
    watched.observe(OPENING, captured=120_500, now=121_500 + GRACE_MS)
    assert watched.game.now.turns[0].ruling is Ruling.LEGAL


def test_7_3_time_up_is_noticed_by_a_picture_too(watched: Desk):
    watched.watch(captured=121_050, still=True, now=121_100)
    assert watched.game.now.turns[0].timed_out


def test_7_3_a_table_entered_by_a_person_is_what_lay_there_when_the_time_ran_out(watched: Desk):
    watched.observe(reading("R10 R11 R13"), captured=2000, now=2100)
    watched.correct(1, OPENING, version=None, now=5000)
    watched.watch(captured=100_000, still=True, now=100_000)
    watched.watch(captured=121_500, still=False, now=121_500)
    watched.observe(reading("R10 R11 R13 / K5"), captured=122_500, now=122_700)
    (turn,) = watched.game.now.turns
    assert (turn.seen, turn.timed_out) == (OPENING, True)


@pytest.mark.parametrize("first", ["a picture", "done"])
def test_a_laptop_that_slept_charges_nobody_whatever_comes_first(watched: Desk, first: str):
    watched.tick(now=11_000, wall_ms=WALL)
    if first == "done":
        watched.end_turn(version=None, now=3_600_000)
    else:
        watched.watch(captured=3_600_000, still=True, now=3_600_000)
    at = watched.game.now
    assert [turn.used_ms for turn in at.turns] == ([10_000] if first == "done" else [])
    assert first == "done" or (at.clock.pause, at.clock.used_ms) == (PauseReason.JUMP, 10_000)


def test_a_leap_of_the_time_pauses_the_game_where_it_was(desk: Desk):
    desk.tick(now=11_000, wall_ms=WALL)
    desk.tick(now=20_000, wall_ms=WALL + 9000)
    clock = desk.game.now.clock
    assert (clock.pause, clock.used_ms) == (PauseReason.JUMP, 10_000)


def test_a_standing_clock_saves_nothing(desk: Desk):
    desk.tick(now=10_000, wall_ms=WALL)
    saved = desk.log.saved_time()
    assert saved.used_ms == 9000
    desk.pause(version=None, now=10_000)
    desk.tick(now=19_000, wall_ms=WALL + 9000)
    assert desk.log.saved_time() == saved
    assert desk.game.now.clock.pause is PauseReason.PERSON


def test_the_people_s_decisions(desk: Desk):
    desk.end_turn(version=None, now=2000, table=OPENING)
    desk.end_turn(version=None, now=3000, table=BAD)
    desk.overrule(2, Ruling.DRAW, "never mind", version=None, now=4000)
    desk.undo(version=None, now=4000)
    desk.redo(version=None, now=4000)
    desk.set_hand("Ben", 20, version=None, now=4000)
    desk.set_score("Ana", 5, version=None, now=4000)
    desk.rename("Ana", "Anna", version=None, now=4000)
    desk.set_rules(rules(turn_seconds=60), version=None, now=4000)
    desk.add_time(30, version=None, now=4000)
    desk.pause(version=None, now=5000, reason=PauseReason.CAMERA)
    desk.resume(version=None, now=6000)
    desk.join("Cleo", version=None, now=6000)
    desk.play_without(parse_tiles("K1")[0], version=None, now=6000)
    desk.found(parse_tiles("K1")[0], version=None, now=6000)
    desk.choose_turn("Ben", version=None, now=6000)
    desk.correct(1, Table.parse("R11 R12 R13"), version=None, now=6000)
    at = desk.game.now
    assert [turn.ruling for turn in at.turns] == [Ruling.LEGAL, Ruling.DRAW]
    assert [(player.name, player.hand, player.score) for player in at.players] == [("Anna", 11, 5), ("Ben", 20, 0)]
    assert (at.clock.limit_ms, at.next_names, at.lost) == (60_000, ("Anna", "Ben", "Cleo"), ())
    assert Desk(desk.log, now=0).game.now.players == at.players


def test_a_fault_is_put_back_by_hand_and_a_player_leaves(desk: Desk):
    desk.end_turn(version=None, now=2000, table=BAD)
    desk.restored(version=None, now=3000)
    assert desk.leave("Ben", version=None, now=4000).game.now.phase is Phase.ENDED


def test_a_game_is_ended_counted_and_the_next_one_started(desk: Desk):
    desk.end_game(version=None, now=2000)
    racks = {"Ana": parse_tiles("R1"), "Ben": parse_tiles("R3")}
    with pytest.raises(RackError):
        desk.count_racks(racks, version=None, now=3000)
    at = desk.count_racks(racks, version=None, now=3000, anyway=True).game.now
    assert [player.score for player in at.players] == [2, -2]
    assert at.match.games[0].ended_ms == WALL
    at = desk.start(["Ana", "Ben"], rules(), version=None, now=4000, setup=Setup(starter=1)).game.now
    assert (at.game, at.player.name, at.players[0].score) == (2, "Ben", 2)


def test_listeners_hear_of_every_change(desk: Desk):
    told: list[int] = []
    end = desk.subscribe(lambda state: told.append(state.version))
    desk.end_turn(version=None, now=2000)
    end()
    desk.end_turn(version=None, now=3000)
    assert told == [2]


def test_closed_the_desk_lets_go_of_the_log(desk: Desk):
    desk.close()
    again = Desk(Log.open(desk.log.path), now=5)
    assert again.game.now.clock.pause is PauseReason.RESTART
    again.close()
