import numpy as np

from vision.presence import FIRM_PRESENCE, LEAST_PRESENCE, log_odds, presence


def row(*lefts, top=0.0):
    return np.array([[[x, top], [x + 30, top], [x + 30, top + 40], [x, top + 40]] for x in lefts], np.float32)


def test_what_looks_and_reads_like_a_tile_is_one():
    assert presence(np.array([0.9999]), np.array([0.9999]), row(0))[0] > FIRM_PRESENCE


def test_what_only_looks_like_a_tile_and_cannot_be_read_is_none():
    assert presence(np.array([0.6]), np.array([0.2]), row(0))[0] < LEAST_PRESENCE


def test_what_lies_in_line_with_a_sure_tile_is_surer_than_what_lies_alone():
    up, legible = np.array([0.9999, 0.7, 0.7]), np.array([0.9999, 0.9, 0.9])
    _, beside, alone = presence(up, legible, row(0, 31, 300))
    assert beside > 0.9 > alone


def test_what_lies_across_a_sure_tile_is_not_the_next_of_its_row():
    quads = row(0, 31)
    quads[1] = np.roll(quads[1], 1, axis=0)
    across, along = (presence(np.array([1.0, 0.8]), np.array([1.0, 0.99]), q)[1] for q in (quads, row(0, 31)))
    assert across < along


def test_upside_down_neighbours_are_neighbours():
    quads = row(0, 31)
    quads[1] = np.roll(quads[1], 2, axis=0)
    assert presence(np.array([1.0, 0.8]), np.array([1.0, 0.99]), quads)[1] > 0.9


def test_no_places_are_no_tiles():
    assert presence(np.empty(0), np.empty(0), np.empty((0, 4, 2), np.float32)).shape == (0,)


def test_certainty_has_an_end():
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()
