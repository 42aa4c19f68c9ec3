"""Tiles that lie as they lay, a knocked camera, and places where tiles lay, on pictures drawn here."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.table import Choice, Doubt, DoubtCode, SeenTile, Table, TableReading
from referee.tiles import Tile
from vision.bare import Since, hidden
from vision.constellation import fit
from vision.remembered import (
    Remembered,
    as_judged,
    faces_of,
    find_again,
    found_by_constellation,
    made_certain,
    remember,
    unchanged,
)

SIZE = (480, 640)
FACES = tuple(map(Tile.parse, ["R3", "R4", "R5", "K7", "B7", "O7", "B11", "B12", "B13", "O9"]))
INKS = {"R": (40, 40, 200), "K": (30, 30, 30), "B": (180, 80, 20), "O": (0, 140, 240)}
WIDE, HIGH = 36, 50


def quad(x, y):
    return [[x, y], [x + WIDE, y], [x + WIDE, y + HIGH], [x, y + HIGH]]


PLACES = [(60 + 90 * (i % 4), 60 + 130 * (i // 4)) for i in range(len(FACES))]
QUADS = np.array([quad(*place) for place in PLACES], np.float32)


def picture(faces=FACES, places=PLACES, seed=1):
    """A grained brown table with tiles that show their notation."""
    rng = np.random.default_rng(5)
    shown = np.full((*SIZE, 3), (50, 80, 110), np.uint8) + rng.integers(0, 12, (*SIZE, 1), np.uint8)
    for face, (x, y) in zip(faces, places, strict=True):
        cv2.rectangle(shown, (x, y), (x + WIDE, y + HIGH), (222, 228, 230), -1)
        text = str(face.number or "J")
        cv2.putText(shown, text, (x + 4, y + 32), cv2.FONT_HERSHEY_DUPLEX, 0.7, INKS.get(str(face)[0], (0, 0, 0)), 2)
    noisy = shown + np.random.default_rng(seed).normal(0, 4, shown.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


KNOWN = Remembered(picture(), QUADS, FACES)


def with_face(index, text):
    return (*FACES[:index], Tile.parse(text), *FACES[index + 1 :])


def reading_of(faces, quads):
    tiles = tuple(
        SeenTile(tuple(map(tuple, q.tolist())), (Choice(face, 0.98),)) for face, q in zip(faces, quads, strict=True)
    )
    return TableReading(tiles, tuple((i,) for i in range(len(tiles))))


@pytest.mark.parametrize("light", [1.0, 0.5])
def test_tiles_that_lie_as_they_lay_are_found_again(light):
    found = find_again(KNOWN, (picture(seed=2) * light).astype(np.uint8))
    assert found.there.all()
    assert found.mapping is None


@pytest.mark.parametrize("ink", [(40, 40, 200), (20, 20, 75)])
def test_a_thin_print_in_another_ink_is_another_tile(ink):
    before, after = picture(), picture(seed=3)
    for shown, colour in ((before, (15, 15, 15)), (after, ink)):
        x, y = PLACES[0]
        cv2.rectangle(shown, (x + 1, y + 1), (x + WIDE - 1, y + HIGH - 1), (190, 195, 200), -1)
        cv2.putText(shown, "9", (x + 10, y + 28), cv2.FONT_HERSHEY_DUPLEX, 0.6, colour, 1)
    found = find_again(Remembered(before, QUADS, with_face(0, "K9")), after)
    assert found.there.tolist() == [False] + [True] * 9


@pytest.mark.parametrize("text", ["R8", "B3", "K3"])
def test_another_tile_in_the_very_same_place_is_another(text):
    found = find_again(KNOWN, picture(with_face(0, text), seed=3))
    assert found.there.tolist() == [False] + [True] * 9


def test_a_nudged_camera_shifts_all_and_moves_none():
    found = find_again(KNOWN, np.roll(picture(seed=4), (3, -4), (0, 1)))
    assert found.there.all()
    assert np.abs(found.quads - QUADS - (-4, 3)).max() < 1


def test_a_tile_that_was_pushed_aside_is_not_where_it_was():
    places = [(PLACES[0][0] + 20, PLACES[0][1] + 6), *PLACES[1:]]
    assert find_again(KNOWN, picture(places=places)).there.tolist() == [False] + [True] * 9


def test_after_a_knock_tiles_are_lost_and_found_by_their_constellation():
    turn = cv2.getRotationMatrix2D((320, 240), 170, 0.8)
    knocked = cv2.warpAffine(picture(seed=6), turn, SIZE[::-1])
    assert find_again(KNOWN, knocked).lost
    moved = cv2.transform(QUADS.reshape(-1, 1, 2), turn).reshape(-1, 4, 2)
    found = found_by_constellation(KNOWN, reading_of(FACES, moved))
    assert found.there.all()
    assert np.abs(found.quads - moved).max() < 1


def test_a_constellation_bears_tiles_that_were_misread_or_moved():
    faces, quads = with_face(0, "R8"), QUADS + np.float32([70, 20])
    quads[5] += 100
    match = fit((QUADS, FACES), (quads, faces))
    assert sorted(match.pairs) == [(i, i) for i in range(10) if i not in (0, 5)]


def test_too_few_tiles_are_no_constellation():
    assert fit((QUADS, FACES), (QUADS[:3], FACES[:3])) is None
    assert fit((QUADS, FACES), (QUADS[:0], ())) is None


def test_4_3_a_place_that_is_bare_hides_no_tile():
    without = picture(FACES[1:], PLACES[1:])
    gone = np.arange(10) == 0
    assert hidden(Since(KNOWN.picture, without), QUADS, QUADS[1:], gone).tolist() == [False] * 10


def test_4_3_a_thing_on_the_table_may_hide_a_tile():
    without = picture(FACES[1:], PLACES[1:])
    cv2.rectangle(without, (40, 40), (140, 150), (60, 60, 60), -1)
    gone = np.arange(10) == 0
    assert hidden(Since(KNOWN.picture, without), QUADS, QUADS[1:], gone).tolist() == [True] + [False] * 9


def pale(shown, *, ink=205):
    """Let one tile lie white on white, its print so dark: all that is seen of the joker."""
    x, y = PLACES[0]
    cv2.rectangle(shown, (x - 60, y - 60), (x + WIDE + 60, y + HIGH + 60), (225, 225, 225), -1)
    cv2.putText(shown, "J", (x + 8, y + 34), cv2.FONT_HERSHEY_DUPLEX, 0.9, (ink, ink, ink), 2)
    noise = np.random.default_rng(ink).normal(0, 2.5, shown.shape)
    return np.clip(shown + noise, 0, 255).astype(np.uint8)


def test_4_3_where_a_pale_tile_lay_on_a_pale_table_its_place_says_nothing():
    before, after = pale(picture(), ink=222), pale(picture(seed=2), ink=225)
    gone = np.arange(10) == 0
    assert hidden(Since(before, after), QUADS, QUADS[1:], gone).tolist() == [True] + [False] * 9


def test_a_print_that_fades_in_brighter_light_is_the_same_and_one_that_is_gone_is_not():
    known = Remembered(pale(picture(), ink=185), QUADS, with_face(0, "J"))
    assert find_again(known, pale(picture(seed=2), ink=218)).there.tolist() == [True] * 10
    assert find_again(known, pale(picture(seed=2), ink=225)).there.tolist() == [False] + [True] * 9


def test_a_judged_table_makes_the_faces_of_its_reading_known():
    reading = reading_of(with_face(0, "R8"), QUADS)
    known = faces_of(reading, Table(tuple((face,) for face in FACES)))
    assert known == dict(enumerate(FACES))


def test_of_a_table_with_other_rows_only_those_that_read_the_same_are_known():
    reading = reading_of(FACES, QUADS)
    known = faces_of(reading, Table.parse("R4 / O9 / K1 K2 K3"))
    assert known == {1: Tile.parse("R4"), 9: Tile.parse("O9")}


def test_a_row_that_a_person_corrected_is_known_wherever_it_stands_in_the_table():
    read, quads = [Tile.parse(text) for text in ("R3", "R4", "R5", "B6", "K7", "B8", "K9")], QUADS[:7]
    reading = reading_of(read, quads)
    reading = TableReading(reading.tiles, ((0, 1, 2), (3, 4, 5, 6)))
    known = faces_of(reading, Table.parse("K9 K8 K7 K6 / R3 R4 R5"))
    assert [str(known[i]) for i in range(7)] == ["R3", "R4", "R5", "K6", "K7", "K8", "K9"]


def test_a_corrected_row_that_was_mostly_misread_is_the_only_one_left_of_its_length():
    read, quads = [Tile.parse(text) for text in ("R3", "R4", "R5", "O9", "B6", "R9", "K2")], QUADS[:7]
    tiles = list(reading_of(read, quads).tiles)
    tiles[5] = replace(tiles[5], choices=(Choice(Tile.parse("R9"), 0.9), Choice(Tile.parse("R6"), 0.1)))
    reading = TableReading(tuple(tiles), ((0, 1, 2), (3, 4, 5), (6,)))
    known = faces_of(reading, Table.parse("R6 B6 O6 / K3 / R3 R4 R5"))
    assert [str(known[i]) for i in range(6)] == ["R3", "R4", "R5", "O6", "B6", "R6"]
    assert 6 not in known, "a tile alone may be any mark of the table"


def test_4_3_what_a_judged_table_has_and_the_picture_does_not_show_may_lie_there_unseen():
    reading = reading_of(FACES[:3], QUADS[:3])
    judged = as_judged(TableReading(reading.tiles, ((0, 1, 2),), unseen=()), Table.parse("R3 R4 R5 / K13 B13 O13"))
    assert sorted(map(str, judged.unseen)) == ["B13", "K13", "O13"]


def test_what_lies_on_an_empty_table_before_anybody_has_played_is_no_tile():
    seen = reading_of(FACES[:2], QUADS[:2])
    asked = replace(seen, doubts=(Doubt(DoubtCode.UNREADABLE, (1,)),))
    judged = as_judged(asked, Table())
    assert (judged.notation, judged.doubts, judged.unseen) == ("-", (), ())
    laid_before = replace(seen, melds=((0, 1),))
    assert as_judged(laid_before, Table()).melds == ((0, 1),)


def test_what_is_known_is_certain_and_not_asked_about():
    reading = reading_of(FACES[:2], QUADS[:2])
    asked = TableReading(
        reading.tiles, reading.melds, (Doubt(DoubtCode.SIX_OR_NINE, (0,)), Doubt(DoubtCode.EXTRA, (1,)))
    )
    certain = made_certain(asked, {0: Tile.parse("R6")})
    assert certain.tiles[0].choices == (Choice(Tile.parse("R6"), 1.0),)
    assert [doubt.tiles for doubt in certain.doubts] == [(1,)]


def test_a_table_whose_tiles_were_all_found_is_known_whole():
    judged = Table(tuple((face,) for face in FACES[:-1]))
    assert remember(picture(), reading_of(FACES, QUADS), judged).whole
    assert not remember(picture(), reading_of(FACES[1:], QUADS[1:]), judged).whole


def test_rows_on_an_empty_table_may_have_been_laid_before_the_camera_saw_it():
    alone, empty = reading_of(FACES, QUADS), Table(())
    assert remember(picture(), alone, empty).whole
    assert not remember(picture(), replace(alone, melds=((0, 1, 2), *alone.melds[3:])), empty).whole


def test_a_pattern_of_the_table_stays_the_same_and_a_pale_tile_on_a_pale_table_does_not():
    before = np.full((*SIZE, 3), 225, np.uint8)
    cv2.circle(before, (400, 300), 12, (60, 60, 60), 3)
    now = before.copy()
    cv2.circle(now, (318, 218), 9, (190, 200, 215), 1)
    noisy = [np.clip(p + np.random.default_rng(k).normal(0, 3, p.shape), 0, 255).astype(np.uint8)
             for k, p in enumerate((before, now))]  # fmt: skip
    places = np.array([quad(382, 275), quad(300, 200)], np.float32)
    assert unchanged(*noisy, places).tolist() == [True, False]
