"""What a game that is played before the referee tells of itself; `models.simulate` plays such games."""

from collections.abc import Callable, Iterator
from typing import Protocol

from referee.rules import RuleSet
from referee.table import Quad, Row, Table
from referee.tiles import Tile
from referee.verdict import Ruling
from vision.frames import Picture


class TurnTruth(Protocol):
    """What really happened in one turn; see `models.simulate.truth.TurnTruth`."""

    @property
    def n(self) -> int:
        """The turn's number."""
        ...

    @property
    def player(self) -> str:
        """Whose turn it was."""
        ...

    @property
    def after(self) -> Table:
        """What lay there at the call."""
        ...

    @property
    def ruling(self) -> Ruling:
        """What the turn was."""
        ...

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its faults."""
        ...

    @property
    def planted(self) -> str | None:
        """The fault that was made on purpose."""
        ...

    @property
    def timed_out(self) -> bool:
        """Whether the clock ran out."""
        ...

    @property
    def began_ms(self) -> int:
        """When the turn began."""
        ...

    @property
    def said_done_ms(self) -> int | None:
        """When "done" was said."""
        ...

    @property
    def last_hand_ms(self) -> int:
        """When the last hand left the table."""
        ...

    @property
    def used_ms(self) -> int:
        """What the player's clock has run at the call."""
        ...


class Shown(Protocol):
    """Tiles laid face up that are no play; see `models.simulate.truth.Shown`."""

    @property
    def occasion(self) -> str:
        """Why: `start` or `racks`."""
        ...

    @property
    def tiles(self) -> tuple[tuple[str, Row], ...]:
        """What each player named has laid there."""
        ...


class Moment(Protocol):
    """One picture of the camera, and what happens at that moment; see `models.simulate.truth.Moment`."""

    @property
    def at_ms(self) -> int:
        """When it is."""
        ...

    @property
    def frame(self) -> Callable[[], Picture]:
        """Draws the picture."""
        ...

    @property
    def corners(self) -> Callable[[], tuple[tuple[Tile, Quad], ...]]:
        """Tells where each tile lies in it."""
        ...

    @property
    def hands(self) -> bool:
        """Whether a hand is over the table."""
        ...

    @property
    def bumped(self) -> bool:
        """Whether the camera is being bumped."""
        ...

    @property
    def lit(self) -> bool:
        """Whether the light changes."""
        ...

    @property
    def done_by(self) -> str | None:
        """Who says "done" now."""
        ...

    @property
    def turn(self) -> TurnTruth | None:
        """The turn that ends now."""
        ...

    @property
    def waits(self) -> bool:
        """Whether the players wait for the referee."""
        ...

    @property
    def shown(self) -> Shown | None:
        """The tiles that they want to be read meanwhile."""
        ...


class StagePlay(Protocol):
    """A game played by the moment; see `models.simulate.game.SimulatedGame`."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, in turn order."""
        ...

    @property
    def rules(self) -> RuleSet:
        """The rules of the game."""
        ...

    @property
    def draws_for_start(self) -> bool:
        """Whether the game begins with tiles that are drawn to see who starts."""
        ...

    def moments(self) -> Iterator[Moment]:
        """Give the game moment by moment."""
        ...

    def go_on(self) -> None:
        """Let the players go on: the referee has spoken."""
        ...

    def hand(self, player: str) -> tuple[Tile, ...]:
        """Give what a player holds now."""
        ...
