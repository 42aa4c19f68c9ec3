"""A whole reading beside the pipeline that most peers use: `python -m benchmarks.peer` (needs the extra `train`).

The peer: a detector in ultralytics and torch at 1280 pixels, one stage, and Tesseract on every tile. Its detector is
not trained, since its time does not depend on that; so Tesseract is handed the true corners, upright. Both read the
same rendered picture of 1920x1080 with 106 tiles, turn about in one run; our own detector alone, at that size, says
how fast the machine is.
"""

import time
from collections import Counter
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray
from ultralytics import YOLO

from benchmarks.reading import WHOLE
from models.render.tables import Style, render_table
from referee.tiles import Tile
from vision.ocr import second_opinion
from vision.patches import Quads
from vision.reader import load_reader

ROUNDS = 5
SIDE = 1280
Truth = list[tuple[Tile, Quads]]


def main() -> None:
    """Measure and print."""
    rendered = render_table(WHOLE, 5, (1920, 1080), 46, style=Style(calm=True))
    image = rendered.image
    truth = [(Tile.parse(t["tile"]), np.array(t["corners"], np.float32)) for t in rendered.truth["tiles"]]
    ours, theirs = load_reader(), YOLO("yolo11n-obb.yaml")
    shrunk = SIDE / image.shape[1]
    works: dict[str, Callable[[], object]] = {
        "our detector alone, at 1280 pixels": partial(ours.finder.find_at, image, shrunk),
        "our whole reading": partial(ours.read, image),
        "the peer's detector alone": partial(theirs.predict, image, imgsz=SIDE, device="cpu", verbose=False),
        "the peer's Tesseract": partial(numbers, image, truth),
    }
    spent = timed(works)
    for name, ms in spent.items():
        print(f"{name}: {ms:.0f} ms")
    *_, detector, tesseract = spent.values()
    print(f"ours is {spent['our whole reading'] / (detector + tesseract):.3f} of the peer's whole reading")
    print_right(image, truth, [str(tile.best) for tile in ours.read(image).tiles])


def timed(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Give the median milliseconds of each work, done in turns after one round to warm up."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS + 1):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            times[name].append((time.perf_counter() - started) * 1000)
    return {name: float(np.median(spent[1:])) for name, spent in times.items()}


def numbers(image: NDArray[np.uint8], truth: Truth) -> list[int | None]:
    """Read the number of every tile as the peers do."""
    return [second_opinion(image, quad) for _, quad in truth]


def print_right(image: NDArray[np.uint8], truth: Truth, read: list[str]) -> None:
    """Say how many numbers Tesseract has right, and how many tiles we have."""
    numbered = [(tile, quad) for tile, quad in truth if not tile.is_joker]
    right = sum(n == tile.number for n, (tile, _) in zip(numbers(image, numbered), numbered, strict=True))
    ours = (Counter(read) & Counter(str(tile) for tile, _ in truth)).total()
    print(f"Tesseract reads {right} of {len(numbered)} numbers right; ours {ours} of {len(truth)} tiles, ink and all")


if __name__ == "__main__":
    cv2.setNumThreads(2)
    main()
