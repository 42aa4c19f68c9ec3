"""Going on with a network of which only the exported ONNX file is left.

An export folds every batch normalisation into the convolution before it. `reopen` loads the folded weights and gives
each normalisation, layer by layer, the mean and the spread that it sees on real batches, and a scale and shift that
undo them: the network says what the file said, and can be trained further.
"""

from pathlib import Path
from typing import TypeVar

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

N = TypeVar("N", bound=nn.Module)


def reopen(net: N, file: Path, seen: Tensor) -> N:
    """Fill a network of `models.train.networks` from its ONNX file; `seen` (n, 3, h, w) is what it usually sees.

    Raises:
        ValueError: the file holds another network.
    """
    kept = onnx.load(file)
    weights = {item.name: numpy_helper.to_array(item) for item in kept.graph.initializer}
    convolutions = [node.input for node in kept.graph.node if node.op_type == "Conv"]
    blocks = list(net.trunk)
    if len(convolutions) != len(blocks):
        msg = f"{file} has {len(convolutions)} convolutions; {type(net).__name__} has {len(blocks)}"
        raise ValueError(msg)
    own = net.state_dict()
    net.load_state_dict({**own, **{name: _tensor(weights[name]) for name in own.keys() & weights.keys()}})
    with torch.no_grad():
        x = seen * 2 - 1
        for block, (_, weight, bias) in zip(blocks, convolutions, strict=True):
            _unfold(block, _tensor(weights[weight]), _tensor(weights[bias]), x)
            x = block.eval()(x)
    return net.train()


def reopen_detector(file: Path, seen: Tensor, out: Path) -> Path:
    """Write the `.pt` of ultralytics for a detector's ONNX file; `seen` (n, 3, h, w) is what it usually sees.

    Raises:
        KeyError: the file is no exported `yolo11n-obb`.
    """
    from ultralytics.nn.tasks import OBBModel  # noqa: PLC0415  heavy; asked for by this function alone

    weights = {item.name: _tensor(numpy_helper.to_array(item)) for item in onnx.load(file).graph.initializer}
    net = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False).eval()
    for name, part in net.named_modules():
        if isinstance(part, nn.BatchNorm2d):
            folded = weights[f"{name.removesuffix('bn')}conv.bias"]
            part.register_forward_pre_hook(lambda norm, inputs, bias=folded: _undo(norm, inputs[0], bias))
    own = net.state_dict()
    net.load_state_dict({**own, **{name: weights[name] for name in own.keys() & weights.keys()}})
    with torch.no_grad():
        net(seen)
    for part in net.modules():
        part._forward_pre_hooks.clear()  # noqa: SLF001  a checkpoint must not hold them
    out.parent.mkdir(parents=True, exist_ok=True)
    told = {"epoch": -1, "optimizer": None, "ema": None, "updates": 0, "train_args": {"task": "obb"}}
    torch.save({"model": net.half()} | told, out)
    return out


def _unfold(block: nn.Sequential, weight: Tensor, bias: Tensor, x: Tensor) -> None:
    """Give one block its convolution, and a normalisation that changes nothing but adds the bias."""
    convolution, norm = block[0], block[1]
    convolution.weight.copy_(weight)
    _undo(norm, convolution(x), bias)


def _undo(norm: nn.Module, seen: Tensor, bias: Tensor) -> None:
    """Make a normalisation of what a convolution gives change nothing but add the bias."""
    mean, spread = seen.mean((0, 2, 3)), seen.var((0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)
    norm.weight.copy_((spread + norm.eps).sqrt())
    norm.bias.copy_(mean + bias)


def _tensor(values: np.ndarray) -> Tensor:
    return torch.from_numpy(values.copy())
