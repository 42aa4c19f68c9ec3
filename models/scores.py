"""How right a reading is, against the truth of its picture: the counts that `models.evaluate` prints.

A said tile matches a true one where their outlines overlap with an intersection over union of at least 0.5, best pairs
first. Tiles cut by the frame or unreadable to a person count on neither side.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.table import SURE_ENOUGH, SeenTile, TableReading, Where
from vision.patches import overlap

LEAST_OVERLAP = 0.5


@dataclass(frozen=True)
class SaidTile:
    """One face-up tile as said: its confidence, whether it was right, and whether it carries a doubt."""

    confidence: float
    right: bool
    doubted: bool


@dataclass(frozen=True)
class Score:
    """Counts of one picture, or of many added together.

    `counts`: tiles, right, wrong (another tile, said with 0.5 or more), unread, missed, extra, upright, upright_of,
    melds, melds_right, tables, tables_right. `said`: every matched or extra tile with its confidence.
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


def score_reading(reading: TableReading, truth: dict[str, Any]) -> Score:
    """Score one reading against a truth file's content."""
    said = [(i, t) for i, t in enumerate(reading.tiles) if not t.back]
    true = [t for t in truth["tiles"] if t["tile"] != "back"]
    place = {id(t): j for j, t in enumerate(truth["tiles"])}
    pairs = match_quads(
        [np.array(t.corners, np.float32) for _, t in said], [np.array(t["corners"], np.float32) for t in true]
    )
    counts, marks, errors = Counter({"tables": int(bool(truth.get("melds_labelled")))}), [], []
    doubted = {i for d in reading.doubts for i in d.tiles}
    for b, t in enumerate(true):
        if not _counted(t):
            continue
        counts["tiles"] += 1
        a = pairs.get(b)
        outcome = "missed" if a is None else _outcome(said[a][1], t)
        counts[outcome] += 1
        if outcome != "right":
            errors.append(
                f"{truth['image']}: {t['tile']} {outcome} {'' if a is None else said[a][1].best or ''}".strip()
            )
        if a is not None:
            marks.append(SaidTile(said[a][1].confidence, outcome == "right", said[a][0] in doubted))
            counts["upright_of"] += not t.get("upright_unknown", False)
            counts["upright"] += not t.get("upright_unknown", False) and _same_way_up(said[a][1], t)
    matched = set(pairs.values())
    extra = [t for a, (_, t) in enumerate(said) if a not in matched and t.best is not None and t.where is Where.TABLE]
    counts["extra"] = len(extra)
    errors += [f"{truth['image']}: {t.best} on nothing" for t in extra]
    marks += [SaidTile(t.confidence, right=False, doubted=False) for t in extra]
    index = {said[a][0]: place[id(true[b])] for b, a in pairs.items()}
    counts += _meld_counts(reading, truth, index)
    perfect = counts["right"] == counts["tiles"] and not extra and counts["melds"] == counts["melds_right"]
    counts["tables_right"] = int(perfect and counts["tables"])
    return Score(counts, tuple(marks), tuple(errors))


def _counted(tile: dict[str, Any]) -> bool:
    return tile["tile"] != "?" and not tile.get("cut_by_frame")


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


def _meld_counts(reading: TableReading, truth: dict[str, Any], index: dict[int, int]) -> Counter[str]:
    if not truth.get("melds_labelled"):
        return Counter()
    got = {tuple(index.get(i, -1) for i in row) for row in reading.melds}
    got |= {row[::-1] for row in got}
    whole = [
        tuple(meld)
        for k, meld in enumerate(truth["melds"])
        if k not in truth.get("melds_cut", []) and all(_counted(truth["tiles"][j]) for j in meld)
    ]
    return Counter({"melds": len(whole), "melds_right": sum(meld in got for meld in whole)})
