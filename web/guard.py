"""What every request must pass before a route sees it, and the headers that every answer carries."""

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import Flask, Response, request, session
from flask_babel import gettext as _

from web.access import Role, same_origin
from web.body import ApiError
from web.services import services

MAX_BODY = 64 * 1024
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
READING = {"GET", "HEAD", "OPTIONS"}
P = ParamSpec("P")
R = TypeVar("R")


def protect(app: Flask) -> None:
    """Put the guard in front of every route of an app."""
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY,
        SESSION_COOKIE_NAME="referee",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=60 * 60 * 24 * 90,
    )
    app.before_request(check_host)
    app.before_request(check_origin)
    app.after_request(add_headers)


def check_host() -> None:
    """Refuse requests sent to a name that is not ours: a foreign site's name made to resolve here (rebinding)."""
    if not services().hosts.allows(request.headers.get("Host", "")):
        raise ApiError(400, "bad_host", "this machine has no such name; start with --allow-host NAME to allow it")


def check_origin() -> None:
    """Refuse changes that a page of another site asks for."""
    origin = request.headers.get("Origin")
    if (
        request.method not in READING
        and origin is not None
        and not same_origin(origin, request.headers.get("Host", ""))
    ):
        raise ApiError(403, "bad_origin", "changes are taken from our own pages only")


def add_headers(response: Response) -> Response:
    """Add what every answer carries; nothing but the fingerprinted assets is kept by browsers."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def present_role() -> Role:
    """Give the role of who asks; on a loopback address everybody is the referee."""
    if services().settings.is_loopback:
        return Role.REFEREE
    try:
        role = Role.parse(session.get("role", "watch"))
    except ValueError:
        return Role.WATCH
    stamp = str(session.get("stamp", ""))
    return role if secrets.compare_digest(stamp, services().keys.stamp(role)) else Role.WATCH


def csrf_token() -> str:
    """Give the token of this session, making one at the first visit."""
    if not isinstance(session.get("csrf"), str):
        session["csrf"] = secrets.token_urlsafe(24)
        session.permanent = True
    return str(session["csrf"])


def requires(role: Role) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a changing route be used from `role` upwards only, and with the session's CSRF token."""

    def decorate(route: Callable[P, R]) -> Callable[P, R]:
        @wraps(route)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            check_role(role)
            _check_csrf()
            return route(*args, **kwargs)

        return guarded

    return decorate


def check_role(role: Role) -> None:
    """Raise ApiError 401 for who has entered no PIN, 403 for who has the lesser one."""
    present = present_role()
    if present >= role:
        return
    if present is Role.WATCH:
        raise ApiError(401, "no_role", _("Enter the PIN that the terminal shows."))
    raise ApiError(403, "not_referee", _("Only the referee may do this: enter the referee's PIN."))


def _check_csrf() -> None:
    expected: Any = session.get("csrf")
    given = request.headers.get("X-CSRF-Token", "")
    if not isinstance(expected, str) or not secrets.compare_digest(given.encode(), expected.encode()):
        raise ApiError(403, "csrf", "the header X-CSRF-Token is missing or wrong: get it from /api/session")
