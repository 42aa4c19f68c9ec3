"""Cutting one tile out of the newest picture, upright and large, for the question which tile it is."""

import cv2
import numpy as np

from referee.table import SeenTile
from vision.frames import Picture

HEIGHT, WIDTH = 280, 200
MARGIN = 0.18


def close_up(picture: Picture, tile: SeenTile) -> Picture:
    """Give a tile as it is read (280, 200, 3), with a little of what lies around it."""
    x, y = WIDTH * MARGIN / (1 + 2 * MARGIN), HEIGHT * MARGIN / (1 + 2 * MARGIN)
    goal = np.array([(x, y), (WIDTH - x, y), (WIDTH - x, HEIGHT - y), (x, HEIGHT - y)], np.float32)
    plane = cv2.getPerspectiveTransform(np.array(tile.corners, np.float32), goal)
    return np.asarray(cv2.warpPerspective(picture, plane, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8)
