from evening import Evening

from referee import appeals
from referee.statistics import PlayerStatistics, game_statistics, match_statistics

OPENING = "R10 R11 R12"


def played(evening: Evening) -> Evening:
    evening.lay(OPENING, used_ms=10_000)
    evening.draw()
    evening.add("K1 K2", used_ms=20_000, timed_out=True)
    evening.do(appeals.restored)
    return evening


def test_the_figures_of_a_game():
    at = played(Evening("Ana", "Ben", "Cleo")).at
    assert game_statistics(("Ana", "Ben", "Cleo"), at.turns) == (
        PlayerStatistics("Ana", turns=1, seconds=10.0, tiles=3.0, faults=0, draws=0, time_outs=0),
        PlayerStatistics("Ben", turns=1, seconds=1.0, tiles=0.0, faults=0, draws=1, time_outs=0),
        PlayerStatistics("Cleo", turns=1, seconds=20.0, tiles=0.0, faults=1, draws=0, time_outs=1),
    )


def test_who_has_not_played_has_no_averages():
    (figures,) = game_statistics(("Ana",), ())
    assert figures == PlayerStatistics("Ana", 0, 0.0, 0.0, 0, 0, 0)


def test_the_figures_of_a_match_go_by_name_and_take_each_game_once():
    evening = Evening("Ana", "Ben", hands=(6, 1))
    evening.lay(OPENING, used_ms=10_000)
    evening.draw()
    evening.add("K1 K2 K3", used_ms=20_000)
    evening.count(Ben="R2 R3")
    ana, ben = match_statistics(evening.at)
    assert (ana.turns, ana.seconds, ana.tiles) == (2, 15.0, 3.0)
    evening.start("Ben", "Cleo")
    evening.draw()
    assert match_statistics(evening.at) == (
        ana,
        ben._replace(turns=2, draws=2),
        PlayerStatistics("Cleo", 0, 0.0, 0.0, 0, 0, 0),
    )
