"""An evening at the table, compressed: does memory grow, and what does a picture of a still table cost?

`python -m benchmarks.endurance [PICTURES]` (100,000 by default, ten a second, 1920x1080): one game after the other, in
each of which melds come one by one, then players draw; a hand reaches over the table before every turn. Tells every
10,000 pictures the resident memory, without the pictures, which are made beforehand, and the seconds of the processor.
"""

import argparse
import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.reading import noisy
from models.render.tables import Style, render_table
from referee.rules import RuleSet
from referee.table import Table
from referee.tiles import Tile
from vision.frames import Picture
from web.eyes import MotionGate, load_eyes
from web.settings import Settings
from web.trial import Trial
from web.watch import MOST_LOOKS

SIZE, TILE_PX = (1920, 1080), 60
EVERY_MS = 100
TURN, REACHING = 600, 20
"""Pictures of a turn, and those of them in which a hand is over the table."""
GAME = 40 * TURN
"""Pictures of a game."""
PLAYERS = ("Ada", "Ben")
COPIES = 8
"""Pictures of each table, each with its own noise; they follow each other in turn."""
MELDS = ("K13 R13 O13", "B10 R10 K10", "R1 R2 R3 R4", "K4 K5 K6 K7", "O8 B8 R8", "B1 B2 B3")
TOLD_EVERY = 10_000


@dataclass(frozen=True)
class Evening:
    """What the camera sees, picture by picture: `tables[k]` are pictures of the table after k melds."""

    tables: list[list[Picture]]

    @classmethod
    def rendered(cls) -> "Evening":
        """Make the pictures."""
        rng = np.random.default_rng(0)
        texts = [" / ".join(MELDS[: k + 1]) for k in range(len(MELDS))]
        pictures = [render_table(Table.parse(t), 5, SIZE, TILE_PX, style=Style(calm=True)).image for t in texts]
        bare = np.full_like(pictures[0], np.median(pictures[0], axis=(0, 1)).astype(np.uint8))
        return cls([[noisy(picture, rng) for _ in range(COPIES)] for picture in (bare, *pictures)])

    @property
    def megabytes(self) -> float:
        """The memory of the pictures themselves, which is no part of what is measured."""
        return sum(picture.nbytes for table in self.tables for picture in table) / 2**20

    def picture(self, number: int) -> Picture:
        """Give the picture with this number; a turn ends with its last one."""
        turn, at = divmod(number % GAME, TURN)
        table = self.tables[min(turn + (at >= REACHING // 2), len(self.tables) - 1)]
        seen = table[number % COPIES]
        if at >= REACHING:
            return seen
        seen = seen.copy()
        reach = 1 - abs(2 * at / REACHING - 1)
        cv2.ellipse(seen, (SIZE[0] // 2, SIZE[1]), (160, int(reach * SIZE[1])), 0, 0, 360, (95, 130, 190), -1)
        return seen


def resident_mb() -> float:
    """Give this process's memory; the most it had where the system does not tell what it has now."""
    told = Path("/proc/self/statm")
    if told.exists():
        return int(told.read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def next_game(trial: Trial) -> None:
    """Score the game that was played, if one was, with a tile left to each, and start another."""
    if trial.at.players:
        trial.desk.end_game(version=None, now=trial.clock())
        trial.count({name: (Tile.parse("R5"),) for name in PLAYERS})
    trial.start(PLAYERS, RuleSet())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="?", type=int, default=100_000)
    asked = parser.parse_args()
    evening = Evening.rendered()
    with Trial.open(load_eyes(Settings()), MotionGate(), MOST_LOOKS) as trial:
        worked = time.process_time()
        for number in range(asked.pictures):
            trial.pass_to(number * EVERY_MS)
            if number % GAME == 0:
                next_game(trial)
            trial.look(trial.frame(evening.picture(number), number * EVERY_MS))
            if number % TURN == TURN - 1:
                trial.done(None)
            if (number + 1) % min(TOLD_EVERY, asked.pictures) == 0:
                spent, worked = time.process_time() - worked, time.process_time()
                memory = resident_mb() - evening.megabytes
                game, turn, melds = number // GAME + 1, trial.at.turn, len(trial.at.table.rows)
                where = f"game {game}, turn {turn}, {melds} melds"
                print(f"{number + 1:,} pictures, {where}: {memory:.0f} MB, {spent:.0f} s", flush=True)


if __name__ == "__main__":
    main()
