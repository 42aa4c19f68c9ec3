"""`read`: what lies on the table in a photo."""

import json
from pathlib import Path
from typing import Any

import click

from vision.errors import PictureError
from web.documents import Json, reading_document
from web.options import as_json, common_options, settings_of
from web.sentences import Sentences, spoken_here


@click.command("read", short_help="Say what lies on the table in a photo.")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=Path))
@click.option(
    "--overlay", type=click.Path(path_type=Path), help="Draw the reading into this file, or folder for several."
)
@common_options
@as_json
def command(*, photos: tuple[Path, ...], overlay: Path | None, as_json: bool, **flags: Any) -> int:  # noqa: ANN401
    """Read photos: the tiles, the melds, and what is in doubt. Of several, a bad one does not stop the others."""
    from web.eyes import load_eyes  # noqa: PLC0415 -- help needs no eyes, and loading them takes a second
    from web.tilesets import ink_names  # noqa: PLC0415

    settings = settings_of(flags)
    eyes, words = load_eyes(settings), spoken_here(ink_names(settings))
    readings: list[Json] = []
    errors: list[Json] = []
    for photo in photos:
        try:
            readings.append(_read(photo, eyes, words, _overlay_of(photo, overlay, several=len(photos) > 1)))
        except PictureError as error:
            errors.append({"image": str(photo), "code": error.code, "message": str(error)})
    if as_json:
        click.echo(json.dumps({"readings": readings, "errors": errors}, ensure_ascii=False))
    elif readings:
        click.echo(_printed(readings))
    for one in errors:
        click.echo(f"rummy-referee read: {one['message']}", err=True)
    return 2 if errors else 0


def _overlay_of(photo: Path, overlay: Path | None, *, several: bool) -> Path | None:
    """Give the file to draw into: of several photos each has its own in a folder."""
    if overlay is None or not (several or overlay.is_dir()):
        return overlay
    return overlay / f"{photo.stem}.jpg"


def _read(photo: Path, eyes: Any, words: Sentences, overlay: Path | None) -> Json:  # noqa: ANN401
    from web.eyes import read_photo, save_overlay  # noqa: PLC0415

    done = read_photo(photo, eyes)
    if overlay is not None:
        save_overlay(overlay, done)
    document = reading_document(done.reading, words)
    for tile, seen in zip(document["tiles"], done.reading.tiles, strict=True):  # type: ignore[call-overload]
        tile["corners"] = [[round(x, 1), round(y, 1)] for x, y in done.frame.to_full(seen.corners).tolist()]
    width, height = done.frame.full_size
    return {"image": str(photo), "width": width, "height": height, **document, "seconds": round(done.seconds, 3)}


def _printed(readings: list[Json]) -> str:
    lines = []
    for one in readings:
        lines.append(f"{one['image']}: {one['table']}")
        lines += [f"  ? {doubt['why']} ({' or '.join(doubt['answers'])})" for doubt in one["doubts"]]  # type: ignore[attr-defined]
        lines += [f"  {note}" for note in one["notes"]]  # type: ignore[attr-defined]
    return "\n".join(lines)
