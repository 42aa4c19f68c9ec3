"""A detector that somebody trained with ultralytics, straight from its `.pt` file; needs the extra `train`."""

from pathlib import Path
from typing import Any

import numpy as np

from vision.detector import FIRST_SIDE, STRIDE, Boxes, boxes_to_quads
from vision.errors import ModelError
from vision.patches import Picture

_LEAST_SCORE = 0.25


class UltralyticsDetector:
    """Finds tiles with an oriented-box model of ultralytics: class 0 face up, class 1 (where it has one) face down."""

    def __init__(self, path: Path) -> None:
        """Load the weights.

        Raises:
            ModelError: ultralytics is not installed, or the file is no model of oriented boxes.
        """
        self._model = _loaded(path)

    def find(self, image: Picture) -> Boxes:
        """Find the tiles of a picture (h, w, 3) BGR."""
        side = -(-min(FIRST_SIDE, max(image.shape[:2])) // STRIDE) * STRIDE
        found = self._model.predict(image, imgsz=side, conf=_LEAST_SCORE, max_det=400, verbose=False, device="cpu")[
            0
        ].obb
        boxes = found.xywhr.numpy().astype(np.float32)
        return Boxes(boxes_to_quads(boxes[:, :4], boxes[:, 4]), found.conf.numpy(), found.cls.numpy() == 1)


def _loaded(path: Path) -> Any:
    try:
        from ultralytics import YOLO  # noqa: PLC0415  an extra
    except ImportError as error:
        msg = f"{path} needs ultralytics: pip install 'rummy-referee[train]'"
        raise ModelError(msg) from error
    if not path.is_file():
        msg = f"there are no weights {path}"
        raise ModelError(msg)
    try:
        model = YOLO(str(path))
    except Exception as error:  # whatever unpickling a foreign file raises
        msg = f"{path} holds no model that ultralytics can load: {error}"
        raise ModelError(msg) from error
    if model.task != "obb":
        msg = f"{path} is a model for {model.task!r}; the detector needs oriented boxes ('obb')"
        raise ModelError(msg)
    return model
