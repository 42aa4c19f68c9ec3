"""`teach`: learn an owner's tiles from photos of them laid out."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vision.errors import PictureError
from web.documents import Json, texts
from web.options import as_json, eye_options, settings_of
from web.sentences import Sentences, spoken_here
from web.settings import Settings

if TYPE_CHECKING:
    from vision.lessons import Lesson
    from vision.tileset import TileSet

UNFINISHED = 4


@click.command("teach", short_help="Learn the tiles of your own set.")
@click.argument("name", required=False)
@click.argument("photos", nargs=-1, metavar="PHOTO...", type=click.Path(path_type=Path))
@click.option("--ink", "inks", multiple=True, metavar="B=green", help="What you call an ink; may be repeated.")
@click.option("--list", "listed", is_flag=True, help="List the sets that were taught.")
@click.option("--forget", metavar="NAME", help="Forget a set.")
@eye_options
@as_json
def command(*, name: str | None, as_json: bool, listed: bool, forget: str | None, **flags: Any) -> int:  # noqa: ANN401
    """Learn the tiles of your own set, to be read with --tileset NAME.

    Lay each colour in a row from 1 to 13, and the jokers beside them; take one photo or several, from above. What a
    photo does not show is asked for (exit 4) and kept open: call teach again with a photo of it. Four photos in
    different light are better than one.
    """
    photos, inks = flags.pop("photos"), flags.pop("inks")
    settings = settings_of(flags)
    if listed or forget is not None:
        document, text = _listed(settings) if forget is None else _forgotten(forget, settings)
        click.echo(json.dumps(document, ensure_ascii=False) if as_json else text)
        return 0
    if not name or not (photos or inks):
        msg = "say what the set is called and give photos of it: rummy-referee teach NAME PHOTO..."
        raise click.UsageError(msg)
    return _taught(name, photos, inks, settings, as_json=as_json)


def _taught(name: str, photos: tuple[Path, ...], inks: tuple[str, ...], settings: Settings, *, as_json: bool) -> int:
    from vision.tileset import InkName  # noqa: PLC0415  help needs no eyes, and loading them takes a second
    from web.tilesets import begun, shelf_of  # noqa: PLC0415

    shelf = shelf_of(settings)
    tileset = begun(shelf, name, [InkName.parse(ink) for ink in inks])
    if not photos:
        shelf.save(tileset)
    lessons, errors, tileset = _lessons(tileset, photos, settings)
    words = spoken_here(tileset.inks)
    document = {**_set_document(tileset), "photos": _lesson_documents(lessons, words), "errors": errors}
    click.echo(json.dumps(document, ensure_ascii=False) if as_json else _printed(tileset, lessons, words))
    for one in errors:
        click.echo(f"rummy-referee teach: {one['message']}", err=True)
    return 2 if errors else 0 if tileset.finished else UNFINISHED


Lessons = list[tuple[Path, "Lesson"]]


def _lessons(tileset: "TileSet", photos: tuple[Path, ...], settings: Settings) -> tuple[Lessons, list[Json], "TileSet"]:
    """Teach photo by photo; a bad one does not stop the others, and what was learnt is saved after each."""
    from vision.frames import load_picture  # noqa: PLC0415
    from web.eyes import bare_reader  # noqa: PLC0415
    from web.tilesets import shelf_of, teach_picture  # noqa: PLC0415

    reader = bare_reader(settings)
    lessons: Lessons = []
    errors: list[Json] = []
    for photo in photos:
        try:
            lesson = teach_picture(shelf_of(settings), tileset, load_picture(photo).image, reader)
        except PictureError as error:
            errors.append({"image": str(photo), "code": error.code, "message": str(error)})
        else:
            lessons.append((photo, lesson))
            tileset = lesson.tileset
    return lessons, errors, tileset


def _set_document(tileset: "TileSet") -> Json:
    from web.tilesets import inks_seen  # noqa: PLC0415

    seen = inks_seen(tileset)
    return {
        "name": tileset.name,
        "finished": tileset.finished,
        "missing": texts(tileset.missing),
        "inks": {c.value: {"name": tileset.inks.get(c, look), "looks": look} for c, look in seen.items()},
        "tiles": len(tileset.tiles),
    }


def _lesson_documents(lessons: Lessons, words: Sentences) -> list[Json]:
    from web.teaching_words import remark  # noqa: PLC0415

    return [
        {
            "image": str(photo),
            "tiles": [
                {
                    "corners": [[round(x, 1), round(y, 1)] for x, y in seen.corners],
                    "tile": str(seen.face) if seen.face else None,
                    "status": seen.status.value,
                }
                for seen in lesson.tiles
            ],
            "remarks": [{"code": one.code.value, "message": remark(one, words)} for one in lesson.remarks],
        }
        for photo, lesson in lessons
    ]


def _printed(tileset: "TileSet", lessons: Lessons, words: Sentences) -> str:
    from web.teaching_words import inks, missing, remark  # noqa: PLC0415
    from web.tilesets import inks_seen  # noqa: PLC0415

    lines = []
    for photo, lesson in lessons:
        learnt = sum(seen.status == "learnt" for seen in lesson.tiles)
        lines.append(f"{photo}: {words.tiles_learnt(learnt)}")
        lines += [f"  {remark(one, words)}" for one in lesson.remarks]
    seen = inks_seen(tileset)
    lines += [inks(seen, dict(tileset.inks))] if seen else []
    return "\n".join([*lines, missing(tileset.missing, words)])


def _listed(settings: Settings) -> tuple[Json, str]:
    """List the sets; one that cannot be read is listed with what is wrong."""
    from vision.errors import TileSetError  # noqa: PLC0415
    from web.tilesets import shelf_of  # noqa: PLC0415

    shelf = shelf_of(settings)
    documents: list[Json] = []
    for name in shelf.names():
        try:
            documents.append(_set_document(shelf.load(name)))
        except TileSetError as error:
            documents.append({"name": name, "error": {"code": "corrupt", "message": str(error)}})
    lines = [f"{one['name']}: {_state(one)}" for one in documents]
    return {"tilesets": documents}, "\n".join(lines) or "no set was taught yet"


def _state(document: Json) -> str:
    if "error" in document:
        return str(document["error"]["message"])  # type: ignore[index]
    return "finished" if document["finished"] else "missing " + " ".join(document["missing"])  # type: ignore[arg-type]


def _forgotten(name: str, settings: Settings) -> tuple[Json, str]:
    from web.tilesets import shelf_of  # noqa: PLC0415

    shelf_of(settings).forget(name)
    return {"forgotten": name}, f"{name} is forgotten"
