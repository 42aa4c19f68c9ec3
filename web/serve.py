"""Serving the app with waitress: a thread for each open page and a few more, and nobody who can hold up the others."""

import json
import os
import select
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import waitress
from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import MultiSocketServer
from waitress.task import ErrorTask

from web.errors import InputError
from web.settings import Settings

SPARE_THREADS = 8
MOST_CONNECTIONS = 1000
LARGEST_BODY = 256 * 1024
QUEUED_FOR_A_PAGE = 512 * 1024
DEAD_AFTER_MS = 30_000
PATIENCE_S = 30.0


class PortError(InputError):
    """The address or port cannot be served on; the message says which and what to do."""


class JsonErrorTask(ErrorTask):
    """Answers what waitress itself refuses (a body too large, a request that is none) in the contract's form."""

    def execute(self) -> None:
        """Write the answer, and close the connection."""
        error = self.request.error
        code = str(error.reason).lower().replace(" ", "_")
        body = json.dumps({"error": {"code": code, "message": error.body}}).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Channel(HTTPChannel):
    """A connection whose refusals are JSON."""

    error_task_class = JsonErrorTask


def socket_options() -> list[tuple[int, int, int]]:
    """Give what makes the system notice a tablet that fell asleep or left the house, where it knows such options."""
    options = [(socket.SOL_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.SOL_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER_MS))
    return options


def make_server(app: Flask, settings: Settings) -> Any:  # noqa: ANN401 -- waitress carries no types
    """Bind to the address and port of the settings.

    `channel_request_lookahead` lets a stream learn that its page has gone: a reload holds its old thread no longer.

    Raises:
        PortError: the port is taken, or there is no such address.
    """
    opened: dict[int, Any] = {}
    try:
        server = waitress.create_server(
            app,
            map=opened,
            host=settings.host,
            port=settings.port,
            threads=settings.clients + SPARE_THREADS,
            connection_limit=MOST_CONNECTIONS,
            channel_request_lookahead=1,
            outbuf_high_watermark=QUEUED_FOR_A_PAGE,
            max_request_body_size=LARGEST_BODY,
            asyncore_use_poll=hasattr(select, "poll"),
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
    except (OSError, ValueError, OverflowError) as error:
        wasyncore.close_all(opened, ignore_all=True)  # waitress leaves them open
        place = f"{settings.host}:{settings.port}"
        msg = f"cannot serve on {place} ({error}); choose another with --host or --port (--port 0 takes a free one)"
        raise PortError(msg) from error
    several = isinstance(server, MultiSocketServer)
    for one in tuple(server.map.values()) if several else (server,):
        one.channel_class = Channel
        one.adj.socket_options = socket_options()
    return server


def address_of(server: Any) -> tuple[str, int]:  # noqa: ANN401
    """Give the address and port that a server is bound to."""
    host, port = (
        server.effective_listen[0]
        if isinstance(server, MultiSocketServer)
        else (server.effective_host, server.effective_port)
    )
    return str(host), int(port)


def url_of(host: str, port: int) -> str:
    """Give the address as a browser takes it."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def when_ready(url: str, then: Callable[[], None]) -> threading.Thread:
    """Call `then` once `/healthz` answers 200, from a thread of its own."""

    def wait() -> None:
        patience = time.monotonic() + PATIENCE_S
        while time.monotonic() < patience:
            if is_healthy(url):
                then()
                return
            time.sleep(0.02)

    thread = threading.Thread(target=wait, name="ready", daemon=True)
    thread.start()
    return thread


def is_healthy(url: str) -> bool:
    """Ask `/healthz` of our own server, past any proxy."""
    ask = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with ask.open(f"{url}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def can_show_a_browser() -> bool:
    """Tell whether there is a screen that a browser could open on."""
    return sys.platform in {"win32", "darwin"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
