"""The interface of the camera's set-up: how well it sees, which one it is, and where in its picture the table lies."""

from typing import TYPE_CHECKING

from flask import Response, jsonify, request

from vision.errors import CameraError, ModelError, TileSetError
from web.access import Role
from web.api_people import api
from web.body import ApiError, Body
from web.camera_checks import camera_checks
from web.camera_setup import eyepiece, read_area
from web.documents import Json
from web.guard import check_role, requires
from web.sentences import Sentences, sentences
from web.services import services
from web.session import reader
from web.state import camera_part

if TYPE_CHECKING:
    from vision.lessons import Lesson

LONGEST_SOURCE = 300
LONGEST_NAME = 60
__all__ = ["api"]  # with the routes of `api`, `api_people` and this module


@api.get("/api/camera")
def camera() -> Response:
    """Give how it stands with the camera, and how well its picture can be read."""
    feed = services().feed
    checks = camera_checks(feed.sight.reading, feed.picture, sentences(reader().language))
    return jsonify({**camera_part(feed.sight), "checks": [check._asdict() for check in checks]})


@api.get("/api/cameras")
def cameras() -> Response:
    """List the cameras of this machine, the present one and the playing area."""
    check_role(Role.REFEREE)
    own = eyepiece()
    known = [one._asdict() for one in own.cameras()]
    return jsonify({"cameras": known, "present": own.source, "corners": own.area, "tilesets": own.tilesets()})


@api.get("/api/cameras/thumbnail.jpg")
def thumbnail() -> Response:
    """Give a picture of one of the listed cameras."""
    check_role(Role.REFEREE)
    try:
        return Response(eyepiece().thumbnail(_listed(request.args.get("source", ""))), mimetype="image/jpeg")
    except CameraError as error:
        raise ApiError(404, "no_picture", str(error)) from error


@api.post("/api/camera")
@requires(Role.REFEREE)
def choose_camera() -> Response:
    """Look through another of the listed cameras from now on; the game goes on."""
    body = Body.of(request)
    body.check_version(services().desk.state)
    try:
        eyepiece().choose(_listed(body.text("source", longest=LONGEST_SOURCE)))
    except (CameraError, ModelError) as error:
        raise ApiError(503, "no_camera", str(error)) from error
    return cameras()


@api.post("/api/area")
@requires(Role.REFEREE)
def set_area() -> Response:
    """Say where in the picture the table lies."""
    body = Body.of(request)
    body.check_version(services().desk.state)
    eyepiece().set_area(read_area(body.fields.get("corners")))
    return cameras()


@api.post("/api/teach")
@requires(Role.REFEREE)
def teach() -> Response:
    """Learn a set of tiles from the newest picture of it, laid out."""
    body = Body.of(request)
    body.check_version(services().desk.state)
    try:
        lesson = eyepiece().teach(body.text("name", longest=LONGEST_NAME))
    except (CameraError, ModelError) as error:
        raise ApiError(503, "no_camera", str(error)) from error
    except TileSetError as error:
        raise ApiError(422, "tileset", str(error)) from error
    return jsonify(lesson_document(lesson, sentences(reader().language)))


def lesson_document(lesson: "Lesson", words: Sentences) -> Json:
    """Say what a picture taught, what is still missing, and what is odd about the picture."""
    from web.teaching_words import missing, remark  # noqa: PLC0415 -- only where pictures are read

    known = lesson.tileset
    return {
        "name": known.name,
        "finished": known.finished,
        "learnt": sum(tile.status.value == "learnt" for tile in lesson.tiles),
        "missing": [str(tile) for tile in known.missing],
        "message": missing(known.missing, words),
        "remarks": [remark(one, words) for one in lesson.remarks],
    }


def _listed(source: str) -> str:
    """Take a camera of the list alone: no file or address is opened because a page asks for it."""
    if source not in {one.source for one in eyepiece().cameras()}:
        raise ApiError(404, "no_camera", "there is no such camera")
    return source
