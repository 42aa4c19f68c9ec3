"""A simulated game with a camera that is taken away, freezes, changes its resolution, is swapped and hangs upside down.

`python -m benchmarks.trouble --seeds 1-3`: beside the verdicts it says whether any turn was judged on an old picture
(one from before the camera was lost), and what was charged while nothing could be seen.
"""

import argparse
import random
from collections import Counter
from dataclasses import dataclass, field

import cv2
import numpy as np

from benchmarks.games import seeds_of
from models.simulate.game import Moment, Plan, SimulatedGame
from vision.frames import Picture
from web.demo import Bout
from web.eyes import MotionGate, load_eyes
from web.feed import Camera
from web.settings import Settings
from web.told import line
from web.trial import Trial
from web.watch import MOST_LOOKS

LOSSES, LOST_MS = 10, (500, 9000)
"""So often in a game the camera is taken away, and for so long."""


@dataclass
class Trouble:
    """What befalls the camera, by turn: `lost` (once a turn, for a while), then another `view` of the table."""

    dice: random.Random
    until_ms: int = 0
    losses: int = 0
    views: Counter[str] = field(default_factory=Counter)
    view: str = "as it was"

    def befalls(self, moment: Moment, turn: int) -> bool:
        """Say whether the camera gives nothing at this moment."""
        if moment.turn is not None and turn in (6, 10, 14):
            self.view = {6: "smaller", 10: "upside down", 14: "as it was"}[turn]
            self.views[self.view] += 1
        if moment.at_ms > self.until_ms + 15_000 and self.losses < LOSSES and self.dice.random() < 0.02:
            self.until_ms = moment.at_ms + self.dice.randint(*LOST_MS)
            self.losses += 1
        return moment.at_ms < self.until_ms

    def seen(self, picture: Picture) -> Picture:
        """Give the picture as the camera shows it now."""
        if self.view == "smaller":
            height, width = picture.shape[:2]
            return np.asarray(cv2.resize(picture, (width * 4 // 5, height * 4 // 5), interpolation=cv2.INTER_AREA))
        return np.asarray(picture[::-1, ::-1]) if self.view == "upside down" else picture


class TroubledBout(Bout):
    """A bout whose camera is in trouble."""

    trouble: Trouble
    lost = False
    old = 0

    def _take(self, moment: Moment) -> None:
        if self.trouble.befalls(moment, self.trial.at.turn):
            if not self.lost:
                self.trial.watcher.lose(Camera.LOST, "taken away")
            self.lost = True
            self.trial.pass_to(moment.at_ms)
            if moment.turn is not None:
                self._pending, self._called, self._worked_s = moment.turn, moment, self.trial.worked_s
            if moment.done_by is not None:
                self.trial.done(moment.done_by)
            decided = self.trial.said_of(moment.turn.n) if moment.turn else None
            self.old += decided is not None and self.trial.at.turn > 1
            return
        came_back, self.lost = self.lost, False
        if came_back:
            self.trial.look(self.trial.frame(self.trouble.seen(moment.frame()), moment.at_ms))
        super()._take(moment)

    def _matters(self, moment: Moment) -> bool:
        return super()._matters(moment) or not self.trial.watcher.at_rest


def play(seed: int, turns: int) -> TroubledBout:
    """Play one game."""
    game = SimulatedGame(Plan(seed, None, None, turns, timeouts=False))
    with Trial.open(load_eyes(Settings()), MotionGate(), MOST_LOOKS) as trial:
        bout = TroubledBout(game, trial, told=lambda turn: print("  " + line(turn), flush=True))
        bout.trouble = Trouble(random.Random(f"{seed} trouble"))
        frame = trial.frame
        trial.frame = lambda image, at_ms: frame(bout.trouble.seen(image), at_ms)
        bout.play()
    return bout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="1", help="such as 1-3 or 5,9")
    parser.add_argument("--turns", type=int, default=18)
    asked = parser.parse_args()
    for seed in seeds_of(asked.seeds):
        bout = play(seed, asked.turns)
        right, wrong = sum(t.right for t in bout.turns), sum(t.wrong for t in bout.turns)
        charged = max((t.said.charged_ms - (t.used_ms or 0) for t in bout.turns), default=0)
        print(
            f"seed {seed}: right {right}, wrong {wrong}, false illegal {sum(t.accused for t in bout.turns)},"
            f" unsure {len(bout.turns) - right - wrong}; camera lost {bout.trouble.losses} times,"
            f" {dict(bout.trouble.views)}; judged on an old picture {bout.old};"
            f" charged at most {charged / 1000:.1f} s too much; a person helped {bout.counts.helped} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
