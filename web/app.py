"""The Flask app: where settings, desk and camera come together with the routes."""

import hashlib
import time
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

from flask import Flask, Response, jsonify, request, send_from_directory
from flask.json.provider import DefaultJSONProvider
from flask_babel import Babel
from flask_babel import gettext as _
from werkzeug.exceptions import HTTPException

from referee.desk import Desk
from referee.errors import GameError, LogError, NotationError, RecordError, RuleError
from referee.ledger import StaleError, State
from referee.position import Phase
from web.access import HostGuard, Keys, PinLimiter
from web.api_camera import api
from web.archive import archive
from web.body import ApiError
from web.events import Broadcaster, Message
from web.evidence import Evidence
from web.feed import Feed
from web.guard import protect
from web.pages import error_page, pages
from web.sentences import TRANSLATIONS, sentences
from web.services import EXTENSION, Services, services
from web.session import language, reader
from web.settings import Settings
from web.state import StateWriter

STATIC = Path(__file__).parent / "static"
A_YEAR_S = 365 * 24 * 3600
MISTAKES = (NotationError, RecordError, RuleError)


class InOrder(DefaultJSONProvider):
    """Writes the fields of a document in the order in which they were put together."""

    sort_keys = False


class Referee(Flask):
    """Flask with our way of writing JSON."""

    json_provider_class = InOrder


def now_ms() -> int:
    """Give the program's monotonic clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


def create_app(settings: Settings, desk: Desk, feed: Feed | None = None, keys: Keys | None = None) -> Flask:
    """Wire an app; without `feed` there is no camera, without `keys` the PINs are drawn for this app alone."""
    feed, keys = feed or Feed(draw=lambda _picture, _reading, _verdict: b""), keys or Keys.make()
    app = Referee(__name__, static_folder=None)
    app.secret_key = keys.secret
    app.extensions[EXTENSION] = Services(
        settings=settings,
        desk=desk,
        feed=feed,
        keys=keys,
        hosts=HostGuard(settings.host, settings.allow_host),
        limiter=PinLimiter(time.monotonic),
        broadcaster=Broadcaster(settings.clients),
        writer=StateWriter(desk, feed, now_ms, settings.live_verdict),
        evidence=_evidence(settings, desk, feed),
        now_ms=now_ms,
    )
    protect(app)
    Babel(app, locale_selector=language, default_translation_directories=str(TRANSLATIONS))
    _add_routes(app)
    _tell_changes(app, desk)
    return app


def _evidence(settings: Settings, desk: Desk, feed: Feed) -> Evidence | None:
    """Keep pictures where the owner wants it and a camera gives any."""
    if not (settings.evidence and settings.camera):
        return None

    def _drawn() -> bytes | None:
        return feed.read_jpeg(desk.game.now.verdict if desk.game.now.phase is Phase.RESTORE else None)

    folder = settings.data_folder / "pictures"
    evidence = Evidence(folder, settings.evidence_mb, lambda: desk.game_id, _drawn)
    desk.subscribe(evidence.note)
    return evidence


def _add_routes(app: Flask) -> None:
    app.register_blueprint(api)
    app.register_blueprint(archive)
    app.register_blueprint(pages)
    app.add_url_rule(f"/assets/{fingerprint()}/<path:name>", "asset", _asset)
    app.add_template_global(lambda name: f"/assets/{fingerprint()}/{name}", "asset")
    app.jinja_env.globals["program"] = program_version()
    app.register_error_handler(ApiError, _api_error)
    app.register_error_handler(StaleError, _stale)
    app.register_error_handler(GameError, _refused)
    for mistake in MISTAKES:
        app.register_error_handler(mistake, _unfit)
    app.register_error_handler(LogError, _no_log)
    app.register_error_handler(HTTPException, _http_error)


def _tell_changes(app: Flask, desk: Desk) -> None:
    """Tell every open page of every change of the game."""
    own: Services = app.extensions[EXTENSION]

    def tell(state: State) -> None:
        own.writer.note(state)
        own.broadcaster.publish(Message("state", state, state.version))

    desk.subscribe(tell)


@cache
def fingerprint() -> str:
    """Give a short mark of all assets: it stands in their addresses, so that browsers may keep them for good."""
    digest = hashlib.sha256()
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            digest.update(file.relative_to(STATIC).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()[:12]


@cache
def program_version() -> str:
    """Give the version of the installed program."""
    try:
        return installed_version("rummy-referee")
    except PackageNotFoundError:
        return "0"


def _asset(name: str) -> Response:
    answer = send_from_directory(STATIC, name, max_age=A_YEAR_S)
    answer.headers["Cache-Control"] = f"public, max-age={A_YEAR_S}, immutable"
    return answer


# --- errors ---


def _answer(status: int, code: str, message: str, **extra: object) -> tuple[Response, int]:
    """Give an error as JSON to scripts, as a page to people."""
    if request.path.startswith("/api/") or request.path == "/healthz" or request.method != "GET":
        return jsonify({"error": {"code": code, "message": message}, **extra}), status
    return error_page(message), status


def _api_error(error: ApiError) -> tuple[Response, int]:
    answer, status = _answer(error.status, error.code, error.message, **dict(error.extra))
    if error.status == 429:
        answer.headers["Retry-After"] = str(dict(error.extra).get("retry_s", 1))
    return answer, status


def _stale(error: StaleError) -> tuple[Response, int]:
    document = services().writer.document(reader(), error.state)
    return _answer(
        409, "stale", "the game went on meanwhile: here is the new state", version=error.state.version, state=document
    )


def _refused(error: GameError) -> tuple[Response, int]:
    """Something that the game does not allow at this moment, said in the language of the page."""
    return _answer(422, error.code.value, sentences(language()).refusal(error))


def _unfit(error: ValueError) -> tuple[Response, int]:
    """A caller's mistake in notation or rules."""
    return _answer(422, "not_possible", str(error))


def _no_log(error: LogError) -> tuple[Response, int]:
    return _answer(503, "log", str(error))


def _http_error(error: HTTPException) -> tuple[Response, int]:
    status = error.code or 500
    message = _("There is no such page.") if status == 404 else error.description or ""
    answer, status = _answer(status, (error.name or "error").lower().replace(" ", "_"), message)
    for name, value in error.get_headers(request.environ):
        if name == "Allow":
            answer.headers[name] = value
    return answer, status
