import numpy as np
import pytest
from drawn_table import look, other_ink, table

from vision.acquaintance import Acquaintance
from vision.faces import FACES
from vision.remembered import Remembered


def known(count):
    image, quads, faces = table()
    return Acquaintance().met(Remembered(image, quads[:count], faces[:count]))


def test_inks_that_the_networks_mistake_are_known_after_some_turns():
    image, quads, faces = table()
    numbered = [i for i, face in enumerate(faces) if not face.is_joker]
    half = len(faces) // 2
    later = [i for i in numbered if i >= half]
    unsure = look(quads[later], [faces[i] for i in later], 0.4, [other_ink(faces[i]) for i in later])
    weighed = known(half).weighed(unsure, image, np.zeros(len(later), bool))
    said = [FACES[i].colour for i in weighed.faces.faces.argmax(axis=1)]
    right = [face == faces[i].colour for face, i in zip(said, later, strict=True)]
    assert np.mean(right) > 0.9


def test_of_few_tiles_nothing_is_learnt():
    image, quads, faces = table()
    unsure = look(quads, faces)
    assert known(3).weighed(unsure, image, np.zeros(len(faces), bool)) is unsure


def test_certain_tiles_stay_as_they_are():
    image, quads, faces = table()
    unsure = look(quads, faces)
    assert known(len(faces)).weighed(unsure, image, np.ones(len(faces), bool)) is unsure


def test_what_looks_like_a_tile_of_the_set_is_surely_there():
    image, quads, faces = table()
    weighed = known(len(faces)).weighed(look(quads, faces, 0.9), image, np.zeros(len(faces), bool))
    assert (weighed.presence > 0.98).mean() > 0.9


def test_what_is_like_nothing_of_the_set_is_no_surer():
    image, _, faces = table()
    bare = np.array([[[4, 4], [34, 4], [34, 44], [4, 44]]], np.float32)
    weighed = known(len(faces)).weighed(look(bare, faces[:1]), image, np.zeros(1, bool))
    assert weighed.presence[0] == pytest.approx(0.7, abs=0.01)


def test_of_each_face_a_few_pictures_are_kept():
    image, quads, faces = table()
    met = Acquaintance()
    for _ in range(6):
        met = met.met(Remembered(image, quads, faces))
    assert max(met.faces.count(face) for face in set(faces)) == 3
    assert len(met.specimens) == len(met.faces)
