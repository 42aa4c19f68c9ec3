from referee.asking import Finding, questions
from referee.plausible import Option, Variable
from referee.table import DoubtCode
from referee.verdict import Answer, Ruling


def doubt(index, *labels, chance=0.6):
    options = tuple(Option(label, chance if i == 0 else 1 - chance) for i, label in enumerate(labels))
    return Variable("after", index, labels[0], DoubtCode.TWO_READINGS, options)


def finding(ruling, *answers, probability=1.0):
    return Finding(dict(answers), ruling, probability)


def test_answers_come_with_their_ruling_the_most_probable_first():
    tile = doubt(4, "R6", "R9", "B1")
    six, nine, one = tile.options
    found = [
        finding(Ruling.LEGAL, (tile, six), probability=0.2),
        finding(Ruling.ILLEGAL, (tile, nine), probability=0.5),
        finding(Ruling.DRAW, (tile, one), probability=0.3),
    ]
    (question,) = questions(found)
    assert (question.side, question.index, question.tile, question.code) == ("after", 4, "R6", DoubtCode.TWO_READINGS)
    assert question.answers == (
        Answer("R9", Ruling.ILLEGAL),
        Answer("B1", Ruling.DRAW),
        Answer("R6", Ruling.LEGAL),
    )


def test_of_equally_probable_answers_those_surely_illegal_come_last():
    tile = doubt(0, "R6", "R9")
    six, nine = tile.options
    found = [
        finding(Ruling.ILLEGAL, (tile, six), probability=0.5),
        finding(Ruling.LEGAL, (tile, nine), probability=0.5),
    ]
    assert [answer.tile for answer in questions(found)[0].answers] == ["R9", "R6"]


def test_an_answer_after_which_more_must_be_asked_is_unsure():
    one, two = doubt(0, "R6", "R9"), doubt(1, "B6", "B9")
    found = [
        finding(Ruling.LEGAL if a == b else Ruling.ILLEGAL, (one, one.options[a]), (two, two.options[b]))
        for a in (0, 1)
        for b in (0, 1)
    ]
    assert [{answer.ruling for answer in question.answers} for question in questions(found)] == [{Ruling.UNSURE}] * 2


def test_a_doubt_that_is_not_answered_is_answered_by_its_first_option():
    tile = doubt(-1, "R6", "-")
    found = [finding(Ruling.LEGAL), finding(Ruling.ILLEGAL, (tile, tile.options[1]))]
    assert [answer.tile for answer in questions(found)[0].answers] == ["R6", "-"]


def test_the_smallest_set_of_doubts_decides():
    one, two, three = (doubt(i, "R6", "R9") for i in range(3))
    found = [
        finding(
            Ruling.LEGAL if b == 0 else Ruling.DRAW,
            *[(d, d.options[p]) for d, p in zip((one, two, three), (a, b, c), strict=True)],
        )
        for a in (0, 1)
        for b in (0, 1)
        for c in (0, 1)
    ]
    assert [question.index for question in questions(found)] == [1]


def test_of_very_many_doubts_the_idle_ones_are_left_out_one_by_one():
    doubts = [doubt(i, "R6", "R9", chance=0.5 + i / 100) for i in range(12)]
    deciding = doubts[::2]
    found = [finding(Ruling.LEGAL)]
    found += [finding(Ruling.ILLEGAL if one in deciding else Ruling.LEGAL, (one, one.options[1])) for one in doubts]
    assert [question.index for question in questions(found)] == [0, 2, 4, 6, 8, 10]


def test_where_nothing_tells_findings_apart_all_open_doubts_are_asked():
    one, two = doubt(0, "R6", "R9"), doubt(1, "B6", "B9")
    found = [
        finding(Ruling.LEGAL, (one, one.options[0]), (two, two.options[0])),
        finding(Ruling.ILLEGAL, (one, one.options[0]), (two, two.options[0])),
        finding(Ruling.LEGAL, (one, one.options[1]), (two, two.options[1])),
    ]
    assert [question.index for question in questions(found)] == [0, 1]
