"""How many melds are found from corners alone: `python -m benchmarks.rows [PHOTOS]`.

PHOTOS is a folder with `truth` files of photographs whose melds are labelled (../shared/photos/dev by default). Corners
are the true ones, then moved, half-turned and left out; a meld counts where all its tiles were given. Then the same on
made-up tables of up to 24 rows (tests/table_layouts.py).
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from table_layouts import Scene, jittered, random_table

from vision.rows import find_rows

LOOKS = 20
KINDS = ("aligned", "sides", "any", "stacks")


class Harm(NamedTuple):
    """What is done to the corners: moved by this share of a side, half-turned, left out."""

    moved: float = 0.0
    turned: float = 0.0
    missing: float = 0.0


HARMS = (Harm(), Harm(0.03), Harm(0.06), Harm(0.09), Harm(turned=0.2), Harm(missing=0.02), Harm(0.06, 0.2, 0.02))


def photographs(folder: Path) -> Iterator[Scene]:
    for path in sorted((folder / "truth").glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if truth["melds_labelled"]:
            quads = np.array([tile["corners"] for tile in truth["tiles"]])
            yield Scene(quads, tuple(map(tuple, truth["melds"])))


def score(scene: Scene, harm: Harm, rng: np.random.Generator) -> tuple[int, int]:
    """Give how many melds are found, and of how many."""
    quads = jittered(scene.quads, harm.moved, rng)
    turned = rng.random(len(quads)) < harm.turned
    quads[turned] = np.roll(quads[turned], 2, axis=1)
    kept = np.flatnonzero(rng.random(len(quads)) >= harm.missing)
    place = {int(tile): k for k, tile in enumerate(kept)}
    wanted = [tuple(place[i] for i in row) for row in scene.rows if all(i in place for i in row)]
    found = set(find_rows(quads[kept]))
    return sum(row in found or row[::-1] in found for row in wanted), len(wanted)


def table(scenes: Sequence[Scene], looks: int) -> None:
    for harm in HARMS:
        rng = np.random.default_rng(1)
        scores = [score(scene, harm, rng) for scene in scenes for _ in range(looks)]
        right, total = (sum(one[k] for one in scores) for k in (0, 1))
        said = f"moved {harm.moved:.0%}, half-turned {harm.turned:.0%}, left out {harm.missing:.0%}"
        print(f"  {said}: {right} of {total} melds ({right / total:.2%})")


def main(folder: Path) -> None:
    real = list(photographs(folder))
    if real:
        print(f"{len(real)} photographs, each {LOOKS} times:")
        table(real, LOOKS)
    for kind in KINDS:
        rng = np.random.default_rng(7)
        made = [random_table(rng, (kind,)) for _ in range(40)]
        print(f"40 made-up tables, rows {kind}:")
        table(made, 1)
    largest = max(made, key=lambda scene: len(scene.quads))
    started = time.process_time()
    for _ in range(20):
        find_rows(largest.quads)
    print(f"{len(largest.quads)} tiles: {50 * (time.process_time() - started):.1f} ms of processor time")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "photos" / "dev")
