"""How right a reading is, against the truth of its picture: the counts that `models.evaluate` prints.

A said tile matches a true one where their outlines overlap with an intersection over union of at least 0.5, best pairs
first. Tiles cut by the frame or unreadable to a person count on neither side.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from referee.melds import is_meld
from referee.table import SURE_ENOUGH, SeenTile, TableReading, Where
from referee.tiles import Tile
from vision.patches import overlap

LEAST_OVERLAP = 0.5
LEAST_MELD = 3


class SaidTile(NamedTuple):
    """One face-up tile as said: its confidence, whether it was right, and whether it carries a doubt."""

    confidence: float
    right: bool
    doubted: bool


LYING = ("plain", "smaller than 30 px", "smaller than 22 px", "partly covered", "on a rack")
"""How a tile of a rendered table lies: whole, on the table and 30 px long or more in the picture, or not so."""
_WHOLE, _USUAL_PX, _LEAST_PX = 0.95, 30.0, 22.0


@dataclass(frozen=True)
class Score:
    """Counts of one picture, or of many added together.

    `counts`: tiles, right, wrong (another tile, said with 0.5 or more), unread, missed, extra, upright, upright_of,
    melds, melds_right; tables, tables_right (every tile and every meld), right_doubted (right tables with any doubt),
    wrong_doubted (wrong ones with a doubt on a tile that was read wrong or lies in a wrong row); illegal (rows of three
    and more that are no valid meld), told_legal (those of them that were read as valid ones). Of rendered tables also
    `of ...` and `right ...` for each of `LYING`: how many tiles lie so, and how many of them were read right.
    `said`: every matched or extra tile with its confidence.
    """

    counts: Counter[str] = field(default_factory=Counter)
    said: tuple[SaidTile, ...] = ()
    errors: tuple[str, ...] = ()

    def __add__(self, other: "Score") -> "Score":
        return Score(self.counts + other.counts, self.said + other.said, self.errors + other.errors)

    def line(self) -> str:
        """Give the counts in one line."""
        c = self.counts
        share = 100 * c["right"] / max(1, c["tiles"])
        return (
            f"tiles {c['right']} right of {c['tiles']} ({share:.2f} %), wrong {c['wrong']}, unread {c['unread']}, "
            f"missed {c['missed']}, extra {c['extra']}; upright {c['upright']} of {c['upright_of']}; "
            f"melds {c['melds_right']} of {c['melds']}; tables {c['tables_right']} of {c['tables']}"
        )

    def record(self) -> dict[str, Any]:
        """Give what JSON can keep; `of_record` reads it back."""
        return {"counts": dict(self.counts), "said": list(map(list, self.said)), "errors": list(self.errors)}

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Read a record."""
        said = tuple(SaidTile(*one) for one in record["said"])
        return cls(Counter(record["counts"]), said, tuple(record["errors"]))


def score_reading(reading: TableReading, truth: dict[str, Any]) -> Score:
    """Score one reading against a truth file's content."""
    marked = _Marked.of(reading, truth)
    counts = Counter(outcome for _, outcome in marked.outcomes)
    counts["tiles"] = len(marked.outcomes)
    counts["extra"] = len(marked.extra)
    counts += marked.ways_up() + marked.melds() + marked.illegal() + marked.table(counts) + marked.lying()
    errors = [*marked.errors(), *(f"{truth['image']}: {t.best} on nothing" for t in marked.extra)]
    return Score(counts, tuple(marked.said()), tuple(errors))


class _Marked(NamedTuple):
    """A reading beside the truth: `pairs` true tile to said tile, by their indices in `truth` and `reading`."""

    reading: TableReading
    truth: dict[str, Any]
    pairs: dict[int, int]
    outcomes: list[tuple[int, str]]
    extra: list[SeenTile]

    @classmethod
    def of(cls, reading: TableReading, truth: dict[str, Any]) -> Self:
        said = [i for i, tile in enumerate(reading.tiles) if not tile.back]
        true = [j for j, tile in enumerate(truth["tiles"]) if tile["tile"] != "back"]
        found = match_quads(
            [np.array(reading.tiles[i].corners, np.float32) for i in said],
            [np.array(truth["tiles"][j]["corners"], np.float32) for j in true],
        )
        pairs = {true[b]: said[a] for b, a in found.items()}
        outcomes = [
            (j, _outcome(reading.tiles[pairs[j]], truth["tiles"][j]) if j in pairs else "missed")
            for j in true
            if _counted(truth["tiles"][j])
        ]
        unmatched = (reading.tiles[i] for i in said if i not in set(pairs.values()))
        return cls(reading, truth, pairs, outcomes, [t for t in unmatched if t.best and t.where is Where.TABLE])

    @property
    def doubted(self) -> set[int]:
        return {i for doubt in self.reading.doubts for i in doubt.tiles}

    def said(self) -> Iterator[SaidTile]:
        for j, outcome in self.outcomes:
            if j in self.pairs:
                i = self.pairs[j]
                yield SaidTile(self.reading.tiles[i].confidence, outcome == "right", i in self.doubted)
        yield from (SaidTile(tile.confidence, right=False, doubted=False) for tile in self.extra)

    def errors(self) -> Iterator[str]:
        for j, outcome in self.outcomes:
            if outcome != "right":
                best = self.reading.tiles[self.pairs[j]].best if j in self.pairs else None
                yield f"{self.truth['image']}: {self.truth['tiles'][j]['tile']} {outcome} {best or ''}".strip()

    def ways_up(self) -> Counter[str]:
        known = [j for j, _ in self.outcomes if j in self.pairs and not self.truth["tiles"][j].get("upright_unknown")]
        right = sum(_same_way_up(self.reading.tiles[self.pairs[j]], self.truth["tiles"][j]) for j in known)
        return Counter({"upright_of": len(known), "upright": right})

    def lying(self) -> Counter[str]:
        """Count tiles by how they lie, where the truth says what is seen of each."""
        counts = Counter[str]()
        for j, outcome in self.outcomes:
            tile = self.truth["tiles"][j]
            if "visible" in tile:
                counts[f"of {_lies(tile)}"] += 1
                counts[f"right {_lies(tile)}"] += outcome == "right"
        return counts

    def rows(self) -> list[tuple[int, ...]]:
        """The true rows of which every tile counts."""
        if not self.truth.get("melds_labelled"):
            return []
        whole = (tuple(row) for k, row in enumerate(self.truth["melds"]) if k not in self.truth.get("melds_cut", []))
        return [row for row in whole if all(_counted(self.truth["tiles"][j]) for j in row)]

    def wrong_rows(self) -> list[tuple[int, ...]]:
        true_of = {i: j for j, i in self.pairs.items()}
        got = {tuple(true_of.get(i, -1) for i in row) for row in self.reading.melds}
        got |= {row[::-1] for row in got}
        return [row for row in self.rows() if row not in got]

    def melds(self) -> Counter[str]:
        rows = self.rows()
        return Counter({"melds": len(rows), "melds_right": len(rows) - len(self.wrong_rows())})

    def illegal(self) -> Counter[str]:
        """Count the rows that are no valid meld, and those of them that were read as one."""
        wrong, counts = self.wrong_rows(), Counter[str]()
        for row in self.rows():
            tiles = tuple(Tile.parse(self.truth["tiles"][j]["tile"]) for j in row)
            if len(row) >= LEAST_MELD and not is_meld(tiles):
                said = [self.reading.tiles[self.pairs[j]].best if j in self.pairs else None for j in row]
                counts["illegal"] += 1
                counts["told_legal"] += row not in wrong and is_meld(tuple(tile for tile in said if tile))
        return counts

    def table(self, counts: Counter[str]) -> Counter[str]:
        """Say whether the table is wholly right, and whether its doubts are where they should be."""
        if not self.truth.get("melds_labelled"):
            return Counter()
        wrong = {j for j, outcome in self.outcomes if outcome != "right"} | {
            j for row in self.wrong_rows() for j in row
        }
        if wrong or counts["extra"]:
            found = any(self.pairs.get(j) in self.doubted for j in wrong)
            return Counter({"tables": 1, "wrong_doubted": int(found)})
        return Counter({"tables": 1, "tables_right": 1, "right_doubted": int(bool(self.reading.doubts))})


def _counted(tile: dict[str, Any]) -> bool:
    return tile["tile"] not in ("?", "back") and not tile.get("cut_by_frame")


def _lies(tile: dict[str, Any]) -> str:
    """Say how a rendered tile lies, in a word of `LYING`."""
    if tile.get("where") == Where.RACK:
        return "on a rack"
    if tile["visible"] < _WHOLE:
        return "partly covered"
    sides = np.linalg.norm(np.diff(np.array([*tile["corners"], tile["corners"][0]], float), axis=0), axis=1)
    long_side = max(sides[0] + sides[2], sides[1] + sides[3]) / 2
    return "smaller than 22 px" if long_side < _LEAST_PX else "smaller than 30 px" if long_side < _USUAL_PX else "plain"


def match_quads(a: list[NDArray[np.float32]], b: list[NDArray[np.float32]]) -> dict[int, int]:
    """Pair quadrilaterals of two lists, best overlaps first: for indices of `b` those of `a`."""
    near = [(i, j) for i, p in enumerate(a) for j, q in enumerate(b) if np.abs(p.mean(0) - q.mean(0)).max() < np.ptp(q)]
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for score, i, j in sorted(((overlap(a[i], b[j]), i, j) for i, j in near), reverse=True):
        if score >= LEAST_OVERLAP and i not in used and j not in pairs:
            used.add(i)
            pairs[j] = i
    return pairs


def _outcome(said: SeenTile, true: dict[str, Any]) -> str:
    if said.best is None or said.confidence < SURE_ENOUGH:
        return "unread"
    return "right" if str(said.best) == true["tile"] else "wrong"


def _same_way_up(said: SeenTile, true: dict[str, Any]) -> bool:
    first = np.array(said.corners[0]) - np.array(true["corners"])
    return int(np.argmin(np.square(first).sum(1))) == 0
