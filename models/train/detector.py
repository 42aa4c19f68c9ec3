"""Training of the detector: `yolo11n-obb` from scratch on rendered scenes and on cut-outs of the real photographs."""

import json
import logging
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
import yaml
from torch import Tensor

from models.train.crops import Array, read_image
from models.train.reopen import reopen_detector

_LOG = logging.getLogger(__name__)
SIDE = 416
"""Training pictures are squares of so many pixels."""
LEARNT_SIDE = 320
"""The network learns on them at this size: tiles of 10 to 55 pixels."""
_SETTINGS: dict[str, Any] = {
    "imgsz": LEARNT_SIDE, "batch": 12, "nbs": 12, "optimizer": "AdamW", "lr0": 2e-3, "lrf": 0.02, "cos_lr": True,
    "warmup_epochs": 0.5, "mosaic": 0.0, "fliplr": 0.0, "hsv_h": 0.01, "hsv_s": 0.4, "hsv_v": 0.35, "scale": 0.25,
    "translate": 0.05, "degrees": 0.0, "erasing": 0.0, "workers": 1, "device": "cpu", "plots": False, "amp": False,
    "exist_ok": True, "cache": False, "save_period": 1, "deterministic": False,
}  # fmt: skip
_LONG_SIDES = (14.0, 70.0)
_SHOWN = 16
"""Pictures of each folder by which an exported network's normalisations are fitted."""


def cut_outs(photos: Path, out: Path, *, each: int, seed: int) -> int:
    """Write turned and scaled square cut-outs of real photographs with YOLO-OBB labels; say how many there are."""
    rng = np.random.default_rng(seed)
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sorted((photos / "truth").glob("*.json")):
        truth = json.loads(path.read_text())
        image = read_image(photos / "images" / truth["image"])
        for k in range(each):
            count += _write_cut_out(image, truth["tiles"], out, (f"real-{path.stem}-{k}", rng))
    return count


def _write_cut_out(image: Array, tiles: list[dict], out: Path, how: tuple[str, np.random.Generator]) -> int:
    name, rng = how
    quads = np.array([t["corners"] for t in tiles], np.float32).reshape(-1, 4, 2)
    level = any(t.get("upright_unknown") for t in tiles)
    warp = _random_view(image.shape, quads, rng, level=level)
    view = _finely_warped(image, warp)
    moved = cv2.transform(quads, warp) if len(quads) else quads
    rows = [_label(q) for q in moved if _mostly_inside(q)]
    cv2.imwrite(str(out / "images" / f"{name}.jpg"), view, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 96))])
    (out / "labels" / f"{name}.txt").write_text("\n".join(rows))
    return 1


def _finely_warped(image: Array, warp: Array) -> Array:
    """Warp at twice the size, then average, since a warp alone skips pixels when it shrinks.

    What lies outside the photo has its mean colour: a reflection would show tiles without labels.
    """
    size, mean = (SIDE * 2, SIDE * 2), image.mean((0, 1))
    twice = cv2.warpAffine(image, warp * 2, size, flags=cv2.INTER_LINEAR, borderValue=mean)
    return cv2.resize(twice, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def _random_view(shape: tuple[int, ...], quads: Array, rng: np.random.Generator, *, level: bool) -> Array:
    """An affine map from the photo to the square: any turn (a few degrees where boxes are level), tiles of any size."""
    long = float(np.median(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1))) if len(quads) else max(shape) / 12
    scale = np.exp(rng.uniform(*np.log(_LONG_SIDES))) / long
    centre = quads[rng.integers(len(quads))].mean(0) if len(quads) else np.array([shape[1], shape[0]]) / 2
    angle = rng.uniform(-4, 4) if level else rng.uniform(0, 360)
    warp: Array = cv2.getRotationMatrix2D(tuple(map(float, centre)), angle, float(scale))
    warp[:, 2] += SIDE / 2 - centre + rng.normal(0, SIDE / 6, 2)
    return warp


def _mostly_inside(quad: Array) -> bool:
    frame = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    area, _ = cv2.intersectConvexConvex(cv2.convexHull(quad.astype(np.float32)), frame)
    return area > 0.55 * abs(cv2.contourArea(quad.astype(np.float32)))


def _label(quad: Array) -> str:
    return "0 " + " ".join(f"{v / SIDE:.5f}" for v in quad.reshape(-1))


def write_data_file(out: Path, train: list[Path], val: Path) -> Path:
    """Write the data file that ultralytics reads."""
    data: dict[str, Any] = {
        "names": {0: "face_up", 1: "face_down"},
        "path": str(out.resolve()),
        "train": [str((p / "images").resolve()) for p in train],
    }
    data |= {"val": str((val / "images").resolve())}
    path = out / "tiles.yaml"
    path.write_text(yaml.safe_dump(data))
    return path


def train_detector(data: Path, out: Path, *, epochs: int, start: Path | None = None, **options: Any) -> Path:
    """Train (or go on, where `out/detector/weights/last.pt` exists); give the path of the weights.

    `start`: an earlier training's weights (`.pt`, or the exported `.onnx`), which new pictures then teach further, at
    half the rate.
    """
    os.environ.setdefault("YOLO_OFFLINE", "true")
    from ultralytics import YOLO  # noqa: PLC0415  heavy; asked for by this function alone

    last = out / "detector" / "weights" / "last.pt"
    if _finished(last):
        return last
    if start and start.suffix == ".onnx" and not last.exists():
        start = reopen_detector(start, _what_it_sees(data), out / "start.pt")
    model = YOLO(str(last if last.exists() else start or "yolo11n-obb.yaml"))
    model.add_callback("on_train_start", _use_the_processor_well)
    if last.exists():
        model.train(resume=True)
    else:
        where = {"data": str(data), "project": str(out.resolve()), "name": "detector"}
        gently = {"lr0": _SETTINGS["lr0"] / 2, "warmup_bias_lr": 0.0} if start else {}
        model.train(**where, epochs=epochs, **(_SETTINGS | gently | options))
    return last


def _what_it_sees(data: Path) -> Tensor:
    """Give a few pictures of each folder of a data file, as the network is shown them (n, 3, side, side)."""
    folders = yaml.safe_load(data.read_text())["train"]
    paths = [path for folder in folders for path in sorted(Path(folder).iterdir())[:_SHOWN]]
    side = (LEARNT_SIDE, LEARNT_SIDE)
    pictures = [cv2.resize(read_image(path), side, interpolation=cv2.INTER_AREA) for path in paths]
    return torch.from_numpy(np.stack(pictures)[..., ::-1].copy()).permute(0, 3, 1, 2).float() / 255


def _finished(last: Path) -> bool:
    """Whether a training ended by itself: ultralytics then marks its last epoch as -1."""
    return last.exists() and torch.load(last, weights_only=False)["epoch"] == -1


def _use_the_processor_well(trainer: Any) -> None:
    """All cores, where ultralytics leaves one free, and the memory layout that convolutions on a processor like."""
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", os.cpu_count() or 1)))
    trainer.model.to(memory_format=torch.channels_last)
