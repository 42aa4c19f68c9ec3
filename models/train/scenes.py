"""Rendering the training pictures on all cores, resumably: a picture that exists is not made again."""

import logging
import os
import subprocess
import sys
from pathlib import Path

_LOG = logging.getLogger(__name__)


def render_scenes(out: Path, count: int, *, seed: int, look: tuple[str, str], options: tuple[str, ...] = ()) -> None:
    """Render `count` scenes into a folder.

    `look`: the size (WIDTHxHEIGHT) and a tile's long side in pixels (A-B); `options`: more flags of the
    renderer's command.

    Raises:
        subprocess.CalledProcessError: a renderer failed.
    """
    workers = min(os.cpu_count() or 1, count)
    each = -(-count // workers)
    made = [_start(out, min(each, count - k * each), (seed + k * each, look, options)) for k in range(workers)]
    for process in made:
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, process.args)
    _LOG.info("%d scenes in %s", count, out)


def _start(out: Path, count: int, what: tuple[int, tuple[str, str], tuple[str, ...]]) -> subprocess.Popen:
    seed, (size, tile_px), options = what
    command = [sys.executable, "-m", "models.render", "--out", out, "--count", count, "--seed", seed, "--yolo"]
    command += ["--size", size, "--tile-px", tile_px, *options]
    return subprocess.Popen([str(word) for word in command], stderr=subprocess.DEVNULL)  # noqa: S603  our own module
