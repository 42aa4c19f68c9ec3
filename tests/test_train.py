import json

import cv2
import numpy as np
import onnxruntime
import pytest

from referee.table import TableReading

pytest.importorskip("torch", reason="needs the extra `train`: pip install -e '.[train]'")
pytest.importorskip("ultralytics", reason="needs the extra `train`: pip install -e '.[train]'")

import torch

from models.export import export_aligner, export_detector, export_reader
from models.render.drawing import render_scene
from models.render.scenes import draw_scene
from models.train.batches import Sampler, align_batch, face_batch
from models.train.crops import CropStore, collect
from models.train.detector import cut_outs, train_detector, write_data_file
from models.train.faces import Plan, train_aligner, train_reader
from models.train.lookalikes import lookalikes
from models.train.mined import mined
from models.train.networks import NO_FACE, NO_TILE, Aligner, FaceReader
from models.train.patterns import patterns
from models.train.reopen import reopen, reopen_detector
from models.train.scenes import render_scenes
from vision.detector import Boxes
from vision.engine import weights_folder
from vision.reader import load_reader

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scenes")
    render_scenes(folder, 6, seed=40, look=("320x320", "30-50"))
    return folder


@pytest.fixture(scope="module")
def sampler(scenes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("crops")
    collect(scenes, real=False, background=2, seed=1).save(folder / "rendered")
    return Sampler.open(folder)


def test_one_epoch_of_everything_gives_weights_that_read(scenes, sampler, tmp_path):
    cut_outs(scenes, tmp_path / "cut", each=1, seed=1)
    data = write_data_file(tmp_path, [scenes, tmp_path / "cut"], scenes)
    detector = train_detector(data, tmp_path / "runs", epochs=1, imgsz=96, batch=4, nbs=4)
    export_detector(detector, tmp_path / "weights")
    plan = Plan(steps=3, batch=8, save_every=1)
    export_aligner(train_aligner(sampler, plan, tmp_path / "aligner.pt"), tmp_path / "weights")
    export_reader(train_reader(sampler, plan, tmp_path / "reader.pt"), tmp_path / "weights")
    picture = render_scene(draw_scene(9_000_001, (320, 320), (30, 50))).image
    assert isinstance(load_reader(tmp_path / "weights").read(picture), TableReading)


def test_training_goes_on_where_it_was_stopped(sampler, tmp_path):
    checkpoint = tmp_path / "reader.pt"
    train_reader(sampler, Plan(steps=2, batch=4, save_every=1), checkpoint)
    net = train_reader(sampler, Plan(steps=2, batch=4, save_every=1), checkpoint)
    again = train_reader(sampler, Plan(steps=2, batch=4, save_every=1), checkpoint)
    assert all(bool((a == b).all()) for a, b in zip(net.parameters(), again.parameters(), strict=True))


@pytest.mark.parametrize(("net", "file"), [(Aligner(), "aligner.onnx"), (FaceReader(), "faces.onnx")])
def test_an_exported_network_that_is_reopened_says_what_the_file_says(net, file):
    path = weights_folder() / file
    seen = torch.rand(16, 3, 80, 64, generator=torch.Generator().manual_seed(1))
    wanted = onnxruntime.InferenceSession(str(path)).run(None, {"x": seen.numpy()})
    with torch.no_grad():
        said = reopen(net, path, seen).eval()(seen)
    assert all(np.allclose(w, s.numpy(), atol=1e-4) for w, s in zip(wanted, said, strict=True))


def test_a_network_is_not_reopened_from_the_file_of_another(tmp_path):
    with pytest.raises(ValueError, match="8 convolutions; FaceReader has 6"):
        reopen(FaceReader(), weights_folder() / "aligner.onnx", torch.rand(4, 3, 80, 64))


def test_an_exported_detector_that_is_reopened_says_what_the_file_says(tmp_path):
    from ultralytics import YOLO  # noqa: PLC0415  heavy; asked for by this test alone

    path = weights_folder() / "detector.onnx"
    seen = torch.rand(8, 3, 96, 96, generator=torch.Generator().manual_seed(1))
    session = onnxruntime.InferenceSession(str(path))
    wanted = session.run(None, {session.get_inputs()[0].name: seen.numpy()})[0]
    reopened = YOLO(str(reopen_detector(path, seen, tmp_path / "start.pt")))
    assert reopened.task == "obb"
    with torch.no_grad():
        said = reopened.model.float().eval()(seen)[0].numpy()
    assert np.allclose(wanted[:, 4:6], said[:, 4:6], atol=0.02)  # scores; a checkpoint has half the digits
    assert np.allclose(wanted[:, :4], said[:, :4], atol=1)  # pixels


def test_training_begins_with_an_exported_network(sampler, tmp_path):
    plan = Plan(steps=1, batch=8, rate=1e-9, start=weights_folder() / "faces.onnx")
    net = train_reader(sampler, plan, tmp_path / "reader.pt")
    first = reopen(FaceReader(), plan.start, torch.rand(4, 3, 80, 64))
    assert torch.allclose(net.numbers.weight, first.numbers.weight, atol=1e-6)


def test_a_batch_for_the_aligner_points_at_the_tiles_corners(sampler):
    batch = align_batch(sampler, 64, np.random.default_rng(3))
    known = ~np.isnan(batch.corners[:, 0, 0])
    off = np.abs(batch.corners[known] - [[0, 0], [1, 0], [1, 1], [0, 1]])
    assert known.sum() > 20
    assert np.median(off) < 0.2
    assert (batch.turns[batch.kinds == 2] == -1).all()


def test_a_turned_face_is_no_face_unless_it_looks_like_one(sampler):
    batch = face_batch(sampler, 64, np.random.default_rng(3))
    turned = batch.upright == 0
    assert 14 in batch.numbers[turned]
    assert set(batch.numbers[turned].tolist()) <= {0, 5, 7, 8, 10, 13, 14}
    assert (batch.inks[turned & (batch.numbers == 13)] == -1).all()


def test_crops_are_stored_and_found_again(sampler, tmp_path):
    sampler.stores[0].save(tmp_path)
    again = CropStore.load(tmp_path)
    assert (again.pixels == sampler.stores[0].pixels).all()
    assert (again.labels.numbers == sampler.stores[0].labels.numbers).all()


def test_things_that_look_like_tiles_are_taught_as_none():
    drawn = lookalikes(5, seed=1)
    assert drawn.pixels.shape == (5, 144, 108, 3)
    assert set(drawn.labels.kinds) == {NO_TILE}
    assert set(drawn.labels.numbers) == {NO_FACE}
    assert (drawn.pixels == lookalikes(5, seed=1).pixels).all()


def test_false_finds_are_taught_as_none(tmp_path):
    truth = {"image": "a.png", "tiles": [{"corners": _square(100)}, {"corners": _square(200)}]}
    (tmp_path / "images").mkdir()
    (tmp_path / "truth").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.png"), np.full((300, 400, 3), 128, np.uint8))
    (tmp_path / "truth" / "a.json").write_text(json.dumps(truth))
    finds = np.array([_square(104), _square(150), _square(300), _square(230)], np.float32)

    class Finds:
        def find(self, _image):
            return Boxes(finds, np.ones(4, np.float32), np.zeros(4, bool))

    store = mined([tmp_path], Finds(), seed=1)
    assert len(store.labels) == 2, "the first and the last lie on tiles"
    assert set(store.labels.kinds) == {NO_TILE}
    assert set(store.labels.numbers) == {NO_FACE}
    assert store.pixels.shape == (2, 144, 108, 3)


def test_views_full_of_false_finds_are_taught_the_detector(tmp_path):
    tile = {"tile": "R7", "visible": 1.0, "corners": _square(100)}
    (tmp_path / "images").mkdir()
    (tmp_path / "truth").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.png"), np.full((500, 500, 3), 128, np.uint8))
    (tmp_path / "truth" / "a.json").write_text(json.dumps({"image": "a.png", "tiles": [tile]}))

    class Finds:
        """Sees the tile at every size, and a pattern of six where the picture is not made smaller."""

        def find_at(self, _image, scale):
            pattern = [_square(x) for x in range(150, 300, 25)] if scale > 0.5 else []
            finds = np.array([_square(100), *pattern], np.float32)
            return Boxes(finds, np.ones(len(finds), np.float32), np.zeros(len(finds), bool))

    assert patterns(tmp_path, Finds(), tmp_path / "views", seed=1) == 2
    first, second = sorted((tmp_path / "views" / "labels").iterdir())
    assert first.read_text().startswith("0 "), "the tile is in the view at the picture's own size"
    assert len(first.read_text().splitlines()) == 1
    assert cv2.imread(str(tmp_path / "views" / "images" / f"{second.stem}.jpg")).shape == (416, 416, 3)


def _square(x):
    return [[x, 100], [x + 40, 100], [x + 40, 155], [x, 155]]
