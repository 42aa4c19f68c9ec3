"""How long a reading takes, beside the detector alone: `python -m benchmarks.reading`.

A rendered picture of 1280x960 with 50 tiles and one of 1920x1080 with 106, the model loaded; the second again where
nothing and where three tiles changed since the last picture; then start to first reading and the most memory, in a
process of its own. Beside the time on the clock stands the processor's, which other programs disturb less.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from models.render.drawing import render_scene
from models.render.tables import Style, render_table, table_scene
from referee.table import Table
from referee.tiles import COLOURS, JOKER, Tile
from vision.reader import TableReader, load_reader
from vision.rereading import Game, Memory, read_again

ROUNDS = 9
FIFTY = Table.parse(
    "R1 R2 R3 R4 R5 / B3 B4 B5 / O7 O8 O9 O10 / K1 K2 K3 / R9 B9 O9 K9 / R11 R12 R13 / B7 B8 B9 B10 B11 / "
    "K5 K6 K7 K8 / O1 O2 O3 O4 / R6 R7 R8 / K10 B10 R10 / O12 J O12 / K11 K12 K13 / B1 B2 B3"
)
WHOLE = Table.of([*(tuple(Tile(c, n) for n in range(1, 14)) for c in COLOURS for _ in range(2)), (JOKER,), (JOKER,)])
FIRST = "import sys, cv2; from vision.reader import load_reader; load_reader().read(cv2.imread(sys.argv[1]))"


def median_ms(work: Callable[[], object]) -> str:
    """Give the median time of some rounds on the clock, after one to warm up, and the processor's."""
    work()
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - started[0], time.process_time() - started[1]))
    clock, processor = np.median(times, axis=0) * 1000
    return f"{clock:.0f} ms ({processor:.0f} ms of processor time)"


def looked_at_again(reader: TableReader) -> None:
    """Time the reading of a full table of which nothing, and of which three tiles, changed."""
    scene = table_scene(WHOLE, 5, (1920, 1080), 46, style=Style(calm=True))
    tiles = list(scene.placements)
    for place, face in ((10, "R3"), (40, "B9"), (77, "J")):
        tiles[place] = replace(tiles[place], tile=Tile.parse(face))
    rng = np.random.default_rng(0)
    first, same, changed = (
        noisy(render_scene(one).image, rng) for one in (scene, scene, replace(scene, placements=tuple(tiles)))
    )
    memory = read_again(reader, first, Memory(), Game()).memory
    for name, image in (("nothing", same), ("three tiles", changed)):
        print(f"{name} changed: {median_ms(partial(read_again, reader, image, memory, Game()))}")


def noisy(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Give a picture with a camera's noise."""
    return np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)


def first_reading(image: np.ndarray) -> None:
    """Time a process that loads everything and reads one picture, and say how much memory it took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.png"
        cv2.imwrite(str(path), image)
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", FIRST, str(path)], check=True, capture_output=True)  # noqa: S603
        print(f"start to first reading: {time.perf_counter() - started:.1f} s")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"most memory: {memory:.0f} MB")


def main() -> None:
    """Measure and print."""
    reader = load_reader()
    for table, size, px in ((FIFTY, (1280, 960), 60), (WHOLE, (1920, 1080), 46)):
        image = render_table(table, 5, size, px, style=Style(calm=True)).image
        tiles = len(reader.read(image).tiles)
        whole, detector = (median_ms(partial(work, image)) for work in (reader.read, reader.finder.find))
        print(f"{size[0]}x{size[1]}, {tiles} tiles: whole reading {whole}, the detector alone {detector}")
    looked_at_again(reader)
    first_reading(image)


if __name__ == "__main__":
    main()
