"""Hands at work: from one table to the next, stroke by stroke, and what lies, moves and covers at every moment."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from models.render.placement import Placement
from models.simulate.floor import Floor, Lying, LyingRow
from models.simulate.hidden import Piece

REACH_MS, MS_A_TILE, LONGEST_MS = 320, 26, 1300
DWELL_MS = (80, 320)
MOST_CARRIED, MOST_SLID = 4, 3
LIFT = 0.9
"""How high a tile is lifted over the others at most, in tile widths."""
SLIDES = 0.5
SLID_FROM = 0.02
GRIP = 0.45
"""How far behind the middle of what it carries a hand takes hold, towards its player."""


class Seat(NamedTuple):
    """Where a player's shoulder is, on the table's plane in tile widths, out of the picture."""

    x: float
    y: float


class HandPose(NamedTuple):
    """A hand over the table: whose, where its fingers are, how high, and whether they hold something."""

    seat: int
    x: float
    y: float
    height: float = 0.3
    holds: bool = False


class Carry(NamedTuple):
    """A piece that a hand takes along; `gone` where it leaves the table."""

    piece: Piece
    start: Placement
    goal: Placement
    gone: bool = False


class Stroke(NamedTuple):
    """One movement of a hand between two points, with what it takes along, lifted by up to `lift`."""

    start_ms: int
    end_ms: int
    start: tuple[float, float]
    goal: tuple[float, float]
    carried: tuple[Carry, ...] = ()
    lift: float = 0.0


class Posture(NamedTuple):
    """What is to be seen at one moment: pieces that lie, pieces on the move, hands."""

    lying: tuple[Lying, ...]
    moving: tuple[Lying, ...] = ()
    hands: tuple[HandPose, ...] = ()


def eased(share: float) -> float:
    """Give how far a movement has come after a share of its time: slow, fast, slow (minimum jerk)."""
    s = min(max(share, 0.0), 1.0)
    return s**3 * (10 - 15 * s + 6 * s * s)


@dataclass(frozen=True)
class Script:
    """Strokes one after another on a table; `seat` is whose hand it is."""

    before: Floor
    strokes: tuple[Stroke, ...]
    seat: int
    start_ms: int

    @property
    def end_ms(self) -> int:
        """When the hand has left the table."""
        return self.strokes[-1].end_ms if self.strokes else self.start_ms

    @property
    def first_move_ms(self) -> int | None:
        """When the first tile of the table moves, or the first one of the hand is put on it."""
        lay = self.before.places
        moves = (
            stroke.start_ms if any(carry.piece in lay for carry in stroke.carried) else stroke.end_ms
            for stroke in self.strokes
            if stroke.carried
        )
        return next(moves, None)

    @property
    def last_touch_ms(self) -> int:
        """When the last tile comes to lie."""
        return max((stroke.end_ms for stroke in self.strokes if stroke.carried), default=self.start_ms)

    def at(self, ms: int) -> Posture:
        """Give what is to be seen at a moment."""
        return self._end if ms >= self.end_ms else self._at(ms)

    @cached_property
    def _end(self) -> Posture:
        return self._at(self.end_ms)

    def _at(self, ms: int) -> Posture:
        places = dict(self.before.places)
        for stroke in self.strokes:
            if ms < stroke.start_ms:
                break
            for carry in stroke.carried:
                places.pop(carry.piece, None)
            if ms < stroke.end_ms:
                return self._during(stroke, places, ms)
            places |= {carry.piece: carry.goal for carry in stroke.carried if not carry.gone}
        return Posture(tuple(Lying(*item) for item in sorted(places.items(), key=lambda item: item[0])))

    def _during(self, stroke: Stroke, places: dict[Piece, Placement], ms: int) -> Posture:
        share = eased((ms - stroke.start_ms) / (stroke.end_ms - stroke.start_ms))
        height = stroke.lift * 4 * share * (1 - share)
        moving = tuple(Lying(carry.piece, _between(carry, share, height)) for carry in stroke.carried)
        x, y = (a + (b - a) * share for a, b in zip(stroke.start, stroke.goal, strict=True))
        hand = HandPose(self.seat, x, y, 0.3 + height, holds=bool(stroke.carried))
        return Posture(
            tuple(Lying(*item) for item in sorted(places.items(), key=lambda item: item[0])), moving, (hand,)
        )


def _between(carry: Carry, share: float, height: float) -> Placement:
    start, goal = carry.start, carry.goal
    turn = (goal.angle - start.angle + np.pi) % (2 * np.pi) - np.pi
    return replace(
        goal,
        x=start.x + (goal.x - start.x) * share,
        y=start.y + (goal.y - start.y) * share,
        angle=start.angle + turn * share,
        height=max(height, SLID_FROM if share < 1 else 0.0),
    )


@dataclass
class Writer:
    """Writes a script for one player's hand; times are taken from the pace (1 is usual, more is slower)."""

    before: Floor
    seat: int
    seats: Sequence[Seat]
    start_ms: int
    dice: random.Random
    pace: float = 1.0
    strokes: list[Stroke] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with the hand off the table."""
        self._now = self.start_ms
        self._tip: tuple[float, float] = self._home

    @property
    def tip(self) -> tuple[float, float]:
        """Where the hand is, or was last over the table before it left."""
        over = [stroke.goal for stroke in self.strokes if stroke.goal != self._home]
        return over[-1] if over else self._home

    @property
    def _home(self) -> tuple[float, float]:
        return self.seats[self.seat]

    def script(self) -> Script:
        """Take the hand off the table and give the script."""
        if self._tip != self._home:
            self._stroke(self._home)
        return Script(self.before, tuple(self.strokes), self.seat, self.start_ms)

    def play(self, after: Floor) -> None:
        """Bring the table to another state: what lies elsewhere is moved, then tiles are taken, then tiles are laid."""
        old, new = self.before.places, after.places
        groups = [group for row in after.rows for group in _groups(row, self.before)]
        for group in _unblocked(groups, old):
            self._move(group, old)
        gone = [Lying(piece, at) for piece, at in old.items() if piece not in new]
        for k in range(0, len(gone), MOST_SLID):
            self._take(gone[k : k + MOST_SLID])
        for row in after.rows:
            for group in _new_groups(row, old):
                self._bring(group)

    def push(self, after: Floor) -> None:
        """Knock over to another state what lies elsewhere, while the hand leaves."""
        old = self.before.places | self._laid()
        moved = [lying for lying in after.lying if lying.piece in old and old[lying.piece] != lying.at]
        carried = tuple(Carry(lying.piece, old[lying.piece], lying.at) for lying in moved)
        if carried:
            self._stroke(_middle([carry.goal for carry in carried]), carried, duration_ms=300)

    def hover(self, over: tuple[float, float], dwell_ms: int) -> None:
        """Reach over a point and stay there for a while."""
        self._stroke(over)
        x, y = over
        for _ in range(max(1, dwell_ms // 500)):
            self._stroke((x + self.dice.uniform(-0.5, 0.5), y + self.dice.uniform(-0.4, 0.4)), duration_ms=500)

    def _laid(self) -> dict[Piece, Placement]:
        return {carry.piece: carry.goal for stroke in self.strokes for carry in stroke.carried if not carry.gone}

    def _move(self, group: Sequence[Lying], old: dict[Piece, Placement]) -> None:
        starts = [old[lying.piece] for lying in group]
        self._stroke(self._grip(starts))
        lift = 0.0 if self.dice.random() < SLIDES else self.dice.uniform(0.4, LIFT)
        carried = tuple(Carry(lying.piece, start, lying.at) for lying, start in zip(group, starts, strict=True))
        self._stroke(self._grip([lying.at for lying in group]), carried, lift=lift)
        self._dwell()

    def _take(self, gone: Sequence[Lying]) -> None:
        self._stroke(self._grip([lying.at for lying in gone]))
        carried = tuple(Carry(lying.piece, lying.at, self._off(lying.at), gone=True) for lying in gone)
        self._stroke(self._home, carried, lift=LIFT)

    def _bring(self, group: Sequence[Lying]) -> None:
        goals = [lying.at for lying in group]
        self._tip = self._home
        aim = self._grip(goals)
        off = np.array(self._home) - aim
        carried = tuple(
            Carry(lying.piece, replace(lying.at, x=lying.at.x + float(off[0]), y=lying.at.y + float(off[1])), lying.at)
            for lying in group
        )
        self._stroke(aim, carried, lift=self.dice.uniform(0.3, LIFT))
        self._dwell()
        self._stroke(self._home)

    def _off(self, at: Placement) -> Placement:
        x, y = self._home
        return replace(at, x=x, y=y)

    def _grip(self, places: Sequence[Placement]) -> tuple[float, float]:
        middle = np.array(_middle(places))
        back = np.array(self._home) - middle
        x, y = (middle + GRIP * back / max(float(np.hypot(*back)), 1e-6)).tolist()
        return (x, y)

    def _dwell(self) -> None:
        x, y = self._tip
        ms = round(self.dice.uniform(*DWELL_MS) * self.pace)
        self._stroke((x + self.dice.uniform(-0.1, 0.1), y + self.dice.uniform(-0.1, 0.1)), duration_ms=ms)

    def _stroke(
        self,
        goal: tuple[float, float],
        carried: tuple[Carry, ...] = (),
        *,
        lift: float = 0.0,
        duration_ms: int | None = None,
    ) -> None:
        far = float(np.hypot(goal[0] - self._tip[0], goal[1] - self._tip[1]))
        usual = min(REACH_MS + MS_A_TILE * far, LONGEST_MS) * self.pace * self.dice.uniform(0.85, 1.2)
        end = self._now + max(round(usual) if duration_ms is None else duration_ms, 50)
        self.strokes.append(Stroke(self._now, end, self._tip, goal, carried, lift))
        self._now, self._tip = end, goal


def _middle(places: Sequence[Placement]) -> tuple[float, float]:
    x, y = np.mean([(at.x, at.y) for at in places], axis=0).tolist()
    return (x, y)


def _groups(row: LyingRow, before: Floor) -> Iterator[tuple[Lying, ...]]:
    """Give the pieces of a row that are moved from elsewhere on the table, side by side ones together."""
    old = before.places
    source = {lying.piece: (k, i) for k, other in enumerate(before.rows) for i, lying in enumerate(other)}
    group: list[Lying] = []
    for lying in row:
        comes = lying.piece in old and old[lying.piece] != lying.at
        joins = group and comes and len(group) < MOST_SLID and _next(source, group[-1].piece, lying.piece)
        if group and not joins:
            yield tuple(group)
            group = []
        if comes:
            group.append(lying)
    if group:
        yield tuple(group)


def _next(source: dict[Piece, tuple[int, int]], one: Piece, other: Piece) -> bool:
    (row, place), (other_row, other_place) = source[one], source[other]
    return row == other_row and other_place == place + 1


def _new_groups(row: LyingRow, old: dict[Piece, Placement]) -> Iterator[tuple[Lying, ...]]:
    """Give the pieces of a row that come from the hand, side by side ones together."""
    group: list[Lying] = []
    for lying in row:
        if lying.piece not in old and len(group) < MOST_CARRIED:
            group.append(lying)
            continue
        if group:
            yield tuple(group)
        group = [lying] if lying.piece not in old else []
    if group:
        yield tuple(group)


def _unblocked(groups: Sequence[tuple[Lying, ...]], old: dict[Piece, Placement]) -> Iterator[tuple[Lying, ...]]:
    """Order moves so that a place is left before another piece is put there, as far as that goes."""
    waiting = list(groups)
    while waiting:
        still = {lying.piece for group in waiting for lying in group}
        free = next((group for group in waiting if not _blocked(group, still, old)), waiting[0])
        waiting.remove(free)
        yield free


def _blocked(group: tuple[Lying, ...], still: set[Piece], old: dict[Piece, Placement]) -> bool:
    own = {lying.piece for lying in group}
    return any(
        abs(old[piece].x - lying.at.x) < 1 and abs(old[piece].y - lying.at.y) < 1
        for piece in still - own
        for lying in group
    )
