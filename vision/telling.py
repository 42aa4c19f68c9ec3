"""From the most probable table to what is told: tiles with their choices, rows in order, doubts and notes.

Doubts are few and plain: a tile is asked about only where it is said with less than `SURE`, a row only where its tiles
would make another valid meld if it lay a little nearer or further.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.melds import is_meld
from referee.table import SURE_ENOUGH, Choice, Doubt, DoubtCode, Row, SeenTile, Table, TableReading
from referee.tiles import COLOURS, Tile
from vision.decode import Decoded, Evidence, decode
from vision.inventory import Inventory
from vision.legal_rows import FACES, JOKER_INDEX, Array
from vision.patches import as_quad
from vision.row_belief import Preference
from vision.rows import Layout, RowOfIndices, in_order

SURE = 0.9
"""A tile said with less than this is asked about."""
_MOST_CHOICES = 5
_LEAST_CHOICE = 0.0005
_LEAST_ANSWER = 0.02
_ONE_MELD_GAP = 1.0
_NUMBER_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_UNSAID = 0.499
_SIX_AND_NINE = np.array([[FACES.index(Tile(colour, number)) for number in (6, 9)] for colour in COLOURS])
_PERHAPS_A_JOKER = 0.05
"""What cannot be read may be a joker with this probability at least: their faces are of any kind."""


class Known(NamedTuple):
    """What is known of the game when a table is read; `inventory` is a set of 106 and `last` unknown by default."""

    inventory: Inventory = Inventory()
    last: Table | None = None
    preference: Preference = Preference()


def read_table(quads: ArrayLike, evidence: Evidence, layout: Layout, known: Known | None = None) -> TableReading:
    """Decode face-up tiles and tell what was read.

    Args:
        quads: (n, 4, 2) corners in pixels, as they were read.
        evidence: what each of the n tiles looks like.
        layout: how they lie, from the same corners.
        known: what is known of the game.
    """
    known = known or Known()
    decoded = decode(evidence, layout, known.inventory, known.last, preference=known.preference)
    corners = np.asarray(quads, float).reshape(-1, 4, 2)
    upright = np.where(decoded.turned[:, None, None] > 0.5, np.roll(corners, 2, axis=1), corners)
    tiles = tuple(_seen_tiles(upright, decoded, evidence.presence))
    reading = TableReading(tiles, in_order(decoded.rows, upright))
    doubts = (*_of_tiles(reading), *_of_rows(reading, layout), *_of_counts(reading, known.inventory))
    return TableReading(tiles, reading.melds, doubts, tuple(_notes(decoded)))


def _seen_tiles(upright: Array, decoded: Decoded, presence: Array) -> Iterator[SeenTile]:
    """Choices by probability; what the table as a whole denies is not said, though it looks likelier."""
    denied = decoded.probabilities.argmax(axis=1) != decoded.said
    chances = decoded.probabilities * presence[:, None]
    chances = np.where(denied[:, None], np.minimum(chances, _UNSAID), chances)
    unread = (chances.max(axis=1, initial=0.0) < SURE_ENOUGH) & ~_six_or_nine(chances)
    chances[unread, JOKER_INDEX] = np.maximum(chances[unread, JOKER_INDEX], _PERHAPS_A_JOKER * presence[unread])
    best = np.argsort(-chances, axis=1, kind="stable")[:, :_MOST_CHOICES]
    likely = np.take_along_axis(chances, best, axis=1)
    told = zip(upright, best.tolist(), likely.tolist(), presence.tolist(), strict=True)
    for quad, faces, found, there in told:
        ranked = zip(faces, found, strict=True)
        choices = tuple(Choice(FACES[face], chance) for face, chance in ranked if chance >= _LEAST_CHOICE)
        yield SeenTile(as_quad(quad), choices, presence=there)


def _six_or_nine(chances: Array) -> NDArray[np.bool_]:
    """Say of which tiles (n, 53) the two likeliest faces are the 6 and the 9 of one ink."""
    two = np.sort(np.argsort(-chances, axis=1)[:, :2], axis=1)
    return np.asarray((two[:, None] == _SIX_AND_NINE).all(axis=2).any(axis=1))


def _of_tiles(reading: TableReading) -> Iterator[Doubt]:
    for index, tile in enumerate(reading.tiles):
        if tile.confidence >= SURE:
            continue
        likely = [c for c in tile.choices if c.probability >= _LEAST_ANSWER * tile.presence]
        answers = tuple(str(choice.tile) for choice in likely)
        yield Doubt(_code(tile, likely), (index,), answers)


def _code(tile: SeenTile, likely: Sequence[Choice]) -> DoubtCode:
    """Say why a tile is doubtful."""
    faces = [choice.tile for choice in likely[:2]]
    named = sum(choice.probability for choice in likely[:2])
    if (
        {face.number for face in faces} == {6, 9}
        and faces[0].colour == faces[1].colour
        and named >= SURE * tile.presence
    ):
        return DoubtCode.SIX_OR_NINE
    if tile.presence < SURE and tile.confidence >= SURE * tile.presence:
        return DoubtCode.EXTRA
    return DoubtCode.TWO_READINGS if tile.confidence >= SURE_ENOUGH else DoubtCode.UNREADABLE


def _of_rows(reading: TableReading, layout: Layout) -> Iterator[Doubt]:
    """Ask about two pieces in one line that would be one meld, and about a tile between two rows."""
    row_of = {tile: row for row in reading.melds for tile in row}
    for line in layout.in_line:
        rows = tuple(dict.fromkeys(row_of[tile] for tile in line.joined))
        if line.gap <= _ONE_MELD_GAP and len(rows) == 2 and _better_as_one(reading, rows, line.joined):
            apart, together = _notation(reading, rows), _notation(reading, [line.joined])
            yield Doubt(DoubtCode.ONE_MELD, line.joined, (apart, together))
    for tile, row, other in layout.between:
        mine, others = layout.rows[row], layout.rows[other]
        rows = tuple(dict.fromkeys(row_of[i] for i in (tile, *mine, *others)))
        moved = _moved(tile, rows)
        if len(rows) > 1 and moved:
            touched = (tile, *(row[0] if row[0] != tile else row[-1] for row in rows if set(row) != {tile}))
            yield Doubt(DoubtCode.WHICH_MELD, touched, (_notation(reading, rows), _notation(reading, moved)))


def _better_as_one(reading: TableReading, rows: Iterable[RowOfIndices], joined: RowOfIndices) -> bool:
    """Whether rows that are not all valid would be valid as one, as far as their tiles can be read."""
    whole = _tiles(reading, joined)
    return whole is not None and is_meld(whole) and not all(is_meld(_tiles(reading, row) or ()) for row in rows)


def _moved(tile: int, rows: Sequence[RowOfIndices]) -> list[RowOfIndices]:
    """Give the rows with the tile taken to another one."""
    home = next(row for row in rows if tile in row)
    others = [row for row in rows if row != home]
    rest = tuple(i for i in home if i != tile)
    if not others:
        return []
    return [*([rest] if rest else []), (*others[0], tile), *others[1:]]


def _tiles(reading: TableReading, row: RowOfIndices) -> Row | None:
    tiles = [reading.tiles[i].best for i in row]
    return tuple(tile for tile in tiles if tile) if all(tiles) else None


def _notation(reading: TableReading, rows: Iterable[RowOfIndices]) -> str:
    return " / ".join(" ".join(str(reading.tiles[i].best or "?") for i in row) for row in rows)


def _of_counts(reading: TableReading, inventory: Inventory) -> Iterator[Doubt]:
    """Ask about faces that are said more often than the set holds them (RULEBOOK 1.3)."""
    held = dict(zip(FACES, inventory.counts.tolist(), strict=True))
    places: dict[Tile, list[int]] = {}
    for index in chain.from_iterable(reading.melds):
        if tile := reading.tiles[index].best:
            places.setdefault(tile, []).append(index)
    for tile, where in places.items():
        if len(where) > held[tile]:
            yield Doubt(DoubtCode.TOO_MANY, tuple(where), (str(tile),))


def _notes(decoded: Decoded) -> Iterator[str]:
    """Tell of rows that were read as several melds (RULEBOOK 3.8)."""
    for parts in decoded.cut:
        length = sum(len(decoded.rows[place]) for place in parts)
        yield f"the row of {_word(length)} was read as {_word(len(parts))} melds"


def _word(number: int) -> str:
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else str(number)
