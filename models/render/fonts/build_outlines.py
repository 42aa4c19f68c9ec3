"""Make `outlines.npz` and the table in README.md from font files: `build_outlines.py FOLDER FONTS.tsv`.

Run once by whoever changes the fonts, never by the program; needs fonttools, brotli and skia-pathops, which are no
dependencies of ours. FOLDER holds the archives of `npm pack @fontsource/NAME`; a line of FONTS.tsv is
`NAME WEIGHT STYLE`. Curves are flattened to polylines in 1/1000 of a digit's height, y down, baseline at 0.
"""

# ruff: noqa: INP001 -- a script beside the data that it makes, in no package

import io
import json
import pathlib
import string
import sys
import tarfile
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pathops
from fontTools.ttLib import TTFont

CHARS = string.digits + string.ascii_letters
STEPS = 5
DIGIT_HEIGHT = 1000
KEEP_WITHIN = 1.5


class Source(NamedTuple):
    """One font file with what its licence wants to be told."""

    family: str
    weight: str
    style: str
    font: TTFont
    version: str
    copyright: str
    licence: str


def read_source(folder: pathlib.Path, family: str, weight: str, style: str) -> Source:
    """Open the Latin subset of one family and weight."""
    archive = next(folder.glob(f"fontsource-{family}-[0-9]*.tgz"))
    with tarfile.open(archive) as tar:
        package = json.loads(_member(tar, "package.json"))
        raw = _member(tar, f"files/{family}-latin-{weight}-normal.woff2")
        licence = _member(tar, "LICENSE").decode()
    font = TTFont(io.BytesIO(raw))
    said = font["name"].getDebugName(0) or licence.splitlines()[0]
    version = (font["name"].getDebugName(5) or "").replace("Version ", "").split(";")[0]
    return Source(family, weight, style, font, version, " ".join(said.split()), package["license"])


def _member(tar: tarfile.TarFile, name: str) -> bytes:
    stream = tar.extractfile(f"package/{name}")
    if stream is None:
        msg = f"{name} is no file"
        raise FileNotFoundError(msg)
    return stream.read()


def flatten(path: pathops.Path) -> list[np.ndarray]:
    """Turn a path's lines and curves into closed polylines, in font units with y up."""
    contours: list[list[tuple[float, float]]] = []
    for verb, points in path:
        if verb == pathops.PathVerb.MOVE:
            contours.append([points[0]])
        elif verb != pathops.PathVerb.CLOSE:
            contours[-1].extend(sample(np.array((contours[-1][-1], *points))))
    return [np.array(c) for c in contours if len(c) > 2]


def sample(p: np.ndarray) -> list[tuple[float, float]]:
    """Sample a Bezier segment of 2, 3 or 4 control points, without its first point."""
    if len(p) == 2:
        return [tuple(p[1])]
    t = np.linspace(0, 1, STEPS + 1)[1:, None]
    level = list(p)
    while len(level) > 1:
        level = [a + (b - a) * t for a, b in pairwise(level)]
    return [tuple(xy) for xy in level[0]]


def thin(contour: np.ndarray) -> np.ndarray:
    """Drop points that lie within KEEP_WITHIN of the line between their neighbours."""
    keep = [contour[0]]
    for point, after in pairwise(contour[1:]):
        chord, arm = after - keep[-1], point - keep[-1]
        length = np.hypot(*chord)
        if length < 1e-6 or abs(chord[0] * arm[1] - chord[1] * arm[0]) / length > KEEP_WITHIN:
            keep.append(point)
    return np.array([*keep, contour[-1]])


def glyphs(source: Source) -> tuple[list[list[np.ndarray]], list[int]]:
    """Give the outlines and advances of all characters, scaled to the height of a digit."""
    glyph_set, cmap = source.font.getGlyphSet(), source.font.getBestCmap()
    raw: list[list[np.ndarray]] = []
    for char in CHARS:
        path = pathops.Path()
        glyph_set[cmap[ord(char)]].draw(path.getPen(glyphSet=glyph_set))
        path.convertConicsToQuads()
        path.simplify(fix_winding=True, keep_starting_points=False)
        raw.append(flatten(path))
    heights = [np.ptp(np.vstack(g)[:, 1]) for g in raw[:10]]
    if max(heights) > 1.12 * min(heights):
        msg = f"{source.family}: old-style digits {np.round(heights)}"
        raise ValueError(msg)
    scale = DIGIT_HEIGHT / float(np.median(heights)) * np.array([1, -1])
    outlines = [[thin(c * scale) for c in g] for g in raw]
    advances = [round(glyph_set[cmap[ord(c)]].width * scale[0]) for c in CHARS]
    return outlines, advances


def pack(sources: list[Source], target: pathlib.Path) -> None:
    """Write all fonts into one archive of flat arrays (see `models.render.glyphs`)."""
    points, contours, index, advances = [], [0], [0], []
    for source in sources:
        outlines, widths = glyphs(source)
        advances.append(widths)
        for glyph in outlines:
            for contour in glyph:
                points.append(np.round(contour).astype(np.int16))
                contours.append(contours[-1] + len(contour))
            index.append(len(contours) - 1)
    np.savez_compressed(
        target,
        names=np.array(neutral_names(sources)),
        chars=np.array(CHARS),
        points=np.vstack(points),
        contours=np.array(contours, np.int32),
        glyphs=np.array(index, np.int32),
        advances=np.array(advances, np.int16),
    )


def neutral_names(sources: list[Source]) -> list[str]:
    """Name the fonts by style and number: the OFL reserves the authors' names."""
    seen: dict[str, int] = {}
    out = []
    for source in sources:
        seen[source.style] = seen.get(source.style, 0) + 1
        out.append(f"{source.style}-{seen[source.style]:02}")
    return out


def table(sources: list[Source]) -> str:
    """Give the README's table: our name, and family, weight, version, copyright of the original."""
    rows = [
        f"| {name} | {s.family} | {s.weight} | {s.version} | {s.copyright} |"
        for name, s in zip(neutral_names(sources), sources, strict=True)
    ]
    return "\n".join(["| name here | made from | weight | version | copyright |", "|---|---|---|---|---|", *rows])


def main(folder: str, fonts: str) -> None:
    """Build everything beside this file; refuse what is not under the OFL."""
    here = pathlib.Path(__file__).parent
    wanted = [line.split() for line in pathlib.Path(fonts).read_text().splitlines() if line.strip()]
    sources = [read_source(pathlib.Path(folder), *line) for line in wanted]
    if closed := [s.family for s in sources if s.licence != "OFL-1.1"]:
        msg = f"not under the OFL: {closed}"
        raise SystemExit(msg)
    pack(sources, here / "outlines.npz")
    readme = here / "README.md"
    head = readme.read_text(encoding="utf-8").split("| name here |")[0] if readme.exists() else ""
    readme.write_text(head + table(sources) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
