import json

import numpy as np
import pytest
from table_layouts import HEIGHT, Style, camera, jittered, random_table, row, seen, tile

from vision.rows import Between, Layout, find_rows, in_order, lay_out

VIEW = camera(0.0, 0.0)


def laid(*tiles: tuple[float, ...], view: np.ndarray = VIEW) -> np.ndarray:
    """Tiles at (x, y[, angle]) on the table, in pixels."""
    return seen(np.array([tile(*one) for one in tiles]), view)


def line(count: int, x: float = 0.0, y: float = 0.0, gap: float = 0.02) -> list[tuple[float, float]]:
    return [(x + k * (1 + gap), y) for k in range(count)]


def half_turned(quads: np.ndarray, *which: int) -> np.ndarray:
    quads = quads.copy()
    quads[list(which)] = np.roll(quads[list(which)], 2, axis=1)
    return quads


def as_sets(rows) -> set[frozenset[int]]:
    return {frozenset(row) for row in rows}


def test_no_tiles_make_no_rows():
    assert lay_out(np.zeros((0, 4, 2))) == Layout()


def test_tiles_side_by_side_are_a_row_in_reading_order():
    quads = laid(*line(4))
    assert find_rows(quads) == ((0, 1, 2, 3),)
    assert find_rows(quads[[2, 0, 3, 1]]) == ((1, 3, 0, 2),)


@pytest.mark.parametrize("angle", np.radians([15, 60, 90, 135, 180, 225, 300]), ids=lambda a: f"{np.degrees(a):.0f}")
def test_a_row_is_read_as_its_tiles_are_at_any_angle(angle: float):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    quads = np.array([tile(*one) for one in line(5)]) @ turn.T
    assert find_rows(seen(quads, VIEW)) == ((0, 1, 2, 3, 4),)


def test_a_tile_alone_is_a_row_of_one():
    assert find_rows(laid(*line(3), (9, 6))) == ((0, 1, 2), (3,))


def test_rows_above_one_another_are_not_joined():
    block = [*line(13), *line(13, y=HEIGHT), *line(13, y=2 * HEIGHT, x=0.5), *line(13, y=3 * HEIGHT)]
    assert find_rows(laid(*block)) == tuple(tuple(range(k, k + 13)) for k in (0, 13, 26, 39))


def test_a_tile_under_a_row_is_alone():
    assert find_rows(laid(*line(4), (2.5, HEIGHT))) == ((0, 1, 2, 3), (4,))


def test_crossing_directions_stay_apart():
    upright = line(3)
    across = [(2 * 1.02 + 0.5 + HEIGHT / 2 + 0.03, k * 1.02, np.pi / 2) for k in range(3)]
    assert find_rows(laid(*upright, *across)) == ((0, 1, 2), (3, 4, 5))


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(Style(stagger=0.15), id="staggered"),
        pytest.param(Style(bend=0.25), id="fanned"),
        pytest.param(Style(bend=-0.25), id="fanned the other way"),
        pytest.param(Style(gap=0.3, gap_noise=0.03), id="with room between"),
        pytest.param(Style(gap=0.5, gap_noise=0.02), id="with much room between"),
        pytest.param(Style(twist=0.09), id="twisted"),
        pytest.param(Style(turned=0.3), id="some upside down"),
    ],
)
@pytest.mark.parametrize("pitch", [0.0, 0.9], ids=["from above", "from the side"])
def test_untidy_rows_hold_together(style: Style, pitch: float):
    rng = np.random.default_rng(11)
    for _ in range(5):
        quads, turned = row(7, style, rng)
        order = range(7) if sum(turned) <= 3 else reversed(range(7))
        assert find_rows(seen(quads, camera(pitch, 0.4, 20.0))) == (tuple(order),)


def test_a_tile_upside_down_is_told_and_the_row_read_as_most_of_it():
    layout = lay_out(half_turned(laid(*line(4)), 2))
    assert layout.rows == ((0, 1, 2, 3),)
    assert layout.turned == (False, False, True, False)


def test_a_row_upside_down_is_read_from_its_own_side():
    layout = lay_out(half_turned(laid(*line(3)), 0, 1, 2))
    assert layout.rows == ((2, 1, 0),)
    assert not any(layout.turned)


def test_a_tie_is_read_left_to_right_in_the_picture():
    layout = lay_out(half_turned(laid(*line(2)), 0))
    assert layout.rows == ((0, 1),)
    assert layout.turned == (True, False)


def test_a_tile_that_begins_with_a_long_side_is_understood():
    quads = laid(*line(5))
    quads[3] = np.roll(quads[3], 1, axis=0)
    assert find_rows(quads) == ((0, 1, 2, 3, 4),)


def test_a_wide_gap_cuts_and_is_told_as_in_line():
    layout = lay_out(laid(*line(3), *line(3, x=3.6)))
    assert layout.rows == ((0, 1, 2), (3, 4, 5))
    (found,) = layout.in_line
    assert (found.rows, found.joined) == ((0, 1), (0, 1, 2, 3, 4, 5))
    assert found.gap == pytest.approx(0.56, abs=0.03)


@pytest.mark.parametrize(
    ("usual", "parting"),
    [(0.0, 0.3), (0.1, 0.42), (0.3, 0.7)],
    ids=["pushed together", "with a little room", "with much room"],
)
def test_what_is_wide_depends_on_the_table(usual: float, parting: float):
    rows = [line(3, x, y, gap=usual) for y in (0, 3, 6) for x in (0, 3 + 2 * usual + parting)]
    layout = lay_out(laid(*(one for row in rows for one in row)))
    assert layout.by_eye() == tuple(tuple(range(k, k + 3)) for k in range(0, 18, 3))


def test_gaps_that_may_be_partings_are_left_to_the_decoder():
    layout = lay_out(laid(*line(3), *line(3, x=3.3)))
    assert layout.rows == ((0, 1, 2, 3, 4, 5),)
    odds = layout.partings[0]
    assert 0.3 < odds[2] < 12
    assert max(odds[:2] + odds[3:]) < 0.01


def test_what_is_wide_depends_on_the_row():
    tidy, roomy = [*line(3), *line(3, x=3.5)], line(6, y=5, gap=0.45)
    assert find_rows(laid(*tidy, *roomy)) == ((0, 1, 2), (3, 4, 5), (6, 7, 8, 9, 10, 11))


def test_pieces_joined_are_given_in_one_order_though_one_is_upside_down():
    layout = lay_out(half_turned(laid(*line(3), *line(2, x=3.7)), 3, 4))
    assert layout.rows == ((0, 1, 2), (4, 3))
    assert layout.in_line[0].joined == (0, 1, 2, 3, 4)


def test_room_for_a_tile_between_two_rows_is_told():
    quads = laid(*line(5))
    layout = lay_out(np.delete(quads, 2, axis=0))
    (hole,) = layout.holes
    assert hole.mean(axis=0) == pytest.approx(quads[2].mean(axis=0), abs=3)
    assert np.ptp(hole, axis=0) == pytest.approx(np.ptp(quads[2], axis=0), rel=0.05)


def test_a_tile_between_two_rows_is_a_doubt_that_names_both():
    layout = lay_out(laid(*line(3), (2.04 + 1.42, 0.0), *line(3, x=2.04 + 2.85)))
    assert layout.rows == ((0, 1, 2), (3,), (4, 5, 6))
    assert layout.between == (Between(3, 0, 2),)


def test_a_tile_at_the_end_of_one_row_beside_another_is_a_doubt():
    layout = lay_out(laid(*line(3), (3.2, 0.71), *line(3, y=HEIGHT + 0.02)))
    assert layout.rows == ((0, 1, 2), (3,), (4, 5, 6))
    assert layout.between == (Between(3, 0, 2),)


def test_three_tiles_below_one_another_are_a_row_two_are_not():
    column = [(0, 0), (0, HEIGHT + 0.05), (0, 2 * HEIGHT + 0.1)]
    assert find_rows(laid(*column, *line(3, x=4))) == ((0, 1, 2), (3, 4, 5))
    assert find_rows(laid(*column[:2], *line(3, x=4))) == ((0,), (2, 3, 4), (1,))


def test_rows_go_from_top_to_bottom_then_left_to_right():
    quads = laid(*line(3, y=6), *line(3, x=5, y=0.2), *line(3, x=-1, y=0))
    assert find_rows(quads) == ((6, 7, 8), (3, 4, 5), (0, 1, 2))


def test_rows_are_sorted_by_their_first_tiles():
    quads = laid((0, 5), (5, 0), (1, 5))
    assert in_order([(0, 2), (1,)], quads) == ((1,), (0, 2))


def test_known_rows_make_a_layout():
    layout = Layout.of([[0, 1, 2], [3]])
    assert layout.rows == ((0, 1, 2), (3,))
    assert layout.gaps == ((0.0, 0.0), ())
    assert layout.turned == (False,) * 4


@pytest.mark.parametrize("kind", ["aligned", "sides", "any", "stacks"])
@pytest.mark.parametrize("jitter", [0.0, 0.05], ids=["exact corners", "corners off by 5 %"])
def test_random_tables(kind: str, jitter: float):
    rng = np.random.default_rng(17)
    right = total = 0
    for _ in range(6):
        scene = random_table(rng, (kind,))
        layout = lay_out(jittered(scene.quads, jitter, rng))
        right += len(as_sets(scene.rows) & as_sets(layout.rows))
        total += len(scene.rows)
    assert right / total > 0.985


@pytest.mark.shared
@pytest.mark.parametrize("jitter", [0.0, 0.06], ids=["true corners", "corners off by 6 %"])
def test_melds_of_real_photographs(shared, jitter: float):
    rng = np.random.default_rng(1)
    wrong, total = [], 0
    for path in sorted((shared / "photos" / "dev" / "truth").glob("*.json")):
        truth = json.loads(path.read_text())
        rows = find_rows(jittered(np.array([one["corners"] for one in truth["tiles"]]), jitter, rng))
        total += len(truth["melds"])
        wrong += [(path.name, meld) for meld in truth["melds"] if not {tuple(meld), tuple(meld[::-1])} & set(rows)]
    assert total == 91
    assert len(wrong) <= (0 if jitter == 0 else 2), wrong
