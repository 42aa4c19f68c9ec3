"""All benchmarks in a short form, one after the other: `python -m benchmarks`."""

import subprocess
import sys
from pathlib import Path

SHORT = {
    "judge": ["1000"],
    "arrange": ["40"],
    "fold": ["2000"],
    "decoding": ["20"],
    "reading": [],
    "pages": ["10", "5"],
}
"""The benchmarks, each with the arguments that make it short."""


def run(name: str, arguments: list[str]) -> bool:
    """Run one benchmark in a process of its own, and say whether it met its bars."""
    print(f"\n{name} {' '.join(arguments)}", flush=True)
    done = subprocess.run(  # noqa: S603  # our own module
        [sys.executable, "-m", f"benchmarks.{name}", *arguments], cwd=Path(__file__).parents[1], check=False
    )
    return done.returncode == 0


def main() -> int:
    failed = [name for name, arguments in SHORT.items() if not run(name, arguments)]
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall ran")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
