import pytest
from evening import Evening, reading, rulings

from referee import appeals
from referee.errors import GameError
from referee.events import DoubtAnswered, TurnCorrected, TurnEnded
from referee.judging import decide
from referee.position import Call, Phase
from referee.sight import Sight
from referee.table import Table, TableReading
from referee.verdict import Ruling

OPENING = "R10 R11 R12"
IMPOSSIBLE = "R10 R10 R10"


def see(evening: Evening, seen: TableReading) -> None:
    evening.time += 1000
    evening.take((decide(evening.at, seen, Call(1000, evening.time), evening.time),))


def asking(text: str = "R3 R4 R5 R6|R9") -> Evening:
    evening = Evening("Ana", "Ben", table="R3 R4 R5", opened=True)
    see(evening, reading(text))
    assert evening.at.phase is Phase.VERDICT
    return evening


@pytest.mark.parametrize(("answer", "ruling"), [("R6", "legal"), ("R9", "illegal")])
def test_an_answer_decides_the_turn(answer: str, ruling: str):
    evening = asking()
    at = evening.do(appeals.answer, 0, answer)
    assert rulings(at) == (ruling,)
    assert [type(event) for event in evening.events[-2:]] == [DoubtAnswered, TurnEnded]
    assert at.turns[0].used_ms == 1000


def test_an_answer_may_lead_to_the_next_question():
    evening = asking("R3 R4 R5 R6|R9 / K1 K2 K3|K8")
    first = evening.at.undecided.verdict.doubts
    assert len(first) == 2
    at = evening.do(appeals.answer, 0, first[0].answers[0].tile)
    assert at.phase in (Phase.VERDICT, Phase.PLAY, Phase.RESTORE)
    assert at.verdict.doubts != first


@pytest.mark.parametrize("doubt", [-1, 1])
def test_there_is_no_such_doubt(doubt: int):
    with pytest.raises(GameError, match=f"there is no doubt {doubt}: 1 are asked"):
        asking().do(appeals.answer, doubt, "R6")


def test_nothing_is_asked():
    with pytest.raises(GameError, match="no turn waits"):
        Evening("Ana", "Ben").do(appeals.answer, 0, "R6")
    with pytest.raises(GameError, match="no turn waits"):
        Evening("Ana", "Ben").do(appeals.look_again)


def test_a_table_given_by_hand_has_no_doubts():
    evening = Evening("Ana", "Ben")
    evening.lay(IMPOSSIBLE)
    with pytest.raises(GameError, match="there is no doubt 0"):
        evening.do(appeals.answer, 0, "R6")


def misread() -> Evening:
    """Ana laid R7 R8 R6, and R9 was read; now Ben plays, and it may be either."""
    evening = Evening("Ana", "Ben", "Cleo", opened=True, table="K1 K2 K3")
    evening.lay("K1 K2 K3 / R7 R8 R9")
    evening.draw()
    see(evening, reading("K1 K2 K3 / R7 R8 R9|R6 / B1 B2 B3", unseen=""))
    return evening


def test_an_answer_puts_right_the_turn_in_which_the_same_tile_was_misread():
    evening = misread()
    at = evening.do(appeals.answer, 0, "R6")
    assert str(at.turns[0].seen) == "K1 K2 K3 / R7 R8 R6"
    assert rulings(at) == ("legal", "draw", "legal")
    assert [type(event) for event in evening.events[-3:]] == [DoubtAnswered, TurnCorrected, TurnEnded]


def test_an_answer_that_agrees_with_the_past_corrects_nothing():
    evening = misread()
    at = evening.do(appeals.answer, 0, "R9")
    assert str(at.turns[0].seen) == "K1 K2 K3 / R7 R8 R9"
    assert rulings(at) == ("legal", "draw", "legal")


def test_a_row_that_lay_there_from_the_beginning_belongs_to_no_turn():
    evening = Evening("Ana", "Ben", opened=True, table="R7 R8 R9")
    see(evening, reading("R7 R8 R9|R6 / B1 B2 B3", unseen=""))
    assert rulings(evening.do(appeals.answer, 0, "R6")) == ("illegal",)


def test_overruled_an_open_question_is_decided():
    evening = asking()
    at = evening.do(appeals.overrule, 1, Ruling.LEGAL, " we saw it ")
    assert rulings(at) == ("legal",)
    assert (at.turns[0].reason, at.turns[0].verdict.ruling) == ("we saw it", Ruling.UNSURE)


@pytest.mark.parametrize("ruling", [Ruling.UNSURE, Ruling.IMPOSSIBLE])
def test_a_person_is_sure(ruling: Ruling):
    with pytest.raises(GameError, match="legal, a draw or illegal"):
        asking().do(appeals.overrule, 1, ruling, "")


def test_a_turn_without_tiles_is_not_legal():
    evening = Evening("Ana", "Ben")
    evening.draw()
    with pytest.raises(GameError, match="no tile was played"):
        evening.do(appeals.overrule, 1, Ruling.LEGAL, "")


def test_a_past_turn_that_is_overruled_leaves_the_open_question_open():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    see(evening, reading("R10 R11 R12 / K9 K10 K11|K12"))
    at = evening.do(appeals.overrule, 1, Ruling.DRAW, "")
    assert (at.phase, rulings(at)) == (Phase.VERDICT, ("draw",))
    assert at.undecided.seen == reading("R10 R11 R12 / K9 K10 K11|K12")


def test_a_ruling_that_stands_is_not_overruled():
    evening = Evening("Ana", "Ben")
    evening.draw()
    count = len(evening.events)
    evening.do(appeals.overrule, 1, Ruling.DRAW, "")
    assert len(evening.events) == count


def test_a_draw_with_tiles_played_puts_them_back():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    at = evening.do(appeals.overrule, 1, Ruling.DRAW, "")
    assert (str(at.table), at.players[0].hand, at.players[0].opened) == ("-", 15, False)


@pytest.mark.parametrize("turn", [0, 2, 9])
def test_a_turn_that_was_not_played(turn: int):
    evening = Evening("Ana", "Ben")
    evening.draw()
    with pytest.raises(GameError, match=f"turn {turn} has not been played"):
        evening.do(appeals.overrule, turn, Ruling.ILLEGAL, "")


def test_half_a_character_is_no_reason():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    with pytest.raises(GameError, match="is no text"):
        evening.do(appeals.overrule, 1, Ruling.ILLEGAL, "\ud800")


def test_a_table_entered_in_the_present_turn_waits_for_done():
    evening = Evening("Ana", "Ben")
    at = evening.do(appeals.correct, 1, Table.parse(OPENING), Sight().observe(reading("R10 R11 ?"), 1))
    assert (str(at.entered.table), at.entered.instead_of, at.phase) == (OPENING, "R10 R11 ?", Phase.PLAY)


def test_a_table_entered_for_an_open_question_decides_it():
    at = asking().do(appeals.correct, 1, Table.parse("R3 R4 R5 R6"), Sight())
    assert rulings(at) == ("legal",)


def test_a_correction_that_says_what_was_seen_changes_nothing():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    count = len(evening.events)
    evening.do(appeals.correct, 1, Table.parse(OPENING), Sight())
    assert len(evening.events) == count


def test_a_past_table_that_cannot_be_is_refused():
    evening = Evening("Ana", "Ben")
    evening.lay(OPENING)
    with pytest.raises(GameError, match="R10 R10 R10 cannot be"):
        evening.do(appeals.correct, 1, Table.parse(IMPOSSIBLE), Sight())


def test_an_earlier_correction_may_leave_no_turn_to_ask_about():
    evening = Evening("Ana", "Ben", hands=(4, 14))
    evening.lay(OPENING)
    evening.lay(f"{OPENING} / R10 R10")
    assert evening.at.phase is Phase.VERDICT
    at = evening.do(appeals.correct, 1, Table.parse("R10 R11 R12 R13"), Sight())
    assert (at.phase, at.undecided) == (Phase.ENDED, None)


def test_looked_again_the_turn_goes_on_with_the_time_that_was_left():
    evening = asking()
    at = evening.do(appeals.look_again)
    assert (at.phase, at.undecided) == (Phase.PLAY, None)
    assert at.clock.used(evening.time + 500) == 1500


def test_looked_again_after_a_time_out_the_clock_stands():
    evening = Evening("Ana", "Ben")
    evening.lay(IMPOSSIBLE, timed_out=True, used_ms=120_000)
    at = evening.do(appeals.look_again)
    assert not at.clock.running
    assert at.clock.left_ms(evening.time) == 0


def test_there_is_nothing_to_put_back():
    with pytest.raises(GameError, match="no table has to be put back"):
        Evening("Ana", "Ben").do(appeals.restored)
