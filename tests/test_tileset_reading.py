"""How tiles are read with a taught set: rows of a lesson, inks under one light, likeness."""

from dataclasses import replace

import numpy as np
import pytest

from vision.faces import Faces
from vision.ink_colours import InkColours
from vision.ink_names import hue_named, name_of
from vision.likeness import Prints, Prototypes, choose
from vision.lines import Line, find_lines
from vision.prints import GRID, correlations, templates_of
from vision.rising import rising
from vision.specimens import JOKER, NO_FACE, split

SURE = 0.9


def said(numbers):
    """Say numbers (0 the joker) as the networks would, the same both ways up but nothing when turned."""
    found = np.full((len(numbers), 2, 15), (1 - SURE) / 14)
    for place, number in enumerate(numbers):
        found[place, 0, JOKER if number == 0 else number - 1] = SURE
        found[place, 1] = 1 / 15
    return found


def line(count, gaps=None):
    return Line(tuple(range(count)), (False,) * count, tuple(gaps or (0.05,) * (count - 1)))


WHOLE = list(range(1, 14))
ROWS = [
    pytest.param(WHOLE, None, WHOLE, id="a whole row"),
    pytest.param([1, 2, 3, 4, 5, 9, 7, 8, 9, 10, 11, 12, 13], None, WHOLE, id="the place corrects a number"),
    pytest.param([1, 2, 3, 5, 6, 7], (0.05, 0.05, 1.1, 0.05, 0.05), [1, 2, 3, 5, 6, 7], id="a tile is missing"),
    pytest.param([*WHOLE, 0, 0], None, [*WHOLE, 0, 0], id="jokers at its end"),
    pytest.param(WHOLE[::-1], None, WHOLE[::-1], id="laid from 13 to 1"),
]


@pytest.mark.parametrize(("numbers", "gaps", "expected"), ROWS)
def test_a_line_is_read_as_a_rising_row(numbers, gaps, expected):
    reading = rising(line(len(numbers), gaps), said(numbers))
    found = dict(reading.numbered) | dict.fromkeys(reading.jokers, 0)
    assert [found[place] for place in range(len(numbers))] == expected


def test_a_line_of_anything_is_no_row():
    assert rising(line(6), said([7, 3, 12, 1, 9, 2])).numbered == ()


def test_a_line_seen_from_the_other_side_is_half_turned():
    numbers = said(WHOLE[::-1])[:, ::-1]
    reading = rising(line(13), numbers)
    assert [number for _, number in sorted(reading.numbered)] == WHOLE[::-1]
    assert all(reading.turned.values())


def square(x, y):
    return [[x, y], [x + 40, y], [x + 40, y + 56], [x, y + 56]]


def test_rows_in_one_line_with_a_wide_gap_are_one_line():
    quads = [square(42 * k + (150 if k > 4 else 0), 100) for k in range(9)] + [square(42 * k, 300) for k in range(5)]
    assert sorted(len(one.tiles) for one in find_lines(quads)) == [5, 9]


INKS = np.array([[0.88, 0.9, 0.9], [0.85, 0.88, 0.12], [0.15, 0.6, 0.9], [0.92, 0.45, 0.05]])
"""What black, red, blue and orange swallow of blue, green and red."""


def lit(swallowed, gain, added):
    """Put inks under a light that draws them to white and mirrors in them."""
    return 1 - np.sqrt(np.clip(gain * (1 - swallowed) ** 2 + added, 0, 1))


@pytest.mark.parametrize(("gain", "added"), [(1.0, 0.0), (0.7, 0.1), (0.8, np.array([0.12, 0.1, 0.07]))])
def test_inks_are_told_apart_under_another_light(gain, added):
    taught = np.repeat(INKS, 13, axis=0)
    inks = np.repeat(np.arange(4), 13)
    colours = InkColours.of(taught, inks, np.zeros(len(inks), int))
    table = np.repeat(INKS, [2, 7, 3, 1], axis=0)
    likely = colours.likelihoods(lit(table, gain, added))
    assert likely.argmax(1).tolist() == np.repeat(np.arange(4), [2, 7, 3, 1]).tolist()


def test_a_colour_that_is_no_ink_speaks_for_none():
    colours = InkColours.of(INKS, np.arange(4), np.zeros(4, int))
    likely = colours.likelihoods(np.vstack([INKS, [[0.1, 0.9, 0.1]]]))[-1]
    assert likely.max() / likely.min() < 20


@pytest.mark.parametrize(
    ("word", "name"),
    [("green", "green"), ("dark groen", "green"), ("Lila", "purple"), ("marrón", "brown"), ("shiny", None)],
)
def test_words_for_inks_in_the_languages_of_the_pages(word, name):
    hue = hue_named(word)
    assert (hue.name if hue else None) == name


def test_inks_are_named_by_their_looks():
    assert [name_of(ink) for ink in INKS] == ["black", "red", "blue", "orange"]


def blob(seed):
    rng = np.random.default_rng(seed)
    return rng.random((1, *GRID[::-1]), np.float32)


def test_a_print_is_like_itself_where_it_is_shifted_a_little():
    one = blob(1)
    shifted = np.roll(one, (1, -2), axis=(1, 2))
    assert correlations(shifted, templates_of(one))[0, 0] == pytest.approx(1, abs=0.01)
    assert correlations(shifted, templates_of(blob(2)))[0, 0] < 0.5


def prototypes(seed, name="ours", wont=0.985):
    """Give a set whose prints, thirteen and a joker, are noise; the networks are right about it `wont` of the time."""
    maps = np.concatenate([blob(100 * seed + k) for k in range(14)])
    numbers = np.full((15, 15), (1 - wont) / 14) + np.eye(15) * (wont - (1 - wont) / 14)
    inks = InkColours.of(INKS, np.arange(4), np.zeros(4, int))
    return maps, Prototypes(
        name, templates_of(maps), np.arange(14), inks, numbers, np.full((4, 4), 0.02) + np.eye(4) * 0.92
    )


def table(maps, places, inks):
    return Prints(maps[places], maps[places][:, ::-1, ::-1], INKS[inks].astype(np.float32))


def faces(places, inks, sure):
    given = np.full((len(places), 53), (1 - sure) / 53, np.float32)
    given[np.arange(len(places)), np.array(inks) * 13 + np.array(places)] += sure
    return Faces(np.tile(np.array([0.99, 0.01], np.float32), (len(places), 1)), np.stack([given, given], 1))


PLACES, COLOURED = [0, 4, 5, 8, 12, 6], [0, 1, 2, 3, 1, 2]


def test_what_is_read_right_stays_right():
    maps, ours = prototypes(1)
    weighed = ours.weigh(faces(PLACES, COLOURED, 0.95), table(maps, PLACES, COLOURED))
    assert weighed.faces.argmax(1).tolist() == [ink * 13 + place for ink, place in zip(COLOURED, PLACES, strict=True)]
    assert weighed.faces.max(1).min() > 0.95


def test_an_ink_that_the_networks_mistake_is_read_by_its_colour():
    maps, ours = prototypes(1)
    wrong = [(ink + 1) % 4 for ink in COLOURED]
    weighed = ours.weigh(faces(PLACES, wrong, 0.6), table(maps, PLACES, COLOURED))
    assert split(weighed.given_way[:, 0])[1].argmax(1).tolist() == COLOURED


def test_a_tile_that_lies_the_other_way_up_is_turned_by_its_print():
    maps, ours = prototypes(1)
    seen = table(maps, PLACES, COLOURED)
    weighed = ours.weigh(faces(PLACES, COLOURED, 0.3), Prints(seen.turned, seen.upright, seen.colours))
    assert (weighed.ways[:, 1] > 0.5).all()


def test_a_number_that_was_not_taught_yet_is_read_as_the_networks_say():
    maps, ours = prototypes(1)
    unfinished = replace(ours, templates=ours.templates[:12], of_class=ours.of_class[:12])
    weighed = unfinished.weigh(faces([12], [1], 0.95), table(maps, [12], [1]))
    assert weighed.faces.argmax(1).tolist() == [1 * 13 + 12]


def test_what_is_like_nothing_is_no_face():
    _, ours = prototypes(1)
    strange = np.concatenate([blob(900 + k) for k in range(6)])
    flat = faces(PLACES, COLOURED, 0.0)
    weighed = ours.weigh(flat, table(strange, list(range(6)), COLOURED))
    assert split(weighed.given_way[:, 0])[0].argmax(1).tolist() == [NO_FACE] * 6


def test_the_set_that_a_table_is_like_is_chosen_and_no_other():
    maps, ours = prototypes(1)
    _, theirs = prototypes(2, "theirs")
    assert choose([theirs, ours], table(maps, PLACES, COLOURED)) is ours
    assert choose([theirs], table(maps, PLACES, COLOURED)) is None
    assert choose([ours], table(maps, PLACES[:3], COLOURED[:3])) is None


def test_a_set_in_other_inks_is_not_chosen():
    maps, ours = prototypes(1)
    strange = table(maps, PLACES, COLOURED)._replace(colours=np.tile(np.array([[0.1, 0.9, 0.1]], np.float32), (6, 1)))
    assert choose([ours], strange) is None
