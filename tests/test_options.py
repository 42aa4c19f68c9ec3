"""Every rule option alone makes a difference: one rule set, one value changed, another outcome."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from evening import Evening
from judged import said, verdict_on

from referee.match import GameRecord, Match, Result, who_starts
from referee.position import Position
from referee.rules import OPTIONS, RuleSet, preset
from referee.scoring import score_game
from referee.tiles import parse_tiles

Ask = Callable[[RuleSet], object]


class Difference(NamedTuple):
    """Under `usual` rules the option has two values, and what is asked two answers."""

    option: str
    values: tuple[object, object]
    ask: Ask
    answers: tuple[object, object]
    usual: RuleSet = preset("rrrummy")


def turn(before: str, after: str, **situation: object) -> Ask:
    """Ask for the ruling on a turn, or its faults."""
    return lambda rules: said(before, after, rules.preset, **rules.changes(), **situation)


def draws(*, timed_out: bool) -> Ask:
    """Ask how many tiles a loose tile on the table costs."""
    return lambda rules: verdict_on("-", "R3", rules.preset, **rules.changes(), timed_out=timed_out).consequence.draw


def starter(drawn: str) -> Ask:
    """Ask who starts after the players drew these tiles, or draws again."""
    return lambda rules: who_starts(parse_tiles(drawn), rules)


def game(play: Callable[[Evening], object], **setup: object) -> Ask:
    """Play a game of two, with 14 tiles each unless `hands` says otherwise, and look at where it then stands."""
    return lambda rules: play(Evening("Ana", "Ben", by=rules, **setup))


def reminders(at: Position) -> tuple[str, ...]:
    return tuple(reminder.value for reminder in at.reminders)


def scores(*racks: str, hand_rummy: bool = False) -> Ask:
    """Ask what a game is worth to each player."""
    named = [(f"P{seat}", parse_tiles(rack)) for seat, rack in enumerate(racks)]
    return lambda rules: tuple(each.points for each in score_game(named, rules, hand_rummy=hand_rummy).scores)


def match_is_over(number: int, score: int, minutes: int) -> Ask:
    """Ask whether a match is over after so many games, with that score, after that time."""
    nothing = Result((), (), (), ())

    def ask(rules: RuleSet) -> bool:
        record = GameRecord(number, rules, ("Ana", "Ben"), (score, -score), nothing, (), minutes * 60_000)
        return Match(0).with_game(record).over

    return ask


def last_tile_of_the_pool(evening: Evening) -> str:
    return evening.draw().phase.value


OWN_MELD = "R4 J R6 / K7 K8 K9", "R4 R5 R6 / K7 K8 K9 J"

DIFFERENCES = [
    Difference(
        "copies", (2, 3), turn("R7 K7 B7 / R7 O7 K7", "R7 K7 B7 / R7 O7 K7 / R7 R8 R9"), ("impossible", "legal")
    ),
    Difference("jokers", (2, 4), turn("J R4 R5 / J K4 K5", "J R4 R5 / J K4 K5 / J B4 B5"), ("impossible", "legal")),
    Difference("joker_at_start", ("again", "highest"), starter("R13 J K4"), ((None, (1,)), (1, ()))),
    Difference(
        "swap_duplicates",
        (False, True),
        game(lambda evening: reminders(evening.at)),
        ((), ("swap_duplicates",)),
    ),
    Difference("naturals_outnumber", (False, True), turn("-", "R3 J J"), ("legal", "too_many_jokers")),
    Difference("opening_points", (30, 50), turn("-", "R9 R10 R11", opened=False), ("legal", "opening_too_low")),
    Difference(
        "opening_joker_points", ("tile", "zero"), turn("-", "R9 J R11", opened=False), ("legal", "opening_too_low")
    ),
    Difference(
        "open_and_play_on",
        (False, True),
        turn("K1 K2 K3", "K1 K2 K3 K4 / R9 R10 R11", opened=False),
        ("opening_touches_table", "legal"),
    ),
    Difference(
        "joker_swap",
        ("hand", "any"),
        turn("R4 J R6 / R5 K5 B5 O5", "R4 R5 R6 / K5 B5 O5 / J K9 K10"),
        ("joker_swap_not_from_hand", "legal"),
    ),
    Difference(
        "joker_swap",
        ("hand", "-"),
        turn("K2 R2 B2 J", "K2 R2 B2 / K5 K6 J"),
        ("joker_moved", "legal"),
        preset("dutch-rummy"),
    ),
    Difference(
        "joker_meld_locked",
        (True, False),
        turn("R3 R4 J R6", "R4 J R6 / R3 K3 B3"),
        ("joker_meld_broken", "legal"),
    ),
    Difference("joker_reuse", ("anywhere", "new_meld_own"), turn(*OWN_MELD), ("legal", "joker_reuse")),
    Difference(
        "joker_reuse",
        ("new_meld_own", "new_meld_two_own"),
        turn("R4 J R6 / K7 K8 K9 K10", "R4 R5 R6 / K7 K8 K9 / B10 R10 K10 J"),
        ("joker_reuse", "legal"),
    ),
    Difference("turn_seconds", (60, 120), game(lambda evening: evening.at.clock.limit_ms), (60_000, 120_000)),
    Difference("timer_starts", ("turn", "first_move"), game(lambda evening: evening.at.clock.running), (True, False)),
    Difference("fault_draw", (3, 1), draws(timed_out=False), (3, 1)),
    Difference("timeout_draw", (3, 1), draws(timed_out=True), (3, 1)),
    Difference(
        "winning_call",
        (False, True),
        game(lambda evening: reminders(evening.lay("R9 R10 R11")), hands=(3, 14)),
        ((), ("winning_call",)),
    ),
    Difference(
        "last_tile_call",
        (False, True),
        game(lambda evening: reminders(evening.lay("R9 R10 R11")), hands=(4, 14)),
        ((), ("last_tile_call",)),
    ),
    Difference("empty_pool", ("ends", "play_on"), game(last_tile_of_the_pool, hands=(53, 52)), ("ended", "play")),
    Difference("joker_points", (30, 50), scores("", "R7 J"), ((37, -37), (57, -57))),
    Difference("hand_rummy_factor", (1, 2), scores("", "R7", hand_rummy=True), ((7, -7), (14, -14))),
    Difference("games", (3, None), match_is_over(3, score=100, minutes=90), (True, False)),
    Difference("minutes", (90, 91), match_is_over(3, score=100, minutes=90), (True, False)),
    Difference("target", (100, 101), match_is_over(3, score=100, minutes=90), (True, False)),
]


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda one: f"{one.option} {one.values[0]} or {one.values[1]}")
def test_the_option_alone_makes_the_difference(difference):
    rules = [difference.usual.with_options({difference.option: value}) for value in difference.values]
    assert tuple(map(difference.ask, rules)) == difference.answers
    assert difference.answers[0] != difference.answers[1]


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_has_its_difference(option):
    assert option in {difference.option for difference in DIFFERENCES}


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("joker_at_start", {"again", "highest"}),
        ("opening_joker_points", {"tile", "zero"}),
        ("joker_swap", {"-", "any", "hand"}),
        ("joker_reuse", {"anywhere", "new_meld_own", "new_meld_two_own"}),
        ("timer_starts", {"turn", "first_move"}),
        ("empty_pool", {"ends", "play_on"}),
    ],
)
def test_every_word_of_an_option_is_in_a_difference(option, words):
    used = {value for difference in DIFFERENCES if difference.option == option for value in difference.values}
    assert used == words == set(type(getattr(RuleSet(), option)))
