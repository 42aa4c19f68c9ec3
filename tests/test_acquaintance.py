from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from models.render.drawing import render_scene
from models.render.light import Light, Sensor
from models.render.scenes import draw_scene
from referee.tiles import Tile
from vision.acquaintance import Acquaintance
from vision.detector import Boxes
from vision.faces import FACES, Aligned, Faces
from vision.reader import Look
from vision.remembered import Remembered


@cache
def table(seed=9_300_001):
    """Draw a table in plain light, and where its face-up tiles lie upright."""
    scene = draw_scene(seed, (1280, 960), (60, 66), layouts=("melds",))
    picture = render_scene(replace(scene, light=Light(), sensor=Sensor(), things=()))
    tiles = [t for t in picture.truth["tiles"] if t["tile"] not in ("back", "?") and t["visible"] > 0.99]
    quads = np.array([t["corners"] for t in tiles], np.float32)
    return picture.image, quads, tuple(Tile.parse(t["tile"]) for t in tiles)


def known(count):
    image, quads, faces = table()
    return Acquaintance().met(Remembered(image, quads[:count], faces[:count]))


def look(quads, faces, sure=0.4, instead=None, there=0.7):
    """Make a look that says each face with `sure`, and with the rest what is there `instead`."""
    given = np.zeros((len(faces), 2, len(FACES)), np.float32)
    for i, face in enumerate(faces):
        given[i, :, FACES.index(face)] = sure
        given[i, :, FACES.index(instead[i] if instead else FACES[0])] += 1 - sure
    ways = np.tile(np.array([0.99, 0.01], np.float32), (len(faces), 1))
    kinds = np.tile(np.array([there, 0, 1 - there], np.float32), (len(faces), 1))
    count = len(faces)
    up = np.full(count, there, np.float32)
    return Look(Aligned(quads, np.ones(count, np.float32), kinds), Faces(ways, given), up, Boxes.none())


def other_ink(face):
    return Tile.parse(f"{'KRBO'[('KRBO'.index(str(face)[0]) + 1) % 4]}{face.number}")


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
