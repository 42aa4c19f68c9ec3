import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import GameError
from referee.rules import preset
from referee.scoring import Points, rack_total, score_game
from referee.tiles import JOKER, NUMBERED, parse_tiles

RULES = preset("rrrummy")


def racks(**tiles):
    return tuple((player, parse_tiles(text)) for player, text in tiles.items())


def score(rules=RULES, *, pool_empty=False, hand_rummy=False, **tiles):
    result = score_game(racks(**tiles), rules, pool_empty=pool_empty, hand_rummy=hand_rummy)
    return result.winners, dict(result.totals), dict(result.scores)


def test_10_1_tiles_count_their_number_and_jokers_thirty():
    assert rack_total(parse_tiles("R7 K13 J"), RULES) == 50


def test_10_1_joker_points_is_an_option():
    assert rack_total(parse_tiles("R7 J"), RULES.with_options({"joker_points": 25})) == 32


def test_10_2_the_winner_gains_what_the_others_lose():
    assert score(Ana="", Ben="R7 J", Cem="K1") == (
        ("Ana",),
        {"Ana": 0, "Ben": 37, "Cem": 1},
        {"Ana": 38, "Ben": -37, "Cem": -1},
    )


def test_9_1_going_out_comes_before_the_empty_pool():
    assert score(Ana="K1", Ben="", pool_empty=True)[2] == {"Ana": -1, "Ben": 1}


def test_10_3_with_the_pool_empty_the_others_lose_what_they_hold_above_the_winner():
    assert score(Ana="R7", Ben="R3", Cem="J", pool_empty=True) == (
        ("Ben",),
        {"Ana": 7, "Ben": 3, "Cem": 30},
        {"Ana": -4, "Ben": 31, "Cem": -27},
    )


def test_9_3_of_equal_totals_fewer_tiles_win_and_the_other_pays_nothing():
    assert score(Ana="R3 R4", Ben="R7", Cem="R9", pool_empty=True) == (
        ("Ben",),
        {"Ana": 7, "Ben": 7, "Cem": 9},
        {"Ana": 0, "Ben": 2, "Cem": -2},
    )


def test_9_3_fewer_tiles_do_not_beat_a_lower_total():
    assert score(Ana="R1 R2", Ben="R7", pool_empty=True)[0] == ("Ana",)


def test_10_4_what_is_shared_is_shared_equally_odd_points_go_in_turn_order():
    winners, _, scores = score(Ana="R9", Ben="R4", Cem="B4", Dan="K4", pool_empty=True)
    assert winners == ("Ben", "Cem", "Dan")
    assert scores == {"Ana": -5, "Ben": 2, "Cem": 2, "Dan": 1}


def test_a_shared_victory_has_no_one_winner():
    shared = score_game(racks(Ana="R4", Ben="B4"), RULES, pool_empty=True)
    assert shared.winner is None
    assert score_game(racks(Ana="", Ben="B4"), RULES).winner == "Ana"


def test_totals_and_scores_are_in_turn_order():
    result = score_game(racks(Zoe="R4", Ana=""), RULES)
    assert result.totals == (Points("Zoe", 4), Points("Ana", 0))
    assert result.scores == (Points("Zoe", -4), Points("Ana", 4))


def test_10_5_hand_rummy_multiplies_gain_and_losses():
    rules = RULES.with_options({"hand_rummy_factor": 2})
    assert score(rules, Ana="", Ben="R7", hand_rummy=True)[2] == {"Ana": 14, "Ben": -14}
    assert score(rules, Ana="", Ben="R7")[2] == {"Ana": 7, "Ben": -7}
    assert score(Ana="", Ben="R7", hand_rummy=True)[2] == {"Ana": 7, "Ben": -7}


def test_10_5_a_hand_rummy_must_be_said():
    rules = RULES.with_options({"hand_rummy_factor": 2})
    assert dict(score_game(racks(Ana="", Ben="R7"), rules).scores) == {"Ana": 7, "Ben": -7}


def test_10_5_hand_rummy_means_going_out():
    rules = RULES.with_options({"hand_rummy_factor": 2})
    assert score(rules, Ana="R1", Ben="R7", pool_empty=True, hand_rummy=True)[2] == {"Ana": 6, "Ben": -6}


def test_a_rack_of_worthless_tiles_is_not_empty():
    rules = RULES.with_options({"joker_points": 0})
    assert score(rules, Ana="J", Ben="", Cem="K1")[0] == ("Ben",)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ((), "a game has two players or more, each named once, not none"),
        ((("Ana", ""),), "a game has two players or more, each named once, not 'Ana'"),
        ((("Ana", ""), ("Ana", "R7")), "a game has two players or more, each named once, not 'Ana', 'Ana'"),
        ((("Ana", ""), ("Ben", "")), "only one player can go out, but the racks of 'Ana', 'Ben' are empty"),
        (
            (("Ana", "R3"), ("Ben", "R7")),
            "nobody went out: one rack must be empty, or the pool must be said to be empty",
        ),
    ],
)
def test_what_cannot_be_the_end_of_a_game(players, message):
    with pytest.raises(GameError) as raised:
        score_game([(player, parse_tiles(tiles)) for player, tiles in players], RULES)
    assert str(raised.value) == message


hands = st.lists(
    st.lists(st.sampled_from([*NUMBERED, JOKER]), min_size=1, max_size=8).map(tuple), min_size=2, max_size=6
)


@settings(deadline=None)
@given(hands, st.booleans(), st.integers(1, 4))
def test_10_4_scores_add_up_to_zero(tiles, goes_out, factor):
    if goes_out:
        tiles[0] = ()
    named = [(f"P{place}", hand) for place, hand in enumerate(tiles)]
    rules = RULES.with_options({"hand_rummy_factor": factor})
    result = score_game(named, rules, pool_empty=not goes_out, hand_rummy=True)
    assert sum(points for _, points in result.scores) == 0
    best = max(points for _, points in result.scores)
    assert all(dict(result.scores)[winner] >= best - 1 for winner in result.winners)
