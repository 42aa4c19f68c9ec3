"""A table drawn in plain light, and looks at its tiles that say what a test wants said."""

from dataclasses import replace
from functools import cache

import numpy as np

from models.render.drawing import render_scene
from models.render.light import Light, Sensor
from models.render.scenes import draw_scene
from referee.tiles import Tile
from vision.detector import Boxes
from vision.faces import FACES, Aligned, Faces
from vision.reader import Look


@cache
def table(seed=9_300_001):
    """Draw a table in plain light, and where its face-up tiles lie upright."""
    scene = draw_scene(seed, (1280, 960), (60, 66), layouts=("melds",))
    picture = render_scene(replace(scene, light=Light(), sensor=Sensor(), things=()))
    tiles = [t for t in picture.truth["tiles"] if t["tile"] not in ("back", "?") and t["visible"] > 0.99]
    quads = np.array([t["corners"] for t in tiles], np.float32)
    return picture.image, quads, tuple(Tile.parse(t["tile"]) for t in tiles)


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
