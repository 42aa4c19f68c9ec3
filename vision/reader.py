"""Reading a table: from one picture to a `TableReading`, through every stage of `vision`.

picture → boxes (`detector`) → corners, way up, number and ink (`faces`) → rows (`rows`) → the most probable table
(`decode`) → what is told of it (`telling`).
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.table import Quad, SeenTile, Table, TableReading, Where
from vision.advice import advice
from vision.borders import without_border
from vision.decode import Evidence
from vision.detector import Boxes, Detector, Finder
from vision.engine import OnnxNetwork, checked_weights, published, weights_folder
from vision.errors import ModelError
from vision.faces import Aligned, Calibration, FaceNetworks, Faces, the_likelier_way_up
from vision.inventory import Inventory
from vision.likeness import TaughtFaces
from vision.neighbours import (
    a_tile_further,
    log_areas,
    of_another_size,
    shaped_like_neighbours,
    too_small,
    turned_apart,
)
from vision.ocr import second_opinion, weighed
from vision.one_set import weighed_together
from vision.patches import Picture, Quads, apart, as_quad, one_each
from vision.presence import FIRM_PRESENCE, LEAST_PRESENCE, beside_sure, presence
from vision.racks import on_racks
from vision.row_belief import Preference
from vision.rows import Layout, lay_out
from vision.tabletop import Plane, within
from vision.telling import Known, read_table
from vision.unfound import unfound

_ALIKE, SAME_PLACE = 0.6, 0.25
"""Boxes that the first look draws together so far are one; in the end no two tiles share more than a little."""
_BESIDE = 0.35
"""A box whose middle lies so many tiles beside the tile it was drawn to may have been around another one."""
_NEAR = 0.12
"""A box with corners this near, in tile widths, needs no second look (docs/vision.md)."""
_CLEARLY, _ASKEW = 0.98, np.radians(15)
"""What is a tile with less, and lies further askew than that, is looked at once more."""
_PERHAPS = 0.04
"""What is a tile with less, by its looks alone, is not read; with more, its face and its row have their say."""
_BORDERLESS = 0.01
"""However like a tile it looks, what does not end where a tile would is hardly one."""
_WELL_FOUND = 0.7
"""Boxes of this score are around whole tiles."""
_NOWHERE: Quads = np.empty((0, 4, 2), np.float32)
_UNFOUND = 0.1
"""The score of a place that no box found; it loses against any that one did."""
_SURE = 0.9
"""A face that is read with less is worth a second opinion."""


@dataclass(frozen=True)
class Look:
    """What the networks make of one picture, before any rule is asked: n face-up tiles, and face-down ones apart.

    `presence` (n,): the probability that there is a face-up tile at all, says the aligner.
    """

    aligned: Aligned
    faces: Faces
    presence: NDArray[np.float32]
    backs: Boxes

    def __len__(self) -> int:
        return len(self.presence)

    @property
    def places(self) -> Quads:
        """The corners (n, 4, 2) of all tiles, those that lie face down at the end."""
        return np.concatenate([self.aligned.quads, self.backs.quads])

    @property
    def long_sides(self) -> NDArray[np.float32]:
        """The long side in pixels of each face-up tile (n,)."""
        return np.linalg.norm(self.aligned.quads[:, 3] - self.aligned.quads[:, 0], axis=1)

    def take(self, tiles: NDArray, backs: NDArray) -> "Look":
        """Give some of the face-up tiles and some of the others, by indices or masks."""
        return Look(self.aligned.take(tiles), self.faces.take(tiles), self.presence[tiles], self.backs.take(backs))

    def of_face_up(self, tiles: NDArray) -> "Look":
        """Give some of the face-up tiles alone, by index or mask."""
        return self.take(tiles, np.zeros(len(self.backs), bool))

    def with_face_up(self, tiles: NDArray) -> "Look":
        """Give some of the face-up tiles, by index or mask, and all the others."""
        return self.take(tiles, np.ones(len(self.backs), bool))

    def joined(self, other: "Look") -> "Look":
        """Put the tiles of another look behind these."""
        return Look(
            self.aligned.joined(other.aligned),
            self.faces.joined(other.faces),
            np.concatenate([self.presence, other.presence]),
            self.backs.joined(other.backs),
        )

    @property
    def credible(self) -> NDArray[np.bool_]:
        """Which face-up tiles are tiles, as far as can be said when all are looked at together (n,)."""
        return self._credence >= LEAST_PRESENCE

    @property
    def firm(self) -> NDArray[np.bool_]:
        """Which face-up tiles are tiles for sure (n,)."""
        return self._credence >= FIRM_PRESENCE

    @property
    def evidence(self) -> Evidence:
        """What each face-up tile looks like, for the decoder."""
        return Evidence.of(self.faces.given_way, self.faces.ways, self._credence)

    @property
    def _credence(self) -> NDArray[np.float32]:
        return presence(self.presence, self.faces.faces.max(1, initial=0.0), self.aligned.quads)


@dataclass(frozen=True)
class TableReader:
    """Reads pictures of tables.

    `preference`: how much the rules weigh against the eyes. `inventory`: what the set holds. `opinions`: of how many
    doubtful tiles of a picture Tesseract is asked the number; each takes about a fifth of a second.
    """

    finder: Finder
    networks: FaceNetworks
    preference: Preference = field(default_factory=Preference)
    inventory: Inventory = field(default_factory=Inventory)
    opinions: int = 0

    def read(self, image: Picture, *, last: Table | None = None, area: Quad | None = None) -> TableReading:
        """Read one picture (h, w, 3) BGR.

        Args:
            image: the picture.
            last: the table as it last was, where that is known.
            area: the corners of the playing area in pixels; what lies outside is left out.
        """
        look = self._weighed_together(image, self.look(image, area))
        reading = self.tell(self._with_opinions(image, look), last)
        return replace(reading, notes=(*reading.notes, *advice(image, reading)))

    def tell(self, look: Look, last: Table | None = None, plane: Plane | None = None) -> TableReading:
        """Tell what the tiles of a look are, given the table as it last was and the table's plane where it is known."""
        look = look.with_face_up(look.credible)
        layout = lay_out(look.aligned.quads, plane)
        leans = on_racks(look.aligned.quads, layout)
        if leans.any():
            table, rack = look.of_face_up(~leans), look.of_face_up(leans)
            reading, racked = self._told(table, lay_out(table.aligned.quads), last), self._told_rack(rack)
        else:
            reading, racked = self._told(look, layout, last), ()
        return replace(reading, tiles=(*reading.tiles, *racked, *seen_backs(look.backs)))

    def _told(self, look: Look, layout: Layout, last: Table | None) -> TableReading:
        return read_table(look.aligned.quads, look.evidence, layout, Known(self.inventory, last, self.preference))

    def _told_rack(self, look: Look) -> tuple[SeenTile, ...]:
        """Tell the tiles of racks; their rows are nobody's melds and nobody's doubts."""
        told = self._told(look, lay_out(look.aligned.quads), None)
        return tuple(replace(tile, where=Where.RACK) for tile in told.tiles)

    def _weighed_together(self, image: Picture, look: Look) -> Look:
        """Weigh what is not read for sure with what is: all tiles of a table are of one set. A taught one is known."""
        quads = look.aligned.quads
        if isinstance(self.networks, TaughtFaces) and self.networks.know(image, quads):
            return look
        return replace(look, faces=weighed_together(image, quads, look.faces, look.firm))

    def _with_opinions(self, image: Picture, look: Look) -> Look:
        """Ask Tesseract for the numbers of the tiles that the reader of faces is least sure of."""
        sure = look.faces.faces.max(1, initial=0.0)
        doubtful = [i for i in np.argsort(sure)[: self.opinions] if sure[i] < _SURE]
        given = look.faces.given_way.copy()
        for i in doubtful:
            number = second_opinion(image, look.aligned.quads[i])
            given[i, 0] = weighed(given[i, 0], number)
        return replace(look, faces=replace(look.faces, given_way=given))

    def look(self, image: Picture, area: Quad | None = None) -> Look:
        """Find the tiles of a picture (h, w, 3) BGR and say what each may be."""
        return self.look_at(image, inside(self.finder.find(image), area))

    def _again_as_neighbours_lie(self, image: Picture, aligned: Aligned) -> Aligned:
        """Look once more at what is hardly a tile and lies askew, through a box that lies as its sure neighbour does.

        A box turned by half a right angle leads the aligner astray; most tiles lie as those beside them do.
        """
        present = aligned.kinds[:, :2].max(1, initial=0.0)
        doubtful, sure = np.flatnonzero(present < _CLEARLY), np.flatnonzero(present >= _CLEARLY)
        if not len(doubtful) or not len(sure):
            return aligned
        like = shaped_like_neighbours(aligned.quads, doubtful, sure)
        askew = turned_apart(aligned.quads[doubtful], like) > _ASKEW
        doubtful, like = doubtful[askew], like[askew]
        again = self.networks.align(image, like)
        better = again.kinds[:, :2].max(1, initial=0.0) > present[doubtful]
        return aligned.replaced(doubtful[better], again.take(better))

    def _again_as_large_as_neighbours(self, image: Picture, aligned: Aligned, scores: NDArray[np.float32]) -> Aligned:
        """Look once more at what is smaller than the tiles around it, through a box as large as they are.

        All tiles are equally large; a smaller quad holds a part of one.
        """
        sure = (aligned.kinds[:, :2].max(1, initial=0.0) >= _CLEARLY) & (scores >= _WELL_FOUND)
        odd, like = too_small(aligned.quads, sure)
        if not len(odd):
            return aligned
        again = self.networks.align(image, like)
        wanted, before, after = (log_areas(quads) for quads in (like, aligned.quads[odd], again.quads))
        better = np.abs(after - wanted) < np.abs(before - wanted)
        better &= again.kinds[:, :2].max(1, initial=0.0) >= _CLEARLY
        others = np.delete(aligned.quads, odd, axis=0)
        better &= apart(again.quads, others, SAME_PLACE) | ~apart(aligned.quads[odd], others, SAME_PLACE)
        return aligned.replaced(odd[better], again.take(better))

    def _with_those_beside(
        self, image: Picture, boxes: Boxes, aligned: Aligned, shared: float
    ) -> tuple[Boxes, Aligned]:
        """Keep one of those that share a place, and look beside it: the boxes it drew there may have been around two.

        `shared`: how much of a place is too much.
        """
        kept = one_each(aligned.quads, _rank(boxes, aligned), shared)
        lost, winners = np.flatnonzero(~kept), np.flatnonzero(kept)
        if not len(lost) or not len(winners):
            return boxes.take(kept), aligned.take(kept)
        middles = aligned.quads.mean(axis=1)
        nearest = winners[np.linalg.norm(middles[lost][:, None] - middles[winners], axis=2).argmin(axis=1)]
        places, far = a_tile_further(aligned.quads[nearest], boxes.quads[lost].mean(axis=1))
        free = (far > _BESIDE) & apart(places, aligned.quads[winners], SAME_PLACE)
        free &= one_each(places, boxes.scores[lost], SAME_PLACE)
        found = replace(boxes.take(lost[free]), quads=places[free])
        return boxes.take(kept).joined(found), aligned.take(kept).joined(self.networks.align(image, found.quads))

    def look_at(self, image: Picture, boxes: Boxes, known: Quads = _NOWHERE) -> Look:
        """Say what each of the detector's boxes in a picture (h, w, 3) BGR may be; tiles lie in known places too."""
        first = self.networks.align(image, boxes.quads)
        boxes, aligned = self._with_those_beside(image, boxes, first, _ALIKE)
        off = np.flatnonzero(_moved_far(boxes.quads, aligned.quads))
        aligned = aligned.replaced(off, self.networks.align(image, aligned.quads[off]))
        aligned = self._again_as_neighbours_lie(image, aligned)
        aligned = self._again_as_large_as_neighbours(image, aligned, boxes.scores)
        boxes, aligned = self._with_those_beside(image, boxes, aligned, SAME_PLACE)
        places, more = unfound(image, aligned, self.networks, known)
        boxes, aligned = boxes.joined(Boxes.at(places, _UNFOUND)), aligned.joined(more)
        up = aligned.kinds[:, 0]
        down = ~boxes.face_down & (aligned.kinds[:, 1] > up) | boxes.face_down & (aligned.kinds[:, 1] >= up)
        kept = one_each(aligned.quads, _rank(boxes, aligned), SAME_PLACE)
        kept &= ~of_another_size(aligned.quads, boxes.scores)
        face_up = kept & ~down & (up >= _PERHAPS)
        tiles = aligned.take(face_up)
        tiles, faces = the_likelier_way_up(tiles, self.networks.read(image, tiles))
        there = _less_without_border(image, tiles.quads, up[face_up], faces.faces.max(1, initial=0.0))
        return Look(tiles, faces, there, replace(boxes, quads=aligned.quads).take(kept & down))


def _moved_far(boxes: Quads, quads: Quads) -> NDArray[np.bool_]:
    """Say which quads (n, 4, 2) the aligner moved so far from their boxes that a second look from there sees better."""
    turns = np.stack([np.linalg.norm(np.roll(quads, k, axis=1) - boxes, axis=2).max(1) for k in range(4)])
    return np.asarray(turns.min(0) > _NEAR * np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1))


def _less_without_border(
    image: Picture, quads: Quads, up: NDArray[np.float32], surest: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Take back what the aligner says (n,) of places that do not end where a tile would; not of those in a row."""
    alone = np.flatnonzero(~beside_sure(up, surest, quads))
    less = up.copy()
    less[alone[without_border(image, quads[alone])]] *= _BORDERLESS
    return less


def _rank(boxes: Boxes, aligned: Aligned) -> NDArray[np.float32]:
    """Rank boxes: one that straddles two tiles is drawn to one of them, and shall lose against that tile's own."""
    return np.asarray(boxes.scores * aligned.kinds[:, :2].sum(1), np.float32)


def load_reader(
    weights: Path | None = None, finder: Finder | None = None, *, calibration: Calibration | None = None
) -> TableReader:
    """Load the networks.

    Args:
        weights: a folder of ONNX files with their `weights.json`, or one ONNX file of another detector; the bundled
            weights where None.
        finder: another detector, in place of the file's.
        calibration: other temperatures than those written beside the weights.

    Raises:
        ModelError: weights are missing, corrupt or of another kind.
    """
    folder = weights if weights is not None and weights.is_dir() else weights_folder()
    if finder is None:
        single = weights is not None and not weights.is_dir()
        finder = Detector(OnnxNetwork(_existing(weights) if single else checked_weights("detector.onnx", folder)))
    aligner, reader = (OnnxNetwork(checked_weights(name, folder)) for name in ("aligner.onnx", "faces.onnx"))
    return TableReader(finder, FaceNetworks(aligner, reader, calibration or _calibration(folder)))


def _calibration(folder: Path) -> Calibration:
    """The temperatures that were fitted to the weights, where they were."""
    return Calibration(**published(folder).get("calibration", {}))


def _existing(path: Path | None) -> Path:
    if path is None or not path.is_file():
        msg = f"there are no weights {path}; leave --weights out to use the bundled ones"
        raise ModelError(msg)
    return path


def inside(boxes: Boxes, area: Quad | None) -> Boxes:
    """Leave out the boxes whose centre is not in the playing area, where there is one."""
    return boxes if area is None else boxes.take(within(boxes.quads, area))


def seen_backs(backs: Boxes) -> tuple[SeenTile, ...]:
    """The face-down tiles; they lie in the pool."""
    together = zip(backs.quads, backs.scores.tolist(), strict=True)
    return tuple(SeenTile(as_quad(quad), where=Where.POOL, back=True, presence=score) for quad, score in together)
