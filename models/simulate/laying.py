"""Where the rows of a turn come to lie: rows go on where they lie, grow in place, or are laid anew in a free place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.render.layouts import Ground, RowStyle, hull, moved, place_row, row_of
from models.render.placement import Placement
from models.simulate.floor import Floor, Lying, LyingRow, Plot, kept, plots
from models.simulate.hidden import Piece
from referee.table import Table
from referee.tiles import JOKER, Tile

MARGINS = (0.42, 0.3, 0.2)
"""How far rows keep apart, in tile widths on each side; less where the table is full."""
STAND_OFF = 0.22
"""How far a row that grows keeps from the others."""
TIDY = RowStyle(gap=0.015, gap_spread=0.01, stagger=0.015, turn=0.006)


class NoRoomError(ValueError):
    """The table does not fit into the picture; the message quotes it."""


@dataclass(frozen=True)
class Habits:
    """How the people of one game lay rows: their care, and the turn of each next row in radians."""

    style: RowStyle
    turns: tuple[float, ...]


def draw_habits(rng: np.random.Generator) -> Habits:
    """Draw how rows are laid in a game: mostly straight for whoever sits below, some at an angle, few from a side."""
    sloppy = rng.random() ** 2
    style = RowStyle(
        gap=float(rng.choice([0.0, 0.01, 0.03])),
        gap_spread=rng.uniform(0.003, 0.02),
        stagger=rng.uniform(0.008, 0.03) + 0.02 * sloppy,
        turn=rng.uniform(0.004, 0.012) + 0.015 * sloppy,
    )
    aslant, sides = rng.uniform(0.05, 0.3), 0.12 if rng.random() < 0.25 else 0.0
    spread = rng.uniform(0.01, 0.06)
    turns = [
        rng.uniform(-0.6, 0.6) if rng.random() < aslant else rng.normal(0, spread) + np.pi / 2 * (rng.random() < sides)
        for _ in range(64)
    ]
    return Habits(style, tuple(float(turn) for turn in turns))


class Layer:
    """Lays the tables of a game on its ground; `bare()` gives the ground with all that is no tile marked as taken."""

    def __init__(self, ground: Ground, faces: Sequence[Tile], habits: Habits) -> None:
        self._ground, self._faces, self._habits = ground, faces, habits
        self._bare = ground.taken.copy()
        self._turns = self._endless()
        self._rng = ground.rng

    def _endless(self) -> Iterator[float]:
        while True:
            yield from (self._ground.turn + turn for turn in self._habits.turns)

    def lay(self, before: Floor, after: Table, hand: Sequence[Piece]) -> Floor:
        """Lay a table: what lies as it lay is left alone; tiles come from the table first, then from the hand.

        Raises:
            NoRoomError: it does not fit, not even in tidy lines.
        """
        chosen = plots(before.table.rows, after.rows)
        cast = self._cast(chosen, before, hand)
        rows: list[LyingRow | None] = [
            self._unchanged(plot, before) if plot.source is not None else None for plot in chosen
        ]
        for i, plot in enumerate(chosen):
            if rows[i] is None and plot.source is not None:
                rows[i] = self._grown(plot, cast[i], before, [row for row in rows if row])
        for i in sorted(range(len(rows)), key=lambda i: -len(chosen[i].row)):
            if rows[i] is None:
                rows[i] = self._anew(cast[i], before, [row for row in rows if row])
        laid = tuple(row for row in rows if row)
        whole = laid if len(laid) == len(rows) else self._tidied(after, cast)
        return Floor(whole, before.pool)

    def _cast(self, chosen: Sequence[Plot], before: Floor, hand: Sequence[Piece]) -> list[tuple[Piece, ...]]:
        """Say which piece takes which place: those that stay, then others of the table, then those of the hand."""
        stay = [kept(plot, before.rows[plot.source]) if plot.source is not None else {} for plot in chosen]
        staying = {lying.piece for places in stay for lying in places.values()}
        lying_free = (lying.piece for row in before.rows for lying in row if lying.piece not in staying)
        free = [*lying_free, *hand]
        out = []
        for plot, places in zip(chosen, stay, strict=True):
            row = []
            for i, tile in enumerate(plot.row):
                piece = places[i].piece if i in places else next(p for p in free if self._faces[p] == tile)
                if i not in places:
                    free.remove(piece)
                row.append(piece)
            out.append(tuple(row))
        return out

    def _unchanged(self, plot: Plot, before: Floor) -> LyingRow | None:
        source = before.rows[plot.source or 0]
        return source if plot.offset == 0 and plot.row == tuple(lying.at.tile for lying in source) else None

    def _around(self, before: Floor, laid: Sequence[LyingRow], but: LyingRow = ()) -> Ground:
        """Give the ground with everything taken where something lies or lay, but for one row's own place."""
        ground = self._ground
        ground.taken[:] = self._bare
        own = {lying.piece for lying in but}
        for row in (*before.rows, *laid):
            rest = [lying.at for lying in row if lying.piece not in own]
            if rest:
                ground.cover(hull(rest, ground.ratio, 0.0))
        return ground

    def _grown(self, plot: Plot, pieces: tuple[Piece, ...], before: Floor, laid: Sequence[LyingRow]) -> LyingRow | None:
        """Give a row that goes on where it lies, if there is room for what is new."""
        source = before.rows[plot.source or 0]
        stay = kept(plot, source)
        row = tuple(
            stay.get(i, Lying(piece, self._placed(piece, self._slot(source, i + plot.offset))))
            for i, piece in enumerate(pieces)
        )
        ground = self._around(before, laid, source)
        return row if ground.claim(hull([lying.at for lying in row], ground.ratio, STAND_OFF)) else None

    def _slot(self, source: LyingRow, place: int) -> Placement:
        """Give a place of a row that lies there, also before its first and after its last tile."""
        if 0 <= place < len(source):
            return self._jittered(source[place].at)
        end = source[0].at if place < 0 else source[-1].at
        axis = _axis(source)
        steps = place if place < 0 else place - len(source) + 1
        along = steps * (1.0 + self._habits.style.gap + abs(self._rng.normal(0, self._habits.style.gap_spread)))
        angle = float(np.arctan2(axis[1], axis[0]))
        x, y = end.x + along * float(axis[0]), end.y + along * float(axis[1])
        return self._jittered(replace(end, x=x, y=y, angle=angle))

    def _jittered(self, at: Placement) -> Placement:
        style, rng = self._habits.style, self._rng
        c, s = np.cos(at.angle), np.sin(at.angle)
        off = rng.normal(0, style.stagger * 0.7)
        return replace(
            at, x=float(at.x - s * off), y=float(at.y + c * off), angle=float(at.angle + rng.normal(0, style.turn))
        )

    def _placed(self, piece: Piece, at: Placement) -> Placement:
        """Give a place with a piece's own face."""
        return replace(at, tile=self._faces[piece], which=self._which(piece), height=0.0)

    def _which(self, piece: Piece) -> int:
        return piece % 2 if self._faces[piece] == JOKER else 0

    def _anew(self, pieces: tuple[Piece, ...], before: Floor, laid: Sequence[LyingRow]) -> LyingRow | None:
        """Give a row in a free place, where there is one."""
        row = [self._faces[piece] for piece in pieces]
        for old in (before, Floor()):
            for margin in MARGINS:
                tiles = row_of(self._rng, row, self._habits.style, self._ground.ratio)
                ground = self._around(old, laid)
                ground.placed.clear()
                if place_row(ground, tiles, self._turns, margin) or _scan(ground, tiles, margin):
                    return self._lying(pieces, ground.placed)
        return None

    def _lying(self, pieces: Sequence[Piece], placed: Sequence[Placement]) -> LyingRow:
        return tuple(Lying(piece, self._placed(piece, at)) for piece, at in zip(pieces, placed, strict=True))

    def _tidied(self, after: Table, cast: Sequence[tuple[Piece, ...]]) -> tuple[LyingRow, ...]:
        """Lay the whole table anew, line under line, as people do when there is no room left."""
        ground = self._ground
        ground.taken[:] = self._bare
        rows: list[LyingRow] = []
        for pieces in cast:
            ground.placed.clear()
            tiles = row_of(self._rng, [self._faces[piece] for piece in pieces], TIDY, ground.ratio)
            if not _scan(ground, tiles, MARGINS[-1]):
                msg = f"the table {str(after)!r} does not fit into the picture"
                raise NoRoomError(msg)
            rows.append(self._lying(pieces, ground.placed))
        return tuple(rows)

    def knocked(self, floor: Floor, near: tuple[float, float]) -> Floor:
        """Give the table with a row knocked askew by a sleeve, the nearest to a point that has room for it."""
        order = sorted(range(len(floor.rows)), key=lambda i: float(np.hypot(*(_middle(floor.rows[i]) - near))))
        for i in order[:3]:
            row = floor.rows[i]
            askew = self._askew(row)
            ground = self._around(floor, (), row)
            if ground.claim(hull([lying.at for lying in askew], ground.ratio, STAND_OFF)):
                return replace(floor, rows=(*floor.rows[:i], askew, *floor.rows[i + 1 :]))
        return floor

    def _askew(self, row: LyingRow) -> LyingRow:
        """Turn and shift a whole row a little, its tiles a little against each other."""
        rng, middle = self._rng, _middle(row)
        turn, shift = float(rng.normal(0, 0.08)), rng.normal(0, 0.15, 2)
        flat = [replace(lying.at, x=lying.at.x - float(middle[0]), y=lying.at.y - float(middle[1])) for lying in row]
        turned = moved(flat, middle + shift, turn)
        return tuple(Lying(lying.piece, self._jittered(at)) for lying, at in zip(row, turned, strict=True))

    def put_back(self, at: Placement) -> Placement:
        """Give a place to which a tile is put back by hand: nearly where it lay."""
        return self._jittered(at)


def _axis(row: LyingRow) -> np.ndarray:
    """Give the unit vector along a row, in reading direction."""
    first, last = row[0].at, row[-1].at
    if len(row) == 1:
        return np.array([np.cos(first.angle), np.sin(first.angle)])
    along = np.array([last.x - first.x, last.y - first.y])
    return np.asarray(along / np.hypot(*along))


def _middle(row: LyingRow) -> np.ndarray:
    return np.mean([(lying.at.x, lying.at.y) for lying in row], axis=0)


def _scan(ground: Ground, tiles: list[Placement], margin: float) -> bool:
    """Lay a row straight in the first free place, from the top left on."""
    outline = hull(moved(tiles, np.zeros(2), ground.turn), ground.ratio, margin)
    low, high = ground.middle - ground.half, ground.middle + ground.half
    for y in np.arange(low[1], high[1], 0.4):
        for x in np.arange(low[0], high[0], 0.4):
            at = np.array([x, y])
            if ground.claim(outline + at):
                ground.put(moved(tiles, at, ground.turn))
                return True
    return False
