import pytest
from evening import Evening, all_tiles, hands, rules, rulings

from referee import appeals, decisions
from referee.clock import Clock, PauseReason
from referee.course import advance, same_melds, tiles_played
from referee.events import RacksCounted, TableRestored, Undone
from referee.position import Phase, Player, Position
from referee.table import Table
from referee.tiles import parse_tiles
from referee.verdict import Ruling

OPENING = "R10 R11 R12"


def test_2_1_everybody_takes_14_tiles_and_the_rest_is_the_pool():
    at = Evening("Ana", "Ben", "Cleo").at
    assert at.players == (Player("Ana", 14), Player("Ben", 14), Player("Cleo", 14))
    assert at.pool == 106 - 42
    assert (at.phase, at.turn, at.seat) == (Phase.PLAY, 1, 0)


def test_1_2_the_big_set_has_160_tiles():
    assert Evening("Ana", "Ben", by=rules(copies=3, jokers=4)).at.pool == 160 - 28


def test_before_the_first_game_there_is_nothing():
    at = Position()
    assert (at.phase, at.pool, at.player, at.reminders) == (Phase.SETUP, 0, None, ())
    assert not at.underway


def test_4_1_a_player_plays_tiles():
    at = Evening("Ana", "Ben").lay(OPENING)
    assert hands(at) == (11, 14)
    assert (at.pool, str(at.table), at.player.name, at.turn) == (78, OPENING, "Ben", 2)
    assert at.players[0].opened
    turn = at.turns[0]
    assert turn.played == parse_tiles(OPENING)
    assert (turn.drawn, turn.hand, turn.opened, turn.used_ms) == (0, 14, False, 1000)


def test_4_1_or_draws_one():
    at = Evening("Ana", "Ben").draw()
    assert hands(at) == (15, 14)
    assert (at.pool, at.player.name, at.turns[0].drawn) == (77, "Ben", 1)
    assert not at.players[0].opened


def test_4_4_rearranged_without_playing_the_table_stays_as_it_lies():
    evening = Evening("Ana", "Ben", table="R1 R2 R3 R4 / R5 R6 R7", opened=True)
    at = evening.lay("R1 R2 R3 / R4 R5 R6 R7")
    assert at.turns[0].ruling is Ruling.DRAW
    assert str(at.table) == "R1 R2 R3 / R4 R5 R6 R7"
    assert hands(at) == (15, 14)


def test_2_2_play_goes_clockwise_from_the_starter():
    evening = Evening("Ana", "Ben", "Cleo", starter=1)
    order = [evening.draw().player.name for _ in range(3)]
    assert order == ["Cleo", "Ana", "Ben"]
    assert list(evening.at.clockwise()) == [1, 2, 0]


def test_8_1_an_illegal_turn_is_put_back_and_costs_tiles():
    evening = Evening("Ana", "Ben")
    at = evening.lay("R1 R2")
    assert (at.phase, str(at.table), at.player.name, at.turn) == (Phase.RESTORE, "-", "Ana", 1)
    assert hands(at) == (17, 14)
    assert at.turns[0].drawn == 3
    assert str(at.turns[0].seen) == "R1 R2"
    assert at.clock == Clock(120_000, 1000, None, PauseReason.TURN_OVER)
    at = evening.do(appeals.restored)
    assert (at.phase, at.player.name, at.turn) == (Phase.PLAY, "Ben", 2)
    assert at.clock.since_ms == evening.time


def test_8_1_nothing_is_put_back_where_the_table_lies_as_it_lay():
    evening = Evening("Ana", "Ben", table="R1 R2 / K1 K2 K3", opened=True)
    at = evening.lay("K3 K2 K1 / R1 R2")
    assert at.turns[0].ruling is Ruling.ILLEGAL
    assert (at.phase, at.player.name) == (Phase.PLAY, "Ben")


def test_8_1_fewer_tiles_are_drawn_where_the_pool_has_fewer():
    at = Evening("Ana", "Ben", by=rules("dutch-rummy"), hands=(52, 52)).lay("R1 R2")
    assert hands(at) == (54, 52)
    assert at.pool == 0
    assert at.turns[0].drawn == 2


def test_7_3_time_out_with_a_legal_table_stands():
    at = Evening("Ana", "Ben").lay(OPENING, timed_out=True)
    assert at.turns[0].ruling is Ruling.LEGAL
    assert at.turns[0].timed_out


def test_7_3_time_out_with_nothing_played_draws_one():
    assert hands(Evening("Ana", "Ben").lay("-", timed_out=True)) == (15, 14)


def test_7_3_time_out_costs_timeout_draw_and_no_more():
    at = Evening("Ana", "Ben", by=rules("classic-2009")).lay("R1 R2", timed_out=True)
    assert hands(at) == (15, 14)
    assert [code.value for code in at.verdict.codes][-1] == "time_out"


def test_7_2_the_clock_waits_for_the_first_move():
    evening = Evening("Ana", "Ben", by=rules("mini-rummy"))
    assert evening.at.clock.pause is PauseReason.FIRST_MOVE
    assert evening.draw().clock.pause is PauseReason.FIRST_MOVE


def test_7_1_no_limit():
    assert Evening("Ana", "Ben", by=rules("rummy-mini-es")).at.clock.limit_ms is None


def test_9_1_whoever_plays_the_last_tile_wins():
    at = Evening("Ana", "Ben", hands=(3, 14)).lay(OPENING)
    assert (at.phase, at.out, at.player) == (Phase.ENDED, 0, None)
    assert at.turn == 1


def test_9_1_comes_before_9_3():
    at = Evening("Ana", "Ben", by=rules(empty_pool="ends"), hands=(3, 103)).lay(OPENING)
    assert at.out == 0


def test_9_3_ends_when_the_last_tile_is_drawn():
    evening = Evening("Ana", "Ben", by=rules(empty_pool="ends"), hands=(52, 52))
    assert evening.draw().phase is Phase.PLAY
    assert evening.draw().phase is Phase.ENDED
    assert evening.at.out is None


def test_9_3_ends_when_the_last_tile_is_a_penalty():
    at = Evening("Ana", "Ben", by=rules(empty_pool="ends"), hands=(52, 52)).lay("R1 R2")
    assert (at.phase, at.pool) == (Phase.ENDED, 0)


def test_9_3_play_on_until_every_player_in_a_row_played_nothing():
    evening = Evening("Ana", "Ben", hands=(53, 52))
    evening.draw()
    assert (evening.at.pool, evening.at.passes) == (0, 0)
    evening.draw()
    assert (evening.at.passes, evening.at.phase) == (1, Phase.PLAY)
    evening.lay(OPENING)
    assert evening.at.passes == 0
    evening.lay(OPENING + " / R1")
    assert (evening.at.passes, evening.at.phase) == (1, Phase.RESTORE)
    evening.do(appeals.restored)
    evening.draw()
    assert (evening.at.phase, evening.at.out) == (Phase.ENDED, None)
    assert hands(evening.at) == (51, 52)


def test_9_3_who_left_is_not_waited_for():
    evening = Evening("Ana", "Ben", "Cleo", hands=(30, 38, 38))
    evening.do(decisions.leave, "Ana")
    evening.do(decisions.set_hand, "Ben", 68)
    evening.draw()
    assert evening.at.phase is Phase.PLAY
    assert evening.draw().phase is Phase.ENDED


def test_10_2_the_winner_gains_what_the_others_lose():
    evening = Evening("Ana", "Ben", "Cleo", hands=(3, 2, 1))
    evening.lay(OPENING)
    at = evening.count(Ben="R7 J", Cleo="K3")
    assert [player.score for player in at.players] == [40, -37, -3]
    assert at.result.totals == (0, 37, 3)
    assert at.result.winners == (0,)
    assert at.match.games[0].turns == at.turns


def test_10_2_racks_counted_again_replace_the_first_count():
    evening = Evening("Ana", "Ben", hands=(3, 2))
    evening.lay(OPENING)
    evening.count(Ben="R7 J")
    at = evening.count(Ben="R7 R8")
    assert [player.score for player in at.players] == [15, -15]
    assert len(at.match.games) == 1


def test_10_5_hand_rummy_multiplies():
    evening = Evening("Ana", "Ben", by=rules(hand_rummy_factor=2), hands=(3, 1))
    evening.lay(OPENING)
    assert [player.score for player in evening.count(Ben="R7").players] == [14, -14]


def test_10_5_only_in_the_opening_turn():
    evening = Evening("Ana", "Ben", by=rules(hand_rummy_factor=2), hands=(6, 1))
    evening.lay(OPENING)
    evening.draw()
    evening.add("K1 K2 K3")
    assert [player.score for player in evening.count(Ben="R7 R8").players] == [15, -15]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("R1 R2 R3 / K1 K2 K3", "K3 K2 K1 / R1 R2 R3", True),
        ("R1 R2 R3", "R1 R3 R2", False),
        ("R1 R2 R3", "R1 R2 R3 / R1 R2 R3", False),
        ("-", "-", True),
    ],
)
def test_same_melds_wherever_and_whichever_way_they_lie(one: str, other: str, same):
    assert same_melds(Table.parse(one), Table.parse(other)) is same


def test_tiles_played_are_in_the_order_of_colours():
    played = tiles_played(Table.parse("R1 R2 R3"), Table.parse("R1 R2 R3 J / O1 B1 R1 K9 K2"))
    assert played == parse_tiles("K2 K9 R1 B1 O1 J")


def test_a_table_that_needs_no_restoring_is_restored_without_effect():
    at = Evening("Ana", "Ben").at
    assert advance(TableRestored(now_ms=5), at) is at


def test_what_concerns_more_than_the_position_is_not_advanced():
    with pytest.raises(KeyError, match="Undone"):
        advance(Undone(now_ms=1), Position())


def test_a_score_set_after_the_game_goes_into_its_record():
    evening = Evening("Ana", "Ben", by=rules(target=100), hands=(3, 1))
    evening.lay(OPENING)
    evening.count(Ben="R7")
    at = evening.do(decisions.set_score, "Ana", 120)
    assert at.match.games[0].scores == (120, -7)
    assert at.match.over
    assert at.match.winners == ("Ana",)


def test_rulings_are_kept_turn_by_turn():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    evening.draw()
    evening.add("R1 R2")
    assert rulings(evening.at) == ("legal", "draw", "illegal")
    assert all_tiles(evening.at) == 106
    assert not any(isinstance(event, RacksCounted) for event in evening.events)
