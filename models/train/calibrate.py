"""Temperatures, so that what is said with 0.99 is right 99 times in 100 (Guo and others, ICML 2017).

They are fitted on rendered tables of their own, which neither training nor measuring uses, read by the whole pipeline
up to the faces, so that the crookedness of found corners is in them.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from models.render.drawing import render_scene
from models.render.scenes import draw_scene
from models.scores import match_quads
from models.train.crops import UNKNOWN, label_of
from vision.faces import Calibration
from vision.reader import Look, TableReader, load_reader
from vision.specimens import split

_LOG = logging.getLogger(__name__)
CALIBRATION_SEED = 8_000_000
_LONG_SIDES = (26.0, 90.0)
_RANGE = (0.5, 4.0)
Array = NDArray[np.float64]


class _Said(NamedTuple):
    """Log-probabilities of one thing for n tiles (n, k), and which of the k is true (n,)."""

    logs: Array
    truth: NDArray[np.int64]

    def temperature(self) -> float:
        """Give the temperature under which the truth is likeliest."""

        def loss(log_t: float) -> float:
            scaled = self.logs / np.exp(log_t)
            top = scaled.max(1, keepdims=True)
            norm = np.log(np.exp(scaled - top).sum(1)) + top[:, 0]
            return float(np.mean(norm - scaled[np.arange(len(scaled)), self.truth]))

        return float(np.exp(minimize_scalar(loss, bounds=np.log(_RANGE), method="bounded").x))


def calibrate(folder: Path, pictures: int) -> Calibration:
    """Fit the temperatures of the weights in a folder and write them to its `weights.json`."""
    reader = load_reader(folder, calibration=Calibration())
    numbers, inks, ways = (_joined(part) for part in zip(*_all_said(reader, pictures), strict=True))
    fitted = Calibration(numbers.temperature(), inks.temperature(), ways.temperature())
    _LOG.info("%d tiles: %s", len(numbers.truth), fitted)
    listing = folder / "weights.json"
    known = json.loads(listing.read_text(encoding="utf-8"))
    known["calibration"] = {key: round(value, 4) for key, value in asdict(fitted).items()}
    listing.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return fitted


def _all_said(reader: TableReader, pictures: int) -> Iterator[tuple[_Said, _Said, _Said]]:
    for k in range(pictures):
        made = render_scene(draw_scene(CALIBRATION_SEED + k, (1280, 960), _LONG_SIDES))
        look = reader.look(made.image)
        if len(look):
            yield _said_of(look, made.truth["tiles"])


def _said_of(look: Look, true: Any) -> tuple[_Said, _Said, _Said]:
    """What is said of numbers, inks and ways up of the tiles that a person could read."""
    readable = [t for t in true if t["tile"] not in ("?", "back") and t.get("visible", 1) > 0.8]
    pairs = match_quads(list(look.aligned.quads), [np.array(t["corners"], np.float32) for t in readable])
    mine = np.array(list(pairs.values()), int)
    labels = np.array([label_of(readable[j]["tile"])[:2] for j in pairs], int).reshape(-1, 2)
    turned = np.array([_turned(look.aligned.quads[i], readable[j]["corners"]) for j, i in pairs.items()], int)
    numbers, inks = split(look.faces.given_way[mine, turned].reshape(-1, 53))
    coloured = labels[:, 1] != UNKNOWN
    return (
        _Said(_log(numbers), labels[:, 0]),
        _Said(_log(inks[coloured]), labels[coloured, 1]),
        _Said(_log(look.faces.ways[mine].astype(float)), turned),
    )


def _turned(quad: NDArray[np.float32], corners: list[list[float]]) -> int:
    return int(np.linalg.norm(quad[2] - corners[0]) < np.linalg.norm(quad[0] - corners[0]))


def _log(probabilities: Array) -> Array:
    return np.log(np.maximum(probabilities, 1e-9))


def _joined(parts: tuple[_Said, ...]) -> _Said:
    return _Said(np.concatenate([p.logs for p in parts]), np.concatenate([p.truth for p in parts]))
