"""The renderer: pictures whose truth is exact, whose tiles are those asked for, the same for the same seed."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from models.render.__main__ import main
from models.render.camera import camera_for
from models.render.dealing import new_bag
from models.render.drawing import draw_flat, render_scene
from models.render.edition import draw_edition, draw_inks
from models.render.faces import face_of
from models.render.inks import colour_distance
from models.render.layouts import LAYOUTS, Ground
from models.render.light import Sensor
from models.render.placement import Placement
from models.render.ranges import holdout_ranges, training_ranges
from models.render.scene import Scene, TableTop
from models.render.scenes import draw_scene, random_scene
from models.render.tables import Style, TableTooLargeError, render_table, table_scene
from models.render.truth import yolo_lines
from referee.table import Table
from referee.tiles import NUMBERED, Tile, full_set

SMALL = (320, 240)
CALM = Style(calm=True, tilt=(0.0, 0.3))


def edition(seed=3):
    return draw_edition(np.random.default_rng(seed), training_ranges())


def lone_tile(tile="R7", *, angle=0.0, tilt=0.0, **pose):
    """One tile in the middle of a dark plain table."""
    made = edition()
    camera = camera_for((240, 240), 120, made.ratio, tilt=tilt, **pose)
    top = TableTop("plastic", 1, 0.0, 80)
    return Scene(made, camera, (Placement(Tile.parse(tile), 0.0, 0.0, angle),), tabletop=top, sensor=Sensor())


def upright(image, corners, size=(80, 112)):
    w, h = size
    goal = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
    return cv2.warpPerspective(image, cv2.getPerspectiveTransform(np.float32(corners), goal), size)


@pytest.mark.parametrize("angle", [0.0, 1.0, np.pi / 2, np.pi, -2.2])
def test_the_first_corner_is_the_tiles_own_top_left(angle):
    scene = lone_tile(angle=angle)
    truth = render_scene(scene).truth["tiles"][0]
    face = upright(render_scene(scene).image, truth["corners"])
    inkless = face_of(scene.edition, scene.placements[0].tile, 0, 112).ink
    ys, xs = np.nonzero(inkless > 0.5)
    expected = np.array([xs.mean() / inkless.shape[1], ys.mean() / inkless.shape[0]])
    redness = face[..., 2].astype(float) - face[..., 1]
    ys, xs = np.nonzero(redness > 0.5 * redness.max())
    assert np.allclose([xs.mean() / face.shape[1], ys.mean() / face.shape[0]], expected, atol=0.03)


def test_corners_lie_on_the_outline_of_the_face():
    scene = lone_tile(angle=0.4, tilt=0.6)
    canvas = draw_flat(scene, np.random.default_rng(0))
    corners = np.array(render_scene(scene).truth["tiles"][0]["corners"])
    inside, outside = (
        corners.mean(0) + (corners - corners.mean(0)) * 0.9,
        corners.mean(0) + (corners - corners.mean(0)) * 1.06,
    )
    owners = [[canvas.owner[round(y), round(x)] for x, y in points] for points in (inside, outside)]
    assert owners == [[1, 1, 1, 1], [0, 0, 0, 0]]


def test_lens_distortion_moves_picture_and_truth_alike():
    flat = lone_tile(angle=0.3)
    bent = replace(flat, camera=replace(flat.camera, distortion=0.6))
    a, b = render_scene(flat), render_scene(bent)
    assert not np.allclose(a.truth["tiles"][0]["corners"], b.truth["tiles"][0]["corners"], atol=0.5)
    faces = [cv2.GaussianBlur(upright(r.image, r.truth["tiles"][0]["corners"]), (0, 0), 2).astype(int) for r in (a, b)]
    assert np.abs(faces[0] - faces[1]).mean() < 6


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_seed_gives_the_same_bytes(seed):
    first, second = random_scene(seed, SMALL, (24, 60)), random_scene(seed, SMALL, (24, 60))
    assert np.array_equal(first.image, second.image)
    assert first.truth == second.truth


def test_other_seeds_give_other_pictures():
    assert not np.array_equal(random_scene(1, SMALL).image, random_scene(2, SMALL).image)


@pytest.mark.parametrize("kind", sorted(LAYOUTS))
def test_layouts_keep_to_the_inventory(kind):
    rng = np.random.default_rng(5)
    bag, box = new_bag(rng), np.array([[-9, -7], [9, -7], [9, 7], [-9, 7.0]])
    before, ground = Counter(bag.left), Ground(rng, box, 1.4)
    LAYOUTS[kind](rng, ground, bag, 60)
    laid = Counter(p.tile for p in ground.placed)
    assert laid
    assert laid <= before


@pytest.mark.parametrize("kind", ["melds", "lines", "scatter", "grid"])
def test_tiles_laid_do_not_overlap(kind):
    rng = np.random.default_rng(6)
    ground = Ground(rng, np.array([[-9, -7], [9, -7], [9, 7], [-9, 7.0]]), 1.4)
    LAYOUTS[kind](rng, ground, new_bag(rng), 60)
    boxes = [((p.x, p.y), (0.9, 1.26), np.degrees(p.angle)) for p in ground.placed]
    hits = [cv2.rotatedRectangleIntersection(a, b)[0] for i, a in enumerate(boxes) for b in boxes[:i]]
    assert not any(hits)


def test_holdout_shares_nothing_with_training():
    train, held = training_ranges(), holdout_ranges()
    for kind in ("fonts", "jokers", "tabletops"):
        assert not set(getattr(train, kind)) & set(getattr(held, kind)), kind
    assert train.version == held.version >= 1


def overlap(a, b):
    return (
        a.hue_from < b.hue_to and b.hue_from < a.hue_to
        and a.saturation_from < b.saturation_to and b.saturation_from < a.saturation_to
        and a.value_from < b.value_to and b.value_from < a.value_to
    )  # fmt: skip


@pytest.mark.parametrize("ink", ["black", "red", "blue", "orange"])
def test_holdout_inks_are_in_no_training_box(ink):
    train = training_ranges(dark_inks=True).ink_boxes(ink)
    pairs = [(a, b) for a in train for b in holdout_ranges().ink_boxes(ink)]
    assert pairs
    assert not [pair for pair in pairs if overlap(*pair)]


def test_dark_inks_come_beside_the_usual_ones():
    usual, more = training_ranges(), training_ranges(dark_inks=True)
    for ink in ("black", "red", "blue", "orange"):
        assert more.ink_boxes(ink)[: len(usual.ink_boxes(ink))] == usual.ink_boxes(ink)
        assert len(more.ink_boxes(ink)) > len(usual.ink_boxes(ink))


def test_at_least_eight_families_are_held_out():
    assert len(holdout_ranges().fonts) >= 8


TABLE = "R3 R4 R5 / K7 B7 O7 / B9 B10 J B12 / O1 O2 / K13"


@pytest.mark.parametrize("seed", range(4))
def test_a_table_is_drawn_whole(seed):
    table = Table.parse(TABLE)
    truth = render_table(table, seed, (640, 480), 50, style=CALM).truth
    tiles = truth["tiles"]
    assert Counter(t["tile"] for t in tiles) == Counter(str(t) for t in table.tiles.elements())
    assert not [t for t in tiles if t.get("cut_by_frame")]
    rows = [" ".join(tiles[i]["tile"] for i in row) for row in truth["melds"]]
    assert Counter(rows) == Counter(TABLE.split(" / "))


def test_melds_go_from_top_to_bottom():
    truth = render_table(Table.parse(TABLE), 7, (640, 480), 50, style=CALM).truth
    tops = [np.mean(truth["tiles"][row[0]]["corners"], axis=0)[1] for row in truth["melds"]]
    assert all(a <= b for a, b in pairwise(tops))


def test_a_full_set_fits_into_one_picture():
    everything = Table.of([list(full_set().elements())[i : i + 4] for i in range(0, 106, 4)])
    scene = table_scene(everything, 1, (1280, 960), 60, style=CALM)
    assert Counter(p.tile for p in scene.placements) == full_set()


def test_a_table_that_cannot_fit_is_refused_by_name():
    with pytest.raises(TableTooLargeError, match="K1 K2"):
        table_scene(Table.of([NUMBERED, NUMBERED]), 1, (100, 60), 40, style=CALM)


def test_labels_keep_the_order_of_corners_and_leave_out_what_is_hidden():
    corners = [[10, 10], [30, 10], [30, 40], [10, 40]]
    out = [[-30, 10], [5, 10], [5, 40], [-30, 40]]
    tiles = [
        {"corners": corners, "tile": "R7", "visible": 1.0},
        {"corners": corners[2:] + corners[:2], "tile": "back", "visible": 0.9},
        {"corners": corners, "tile": "R7", "visible": 0.3},
        {"corners": out, "tile": "R7", "visible": 0.9},
    ]
    lines = yolo_lines({"width": 100, "height": 100, "tiles": tiles})
    assert lines[0] == "0 " + " ".join(f"{v / 100:.6f}" for xy in corners for v in xy)
    assert lines[1].startswith("1 0.300000 0.400000")
    assert len(lines) == 2


def test_a_covered_tile_is_said_to_be_covered():
    scene = lone_tile()
    over = replace(scene.placements[0], x=0.5, height=scene.edition.thickness)
    tiles = render_scene(replace(scene, placements=(*scene.placements, over))).truth["tiles"]
    assert tiles[0]["visible"] == pytest.approx(0.5, abs=0.1)
    assert tiles[1]["visible"] == pytest.approx(1.0, abs=0.06)


def test_the_truth_carries_all_that_was_randomised():
    spec = draw_scene(11, SMALL).record()
    assert {"edition", "camera", "light", "sensor", "tabletop", "things", "racks", "seed", "ranges"} <= set(spec)
    assert spec["ranges"].startswith("train-")


def test_every_third_tile_can_be_a_joker():
    many = replace(training_ranges(), many_jokers=True)
    tiles = [p.tile for p in draw_scene(4, (640, 640), (24, 30), many, layouts=("scatter",)).placements]
    assert 0.2 < sum(tile.is_joker for tile in tiles) / len(tiles) < 0.5


def test_the_empty_table_is_a_picture_without_tiles():
    truth = render_table(Table(), 1, SMALL, style=CALM).truth
    assert truth["tiles"] == truth["melds"] == []


def test_the_command_writes_pictures_truth_and_labels_once(tmp_path):
    order = [
        "--out",
        str(tmp_path),
        "--count",
        "2",
        "--seed",
        "40",
        "--size",
        "160x120",
        "--yolo",
        "--layouts",
        "melds",
    ]
    main(order)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.*")}
    main(order)
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.*")} == before
    assert sorted(p.relative_to(tmp_path).as_posix() for p in before) == [
        f"{sub}/train-{seed:07}.{suffix}"
        for sub, suffix in (("images", "jpg"), ("labels", "txt"), ("truth", "json"))
        for seed in (40, 41)
    ]


@pytest.mark.parametrize("ranges", [training_ranges(), training_ranges(dark_inks=True), holdout_ranges()])
def test_editions_are_drawn_from_their_own_ranges(ranges):
    rng = np.random.default_rng(8)
    for made in [draw_edition(rng, ranges) for _ in range(60)]:
        assert {made.digits.font, made.jokers.font, *([made.logo.font] if made.logo.text else [])} <= set(ranges.fonts)
        assert made.jokers.kind in ranges.jokers


def test_an_editions_inks_can_be_told_apart_by_eye():
    rng = np.random.default_rng(9)
    drawn_from = (training_ranges(), training_ranges(dark_inks=True), holdout_ranges())
    for inks in [draw_inks(rng, ranges) for ranges in drawn_from for _ in range(60)]:
        assert colour_distance(inks.red, inks.orange) > 20
        assert colour_distance(inks.blue, inks.black) > 20
