import pytest
from evening import Evening, all_tiles, hands, rules, rulings

from referee import appeals, decisions
from referee.clock import PauseReason
from referee.errors import GameError
from referee.judging import decide
from referee.position import HAND, Call, Phase, Reminder
from referee.sight import Sight
from referee.table import Table
from referee.tiles import Tile
from referee.verdict import Ruling

OPENING = "R10 R11 R12"
R12, K1 = Tile.parse("R12"), Tile.parse("K1")


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        ("Ana", {}, "1 players: with this set of tiles 2 to 5 can play"),
        ("A B C D E F", {}, "6 players"),
        ("A B C D E F G", {"copies": 3}, "7 players: with this set of tiles 2 to 6"),
        ("Ana Ana", {}, "a name of their own, not 'Ana', 'Ana'"),
    ],
)
def test_2_1_who_can_play(names: str, options: dict[str, int], message: str):
    with pytest.raises(GameError, match=message):
        Evening(*names.split(), by=rules(**options))


@pytest.mark.parametrize(
    ("count", "copies", "warned"), [(4, 2, False), (5, 2, True), (5, 3, False), (6, 3, False)], ids=str
)
def test_2_1_five_with_the_small_set_are_warned(count: int, copies: int, warned):
    evening = Evening(*"ABCDEF"[:count], by=rules(copies=copies))
    assert (Reminder.SMALL_SET in evening.at.reminders) is warned
    assert evening.draw().reminders == ()


@pytest.mark.parametrize("names", [["Ana", " "], ["Ana", "Ana "], ["Ana", "\udc00"]], ids=["none", "twice", "half"])
def test_every_player_has_a_name(names: list[str]):
    with pytest.raises(GameError, match=r"name|no text"):
        Evening(*names)


def test_names_are_taken_as_they_are():
    names = ["<script>alert(1)</script>", "\u202e\u05d3\u05e0\u05d4 🎲", "x" * 500]
    assert [player.name for player in Evening(*names).at.players] == names


@pytest.mark.parametrize(
    "setup",
    [{"starter": 2}, {"starter": -1}, {"hands": (14,)}, {"hands": (14, -1)}],
    ids=["late", "early", "few", "minus"],
)
def test_a_setup_that_cannot_be(setup: dict[str, object]):
    with pytest.raises(GameError, match="the starter is one of the players"):
        Evening("Ana", "Ben", **setup)


def test_a_game_can_be_joined_in_the_middle():
    at = Evening("Ana", "Ben", table=OPENING, hands=(5, 9), opened=True, starter=1).at
    assert (hands(at), at.player.name, at.players[0].opened, at.pool) == ((5, 9), "Ben", True, 89)


def test_a_game_under_way_is_given_up_only_when_it_is_said():
    evening = Evening("Ana", "Ben")
    with pytest.raises(GameError, match="a game is under way"):
        evening.start("Ana", "Cleo")
    at = evening.start("Ana", "Cleo", abandon=True)
    assert [player.name for player in at.players] == ["Ana", "Cleo"]
    assert hands(at) == (HAND, HAND)


def finished(**how: object) -> Evening:
    evening = Evening("Ana", "Ben", hands=(3, 1), **how)
    evening.lay(OPENING)
    evening.count(Ben="R7")
    return evening


def test_11_1_the_next_game_of_the_match_keeps_the_scores_by_name():
    evening = finished()
    at = evening.start("Ben", "Cleo", "Ana")
    assert [(player.name, player.score) for player in at.players] == [("Ben", -7), ("Cleo", 0), ("Ana", 7)]
    assert at.game == 2


def test_a_new_match_begins_from_zero():
    at = finished().start("Ana", "Ben", new_match=True)
    assert ([player.score for player in at.players], at.game, at.match.games) == ([0, 0], 1, ())


def test_2_3_and_9_reminders():
    evening = Evening("Ana", "Ben", by=rules("rummy-mini-es", last_tile_call=True), hands=(15, 4))
    assert evening.at.reminders == (Reminder.SWAP_DUPLICATES,)
    evening.draw()
    assert evening.lay(OPENING).reminders == (Reminder.LAST_TILE_CALL,)
    evening.draw()
    evening.lay(f"{OPENING} R13")
    assert evening.at.reminders == (Reminder.WINNING_CALL,)


def test_without_a_game_nothing_is_decided():
    for decision, *args in [
        (decisions.set_hand, "Ana", 3),
        (decisions.pause, PauseReason.PERSON),
        (decisions.end_game,),
    ]:
        with pytest.raises(GameError, match="no game is under way"):
            decision(Evening().game, *args, now=1)
    with pytest.raises(GameError, match="'Ana' does not play: there is nobody"):
        decisions.set_score(Evening().game, "Ana", 3, now=1)


def test_a_hand_is_counted_and_the_pool_with_it():
    evening = Evening("Ana", "Ben")
    at = evening.do(decisions.set_hand, "Ben", 12)
    assert (hands(at), at.pool) == ((14, 12), 80)
    events = len(evening.events)
    evening.do(decisions.set_hand, "Ben", 12)
    assert len(evening.events) == events


def test_a_turn_that_a_wrong_count_made_impossible_is_judged_again():
    evening = Evening("Ana", "Ben", hands=(2, 14))
    seen = Table.parse("R10 R11 R12")
    evening.take((decide(evening.at, seen, Call(1000, evening.time), evening.time),))
    assert evening.at.undecided.verdict.ruling is Ruling.IMPOSSIBLE
    at = evening.do(decisions.set_hand, "Ana", 14)
    assert (at.undecided, at.turns[0].ruling) == (None, Ruling.LEGAL)


@pytest.mark.parametrize(
    ("name", "count", "message"),
    [("Ben", -1, "cannot hold -1"), ("Cleo", 3, "'Cleo' does not play: there is 'Ana', 'Ben'")],
)
def test_a_hand_that_cannot_be(name: str, count: int, message: str):
    with pytest.raises(GameError, match=message):
        Evening("Ana", "Ben").do(decisions.set_hand, name, count)


def test_a_score_is_set_also_of_who_has_left():
    evening = Evening("Ana", "Ben", "Cleo")
    evening.do(decisions.leave, "Cleo")
    at = evening.do(decisions.set_score, "Cleo", 12)
    assert at.players[2].score == 12
    events = len(evening.events)
    evening.do(decisions.set_score, "Cleo", 12)
    assert len(evening.events) == events


def test_a_player_is_renamed():
    evening = Evening("Ana", "Ben")
    assert evening.do(decisions.rename, "Ana", " Anna ").players[0].name == "Anna"
    assert evening.do(decisions.rename, "Anna", "Anna").players[0].name == "Anna"
    for name in ("Ben", "  "):
        with pytest.raises(GameError, match="a name of their own"):
            evening.do(decisions.rename, "Anna", name)


def test_rules_that_hold_already_change_nothing():
    evening = Evening("Ana", "Ben")
    evening.do(decisions.set_rules, rules())
    assert len(evening.events) == 1


def test_a_player_who_leaves_is_passed_over_and_the_tiles_go_to_the_pool():
    evening = Evening("Ana", "Ben", "Cleo")
    evening.draw()
    at = evening.do(decisions.leave, "Ben")
    assert (at.player.name, at.turn, at.pool, hands(at)) == ("Cleo", 2, 77, (15, 0, 14))
    assert evening.draw().player.name == "Ana"
    assert evening.draw().player.name == "Cleo"
    with pytest.raises(GameError, match="'Ben' does not play"):
        evening.do(decisions.leave, "Ben")


def test_a_player_who_leaves_out_of_turn():
    at = Evening("Ana", "Ben", "Cleo").do(decisions.leave, "Cleo")
    assert (at.player.name, at.phase, at.pool) == ("Ana", Phase.PLAY, 78)


def test_who_leaves_while_the_table_is_put_back_does_not_stop_it():
    evening = Evening("Ana", "Ben", "Cleo")
    evening.lay("R1 R2")
    assert evening.do(decisions.leave, "Ana").phase is Phase.RESTORE
    assert evening.do(appeals.restored).player.name == "Ben"


def test_a_game_of_one_is_over():
    evening = Evening("Ana", "Ben")
    assert evening.do(decisions.leave, "Ben").phase is Phase.ENDED


def test_after_the_game_a_player_leaves_the_match():
    evening = finished()
    at = evening.do(decisions.leave, "Ben")
    assert (at.phase, at.next_names, at.players[1].score) == (Phase.ENDED, ("Ana",), -7)


def test_9_3_tiles_that_come_back_to_the_pool_break_the_row_of_passes():
    evening = Evening("Ana", "Ben", "Cleo", hands=(36, 35, 35))
    evening.draw()
    assert evening.at.passes == 1
    assert evening.do(decisions.leave, "Cleo").passes == 0


def test_somebody_joins_with_the_next_game():
    evening = Evening("Ana", "Ben")
    assert evening.do(decisions.join, "Cleo").next_names == ("Ana", "Ben", "Cleo")
    for name in ("Cleo", "Ana", ""):
        with pytest.raises(GameError, match="a name of their own"):
            evening.do(decisions.join, name)
    assert evening.start("Ana", "Ben", "Cleo", abandon=True).joining == ()


def test_another_player_s_turn_is_chosen():
    evening = Evening("Ana", "Ben", "Cleo")
    at = evening.do(decisions.choose_turn, "Cleo")
    assert (at.player.name, at.turn, at.clock.since_ms) == ("Cleo", 1, evening.time)
    evening.do(decisions.choose_turn, "Cleo")
    assert len(evening.events) == 2
    evening.lay("R1 R2")
    with pytest.raises(GameError, match="while a turn is played"):
        evening.do(decisions.choose_turn, "Ana")


def test_a_turn_chosen_is_chosen_no_more_where_the_game_had_ended_before():
    evening = Evening("Ana", "Ben", hands=(4, 14))
    evening.lay(OPENING)
    evening.do(decisions.choose_turn, "Ana")
    at = evening.do(appeals.correct, 1, Table.parse("R10 R11 R12 R13"), Sight())
    assert (at.phase, at.out) == (Phase.ENDED, 0)


def test_a_turn_chosen_after_a_fault_that_was_no_fault_then():
    evening = Evening("Ana", "Ben", "Cleo")
    evening.lay(OPENING)
    evening.do(decisions.choose_turn, "Cleo")
    evening.draw()
    at = evening.do(appeals.correct, 1, Table.parse("R1 R2"), Sight())
    assert rulings(at) == ("illegal", "draw")
    assert [turn.seat for turn in at.turns] == [0, 2]


@pytest.mark.parametrize(
    ("table", "tile", "after"),
    [
        ("R10 R11 R12 R13", "R13", "R10 R11 R12"),
        ("R10 R11 R12 / R9 R10 R11 R12", "R12", "R10 R11 R12 / R9 R10 R11"),
        ("R10 R11 R12", "K1", "R10 R11 R12"),
    ],
    ids=["from its meld", "from the meld that bears it", "not on the table"],
)
def test_a_tile_is_missing_play_without(table: str, tile: str, after: str):
    evening = Evening("Ana", "Ben", table=table, opened=True)
    at = evening.do(decisions.play_without, Tile.parse(tile), None)
    assert (str(at.table), at.lost) == (after, (Tile.parse(tile),))
    assert all_tiles(at) == 106
    lost = at.pool
    assert evening.do(decisions.found, Tile.parse(tile)).pool == lost + 1
    assert evening.at.lost == ()


def test_a_missing_tile_that_leaves_no_meld_asks_how_the_table_is_to_lie():
    evening = Evening("Ana", "Ben", table=OPENING, opened=True)
    with pytest.raises(GameError, match="no meld is left where R12 lay"):
        evening.do(decisions.play_without, R12, None)
    at = evening.do(decisions.play_without, R12, Table())
    assert (str(at.table), at.pool, all_tiles(at)) == ("-", 77, 106)


@pytest.mark.parametrize(
    ("table", "message"), [("R10 R11 R12", "still has R12"), ("R10 R11 K1", "has tiles that did not lie there")]
)
def test_a_table_without_the_tile_has_no_other_tiles(table: str, message: str):
    with pytest.raises(GameError, match=message):
        Evening("Ana", "Ben", table=OPENING).do(decisions.play_without, R12, Table.parse(table))


def test_what_is_not_missing_is_not_found():
    with pytest.raises(GameError, match="K1 is not missing"):
        Evening("Ana", "Ben").do(decisions.found, K1)


def test_a_tile_is_left_out_only_while_a_turn_is_played():
    evening = Evening("Ana", "Ben")
    evening.lay("R1 R2")
    with pytest.raises(GameError, match="while a turn is played"):
        evening.do(decisions.play_without, K1, None)


def test_a_tile_left_out_answers_the_question_where_it_is():
    evening = Evening("Ana", "Ben", table="R10 R11 R12 R13", opened=True)
    evening.lay("R10 R10 R10 / R11 R12 R13")
    assert evening.at.phase is Phase.VERDICT
    at = evening.do(decisions.play_without, Tile.parse("R13"), None)
    assert (at.phase, at.lost) == (Phase.VERDICT, (Tile.parse("R13"),))
    assert at.undecided.verdict.played == (Tile.parse("R10"), Tile.parse("R10"), Tile.parse("R13"))


def test_the_clock_is_paused_and_runs_on():
    evening = Evening("Ana", "Ben")
    at = evening.do(decisions.pause, PauseReason.CAMERA)
    assert (at.clock.pause, at.clock.running) == (PauseReason.CAMERA, False)
    assert evening.do(decisions.resume).clock.running
    evening.do(decisions.resume)
    assert len(evening.events) == 3


def test_a_persons_pause_outlasts_the_cameras():
    evening = Evening("Ana", "Ben")
    evening.do(decisions.pause, PauseReason.CAMERA)
    assert evening.do(decisions.pause, PauseReason.PERSON).clock.pause is PauseReason.PERSON
    assert evening.do(decisions.pause, PauseReason.CAMERA).clock.pause is PauseReason.PERSON


def test_a_clock_that_waits_for_the_first_move_can_be_paused():
    evening = Evening("Ana", "Ben", by=rules("mini-rummy"))
    assert evening.do(decisions.pause, PauseReason.PERSON).clock.pause is PauseReason.PERSON


def test_the_clock_runs_only_in_a_turn():
    evening = Evening("Ana", "Ben")
    evening.lay("R1 R2")
    with pytest.raises(GameError, match="only while a turn is played"):
        evening.do(decisions.resume)


def test_time_is_added():
    evening = Evening("Ana", "Ben")
    assert evening.do(decisions.add_time, 30).clock.limit_ms == 150_000
    evening.do(decisions.add_time, 0)
    assert len(evening.events) == 2
    with pytest.raises(GameError, match="no time limit"):
        Evening("Ana", "Ben", by=rules(turn_seconds=None)).do(decisions.add_time, 30)


def test_nothing_to_undo_or_redo():
    evening = Evening("Ana", "Ben")
    with pytest.raises(GameError, match="nothing to undo"):
        evening.do(decisions.undo, None)
    with pytest.raises(GameError, match="nothing to redo"):
        evening.do(decisions.redo)
    evening.draw()
    with pytest.raises(GameError, match="turn 2 has not been played"):
        evening.do(decisions.undo, 2)


def test_a_game_is_ended_before_its_time():
    at = Evening("Ana", "Ben").do(decisions.end_game)
    assert (at.phase, at.out, at.result) == (Phase.ENDED, None, None)
