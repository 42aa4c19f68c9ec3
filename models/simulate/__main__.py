"""Write a simulated game: `python -m models.simulate --seed 1 --out game.avi` (or a folder: one picture a turn).

The script of the turns, as `rummy-referee replay` takes it, is written beside it.
"""

import argparse
import sys
import time
from pathlib import Path

from models.simulate.errors import PlanError, RecordingError
from models.simulate.game import Plan, TurnTruth
from models.simulate.recording import record
from referee.errors import RuleError
from referee.rules import preset

USAGE_ERROR = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.simulate", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same game (1)")
    parser.add_argument(
        "--out", type=Path, required=True, help="a video (.avi, .mp4), or a folder for a picture a turn"
    )
    parser.add_argument("--rules", help="a preset; the seed chooses where none is given")
    parser.add_argument("--turns", type=int, default=20, help="the game stops after so many turns (20)")
    parser.add_argument("--players", type=int, help="how many play; the seed chooses where it is not given")
    parser.add_argument("--size", type=_size, default=(1280, 960), help="WIDTHxHEIGHT of the pictures (1280x960)")
    for name, what in SWITCHES.items():
        parser.add_argument(f"--no-{name}", action="store_false", dest=name, help=f"without {what}")
    return parser


SWITCHES = {
    "faults": "faults on purpose",
    "timeouts": "clocks that run out",
    "bumps": "a bumped camera",
    "lights": "changes of the light",
}


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    args = _parser().parse_args(arguments)
    start = time.monotonic()

    def told(turn: TurnTruth) -> None:
        codes = ", ".join(turn.codes)
        passed = time.monotonic() - start
        sys.stderr.write(f"{passed:5.0f} s  turn {turn.n} of {args.turns}: {turn.player}: {turn.ruling} {codes}\n")

    try:
        record(_plan(args), args.out, told)
    except (PlanError, RuleError, RecordingError) as error:
        sys.stderr.write(f"{error}\n")
        return USAGE_ERROR
    return 0


def _plan(args: argparse.Namespace) -> Plan:
    return Plan(
        seed=args.seed,
        rules=preset(args.rules) if args.rules else None,
        players=args.players,
        turns=args.turns,
        size=args.size,
        **{name: getattr(args, name) for name in SWITCHES},
    )


if __name__ == "__main__":
    sys.exit(main())
