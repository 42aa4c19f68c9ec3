import pytest
from evening import Evening, rules

from referee.match import MINUTE_MS, FirstTurn, GameRecord, Match, Result, who_starts
from referee.rules import RuleSet
from referee.tiles import Tile


@pytest.mark.parametrize(
    ("drawn", "at_start", "first"),
    [
        ("R3 K9 B2", "again", FirstTurn(1)),
        ("R9 K9 B2", "again", FirstTurn(None, (0, 1))),
        ("R3 J B2", "again", FirstTurn(None, (1,))),
        ("J J B2", "again", FirstTurn(None, (0, 1))),
        ("R13 J B2", "highest", FirstTurn(1)),
        ("J J R13", "highest", FirstTurn(None, (0, 1))),
        (". K4 K2", "again", FirstTurn(1)),
    ],
    ids=["highest", "tie", "joker again", "two jokers again", "joker highest", "two jokers tie", "tied draw again"],
)
def test_2_2_who_starts(drawn: str, at_start: str, first: FirstTurn):
    tiles = [None if word == "." else Tile.parse(word) for word in drawn.split()]
    assert who_starts(tiles, rules(joker_at_start=at_start)) == first


@pytest.mark.parametrize("drawn", [[], [None, None]], ids=["nobody", "no tiles"])
def test_2_2_somebody_must_draw(drawn: list[None]):
    with pytest.raises(ValueError, match="nobody has drawn"):
        who_starts(drawn, rules())


def record(number: int, scores: tuple[int, ...], by: RuleSet, ended_ms: int = 0) -> GameRecord:
    result = Result(((), ()), (0, 0), (0, 0), (0,))
    return GameRecord(number, by, ("Ana", "Ben"), scores, result, (), ended_ms)


@pytest.mark.parametrize(
    ("options", "over"),
    [
        ({}, False),
        ({"games": 2}, True),
        ({"games": 3}, False),
        ({"minutes": 5}, True),
        ({"minutes": 6}, False),
        ({"target": 40}, True),
        ({"target": 41}, False),
        ({"games": 9, "target": 10}, True),
    ],
    ids=["no end", "games", "more games", "time", "more time", "target", "more to go", "whichever is first"],
)
def test_11_1_the_match_ends(options: dict[str, int], over):
    match = Match(started_ms=1000).with_game(record(1, (0, 0), rules()))
    match = match.with_game(record(2, (40, -40), rules(**options), 1000 + 5 * MINUTE_MS))
    assert match.over is over
    assert match.winners == (("Ana",) if over else ())


def test_11_1_a_tie_of_the_match_is_shared():
    match = Match().with_game(record(1, (7, 7), rules(games=1)))
    assert match.winners == ("Ana", "Ben")


def test_a_game_counted_again_replaces_its_record():
    match = Match().with_game(record(1, (7, -7), rules())).with_game(record(1, (9, -9), rules()))
    assert [game.scores for game in match.games] == [(9, -9)]


def test_11_1_scores_go_on_from_game_to_game_and_each_starter_is_drawn_again():
    evening = Evening("Ana", "Ben", by=rules(games=2), hands=(3, 14))
    evening.lay("R10 R11 R12")
    evening.count(Ben="R7 J", anyway=True)
    assert not evening.at.match.over
    evening.start("Ana", "Ben", by=rules(games=2), starter=1, hands=(14, 3))
    assert [player.score for player in evening.at.players] == [37, -37]
    assert (evening.at.game, evening.at.player.name) == (2, "Ben")
    evening.lay("R10 R11 R12")
    evening.count(Ana="R1", anyway=True)
    assert [player.score for player in evening.at.players] == [36, -36]
    assert evening.at.match.over
    assert evening.at.match.winners == ("Ana",)


def test_a_game_after_the_match_begins_a_new_one():
    evening = Evening("Ana", "Ben", by=rules(games=1), hands=(3, 14))
    evening.lay("R10 R11 R12")
    evening.count(Ben="R7", anyway=True)
    evening.start("Ana", "Ben", by=rules(games=1))
    assert evening.at.game == 1
    assert [player.score for player in evening.at.players] == [0, 0]
    assert evening.at.match.games == ()
