import pytest
from plain_judge import Dice, plain_verdict

from referee.judge import judge_turn
from referee.verdict import Ruling, Verdict

OF_JOKERS = ("joker_moved", "joker_swap_not_from_hand", "joker_meld_broken", "joker_reuse")


def without_jokers(verdict: Verdict) -> tuple[str, ...]:
    """Give the codes of the faults in order, but those of section 6 and the time-out."""
    return tuple(fault.code.value for fault in verdict.faults if fault.code not in (*OF_JOKERS, "time_out"))


def some_turns(seed):
    dice = Dice(seed)
    for _ in range(60):
        rules = dice.rules()
        before, after = dice.turn(rules)
        if (after.tiles - before.tiles).total() <= 8:
            yield before, after, rules, dice.situation()


@pytest.mark.parametrize("seed", range(5))
def test_the_judge_agrees_with_a_second_one_on_sections_1_to_5(seed):
    compared = 0
    for turn in some_turns(seed):
        verdict, plain = judge_turn(*turn), plain_verdict(*turn)
        assert (verdict.ruling is Ruling.IMPOSSIBLE) == plain.impossible, turn
        assert (without_jokers(verdict), verdict.points) == (plain.codes, plain.points), turn
        compared += 1
    assert compared > 40


@pytest.mark.parametrize("seed", range(5, 8))
def test_what_follows_from_the_faults(seed):
    for before, after, rules, situation in some_turns(seed):
        verdict = judge_turn(before, after, rules, situation)
        codes = [fault.code.value for fault in verdict.faults]
        faulty = verdict.ruling is Ruling.ILLEGAL
        assert faulty == bool(codes)
        assert ("time_out" in codes[-1:]) == (faulty and situation.timed_out)
        assert verdict.opens == (verdict.ruling is Ruling.LEGAL and not situation.opened)
        assert verdict.consequence.restore == faulty
        drawn = (rules.timeout_draw if situation.timed_out else rules.fault_draw) if faulty else 0
        assert verdict.consequence.draw == (1 if verdict.ruling is Ruling.DRAW else drawn)
        if any(code in OF_JOKERS for code in codes):
            assert not any(fault.meld or fault.code == "tile_taken_back" for fault in verdict.faults)
