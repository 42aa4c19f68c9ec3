"""Training of the aligner and of the reader of faces: checkpointed, resumable, for a number of minutes."""

import logging
import math
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as f

from models.train.batches import AlignBatch, FaceBatch, Sampler, align_batch, face_batch
from models.train.crops import UNKNOWN
from models.train.networks import Aligner, FaceReader
from models.train.reopen import reopen

_LOG = logging.getLogger(__name__)
N = TypeVar("N", bound=nn.Module)
_AVERAGE = 0.998
"""How slowly the averaged weights follow the trained ones."""


@dataclass(frozen=True)
class Plan:
    """How long and how fast: the learning rate rises, then falls as a cosine over all `steps`."""

    steps: int
    batch: int = 128
    rate: float = 2e-3
    seed: int = 1
    save_every: int = 200
    start: Path | None = None
    """An exported network to go on from; where there is a checkpoint, that is gone on from instead."""

    def rate_at(self, step: int) -> float:
        """Give the learning rate of a step."""
        warm = min(1.0, (step + 1) / 200)
        return self.rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, step / self.steps))))


def aligner_loss(net: nn.Module, batch: AlignBatch) -> tuple[Tensor, dict[str, float]]:
    """Give the loss of a batch and the figures to log."""
    corners, turns, kinds = net(_tensor(batch.x))
    want = torch.from_numpy(batch.corners)
    known = ~torch.isnan(want[:, 0, 0])
    off = f.smooth_l1_loss(corners[known], want[known], beta=0.02)
    turn = f.cross_entropy(turns, torch.from_numpy(batch.turns), ignore_index=UNKNOWN)
    kind = f.cross_entropy(kinds, torch.from_numpy(batch.kinds))
    error = (corners[known] - want[known]).norm(dim=-1).mean()
    return 20 * off + turn + 0.5 * kind, {
        "corner": float(error.detach()),
        "turn": float(turn.detach()),
        "kind": float(kind.detach()),
    }


def reader_loss(net: nn.Module, batch: FaceBatch) -> tuple[Tensor, dict[str, float]]:
    """Give the loss of a batch and the figures to log."""
    numbers, inks, upright = net(_tensor(batch.x))
    number = f.cross_entropy(numbers, torch.from_numpy(batch.numbers), ignore_index=UNKNOWN)
    ink = f.cross_entropy(inks, torch.from_numpy(batch.inks), ignore_index=UNKNOWN)
    asked = torch.from_numpy(batch.upright >= 0)
    up = f.binary_cross_entropy_with_logits(upright[asked, 0], torch.from_numpy(batch.upright)[asked])
    return number + ink + 0.5 * up, {
        "number": float(number.detach()),
        "ink": float(ink.detach()),
        "up": float(up.detach()),
    }


def train_aligner(sampler: Sampler, plan: Plan, checkpoint: Path) -> Aligner:
    """Train the aligner, going on from `checkpoint` where it exists; give the averaged weights."""
    return _train(Aligner(), lambda rng: align_batch(sampler, plan.batch, rng), aligner_loss, (plan, checkpoint))


def train_reader(sampler: Sampler, plan: Plan, checkpoint: Path) -> FaceReader:
    """Train the reader of faces, going on from `checkpoint` where it exists; give the averaged weights."""
    return _train(FaceReader(), lambda rng: face_batch(sampler, plan.batch, rng), reader_loss, (plan, checkpoint))


def _begun(net: N, make: Callable, start: Path | None) -> N:
    """The network as it was drawn by chance, or as an exported file has it."""
    return net if start is None else reopen(net, start, _tensor(make(np.random.default_rng(0)).x))


def _tensor(x: np.ndarray) -> Tensor:
    return torch.from_numpy(x).to(memory_format=torch.channels_last)


class _Run:
    """One training under way: the net, its running average, the optimiser and the step it has reached."""

    def __init__(self, net: nn.Module, plan: Plan, checkpoint: Path) -> None:
        self.net = net.to(memory_format=torch.channels_last).train()
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=0.02)
        self.plan, self.checkpoint, self.step = plan, checkpoint, 0
        self.average = {k: v.detach().clone() for k, v in net.state_dict().items()}
        if checkpoint.exists():
            self._resume(torch.load(checkpoint, weights_only=True))

    def _resume(self, saved: dict[str, Any]) -> None:
        self.net.load_state_dict(saved["net"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.average, self.step = saved["average"], saved["step"]

    def save(self) -> None:
        """Write the checkpoint whole, or not at all."""
        state = {"net": self.net.state_dict(), "optimiser": self.optimiser.state_dict()}
        part = self.checkpoint.with_suffix(".part")
        part.parent.mkdir(parents=True, exist_ok=True)
        torch.save(state | {"average": self.average, "step": self.step}, part)
        part.replace(self.checkpoint)

    def learn(self, loss: Tensor) -> None:
        """Take one step."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.plan.rate_at(self.step)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.step += 1
        keep = min(_AVERAGE, self.step / (self.step + 20))
        for key, value in self.net.state_dict().items():
            moving = self.average[key]
            moving.mul_(keep).add_(value, alpha=1 - keep) if value.is_floating_point() else moving.copy_(value)


def _train(net: N, make: Callable, loss_of: Callable, where: tuple[Plan, Path]) -> N:
    plan, checkpoint = where
    run = _Run(_begun(net, make, plan.start), plan, checkpoint)
    batches = _ahead(make, np.random.default_rng([plan.seed, run.step]))
    started, figures = time.monotonic(), []
    while run.step < plan.steps:
        loss, figure = loss_of(run.net, batches.get())
        run.learn(loss)
        figures.append(figure)
        if run.step % plan.save_every == 0 or run.step == plan.steps:
            means = {k: round(float(np.mean([g[k] for g in figures])), 4) for k in figure}
            _LOG.info("step %d of %d, %s, %.0f s", run.step, plan.steps, means, time.monotonic() - started)
            figures.clear()
            run.save()
    net.load_state_dict(run.average)
    return net.eval()


def _ahead(make: Callable, rng: np.random.Generator) -> queue.Queue:
    """Make batches in a thread of its own, a few ahead of the training."""
    batches: queue.Queue = queue.Queue(maxsize=6)

    def fill() -> None:
        while True:
            batches.put(make(rng))

    threading.Thread(target=fill, daemon=True).start()
    return batches
