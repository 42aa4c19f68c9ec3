"""Getting to know a set of tiles while it is played with.

Every turn that was judged leaves tiles on the table whose faces are known. What they look like (`vision.specimens`)
says what later tiles of the same set are, as a taught set does (`vision.likeness`): its inks, its numbers, its jokers.
Of a number that has not been seen yet nothing is known, and nothing is assumed.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.tiles import Tile
from vision.faces import Faces
from vision.likeness import Prints, Prototypes, weight_of
from vision.one_set import FEWEST
from vision.patches import Picture
from vision.presence import log_odds
from vision.prints import flat_faces
from vision.reader import Look
from vision.remembered import Remembered
from vision.specimens import Specimens

_EACH = 3
"""So many pictures of each face are kept, the first ones."""
_LIKE_NOTHING = 0.9
"""A table-top is never more like a face than this."""


@dataclass(frozen=True, eq=False)
class Acquaintance:
    """What is known of the set that is played with: `faces` (n), `specimens` of n tiles; None before the first."""

    faces: tuple[Tile, ...] = ()
    specimens: Specimens | None = None

    @cached_property
    def prototypes(self) -> Prototypes | None:
        """The set as far as it is known, None where that is too little."""
        if self.specimens is None or len(self.specimens) < FEWEST:
            return None
        return Prototypes.met(self.specimens)

    def met(self, table: Remembered) -> "Acquaintance":
        """Get to know the tiles of a table that was judged."""
        seen, new = Counter(self.faces), list[int]()
        for place, face in enumerate(table.faces):
            seen[face] += 1
            if seen[face] <= _EACH:
                new.append(place)
        if not new:
            return self
        faces = tuple(table.faces[place] for place in new)
        picture_number = 0 if self.specimens is None else int(self.specimens.photos[-1]) + 1
        more = Specimens.lying(table.picture, table.quads[new], faces, picture_number)
        known = more if self.specimens is None else self.specimens.joined(more)
        return Acquaintance((*self.faces, *faces), known)

    def weighed(self, look: Look, picture: Picture, certain: NDArray[np.bool_]) -> Look:
        """Weigh what a look says of its tiles (n) with how like they are to those met before; not of certain ones."""
        prototypes, doubtful = self.prototypes, np.flatnonzero(~certain)
        if prototypes is None or not len(doubtful):
            return look
        prints = Prints.of(flat_faces(picture, look.aligned.quads))
        weighed = prototypes.weigh(look.faces, prints)
        ways, given, there = look.faces.ways.copy(), look.faces.given_way.copy(), look.presence.copy()
        ways[doubtful], given[doubtful] = weighed.ways[doubtful], weighed.given_way[doubtful]
        there[doubtful] = _surer(there[doubtful], prototypes.like_a_face(prints)[doubtful])
        return replace(look, faces=Faces(ways, given), presence=there)


def _surer(there: NDArray[np.float32], alike: NDArray[np.float64]) -> NDArray[np.float32]:
    """Say how surely there are tiles in places (n,), given how like a face of the set each looks."""
    more = np.log(np.maximum(weight_of(alike) / weight_of(np.array(_LIKE_NOTHING)), 1))
    return np.asarray(1 / (1 + np.exp(-log_odds(there) - more)), np.float32)
