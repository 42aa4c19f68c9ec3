"""Measure teaching: `python -m models.taught --count 10`.

Each set is taught from simulated photos of it laid out, in any light, and tables of it are then read with and without
what was learnt. Unusual sets have fonts, jokers and table-tops kept out of training and inks that no usual set has
(`models.render.teaching`); usual ones are drawn from the hold-out ranges as they are. Seeds are the measuring ones.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.evaluate import MEASURED_SEED
from models.holdout import readable
from models.render.drawing import render_scene
from models.render.edition import draw_edition
from models.render.ranges import holdout_ranges
from models.render.teaching import OddSet, odd_set, table_of_set, teaching_scene
from models.scores import Score, score_reading
from vision.lessons import teach
from vision.likeness import Prototypes, TaughtFaces
from vision.reader import TableReader, load_reader
from vision.tileset import InkName, TileSet

_APART = 100


@dataclass(frozen=True)
class Plan:
    """How many tables of each set, taught from how many photos; `odd`: sets with inks that no usual one has."""

    photos: int = 1
    tables: int = 2
    odd: bool = True
    named: bool = True


@dataclass
class Tally:
    """Scores without and with what was learnt, and what was learnt wrongly or not at all."""

    untaught: Score = field(default_factory=Score)
    taught: Score = field(default_factory=Score)
    faces_missing: int = 0
    sets: int = 0

    def lines(self) -> list[str]:
        """Give the figures."""
        return [
            f"{self.sets} sets; {self.faces_missing} faces of them not learnt",
            f"  untaught: {self.untaught.line()}",
            f"  taught:   {self.taught.line()}",
        ]


def measure(reader: TableReader, seed: int, plan: Plan, tally: Tally) -> None:
    """Teach one set, and read its tables twice."""
    rng = np.random.default_rng([MEASURED_SEED + seed, 7])
    ranges = holdout_ranges()
    one = odd_set(rng, ranges) if plan.odd else OddSet(draw_edition(rng, ranges), ())
    learnt = _learnt(reader, one, seed, plan)
    tally.sets += 1
    tally.faces_missing += len(learnt.missing)
    taught = reader
    if learnt.tiles:
        known = [Prototypes.of(learnt, reader.networks)]
        taught = replace(reader, networks=TaughtFaces.of(reader.networks, known, named=plan.named))
    for image, truth in _tables(one, seed, plan):
        tally.untaught += score_reading(reader.read(image), truth)
        tally.taught += score_reading(taught.read(image), truth)


def _learnt(reader: TableReader, one: OddSet, seed: int, plan: Plan) -> TileSet:
    tileset = TileSet("measured").named(InkName(colour, name) for colour, name in one.names)
    for k in range(plan.photos):
        scene = teaching_scene(MEASURED_SEED + _APART * seed + k, one.edition, holdout_ranges())
        tileset = teach(tileset, render_scene(scene).image, reader).tileset
    return tileset


def _tables(one: OddSet, seed: int, plan: Plan) -> Iterator[tuple[NDArray[np.uint8], dict[str, Any]]]:
    for k in range(plan.tables):
        number = MEASURED_SEED + _APART * seed + 50 + k
        picture = render_scene(table_of_set(number, one.edition, holdout_ranges()))
        truth = picture.truth | {"image": f"set {seed} table {k}", "tiles": readable(picture.truth)}
        yield picture.image, truth


def main() -> None:
    """Measure and print."""
    args = _parser().parse_args()
    reader, plan = load_reader(), Plan(args.photos, args.tables, not args.usual, not args.automatic)
    tally = Tally()
    for seed in range(args.seed, args.seed + args.count):
        measure(reader, seed, plan, tally)
        print(f"after {tally.sets}: {tally.lines()[1]} | {tally.lines()[2]}", flush=True)  # noqa: T201
    if args.errors:
        print("\n".join(tally.taught.errors))  # noqa: T201
    print("\n".join(tally.lines()))  # noqa: T201


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.taught", description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="sets")
    parser.add_argument("--tables", type=int, default=2, help="tables of each set")
    parser.add_argument("--photos", type=int, default=1, help="photos that each set is taught from")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--usual", action="store_true", help="sets with usual inks: teaching may not make them worse")
    parser.add_argument("--automatic", action="store_true", help="the set is not named, but chosen by likeness")
    parser.add_argument("--errors", action="store_true", help="also list each tile that the taught reader got wrong")
    return parser


if __name__ == "__main__":
    main()
