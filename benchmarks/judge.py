"""How fast the judge is: `python -m benchmarks.judge [TURNS]`.

Random turns on a table of 106 (and of 160) tiles in every preset, joker-heavy ones among them, each judged once; then
turns of which six tiles of the table are doubtful, with two alternatives each. Times are of the processor, so that what
else runs on the machine does not count.
"""

import random
import statistics
import sys
import time

from benchmarks.fold import best_ms, reference
from benchmarks.turns import doubtful, random_turn
from referee.doubts import judge_reading
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
        start = time.process_time()
        verdict = judge_turn(before, after, rules[number % len(rules)], situation)
        took.append(1000 * (time.process_time() - start))
        key = ",".join(verdict.codes) or verdict.ruling.value
        rulings[key] = rulings.get(key, 0) + 1
    return took, rulings


def doubtful_times(turns: int) -> tuple[list[float], dict[str, int]]:
    """Judge turns with six doubtful tiles. The set has three copies of each, so that no alternative is impossible."""
    rng = random.Random(turns)
    rules = [one.with_options({"copies": 3}) for one in PRESETS.values()]
    took, rulings = [], {}
    for number in range(turns):
        before, after = random_turn(rng)
        reading = doubtful(after, 6, rng)
        start = time.process_time()
        verdict = judge_reading(before, reading, rules[number % len(rules)])
        took.append(1000 * (time.process_time() - start))
        rulings[verdict.ruling.value] = rulings.get(verdict.ruling.value, 0) + 1
    return took, rulings


def report(title: str, took: list[float], rulings: dict[str, int]) -> None:
    """Print one line of figures and how often each ruling, or set of faults, fell."""
    high = statistics.quantiles(took, n=1000)[-1]
    print(
        f"{title}: median {statistics.median(took):.3f} ms, 99.9th percentile {high:.3f} ms, worst {max(took):.3f} ms"
    )
    print("   ", ", ".join(f"{key} {count}" for key, count in sorted(rulings.items(), key=lambda item: -item[1])))


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"reference loop: {best_ms(reference):.0f} ms")
    for copies, jokers in ((2, 2), (3, 4)):
        report(f"{turns} turns, {52 * copies + jokers} tiles", *times(turns, copies, jokers))
    report(f"{turns // 20} turns, 6 doubtful tiles", *doubtful_times(turns // 20))
    print(f"reference loop: {best_ms(reference):.0f} ms")


if __name__ == "__main__":
    main()
