"""All tiles on one table are of one set: what is read for sure on some tells what others are.

Those that are read for sure show the set's inks as they look in this light, and the prints of its numbers; the others
are weighed with how like them they are. Of a number or an ink that none of them shows nothing is assumed. Whether
there is a face at all, and which way up it lies, is left as it was read.
"""

import numpy as np
from numpy.typing import NDArray

from referee.tiles import Tile
from vision.faces import FACES, Faces
from vision.likeness import Prints, Prototypes
from vision.patches import Picture, Quads
from vision.prints import flat_faces
from vision.specimens import Specimens

_SURE = 0.99
"""A face, and the way up it lies, are sure from here on."""
FEWEST = 6
"""From fewer known tiles nothing is learnt of a set."""


def weighed_together(picture: Picture, quads: Quads, faces: Faces, there: NDArray[np.bool_]) -> Faces:
    """Weigh the faces of the tiles at quads (n, 4, 2) in a picture (h, w, 3) BGR that are not sure with those that are.

    `there` (n,): which of them are tiles for sure; only from those is learnt.
    """
    known, doubtful = _surest(faces, there), np.flatnonzero(~_sure(faces))
    if len(known) < FEWEST or not len(doubtful):
        return faces
    both = np.concatenate([[place for place, _ in known], doubtful])
    prints = Prints.of(flat_faces(picture, quads[both]))
    of_known = prints.take(slice(len(known)))
    specimens = Specimens.printed([face for _, face in known], of_known.upright, of_known.colours)
    told = Prototypes.on_one_table(specimens).tell_apart(faces.take(both), prints)
    given = faces.given_way.copy()
    given[doubtful] = told.given_way[len(known) :]
    return Faces(faces.ways, given)


def _surest(faces: Faces, there: NDArray[np.bool_]) -> list[tuple[int, Tile]]:
    """Give place and face of the surest tile of each face that is read for sure; only from those `there` (n,)."""
    places = np.flatnonzero(_sure(faces) & there)
    places = places[np.argsort(-faces.given_way[places, 0].max(1, initial=0.0), kind="stable")]
    shown, first = np.unique(faces.given_way[places, 0].argmax(1), return_index=True)
    return [(int(places[place]), FACES[face]) for face, place in zip(shown, first, strict=True)]


def _sure(faces: Faces) -> NDArray[np.bool_]:
    return np.asarray((faces.given_way[:, 0].max(1, initial=0.0) >= _SURE) & (faces.ways[:, 0] >= _SURE))
