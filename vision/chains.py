"""Chains of tiles that lie side by side on the table's plane: the geometry below `vision.rows`.

Every tile has two sides, a port each. Two ports that face each other meet at a cost: the gap between them, the
stagger along them, the angle between their tiles. The cheapest meetings are joined first, each port once and without
rings, so what comes out are paths, at any angle and however bent. All lengths are in tile widths.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.tabletop import Array

SNUG = 0.35
"""A gap of this many widths costs 1, as a stagger of `_STAGGER` widths or an angle of `_ANGLE` does."""
JOINED_GAP = 0.85
"""Sides further apart than this are never neighbours in a row."""
_REACH = 1.4
_OVERLAP, _STAGGER, _ANGLE = 0.25, 0.5, np.radians(24)
_CROOKED, _NOTED = 1.35, 1.7


class LyingTiles(NamedTuple):
    """Tiles on the plane: centres (n, 2), unit vectors to the right and down as they are read, the common height."""

    centres: Array
    right: Array
    down: Array
    height: float

    @classmethod
    def of(cls, quads: Array, height: float) -> "LyingTiles":
        """Fit the rectangle of 1 by `height` to each of (n, 4, 2) quads on the plane."""
        a, b, c, d = np.moveaxis(quads, 1, 0)
        across, down = (b - a + c - d) / 2, (d - a + c - b) / 2
        pull = across + np.column_stack([down[:, 1], -down[:, 0]]) / height
        right = pull / np.maximum(np.hypot(*pull.T), 1e-9)[:, None]
        return cls(quads.mean(axis=1), right, np.column_stack([-right[:, 1], right[:, 0]]), height)

    def sides(self) -> "Ports":
        """Give the left (2i) and right (2i + 1) side of tile i."""
        return Ports.of(self.centres, self.right, 1.0)

    def ends(self) -> "Ports":
        """Give the top (2i) and bottom (2i + 1) end of tile i."""
        return Ports.of(self.centres, self.down, self.height)


class Ports(NamedTuple):
    """Where tiles may meet others: middles of their sides (2n, 2) and unit vectors out of the tile (2n, 2)."""

    middles: Array
    outward: Array

    @classmethod
    def of(cls, centres: Array, axis: Array, length: float) -> "Ports":
        """Give the two ports of each tile at half the length along its axis."""
        outward = np.stack([-axis, axis], axis=1)
        return cls((centres[:, None] + outward * length / 2).reshape(-1, 2), outward.reshape(-1, 2))


class Meetings(NamedTuple):
    """Pairs (m, 2) of ports that face each other, cheapest first, with their costs and gaps.

    `crooked`: the part of the cost that is stagger, angle and overlap.
    """

    pairs: NDArray[np.intp]
    costs: Array
    gaps: Array
    crooked: Array

    def joinable(self) -> NDArray[np.bool_]:
        """Say which may be neighbours in a row: the wider the gap, the straighter they must lie."""
        allowed = _CROOKED * (1 - 0.7 * np.maximum(self.gaps, 0) / JOINED_GAP)
        can: NDArray[np.bool_] = (self.gaps <= JOINED_GAP) & (self.crooked <= allowed)
        return can

    def chosen(self, mask: NDArray[np.bool_]) -> "Meetings":
        """Keep some of the meetings."""
        return Meetings(self.pairs[mask], self.costs[mask], self.gaps[mask], self.crooked[mask])


class Link(NamedTuple):
    """A tile in a chain: whether it is passed from its first port to its second, and the gap before it."""

    tile: int
    forward: bool
    gap: float


Chain = list[Link]


def meetings(ports: Ports) -> Meetings:
    """Find all pairs of ports of different tiles that face each other within reach."""
    first, second = np.triu_indices(len(ports.middles), 1)
    apart = ports.middles[second] - ports.middles[first]
    facing = -(ports.outward[first] * ports.outward[second]).sum(axis=1)
    near = (first // 2 != second // 2) & (facing > np.cos(_NOTED * _ANGLE)) & (np.hypot(*apart.T) < _REACH)
    pairs = np.column_stack([first, second])[near]
    found = _measure(ports, pairs, apart[near], facing[near])
    return found.chosen(found.crooked <= _NOTED)


def _measure(ports: Ports, pairs: NDArray[np.intp], apart: Array, facing: Array) -> Meetings:
    ahead = ports.outward[pairs[:, 0]] - ports.outward[pairs[:, 1]]
    ahead /= np.maximum(np.hypot(*ahead.T), 1e-9)[:, None]
    gaps = (apart * ahead).sum(axis=1)
    stagger = (apart[:, 0] * ahead[:, 1] - apart[:, 1] * ahead[:, 0]) / _STAGGER
    angle = np.arccos(np.clip(facing, -1, 1)) / _ANGLE
    crooked = np.sqrt(stagger**2 + angle**2 + (np.minimum(gaps, 0) / _OVERLAP) ** 2)
    costs = np.hypot(crooked, np.maximum(gaps, 0) / SNUG)
    order = np.argsort(costs, kind="stable")
    return Meetings(pairs[order], costs[order], gaps[order], crooked[order])


def chains(found: Meetings, count: int) -> list[Chain]:
    """Join the cheapest meetings first and walk the paths that this makes; a tile alone is a chain of one."""
    partner: dict[int, tuple[int, float]] = {}
    group = list(range(count))
    for (p, q), gap in zip(found.pairs.tolist(), found.gaps.tolist(), strict=True):
        a, b = _root(group, p // 2), _root(group, q // 2)
        if a != b and p not in partner and q not in partner:
            group[a] = b
            partner[p], partner[q] = (q, gap), (p, gap)
    return _walk_all(partner, count)


def _root(group: list[int], member: int) -> int:
    while group[member] != member:
        group[member] = group[group[member]]
        member = group[member]
    return member


def _walk_all(partner: dict[int, tuple[int, float]], count: int) -> list[Chain]:
    walked: set[int] = set()
    found = []
    for port in range(2 * count):
        if port not in partner and port // 2 not in walked:
            chain = _walk(partner, port)
            walked.update(link.tile for link in chain)
            found.append(chain)
    return found


def _walk(partner: dict[int, tuple[int, float]], port: int) -> Chain:
    """Go from a free port through tiles and meetings to the other end of the path."""
    chain = [Link(port // 2, port % 2 == 0, 0.0)]
    while (step := partner.get(port ^ 1)) is not None:
        port, gap = step
        chain.append(Link(port // 2, port % 2 == 0, gap))
    return chain


def cut(chain: Chain, odds: Sequence[float], most: float) -> list[Chain]:
    """Split a chain where the odds that melds part, given for each of its gaps, are more than `most`."""
    pieces: list[Chain] = [chain[:1]]
    for link, odd in zip(chain[1:], odds, strict=True):
        if odd > most:
            pieces.append([])
        pieces[-1].append(link)
    return pieces


def gaps_of(chain: Chain) -> tuple[float, ...]:
    """Give the gaps between the tiles of a chain."""
    return tuple(link.gap for link in chain[1:])
