"""Measure the reading: `python -m models.evaluate photos ../shared/photos/dev`, `… rendered`, `… holdout`.

Prints counts (n right of n) per tile, per meld and per table, what went wrong, how far confidences keep their promise,
and seconds a picture. `holdout` measures on the tables of `models.holdout`, in several processes and to be gone on
with, and prints them beside the photographs.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.reports import report, too_easy
from models.scores import Score, score_reading
from vision.engine import published, weights_folder
from vision.frames import load_picture
from vision.reader import TableReader, load_reader
from vision.row_belief import Preference

Case = tuple[NDArray[np.uint8], dict[str, Any]]
NONE = Preference(legal=1, remembered=1, same_way_up=0.5, excess=1, missing=1, touching=0)
"""No rule and no inventory: each tile alone."""
MEASURED_SEED = 9_000_000
"""Rendered tables are measured on seeds from here on, which no training uses."""
_SMALL_SHARE = 5
"""Of so many tables of the hold-out one more has small tiles."""


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
    from models.holdout import readable  # noqa: PLC0415  the photographs need no renderer
    from models.render.drawing import render_scene  # noqa: PLC0415
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
            yield picture.image, picture.truth | {"image": f"{ranges.name}-{k - 1}", "tiles": readable(picture.truth)}


def evaluate(reader: TableReader, cases: Iterator[Case]) -> tuple[Score, list[float]]:
    """Read every picture; give the sum of the scores and the seconds each took."""
    total, seconds = Score(), []
    for image, truth in cases:
        started = time.perf_counter()
        reading = reader.read(image)
        seconds.append(time.perf_counter() - started)
        total += score_reading(reading, truth)
    return total, seconds


def main() -> None:
    """Measure and print."""
    args = _parser().parse_args()
    if args.what == "holdout":
        _print_holdout(args)
        return
    cases = (
        photos(args.folder)
        if args.what == "photos"
        else rendered(args.count, seed=args.seed, hold_out=args.hold_out, calm=args.calm)
    )
    score, seconds = evaluate(_reader(args), cases)
    _say(args.what, score, seconds, errors=args.errors)


def _reader(args: argparse.Namespace) -> TableReader:
    reader = load_reader(args.weights)
    return replace(reader, preference=NONE) if args.without_decoder else reader


def _say(name: str, score: Score, seconds: Sequence[float], *, errors: bool) -> None:
    if errors:
        print("\n".join(score.errors))  # noqa: T201
    print(report(name, score, seconds))  # noqa: T201


def _print_holdout(args: argparse.Namespace) -> None:
    """Measure the hold-out's strata, and the photographs beside them."""
    from models.holdout import Kept, Table, measure, strata  # noqa: PLC0415  the photographs need no renderer
    from models.render.ranges import holdout_ranges  # noqa: PLC0415

    usual, small = strata()
    tables = {s: [Table(s, k) for k in range(n)] for s, n in ((usual, args.count), (small, args.count // _SMALL_SHARE))}
    kept = Kept(args.out, _fingerprint(args.weights))
    outcomes = measure([table for part in tables.values() for table in part], kept, args.weights, args.jobs)
    print(f"hold-out, ranges version {holdout_ranges().version}")  # noqa: T201
    sums = {s: sum((o.score for o in outcomes if o.table.stratum == s), Score()) for s in tables}
    for stratum, score in sums.items():
        times = [o.seconds for o in outcomes if o.table.stratum == stratum]
        _say(str(stratum), score, times, errors=args.errors)
    if args.beside.is_dir():
        photographed, seconds = evaluate(_reader(args), photos(args.beside))
        _say(str(args.beside), photographed, seconds, errors=args.errors)
        print(too_easy(sums[usual], photographed))  # noqa: T201


def _fingerprint(weights: Path | None) -> str:
    """Give what tells one set of weights from another."""
    listed = published(weights if weights is not None and weights.is_dir() else weights_folder())
    return " ".join(str(one["sha256"])[:12] for name, one in sorted(listed.items()) if name.endswith(".onnx"))


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
    held = what.add_parser("holdout", help="the hold-out's tables, and the same again small (a fifth as many)")
    held.add_argument("--count", type=int, default=1000)
    held.add_argument("--jobs", type=int, default=1, help="how many processes read")
    held.add_argument("--out", type=Path, default=Path("holdout.jsonl"), help="where scores are kept and gone on from")
    held.add_argument(
        "--beside", type=Path, default=Path("../shared/photos/dev"), help="photographs measured beside it"
    )
    return parser


if __name__ == "__main__":
    main()
