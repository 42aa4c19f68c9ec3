"""Tiles that no box found: a look where a row wants another tile.

A tile of a new meld that nothing found would leave a row too short, or broken, and its player accused (RULEBOOK 4.3).
A meld has three tiles or more: so the aligner is asked at both ends of a row of one or two, and in a gap as wide as a
tile. What it takes for a tile there must be as white as the tile beside it.

Quads are (n, 4, 2) in pixels of the picture; distances are in tile widths.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.faces import Aligned, FaceNetworks
from vision.patches import PatchShape, Picture, Quads, apart, cut_patches, white_of

_SURE = 0.98
"""What the aligner says of a tile that others are expected beside, and of one that is found so."""
_TAKEN, _SAME, _OVERLAPPING, _SHARED = 0.55, 0.35, 0.2, 0.1
"""A place this near to a tile is that tile's, and two places this near are one. So much of itself may a place share
with a tile, and so much what is found there.
"""
_LOOKED_AT = PatchShape(12, 16, 1.0)
_OTHER_WHITE = 0.35
"""A white that differs by more, as the logarithm of a channel, is not a tile's beside another."""

Points = NDArray[np.floating]


class Places(NamedTuple):
    """Places (k, 4, 2) where tiles may lie, and beside which tile each is (k,)."""

    quads: Quads
    beside: NDArray[np.intp]


def unfound(image: Picture, aligned: Aligned, networks: FaceNetworks, known: Quads) -> tuple[Quads, Aligned]:
    """Find the tiles of a picture (h, w, 3) BGR that are missing among those found, and the places of those known.

    Gives the places that were asked about where there is one (k, 4, 2), and what the aligner makes of them.
    """
    places, beside = missing_beside(aligned.quads, aligned.kinds[:, 0] >= _SURE, known)
    again = networks.align(image, places)
    there = again.kinds[:, 0] >= _SURE
    there[there] = apart(again.quads[there], np.concatenate([aligned.quads, known]), _SHARED)
    there[there] = _as_white(image, again.quads[there], aligned.quads[beside[there]])
    return places[there], again.take(there)


def missing_beside(quads: Quads, sure: NDArray[np.bool_], known: Quads) -> Places:
    """Give the places beside sure ones (n,) of the quads found where a tile is to be expected, and none was found.

    `known`: where others lie (m, 4, 2).
    """
    there = np.concatenate([quads, known])
    which, found = np.flatnonzero(sure), quads[sure]
    across = (found[:, 1] - found[:, 0] + found[:, 2] - found[:, 3]) / 2
    near, middles, all_middles = (
        _TAKEN * np.linalg.norm(across, axis=1)[:, None],
        found.mean(axis=1),
        there.mean(axis=1),
    )
    steps, further = (np.stack([middles - k * across, middles + k * across], axis=1) for k in (1, 2))
    taken = _nearest(steps, all_middles) < near
    third = taken & (_nearest(further, all_middles) < near)
    short = (taken.sum(axis=1) < 2) & ~third.any(axis=1)
    gap = _nearest(further, middles) < near
    tile, side = np.nonzero(~taken & (short[:, None] | gap))
    places = np.asarray(found[tile] + np.where(side, 1, -1)[:, None, None] * across[tile, None], np.float32)
    free = apart(places, there, _OVERLAPPING)
    free[free] = _firsts(places[free].mean(axis=1), _SAME / _TAKEN * near[tile[free]])
    return Places(places[free], which[tile[free]])


def _nearest(points: Points, middles: Points) -> Points:
    """Give how far points (n, k, 2) are from the nearest of some middles (m, 2): (n, k)."""
    return np.asarray(np.linalg.norm(points[:, :, None] - middles, axis=3).min(axis=2, initial=np.inf))


def _firsts(middles: Points, near: Points) -> NDArray[np.bool_]:
    """Say which of some places (k, 2) have none before them in the array as near as `near` (k, 1)."""
    before = np.tri(len(middles), k=-1, dtype=bool)
    return ~((np.linalg.norm(middles[:, None] - middles, axis=2) < near) & before).any(axis=1)


def _as_white(image: Picture, quads: Quads, others: Quads) -> NDArray[np.bool_]:
    """Say which quads (n, 4, 2) are as white as the others beside them (n, 4, 2)."""
    mine, theirs = (np.log1p(white_of(cut_patches(image, q, _LOOKED_AT), _LOOKED_AT)) for q in (quads, others))
    return np.asarray((np.abs(mine - theirs) < _OTHER_WHITE).all(axis=1))
