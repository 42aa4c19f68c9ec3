"""A set laid out to be taught: what each tile of the picture is, from where it lies and what it looks like.

The owner lays four rows, each of one ink and from 1 to 13, in any order, and the jokers. A row's tiles have the numbers
that rise along it and fit best what is read of them; its ink is that of its tiles together, and no two rows share one.
So a number that the networks do not know is learnt from its place, and a tile that lies in a wrong place shows, for it
looks like the same numbers of other rows elsewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from referee.tiles import COLOURS, JOKER, Colour, Tile
from vision.faces import Faces
from vision.ink_names import hue_named
from vision.likeness import Prints
from vision.lines import Line
from vision.prints import correlations, templates_of
from vision.rising import Rising, rising
from vision.specimens import NUMBERS, split
from vision.tileset import JOKERS

Array = NDArray[np.float64]
LEAST_ROW = 3
_LEAST_INK = 0.02
_NAMED = 6.0
"""How much an ink's name weighs beside what the networks say of it: a name that fits is worth this much."""
_ELSEWHERE = 0.06
_STRANGE = 0.8
_SURE = 0.9


class Labelled(NamedTuple):
    """One tile of a picture: its place among the n of the look, what it is, and whether it must be half-turned."""

    place: int
    face: Tile
    turned: bool


class Misplaced(NamedTuple):
    """A tile that looks like another than the one whose place it lies in."""

    place: int
    expected: Tile
    looks: Tile


@dataclass(frozen=True)
class Spread:
    """What a picture of a set laid out shows: its tiles, those in wrong places, and those that are not understood."""

    tiles: tuple[Labelled, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()
    unknown: tuple[int, ...] = ()


class Seen(NamedTuple):
    """What is seen of the n tiles of one picture: faces for both ways up, and prints."""

    faces: Faces
    prints: Prints


class Known(NamedTuple):
    """What is known before a picture is looked at: what the owner calls odd inks, and which faces are missing yet."""

    names: Mapping[Colour, str]
    missing: frozenset[Tile]


@dataclass(frozen=True)
class _Row:
    """A line read as a rising row; `ink` is the place of its ink."""

    reading: Rising
    ink: int = -1


def understand(lines: Sequence[Line], seen: Seen, known: Known) -> Spread:
    """Say what each tile of a picture is.

    Args:
        lines: which tiles lie in one line, in reading order.
        seen: what is seen of them.
        known: what the owner calls the inks, and what is missing: outside of rows only that is looked for.
    """
    numbers = np.stack([split(given)[0] for given in seen.faces.given_way.transpose(1, 0, 2)], 1)
    read = [rising(line, numbers) for line in lines if len(line.tiles) >= LEAST_ROW]
    rows = _with_inks([row for row in read if len(row.numbered) >= LEAST_ROW], seen, known.names)
    labels = {label.place: label for row in rows for label in _labels(row)}
    wrong = _misplaced(labels, seen, numbers)
    for one in wrong:
        del labels[one.place]
    left = [i for line in lines for i in line.tiles if i not in labels and i not in {w.place for w in wrong}]
    lone = _lone(left, labels, seen, known.missing - {label.face for label in labels.values()})
    unknown = tuple(sorted(set(left) - {label.place for label in lone}))
    return Spread(tuple(sorted((*labels.values(), *lone))), tuple(wrong), unknown)


def _labels(row: _Row) -> list[Labelled]:
    turned = row.reading.turned
    numbered = [Labelled(i, Tile(COLOURS[row.ink], n), turned[i]) for i, n in row.reading.numbered]
    return numbered + [Labelled(i, JOKER, turned[i]) for i in row.reading.jokers]


def _with_inks(rows: Sequence[Rising], seen: Seen, names: Mapping[Colour, str]) -> list[_Row]:
    """Give each row an ink so that all fit best together; with more than four rows each ink may come again."""
    if not rows:
        return []
    fit = np.array([_ink_fit([i for i, _ in row.numbered], seen, names) for row in rows])
    copies = -(-len(rows) // len(COLOURS))
    which, inks = linear_sum_assignment(-np.tile(fit, (1, copies)))
    return [_Row(rows[row], int(ink) % len(COLOURS)) for row, ink in zip(which, inks, strict=True)]


def _ink_fit(places: Sequence[int], seen: Seen, names: Mapping[Colour, str]) -> Array:
    """Say how well each ink (4,) fits the tiles of a row."""
    inks = np.mean([split(given)[1][places] for given in seen.faces.given_way.transpose(1, 0, 2)], axis=0)
    said = np.log(np.maximum(inks, _LEAST_INK)).mean(0)
    swallowed = np.median(seen.prints.colours[places], axis=0)
    for place, colour in enumerate(COLOURS):
        hue = hue_named(names.get(colour, ""))
        if hue is not None:
            said[place] = _NAMED * hue.fits(swallowed)
    return np.asarray(said)


def _misplaced(labels: Mapping[int, Labelled], seen: Seen, numbers: Array) -> list[Misplaced]:
    """Find tiles that look less like the same number of the other rows than like another number of theirs.

    The networks must say so too: a print that differs by itself is worn, or badly lit.
    """
    numbered = [label for label in labels.values() if label.face != JOKER]
    maps = _upright_maps(numbered, seen)
    inks = np.array([COLOURS.index(label.face.colour) for label in numbered])
    classes = np.array([label.face.number - 1 for label in numbered])
    alike = correlations(maps, templates_of(maps)) if numbered else np.empty((0, 0), np.float32)
    found = []
    for mine, label in enumerate(numbered):
        others = inks != inks[mine]
        best = np.array([alike[mine, others & (classes == k)].max(initial=-1.0) for k in range(NUMBERS)])
        said, looks = numbers[label.place, int(label.turned)], int(best.argmax())
        if best[looks] - best[classes[mine]] > _ELSEWHERE and said[looks] > said[classes[mine]]:
            found.append(Misplaced(label.place, label.face, Tile(label.face.colour, looks + 1)))
    return found


def _upright_maps(labels: Sequence[Labelled], seen: Seen) -> NDArray[np.float32]:
    ways = (seen.prints.upright, seen.prints.turned)
    return np.array([ways[label.turned][label.place] for label in labels], np.float32).reshape(-1, *ways[0].shape[1:])


def _lone(left: Sequence[int], labels: Mapping[int, Labelled], seen: Seen, missing: frozenset[Tile]) -> list[Labelled]:
    """Say what tiles outside of rows are: read for sure, or jokers where they are like no number of the rows."""
    known = list(labels.values())
    maps = _upright_maps([label for label in known if label.face != JOKER], seen)
    every_number = len({label.face.number for label in known if label.face != JOKER}) == NUMBERS
    jokers = seen.faces.faces[:, -1]
    faces, room = seen.faces.faces, JOKERS - sum(label.face == JOKER for label in known)
    found = []
    for place in sorted(left, key=lambda i: -jokers[i]):
        turned = bool(seen.faces.ways[place, 1] > 0.5)
        if room > 0 and (jokers[place] > 0.5 or (every_number and _unlike(place, maps, seen))):
            found.append(Labelled(place, JOKER, turned))
            room -= 1
        elif faces[place].max() >= _SURE and (face := _face(int(faces[place].argmax()))) in missing:
            found.append(Labelled(place, face, turned))
    return found


def _unlike(place: int, maps: NDArray[np.float32], seen: Seen) -> bool:
    mine = np.stack([seen.prints.upright[place], seen.prints.turned[place]])
    return bool(correlations(mine, templates_of(maps)).max() < _STRANGE)


def _face(index: int) -> Tile:
    return JOKER if index == NUMBERS * len(COLOURS) else Tile(COLOURS[index // NUMBERS], index % NUMBERS + 1)
