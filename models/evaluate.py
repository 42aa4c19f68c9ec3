"""Measure the reading: `python -m models.evaluate photos ../shared/photos/dev` and `… rendered --count 200`.

Prints counts (n right of n) per tile, per meld and per table, what went wrong, how far confidences keep their promise,
and seconds a picture.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.scores import SaidTile, Score, score_reading
from vision.frames import load_picture
from vision.reader import TableReader, load_reader
from vision.row_belief import Preference

Case = tuple[NDArray[np.uint8], dict[str, Any]]
_BINS = (0.0, 0.5, 0.7, 0.9, 0.99, 1.0001)
NONE = Preference(legal=1, remembered=1, same_way_up=0.5, excess=1, missing=1, touching=0)
"""No rule and no inventory: each tile alone."""
LEAST_VISIBLE = 0.6
MEASURED_SEED = 9_000_000
"""Rendered tables are measured on seeds from here on, which no training uses."""


def photos(folder: Path) -> Iterator[Case]:
    """Give the photographs of a folder with `images` and `truth`."""
    for path in sorted((folder / "truth").glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        yield load_picture(folder / "images" / truth["image"]).image, truth


def rendered(count: int, *, seed: int, hold_out: bool, calm: bool = False) -> Iterator[Case]:
    """Give rendered tables of 20 to 80 tiles, a tile's long side 40 to 90 pixels, with their truth.

    `hold_out` takes fonts, inks, jokers and table-tops that no training uses. `calm` leaves out bad light, blur, noise,
    hands and clutter, and keeps everything else.
    """
    from models.render.drawing import render_scene  # noqa: PLC0415  the photographs need no renderer
    from models.render.light import Light, Sensor  # noqa: PLC0415
    from models.render.ranges import holdout_ranges, training_ranges  # noqa: PLC0415
    from models.render.scenes import draw_scene  # noqa: PLC0415

    ranges = holdout_ranges() if hold_out else training_ranges()
    made, k = 0, MEASURED_SEED + seed
    while made < count:
        scene = draw_scene(k, (1600, 1200), (40, 90), ranges, layouts=("melds", "lines"))
        k += 1
        if 20 <= len(scene.placements) <= 80:
            made += 1
            picture = render_scene(replace(scene, light=Light(), sensor=Sensor(), things=()) if calm else scene)
            yield picture.image, picture.truth | {"image": f"{ranges.name}-{k - 1}", "tiles": _readable(picture.truth)}


def _readable(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Mark tiles that hands or other tiles cover as unreadable, as a person would label them."""
    hidden = {"tile": "?"}
    return [t | hidden if t["visible"] < LEAST_VISIBLE and t["tile"] != "back" else t for t in truth["tiles"]]


def evaluate(reader: TableReader, cases: Iterator[Case]) -> tuple[Score, list[float]]:
    """Read every picture; give the sum of the scores and the seconds each took."""
    total, seconds = Score(), []
    for image, truth in cases:
        started = time.perf_counter()
        reading = reader.read(image)
        seconds.append(time.perf_counter() - started)
        total += score_reading(reading, truth)
    return total, seconds


def reliability(said: tuple[SaidTile, ...]) -> list[str]:
    """Give a line for each bin of confidence: how many were said, what was promised, how many were right."""
    lines = []
    for low, high in pairwise(_BINS):
        inside = [s for s in said if low <= s.confidence < high]
        if inside:
            promised = float(np.mean([s.confidence for s in inside]))
            right = sum(s.right for s in inside)
            lines.append(
                f"  said {low:.2f}-{min(high, 1):.2f}: {right} right of {len(inside)}"
                f" ({right / len(inside):.4f}, promised {promised:.4f})"
            )
    return lines


def report(name: str, score: Score, seconds: list[float]) -> str:
    """Put the figures of one set of pictures into lines."""
    doubted = [s for s in score.said if s.doubted]
    lines = [f"{name}: {len(seconds)} pictures", f"  {score.line()}", *reliability(score.said)]
    lines.append(
        f"  doubts on {sum(not s.right for s in doubted)} wrong and {sum(s.right for s in doubted)} right tiles"
    )
    lines.append(f"  {np.median(seconds) * 1000:.0f} ms a picture (median), {np.max(seconds) * 1000:.0f} ms at most")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    args = _parser().parse_args()
    reader = load_reader(args.weights)
    if args.without_decoder:
        reader = replace(reader, preference=NONE)
    cases = (
        photos(args.folder)
        if args.what == "photos"
        else rendered(args.count, seed=args.seed, hold_out=args.hold_out, calm=args.calm)
    )
    score, seconds = evaluate(reader, cases)
    if args.errors:
        print("\n".join(score.errors))  # noqa: T201
    print(report(args.what, score, seconds))  # noqa: T201


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.evaluate", description=__doc__)
    parser.add_argument("--weights", type=Path, help="folder of the ONNX files (default: the bundled ones)")
    parser.add_argument("--errors", action="store_true", help="also list each tile that was not read right")
    parser.add_argument(
        "--without-decoder", action="store_true", help="take each tile alone, without rules and inventory"
    )
    what = parser.add_subparsers(dest="what", required=True)
    folder = what.add_parser("photos", help="photographs with truth files")
    folder.add_argument("folder", type=Path)
    tables = what.add_parser("rendered", help="rendered tables")
    tables.add_argument("--count", type=int, default=200)
    tables.add_argument("--seed", type=int, default=0)
    tables.add_argument("--calm", action="store_true", help="even light, a sharp picture, nothing else on the table")
    tables.add_argument("--hold-out", action="store_true", help="fonts, inks, jokers and table-tops never trained on")
    return parser


if __name__ == "__main__":
    main()
