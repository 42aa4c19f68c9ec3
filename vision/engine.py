"""The networks at run time: ONNX weights, checked against their SHA-256, run with onnxruntime.

Weights live beside the package `models` as data; `weights.json` lists each file with its SHA-256 and size.
"""

import hashlib
import json
import os
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.errors import ModelError

Arrays = tuple[NDArray[np.float32], ...]
_REMEDY = "install rummy-referee again, or make the weights anew (models/README.md)"
_MOST_THREADS = 4
_MOST_AT_ONCE = 32
"""So many patches are given to a network at once: with more it takes more memory, and no less time."""


class Network(Protocol):
    """A network that maps one batch to its outputs."""

    def run(self, batch: NDArray[np.float32]) -> Arrays:
        """Give the outputs for a batch (n, 3, h, w) of float32."""
        ...


class OnnxNetwork:
    """A network in an ONNX file, run on the processor with as many threads as it has cores, four at most."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            ModelError: the file is missing or cannot be run.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(os.cpu_count() or 1, _MOST_THREADS)
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own exceptions share no base class but this one
            msg = f"cannot run the weights {path}: they are no network in an ONNX file, or a damaged one; {_REMEDY}"
            raise ModelError(msg) from error
        self._input = self._session.get_inputs()[0].name

    def run(self, batch: NDArray[np.float32]) -> Arrays:
        """Give the outputs for a batch (n, 3, h, w) of float32."""
        parts = [batch[k : k + _MOST_AT_ONCE] for k in range(0, len(batch), _MOST_AT_ONCE)] or [batch]
        told = [self._session.run(None, {self._input: part}) for part in parts]
        return tuple(told[0]) if len(told) == 1 else tuple(map(np.concatenate, zip(*told, strict=True)))


def weights_folder() -> Path:
    """Give the folder of the bundled weights."""
    return Path(str(resources.files("models"))) / "weights"


def published(folder: Path) -> dict[str, Any]:
    """Read what `weights.json` says of the weights in a folder.

    Raises:
        ModelError: it is missing or no JSON.
    """
    try:
        listing: dict[str, Any] = json.loads((folder / "weights.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"the weights in {folder} are missing, or not listed in its weights.json; {_REMEDY}"
        raise ModelError(msg) from error
    return listing


def checked_weights(name: str, folder: Path | None = None) -> Path:
    """Give the path of bundled weights after checking them against `weights.json`.

    Raises:
        ModelError: the file is missing, or its SHA-256 is not the one it was published with.
    """
    folder = folder or weights_folder()
    path = folder / name
    want = published(folder).get(name, {}).get("sha256", "")
    try:
        found = sha256_of(path)
    except OSError as error:
        msg = f"the weights {path} are missing; {_REMEDY}"
        raise ModelError(msg) from error
    if found != want:
        msg = f"the weights {path} are corrupt: SHA-256 {found[:16]}…, expected {want[:16] or 'none'}…; {_REMEDY}"
        raise ModelError(msg)
    return path


def sha256_of(path: Path) -> str:
    """Give the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
