"""What the routes work with; made once by `create_app`, found again through the running app."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import current_app

from referee.desk import Desk
from web.access import HostGuard, Keys, PinLimiter
from web.events import Broadcaster
from web.evidence import Evidence
from web.feed import Feed
from web.settings import Settings
from web.state import StateWriter

EXTENSION = "rummy-referee"


@dataclass(frozen=True)
class Services:
    """The parts of one running referee. `now_ms` is the monotonic clock that the desk is told, in milliseconds."""

    settings: Settings
    desk: Desk
    feed: Feed
    keys: Keys
    hosts: HostGuard
    limiter: PinLimiter
    broadcaster: Broadcaster
    writer: StateWriter
    evidence: Evidence | None
    now_ms: Callable[[], int]


def services() -> Services:
    """Give the parts of the app that answers this request."""
    return cast("Services", current_app.extensions[EXTENSION])
