"""What the decoder gains, keeps and promises, on tables of `benchmarks.made_up_faces`.

python -m benchmarks.decoding [TABLES]
"""

import sys
import time
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks.made_up_faces import Conditions, Look, look_at_table
from referee.melds import is_meld
from vision.decode import Decoded, decode
from vision.legal_rows import FACES, legal_weights

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.001)


def accuracy(looks: Sequence[Look], decoded: Sequence[Decoded]) -> str:
    tiles = sum(len(look.faces) for look in looks)
    alone = [look.evidence.joint.sum(axis=1).argmax(axis=1) == look.faces for look in looks]
    after = [found.said == look.faces for look, found in zip(looks, decoded, strict=True)]
    tables = f"tables {sum(a.all() for a in alone)} -> {sum(a.all() for a in after)} of {len(looks)}"
    return f"tiles wrong {sum((~a).sum() for a in alone)} -> {sum((~a).sum() for a in after)} of {tiles}; {tables}"


def survival(looks: Sequence[Look], decoded: Sequence[Decoded]) -> str:
    planted, legal_said, alone_legal = 0, 0, 0
    for look, found in zip(looks, decoded, strict=True):
        alone = look.evidence.joint.sum(axis=1).argmax(axis=1)
        for k in look.illegal:
            row = list(look.layout.rows[k])
            if is_meld(tuple(FACES[f] for f in look.faces[row])):
                continue
            planted += 1
            legal_said += is_meld(tuple(FACES[f] for f in found.said[row]))
            alone_legal += is_meld(tuple(FACES[f] for f in alone[row]))
    return f"illegal rows {planted}, told as valid melds: {alone_legal} by the tiles alone, {legal_said} after decoding"


def reliability(looks: Sequence[Look], decoded: Sequence[Decoded]) -> str:
    said = np.concatenate([found.probabilities[np.arange(len(found.said)), found.said] for found in decoded])
    right = np.concatenate([found.said == look.faces for look, found in zip(looks, decoded, strict=True)])
    lines = []
    for low, high in pairwise(EDGES):
        here = (said >= low) & (said < high)
        if here.any():
            said_here, right_here = said[here].mean(), right[here].mean()
            lines.append(f"  {low:.3f} to {high:.3f}: {here.sum():6d}, said {said_here:.3f}, right {right_here:.3f}")
    return "\n".join(lines)


def speed(looks: Sequence[Look], times: Sequence[float]) -> str:
    full = [ms for look, ms in zip(looks, times, strict=True) if len(look.faces) > 90]
    large = f"of more than 90 tiles {np.median(full):.1f} ms" if full else "none of more than 90 tiles"
    return f"processor time: median {np.median(times):.1f} ms, {large}, longest {max(times):.1f} ms"


def measure(conditions: Conditions, tables: int) -> None:
    rng = np.random.default_rng(2024)
    looks = [look_at_table(rng, conditions) for _ in range(tables)]
    times, decoded = [], []
    for look in looks:
        start = time.process_time()
        decoded.append(decode(look.evidence, look.layout))
        times.append(1000 * (time.process_time() - start))
    print(conditions)
    for told in (accuracy, survival, reliability):
        print(told(looks, decoded))
    print(speed(looks, times))


def main(tables: int) -> None:
    for length in range(1, 14):
        legal_weights(length)  # made once in a program's life, so not a part of the times
    for mark, noise in ((2.0, 0.6), (0.0, 0.6), (2.0, 1.0)):
        measure(Conditions(mark, noise), tables)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
