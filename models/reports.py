"""What `models.evaluate` prints: a score in words, and how far confidences keep their promise."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from models.scores import LYING, SaidTile, Score

_BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001)
_SURE = 0.9
_TOO_EASY = 0.01


def reliability(said: Sequence[SaidTile]) -> list[str]:
    """Give a line for each bin of confidence: how many were said, what was promised, how many were right."""
    lines = []
    for low, high in pairwise(_BINS):
        inside = [s for s in said if low <= s.confidence < high]
        if inside:
            promised = float(np.mean([s.confidence for s in inside]))
            right = sum(s.right for s in inside)
            share = right / len(inside)
            lines.append(
                f"  said {low:.2f}-{min(high, 1):.2f}: {right} right of {len(inside)}"
                f" ({share:.4f}, promised {promised:.4f})"
            )
    return lines


def report(name: str, score: Score, seconds: Sequence[float]) -> str:
    """Put the figures of one set of pictures into lines."""
    lines = [f"{name}: {len(seconds)} pictures", f"  {score.line()}", *_of_lying(score)]
    lines += [*_of_tables(score), *reliability(score.said)]
    lines.append(_of_confidence(score.said))
    if seconds:
        lines.append(
            f"  {np.median(seconds) * 1000:.0f} ms a picture (median), {np.max(seconds) * 1000:.0f} ms at most"
        )
    return "\n".join(lines)


def _of_lying(score: Score) -> list[str]:
    """Tell tiles of rendered tables apart by how they lie: a table seen askew has very small ones at its far end."""
    c = score.counts
    told = [f"{kind} {c[f'right {kind}']} right of {c[f'of {kind}']}" for kind in LYING if c[f"of {kind}"]]
    return [f"  of them {', '.join(told)}"] if told else []


def _of_tables(score: Score) -> list[str]:
    c = score.counts
    wrong, right = c["tables"] - c["tables_right"], c["tables_right"]
    lines = []
    if c["tables"]:
        lines.append(
            f"  of {wrong} wrong tables {c['wrong_doubted']} carry a doubt where they are wrong, "
            f"of {right} right ones {c['right_doubted']} carry any"
        )
    if c["illegal"]:
        lines.append(f"  of {c['illegal']} illegal rows {c['told_legal']} were read as valid melds")
    return lines


def _of_confidence(said: Sequence[SaidTile]) -> str:
    wrong, right = ([s for s in said if s.right is is_right] for is_right in (False, True))
    low = [sum(s.confidence < _SURE for s in part) for part in (wrong, right)]
    doubted = [sum(s.doubted for s in part) for part in (wrong, right)]
    return (
        f"  said under {_SURE}: {low[0]} of {len(wrong)} wrong and {low[1]} of {len(right)} right tiles; "
        f"doubts on {doubted[0]} wrong and {doubted[1]} right ones"
    )


def too_easy(rendered: Score, photographed: Score) -> str:
    """Compare rendered pictures with photographs: where they are read much better, they are too easy to measure on."""
    shares = [s.counts["right"] / max(1, s.counts["tiles"]) for s in (rendered, photographed)]
    verdict = "too easy" if shares[0] - shares[1] > _TOO_EASY else "not too easy"
    return f"rendered {shares[0]:.2%}, photographs {shares[1]:.2%} of the tiles: the rendered tables are {verdict}"
