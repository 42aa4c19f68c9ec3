"""What a found tile is: its true corners, which way up it lies, its number and its ink, all as probabilities.

Two small networks: the aligner looks at the detector's box and corrects it; the reader looks at the flat face, its
colours divided by the tile's own white. A tile that may lie either way up is read both ways.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.tiles import JOKER, NUMBERED, Tile
from vision.engine import Network
from vision.patches import ALIGN, FACE, Picture, Quads, as_balanced_batch, as_batch, cut_patches, unit_to_quads

FACES: tuple[Tile, ...] = (*NUMBERED, JOKER)
"""The 53 faces in the order of every array of face probabilities."""
_JOKER_CLASS = 13
_FACE_UP, _FACE_DOWN, _NO_TILE = 0, 1, 2
_SURE_UPRIGHT = 0.995
_LEGIBLE = 0.9
"""A tile whose faces add up to less is read the other way up too."""
_LEAST_LEGIBLE = 0.01
"""However little looks like a face, it is not wholly sure that the tile does not lie that way."""


@dataclass(frozen=True)
class Aligned:
    """Corrected tiles.

    `quads` (n, 4, 2) in pixels of the picture, the likeliest way up; `upright` (n,): the probability that this way up
    is the right one and not its half turn; `kinds` (n, 3): face up, face down, no tile.
    """

    quads: Quads
    upright: NDArray[np.float32]
    kinds: NDArray[np.float32]

    def take(self, index: NDArray) -> "Aligned":
        """Give some of them, by index or mask."""
        return Aligned(self.quads[index], self.upright[index], self.kinds[index])

    def replaced(self, index: NDArray[np.intp], other: "Aligned") -> "Aligned":
        """Put others in the place of some."""
        parts = [part.copy() for part in (self.quads, self.upright, self.kinds)]
        for part, new in zip(parts, (other.quads, other.upright, other.kinds), strict=True):
            part[index] = new
        return Aligned(*parts)

    def joined(self, other: "Aligned") -> "Aligned":
        """Put others behind these."""
        both = zip(*((a.quads, a.upright, a.kinds) for a in (self, other)), strict=True)
        return Aligned(*map(np.concatenate, both))


@dataclass(frozen=True)
class Faces:
    """What the reader says of n tiles, for each of two ways up (as aligned, and half-turned).

    `ways` (n, 2): the probability of each way up; `given_way` (n, 2, 53): of each face if it lies that way; what is
    missing to 1 is "no face that can be read".
    """

    ways: NDArray[np.float32]
    given_way: NDArray[np.float32]

    def take(self, index: NDArray) -> "Faces":
        """Give some of them, by index or mask."""
        return Faces(self.ways[index], self.given_way[index])

    def joined(self, other: "Faces") -> "Faces":
        """Put others behind these."""
        both = zip(*((f.ways, f.given_way) for f in (self, other)), strict=True)
        return Faces(*map(np.concatenate, both))

    @property
    def faces(self) -> NDArray[np.float32]:
        """The probability of each face (n, 53), whichever way up."""
        return np.einsum("nw,nwf->nf", self.ways, self.given_way)


def the_likelier_way_up(aligned: Aligned, faces: Faces) -> tuple[Aligned, Faces]:
    """Turn round the tiles that the reader takes to lie the other way up than the aligner does."""
    turned = faces.ways[:, 1] > faces.ways[:, 0]
    quads = np.where(turned[:, None, None], np.roll(aligned.quads, 2, axis=1), aligned.quads)
    upright = np.where(turned, 1 - aligned.upright, aligned.upright)
    ways = np.where(turned[:, None], faces.ways[:, ::-1], faces.ways)
    given = np.where(turned[:, None, None], faces.given_way[:, ::-1], faces.given_way)
    return Aligned(quads, upright, aligned.kinds), Faces(ways, given)


@dataclass(frozen=True)
class Calibration:
    """Temperatures that the networks' logits are divided by; fitted on data of their own (models/evaluate)."""

    number: float = 1.0
    ink: float = 1.0
    upright: float = 1.0


@dataclass(frozen=True)
class FaceNetworks:
    """The aligner and the reader of faces, with their calibration."""

    aligner: Network
    reader: Network
    calibration: Calibration = Calibration()

    def align(self, image: Picture, quads: Quads) -> Aligned:
        """Correct boxes (n, 4, 2) of the detector in a picture (h, w, 3) BGR; a second look from there sees better."""
        if not len(quads):
            return Aligned(quads, np.empty(0, np.float32), np.empty((0, 3), np.float32))
        corners, turns, kinds = self.aligner.run(as_batch(cut_patches(image, quads, ALIGN)))
        turn = softmax(turns / self.calibration.upright)
        best = turn.argmax(1)
        rows = np.arange(len(quads))
        upright = turn[rows, best] / (turn[rows, best] + turn[rows, (best + 2) % 4])
        order = (best[:, None] + np.arange(4)) % 4
        ordered = np.take_along_axis(_out_of_box(corners, quads), order[..., None], axis=1)
        return Aligned(ordered, upright, softmax(kinds))

    def read(self, image: Picture, aligned: Aligned) -> Faces:
        """Read number and ink of aligned tiles in a picture (h, w, 3) BGR."""
        count = len(aligned.quads)
        if not count:
            return Faces(np.empty((0, 2), np.float32), np.empty((0, 2, len(FACES)), np.float32))
        faces, upright = self._read_upright(image, aligned.quads)
        given = np.stack([faces, faces], 1)
        against = np.log(1 - upright) - np.log(upright)
        unsure = (upright < _SURE_UPRIGHT) | (aligned.upright < _SURE_UPRIGHT) | (faces.sum(1) < _LEGIBLE)
        both = np.flatnonzero(unsure)
        if len(both):
            given[both, 1], other = self._read_upright(image, np.roll(aligned.quads[both], 2, axis=1))
            against[both] = (against[both] + np.log(other) - np.log(1 - other)) / 2
            given[both], readable = _equally_legible(given[both])
            against[both] += np.log(readable[:, 1]) - np.log(readable[:, 0])
        against += np.log1p(-np.minimum(aligned.upright, 1 - 1e-6)) - np.log(aligned.upright)
        turned = 1 / (1 + np.exp(-np.clip(against, -30, 30)))
        return Faces(np.stack([1 - turned, turned], 1).astype(np.float32), given)

    def _read_upright(self, image: Picture, quads: Quads) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Face probabilities (n, 53) and the probability of lying this way up (n,)."""
        numbers, inks, upright = self.reader.run(as_balanced_batch(cut_patches(image, quads, FACE), FACE))
        up = 1 / (1 + np.exp(-np.clip(upright[:, 0] / self.calibration.upright, -12, 12)))
        return _face_probabilities(softmax(numbers / self.calibration.number), softmax(inks / self.calibration.ink)), up


def _equally_legible(given: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Let the way up that looks less like a face be as legible as the other: (n, 2, 53) faces, (n, 2) what they were.

    That a tile is illegible one way up speaks against that way, not against the faces that it may show.
    """
    readable = np.maximum(given.sum(2), _LEAST_LEGIBLE)
    return given * (readable.max(1, keepdims=True) / readable)[..., None], readable


def _face_probabilities(numbers: NDArray[np.float32], inks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Join numbers (n, 15) and inks (n, 4) to the 53 faces."""
    joint = (inks[:, :, None] * numbers[:, None, :_JOKER_CLASS]).reshape(len(numbers), -1)
    return np.concatenate([joint, numbers[:, _JOKER_CLASS : _JOKER_CLASS + 1]], 1)


def _out_of_box(corners: NDArray[np.float32], quads: Quads) -> Quads:
    """Corners (n, 4, 2) in units of each box, to pixels of the picture."""
    homogeneous = np.concatenate([corners, np.ones((*corners.shape[:2], 1))], axis=2)
    moved = homogeneous @ unit_to_quads(quads).transpose(0, 2, 1)
    return np.asarray(moved[..., :2] / moved[..., 2:], np.float32)


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn logits (n, k) into probabilities along the last axis."""
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)
