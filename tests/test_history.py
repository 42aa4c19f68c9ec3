import pytest
from evening import Evening

from referee.history import Change, carry, changes
from referee.table import Table
from referee.verdict import FaultCode, Ruling


@pytest.mark.parametrize(
    ("table", "was", "now", "carried"),
    [
        ("R3 R4 R9 / K1 K2 K3", "R3 R4 R9", "R3 R4 R5", "R3 R4 R5 / K1 K2 K3"),
        ("R3 R4 R9 R10", "R3 R4 R9", "R3 R4 R5", "None"),
        ("R3 R4 R9", "R3 R4 R9 / K1 K2 K3", "R3 R4 R5 / K1 K2", "None"),
        ("R3 R4 R9 / R3 R4 R9", "R3 R4 R9", "R3 R4 R5", "R3 R4 R5 / R3 R4 R9"),
        ("R3 R4 R9 / B1 B2 B3", "R3 R4 R9", "-", "B1 B2 B3"),
        ("R3 R4 R9", "R3 R4 R9", "R3 R4 R5 / J", "R3 R4 R5 / J"),
        ("R3 R4 R9", "K1 K2 K3", "K1 K2 K3", "R3 R4 R9"),
        ("R3 R4 R9", "-", "K1 K2 K3", "R3 R4 R9 / K1 K2 K3"),
    ],
    ids=["lies there", "has grown", "one is gone", "twice", "taken away", "one more", "no change", "new"],
)
def test_a_change_is_carried_to_another_table(table: str, was: str, now: str, carried: str):
    assert str(carry(Table.parse(table), Table.parse(was), Table.parse(now))) == carried


def test_changes_name_rulings_and_codes():
    one, other = Evening("Ana", "Ben"), Evening("Ana", "Ben")
    one.lay("R10 R11 R12")
    one.draw()
    other.lay("R10 R11")
    other.take(())
    short = (FaultCode.MELD_TOO_SHORT, FaultCode.OPENING_TOO_LOW)
    assert changes(one.at.turns, other.at.turns) == (
        Change(1, 0, Ruling.LEGAL, Ruling.ILLEGAL, (), short),
        Change(2, 1, Ruling.DRAW, None, (), ()),
    )
    assert changes(one.at.turns, one.at.turns) == ()


def test_a_turn_says_whether_it_was_overruled_and_the_whole_hand():
    evening = Evening("Ana", "Ben", hands=(3, 14))
    turn = evening.lay("R10 R11 R12").turns[0]
    assert not turn.overruled
    assert turn.whole_hand
    assert turn._replace(ruling=Ruling.ILLEGAL).overruled
    assert not turn._replace(ruling=Ruling.ILLEGAL).whole_hand
    assert not turn._replace(hand=4).whole_hand
    assert not turn._replace(opened=True).whole_hand
