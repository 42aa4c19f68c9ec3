"""How fast the judge is: `python -m benchmarks.judge [TURNS]`.

Random turns on a table of 106 (and of 160) tiles in every preset, joker-heavy ones among them, each judged once.
"""

import random
import statistics
import sys
import time

from benchmarks.turns import random_turn
from referee.judge import Situation, judge_turn
from referee.rules import PRESETS, JokerReuse, JokerSwap, RuleSet

STRICTEST = [
    RuleSet(joker_swap=swap, joker_meld_locked=locked, joker_reuse=reuse)
    for swap in (JokerSwap.ANY, JokerSwap.HAND)
    for locked in (True, False)
    for reuse in JokerReuse
]


def times(turns: int, copies: int, jokers: int) -> tuple[list[float], dict[str, int]]:
    """Judge random turns; give the milliseconds that each took, and how often each ruling fell."""
    rng = random.Random(turns)
    rules = [one.with_options({"copies": copies, "jokers": jokers}) for one in [*PRESETS.values(), *STRICTEST]]
    took, rulings = [], {}
    for number in range(turns):
        before, after = random_turn(rng, copies, jokers)
        situation = Situation(opened=rng.random() < 0.8)
        start = time.perf_counter()
        verdict = judge_turn(before, after, rules[number % len(rules)], situation)
        took.append(1000 * (time.perf_counter() - start))
        key = ",".join(verdict.codes) or verdict.ruling.value
        rulings[key] = rulings.get(key, 0) + 1
    return took, rulings


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for copies, jokers in ((2, 2), (3, 4)):
        took, rulings = times(turns, copies, jokers)
        high = statistics.quantiles(took, n=1000)[-1]
        tiles = 52 * copies + jokers
        print(f"{turns} turns, {tiles} tiles: median {statistics.median(took):.3f} ms, 99.9th percentile {high:.3f} ms,"
              f" worst {max(took):.3f} ms")
        print("   ", ", ".join(f"{k} {v}" for k, v in sorted(rulings.items(), key=lambda kv: -kv[1])))


if __name__ == "__main__":
    main()
