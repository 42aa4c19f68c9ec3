import pytest

from referee.ending import RackCode, RackProblem
from referee.history import Change
from referee.table import DoubtCode
from referee.tiles import JOKER, Tile, parse_tiles
from referee.verdict import Answer, Consequence, Fault, FaultCode, Note, NoteCode, Question, Ruling, Verdict
from web.sentences import LANGUAGES, Sentences, sentences

ENGLISH = Sentences()
ROWS = [
    ("R7", FaultCode.LOOSE_TILE, "The red 7 lies alone. Every tile must lie in a meld."),
    ("R7 R8", FaultCode.MELD_TOO_SHORT, "Here lie only two tiles. A meld has at least three."),
    ("R7 K7 B7 O7 J", FaultCode.GROUP_TOO_LONG, "A group has three or four tiles. Here lie 5."),
    ("R4 J B4 R4", FaultCode.GROUP_REPEATS_COLOUR, "The red 4 is in this group twice. All its colours must differ."),
    ("K4 K5 K5", FaultCode.RUN_REPEATS_NUMBER, "The black 5 is in this run twice."),
    ("R12 R13 R1", FaultCode.RUN_WRAPS, "A run ends at 13. After 13 there is no 1."),
    ("R3 R4 R6", FaultCode.RUN_HAS_GAP, "In this run something is missing between 4 and 6."),
    ("R1 R4 R9", FaultCode.RUN_HAS_GAP, "The numbers of this run do not follow one another."),
    (
        "R3 B9 O1",
        FaultCode.NOT_A_MELD,
        "This is no group (one number, different colours) and no run (one colour, numbers in order).",
    ),
    ("J J R1", FaultCode.TOO_MANY_JOKERS, "A meld needs more numbered tiles than jokers."),
]


@pytest.mark.parametrize(("row", "code", "says"), ROWS, ids=[f"{code} {row}" for row, code, _ in ROWS])
def test_a_row_that_is_no_meld_is_explained(row, code, says):
    assert ENGLISH.fault(Fault(code, parse_tiles(row), parse_tiles(row))) == says


def test_an_opening_that_is_too_low_gives_both_numbers():
    said = ENGLISH.fault(Fault(FaultCode.OPENING_TOO_LOW, points=28, needed=30))
    assert said == "These add up to 28. Your first melds need 30."


def test_tiles_taken_back_are_named():
    said = ENGLISH.fault(Fault(FaultCode.TILE_TAKEN_BACK, tiles=parse_tiles("R7 B8 J")))
    assert said == "What lay on the table must stay there: red 7, blue 8 and joker."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", FaultCode)
def test_every_fault_has_a_sentence_in_every_language(language, code):
    row = parse_tiles("R3 R4 R4 R6")
    said = sentences(language).fault(Fault(code, row, row, 28, 30))
    assert not said[0].islower()
    assert not set("{}%") & set(said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", DoubtCode)
def test_every_doubt_is_a_question_in_every_language(language, code):
    assert "?" in sentences(language).doubt(code, "R6", ("R6", "R9")) or code is DoubtCode.ONE_MELD


VERDICTS = [
    (Verdict(Ruling.LEGAL, parse_tiles("R7")), "Right! Ana plays a tile.", "Right! You play a tile."),
    (Verdict(Ruling.LEGAL, parse_tiles("R7 R8")), "Right! Ana plays 2 tiles.", "Right! You play 2 tiles."),
    (
        Verdict(Ruling.LEGAL, points=31, opens=True),
        "Right! Ana opens with 31 points.",
        "Right! You open with 31 points.",
    ),
    (Verdict(Ruling.DRAW), "Ana plays nothing and draws.", "Nothing played: draw."),
    (Verdict(Ruling.ILLEGAL), "Ana's turn is not allowed.", "This turn is not allowed."),
]


@pytest.mark.parametrize(("verdict", "of_ana", "to_her"), VERDICTS, ids=["one", "two", "opens", "draw", "illegal"])
def test_a_verdict_is_said_of_a_player_and_to_a_player(verdict, of_ana, to_her):
    assert (ENGLISH.verdict(verdict, "Ana"), ENGLISH.verdict(verdict)) == (of_ana, to_her)


@pytest.mark.parametrize("ruling", Ruling)
def test_every_ruling_has_a_sentence_and_a_word(ruling):
    assert ENGLISH.verdict(Verdict(ruling), "Ana")
    assert ENGLISH.ruling(ruling)


@pytest.mark.parametrize("name", ["{0}", "%(name)s", "{name!r:>9}", "<b>"])
def test_a_name_that_looks_like_a_field_is_said_as_it_is(name):
    assert name in ENGLISH.verdict(Verdict(Ruling.ILLEGAL), name)


def test_what_a_turn_costs_is_said_only_where_it_costs_the_table():
    assert ENGLISH.consequence(Consequence(restore=False, draw=1)) == ""
    assert "takes 3 tiles" in ENGLISH.consequence(Consequence(restore=True, draw=3), "Ana")
    assert "takes a tile" in ENGLISH.consequence(Consequence(restore=True, draw=1), "Ana")


def test_two_readings_are_both_named():
    question = Question(
        "after", 1, "R1", DoubtCode.TWO_READINGS, (Answer("R1", Ruling.LEGAL), Answer("R7", Ruling.DRAW))
    )
    assert ENGLISH.question(question) == "red 1 or red 7?"


def test_a_note_gives_the_row_and_what_it_was_read_as():
    note = Note(
        NoteCode.READ_AS_MELDS, parse_tiles("R1 R2 R3 B1 B2 B3"), (parse_tiles("R1 R2 R3"), parse_tiles("B1 B2 B3"))
    )
    assert ENGLISH.note(note) == "The row R1 R2 R3 B1 B2 B3 was read as R1 R2 R3 / B1 B2 B3."


def test_changes_and_overrulings_are_said():
    assert (
        ENGLISH.change(Change(3, 0, Ruling.ILLEGAL, Ruling.LEGAL), "Ana")
        == "Turn 3 (Ana): was not allowed, is now allowed."
    )
    assert "no longer counts" in ENGLISH.change(Change(3, 0, Ruling.ILLEGAL, None), "Ana")
    assert ENGLISH.overruled(Ruling.LEGAL, "birthday") == "A person decided: allowed. birthday"


@pytest.mark.parametrize("code", RackCode)
def test_what_does_not_fit_about_racks_is_said(code):
    assert "red 7" in ENGLISH.rack_problem(RackProblem(code, "Ana", (Tile.parse("R7"),), 3)) or code is RackCode.COUNT


def test_tiles_are_named_in_words():
    assert [ENGLISH.tile(tile) for tile in (*parse_tiles("K1 R2 B3 O13"), JOKER)] == [
        "black 1",
        "red 2",
        "blue 3",
        "orange 13",
        "joker",
    ]
    assert [ENGLISH.tiles(parse_tiles(text)) for text in ("-", "R1", "R1 J")] == ["", "red 1", "red 1 and joker"]
