"""From trained weights to the ONNX files that run at the table, listed with SHA-256 and size in `weights.json`."""

import json
import logging
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

from models.train.networks import Aligner, FaceReader
from vision.engine import sha256_of, weights_folder
from vision.patches import ALIGN, FACE, PatchShape

_LOG = logging.getLogger(__name__)
_OPSET = 17
_LARGEST_BYTES = 20_000_000


def export_detector(weights: Path, out: Path) -> Path:
    """Export an ultralytics `.pt` of an oriented-box detector to `out/detector.onnx`, for pictures of any size."""
    from ultralytics import YOLO  # noqa: PLC0415  heavy; asked for by this function alone

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "detector.pt"
        shutil.copy(weights, copy)
        made = YOLO(str(copy)).export(
            format="onnx", dynamic=True, simplify=False, opset=_OPSET, imgsz=448, device="cpu"
        )
        return _published(Path(made), out / "detector.onnx")


def export_network(net: nn.Module, shape: PatchShape, out: Path) -> Path:
    """Export a small network to ONNX for batches of any size, and check that both give the same."""
    net = net.eval().to(memory_format=torch.contiguous_format)
    example = torch.rand(2, 3, shape.height, shape.width)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / out.name
        torch.onnx.export(
            net,
            (example,),
            str(path),
            input_names=["x"],
            dynamic_axes={"x": {0: "n"}},
            opset_version=_OPSET,
            dynamo=False,
        )
        _check_same(net, path, example)
        return _published(path, out)


def export_aligner(net: Aligner, out: Path) -> Path:
    """Export the aligner to `out/aligner.onnx`."""
    return export_network(net, ALIGN, out / "aligner.onnx")


def export_reader(net: FaceReader, out: Path) -> Path:
    """Export the reader of faces to `out/faces.onnx`."""
    return export_network(net, FACE, out / "faces.onnx")


def _check_same(net: nn.Module, path: Path, example: torch.Tensor) -> None:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        want = net(example)
    for w, got in zip(want, session.run(None, {"x": example.numpy()}), strict=True):
        if not np.allclose(w.numpy(), got, atol=1e-3):
            msg = f"{path.name} differs from the network it was exported from by {np.abs(w.numpy() - got).max():.4f}"
            raise ArithmeticError(msg)


def _published(made: Path, out: Path) -> Path:
    """Move a file to its place and write its figures to `weights.json` beside it."""
    size = made.stat().st_size
    if size > _LARGEST_BYTES:
        msg = f"{made.name} has {size} bytes; the limit is {_LARGEST_BYTES}"
        raise ValueError(msg)
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(made, out)
    listing = out.parent / "weights.json"
    known = json.loads(listing.read_text(encoding="utf-8")) if listing.exists() else {}
    known.pop("calibration", None)  # it was fitted to other weights
    known[out.name] = {"sha256": sha256_of(out), "bytes": size}
    listing.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    _LOG.info("%s: %d bytes", out, size)
    return out


def default_folder() -> Path:
    """Give the folder where the program looks for its weights."""
    return weights_folder()
