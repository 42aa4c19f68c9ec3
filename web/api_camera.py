"""The interface of the camera's set-up: how well it sees, which one it is, and where in its picture the table lies."""

from flask import Response, jsonify, request

from vision.errors import CameraError, ModelError
from web.access import Role
from web.api_people import api
from web.body import ApiError, Body
from web.camera_checks import camera_checks
from web.camera_setup import eyepiece, read_area
from web.guard import check_role, requires
from web.sentences import sentences
from web.services import services
from web.session import reader
from web.state import camera_part

LONGEST_SOURCE = 300
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
    return jsonify({"cameras": known, "present": own.source, "corners": own.area})


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
    body.check_version(services().desk.version)
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
    body.check_version(services().desk.version)
    eyepiece().set_area(read_area(body.fields.get("corners")))
    return cameras()


def _listed(source: str) -> str:
    """Take a camera of the list alone: no file or address is opened because a page asks for it."""
    if source not in {one.source for one in eyepiece().cameras()}:
        raise ApiError(404, "no_camera", "there is no such camera")
    return source
