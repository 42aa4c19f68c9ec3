"""Whole simulated games before the referee: `python -m benchmarks.games --seeds 1-100`.

Each game is a process of its own (`rummy-referee demo --no-serve --json`); its document is appended to a file of lines,
so that a run that was broken off goes on where it was. In the end the bars are printed.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

RESULTS = Path("runs/games.jsonl")
DEMO = [sys.executable, "-c", "from web.cli import main; main()", "demo", "--no-serve", "--json"]
OPEN = ("unsure", "impossible")
Game = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="1-10", help="such as 1-100 or 3,7")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    seeds = list(seeds_of(asked.seeds))
    known = {game["seed"] for game in games(asked.results)}
    for seed in seeds:
        if seed not in known:
            play(seed, asked.turns, asked.results)
    report([game for game in games(asked.results) if game["seed"] in set(seeds)])


def seeds_of(text: str) -> Iterator[int]:
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def games(results: Path) -> list[Game]:
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []


def play(seed: int, turns: int, results: Path) -> None:
    done = subprocess.run(  # noqa: S603 -- our own command
        [*DEMO, "--seed", str(seed), "--turns", str(turns)], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        print(f"seed {seed} broke off ({done.returncode}): {done.stderr.strip().splitlines()[-1:]}", flush=True)
        return
    game = json.loads(done.stdout)
    with results.open("a") as file:
        file.write(json.dumps(game) + "\n")
    counts = game["counts"]
    print(
        f"seed {seed:3} {game['preset']:12} right {counts['right']:2} wrong {counts['wrong']} unsure {counts['unsure']}"
        f" clock {game['clock_error_s']} s",
        flush=True,
    )


def report(played: list[Game]) -> None:
    turns = [turn for game in played for turn in game["turns"]]
    if not turns:
        return
    legal = [turn for turn in turns if turn["truth"]["verdict"] != "illegal"]
    open_ = [turn for turn in turns if turn["said"]["verdict"] in OPEN]
    sums: Counter[str] = Counter()
    for game in played:
        sums.update({name: count for name, count in game["counts"].items() if isinstance(count, int)})
    certain = len(turns) - len(open_)
    named = [turn["named"] for turn in open_ if turn["named"] is not None]
    seconds = sorted(turn["seconds"] for turn in turns)
    print(f"{len(played)} games, {len(turns)} turns; presets: {dict(Counter(game['preset'] for game in played))}")
    print(f"right {sums['right']} of {certain} said for certain ({100 * sums['right'] / max(1, certain):.2f} %)")
    print(f"false illegal {sums['false_illegal']} of {len(legal)} turns without a fault")
    print(f"missed {sums['missed_faults']} of {len(turns) - len(legal)} turns with one")
    print(
        f"unsure {len(open_)} ({100 * len(open_) / len(turns):.2f} %); a tile was misread in {len(named)} of them,"
        f" and asked about in {sum(named)}"
    )
    charged = [turn["overcharged_s"] for turn in turns if turn["overcharged_s"]]
    print(
        f"clocks: at most {max(charged, default=0)} s charged too much and {-min(charged, default=0)} s too little;"
        f" off by more than 0.1 s in {sum(abs(s) > 0.1 for s in charged)} of {len(turns)} turns"
    )
    print(f"a person helped {sums['helped']} times")
    middle, late = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.95)]
    print(f"seconds to the verdict: median {middle}, 95th percentile {late}")
    print(f"occlusions {sums['occlusions']}, bumps {sums['bumps']}, light changes {sums['light_changes']}")
    if sums["shown"]:
        print(f"racks laid open to be counted: read right {sums['shown_right']} of {sums['shown']}")
    for code, count in sorted(planted(played).items()):
        print(f"  planted {code:26} {count}")
    for turn in wrong(played):
        print(f"  WRONG {turn}")


def planted(played: Iterable[Game]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for game in played:
        sums.update(game["counts"]["planted"])
    return sums


def wrong(played: Iterable[Game]) -> Iterator[str]:
    for game in played:
        for turn in game["turns"]:
            truth, said = turn["truth"], turn["said"]
            right = said["verdict"] == truth["verdict"] and set(said["codes"]) == set(truth["codes"])
            if not right:
                told = f"{truth} said {said['verdict']} {said['codes']}: {turn['table']}"
                yield f"seed {game['seed']} turn {turn['n']}: {told}"


if __name__ == "__main__":
    main()
