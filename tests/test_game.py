from itertools import pairwise

import pytest
from evening import Evening, RandomEvening, all_tiles, hands, rules, rulings
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import appeals, decisions
from referee.clock import Clock, PauseReason
from referee.events import Redone, TurnCalled, Undone
from referee.game import EMPTY_GAME, apply, replay
from referee.history import Change
from referee.position import Phase
from referee.sight import Sight
from referee.table import Table
from referee.verdict import FaultCode, Ruling

OPENING = "R10 R11 R12"
EVENINGS = st.builds(RandomEvening, st.integers(0, 10**9), st.integers(0, 40))


@settings(max_examples=40, deadline=None)
@given(EVENINGS, st.integers(0, 100))
def test_folding_a_prefix_and_then_the_rest_is_folding_the_whole(evening: RandomEvening, percent: int):
    cut = len(evening.events) * percent // 100
    assert replay(evening.events[cut:], replay(evening.events[:cut])) == replay(evening.events) == evening.game


@settings(max_examples=40, deadline=None)
@given(EVENINGS, st.integers(0, 100_000))
def test_undo_then_redo_is_the_identity(evening: RandomEvening, later: int):
    if evening.game.can_undo:
        undone = apply(evening.game, Undone(now_ms=evening.time + later))
        assert undone != evening.game
        assert apply(undone, Redone(now_ms=evening.time + later)) == evening.game


@settings(max_examples=20, deadline=None)
@given(EVENINGS)
def test_undoing_everything_then_redoing_it_is_the_identity(evening: RandomEvening):
    game, count = evening.game, 0
    while game.can_undo:
        game, count = apply(game, Undone(now_ms=evening.time)), count + 1
    assert game.now.turns == ()
    for _ in range(count):
        game = apply(game, Redone(now_ms=evening.time))
    assert game == evening.game


@settings(max_examples=40, deadline=None)
@given(EVENINGS)
def test_hands_table_and_pool_are_the_set_always(evening: RandomEvening):
    game = EMPTY_GAME
    for event in evening.events:
        game = apply(game, event)
        assert all_tiles(game.now) == 106
        assert game.now.pool >= 0
        assert min(hands(game.now)) >= 0


@settings(max_examples=40, deadline=None)
@given(EVENINGS)
def test_10_4_the_points_of_every_game_sum_to_zero(evening: RandomEvening):
    for game in evening.at.match.games:
        assert sum(game.result.points) == 0


@settings(max_examples=30, deadline=None)
@given(EVENINGS)
def test_a_turn_begins_where_the_one_before_it_left_the_table(evening: RandomEvening):
    turns = evening.at.turns
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    unlost = not evening.at.lost
    assert all(one.after == other.before for one, other in pairwise(turns)) or not unlost


def test_8_3_an_undone_turn_never_was():
    evening = Evening("Ana", "Ben")
    before = evening.at
    evening.time += 50_000
    evening.lay(OPENING)
    at = evening.do(decisions.undo, None)
    assert at == before._replace(clock=Clock(120_000, 0, None, PauseReason.UNDO))
    assert not evening.game.can_undo


def test_8_3_tiles_drawn_go_back():
    evening = Evening("Ana", "Ben")
    evening.lay("R1 R2")
    evening.do(appeals.restored)
    at = evening.do(decisions.undo, None)
    assert (hands(at), at.pool, at.turns, at.phase) == ((14, 14), 78, (), Phase.PLAY)


def test_undo_goes_back_to_any_turn_and_redo_forward_again():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    evening.draw()
    evening.add("K1 K2 K3")
    last = evening.game
    at = evening.do(decisions.undo, 2)
    assert (at.turn, at.player.name, str(at.table)) == (2, "Ben", OPENING)
    assert evening.events[-2:] == [Undone(now_ms=evening.time)] * 2
    evening.do(decisions.redo)
    evening.do(decisions.redo)
    assert evening.at.turns == last.now.turns
    assert not evening.game.can_redo


def test_the_time_between_undo_and_redo_is_not_counted():
    evening = Evening("Ana", "Ben")
    evening.draw()
    used = evening.at.clock.used(evening.time + 1000)
    evening.do(decisions.undo, None)
    evening.time += 50_000
    evening.do(decisions.redo)
    assert evening.at.clock.used(evening.time) == used


def test_a_new_decision_ends_what_can_be_redone_and_the_clock_does_not():
    evening = Evening("Ana", "Ben")
    evening.draw()
    evening.do(decisions.undo, None)
    evening.do(decisions.resume)
    assert evening.game.can_redo
    evening.do(decisions.set_score, "Ana", 5)
    assert not evening.game.can_redo


def test_a_count_undone_leaves_the_clock_as_it_runs():
    evening = Evening("Ana", "Ben")
    evening.do(decisions.set_hand, "Ben", 12)
    clock = evening.at.clock
    at = evening.do(decisions.undo, None)
    assert (hands(at), at.clock) == ((14, 14), clock)


def test_a_decision_of_another_turn_undone_leaves_the_clock_where_it_was():
    evening = Evening("Ana", "Ben")
    evening.time += 9000
    evening.do(decisions.choose_turn, "Ben")
    at = evening.do(decisions.undo, None)
    assert at.player.name == "Ana"
    assert at.clock == Clock(120_000, 10_000, None, PauseReason.UNDO)


def test_an_overruling_undone_goes_back_to_a_standing_clock():
    evening = Evening("Ana", "Ben")
    evening.lay("R1 R2")
    evening.do(appeals.overrule, 1, Ruling.LEGAL, "")
    at = evening.do(decisions.undo, None)
    assert (at.phase, at.turn, at.clock.pause) == (Phase.RESTORE, 1, PauseReason.TURN_OVER)


def test_undo_drops_an_open_question_first_and_the_turn_with_it():
    evening = Evening("Ana", "Ben")
    evening.draw()
    evening.lay(" / ".join(["R1 R2 R3"] * 3))
    assert evening.at.phase is Phase.VERDICT
    evening.do(decisions.undo, None)
    assert (evening.at.phase, evening.at.turn, evening.at.undecided) == (Phase.PLAY, 2, None)
    evening.do(decisions.undo, None)
    assert evening.at.turn == 1


def test_a_decided_question_is_undone_as_one():
    evening = Evening("Ana", "Ben")
    evening.take((TurnCalled(now_ms=9000, used_ms=7000, at_ms=9000),))
    evening.lay(" / ".join(["R1 R2 R3"] * 3))
    evening.do(appeals.correct, 1, Table.parse(OPENING), Sight())
    assert evening.at.turn == 2
    assert evening.do(decisions.undo, None).turn == 1
    assert not evening.game.can_undo


def test_names_and_joining_players_outlive_an_undo():
    evening = Evening("Ana", "Ben")
    evening.draw()
    evening.do(decisions.rename, "Ana", "Anna")
    evening.do(decisions.join, "Cleo")
    at = evening.do(decisions.undo, None)
    assert at.next_names == ("Anna", "Ben", "Cleo")
    assert evening.do(decisions.redo).next_names == ("Anna", "Ben", "Cleo")


def test_overruled_a_past_turn_counts_otherwise_and_later_ones_are_told_again():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    evening.add("K1 K2 K3")
    evening.do(appeals.restored)
    evening.draw()
    at = evening.do(appeals.overrule, 2, Ruling.LEGAL, "we let it go")
    assert rulings(at) == ("legal", "legal", "draw")
    assert str(at.turns[1].after) == str(at.turns[2].seen) == str(at.table) == f"{OPENING} / K1 K2 K3"
    assert (at.turns[1].reason, at.turns[1].overruled) == ("we let it go", True)
    assert hands(at) == (12, 11)
    assert [change.turn for change in at.changes] == [2]


def test_an_overruling_that_agrees_with_the_referee_again_needs_no_reason():
    evening = Evening("Ana", "Ben")
    evening.lay("R1 R2")
    evening.do(appeals.overrule, 1, Ruling.LEGAL, "kind")
    at = evening.do(appeals.overrule, 1, Ruling.ILLEGAL, "not kind")
    assert (at.phase, at.turns[0].reason, at.turns[0].overruled) == (Phase.RESTORE, "", False)


def test_corrected_the_same_misread_row_is_put_right_in_later_turns():
    evening = Evening("Ana", "Ben")
    evening.lay("R10 R11 R9")
    evening.draw()
    evening.lay("R10 R11 R9 / K1 K2 K3")
    at = evening.do(appeals.correct, 1, Table.parse("R10 R11 R12"), Sight())
    assert rulings(at) == ("legal", "draw", "legal")
    assert str(at.table) == "R10 R11 R12 / K1 K2 K3"
    assert at.changes == ()


def test_corrected_to_a_fault_the_turn_goes_back_and_later_moves_are_made_without_it():
    evening = Evening("Ana", "Ben")
    evening.lay("R10 R11 R9")
    evening.draw()
    evening.lay("R10 R11 R9 / K1 K2 K3")
    at = evening.do(appeals.correct, 1, Table.parse("R10 R11 R6"), Sight())
    assert rulings(at) == ("illegal", "draw", "illegal")
    assert FaultCode.OPENING_TOO_LOW in at.turns[2].verdict.codes
    assert (at.phase, at.turn, hands(at)) == (Phase.RESTORE, 3, (20, 15))
    assert [change.turn for change in at.changes] == [1, 3]


def test_a_correction_that_leaves_verdicts_as_they_are_changes_none():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    evening.draw()
    clock = evening.at.clock
    at = evening.do(appeals.correct, 1, Table.parse("R11 R12 R13"), Sight())
    assert at.changes == ()
    assert str(at.table) == "R11 R12 R13"
    assert at.clock == clock


def test_a_later_turn_that_becomes_impossible_keeps_its_ruling():
    evening = Evening("Ana", "Ben", hands=(7, 14))
    evening.lay(OPENING)
    evening.draw()
    evening.add("K1 K2 K3 K4")
    at = evening.do(appeals.correct, 1, Table.parse("R10 R11 R12 R13"), Sight())
    assert rulings(at) == ("legal", "draw", "legal")
    assert at.turns[2].verdict.ruling is Ruling.IMPOSSIBLE


def test_turns_after_an_earlier_end_no_longer_count():
    evening = Evening("Ana", "Ben", hands=(4, 14))
    evening.lay("R10 R11 R12")
    evening.draw()
    evening.draw()
    at = evening.do(appeals.correct, 1, Table.parse("R10 R11 R12 R13"), Sight())
    assert (at.phase, at.out, rulings(at)) == (Phase.ENDED, 0, ("legal",))
    assert at.changes == (
        Change(2, 1, Ruling.DRAW, None, (), ()),
        Change(3, 0, Ruling.DRAW, None, (), ()),
    )


def test_a_win_overruled_lets_the_game_go_on_and_forgets_the_score():
    evening = Evening("Ana", "Ben", hands=(3, 1))
    evening.lay(OPENING)
    evening.count(Ben="R7")
    at = evening.do(appeals.overrule, 1, Ruling.ILLEGAL, "")
    assert (at.phase, at.result, at.match.games) == (Phase.RESTORE, None, ())
    assert [player.score for player in at.players] == [0, 0]


def test_a_correction_before_the_same_end_keeps_the_score():
    evening = Evening("Ana", "Ben", hands=(6, 1))
    evening.lay(OPENING)
    evening.draw()
    evening.add("K1 K2 K3")
    evening.count(Ben="R7 R8")
    at = evening.do(appeals.correct, 1, Table.parse("R11 R12 R13"), Sight())
    assert (at.phase, at.players[0].score) == (Phase.ENDED, 15)


def test_legal_overruled_to_illegal_sends_the_present_turn_back():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    at = evening.do(appeals.overrule, 1, Ruling.ILLEGAL, "taken from the pool")
    assert (at.phase, at.turn, at.player.name) == (Phase.RESTORE, 1, "Ana")
    assert not at.clock.running


def test_illegal_overruled_begins_the_next_turn_now():
    evening = Evening("Ana", "Ben")
    evening.lay("R1 R2")
    at = evening.do(appeals.overrule, 1, Ruling.DRAW, "never mind")
    assert (at.phase, at.turn, str(at.table), hands(at)) == (Phase.PLAY, 2, "-", (15, 14))
    assert at.clock.since_ms == evening.time


def test_an_earlier_correction_keeps_a_table_that_is_put_back():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    evening.lay("R10 R11 R12 / K1 K2")
    clock = evening.at.clock
    at = evening.do(appeals.correct, 1, Table.parse("R11 R12 R13"), Sight())
    assert (at.phase, at.turn, at.clock) == (Phase.RESTORE, 2, clock)


def test_other_rules_from_the_present_turn_on():
    evening = Evening("Ana", "Ben")
    evening.lay("R1 R2")
    evening.do(appeals.restored)
    at = evening.do(decisions.set_rules, rules(fault_draw=1, turn_seconds=60))
    assert at.clock.limit_ms == 60_000
    assert at.turns[0].drawn == 3
    evening.lay("R1 R2")
    assert evening.at.turns[1].drawn == 1


def test_other_rules_for_the_whole_game():
    evening = Evening("Ana", "Ben")
    evening.lay("R8 R9 R10")
    evening.do(appeals.restored)
    evening.do(decisions.set_rules, rules(opening_points=27))
    at = evening.do(decisions.set_rules, rules(opening_points=20), whole_game=True)
    assert rulings(at) == ("legal",)
    assert at.rules.opening_points == 20
    assert str(at.table) == "R8 R9 R10"


def test_changed_rules_hold_when_an_earlier_turn_is_judged_again():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    evening.do(decisions.set_rules, rules(fault_draw=1))
    evening.lay("R1 R2")
    at = evening.do(appeals.correct, 1, Table.parse("R11 R12 R13"), Sight())
    assert at.turns[1].drawn == 1
    assert at.rules.fault_draw == 1


def test_a_lost_tile_stays_lost_when_an_earlier_turn_is_judged_again():
    evening = Evening("Ana", "Ben")
    evening.lay("R10 R11 R12 R13")
    evening.do(decisions.play_without, Table.parse("R13").rows[0][0], None)
    at = evening.do(appeals.correct, 1, Table.parse("R10 R11 R12 R13 / K1 K2 K3"), Sight())
    assert str(at.table) == "R10 R11 R12 / K1 K2 K3"
    assert all_tiles(at) == 106


def test_a_question_is_asked_anew_after_an_earlier_correction():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    evening.lay(f"{OPENING} / " + " / ".join(["K1 K2 K3"] * 3))
    at = evening.do(appeals.correct, 1, Table.parse("R11 R12 R13"), Sight())
    assert at.phase is Phase.VERDICT
    assert at.undecided.call.used_ms == 1000


def test_a_new_game_has_nothing_to_undo():
    evening = Evening("Ana", "Ben")
    evening.draw()
    evening.start("Ana", "Ben", abandon=True)
    assert not evening.game.can_undo
    with pytest.raises(IndexError):
        apply(evening.game, Undone(now_ms=1))
