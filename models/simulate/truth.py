"""What a simulated game tells: its pictures one by one, and what really happened in each turn."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from referee.table import Quad, Row, Table
from referee.tiles import Tile
from referee.verdict import Ruling
from vision.frames import Picture

FRAME_MS = 100
"""Pictures come ten times a second of virtual time."""


@dataclass(frozen=True)
class TurnTruth:
    """What really happened in one turn.

    `after` lies at the call; the ruling and the `codes` of faults, in the order of the contract, are the judge's on the
    true tables. `planted`: the fault that was made on purpose. `timed_out`: the player let the clock run out, so that
    nobody says "done". Moments are virtual milliseconds: when the turn began, when its first tile moved, when "done"
    was said, when the last hand left the table (`began_ms` where none came). `used_ms`: what the player's clock has run
    at the call.
    """

    n: int
    player: str
    before: Table
    after: Table
    ruling: Ruling
    codes: tuple[str, ...]
    planted: str | None
    timed_out: bool
    began_ms: int
    first_move_ms: int | None
    said_done_ms: int | None
    last_hand_ms: int
    used_ms: int


class Occasion(StrEnum):
    """Why tiles are shown that are no play."""

    START = "start"
    """Each player has drawn a tile; the highest begins (2.2)."""
    RACKS = "racks"
    """The game is over; a player has laid what was left on the rack (10.1)."""


class Shown(NamedTuple):
    """Tiles that lie face up on the table and are no play: what each player named has laid there."""

    occasion: Occasion
    tiles: tuple[tuple[str, Row], ...]


@dataclass(frozen=True)
class Moment:
    """One picture of the camera.

    `frame` draws it when it is called: BGR uint8 (h, w, 3); what is not drawn costs nothing. `corners` tells where each
    face-up tile of the table lies in it, as `SeenTile.corners` does. `restful`: nothing moves now nor for a while, so
    whoever has seen enough stillness may leave it out. `hands`, `bumped`, `lit`: a hand is over the table, the camera
    is being bumped, the light changes. `done_by` says "done" now. `turn` comes with the end of a turn ("done", or the
    time that is up). `waits`: the players wait for the referee until `SimulatedGame.go_on`. `shown`: they do so because
    these tiles are to be read.
    """

    at_ms: int
    frame: Callable[[], Picture]
    corners: Callable[[], tuple[tuple[Tile, Quad], ...]]
    restful: bool = False
    hands: bool = False
    bumped: bool = False
    lit: bool = False
    done_by: str | None = None
    turn: TurnTruth | None = None
    waits: bool = False
    shown: Shown | None = None
