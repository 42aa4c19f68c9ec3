"""What a simulated game is made from: a seed and a few wishes."""

import random
from dataclasses import dataclass

from models.simulate.errors import PlanError
from referee.decisions import MOST_PLAYERS, MOST_WITH_BIG_SET
from referee.position import BIG_SET_COPIES, HAND, USUAL_PLAYERS
from referee.rules import PRESETS, RuleSet
from referee.tiles import full_set

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Flo")
FEWEST_PLAYERS = 2
SEEDS_A_CUSTOM = 4
"""Of so many rounds through the presets one is played with `naturals_outnumber`, the custom that no preset has."""
SMALLEST_SIDE = 240


@dataclass(frozen=True)
class Plan:
    """A game to be simulated; all of it follows from these values.

    `rules`, `players`: the seed chooses where None. `turns`: the game stops after so many, or earlier when it is over
    by the rules. `size`: width and height of the pictures. The flags switch off what makes it hard: faults on purpose,
    run-out clocks, a bumped camera, changes of the light; and they switch on that the players draw for who begins, and
    that they lay their racks out at the end.

    Raises:
        PlanError: a number that cannot be.
    """

    seed: int = 1
    rules: RuleSet | None = None
    players: int | None = None
    turns: int = 20
    size: tuple[int, int] = (1280, 960)
    faults: bool = True
    timeouts: bool = True
    bumps: bool = True
    lights: bool = True
    starting: bool = False
    counting: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.turns < 1 or self.seed < 0 or min(self.size) < SMALLEST_SIDE:
            msg = f"a game has a seed from 0, a turn or more and pictures of {SMALLEST_SIDE} pixels or more, not {self}"
            raise PlanError(msg)
        most = _most_players(self.chosen_rules())
        if self.players is not None and not FEWEST_PLAYERS <= self.players <= most:
            msg = f"{self.players} players: with these rules {FEWEST_PLAYERS} to {most} can play"
            raise PlanError(msg)

    def dice(self, purpose: str) -> random.Random:
        """Give dice of their own for a purpose: what they throw follows from the seed and the purpose alone."""
        return random.Random(f"{self.seed} {purpose}")

    def chosen_rules(self) -> RuleSet:
        """Give the rules: those asked for, or the presets by turns, now and then with `naturals_outnumber`."""
        if self.rules is not None:
            return self.rules
        custom, place = divmod(self.seed, len(PRESETS))
        rules = list(PRESETS.values())[place]
        return rules.with_options({"naturals_outnumber": True}) if custom % SEEDS_A_CUSTOM == 1 else rules

    def chosen_names(self) -> tuple[str, ...]:
        """Give the players' names, in turn order."""
        usual = min(USUAL_PLAYERS, _most_players(self.chosen_rules()))
        return NAMES[: self.players or self.dice("players").randint(FEWEST_PLAYERS, usual)]


def _most_players(rules: RuleSet) -> int:
    """Give how many can play: what the rules allow, and no more than the set has hands for."""
    most = MOST_WITH_BIG_SET if rules.copies >= BIG_SET_COPIES else MOST_PLAYERS
    return min(most, full_set(rules.copies, rules.jokers).total() // HAND)
