import json
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

import cv2
import numpy as np
import pytest

from models.simulate.__main__ import main
from models.simulate.errors import PlanError
from models.simulate.floor import plots
from models.simulate.game import Moment, Plan, SimulatedGame, TurnTruth
from models.simulate.rows import in_order, reads_as_melds
from models.simulate.sins import plant
from referee.judge import Situation, judge_turn
from referee.melds import is_meld
from referee.position import Player, Position
from referee.rules import PRESETS, preset
from referee.table import Table
from referee.tiles import format_tiles, full_set, parse_tiles
from referee.verdict import FaultCode, Ruling

SMALL = (640, 480)
SOME_SEEDS = (4, 9)


def play(plan: Plan) -> tuple[SimulatedGame, list[Moment]]:
    game, moments = SimulatedGame(plan), []
    for moment in game.moments():
        moments.append(moment)
        if moment.waits and not moment.hands:
            game.go_on()
    return game, moments


@cache
def played(seed: int) -> tuple[Moment, ...]:
    return tuple(play(Plan(seed=seed, size=SMALL))[1])


def turns_of(seed: int) -> tuple[TurnTruth, ...]:
    return tuple(moment.turn for moment in played(seed) if moment.turn)


def first(plan: Plan, wanted) -> Moment:
    game = SimulatedGame(plan)
    for moment in game.moments():
        if wanted(moment):
            return moment
        if moment.waits:
            game.go_on()
    pytest.fail("no such moment")


def test_the_same_seed_gives_the_same_game():
    games = [play(Plan(seed=6, turns=5, size=SMALL))[1] for _ in range(2)]
    told = [
        [(m.at_ms, m.hands, m.bumped, m.lit, m.done_by, m.turn, m.waits, m.corners()) for m in moments]
        for moments in games
    ]
    assert told[0] == told[1]


def test_the_same_seed_gives_the_same_pictures_also_when_some_are_left_undrawn():
    games = [play(Plan(seed=6, turns=3, size=SMALL))[1] for _ in range(2)]
    few = {moment.at_ms: moment.frame() for moment in games[0][::40]}
    for moment in games[1][::8]:
        picture = moment.frame()
        assert np.array_equal(picture, few.get(moment.at_ms, picture))


def test_other_seeds_give_other_games():
    assert turns_of(4) != turns_of(9)


@pytest.mark.parametrize("seed", SOME_SEEDS)
def test_hands_table_and_pool_are_the_set_at_every_turn(seed):
    game = SimulatedGame(Plan(seed=seed, size=SMALL, turns=12))
    whole = full_set(game.rules.copies, game.rules.jokers)
    for moment in game.moments():
        if moment.turn:
            tiles = moment.turn.before.tiles + Counter(tile for name in game.players for tile in game.hand(name))
            assert tiles <= whole
            assert tiles.total() + game.pool == whole.total()
            assert moment.turn.after.tiles - moment.turn.before.tiles <= Counter(game.hand(moment.turn.player))
        if moment.waits:
            game.go_on()
    assert [len(game.hand(player.name)) for player in game.position.players] == [
        player.hand for player in game.position.players
    ]
    assert game.position.pool == game.pool


@pytest.mark.parametrize("seed", SOME_SEEDS)
def test_only_planted_turns_are_illegal_and_have_the_fault(seed):
    for turn in turns_of(seed):
        assert (turn.ruling is Ruling.ILLEGAL) == (turn.planted is not None)
        assert turn.planted is None or turn.planted in turn.codes


def test_without_faults_and_timeouts_every_turn_is_legal_by_the_judge():
    game, moments = play(Plan(seed=13, turns=12, size=SMALL, faults=False, timeouts=False))
    opened = set()
    turns = [moment.turn for moment in moments if moment.turn]
    assert len(turns) == 12
    for turn in turns:
        verdict = judge_turn(turn.before, turn.after, game.rules, Situation(opened=turn.player in opened))
        assert verdict.ruling is turn.ruling in (Ruling.LEGAL, Ruling.DRAW)
        opened |= {turn.player} if verdict.ruling is Ruling.LEGAL else set()


def test_every_turn_begins_with_the_table_that_the_last_one_left():
    turns = turns_of(4)
    for last, turn in pairwise(turns):
        left = last.before if last.ruling is Ruling.ILLEGAL else last.after
        assert Counter(turn.before.rows) == Counter(left.rows)


def test_an_illegal_table_is_put_back_before_the_next_turn():
    moments = played(4)
    wrong = next(i for i, m in enumerate(moments) if m.turn and m.turn.ruling is Ruling.ILLEGAL and m.turn.before.rows)
    back = next(m for m in moments[wrong + 1 :] if m.waits and not m.hands)
    assert Counter(tile for tile, _ in back.corners()) == moments[wrong].turn.before.tiles


PLANTED = [
    # code, preset, opened, table, rack
    ("loose_tile", "rrrummy", True, "R3 R4 R5", "K9 O2"),
    ("meld_too_short", "rrrummy", True, "R3 R4 R5", "K9 K10 O2"),
    ("group_too_long", "rrrummy", True, "K7 R7 B7 O7", "K7 O2"),
    ("group_repeats_colour", "rrrummy", True, "K7 R7 B7", "K7 O2"),
    ("run_repeats_number", "rrrummy", True, "R3 R4 R5", "R4 O2"),
    ("run_wraps", "rrrummy", True, "R11 R12 R13", "R1 O2"),
    ("run_has_gap", "rrrummy", True, "R3 R4 R5", "R7 O2"),
    ("not_a_meld", "rrrummy", True, "-", "R7 R8 K9"),
    ("too_many_jokers", "rrrummy naturals_outnumber=yes", True, "R3 J R5", "J O2"),
    ("tile_taken_back", "rrrummy", True, "R3 R4 R5 R6", "K9 O2"),
    ("opening_too_low", "rrrummy", False, "-", "R3 R4 R5 K9"),
    ("opening_touches_table", "rrrummy", False, "R3 R4 R5", "R6 K9"),
    ("joker_moved", "dutch-rummy", True, "R3 R4 R5 J", "K9 O2"),
    ("joker_swap_not_from_hand", "dutch-rummy", True, "R3 J R5 / R4 B4 K4 O4", "K9 K10 O2"),
    ("joker_meld_broken", "rrrummy", True, "R3 R4 J R6 R7 / K7 B7 O7", "K9"),
    ("joker_reuse", "tiles-50", True, "R3 J R5 / K7 B7 O7", "R4 K9"),
    ("time_out", "rrrummy", True, "R3 R4 R5", "K9 O2"),
]


@pytest.mark.parametrize(("code", "rules", "opened", "table", "rack"), PLANTED, ids=[case[0] for case in PLANTED])
def test_every_fault_can_be_planted(code, rules, opened, table, rack):
    name, _, option = rules.partition(" ")
    chosen = preset(name).with_options(dict([option.split("=")]) if option else {})
    hand = parse_tiles(rack)
    at = Position(chosen, players=(Player("Ana", len(hand), opened=opened),), table=Table.parse(table))
    after = plant(FaultCode(code), at, hand, Plan(seed=1).dice("test"))
    assert after is not None
    situation = Situation(opened=opened, hand=len(hand), timed_out=code == "time_out")
    assert code in judge_turn(at.table, after, chosen, situation).codes


def test_the_list_of_faults_above_is_whole():
    assert {case[0] for case in PLANTED} == {code.value for code in FaultCode}


def test_a_row_that_is_read_as_valid_melds_is_no_fault_that_is_planted():
    """RULEBOOK 3.8: R6 R7 R8 R8 R9 R10 in one line is read as two runs."""
    assert reads_as_melds(parse_tiles("R6 R7 R8 R8 R9 R10"))
    assert not reads_as_melds(parse_tiles("R6 R7 R8 R8 R9"))
    players = (Player("Ana", 3, opened=True),)
    at = Position(preset("rrrummy"), players=players, table=Table.parse("R6 R7 R8 / K1 K2 K3"))
    for seed in range(20):
        after = plant(FaultCode.RUN_REPEATS_NUMBER, at, parse_tiles("R8 R9 R10"), Plan(seed).dice("test"))
        assert after is not None
        assert not any(reads_as_melds(row) and not is_meld(row) for row in after.rows)


def test_a_fault_that_the_hand_does_not_allow_is_not_planted():
    at = Position(preset("rrrummy"), players=(Player("Ana", 1, opened=True),), table=Table.parse("R3 R4 R5"))
    assert plant(FaultCode.GROUP_TOO_LONG, at, parse_tiles("K9"), Plan(seed=1).dice("test")) is None


def test_the_seeds_go_through_all_presets_and_the_custom():
    rules = [Plan(seed=seed).chosen_rules() for seed in range(1, 37)]
    assert {each.preset for each in rules} == set(PRESETS)
    assert {each.naturals_outnumber for each in rules} == {False, True}


def test_a_time_out_comes_when_the_clock_is_up():
    turns = [turn for seed in SOME_SEEDS for turn in turns_of(seed) if turn.timed_out]
    assert turns
    for turn in turns:
        assert turn.said_done_ms is None
        assert turn.used_ms % 20_000 < 200  # pictures come ten times a second


def test_done_is_said_by_whose_turn_it_is():
    calls = [moment for moment in played(4) if moment.turn]
    assert [call.done_by for call in calls] == [None if c.turn.timed_out else c.turn.player for c in calls]
    assert [call.turn.n for call in calls] == list(range(1, 21))


@pytest.mark.parametrize("seed", SOME_SEEDS)
def test_the_truth_says_when_the_last_hand_left_the_picture(seed):
    moments = played(seed)
    for call in (moment for moment in moments if moment.turn and not moment.hands):
        since = [m for m in moments if call.turn.began_ms <= m.at_ms <= call.at_ms]
        hands = [m.at_ms for m in since if m.hands and m.at_ms > call.turn.began_ms + 1500]
        assert not hands or call.turn.last_hand_ms == hands[-1] + 100


def test_players_wait_until_they_may_go_on():
    moments = SimulatedGame(Plan(seed=4, size=SMALL)).moments()
    call = next(moment for moment in moments if moment.turn)
    later = list(islice(moments, 80))
    assert all(moment.waits and moment.turn is None for moment in later)
    assert later[-1].at_ms == call.at_ms + 8000


@pytest.mark.parametrize(
    ("wishes", "why"), [({"turns": 0}, "a turn"), ({"players": 6}, "players"), ({"size": (80, 60)}, "pixels")]
)
def test_a_plan_that_cannot_be_is_refused(wishes, why):
    with pytest.raises(PlanError, match=why):
        Plan(**wishes)


# Rows and their places.

GROWING = [
    ("R3 R4 R5", "R3 R4 R5", (0, 0)),
    ("R3 R4 R5", "R3 R4 R5 R6", (0, 0)),
    ("R3 R4 R5", "R2 R3 R4 R5", (0, -1)),
    ("R3 J R5", "R3 R4 R5", (0, 0)),
    ("R3 R4 R5 R6", "R4 R5 R6", (0, 1)),
    ("R3 R4 R5", "K4 B4 R4", None),
]


@pytest.mark.parametrize(("before", "after", "goes_on"), GROWING)
def test_a_row_goes_on_from_the_one_that_it_grew_out_of(before, after, goes_on):
    (plot,) = plots(Table.parse(before).rows, Table.parse(after).rows)
    assert ((plot.source, plot.offset) if plot.source is not None else None) == goes_on


@pytest.mark.parametrize(
    ("tiles", "row"), [("R1 R13 R12", "R12 R13 R1"), ("R5 J R3", "R3 J R5"), ("O7 K7 J", "K7 O7 J")]
)
def test_tiles_are_laid_in_the_order_of_a_player(tiles, row):
    assert format_tiles(in_order(parse_tiles(tiles))) == row


@pytest.mark.parametrize("seed", SOME_SEEDS)
def test_tiles_that_nobody_touched_lie_exactly_where_they_lay(seed):
    for one, other in pairwise(moment for moment in played(seed) if not moment.hands and not moment.bumped):
        if other.at_ms - one.at_ms == 100 and one.restful:
            assert one.corners() == other.corners()


@pytest.mark.parametrize("seed", SOME_SEEDS)
def test_no_two_tiles_lie_on_each_other(seed):
    for moment in (m for m in played(seed) if m.turn and not m.hands):
        quads = [np.array(quad, np.float32) for _, quad in moment.corners()]
        inner = [quad.mean(0) + 0.86 * (quad - quad.mean(0)) for quad in quads]
        for i, one in enumerate(inner):
            assert not any(cv2.intersectConvexConvex(one, other)[0] > 1 for other in inner[:i])
        assert all((quad >= 0).all() and (quad < SMALL).all() for quad in quads)


# Pictures.


@cache
def laid_moment() -> Moment:
    wanted = first(Plan(seed=1, turns=10), lambda m: m.turn and not m.hands and m.turn.after.tiles.total() > 10)
    wanted.frame()
    return wanted


def test_corners_agree_with_what_is_drawn():
    """On its tiles a picture is as bright as tiles are, and beside them as dark as the table."""
    moment = laid_moment()
    grey = cv2.cvtColor(moment.frame(), cv2.COLOR_BGR2GRAY).astype(float)
    for _, quad in moment.corners():
        corners = np.array(quad)
        rim = [corners.mean(0) + share * (corners - corners.mean(0)) for share in (0.9, 1.25)]
        inside, outside = ([grey[round(y), round(x)] for x, y in points] for points in rim)
        assert np.median(inside) > np.median(outside) + 25


def test_a_picture_is_drawn_the_same_from_the_last_one_as_afresh():
    """The parts drawn anew fit into what was kept."""
    calls = [[m for m in play(Plan(seed=4, turns=8, size=SMALL))[1] if m.turn] for _ in range(2)]
    kept = [call.frame() for call in calls[0]][-1]
    assert np.array_equal(kept, calls[1][-1].frame())


def test_a_hand_covers_what_is_under_it():
    moments = play(Plan(seed=4, turns=3, size=SMALL, bumps=False, lights=False))[1]
    over = next(i for i in range(10, len(moments)) if all(m.hands for m in moments[i - 5 : i + 1]))
    before = next(moments[i] for i in reversed(range(over)) if not moments[i].hands)
    over = moments[over]
    changed = cv2.absdiff(before.frame(), over.frame()).max(axis=2) > 40
    assert changed.mean() > 0.01


def test_the_light_changes_the_picture_and_no_tile():
    moments = play(Plan(seed=6, turns=8, size=SMALL))[1]
    lit = next(i for i, moment in enumerate(moments) if moment.lit and not moment.hands)
    after = next(i for i in range(lit, len(moments)) if not moments[i].lit)
    assert moments[lit - 1].corners() == moments[after].corners()
    means = [moments[i].frame().mean() for i in (lit - 1, after)]
    assert abs(means[0] - means[1]) > 1


def bump_of(seed: int) -> tuple[Moment, Moment]:
    """Give the moments before and after the first bump of a game."""
    moments = play(Plan(seed=seed, turns=8, size=SMALL))[1]
    bump = next(i for i, m in enumerate(moments) if m.bumped and not m.hands and m.corners())
    return moments[bump - 1], next(moment for moment in moments[bump:] if not moment.bumped)


def test_a_bump_moves_all_tiles_in_the_picture():
    pairs = zip(*(moment.corners() for moment in bump_of(3)), strict=True)
    assert all(np.abs(np.array(a[1]) - np.array(b[1])).max() > 0.5 for a, b in pairs)


def test_a_bump_moves_the_table_as_it_moves_the_tiles():
    before, after = bump_of(3)
    corners = [np.array([quad for _, quad in moment.corners()]).reshape(-1, 2) for moment in (before, after)]
    moved = cv2.warpPerspective(before.frame(), cv2.findHomography(*corners)[0], SMALL)
    apart = [cv2.absdiff(each, after.frame())[40:-40, 40:-40].mean() for each in (before.frame(), moved)]
    assert apart[1] < 0.4 * apart[0]


# Before and after the game.


def test_the_first_player_draws_the_highest_tile_and_the_tiles_go_back():
    moments = play(Plan(seed=24, turns=1, size=SMALL, starting=True))[1]
    shown = next(moment for moment in moments if moment.shown)
    numbers = [row[0].number for _, row in shown.shown.tiles]
    assert numbers[0] > max(numbers[1:])
    assert moment_tiles(shown) == Counter(row[0] for _, row in shown.shown.tiles)
    first_turn = next(moment.turn for moment in moments if moment.turn)
    assert first_turn.before == Table()
    assert first_turn.began_ms > shown.at_ms


def test_racks_are_laid_out_when_a_game_is_over():
    plan = Plan(seed=24, players=2, rules=preset("mini-rummy"), turns=400, size=SMALL, faults=False, counting=True)
    game, moments = play(replace(plan, timeouts=False))
    racks = {moment.shown.tiles[0][0]: moment for moment in moments if moment.shown}
    assert {name: moment.shown.tiles[0][1] for name, moment in racks.items()} == {
        name: game.hand(name) for name in game.players if game.hand(name)
    }
    last = list(racks.values())[-1]
    assert moment_tiles(last) == game.position.table.tiles + Counter(t for n in game.players for t in game.hand(n))
    assert sum(game.scores.values()) == 0
    assert any(game.scores.values())


def moment_tiles(moment: Moment) -> Counter:
    return Counter(tile for tile, _ in moment.corners())


# The command.


def test_the_command_writes_a_picture_and_a_verdict_for_every_turn(tmp_path):
    folder = tmp_path / "game"
    assert main(["--seed", "2", "--turns", "3", "--size", "320x240", "--out", str(folder)]) == 0
    script = json.loads((folder / "script.json").read_text())
    assert [turn["verdict"] for turn in script["turns"]] == [
        str(m.turn.ruling) for m in play(Plan(seed=2, turns=3))[1] if m.turn
    ]
    assert sorted(path.name for path in folder.glob("*.jpg")) == [f"turn-00{n}.jpg" for n in (1, 2, 3)]


def test_the_command_writes_a_video_of_the_whole_game(tmp_path):
    file = tmp_path / "game.avi"
    assert main(["--seed", "2", "--turns", "1", "--size", "320x240", "--out", str(file)]) == 0
    script = json.loads(file.with_suffix(".json").read_text())
    video = cv2.VideoCapture(str(file))
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) / 10 > script["turns"][-1]["done_s"]


@pytest.mark.parametrize("order", [["--turns", "0"], ["--rules", "none-such"]])
def test_the_command_refuses_what_cannot_be(order, tmp_path, capsys):
    assert main([*order, "--out", str(tmp_path / "game")]) == 2
    assert capsys.readouterr().err


@pytest.mark.slow
def test_the_reader_reads_the_table_of_a_still_picture():
    from vision.reader import load_reader  # noqa: PLC0415 # loading the weights takes seconds

    moment = laid_moment()
    reading = load_reader().read(moment.frame())
    assert Counter(map(format_tiles, reading.table().rows)) == Counter(map(format_tiles, moment.turn.after.rows))
