import pytest
from evening import Evening, rules

from referee import appeals, decisions
from referee.ending import RackCode, RackError, RackProblem, check_racks
from referee.errors import GameError
from referee.position import Phase
from referee.sight import Sight
from referee.table import Table
from referee.tiles import parse_tiles

OPENING = "R10 R11 R12"


def test_racks_are_counted_when_the_game_has_ended():
    with pytest.raises(GameError, match="when the game has ended"):
        Evening("Ana", "Ben").count(Ana="", Ben="R1")


def test_a_rack_of_nobody():
    evening = Evening("Ana", "Ben", hands=(3, 1))
    evening.lay(OPENING)
    with pytest.raises(GameError, match="'Cleo' does not play"):
        evening.count(Cleo="R1")


def test_a_rack_with_another_number_of_tiles_than_the_hand():
    evening = Evening("Ana", "Ben", hands=(3, 2))
    evening.lay(OPENING)
    with pytest.raises(RackError, match="'Ben' has 1 tiles \\(R7\\) where 2 are known") as error:
        evening.count(Ben="R7")
    assert error.value.problems == (RackProblem(RackCode.COUNT, "Ben", parse_tiles("R7"), 2),)
    assert [player.score for player in evening.count(Ben="R7", anyway=True).players] == [7, -7]


def test_more_of_a_tile_than_the_set_has_is_never_counted():
    evening = Evening("Ana", "Ben", hands=(3, 2))
    evening.lay(OPENING)
    with pytest.raises(RackError, match="more of R10 than the set has") as error:
        evening.count(Ben="R10 R10", anyway=True)
    assert [problem.code for problem in error.value.problems] == [RackCode.TOO_MANY]


def empty_pool() -> Evening:
    evening = Evening("Ana", "Ben", by=rules(empty_pool="ends", copies=1, jokers=0), hands=(25, 26))
    evening.draw()
    assert evening.at.phase is Phase.ENDED
    return evening


def test_with_an_empty_pool_every_tile_is_somewhere():
    evening = empty_pool()
    red_and_black = " ".join(f"{colour}{number}" for colour in "RK" for number in range(1, 14))
    rest = " ".join(f"{colour}{number}" for colour in "BO" for number in range(1, 13))
    with pytest.raises(RackError, match="B13 O13 must be somewhere") as error:
        evening.count(Ana=red_and_black, Ben=rest, anyway=False)
    assert error.value.problems[-1] == RackProblem(RackCode.MISSING, "", parse_tiles("B13 O13"))
    at = evening.count(Ana=red_and_black, Ben=rest, anyway=True)
    assert [player.score for player in at.players] == [-26, 26]


def test_10_3_with_an_empty_pool_losers_pay_the_difference_and_ties_are_shared():
    evening = empty_pool()
    ana = " ".join(f"{colour}{number}" for colour in "RK" for number in range(1, 14))
    ben = ana.replace("R", "B").replace("K", "O")
    at = evening.count(Ana=ana, Ben=ben)
    assert at.result.winners == (0, 1)
    assert at.result.points == (0, 0)


def test_lost_tiles_are_missed_no_more():
    evening = Evening("Ana", "Ben", by=rules(empty_pool="ends", copies=1, jokers=0), hands=(25, 25))
    evening.do(decisions.play_without, parse_tiles("O13")[0], None)
    evening.draw()
    left = parse_tiles(" ".join(f"{c}{n}" for c in "RKBO" for n in range(1, 14) if (c, n) != ("O", 13)))
    assert check_racks(evening.at, {"Ana": left[:26], "Ben": left[26:]}) == ()


def test_10_the_racks_are_scored_in_turn_order_and_who_left_pays_nothing():
    evening = Evening("Ana", "Ben", "Cleo", "Dov", starter=2, hands=(2, 14, 3, 1))
    evening.do(decisions.leave, "Ben")
    evening.lay(OPENING)
    at = evening.count(Dov="R5", Ana="R7 R8")
    assert at.result.points == (-15, 0, 20, -5)
    assert at.result.racks[1] == ()
    assert at.result.winners == (2,)


def test_10_4_odd_points_go_in_turn_order_from_the_starter():
    evening = Evening("Ana", "Ben", "Cleo", hands=(1, 1, 1), starter=1)
    evening.do(decisions.end_game)
    at = evening.count(Ana="R4", Ben="K1", Cleo="B1")
    assert at.result.points == (-3, 2, 1)
    assert at.result.winners == (1, 2)


def test_10_5_hand_rummy_is_known_from_the_last_turn():
    evening = Evening("Ana", "Ben", by=rules(hand_rummy_factor=3), hands=(3, 1))
    evening.lay(OPENING)
    assert evening.count(Ben="R2").result.points == (6, -6)


def test_a_correction_that_changes_how_the_game_ended_asks_for_the_racks_again():
    evening = Evening("Ana", "Ben", hands=(6, 1))
    evening.lay(OPENING)
    evening.draw()
    evening.add("K1 K2 K3")
    evening.count(Ben="R2 R3")
    at = evening.do(appeals.correct, 3, Table.parse(OPENING), Sight())
    assert (at.phase, at.result, [player.score for player in at.players]) == (Phase.PLAY, None, [0, 0])
