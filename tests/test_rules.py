import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import RuleError
from referee.rules import (
    DEFAULT_PRESET,
    OPTIONS,
    PRESETS,
    EmptyPool,
    JokerAtStart,
    JokerReuse,
    JokerSwap,
    OpeningJokerPoints,
    RuleSet,
    TimerStarts,
    preset,
)

# section 12, as printed
TABLE = """
opening_points        30 30 30 30 50 30 30 30
opening_joker_points  tile zero tile tile tile tile tile tile
open_and_play_on      yes yes no no no no yes yes
joker_swap            hand - - hand hand hand hand -
joker_meld_locked     yes no no yes yes no no no
joker_reuse           anywhere anywhere anywhere anywhere new_meld_own anywhere new_meld_two_own anywhere
turn_seconds          120 none 120 120 120 120 120 60
timer_starts          first_move turn turn turn turn turn turn turn
fault_draw            1 1 3 3 3 3 3 3
timeout_draw          1 1 3 3 3 3 1 3
empty_pool            ends play_on play_on play_on play_on play_on play_on play_on
winning_call          no yes no no no no yes no
last_tile_call        no no no no no no no no
swap_duplicates       no yes no no no no no no
copies                2 2 2 2 2 2 2 2
jokers                2 2 2 2 2 2 2 2
joker_at_start        again again again again again again again again
joker_points          30 30 30 30 30 30 30 30
naturals_outnumber    no no no no no no no no
hand_rummy_factor     1 1 1 1 1 1 1 1
games                 none none none none none none none none
minutes               none none none none none none none none
target                none none none none none none none none
"""
COLUMNS = [
    "mini-rummy",
    "rummy-mini-es",
    "pup-rummy",
    "rrrummy",
    "tiles-50",
    "dutch-rummy",
    "classic-2009",
    "classic-2017",
]
PRINTED = [line.split() for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize("line", PRINTED, ids=lambda line: line[0])
def test_12_presets(line):
    option, *words = line
    assert [preset(name).words()[option] for name in COLUMNS] == words


def test_12_the_table_names_every_option_and_every_preset():
    assert {line[0] for line in PRINTED} == set(OPTIONS)
    assert set(PRESETS) == {*COLUMNS, "easy-rummy"}
    assert preset("easy-rummy").options() == preset("pup-rummy").options()


def test_12_the_default_is_rrrummy():
    assert RuleSet() == preset("rrrummy") == preset(DEFAULT_PRESET)


def test_12_a_changed_preset_says_so():
    rules = preset("tiles-50")
    assert rules.name == "tiles-50"
    assert rules.with_options({"fault_draw": 1}).name == "tiles-50 + 1 change"
    assert rules.with_options({"fault_draw": 1, "jokers": 4}).name == "tiles-50 + 2 changes"
    assert rules.with_options({"fault_draw": 3}).name == "tiles-50"


def test_options_are_json_values_in_the_order_of_the_rulebook():
    options = preset("rummy-mini-es").options()
    assert tuple(options) == OPTIONS
    assert options["turn_seconds"] is None
    assert options["joker_swap"] == "-"
    assert type(options["joker_swap"]) is str
    assert options["winning_call"] is True
    assert options["fault_draw"] == 1


@pytest.mark.parametrize(
    ("option", "value", "meant"),
    [
        ("copies", 3, 3),
        ("copies", " 3 ", 3),
        ("copies", 1, 1),
        ("copies", 4, 4),
        ("jokers", 0, 0),
        ("jokers", 8, 8),
        ("opening_points", "0", 0),
        ("opening_points", 500, 500),
        ("turn_seconds", None, None),
        ("turn_seconds", "none", None),
        ("turn_seconds", 20, 20),
        ("turn_seconds", "300", 300),
        ("fault_draw", 0, 0),
        ("fault_draw", 20, 20),
        ("timeout_draw", 0, 0),
        ("timeout_draw", 20, 20),
        ("joker_points", 0, 0),
        ("joker_points", 100, 100),
        ("hand_rummy_factor", 1, 1),
        ("hand_rummy_factor", 10, 10),
        ("games", 1, 1),
        ("games", 1000, 1000),
        ("games", None, None),
        ("minutes", 1, 1),
        ("minutes", 1440, 1440),
        ("minutes", None, None),
        ("target", 1, 1),
        ("target", 1_000_000, 1_000_000),
        ("target", "none", None),
        ("winning_call", "yes", True),
        ("winning_call", "No", False),
        ("winning_call", "true", True),
        ("winning_call", " false", False),
        ("winning_call", True, True),
        ("joker_swap", "any", JokerSwap.ANY),
        ("joker_reuse", "new_meld_own", JokerReuse.NEW_MELD_OWN),
        ("joker_at_start", "highest", JokerAtStart.HIGHEST),
        ("opening_joker_points", "zero", OpeningJokerPoints.ZERO),
        ("timer_starts", "first_move", TimerStarts.FIRST_MOVE),
        ("empty_pool", "ends", EmptyPool.ENDS),
    ],
)
def test_values_as_printed_and_as_json(option, value, meant):
    got = getattr(RuleSet().with_options({option: value}), option)
    assert got == meant
    assert type(got) is type(meant)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("copies", 0, "copies = 0: say a number 1 to 4"),
        ("copies", 5, "copies = 5: say a number 1 to 4"),
        ("copies", True, "copies = True: say a number 1 to 4"),
        ("copies", 2.0, "copies = 2.0: say a number 1 to 4"),
        ("copies", None, "copies = None: say a number 1 to 4"),
        ("copies", "²", "copies = '²': say a number 1 to 4"),
        ("jokers", -1, "jokers = -1: say a number 0 to 8"),
        ("jokers", "9", "jokers = '9': say a number 0 to 8"),
        ("opening_points", 501, "opening_points = 501: say a number 0 to 500"),
        ("turn_seconds", 19, "turn_seconds = 19: say a number 20 to 300 or none"),
        ("turn_seconds", 301, "turn_seconds = 301: say a number 20 to 300 or none"),
        ("turn_seconds", "soon", "turn_seconds = 'soon': say a number 20 to 300 or none"),
        ("fault_draw", 21, "fault_draw = 21: say a number 0 to 20"),
        ("timeout_draw", 21, "timeout_draw = 21: say a number 0 to 20"),
        ("joker_points", 101, "joker_points = 101: say a number 0 to 100"),
        ("hand_rummy_factor", 0, "hand_rummy_factor = 0: say a number 1 to 10"),
        ("hand_rummy_factor", 11, "hand_rummy_factor = 11: say a number 1 to 10"),
        ("games", 0, "games = 0: say a number 1 to 1000 or none"),
        ("games", 1001, "games = 1001: say a number 1 to 1000 or none"),
        ("minutes", 0, "minutes = 0: say a number 1 to 1440 or none"),
        ("minutes", 1441, "minutes = 1441: say a number 1 to 1440 or none"),
        ("target", 0, "target = 0: say a number 1 to 1000000 or none"),
        ("target", 1_000_001, "target = 1000001: say a number 1 to 1000000 or none"),
        ("winning_call", "perhaps", "winning_call = 'perhaps': say yes or no"),
        ("winning_call", 1, "winning_call = 1: say yes or no"),
        ("joker_swap", "never", "joker_swap = 'never': choose one of -, any, hand"),
        ("joker_reuse", None, "joker_reuse = None: choose one of anywhere, new_meld_own, new_meld_two_own"),
    ],
)
def test_values_that_cannot_be(option, value, message):
    with pytest.raises(RuleError, match=f"^{re.escape(message)}$"):
        RuleSet().with_options({option: value})


def test_an_option_that_is_none():
    with pytest.raises(RuleError, match="there is no rule option 'preset': choose one of copies, jokers, "):
        RuleSet().with_options({"preset": "tiles-50"})


def test_a_preset_that_is_none():
    with pytest.raises(RuleError, match="there is no preset 'poker': choose one of mini-rummy, "):
        preset("poker")


def test_6_7_a_locked_meld_asks_for_a_joker_swap():
    with pytest.raises(RuleError, match="joker_meld_locked = 'yes' asks for a joker_swap other than '-'"):
        RuleSet(joker_swap=JokerSwap.FREE)
    assert RuleSet(joker_swap=JokerSwap.FREE, joker_meld_locked=False).joker_swap is JokerSwap.FREE


_SOME = st.fixed_dictionaries(
    {},
    optional={
        "opening_points": st.integers(0, 500),
        "turn_seconds": st.none() | st.integers(20, 300),
        "joker_reuse": st.sampled_from(list(JokerReuse)),
        "winning_call": st.booleans(),
        "target": st.none() | st.integers(1, 1000),
    },
)


@settings(deadline=None)
@given(st.sampled_from(list(PRESETS)), _SOME)
def test_a_rules_file_reads_back_as_it_was_written(name, changes):
    rules = preset(name).with_options(changes)
    assert RuleSet.from_toml(rules.to_toml()) == rules
    assert preset(name).with_options(rules.options()) == rules
    assert preset(name).with_options(rules.words()) == rules


def test_a_rules_file_can_be_saved_and_loaded(tmp_path):
    rules = preset("classic-2009").with_options({"turn_seconds": "none", "winning_call": False, "copies": 3})
    rules.save(tmp_path / "house.toml")
    assert RuleSet.load(tmp_path / "house.toml") == rules
    assert (tmp_path / "house.toml").read_text(encoding="utf-8") == (
        'preset = "classic-2009"\n\n[options]\ncopies = 3\nturn_seconds = "none"\nwinning_call = false\n'
    )


def test_a_rules_file_without_a_preset_changes_the_default():
    assert RuleSet.from_toml("[options]\njokers = 4") == RuleSet(jokers=4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("preset =", "this is no rules file: "),
        ("jokers = 4", "a rules file has a preset and a table [options], not jokers"),
        ("options = 4", "a rules file has a preset and a table [options], not options = 4"),
        ('preset = "poker"', "there is no preset 'poker'"),
        ("[options]\njoker = 4", "there is no rule option 'joker'"),
    ],
)
def test_a_text_that_is_no_rules_file(text, message, tmp_path):
    with pytest.raises(RuleError, match=re.escape(message)):
        RuleSet.from_toml(text)
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleError, match="bad.toml: .*" + re.escape(message)):
        RuleSet.load(tmp_path / "bad.toml")


def test_a_rules_file_that_cannot_be_read(tmp_path):
    with pytest.raises(RuleError, match=r"the rules file '.*none.toml' cannot be read"):
        RuleSet.load(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    with pytest.raises(RuleError, match=r"the rules file '.*latin.toml' cannot be read"):
        RuleSet.load(tmp_path / "latin.toml")


def test_the_rulebook_has_the_paragraphs_of_the_sections():
    sections = {1: 3, 2: 3, 3: 9, 4: 7, 5: 5, 6: 7, 7: 4, 8: 3, 9: 3, 10: 5, 11: 1}
    numbers = [f"{section}.{n}" for section, count in sections.items() for n in range(1, count + 1)]
    assert [number for number, _ in preset("rrrummy").paragraphs()] == numbers


@pytest.mark.shared
def test_the_rulebook_has_the_paragraphs_of_the_rulebook(shared):
    source = (shared / "RULEBOOK.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^(\d+\.\d+) ", source, flags=re.MULTILINE)
    assert [number for number, _ in preset("rrrummy").paragraphs()] == numbers


@pytest.mark.parametrize("name", PRESETS)
def test_every_paragraph_says_something_under_every_preset(name):
    for _, text in preset(name).paragraphs():
        assert text.endswith((".", "!"))
        assert "{" not in text


@pytest.mark.parametrize(
    ("number", "changes", "says"),
    [
        ("5.1", {"opening_points": 50}, "worth at least 50 points together."),
        ("6.1", {}, "that very tile from your hand in its place."),
        ("6.1", {"joker_swap": "any"}, "from your hand or from another meld."),
        ("7.1", {"turn_seconds": None}, "There is no time limit."),
        ("7.1", {"turn_seconds": 90}, "You have 90 seconds for a turn."),
        ("8.1", {"fault_draw": 1}, "take your tiles back and draw 1 from the pool"),
        ("10.5", {"hand_rummy_factor": 2}, "counts 2 times."),
        ("11.1", {"games": 3}, "Games to play: 3."),
    ],
)
def test_paragraphs_read_as_the_options_say(number, changes, says):
    assert says in dict(preset("rrrummy").with_options(changes).paragraphs())[number]


@pytest.mark.parametrize("language", ["xx", "../en", ""])
def test_a_language_without_a_rulebook(language):
    with pytest.raises(RuleError, match="there is no rulebook in the language"):
        preset("rrrummy").paragraphs(language)
