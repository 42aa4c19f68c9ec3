"""The hold-out: rendered tables whose fonts, inks, jokers and table-tops no training uses, racks and pools among them.

What they are drawn from stands in `models/render/ranges.toml`, section `holdout`, under a version that figures name.
Each table's score is kept as a line of JSON, so that a long measurement goes on where it broke off.
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from models.render.drawing import render_scene
from models.render.ranges import HoldoutTables, holdout_ranges, holdout_tables
from models.render.scene import Scene
from models.render.scenes import draw_scene
from models.scores import Score, score_reading
from referee.table import Where
from vision.reader import TableReader, load_reader

LEAST_VISIBLE = 0.6
FIRST_SEED = 9_100_000
"""Seeds from here on are the hold-out's; no training uses them."""
_TRIES = 1000
_SMALL_ONES = 100_000


class Stratum(NamedTuple):
    """Tables with tiles of a long side of `low` to `high` pixels in the picture's middle."""

    low: float
    high: float

    def __str__(self) -> str:
        """Give the name that records and reports use."""
        return f"{self.low:g}-{self.high:g} px"


class Table(NamedTuple):
    """The `number`-th table of a stratum."""

    stratum: Stratum
    number: int


@dataclass(frozen=True)
class Outcome:
    """One table's score, and how long its reading took."""

    table: Table
    score: Score
    seconds: float


def strata() -> tuple[Stratum, Stratum]:
    """Give the hold-out's usual tables, and those with small tiles, which are reported apart."""
    tables = holdout_tables()
    return Stratum(*tables.tile_px), Stratum(*tables.small_px)


def scene_of(table: Table) -> Scene:
    """Draw one table at random; the same one for the same version of the ranges."""
    allowed, stratum = holdout_tables(), table.stratum
    seed = FIRST_SEED + _TRIES * (table.number + (0 if stratum == strata()[0] else _SMALL_ONES))
    layout = allowed.layouts[table.number % len(allowed.layouts)]
    size = allowed.sizes[table.number // len(allowed.layouts) % len(allowed.sizes)]
    for k in range(_TRIES):
        scene = draw_scene(seed + k, size, stratum, holdout_ranges(), layouts=(layout,))
        if _suits(scene, allowed):
            return scene
    msg = f"no table of {allowed.tiles} tiles was drawn in {_TRIES} tries"
    raise ValueError(msg)


def _suits(scene: Scene, allowed: HoldoutTables) -> bool:
    played = sum(p.where is Where.TABLE and not p.back for p in scene.placements)
    return allowed.tiles[0] <= played <= allowed.tiles[1]


def readable(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Mark tiles that hands or other tiles cover as unreadable, as a person would label them."""
    hidden = {"tile": "?"}
    return [t | hidden if t["visible"] < LEAST_VISIBLE and t["tile"] != "back" else t for t in truth["tiles"]]


def measure_one(reader: TableReader, table: Table) -> Outcome:
    """Draw, read and score one table."""
    picture = render_scene(scene_of(table))
    started = time.perf_counter()
    reading = reader.read(picture.image)
    seconds = time.perf_counter() - started
    truth = picture.truth | {"image": f"{table.stratum} {table.number}", "tiles": readable(picture.truth)}
    return Outcome(table, score_reading(reading, truth), seconds)


@cache
def _reader(weights: Path | None) -> TableReader:
    cv2.setNumThreads(1)
    return load_reader(weights)


def _measured(table: Table, weights: Path | None) -> Outcome:
    return measure_one(_reader(weights), table)


class Kept:
    """The scores kept in a file, a line each, under the version of the ranges and the weights that made them."""

    def __init__(self, path: Path, weights: str) -> None:
        self.path = path
        self.made_by = {"ranges": holdout_ranges().version, "weights": weights}

    def outcomes(self) -> dict[Table, Outcome]:
        """Give what is kept already; lines of other versions and other weights are passed over."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        records = (json.loads(line) for line in lines if line.endswith("}"))
        found = (_of_record(record) for record in records if record["made_by"] == self.made_by)
        return {outcome.table: outcome for outcome in found}

    def keep(self, outcome: Outcome) -> None:
        """Write one more line."""
        record = {"made_by": self.made_by, "stratum": outcome.table.stratum, "number": outcome.table.number}
        line = json.dumps(record | {"seconds": round(outcome.seconds, 4)} | outcome.score.record())
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def _of_record(record: dict[str, Any]) -> Outcome:
    table = Table(Stratum(*record["stratum"]), record["number"])
    return Outcome(table, Score.of_record(record), record["seconds"])


def measure(wanted: Sequence[Table], kept: Kept, weights: Path | None, jobs: int) -> list[Outcome]:
    """Measure the tables that are not kept yet, in so many processes, telling on standard error how far it is."""
    done = {table: one for table, one in kept.outcomes().items() if table in set(wanted)}
    left = [table for table in wanted if table not in done]
    for outcome in _all_measured(left, weights, jobs):
        kept.keep(outcome)
        done[outcome.table] = outcome
        sys.stderr.write(f"\r{len(done)} of {len(wanted)} tables")
        sys.stderr.flush()
    if left:
        sys.stderr.write("\n")
    return [done[table] for table in wanted]


def _all_measured(tables: Sequence[Table], weights: Path | None, jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        yield from (_measured(table, weights) for table in tables)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(_measured, table, weights) for table in tables]):
            yield done.result()
