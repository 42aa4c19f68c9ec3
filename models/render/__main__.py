"""Write pictures and their truth: `python -m models.render --out DIR --count N --seed S`."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.render.conditions import harder
from models.render.drawing import Rendered, render_scene
from models.render.ranges import holdout_ranges, training_ranges
from models.render.scenes import WEIGHTS, draw_scene
from models.render.truth import yolo_lines

JPEG_QUALITY = 95


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.render", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for images/, truth/ and labels/")
    parser.add_argument("--count", type=int, default=100, help="how many pictures")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first; the i-th has seed + i")
    parser.add_argument("--size", type=_size, default=(640, 640), help="WIDTHxHEIGHT of the pictures")
    parser.add_argument(
        "--tile-px", type=_range, default=(24.0, 110.0), help="range of a tile's long side in pixels, A-B"
    )
    parser.add_argument("--hold-out", action="store_true", help="draw from the hold-out ranges, never to train on")
    parser.add_argument("--layouts", default=",".join(WEIGHTS), help="kinds of layout, with commas between them")
    parser.add_argument("--many-jokers", action="store_true", help="every third tile is a joker, to learn them by")
    parser.add_argument("--dark-inks", action="store_true", help="navy, burgundy and dark amber too, to learn them by")
    parser.add_argument("--hard-light", action="store_true", help="deep shadows and glare over every picture")
    parser.add_argument("--yolo", action="store_true", help="write labels for oriented boxes too")
    return parser


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _range(text: str) -> tuple[float, float]:
    low, high = text.split("-")
    return float(low), float(high)


def write(rendered: Rendered, folder: Path, name: str, *, yolo: bool) -> None:
    """Write a picture, its truth and perhaps its labels; the picture last, since it marks the three as done."""
    rendered.truth["image"] = f"{name}.jpg"
    (folder / "truth" / f"{name}.json").write_text(json.dumps(rendered.truth), encoding="utf-8")
    if yolo:
        text = "".join(f"{line}\n" for line in yolo_lines(rendered.truth))
        (folder / "labels" / f"{name}.txt").write_text(text, encoding="utf-8")
    part = folder / "images" / f"{name}.part.jpg"
    cv2.imwrite(str(part), rendered.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    part.replace(folder / "images" / f"{name}.jpg")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; pictures that are there already are left alone."""
    args = _parser().parse_args(arguments)
    layouts = tuple(args.layouts.split(","))
    ranges = holdout_ranges() if args.hold_out else training_ranges(dark_inks=args.dark_inks)
    ranges = replace(ranges, many_jokers=args.many_jokers)
    for sub in ("images", "truth", *(["labels"] if args.yolo else [])):
        (args.out / sub).mkdir(parents=True, exist_ok=True)
    for i in range(args.count):
        seed = args.seed + i
        name = f"{ranges.name}-{seed:07}"
        if not (args.out / "images" / f"{name}.jpg").exists():
            scene = draw_scene(seed, args.size, args.tile_px, ranges, layouts=layouts)
            if args.hard_light:
                scene = replace(scene, light=harder(scene.light, np.random.default_rng([seed, 5])))
            write(render_scene(scene), args.out, name, yolo=args.yolo)
        if i % 100 == 99 or i + 1 == args.count:
            sys.stderr.write(f"{i + 1} of {args.count}\n")


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main()
